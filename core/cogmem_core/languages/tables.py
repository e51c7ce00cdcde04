"""How the tables of a language are written down."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, cast


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


class _Uncompiled:
    """Compiles a regular expression when it is first asked for anything."""

    def __init__(self, text: str, flags: int) -> None:
        self._text = text
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(self._text, self._flags), name)
        setattr(self, name, value)  # found at once from now on
        return value


def lazy_pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """A regular expression that is compiled at its first use: what a process never asks costs it nothing.

    Only for its methods: functions of `re` do not take it.
    """
    return cast(re.Pattern[str], _Uncompiled(text, flags))


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
