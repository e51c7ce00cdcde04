"""What the pattern modules share: letters folded in place, and the spans that are somebody else's words. Pure."""

# ruff: noqa: RUF001, RUF002 - Turkish is spelt in Turkish

from __future__ import annotations

import re

__all__ = ["MAX_INPUT", "fold_letters", "inside", "quoted_spans"]

MAX_INPUT = 5_000
"""Characters that the pattern modules read of a text; the observer refuses longer ones anyway (seed 001)."""

_FOLDED = str.maketrans("İIıÇçĞğÖöŞşÜüÂâÎîÛû\u2019\u2018\u02bc\uff07`", "iiiccggoossuuaaiiuu'''''")
# An apostrophe opens a quotation only after white space or a bracket: the others are contractions and case endings.
_QUOTED = re.compile(
    r"\"[^\"\n]+\"|\u201c[^\u201d\n]+\u201d|\u00ab[^\u00bb\n]+\u00bb|(?<![^\s(])'[^'\n]+'(?!\w)|`[^`\n]+`"
)


def fold_letters(text: str) -> str:
    """Lower-case, Turkish letters as ASCII (`YARIN`, `yarın` and `yarin` are one), apostrophes straight.

    Returns:
        A text of the same length, so that the place of a match is its place in the original.
    """
    return text.translate(_FOLDED).lower()


def quoted_spans(text: str) -> list[tuple[int, int]]:
    """Places `text[start:end]` of quotations and code, marks included."""
    return [match.span() for match in _QUOTED.finditer(text[:MAX_INPUT])]


def inside(position: int, spans: list[tuple[int, int]]) -> bool:
    """Whether a character stands in one of the spans."""
    return any(start <= position < end for start, end in spans)
