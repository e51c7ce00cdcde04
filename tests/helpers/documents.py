"""What tests of documents share: putting one, how its memories are, and which files hold its words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cogmem_core import Items, MemoryBank

__all__ = ["HOME", "SOUP", "holding", "put", "states"]

HOME, SOUP = ("people", "alice"), "Lentil soup with mint"


def put(items: Items, *texts: str, key: str = "k", **more: Any) -> tuple[str, ...]:
    """A document that says these texts; returns the ids of its memories."""
    return items.put(HOME, key, {"texts": list(texts), **more}, texts=texts).memory_ids


def states(bank: MemoryBank) -> dict[str, str]:
    return {memory.content: memory.state for memory in bank.list(state="any")}


def holding(folder: Path, *words: str) -> list[str]:
    """Files that hold one of the words."""
    read = {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return sorted(
        name for name, held in read.items() if any(word.encode() in held for word in words)
    )
