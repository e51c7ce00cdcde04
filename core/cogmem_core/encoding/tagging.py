"""Synaptic tagging and capture: what is weak is tagged, and what is strong makes it last."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from cogmem_core.changes import Touch
from cogmem_core.encoding.facts import by_id
from cogmem_core.process.services import Services
from cogmem_core.storage.ledger.transaction import Transaction
from cogmem_core.values.models import Memory, SynapticTag

WEAK_BELOW = 0.5
"""A memory less important than this is tagged."""
TAG_HOURS = 4.0
"""How long a tag lasts."""
STRONG_FROM = 0.7
"""A memory at least so important captures the tags of its session."""
CAPTURE_FACTOR = 1.3
"""Factor on the stability of what is captured, once."""


@dataclass(frozen=True, slots=True)
class Tagging:
    """What synaptic tagging and capture does to new memories (Frey & Morris 1997).

    Attributes:
        tags: new tags; those captured at once are marked.
        captured: ids of the memories whose tags were captured, each once.
    """

    tags: tuple[SynapticTag, ...]
    captured: tuple[str, ...]


def tag_and_capture(
    live: Iterable[SynapticTag], stored: Sequence[Memory], *, now: datetime
) -> Tagging:
    """Tag weak memories; strong ones capture the tags of their session. Pure.

    Args:
        live: tags of their sessions that have neither expired nor been captured.
        stored: new memories in the order in which they were stored; those without a session are
            left alone.
        now: when they are stored.
    """
    open_ids: dict[str, dict[str, None]] = {}
    for tag in live:
        open_ids.setdefault(tag.session_id, {})[tag.memory_id] = None
    sessions: dict[str, str] = {}
    captured: dict[str, None] = {}
    for memory in stored:
        if memory.session_id is None:
            continue
        waiting = open_ids.setdefault(memory.session_id, {})
        if memory.importance >= STRONG_FROM:
            captured |= waiting
            waiting.clear()
        elif memory.importance < WEAK_BELOW:
            sessions[memory.id] = memory.session_id
            waiting[memory.id] = None
    expiry = now + timedelta(hours=TAG_HOURS)
    tags: list[SynapticTag] = []
    for memory_id, session in sessions.items():
        is_captured = memory_id in captured
        tags.append(SynapticTag(memory_id, session, now, expiry, captured=is_captured))
    return Tagging(tuple(tags), tuple(captured))


def tag(
    services: Services, writer: Transaction, namespace: str, stored: Sequence[Memory]
) -> list[Touch]:
    """Write the tags of new memories; returns what captures them makes more stable."""
    now = services.runtime.now()
    sessions = {
        memory.session_id
        for memory in stored
        if memory.importance >= STRONG_FROM and memory.session_id
    }
    live = writer.at(namespace).synaptic_tags.live(sessions, now)
    tagging = tag_and_capture(live, stored, now=now)
    writer.at(namespace).synaptic_tags.capture(tagging.captured)
    writer.at(namespace).synaptic_tags.add(tagging.tags)
    rows = by_id(stored)
    captured_ids = set(tagging.captured)
    rows |= writer.at(namespace).memories.by_ids(list(captured_ids.difference(rows)))
    ceiling = services.config.strength.maximum_days
    touches: list[Touch] = []
    for memory_id in tagging.captured:
        if memory_id in rows:
            days = rows[memory_id].stability
            fields = {"stability": max(days, min(days * CAPTURE_FACTOR, ceiling))}
            touches.append(Touch(memory_id, fields, "captured"))
    return touches
