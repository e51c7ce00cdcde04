"""What a sentence is about, and what kind of sentence it is."""
