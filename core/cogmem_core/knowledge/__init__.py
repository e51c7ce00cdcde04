"""What is known of whom: profiles made of the clauses of memories, without a language model."""

from cogmem_core.knowledge.profile import profile

__all__ = ["profile"]
