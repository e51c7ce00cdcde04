"""Words and marks of a text, with their places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from cogmem_core.reading.phrases import LETTERS
from cogmem_core.values.readings import Span

_REST = r"[%\u00b0+]?|[^\w\s]|_"
_TOKEN = re.compile(rf"[^\W_]{{1,64}}(?:(?:[.:/'@_+-]|,(?=\d))[^\W_]{{1,64}}){{0,16}}{_REST}")
_LETTER = rf"(?:(?!_)[{LETTERS}])"
_TOKEN_WITH_SIGNS = re.compile(
    rf"{_LETTER}{{1,64}}(?:(?:[.:/'@_+-]|,(?=\d)){_LETTER}{{1,64}}){{0,16}}{_REST}"
)


class Token(NamedTuple):
    """A word or a mark.

    Attributes:
        folded: in small letters without accents.
        raw: as it stands.
        start: where it begins in the text.
        end: where it ends.
    """

    folded: str
    raw: str
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        """Whether it is a word or a figure, and no mark."""
        return self.folded[:1].isalnum() or (self.folded[:1] == "'" and len(self.folded) > 1)

    @property
    def is_ending(self) -> bool:
        """Whether it is what stands behind an apostrophe."""
        return self.folded.startswith("'")

    @property
    def is_figure(self) -> bool:
        """Whether it begins with a figure."""
        return self.folded[:1].isdigit()

    @property
    def is_capital(self) -> bool:
        """Whether it is written with a capital letter."""
        return self.raw[:1].isupper()

    def cut(self, length: int) -> Token:
        """Its first letters."""
        return Token(self.folded[:length], self.raw[:length], self.start, self.start + length)


Tokens = Sequence[Token]
"""Some that follow each other."""


def span_of(words: Tokens) -> Span:
    """The place of some words, of which there is one at least."""
    return words[0].start, words[-1].end


def text_of(text: str, words: Tokens) -> str:
    """Some words as they stand in a text."""
    return text[slice(*span_of(words))] if words else ""


def only_words(tokens: Iterable[Token]) -> list[Token]:
    """Words without the marks between them."""
    return [token for token in tokens if token.is_word]


def next_word(words: Tokens, place: int) -> str:
    """The word behind a place, folded; "" if there is none."""
    return words[place + 1].folded if place + 1 < len(words) else ""


def tokens_of(text: str, folded: str, start: int, end: int, splits: Splits) -> tuple[Token, ...]:
    """The words and marks between two places of a text.

    Args:
        text: as it stands.
        folded: the same folded, of the same length.
        start: the first place.
        end: the place behind the last one.
        splits: where a word is two: "I'm", "j'habite".
    """
    found: list[Token] = []
    pattern = _TOKEN if folded.isascii() else _TOKEN_WITH_SIGNS
    for match in pattern.finditer(folded, start, end):
        begin, stop = match.span()
        word = splits.bare.get(folded[begin:stop], folded[begin:stop])
        both = found[-1].folded + word if found else ""
        if both in splits.joined and not folded[stop:end].lstrip()[:1].isalnum():
            begin, word = found.pop().start, both
        cut = splits.place(word)
        middle = begin + cut
        for low, high, said in ((begin, middle, word[:cut]), (middle, stop, word[cut:])):
            if low < high:
                raw = text[low:high]
                found.append(Token(splits.folded(raw, said), raw, low, high))
    return tuple(found)


class Splits(NamedTuple):
    """Beginnings and ends of words that are words of their own, and words that need their accent: "à", no "a".

    `bare` has words without their apostrophe, as many write them, and with it: "shes" is "she's".
    `joined` has two words that are one where no word follows: "any more".
    """

    before: Sequence[str] = ()
    behind: Sequence[str] = ()
    whole: Mapping[str, int] = {}
    bare: Mapping[str, str] = {}
    joined: frozenset[str] = frozenset()
    accented: frozenset[str] = frozenset()

    def folded(self, raw: str, folded: str) -> str:
        """A folded word; as it stands where its accent makes it another word."""
        if not self.accented or raw == folded:
            return folded
        small = raw.lower()
        return small if small in self.accented else folded

    def place(self, word: str) -> int:
        """Where a word is cut in two; 0 = nowhere."""
        if word in self.whole:
            return self.whole[word]
        if "'" not in word:
            return 0
        for head in self.before:
            if word.startswith(head) and len(word) > len(head):
                return len(head)
        for tail in self.behind:
            if tail == "'*":
                return word.index("'")
            if word.endswith(tail) and len(word) > len(tail):
                return len(word) - len(tail)
        return 0
