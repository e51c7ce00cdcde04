"""Phrases as a translator writes them, found in a folded text.

A phrase is words with blanks between them. `a|b` is either; what stands in `[a b]` may be left out; `word*` has any
ending; `_` is any word, `..` up to four of them. A comma between blanks may be missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_PIECE = re.compile(r"\[[^\[\]]*\]|[^\s\[\]]+")
_ANY = r"[^\s.,;:!?]+"
_SEVERAL = rf"(?:{_ANY}\s+){{0,3}}{_ANY}"


class BadPhrase(ValueError):
    """A phrase that cannot be read; its text says which and why."""


def pattern_of(phrase: str) -> str:
    """The regular expression of a phrase.

    Raises:
        BadPhrase: it has an empty word or a bracket that is not closed.
    """
    pieces = _PIECE.findall(phrase)
    if not pieces or "".join(pieces).count("[") != phrase.count("["):
        raise BadPhrase(f"{phrase!r}: give words, and close each bracket")
    parts: list[str] = []
    needed = False
    for piece in pieces:
        optional = piece.startswith("[")
        if piece == ",":
            parts.append(r"\s*,?")
            continue
        words = piece.strip("[]").split()
        if not words:
            raise BadPhrase(f"{phrase!r}: put words between the brackets")
        choice = r"\s+".join(_choice(word, phrase) for word in words)
        if optional:
            parts.append(rf"(?:\s+{choice})?" if needed else rf"(?:{choice}\s+)?")
        else:
            parts.append(rf"\s+{choice}" if needed else choice)
            needed = True
    return "".join(parts)


def _choice(word: str, phrase: str) -> str:
    options = word.split("|")
    if not all(options):
        raise BadPhrase(f"{phrase!r}: an empty choice in {word!r}")
    found = "|".join(map(_word, options))
    return f"(?:{found})" if len(options) > 1 else found


def _word(word: str) -> str:
    if word == "_":
        return _ANY
    if word == "..":
        return _SEVERAL
    if word.endswith("*") and len(word) > 1:
        return re.escape(word[:-1]) + r"\w*"
    return re.escape(word)


class Phrases:
    """A list of phrases, found whole; the longest counts."""

    def __init__(self, phrases: Iterable[str], *, spaced: bool = True) -> None:
        """Compile phrases.

        Args:
            phrases: the list.
            spaced: whether the language has blanks between words.

        Raises:
            BadPhrase: see `pattern_of`.
        """
        each = sorted(map(pattern_of, phrases), key=len, reverse=True)
        found = "|".join(each) or "(?!)"
        begin, end = (r"(?:(?<!\w)|(?=\W))", r"(?!\w)") if spaced else ("", "")
        self._pattern = re.compile(f"{begin}(?:{found}){end}")

    def at(self, folded: str, start: int, end: int) -> int:
        """Where a phrase that begins at a place ends; the place itself if none does."""
        match = self._pattern.match(folded, start, end)
        return match.end() if match else start

    def within(self, folded: str, start: int, end: int) -> tuple[int, int] | None:
        """The first place of a phrase in a part of a text; None if there is none."""
        match = self._pattern.search(folded, start, end)
        return match.span() if match else None

    def is_all(self, folded: str, start: int, end: int) -> bool:
        """Whether a part of a text is a phrase."""
        return self._pattern.fullmatch(folded, start, end) is not None
