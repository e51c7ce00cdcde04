"""What the rules share: letters folded, numbers written one way, the spans of quotations. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from os.path import commonprefix

from cogmem_core.languages.quotations import MAX_INPUT, Span, inside, quoted_spans

__all__ = [
    "MAX_INPUT",
    "PLAIN_LETTERS",
    "Span",
    "fold_beginning",
    "fold_letters",
    "inside",
    "mark_span",
    "plain_number",
    "quoted_spans",
    "replaced",
    "shared_letters",
    "single_spaced",
    "text_before",
    "trimmed",
]

_APOSTROPHES = dict.fromkeys("\u2019\u2018\u02bc\uff07`", "'")


def _plain_letters() -> dict[int, str]:
    """Latin letters with accents, strokes and ligatures, and the ASCII letter nearest to each."""
    plain: dict[int, str] = {}
    for code in range(0xC0, 0x250):
        base = unicodedata.normalize("NFD", chr(code))[0]
        if base.isascii():
            plain[code] = base
    letters = "\u00f8\u00d8\u00e6\u00c6\u0153\u0152\u0111\u0110\u0142\u0141\u00f0\u00df\u0131"
    plain.update(zip(map(ord, letters), "oOaAoOdDlLdsi", strict=True))
    return plain


PLAIN_LETTERS = _plain_letters()
"""Code points of Latin letters that are not ASCII, and the ASCII letter nearest to each."""
_FOLDED = PLAIN_LETTERS | str.maketrans(_APOSTROPHES)


def fold_letters(text: str) -> str:
    """Lower-case, Latin letters as ASCII, apostrophes straight.

    `YARIN` and `yarin` are one, with or without dots.

    Returns:
        A text of the same length, so that the place of a match is its place in the original.
    """
    # Of ASCII the table holds I, which `lower` treats alike, and the backtick.
    if text.isascii():
        return text.replace("`", "'").lower()
    return text.translate(_FOLDED).lower()


def fold_beginning(text: str) -> str:
    """As `fold_letters`, of what is read of a long text."""
    return fold_letters(text[:MAX_INPUT])


def single_spaced(text: str) -> str:
    """A text with one blank wherever it has white space, and none at its ends."""
    return " ".join(text.split())


def shared_letters(one: str, other: str) -> int:
    """How many letters two words have in common at their beginning."""
    return len(commonprefix((one, other)))  # noqa: RUF071 - these are no paths


def text_before(text: str, place: int, reach: int) -> str:
    """What stands before a place, at most so many characters."""
    return text[max(0, place - reach) : place]


def trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    """The place of what stands between two places without the white space round it, if anything does."""
    piece = text[start:end]
    bare = piece.strip()
    if bare:
        begin = start + piece.index(bare)
        yield begin, begin + len(bare)


def mark_span(marks: bytearray, start: int, end: int) -> None:
    """Set the marks of the characters between two places."""
    marks[start:end] = b"\x01" * (end - start)


def replaced(text: str, changes: Iterable[tuple[int, int, str]]) -> str:
    """A text with other words between some places, which stand in its order: start, end, words."""
    pieces: list[str] = []
    position = 0
    for start, end, words in changes:
        pieces += [text[position:start], words]
        position = end
    return "".join([*pieces, text[position:]])


def plain_number(number: str) -> str:
    """A number without marks between its thousands, with a point for its decimals.

    `1,000` is 1000 and `39,5` is 39.5. Where both marks occur the later kind is the decimal mark:
    `1,000.5` is 1000.5, `1.000,50` is 1000.50. One point alone stays, as do those of `1.2.3` and
    the colon of `10:30`.
    """
    if "," in number and "." in number:
        thousands, decimal = sorted(",.", key=number.rfind)
        whole, _, decimals = number.rpartition(decimal)
        joined = _joined(whole, thousands)
        return f"{joined}.{decimals}" if joined.isdigit() else number.replace(",", ".")
    if number.count(".") > 1:
        return _joined(number, ".")
    return _joined(number, ",").replace(",", ".")


def _joined(number: str, mark: str) -> str:
    """The number without a mark that stands before three digits each time."""
    whole, *groups = number.split(mark)
    thousands = all(len(group) == 3 and group.isdigit() for group in groups)
    return "".join([whole, *groups]) if thousands else number
