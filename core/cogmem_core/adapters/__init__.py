"""What the adapters of all frameworks share: they translate, and here it is decided."""
