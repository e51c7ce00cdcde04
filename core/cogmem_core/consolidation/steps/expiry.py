"""Step 1: what was true for a time only, and is over, leaves recall."""

from __future__ import annotations

from datetime import timedelta

from cogmem_core.changes import Retire
from cogmem_core.consolidation.context import StepContext
from cogmem_core.consolidation.cooperative import with_pauses
from cogmem_core.consolidation.snapshot import Proposal, Snapshot, StepResult
from cogmem_core.models import Memory

__all__ = ["ends_by_guess", "expiry"]


def expiry(snapshot: Snapshot, context: StepContext) -> StepResult:
    """Time-bounded memories past their `valid_until` become superseded by nothing.

    Pinned ones stay, and so does what was over already when it was said: that tells of the past. A
    plan without a date stays, too: that it is over after some days is a guess, which puts it behind
    what holds, and is no reason to lose it.
    """
    days = snapshot.config.encoding.foresight_days
    proposals = []
    for memory in with_pauses(context, snapshot.memories.values()):
        end = memory.valid_until
        over = end is not None and memory.recorded_at < end <= snapshot.now
        protected = memory.pinned or memory.immutable or memory.id in snapshot.short_term
        if over and not protected and not ends_by_guess(memory, days):
            retired = Retire(memory.id, "superseded", "its time is over")
            proposals.append(Proposal((retired,), {"expired": 1}))
    return StepResult(proposals)


def ends_by_guess(memory: Memory, days: int) -> bool:
    """Whether a plan has the end that plans without a date are given, so many days later."""
    undated = memory.category == "plan" and memory.referenced_at is None
    ends = memory.valid_until
    return undated and ends is not None and ends - memory.recorded_at == timedelta(days=days)
