"""What a process keeps in RAM, bounded, and may lose at any time."""
