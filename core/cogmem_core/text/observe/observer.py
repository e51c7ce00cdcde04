"""The observer: is a message worth keeping, and what is it about? No LLM.

Order: role, the seven filters, the trivial gate, then entities, classification and information
density. What is skipped says why; the words themselves stay in their episode either way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cogmem_core.languages.reading import in_its_language
from cogmem_core.text.observe.classify import classify, read_signals
from cogmem_core.text.observe.emotion import NEUTRAL, Emotion, emotion
from cogmem_core.text.observe.entities import Entity, entities
from cogmem_core.text.observe.filters import FilterReason, refusal
from cogmem_core.text.observe.small_talk import is_trivial
from cogmem_core.values.models import Category, Role

MINIMUM_DENSITY = 2
"""Messages below it are skipped unless a classification pattern matches."""
MAXIMUM_ENTITIES = 8
"""Entities per message."""

SkipReason = (
    FilterReason
    | Literal[
        "role",
        "trivial_greeting",
        "trivial_confirmation",
        "trivial_command",
        "trivial_acknowledgement",
        "low_density",
        "request",
        "asked_not_to",
        "forget_request",
        "question",
        "small_talk",
    ]
)
TRIVIAL: dict[str, SkipReason] = {
    "greeting": "trivial_greeting",
    "confirmation": "trivial_confirmation",
    "command": "trivial_command",
    "acknowledgement": "trivial_acknowledgement",
}


@dataclass(frozen=True, slots=True)
class Observation:
    """What the observer makes of one message.

    Attributes:
        skipped: why the message is not worth a memory; None if it is. Filters and the trivial gate
            look no further: the other fields then keep their defaults. After `low_density` they are
            filled.
        category: correction, preference, decision, entity, fact, or `other` if no pattern matches.
        confidence: score of the category, 0.25..0.9; 0.0 for `other`.
        entities: in order of appearance, at most `MAXIMUM_ENTITIES`.
        emotion: how it was said.
    """

    skipped: SkipReason | None
    category: Category = "other"
    confidence: float = 0.0
    entities: tuple[Entity, ...] = ()
    emotion: Emotion = NEUTRAL


@in_its_language
def observe(text: str, role: Role = "user", *, form: bool = True) -> Observation:
    """Judge one message of a user or an assistant.

    Args:
        text: the message as it was said.
        role: who said it; `system` and `tool` turns are skipped.
        form: short, long, dull and oddly formatted messages are skipped, too.

    Returns:
        The observation; the same for the same text, role and `form`.
    """
    if role not in ("user", "assistant"):
        return Observation(skipped="role")
    bare = text.strip()
    refusal_reason = refusal(bare, form=form)
    if refusal_reason:
        return Observation(skipped=refusal_reason)
    trivial = is_trivial(bare)
    if trivial:
        return Observation(skipped=TRIVIAL.get(trivial, "length"))
    return _weigh(bare, form=form)


def _weigh(text: str, *, form: bool) -> Observation:
    listed = entities(text, limit=MAXIMUM_ENTITIES)
    signals = read_signals(text)
    undated = [entity for entity in listed if entity.kind != "date"]
    category, confidence = classify(signals, sum(entity.kind != "number" for entity in undated))
    skipped: SkipReason | None = None
    if form and signals.density(len(undated)) < MINIMUM_DENSITY and category == "other":
        skipped = "low_density"
    return Observation(skipped, category, confidence, listed, emotion(text))
