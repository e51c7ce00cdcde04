"""What tests of documents share: putting one, and how its memories are."""

from typing import Any

from cogmem_core import Items, MemoryBank

__all__ = ["HOME", "SOUP", "put", "states"]

HOME, SOUP = ("people", "alice"), "Lentil soup with mint"


def put(items: Items, *texts: str, key: str = "k", **more: Any) -> tuple[str, ...]:
    """A document that says these texts; returns the ids of its memories."""
    return items.put(HOME, key, {"texts": list(texts), **more}, texts=texts).memory_ids


def states(bank: MemoryBank) -> dict[str, str]:
    return {memory.content: memory.state for memory in bank.list(state="any")}
