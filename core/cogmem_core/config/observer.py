"""Settings of `[observer]`: which turns are worth remembering."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictBool, StrictInt

from cogmem_core.config.sections import Share, in_order, section

__all__ = ["ObserverConfig"]


@section("observer")
class ObserverConfig:
    """Limits of the observer."""

    minimum_characters: Annotated[StrictInt, Field(ge=0, le=5_000)] = 10
    """A message must be longer; white space at its ends does not count."""
    maximum_characters: Annotated[StrictInt, Field(ge=1, le=5_001)] = 5_000
    """A message must be shorter; white space at its ends does not count."""
    markdown_lines: Annotated[StrictInt, Field(ge=1, le=10_000)] = 5
    """So many lines of bullets or bold are a document, not a message."""
    code_share: Share = 0.5
    """A larger share of the characters in fences is code (> 50 %)."""
    maximum_emoji: Annotated[StrictInt, Field(ge=0, le=10_000)] = 3
    """More are decoration (> 3)."""
    minimum_density: Annotated[StrictInt, Field(ge=0, le=1_000)] = 2
    """Messages below it are skipped unless a classification pattern matches."""
    correction_base: Share = 0.4
    """Confidence of one hit of a correction's pattern."""
    preference_base: Share = 0.3
    """Confidence of one hit of a preference's pattern."""
    decision_base: Share = 0.35
    """Confidence of one hit of a decision's pattern."""
    entity_base: Share = 0.3
    """Confidence of one hit of an entity's pattern."""
    fact_base: Share = 0.25
    """Confidence of one hit of a fact's pattern."""
    entity_rich: Annotated[StrictInt, Field(ge=1, le=100)] = 2
    """Named entities that make a message entity-rich; dates and numbers are no names."""
    step: Share = 0.1
    """Confidence that each further hit adds."""
    maximum_confidence: Share = 0.9
    """Where that ends."""
    maximum_entities: Annotated[StrictInt, Field(ge=1, le=100)] = 8
    """Entities per message."""
    maximum_words: Annotated[StrictInt, Field(ge=1, le=5_000)] = 1_500
    """What follows is not read; 5,000 characters of prose have 900 (the bound of 20 ms,
    measured)."""
    keep_weak: StrictBool = True
    """Keep a message that is only dull, short, long or oddly formatted as a weak memory, because
    every twelfth such turn answers a later question (measured on LoCoMo); False = skip it."""

    def __post_init__(self) -> None:
        in_order(self, "minimum_characters", "maximum_characters")
