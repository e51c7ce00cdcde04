"""Tables of the languages in which a text is read, as one, for code that reads any text.

A table is put together when it is first asked for in a language, and kept: a language that nobody
writes costs nothing. Regular expressions are written with marks in the place of the words of the
languages; `MergedPattern` puts the words there. `re.compile` refuses such a mark.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from itertools import chain
from operator import attrgetter
from typing import Any, Generic, TypeVar

from cogmem_core.languages import LANGUAGES
from cogmem_core.languages.base import NOTHING, Language
from cogmem_core.languages.needed import QuickPattern
from cogmem_core.languages.reading import DEFAULT, current, languages_set
from cogmem_core.languages.tables import any_of

Value = TypeVar("Value")
Table = str | Callable[[Language], Any]
"""A table of a language: its place ("observe.names.honorifics"), or what makes it of one."""


def languages_read() -> list[Language]:
    """The languages in which a text is read at the moment; the first one counts in doubt."""
    return [LANGUAGES[code] for code in current()]


_GUARDING = (*DEFAULT, "de", "es", "fr")


def languages_guarding() -> list[Language]:
    """Those and the ones that have labels of secrets: a line of settings shows no language."""
    return [LANGUAGES[code] for code in dict.fromkeys((*_GUARDING, *current()))]


class Kept(Generic[Value]):
    """What is made of the languages that are read, once for each group of them."""

    def __init__(self, build: Callable[[], Value]) -> None:
        self._build = build
        self._built: dict[tuple[str, ...] | None, Value] = {}

    def __call__(self) -> Value:
        """What was made of the languages that are read now; it is made at the first call."""
        try:
            # Asked for at every word: `current` would be one more call.
            return self._built[languages_set()]
        except KeyError:
            codes = current()
            if codes not in self._built:
                self._built[codes] = self._build()
            built = self._built[languages_set()] = self._built[codes]
            return built


Names = TypeVar("Names", bound=Collection[str])


class _Merged(Generic[Names]):
    """What the languages that are read have by words."""

    def __init__(self, build: Callable[[], Names]) -> None:
        self.now = Kept(build)

    def __contains__(self, word: object) -> bool:
        return word in self.now()

    def __iter__(self) -> Iterator[str]:
        return iter(self.now())

    def __len__(self) -> int:
        return len(self.now())


class Words(_Merged[frozenset[str]], Set[str]):
    """A set of words of the languages that are read."""

    _from_iterable = frozenset

    def __init__(self, build: Callable[[], Iterable[str]]) -> None:
        super().__init__(lambda: frozenset(build()))

    def __or__(self, other: Set[str]) -> Words:  # type: ignore[override]
        return Words(lambda: self.now() | frozenset(other))


class Entries(_Merged[dict[str, Value]], Mapping[str, Value]):
    """Entries of the languages that are read."""

    def __getitem__(self, key: str) -> Value:
        return self.now()[key]


_MARK = re.compile(r"\(\?@(\d+)\)")
_marked: list[Callable[[], str]] = []


def mark(alternatives: Callable[[], str]) -> str:
    """A mark in a regular expression for a part that depends on the languages that are read."""
    _marked.append(alternatives)
    return f"(?@{len(_marked) - 1})"


def filled(text: str) -> str:
    """A regular expression with the words of the languages that are read in place of its marks."""
    while _MARK.search(text):
        text = _MARK.sub(lambda match: _marked[int(match[1])](), text)
    return text


class MergedPattern:
    """A regular expression with marks, compiled for the languages that are read.

    Args:
        text: the expression.
        flags: those of `re.compile`.
        finish: what is to be done to the text when the words of the languages are in it.
    """

    def __init__(
        self, text: str, flags: int = 0, *, finish: Callable[[str], str] | None = None
    ) -> None:
        self._quick = Kept(
            lambda: QuickPattern(finish(filled(text)) if finish else filled(text), flags)
        )

    def search(self, text: str, *within: int) -> re.Match[str] | None:
        """As that of `re.Pattern`."""
        return self._quick().search(text, *within)

    def match(self, text: str, *within: int) -> re.Match[str] | None:
        """As that of `re.Pattern`."""
        return self._quick().pattern.match(text, *within)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """As that of `re.Pattern`."""
        return self._quick().pattern.fullmatch(text)

    def finditer(self, text: str, *within: int) -> Iterator[re.Match[str]]:
        """As that of `re.Pattern`."""
        quick = self._quick()
        return quick.pattern.finditer(text, *within) if quick.may_match(text) else iter(())

    def sub(
        self, replacement: str | Callable[[re.Match[str]], str], text: str, count: int = 0
    ) -> str:
        """As that of `re.Pattern`."""
        quick = self._quick()
        return quick.pattern.sub(replacement, text, count) if quick.may_match(text) else text


def _each(table: Table, languages: Callable[[], list[Language]] = languages_read) -> list[Any]:
    """A table of every language that is read."""
    return list(map(attrgetter(table) if isinstance(table, str) else table, languages()))


def all_words(table: Table) -> Words:
    """The words of one table in every language that is read."""
    return Words(lambda: frozenset().union(*_each(table)))


def all_patterns(table: Table) -> str:
    """A mark for alternatives from every language that is read, without brackets round them.

    For patterns without groups; those with groups are an `AnyPattern`.
    """
    return mark(lambda: _alternatives(_each(table)))


def guarding_patterns(table: Table) -> str:
    """The same for what guards: with those of the default languages, whatever is read."""
    return mark(lambda: _alternatives(_each(table, languages_guarding)))


def _alternatives(tables: Iterable[str | tuple[str, ...]]) -> str:
    alternatives: list[str] = []
    for patterns in tables:
        alternatives += [patterns] if isinstance(patterns, str) else patterns
    return "|".join(filter(None, alternatives)) or NOTHING


def any_word(words: Iterable[str]) -> str:
    """A mark for one of the words, longest first."""
    return mark(lambda: any_of(words))


class AnyPattern:
    """One pattern per language, compiled on its own: languages may give groups the same names."""

    def __init__(self, table: Table) -> None:
        self._patterns = Kept(
            lambda: [QuickPattern(text) for text in _each(table) if text not in (NOTHING, "")]
        )

    def search(self, text: str) -> re.Match[str] | None:
        """The match that begins first; of several, that of the language that is listed first."""
        first: re.Match[str] | None = None
        for quick in self._patterns():
            match = quick.search(text)
            if match is not None and (first is None or match.start() < first.start()):
                first = match
        return first


def all_entries(table: Table) -> Entries[Any]:
    """The entries of one table in every language that is read."""
    return Entries(lambda: dict(chain.from_iterable(each.items() for each in _each(table))))


def by_language(table: Table) -> Entries[re.Pattern[str]]:
    """The pattern of each language that is read and has one, by the code of the language."""
    return Entries(
        lambda: {
            code: re.compile(pattern)
            for code, pattern in zip(current(), _each(table), strict=True)
            if pattern
        }
    )
