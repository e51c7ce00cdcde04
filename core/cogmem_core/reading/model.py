"""What a text says, taken apart: the values are those of `values.readings`, which memories hold."""

from cogmem_core.values.readings import (
    STANDINGS,
    TELLING,
    VERSION,
    Clause,
    ClauseStanding,
    ClauseState,
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
    "STANDINGS",
    "TELLING",
    "VERSION",
    "Clause",
    "ClauseStanding",
    "ClauseState",
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
