"""The places of quotations in a text, and how much of a text the rules read. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

Span = tuple[int, int]
"""Where something begins in a text, and where it ends."""
MAX_INPUT = 5_000
"""Characters of a text that the rules read; the observer refuses longer texts anyway."""

# An apostrophe opens a quotation only after white space or a bracket: the others are contractions
# and case endings.
_QUOTED = re.compile(
    r"\"[^\"\n]+\"|\u201c[^\u201d\n]+\u201d|\u00ab[^\u00bb\n]+\u00bb|(?<![^\s(])'[^'\n]+'(?!\w)"
    r"|`[^`\n]+`"
)


def quoted_spans(text: str) -> list[Span]:
    """Places `text[start:end]` of quotations and code, marks included."""
    return [match.span() for match in _QUOTED.finditer(text[:MAX_INPUT])]


def inside(position: int, spans: Sequence[Span]) -> bool:
    """Whether a character stands in one of the spans."""
    return any(start <= position < end for start, end in spans)
