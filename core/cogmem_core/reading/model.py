"""What a text says, taken apart: the values are those of `values.readings`, which memories hold."""

from cogmem_core.values.readings import (
    KINDS,
    TELLING,
    VERSION,
    Clause,
    Holder,
    Kind,
    Mood,
    Reading,
    Span,
    Tense,
    from_json,
    shown,
    to_json,
)

__all__ = [
    "KINDS",
    "TELLING",
    "VERSION",
    "Clause",
    "Holder",
    "Kind",
    "Mood",
    "Reading",
    "Span",
    "Tense",
    "from_json",
    "shown",
    "to_json",
]
