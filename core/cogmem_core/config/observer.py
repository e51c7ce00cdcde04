"""Settings of `[observer]`: which turns are worth remembering."""

from __future__ import annotations

from dataclasses import dataclass

from cogmem_core.config.bounds import number

__all__ = ["ObserverConfig"]


@dataclass(frozen=True, slots=True)
class ObserverConfig:
    """Limits of the observer.

    Attributes:
        minimum_characters, maximum_characters: a message must be longer than one and shorter than
            the other, white space at its ends not counted (10 < length < 5000).
        markdown_lines: so many lines of bullets or bold are a document, not a message.
        code_share: a larger share of the characters in fences is code (> 50 %).
        maximum_emoji: more are decoration (> 3).
        minimum_density: messages below it are skipped unless a classification pattern matches.
        correction_base, preference_base, decision_base, entity_base, fact_base: confidence of one
            hit.
        entity_rich: named entities that make a message entity-rich; dates and numbers are no names.
        step: confidence that each further hit adds.
        maximum_confidence: where that ends.
        maximum_entities: entities per message.
        maximum_words: what follows is not read; 5,000 characters of prose have 900 (the bound of 20
            ms, measured).
        keep_weak: keep a message that is only dull, short, long or oddly formatted as a weak
            memory, because every twelfth such turn answers a later question (measured on LoCoMo);
            False = skip it.
    """

    minimum_characters: int = number(10, 0, 5_000)
    maximum_characters: int = number(5_000, 1, 5_001)
    markdown_lines: int = number(5, 1, 10_000)
    code_share: float = number(0.5, 0.0, 1.0)
    maximum_emoji: int = number(3, 0, 10_000)
    minimum_density: int = number(2, 0, 1_000)
    correction_base: float = number(0.4, 0.0, 1.0)
    preference_base: float = number(0.3, 0.0, 1.0)
    decision_base: float = number(0.35, 0.0, 1.0)
    entity_base: float = number(0.3, 0.0, 1.0)
    fact_base: float = number(0.25, 0.0, 1.0)
    entity_rich: int = number(2, 1, 100)
    step: float = number(0.1, 0.0, 1.0)
    maximum_confidence: float = number(0.9, 0.0, 1.0)
    maximum_entities: int = number(8, 1, 100)
    maximum_words: int = number(1_500, 1, 5_000)
    keep_weak: bool = True
