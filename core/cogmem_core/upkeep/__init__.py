"""What is done to memories that are there: edits, reviews, re-embedding, reflections."""
