"""One module per command, or per family of small ones; each registers what it defines."""
