"""Settings of `[relations]`: links between memories."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictInt

from cogmem_core.config.sections import Share, in_order, section

__all__ = ["RelationsConfig"]


@section("relations")
class RelationsConfig:
    """Links that are found without a language model, and how many a namespace keeps."""

    shared_entities: Annotated[StrictInt, Field(ge=1, le=100)] = 2
    """So many make two memories `same_entity`."""
    elaborates_overlap: Share = 0.30
    """A larger share of common words, and a common entity, is `elaborates`."""
    related_overlap: Share = 0.15
    """A larger share of common words in one category is `related_to`."""
    same_entity: Share = 0.7
    """Confidence of `same_entity`."""
    elaborates: Share = 0.5
    """Confidence of `elaborates`."""
    related: Share = 0.4
    """Confidence of `related_to`."""
    by_model: Share = 0.8
    """Confidence of what a model finds."""
    per_memory: Annotated[StrictInt, Field(ge=0, le=100)] = 3
    """Links that a new memory starts with, at most."""
    maximum: Annotated[StrictInt, Field(ge=1, le=10_000_000)] = 1_000
    """Links of a namespace above which the weakest that may go are removed."""
    trimmed_to: Annotated[StrictInt, Field(ge=0, le=10_000_000)] = 900
    """Links that remain when the weakest are removed."""
    faded: Share = 0.01
    """Co-activations whose weight has decayed below it are removed by the dream cycle."""

    def __post_init__(self) -> None:
        in_order(self, "trimmed_to", "maximum")
