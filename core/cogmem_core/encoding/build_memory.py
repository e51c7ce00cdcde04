"""A fact becomes a memory: importance, emotion, flashbulb, initial strength. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from cogmem_core.config import Config, EncodingConfig
from cogmem_core.encoding.facts import ANSWERS, Fact, Heard, data_source_of
from cogmem_core.encoding.question_context import ANSWERING
from cogmem_core.encoding.sanitize import REDACTED
from cogmem_core.maths.importance import Channels, encoding_boost, importance
from cogmem_core.models import Episode, Memory
from cogmem_core.strength import initial_stability
from cogmem_core.text.keys import content_hash
from cogmem_core.text.time.days import seen_in, utc
from cogmem_core.text.time.zones import zone_or_utc
from cogmem_core.trust import FLAGGED, is_untrusted_source, quarantine, without_rank

__all__ = ["holds_until", "metadata_of", "new_memory", "worth"]


def metadata_of(turn: Episode) -> Mapping[str, Any]:
    """What a memory takes over of its turn's metadata; those of a transcript are the turn's own."""
    listed = turn.position is not None
    return {k: v for k, v in turn.metadata.items() if (k == REDACTED if listed else k != ANSWERING)}


def worth(fact: Fact, channels: Channels, config: Config) -> float:
    """Importance of a fact, 0..1: the four channels, boosted by how plainly the observer saw what it is."""
    heard = fact.heard
    evidence = 0.0 if heard.weak else min(1.0, config.importance.evidence + heard.confidence)
    return importance(channels, boost=encoding_boost(evidence, config.importance), config=config.importance)


def holds_until(fact: Fact, now: datetime, config: Config) -> datetime | None:
    """When a fact stops being true; None = open. What is of no use after a few hours is bounded in any case."""
    if fact.valid_until is None and fact.passing:
        return now + timedelta(hours=config.short_term.hours)
    return fact.valid_until


def _confidence(heard: Heard, config: EncodingConfig) -> float:
    """How sure its source is, 0..1 (seed 001, Uncertainty Tracking)."""
    if heard.weak:
        return config.weak_confidence
    return config.base_confidence + (1.0 - config.base_confidence) * heard.confidence


def _metadata(fact: Fact) -> Mapping[str, Any]:
    flagged, answers = list(fact.heard.flagged), fact.answers
    more = {name: value for name, value in ((FLAGGED, flagged), (ANSWERS, answers)) if value}
    return {**metadata_of(fact.episode), **more}


def new_memory(fact: Fact, channels: Channels, *, now: datetime, config: Config) -> Memory:
    """The memory that a fact becomes.

    Strength starts now, whenever it was said; a flashbulb (Brown & Kulik 1977) is pinned and lasts longer.
    """
    turn, heard, limits = fact.episode, fact.heard, config.importance
    value, feeling = worth(fact, channels, config), heard.emotion
    source, trust = data_source_of(turn.role), config.encoding.trusted(turn.role)
    flashbulb = feeling.arousal >= limits.flashbulb_arousal and not is_untrusted_source(source, trust, config.guard)
    if flashbulb:
        value = max(value, limits.flashbulb_importance)
    days = initial_stability(fact.category, importance=value, intensity=feeling.intensity, config=config.strength)
    days = min(days * (limits.flashbulb_stability if flashbulb else 1.0), config.strength.maximum_days)
    begun = turn.at if fact.referenced_at is None else utc(seen_in(fact.referenced_at, zone_or_utc(turn.zone)))
    until = fact.valid_until if flashbulb else holds_until(fact, now, config)
    memory = Memory(
        id=fact.new_id,
        namespace=turn.namespace,
        content=fact.content,
        content_hash=content_hash(fact.content),
        recorded_at=turn.at,
        created_at=now,
        updated_at=now,
        session_id=turn.session_id,
        speaker=turn.speaker,
        category=fact.category,
        entities=fact.entities,
        stability=days,
        initial_stability=days,
        last_reinforced_at=now,
        importance=value,
        channels={name: round(getattr(channels, name), 4) for name in Channels.__slots__},
        valence=feeling.valence,
        arousal=feeling.arousal,
        intensity=feeling.intensity,
        emotion=feeling.label,
        flashbulb=flashbulb,
        pinned=flashbulb,
        source_confidence=_confidence(heard, config.encoding),
        trust=trust,
        write_source="observer" if fact.verbatim else "formation",
        data_source=source,
        referenced_at=fact.referenced_at,
        valid_from=min(turn.at, begun),
        valid_until=until,
        temporal_type="persistent" if until is None else "time_bounded",
        sources=(fact.source,),
        metadata=_metadata(fact),
    )
    memory = without_rank(memory, config.guard)
    return quarantine(memory, heard.aside) if heard.aside else memory
