"""Settings of `[observation]`: notes, their compression and reflection."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args

from cogmem_core.config.bounds import number, table
from cogmem_core.models import Priority

__all__ = ["ObservationConfig"]

_PRIORITIES: tuple[str, ...] = get_args(Priority)
_TRAITS = (
    "honesty",
    "emotionality",
    "extraversion",
    "agreeableness",
    "conscientiousness",
    "openness",
)


@dataclass(frozen=True, slots=True)
class ObservationConfig:
    """Notes, their compression and reflection.

    Attributes:
        max_notes, max_tokens: notes that wait before they are compressed, and their tokens;
            whichever comes first.
        note_characters: of a turn; a longer one is a document, and its head tells what it is about.
        importance: of a reflection, by its priority; 0.5 for those that are not named.
        group_overlap: share of common entities or words from which on notes are about the same
            thing.
        personality: HEXACO traits (honesty, emotionality, extraversion, agreeableness,
            conscientiousness, openness), each above 0 and at most 1; those above `trait_from` steer
            emphasis and the resolution of conflicts.
        trait_from: a trait above it is high (0.6).
        confidence_gap: without a deciding trait the more confident side wins if the difference is
            larger.
    """

    max_notes: int = number(50, 1, 10_000)
    max_tokens: int = number(4_000, 10, 1_000_000)
    note_characters: int = number(2_000, 1, 100_000)
    importance: Mapping[str, float] = table(
        {"critical": 0.9, "important": 0.7, "informational": 0.5}, *_PRIORITIES, maximum=1.0
    )
    group_overlap: float = number(0.2, 0.0, 1.0)
    personality: Mapping[str, float] = table({}, *_TRAITS, maximum=1.0)
    trait_from: float = number(0.6, 0.0, 1.0)
    confidence_gap: float = number(0.2, 0.0, 1.0)
