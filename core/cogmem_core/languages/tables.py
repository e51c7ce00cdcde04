"""How the tables of a language are written down."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["alike", "any_of", "phrases", "stems", "words"]


def alike(table: str) -> dict[str, str]:
    """Words by the first one of their line, which stands for all of them."""
    rows = [line.split() for line in table.strip().splitlines()]
    return {word: row[0] for row in rows for word in row}


def any_of(alternatives: Iterable[str]) -> str:
    """A regular expression for one of the words, longest first; of none, what matches nothing."""
    ordered = sorted(filter(None, alternatives), key=lambda word: (-len(word), word))
    if not ordered:
        return "(?!)"
    return "(?:" + "|".join(ordered) + ")"


def phrases(table: str) -> frozenset[str]:
    """Phrases that commas or line ends separate."""
    parts = table.replace("\n", ",").split(",")
    return frozenset(filter(None, map(str.strip, parts)))


def words(table: str) -> frozenset[str]:
    """Words that white space separates."""
    return frozenset(table.split())


def stems(table: str) -> tuple[str, ...]:
    """Words or beginnings of words, in their order, that white space separates."""
    return tuple(table.split())
