"""Synaptic tagging and capture: what is weak is tagged, and what is strong makes it last."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from cogmem_core.changes import Touch
from cogmem_core.encoding.facts import by_id
from cogmem_core.storage.ledger.transaction import Namespace
from cogmem_core.values.models import Memory, SynapticTag

WEAK_BELOW = 0.5
"""A memory less important than this is tagged."""
TAG_HOURS = 4.0
"""How long a tag lasts."""
STRONG_FROM = 0.7
"""A memory at least so important captures the tags of its session."""
CAPTURE_FACTOR = 1.3
"""Factor on the stability of what is captured, once."""


def tag(ns: Namespace, stored: Sequence[Memory], *, now: datetime, longest: float) -> list[Touch]:
    """Tag weak memories; strong ones capture the tags of their session (Frey & Morris 1997).

    Args:
        ns: the tables of the namespace.
        stored: new memories in the order in which they were stored; those without a session are
            left alone.
        now: when they are stored.
        longest: days that stability never exceeds by this.

    Returns:
        What capturing makes more stable.
    """
    strong = [memory for memory in stored if memory.importance >= STRONG_FROM]
    open_ids: dict[str, dict[str, None]] = {}
    for live in ns.synaptic_tags.live({one.session_id for one in strong if one.session_id}, now):
        open_ids.setdefault(live.session_id, {})[live.memory_id] = None
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
    ns.synaptic_tags.capture(list(captured))
    ns.synaptic_tags.add(
        [
            SynapticTag(name, session, now, expiry, captured=name in captured)
            for name, session in sessions.items()
        ]
    )
    rows = by_id(stored)
    rows |= ns.memories.by_ids([name for name in captured if name not in rows])
    touches: list[Touch] = []
    for name in captured:
        if name in rows:
            days = rows[name].stability
            fields = {"stability": max(days, min(days * CAPTURE_FACTOR, longest))}
            touches.append(Touch(name, fields, "captured"))
    return touches
