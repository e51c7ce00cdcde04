"""What everything else stands on; it knows of nothing but errors."""
