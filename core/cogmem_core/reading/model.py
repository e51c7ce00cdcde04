"""What a text says, taken apart: the values are those of `values.readings`, which memories hold."""

from cogmem_core.values.readings import (
    GUARDS,
    KEPT,
    TELLING,
    Clause,
    Guard,
    Holder,
    Kind,
    Mood,
    Reading,
    Span,
    Tense,
)

__all__ = [
    "GUARDS",
    "KEPT",
    "TELLING",
    "Clause",
    "Guard",
    "Holder",
    "Kind",
    "Mood",
    "Reading",
    "Span",
    "Tense",
]
