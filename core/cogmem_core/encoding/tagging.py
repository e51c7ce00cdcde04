"""Synaptic tagging and capture: a strong event stabilises the weak ones of its session (seed 001). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from cogmem_core.config import TaggingConfig
from cogmem_core.models import Memory, SynapticTag

__all__ = ["Tagging", "tag_and_capture"]


@dataclass(frozen=True, slots=True)
class Tagging:
    """New tags (those captured at once are marked), and the memories whose tags were captured, each once."""

    tags: tuple[SynapticTag, ...]
    captured: tuple[str, ...]


def tag_and_capture(
    live: Iterable[SynapticTag], stored: Sequence[Memory], *, now: datetime, config: TaggingConfig
) -> Tagging:
    """Walk through new memories in the order in which they were stored.

    Args:
        live: tags of their sessions that have neither expired nor been captured.
        stored: new memories; those without a session are left alone.
        now: when they are stored.
        config: thresholds and the life of a tag.
    """
    open_tags: dict[str, dict[str, SynapticTag]] = {}
    for tag in live:
        open_tags.setdefault(tag.session_id, {})[tag.memory_id] = tag
    made, captured = dict[str, SynapticTag](), list[str]()
    for memory in stored:
        if memory.session_id is None:
            continue
        waiting = open_tags.setdefault(memory.session_id, {})
        if memory.importance >= config.strong_from:
            captured += waiting
            waiting.clear()
        elif memory.importance < config.weak_below:
            tag = SynapticTag(memory.id, memory.session_id, now, now + timedelta(hours=config.hours))
            waiting[memory.id] = made[memory.id] = tag
    done = set(captured)
    return Tagging(
        tuple(
            SynapticTag(tag.memory_id, tag.session_id, tag.tagged_at, tag.expires_at, captured=tag.memory_id in done)
            for tag in made.values()
        ),
        tuple(captured),
    )
