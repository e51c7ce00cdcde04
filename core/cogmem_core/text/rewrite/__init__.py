"""Sentences that can be understood on their own."""
