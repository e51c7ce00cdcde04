"""What the pattern modules share: letters folded, numbers written one way, the spans of quotations. Pure."""

# ruff: noqa: RUF001, RUF002 - Turkish is spelt in Turkish

from __future__ import annotations

import re

__all__ = ["MAX_INPUT", "fold_letters", "inside", "plain_number", "quoted_spans"]

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
    # Of ASCII the table holds I, which `lower` treats alike, and the backtick.
    return text.replace("`", "'").lower() if text.isascii() else text.translate(_FOLDED).lower()


def quoted_spans(text: str) -> list[tuple[int, int]]:
    """Places `text[start:end]` of quotations and code, marks included."""
    return [match.span() for match in _QUOTED.finditer(text[:MAX_INPUT])]


def plain_number(number: str) -> str:
    """A number without marks between its thousands, with a point for its decimals.

    `1,000` is 1000 and `39,5` is 39.5. Where both marks occur the later kind is the decimal mark: `1,000.5` is 1000.5,
    `1.000,50` is 1000.50. One point alone stays, as do those of `1.2.3` and the colon of `10:30`.
    """
    if "," in number and "." in number:
        decimal = max(",.", key=number.rfind)
        whole, _, decimals = number.rpartition(decimal)
        joined = _joined(whole, "," if decimal == "." else ".")
        return f"{joined}.{decimals}" if joined.isdigit() else number.replace(",", ".")
    if number.count(".") > 1:
        return _joined(number, ".")
    return _joined(number, ",").replace(",", ".")


def _joined(number: str, mark: str) -> str:
    """Without the mark if it stands before three digits each time."""
    whole, *groups = number.split(mark)
    return "".join([whole, *groups]) if all(len(group) == 3 and group.isdigit() for group in groups) else number


def inside(position: int, spans: list[tuple[int, int]]) -> bool:
    """Whether a character stands in one of the spans."""
    return any(start <= position < end for start, end in spans)
