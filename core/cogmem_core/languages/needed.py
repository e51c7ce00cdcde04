"""What a text must hold for a regular expression to match in it: a cheap test before a slow search.

Found by reading the expression, so that no list of words beside it can grow stale.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from importlib import import_module
from itertools import chain
from operator import add
from typing import Any

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

    Args:
        text: the regular expression.
        flags: those of `re.compile`.

    Attributes:
        always: nothing is known that every match needs.
        digit: a digit is enough for it to be searched.
        pieces: pieces of text, each of which is enough, too.
    """

    def __init__(self, text: str, flags: int = 0) -> None:
        self._text = text
        self._flags = flags
        needed = needed_by(text, flags)
        self.always = not needed
        self.digit = DIGIT in needed
        self.pieces = tuple(sorted(needed - {DIGIT}))

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern; it is compiled when it is first asked for."""
        return re.compile(self._text, self._flags)

    def search(self, text: str, *within: int) -> re.Match[str] | None:
        """As that of `re.Pattern`."""
        return self.pattern.search(text, *within) if self.may_match(text) else None

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
        users: dict[str, list[int]] = {}
        for place, quick in enumerate(patterns):
            if quick.always:
                self._always.append(place)
            if quick.digit:
                self._with_digit.append(place)
            for piece in quick.pieces:
                users.setdefault(piece, []).append(place)
        # Most pieces need not be looked for: no two letters of the text are those that they begin with.
        self._by_beginning: dict[str, list[tuple[str, list[int]]]] = {}
        for piece, places in users.items():
            self._by_beginning.setdefault(piece[:2], []).append((piece, places))
        self._beginnings = frozenset(self._by_beginning)

    def places(self, text: str) -> list[int]:
        """Places of the patterns that may match, in their order; the others find nothing."""
        likely = set(self._always)
        for beginning in self._beginnings.intersection(chain(map(add, text, text[1:]), text)):
            for piece, users in self._by_beginning[beginning]:
                if piece in text:
                    likely.update(users)
        if self._with_digit and _DIGIT.search(text) is not None:
            likely.update(self._with_digit)
        return sorted(likely)


def needed_by(text: str, flags: int = 0) -> frozenset[str]:
    r"""Pieces of text of which one stands in every text in which a regular expression matches.

    Returns:
        Empty if that is not known; `DIGIT` stands for any digit.

    Example:
        >>> sorted(needed_by(r"\b(?:last|next) (?:week|month)\b"))
        ['last', 'next']
    """
    parsed = _parser.parse(text, flags)
    if parsed.state.flags & re.IGNORECASE:
        return frozenset()
    return _of_sequence(parsed)


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
