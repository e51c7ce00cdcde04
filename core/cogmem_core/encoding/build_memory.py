"""A fact becomes a memory: importance, emotion, flashbulb, initial strength. Pure."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from cogmem_core.config import Config
from cogmem_core.edge.strength import initial_stability
from cogmem_core.edge.trust import FLAGGED, is_untrusted_source, quarantine, without_rank
from cogmem_core.encoding.facts import ANSWERS, Fact, data_source_of
from cogmem_core.encoding.observe_turn import OF_THE_TURN, stated_end, stated_tags
from cogmem_core.encoding.sanitize import REDACTED
from cogmem_core.maths.importance import Channels, encoding_boost, importance
from cogmem_core.reading import of
from cogmem_core.text.keys import content_hash
from cogmem_core.text.time.days import seen_in, utc
from cogmem_core.text.time.zones import zone_or_utc
from cogmem_core.values.models import STATED_END, UNMEANT, Memory

WEAK_CONFIDENCE = 0.25
"""Source confidence of a weak turn."""
BASE_CONFIDENCE = 0.5
"""Source confidence of a solid turn without any pattern; what the observer is sure of fills the
rest up to 1."""
FLASHBULB_AROUSAL = 0.8
"""Arousal from which on a memory becomes a flashbulb, which is pinned."""
FLASHBULB_IMPORTANCE = 0.9
"""Least importance of a flashbulb."""
FLASHBULB_STABILITY = 1.5
"""Factor on the stability of a flashbulb."""
EVIDENCE = 0.25
"""For the boost, of a turn that no pattern matched; the observer's confidence is added."""


def importance_of(fact: Fact, channels: Channels) -> float:
    """Importance of a fact, 0..1: four channels, boosted by how plainly the observer saw its kind."""
    evidence = 0.0 if fact.turn.weak else min(1.0, EVIDENCE + fact.turn.confidence)
    return importance(channels, boost=encoding_boost(evidence))


def expiry_of(fact: Fact, now: datetime, config: Config) -> datetime | None:
    """When a fact stops being true; None = open. An ephemeral fact always gets an end.

    What the caller says of the turn comes before what its words say.
    """
    end = stated_end(fact.episode)
    if end is not None:
        return end
    if fact.valid_until is None and fact.ephemeral:
        return now + timedelta(hours=config.short_term.hours)
    return fact.valid_until


def _metadata(fact: Fact) -> dict[str, Any]:
    """What a memory takes over of its turn's metadata; those of a transcript stay with the turn."""
    metadata: dict[str, Any] = {}
    if fact.episode.position is None:
        told = fact.episode.metadata.items()
        metadata = {key: value for key, value in told if key not in OF_THE_TURN}
    elif REDACTED in fact.episode.metadata:
        metadata[REDACTED] = fact.episode.metadata[REDACTED]
    end = stated_end(fact.episode)
    if end is not None:
        metadata[STATED_END] = end.isoformat()
    if fact.turn.flags:
        metadata[FLAGGED] = list(fact.turn.flags)
    if fact.answers:
        metadata[ANSWERS] = fact.answers
    return metadata


def _without_reckoned_times(memory: Memory) -> Memory:
    """Of what has no date, "yesterday" is no day: only times whose year it names are known."""

    def named(moment: datetime | None) -> datetime | None:
        return moment if moment is not None and str(moment.year) in memory.content else None

    referenced_at = named(memory.referenced_at)
    valid_until = named(memory.valid_until)
    return replace(
        memory,
        referenced_at=referenced_at,
        valid_from=referenced_at,
        valid_until=valid_until,
        temporal_type="persistent" if valid_until is None else "time_bounded",
    )


def new_memory(fact: Fact, channels: Channels, *, now: datetime, config: Config) -> Memory:
    """The memory that a fact becomes.

    Strength starts now, whenever it was said; a flashbulb (Brown & Kulik 1977) is pinned and lasts
    longer.
    """
    turn = fact.turn
    episode = turn.episode
    value = importance_of(fact, channels)
    emotion = turn.emotion
    source = data_source_of(episode.role)
    trust = config.encoding.trusted(episode.role)
    flashbulb = emotion.arousal >= FLASHBULB_AROUSAL
    flashbulb = flashbulb and not is_untrusted_source(source, trust, config.guard)
    certainty = BASE_CONFIDENCE + (1.0 - BASE_CONFIDENCE) * turn.confidence
    certainty = WEAK_CONFIDENCE if turn.weak else certainty
    until = expiry_of(fact, now, config)
    if flashbulb:
        value = max(value, FLASHBULB_IMPORTANCE)
        until = stated_end(episode) or fact.valid_until
    days = initial_stability(
        fact.category, importance=value, intensity=emotion.intensity, config=config.strength
    )
    days = min(days * (FLASHBULB_STABILITY if flashbulb else 1.0), config.strength.maximum_days)
    begin = episode.at
    if fact.referenced_at is not None and not of(fact.content).puts_off:
        begin = utc(seen_in(fact.referenced_at, zone_or_utc(episode.zone)))
    memory = Memory(
        id=fact.new_id,
        namespace=episode.namespace,
        content=fact.content,
        content_hash=content_hash(fact.content),
        recorded_at=episode.at,
        created_at=now,
        updated_at=now,
        session_id=episode.session_id,
        speaker=episode.speaker,
        category=fact.category,
        entities=fact.entities,
        tags=tuple(dict.fromkeys((*stated_tags(episode), *[UNMEANT] * turn.unmeant))),
        stability=days,
        initial_stability=days,
        last_reinforced_at=now,
        importance=value,
        channels={name: round(getattr(channels, name), 4) for name in Channels.__slots__},
        valence=emotion.valence,
        arousal=emotion.arousal,
        intensity=emotion.intensity,
        emotion=emotion.label,
        flashbulb=flashbulb,
        pinned=flashbulb,
        source_confidence=certainty,
        trust=trust,
        write_source="observer" if fact.verbatim else "formation",
        data_source=source,
        referenced_at=fact.referenced_at,
        valid_from=fact.valid_from or min(episode.at, begin),
        valid_until=until,
        temporal_type="persistent" if until is None else "time_bounded",
        sources=(fact.source,),
        metadata=_metadata(fact),
    )
    if fact.source.at is None:
        memory = _without_reckoned_times(memory)
    memory = without_rank(memory, config.guard)
    return quarantine(memory, turn.quarantine) if turn.quarantine else memory
