"""What belongs to a process: the parts of an engine, which engines are open, what was done."""
