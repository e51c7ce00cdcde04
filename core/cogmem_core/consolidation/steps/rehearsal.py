"""Step 6: what is worth keeping and about to fade is rehearsed.

Retrieval itself makes a memory last longer (the testing effect: Roediger & Karpicke 2006).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from cogmem_core.changes import Touch
from cogmem_core.consolidation.context import StepContext
from cogmem_core.consolidation.cooperative import each_memory
from cogmem_core.consolidation.snapshot import Proposal, Snapshot, StepResult
from cogmem_core.edge.strength import INTERVAL_GROWTH
from cogmem_core.values.models import Memory

FACTOR = 1.5
"""Factor on stability."""
LIMIT = 50
"""Memories per cycle, the most endangered first."""
HOURS = 24.0
"""Hours between two rehearsals of a namespace, and of a memory, at least."""

_CHECKPOINT = "rehearsal"


def rehearsal(snapshot: Snapshot, context: StepContext) -> StepResult:
    """Stability of endangered memories x factor, the most endangered first; counts `rehearsed`.

    Being rehearsed is not being used: the forgetting curve goes on from the last use, only less
    steeply.
    """
    settings = snapshot.config.consolidation.rehearsal
    if not snapshot.due(_CHECKPOINT, HOURS):
        return StepResult(note=f"done within the last {HOURS:g} hours")
    below = snapshot.threshold("endangered", settings.below)
    # What is pinned or permanent keeps a retention of 1.
    endangered = []
    for memory in _worth(snapshot, context):
        retention = snapshot.retention(memory)
        if retention < below:
            endangered.append((retention, memory.id))
    proposals = []
    for _, memory_id in sorted(endangered)[:LIMIT]:
        touch = _rehearsed(snapshot.memories[memory_id], snapshot)
        proposals.append(Proposal((touch,), {"rehearsed": 1}))
    remaining = len(endangered) - len(proposals)
    note = f"{remaining} more are endangered" if remaining else ""
    return StepResult(proposals, note=note, checkpoints=snapshot.stamp(_CHECKPOINT))


def _worth(snapshot: Snapshot, context: StepContext) -> Iterator[Memory]:
    """What is important or useful enough, can last longer than it does, and was not rehearsed just now."""
    settings = snapshot.config.consolidation.rehearsal
    for memory in each_memory(snapshot, context):
        valuable = memory.importance >= settings.importance or memory.utility >= settings.utility
        if (
            valuable
            and _stability(memory, snapshot) > memory.stability
            and _rested(memory, snapshot)
        ):
            yield memory


def _rested(memory: Memory, snapshot: Snapshot) -> bool:
    """Not rehearsed lately, here or in the bank that it was imported from."""
    planned = memory.next_reinforcement_at
    return planned is None or planned <= snapshot.now or snapshot.since(_CHECKPOINT) is not None


def _stability(memory: Memory, snapshot: Snapshot) -> float:
    factor = FACTOR
    return min(memory.stability * factor, snapshot.config.strength.maximum_days)


def _rehearsed(memory: Memory, snapshot: Snapshot) -> Touch:
    interval = memory.reinforcement_interval
    longest = snapshot.config.strength.maximum_days
    pause = max(
        timedelta(hours=HOURS),
        timedelta(days=min(interval, longest)),
    )
    fields = {
        "stability": _stability(memory, snapshot),
        "next_reinforcement_at": snapshot.now + pause,
        "reinforcement_interval": min(interval * INTERVAL_GROWTH, longest),
    }
    return Touch(memory.id, fields, "about to fade: rehearsed")
