"""What is refused where something comes in, whose word counts, and how strong a memory is."""
