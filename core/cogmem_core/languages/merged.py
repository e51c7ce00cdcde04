"""Tables of all languages as one, for code that reads texts of any language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from cogmem_core.languages import LANGUAGES
from cogmem_core.languages.base import NOTHING, Language

__all__ = ["AnyPattern", "all_entries", "all_patterns", "all_words", "by_language"]

Value = TypeVar("Value")


def all_words(table: Callable[[Language], Iterable[str]]) -> frozenset[str]:
    """The words of one table in every language."""
    return frozenset().union(*map(table, LANGUAGES.values()))


def all_patterns(table: Callable[[Language], str | tuple[str, ...]]) -> str:
    """Alternatives of one regular expression from every language, without brackets round them.

    For patterns without groups; those with groups are an `AnyPattern`.
    """
    alternatives: list[str] = []
    for language in LANGUAGES.values():
        patterns = table(language)
        alternatives += [patterns] if isinstance(patterns, str) else patterns
    return "|".join(filter(None, alternatives))


class AnyPattern:
    """One pattern per language, compiled on its own: languages may give groups the same names."""

    def __init__(self, table: Callable[[Language], str]) -> None:
        patterns = map(table, LANGUAGES.values())
        self._patterns = [re.compile(text) for text in patterns if text != NOTHING]

    def search(self, text: str) -> re.Match[str] | None:
        """The match that begins first; of several, that of the language that is listed first."""
        matches = filter(None, (pattern.search(text) for pattern in self._patterns))
        return min(matches, key=re.Match.start, default=None)


def all_entries(table: Callable[[Language], Mapping[str, Value]]) -> dict[str, Value]:
    """The entries of one table in every language."""
    entries: dict[str, Value] = {}
    for language in LANGUAGES.values():
        entries.update(table(language))
    return entries


def by_language(
    pattern_of: Callable[[Language], str], flags: int = 0
) -> dict[str, re.Pattern[str]]:
    """The pattern of each language that has one, by the code of the language."""
    patterns: dict[str, re.Pattern[str]] = {}
    for code, language in LANGUAGES.items():
        pattern = pattern_of(language)
        if pattern:
            patterns[code] = re.compile(pattern, flags)
    return patterns
