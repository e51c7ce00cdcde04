"""Step 1: what was true for a time only, and is over, leaves recall."""

from __future__ import annotations

from cogmem_core.changes import Retire
from cogmem_core.consolidation.context import StepContext
from cogmem_core.consolidation.cooperative import with_pauses
from cogmem_core.consolidation.snapshot import Proposal, Snapshot, StepResult

__all__ = ["expiry"]


def expiry(snapshot: Snapshot, context: StepContext) -> StepResult:
    """Time-bounded memories past their `valid_until` become superseded by nothing.

    Pinned ones stay, and so does what was over already when it was said: that tells of the past.
    """
    proposals = []
    for memory in with_pauses(context, snapshot.memories.values()):
        end = memory.valid_until
        over = end is not None and memory.recorded_at < end <= snapshot.now
        protected = memory.pinned or memory.immutable or memory.id in snapshot.short_term
        if over and not protected:
            retired = Retire(memory.id, "superseded", "its time is over")
            proposals.append(Proposal((retired,), {"expired": 1}))
    return StepResult(proposals)
