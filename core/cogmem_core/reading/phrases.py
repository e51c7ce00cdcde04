"""Phrases as a translator writes them, found in a folded text.

A phrase is words with blanks between them; none is needed behind an apostrophe: `j' ai`. `a|b` is either; what
stands in `[a b]` may be left out; `word*` has any ending, `*word` any beginning; `_` is any word, `..` up to four of
them. A phrase that begins with `-` is the end of a word, and what follows. A comma between
blanks may be missing; `,!` may not.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from functools import cached_property

from cogmem_core.values.readings import Span

_PIECE = re.compile(r"\[[^\[\]]*\]|[^\s\[\]]+")
_OPTIONAL = re.compile(r"\[[^\[\]]*\]")
LETTERS = (
    r"\w\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    r"\u0900-\u0963\u0966-\u0dff\u0e31-\u0e4e\u200c\u200d"
)
"""What a word is made of, in a class of a regular expression: vowel signs, too, which are no `\\w`."""
_COMMAS = {",": r"\s*,?", ",!": r"\s*[,!]"}
_LONGEST_WORD = 80  # characters; a run of signs would be read from each of its places
_ANY = rf"[^\s.,;:!?\u060c\u061b\u061f\u0964\u3001\u3002\uff0c\uff1a\uff1b\uff01\uff1f]{{1,{_LONGEST_WORD}}}"
_SEVERAL = rf"(?:{_ANY}\s+){{0,3}}{_ANY}"
_LONGEST = 240  # characters of a phrase at an end
_BLANK = r"(?:\s+|(?<='))"


def is_letter(character: str) -> bool:
    """Whether a word goes on with a character: a letter, a figure, or a sign that belongs to one."""
    return character.isalnum() or (character != "_" and f"a{character}".isidentifier())


def bare_span(folded: str, start: int, end: int, opening: str = "") -> Span:
    """The place of some words without the marks round them, but for one of `opening` before them."""
    while start < end and not (folded[start].isalnum() or folded[start] in opening):
        start += 1
    while end > start and not is_letter(folded[end - 1]):
        end -= 1
    return start, end


class BadPhrase(ValueError):
    """A phrase that cannot be read; its text says which and why."""


def pattern_of(phrase: str, *, spaced: bool = True) -> str:
    """The regular expression of a phrase; the words of a language without blanks may touch.

    Raises:
        BadPhrase: it has an empty word or a bracket that is not closed.
    """
    pieces = _PIECE.findall(phrase)
    if not pieces or "".join(pieces).count("[") != phrase.count("["):
        raise BadPhrase(f"{phrase!r}: give words, and close each bracket")
    gap = _BLANK if spaced else r"\s*"
    parts: list[str] = []
    needed = False
    for piece in pieces:
        optional = piece.startswith("[")
        if piece in _COMMAS:
            parts.append(_COMMAS[piece])
            continue
        words = piece.strip("[]").split()
        if not words:
            raise BadPhrase(f"{phrase!r}: put words between the brackets")
        choice = gap.join(_choice(word, phrase) for word in words)
        if optional:
            parts.append(f"(?:{gap}{choice})?" if needed else f"(?:{choice}{gap})?")
        else:
            parts.append(f"{gap}{choice}" if needed else choice)
            needed = True
    return "".join(parts)


def _choice(word: str, phrase: str) -> str:
    options = word.split("|")
    if not all(options):
        raise BadPhrase(f"{phrase!r}: an empty choice in {word!r}")
    ends = [each for each in options if each.startswith("*") and each != "*"]
    found = "|".join(_word(each) for each in options if each not in ends)
    if ends:  # together, so that the beginning of a word is read once
        found += "|" if found else ""
        found += rf"[{LETTERS}'-]{{0,{_LONGEST_WORD}}}(?:{'|'.join(re.escape(each[1:]) for each in ends)})"
    return f"(?:{found})" if len(options) > 1 else found


def _word(word: str) -> str:
    if word == "_":
        return _ANY
    if word == "..":
        return _SEVERAL
    if word.endswith("*") and len(word) > 1:
        return re.escape(word[:-1]) + rf"[{LETTERS}]*"
    return re.escape(word)


def _any_of(phrases: Iterable[str], *, spaced: bool) -> str:
    """One of some phrases, the longest first."""
    ordered = sorted(phrases, key=_length, reverse=True)
    return "|".join(pattern_of(phrase, spaced=spaced) for phrase in ordered) or "(?!)"


def _length(phrase: str) -> Span:
    """How many words a phrase has without and with what it may have: "remember this" before "remember [that]"."""
    return len(_OPTIONAL.sub("", phrase).split()), len(phrase.split())


def _edge(phrase: str, place: int) -> set[str] | None:
    """The letters with which a phrase may begin (place 0) or end (-1); None if these may be any."""
    found: set[str] = set()
    for piece in _PIECE.findall(phrase)[:: 1 if place == 0 else -1]:
        for word in piece.strip("[]").split()[place].split("|"):
            if word in ("_", "..", *_COMMAS) or word[place] == "*":
                return None
            found.add(word[place])
        if not piece.startswith("["):
            return found
    return None


def _edges(phrases: Iterable[str], place: int) -> set[str] | None:
    """As `_edge`, of all of them together."""
    found: set[str] = set()
    for phrase in phrases:
        letters = _edge(phrase, place)
        if letters is None:
            return None
        found |= letters
    return found


class Phrases:
    """A list of phrases, found whole; the longest counts."""

    def __init__(self, phrases: Iterable[str], *, spaced: bool = True) -> None:
        """Read phrases; they are compiled when they are first looked for.

        Args:
            phrases: the list.
            spaced: whether the language has blanks between words.

        Raises:
            BadPhrase: see `pattern_of`.
        """
        loose: list[str] = []
        bound: list[str] = []
        for phrase in phrases:
            bare = phrase.removeprefix("-")
            (bound if phrase == bare else loose).append(bare)
        self._all = (*bound, *loose)
        self._letters = _edges(self._all, 0)
        # Vowel signs are looked for where a script has them: the wide class costs time.
        letters = r"\w" if all(map(str.isascii, self._all)) else LETTERS
        begin = rf"(?:(?<![{letters}])|(?=\W))" if spaced else ""
        end = rf"(?:(?![{letters}])|(?<='))" if spaced else ""
        found = f"{begin}(?:{_any_of(bound, spaced=spaced)})"
        if loose:
            found = f"(?:{found}|(?:{_any_of(loose, spaced=spaced)}))"
        self._found = found
        self._end = end

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(self._found + self._end)

    @cached_property
    def _ending(self) -> re.Pattern[str]:
        return re.compile(rf"{self._found}\Z")

    @cached_property
    def _last_letters(self) -> set[str] | None:
        return _edges(self._all, -1)

    def at(self, folded: str, start: int, end: int) -> int:
        """Where a phrase that begins at a place ends; the place itself if none does."""
        if self._letters is not None and folded[start : start + 1] not in self._letters:
            return start
        match = self._pattern.match(folded, start, end)
        return match.end() if match else start

    def within(self, folded: str, start: int = 0, end: int = sys.maxsize) -> Span | None:
        """The first place of a phrase in a part of a text; None if there is none."""
        match = self._pattern.search(folded, start, end) if self._letters != set() else None
        return match.span() if match else None

    def is_all(self, folded: str, start: int, end: int) -> bool:
        """Whether a part of a text is a phrase."""
        return self._pattern.fullmatch(folded, start, end) is not None

    def before(self, folded: str, start: int, end: int) -> int:
        """Where a phrase that ends at a place begins; the place itself if none does."""
        if self._last_letters is not None and folded[end - 1 : end] not in self._last_letters:
            return end
        match = self._ending.search(folded, max(start, end - _LONGEST), end)
        return match.start() if match else end

    def places(self, folded: str, start: int, end: int) -> Iterator[Span]:
        """All places of phrases in a part of a text."""
        return (match.span() for match in self._pattern.finditer(folded, start, end))
