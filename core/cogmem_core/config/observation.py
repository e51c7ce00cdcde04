"""Settings of `[observation]`: notes, their compression and reflection."""

from __future__ import annotations

from dataclasses import field
from typing import Annotated

from pydantic import Field, StrictInt

from cogmem_core.config.sections import AboveZero, OneOf, Table, section

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
    personality: Table[Annotated[str, OneOf(_TRAITS)], AboveZero] = field(default_factory=dict)
    """HEXACO traits; those above 0.6 steer emphasis and the resolution of conflicts."""
