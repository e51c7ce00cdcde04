"""How many, and which ones, in the words of a message to a person. Pure."""

from __future__ import annotations

from collections.abc import Sequence


def counted(count: int, singular: str = "memory", plural: str = "memories") -> str:
    """How many, in words: "1 memory", "2 memories"; with a verb: "1 turn waits", "2 turns wait"."""
    return f"{count} {singular if count == 1 else plural}"


def first_of(names: Sequence[str], limit: int) -> str:
    """At most so many names on one line, and how many more there are."""
    line = ", ".join(names[:limit])
    if len(names) > limit:
        line += f" and {len(names) - limit} more"
    return line
