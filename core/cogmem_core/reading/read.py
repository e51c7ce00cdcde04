"""Takes a text apart into clauses."""

from __future__ import annotations

from cogmem_core.reading.model import Clause, Reading
from cogmem_core.text.folding import MAX_INPUT
from cogmem_core.text.sentences import split_facts


def read(text: str, language: str = "") -> Reading:
    """Take a text apart (a first form: statements and questions, without frames)."""
    return Reading(
        language,
        tuple(
            Clause(
                piece.start,
                piece.end,
                kind="question" if piece.text.endswith("?") else "statement",
                core=(piece.start, piece.end),
            )
            for piece in split_facts(text[:MAX_INPUT])
        ),
    )
