"""Step 1: what was true for a time only, and is over, leaves recall (seed 001, foresight expiry)."""

from __future__ import annotations

from cogmem_core.changes import Retire
from cogmem_core.consolidation.context import StepContext
from cogmem_core.consolidation.cooperative import with_pauses
from cogmem_core.consolidation.snapshot import Proposal, Snapshot, StepResult

__all__ = ["expiry"]


def expiry(snapshot: Snapshot, context: StepContext) -> StepResult:
    """Time-bounded memories past their `valid_until` become superseded by nothing.

    Pinned ones stay.
    """
    over = [
        memory
        for memory in with_pauses(context, snapshot.memories.values())
        if memory.valid_until is not None
        and memory.valid_until <= snapshot.now
        and memory.id not in snapshot.short_term
        and not (memory.pinned or memory.immutable)
    ]
    return StepResult(
        [Proposal((Retire(m.id, "superseded", "its time is over"),), {"expired": 1}) for m in over]
    )
