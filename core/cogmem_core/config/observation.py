"""Settings of `[observation]`: notes, their compression and reflection."""

from __future__ import annotations

from dataclasses import field
from typing import Annotated, get_args

from pydantic import Field, StrictFloat, StrictInt

from cogmem_core.config.sections import OneOf, Share, Table, section
from cogmem_core.models import Priority

__all__ = ["ObservationConfig"]

_TRAITS = (
    "honesty",
    "emotionality",
    "extraversion",
    "agreeableness",
    "conscientiousness",
    "openness",
)


@section("observation")
class ObservationConfig:
    """Notes, their compression and reflection."""

    max_notes: Annotated[StrictInt, Field(ge=1, le=10_000)] = 50
    """Notes that wait before they are compressed."""
    max_tokens: Annotated[StrictInt, Field(ge=10, le=1_000_000)] = 4_000
    """Tokens of the notes that wait before they are compressed, whichever of the two limits comes
    first."""
    note_characters: Annotated[StrictInt, Field(ge=1, le=100_000)] = 2_000
    """Of a turn; a longer one is a document, and its head tells what it is about."""
    importance: Table[
        Annotated[str, OneOf(get_args(Priority))], Annotated[StrictFloat, Field(gt=0.0, le=1.0)]
    ] = field(default_factory=lambda: {"critical": 0.9, "important": 0.7, "informational": 0.5})
    """Of a reflection, by its priority; 0.5 for those that are not named."""
    group_overlap: Share = 0.2
    """Share of common entities or words from which on notes are about the same thing."""
    personality: Table[
        Annotated[str, OneOf(_TRAITS)], Annotated[StrictFloat, Field(gt=0.0, le=1.0)]
    ] = field(default_factory=dict)
    """HEXACO traits; those above `trait_from` steer emphasis and the resolution of conflicts."""
    trait_from: Share = 0.6
    """A trait above it is high (0.6)."""
    confidence_gap: Share = 0.2
    """Without a deciding trait the more confident side wins if the difference is larger."""
