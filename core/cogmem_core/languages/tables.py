"""How the tables of a language are written down."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, cast


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


def words(table: str) -> frozenset[str]:
    """Words that white space separates."""
    return frozenset(table.split())


def stems(table: str) -> tuple[str, ...]:
    """Words or beginnings of words, in their order, that white space separates."""
    return tuple(table.split())
