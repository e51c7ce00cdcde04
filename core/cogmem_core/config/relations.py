"""Settings of `[relations]`: links between memories."""

from __future__ import annotations

from dataclasses import dataclass

from cogmem_core.config.bounds import number

__all__ = ["RelationsConfig"]


@dataclass(frozen=True, slots=True)
class RelationsConfig:
    """Links that are found without a language model, and how many a namespace keeps.

    Attributes:
        shared_entities: so many make two memories `same_entity`.
        elaborates_overlap: a larger share of common words, and a common entity, is `elaborates`.
        related_overlap: a larger share of common words in one category is `related_to`.
        same_entity, elaborates, related: confidence of each kind; by_model: of what a
            model finds.
        per_memory: links that a new memory starts with, at most.
        maximum, trimmed_to: above one the weakest that may go are removed down to the other.
        faded: co-activations whose weight has decayed below it are removed by the dream cycle.
    """

    shared_entities: int = number(2, 1, 100)
    elaborates_overlap: float = number(0.30, 0.0, 1.0)
    related_overlap: float = number(0.15, 0.0, 1.0)
    same_entity: float = number(0.7, 0.0, 1.0)
    elaborates: float = number(0.5, 0.0, 1.0)
    related: float = number(0.4, 0.0, 1.0)
    by_model: float = number(0.8, 0.0, 1.0)
    per_memory: int = number(3, 0, 100)
    maximum: int = number(1_000, 1, 10_000_000)
    trimmed_to: int = number(900, 0, 10_000_000)
    faded: float = number(0.01, 0.0, 1.0)
