"""Step 1: what was true for a time only, and is over, leaves recall (seed 001, foresight expiry)."""

from __future__ import annotations

from cogmem_core.changes import Retire
from cogmem_core.consolidation.context import Tools
from cogmem_core.consolidation.cooperative import paced
from cogmem_core.consolidation.snapshot import Proposal, Scene, StepResult

__all__ = ["expiry"]


def expiry(scene: Scene, tools: Tools) -> StepResult:
    """Time-bounded memories past their `valid_until` become superseded by nothing.

    Pinned ones stay.
    """
    over = [
        memory
        for memory in paced(tools, scene.memories.values())
        if memory.valid_until is not None
        and memory.valid_until <= scene.now
        and memory.id not in scene.short_term
        and not (memory.pinned or memory.immutable)
    ]
    return StepResult(
        [Proposal((Retire(m.id, "superseded", "its time is over"),), {"expired": 1}) for m in over]
    )
