"""Word tables, one module per concern; frozen sets of plain strings, no logic, no I/O."""
