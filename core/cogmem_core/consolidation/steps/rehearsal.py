"""Step 6: what is worth keeping and about to fade is rehearsed.

Retrieval itself makes a memory last longer (the testing effect: Roediger & Karpicke 2006).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from cogmem_core.changes import Touch
from cogmem_core.consolidation.dream import Dream, Proposal, StepResult
from cogmem_core.edge.strength import INTERVAL_GROWTH
from cogmem_core.values.models import Memory

FACTOR = 1.5
"""Factor on stability."""
LIMIT = 50
"""Memories per cycle, the most endangered first."""
HOURS = 24.0
"""Hours between two rehearsals of a namespace, and of a memory, at least."""

_CHECKPOINT = "rehearsal"


def rehearsal(dream: Dream) -> StepResult:
    """Stability of endangered memories x factor, the most endangered first; counts `rehearsed`.

    Being rehearsed is not being used: the forgetting curve goes on from the last use, only less
    steeply.
    """
    settings = dream.settings.rehearsal
    if not dream.due(_CHECKPOINT, HOURS):
        return StepResult(note=f"done within the last {HOURS:g} hours")
    below = dream.threshold("endangered", settings.below)
    # What is pinned or permanent keeps a retention of 1.
    endangered = []
    for memory in _worth(dream):
        retention = dream.retention(memory)
        if retention < below:
            endangered.append((retention, memory.id))
    proposals = [
        Proposal((_rehearsed(dream.memories[memory_id], dream),), {"rehearsed": 1})
        for _, memory_id in sorted(endangered)[:LIMIT]
    ]
    remaining = len(endangered) - len(proposals)
    note = f"{remaining} more are endangered" if remaining else ""
    return StepResult(proposals, note=note, checkpoints=dream.stamp(_CHECKPOINT))


def _worth(dream: Dream) -> Iterator[Memory]:
    """What is important or useful enough, can last longer than it does, and was not rehearsed just now."""
    settings = dream.settings.rehearsal
    for memory in dream.each_memory():
        valuable = memory.importance >= settings.importance or memory.utility >= settings.utility
        planned = memory.next_reinforcement_at  # perhaps in the bank that it was imported from
        rested = planned is None or planned <= dream.now or dream.since(_CHECKPOINT) is not None
        if valuable and rested and _stability(memory, dream) > memory.stability:
            yield memory


def _stability(memory: Memory, dream: Dream) -> float:
    return min(memory.stability * FACTOR, dream.config.strength.maximum_days)


def _rehearsed(memory: Memory, dream: Dream) -> Touch:
    interval = memory.reinforcement_interval
    longest = dream.config.strength.maximum_days
    days = max(HOURS / 24, min(interval, longest))
    fields = {
        "stability": _stability(memory, dream),
        "next_reinforcement_at": dream.now + timedelta(days=days),
        "reinforcement_interval": min(interval * INTERVAL_GROWTH, longest),
    }
    return Touch(memory.id, fields, "about to fade: rehearsed")
