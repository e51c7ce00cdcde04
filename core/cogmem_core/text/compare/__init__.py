"""What one sentence means to another."""
