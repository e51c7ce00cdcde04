"""How many, and which ones, in the words of a message to a person. Pure."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["counted", "first_of"]


def counted(count: int, one: str = "memory", many: str = "memories") -> str:
    """How many, in words: "1 memory", "2 memories"; with what they do: "1 turn waits", "2 turns wait"."""
    return f"{count} {one if count == 1 else many}"


def first_of(names: Sequence[str], most: int) -> str:
    """At most so many names on one line, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"
