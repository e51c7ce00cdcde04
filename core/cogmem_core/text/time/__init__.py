"""Times and dates in texts."""
