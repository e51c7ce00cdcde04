"""Values: records, results, messages, conditions on metadata. They do nothing."""
