"""Pure text functions: from characters to tokens, labels and signals; no I/O, no clock."""
