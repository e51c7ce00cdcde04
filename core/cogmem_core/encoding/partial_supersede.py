"""What is left of a memory when a part of it no longer holds. Pure.

"I live in Berlin and I work at Acme" does not go because somebody moved: it loses its first half.
"""

from __future__ import annotations

from cogmem_core.text.compare import contradicts
from cogmem_core.text.observe.small_talk import is_trivial
from cogmem_core.text.sentences import Piece, split_facts

__all__ = ["says_something", "without"]

_MIN_WORDS = 3
_ENDS = ".!?…"


def says_something(piece: Piece) -> bool:
    """Whether a piece of a message is more than an interjection."""
    return len(piece.text.split()) >= _MIN_WORDS and not is_trivial(piece.text)


def without(text: str, newer: str, *, same_speaker: bool) -> str:
    """The text without those of its statements that a newer one contradicts.

    Returns:
        Empty if nothing else is said, or if no single statement of it is contradicted: then it goes as a whole.
    """
    pieces = split_facts(text)
    if sum(map(says_something, pieces)) < 2:
        return ""
    kept = [piece for piece in pieces if contradicts(newer, piece.text, same_speaker=same_speaker) is None]
    if len(kept) == len(pieces) or not any(map(says_something, kept)):
        return ""
    return " ".join(piece.text if piece.text[-1] in _ENDS else f"{piece.text}." for piece in kept)
