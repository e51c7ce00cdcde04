"""Pure numbers: forgetting curves, fusion, diversity; no I/O, no clock, no randomness."""
