"""Phrases as a translator writes them, found in a folded text.

A phrase is words with blanks between them; none is needed behind an apostrophe: `j' ai`. `a|b` is either; what
stands in `[a b]` may be left out; `word*` has any ending, `*word` any beginning; `_` is any word, `..` up to four of
them. A phrase that begins with `-` is the end of a word, and what follows. A comma between
blanks may be missing; `,!` may not.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator

from cogmem_core.base.lru import text_cache

_PIECE = re.compile(r"\[[^\[\]]*\]|[^\s\[\]]+")
_OPTIONAL = re.compile(r"\[[^\[\]]*\]")
LETTERS = (
    r"\w\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    r"\u0900-\u0963\u0966-\u0dff\u0e31-\u0e4e\u200c\u200d"
)
"""What a word is made of, in a class of a regular expression: vowel signs, too, which are no `\\w`."""
_COMMAS = {",": r"\s*,?", ",!": r"\s*[,!]"}
_ANY = r"[^\s.,;:!?\u060c\u061b\u061f\u0964\u3001\u3002\uff0c\uff1a\uff1b\uff01\uff1f]+"
_SEVERAL = rf"(?:{_ANY}\s+){{0,3}}{_ANY}"
_LONGEST = 240  # characters of a phrase at an end
_BEGINNING = 4  # letters by which phrases are told apart at first
_BLANK = r"(?:\s+|(?<='))"
_BEGIN = r"(?:(?<![{}])|(?=\W))"


def is_letter(character: str) -> bool:
    """Whether a word goes on with a character: a letter, a figure, or a sign that belongs to one."""
    return character.isalnum() or (character != "_" and f"a{character}".isidentifier())


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
        found += rf"[{LETTERS}'-]*(?:{'|'.join(re.escape(each[1:]) for each in ends)})"
    return f"(?:{found})" if len(options) > 1 else found


def _word(word: str) -> str:
    if word == "_":
        return _ANY
    if word == "..":
        return _SEVERAL
    if word.endswith("*") and len(word) > 1:
        return re.escape(word[:-1]) + rf"[{LETTERS}]*"
    return re.escape(word)


def _length(phrase: str) -> tuple[int, int]:
    """How many words a phrase has without and with what it may have: "remember this" before "remember [that]"."""
    return len(_OPTIONAL.sub("", phrase).split()), len(phrase.split())


def _beginnings(phrase: str) -> set[str]:
    """The first letters of what a phrase may begin with; "" if it may begin with any."""
    found: set[str] = set()
    for piece in _PIECE.findall(phrase):
        for word in piece.strip("[]").split()[:1][0].split("|"):
            if word in ("_", "..", *_COMMAS) or word.startswith("*"):
                return {""}
            found.add(word.removesuffix("*")[:_BEGINNING])
        if not piece.startswith("["):
            return found
    return {""}


@text_cache(256)
def _starts(folded: str, letters: str) -> tuple[int, ...]:
    """The places of a text where a word begins, and of all that is no part of one."""
    return tuple(match.start() for match in re.finditer(_BEGIN.format(letters), folded))


class Phrases:
    """A list of phrases, found whole; the longest counts."""

    def __init__(self, phrases: Iterable[str], *, spaced: bool = True) -> None:
        """Read phrases; those with the same first letters are compiled together, when a text has these.

        Args:
            phrases: the list.
            spaced: whether the language has blanks between words.

        Raises:
            BadPhrase: see `pattern_of`.
        """
        written = tuple(phrases)
        loose = [phrase[1:] for phrase in written if phrase.startswith("-")]
        bound = [phrase for phrase in written if not phrase.startswith("-")]
        # Vowel signs are looked for where a script has them: the wide class costs time.
        letters = r"\w" if all(map(str.isascii, written)) else LETTERS
        begin = _BEGIN.format(letters) if spaced else ""
        self._end = rf"(?:(?![{letters}])|(?<='))" if spaced else ""
        self._letters = letters if spaced and not loose else None
        self._patterns: list[str] = []
        self._by_beginning: dict[str, list[int]] = {}
        for begins, each in ((begin, bound), ("", loose)):
            for phrase in sorted(each, key=_length, reverse=True):
                for letters in _beginnings(phrase):
                    self._by_beginning.setdefault(letters, []).append(len(self._patterns))
                self._patterns.append(begins + pattern_of(phrase, spaced=spaced))
        self._compiled: dict[str, re.Pattern[str]] = {}

    def _of(self, folded: str, place: int) -> re.Pattern[str] | None:
        """The phrases that may begin at a place; None if none may."""
        letters = folded[place : place + _BEGINNING]
        while letters not in self._by_beginning:
            if not letters:
                return None
            letters = letters[:-1]
        found = self._compiled.get(letters)
        if found is None:
            numbers = {
                number
                for length in range(len(letters) + 1)
                for number in self._by_beginning.get(letters[:length], ())
            }
            choices = "|".join(self._patterns[number] for number in sorted(numbers))
            found = re.compile(f"(?:{choices}){self._end}")
            self._compiled[letters] = found
        return found

    def _places(self, folded: str, start: int, end: int) -> Iterable[int]:
        """Where in a part of a text a phrase may begin."""
        if not self._patterns:
            return ()
        if self._letters is None:
            return range(start, end)
        starts = _starts(folded, self._letters)
        return starts[bisect_left(starts, start) : bisect_left(starts, end)]

    def at(self, folded: str, start: int, end: int) -> int:
        """Where a phrase that begins at a place ends; the place itself if none does."""
        pattern = self._of(folded, start)
        match = pattern.match(folded, start, end) if pattern else None
        return match.end() if match else start

    def within(self, folded: str, start: int, end: int) -> tuple[int, int] | None:
        """The first place of a phrase in a part of a text; None if there is none."""
        return next(self.places(folded, start, end), None)

    def is_all(self, folded: str, start: int, end: int) -> bool:
        """Whether a part of a text is a phrase."""
        pattern = self._of(folded, start)
        return pattern is not None and pattern.fullmatch(folded, start, end) is not None

    def before(self, folded: str, start: int, end: int) -> int:
        """Where a phrase that ends at a place begins; the place itself if none does."""
        for place in self._places(folded, max(start, end - _LONGEST), end):
            if self.is_all(folded, place, end):
                return place
        return end

    def places(self, folded: str, start: int, end: int) -> Iterator[tuple[int, int]]:
        """All places of phrases in a part of a text, none within another."""
        last = start
        for place in self._places(folded, start, end):
            if place >= last:
                found = self.at(folded, place, end)
                if found > place:
                    last = found
                    yield place, found
