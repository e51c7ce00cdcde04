"""The index in Chroma: generations of collections that follow the ledger."""
