"""Takes a text apart into clauses."""

from __future__ import annotations

from cogmem_core.reading.model import Clause, Reading


def read(text: str, language: str = "") -> Reading:
    """Take a text apart (a first form: each text is one fragment)."""
    body = text.strip()
    if not body:
        return Reading(language)
    start = text.index(body)
    span = (start, start + len(body))
    return Reading(language, (Clause(*span, kind="fragment", core=span),))
