"""What a text must hold for a regular expression to match in it: a cheap test before a slow search.

Found by reading the expression, so that no list of words beside it can grow stale.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib import import_module
from typing import Any

__all__ = ["DIGIT", "QuickPattern", "QuickPatterns", "needed_by"]

# Python 3.10 has the parser of regular expressions under another name.
_parser: Any = getattr(re, "_parser", None) or import_module("sre_parse")
DIGIT = r"\d"
"""Stands for any digit among what is needed."""
_DIGIT = re.compile(DIGIT)
_DIGIT_WEIGHT = 4  # letters of a word that is as rare as a digit
_DIGITS = [("CATEGORY", "CATEGORY_DIGIT")]
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")


class QuickPattern:
    """A pattern with a cheap test before it.

    Attributes:
        pattern: the pattern.
        always: nothing is known that every match needs.
        digit: a digit is enough for it to be searched.
        pieces: pieces of text, each of which is enough, too.
    """

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.pattern = pattern
        needed = needed_by(pattern)
        self.always = not needed
        self.digit = DIGIT in needed
        self.pieces = tuple(sorted(needed - {DIGIT}))

    def may_match(self, text: str) -> bool:
        """False if the pattern finds nothing in a text."""
        if self.always:
            return True
        for piece in self.pieces:
            if piece in text:
                return True
        return self.digit and _DIGIT.search(text) is not None


class QuickPatterns:
    """Which of many patterns may match in a text: it is looked at once for all of them.

    Args:
        patterns: the patterns.
    """

    def __init__(self, patterns: Iterable[QuickPattern]) -> None:
        self._always: list[int] = []
        self._with_digit: list[int] = []
        self._with_piece: dict[str, list[int]] = {}
        for place, quick in enumerate(patterns):
            if quick.always:
                self._always.append(place)
            if quick.digit:
                self._with_digit.append(place)
            for piece in quick.pieces:
                self._with_piece.setdefault(piece, []).append(place)

    def places(self, text: str) -> list[int]:
        """Places of the patterns that may match, in their order; the others find nothing."""
        likely = set(self._always)
        for piece in [piece for piece in self._with_piece if piece in text]:
            likely.update(self._with_piece[piece])
        if self._with_digit and _DIGIT.search(text) is not None:
            likely.update(self._with_digit)
        return sorted(likely)


def needed_by(pattern: re.Pattern[str]) -> frozenset[str]:
    r"""Pieces of text of which one stands in every text in which a pattern matches.

    Returns:
        Empty if that is not known; `DIGIT` stands for any digit.

    Example:
        >>> sorted(needed_by(re.compile(r"\b(?:last|next) (?:week|month)\b")))
        ['last', 'next']
    """
    if pattern.flags & re.IGNORECASE:
        return frozenset()
    return _of_sequence(_parser.parse(pattern.pattern, pattern.flags & re.VERBOSE))


def _of_sequence(items: Iterable[tuple[Any, Any]]) -> frozenset[str]:
    """The rarest that is known of what stands one behind the other."""
    found: list[frozenset[str]] = []
    run = ""
    for name, argument in items:
        if str(name) == "LITERAL":
            run += chr(argument)
            continue
        found.append(frozenset({run} - {""}))
        found.append(_of_item(str(name), argument))
        run = ""
    found.append(frozenset({run} - {""}))
    return max(filter(None, found), key=_rarity, default=frozenset())


def _of_item(name: str, argument: Any) -> frozenset[str]:
    if name == "BRANCH":
        ways = [_of_sequence(way) for way in argument[1]]
        return frozenset().union(*ways) if all(ways) else frozenset()
    if name == "IN" and [(str(kind), str(value)) for kind, value in argument] == _DIGITS:
        return frozenset({DIGIT})
    inner: Iterable[tuple[Any, Any]] = ()
    if name in _REPEATS and argument[0]:
        inner = argument[2]
    elif name == "SUBPATTERN" and not argument[1]:
        inner = argument[3]
    elif name == "ASSERT":
        inner = argument[1]
    return _of_sequence(inner)


def _rarity(pieces: frozenset[str]) -> tuple[int, int]:
    shortest = min(_DIGIT_WEIGHT if piece == DIGIT else len(piece) for piece in pieces)
    return shortest, -len(pieces)
