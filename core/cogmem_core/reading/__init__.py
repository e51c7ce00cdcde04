"""Reads a text once, and takes it apart into clauses; all that decides on words looks at these."""
