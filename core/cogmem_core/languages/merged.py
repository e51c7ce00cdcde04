"""Tables of all languages as one, for code that reads texts of any language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from cogmem_core.languages import LANGUAGES
from cogmem_core.languages.base import Language

__all__ = ["all_entries", "all_patterns", "all_words"]

Value = TypeVar("Value")


def all_words(table: Callable[[Language], Iterable[str]]) -> frozenset[str]:
    """The words of one table in every language."""
    return frozenset().union(*map(table, LANGUAGES.values()))


def all_patterns(table: Callable[[Language], str | tuple[str, ...]]) -> str:
    """Alternatives of one regular expression from every language, each once, without brackets.

    Two languages must not give different patterns the same group name.
    """
    alternatives: list[str] = []
    for language in LANGUAGES.values():
        patterns = table(language)
        alternatives += [patterns] if isinstance(patterns, str) else patterns
    return "|".join(filter(None, dict.fromkeys(alternatives)))


def all_entries(table: Callable[[Language], Mapping[str, Value]]) -> dict[str, Value]:
    """The entries of one table in every language."""
    entries: dict[str, Value] = {}
    for language in LANGUAGES.values():
        entries.update(table(language))
    return entries
