"""Files of a bank: their folder, room on the disk, and what an erasure looks for in them."""
