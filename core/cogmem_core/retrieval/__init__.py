"""The read path: a query in, ranked memories out. Ranking never changes a memory."""
