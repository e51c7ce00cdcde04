"""Secrets, personal data, and orders to the model."""
