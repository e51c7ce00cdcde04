"""Step 4: flashbulb memories settle: they last a little longer with every cycle."""

from __future__ import annotations

from cogmem_core.changes import Touch
from cogmem_core.consolidation.dream import Dream, Proposal, StepResult

FACTOR = 1.05
"""Factor on the stability of flashbulb memories."""
HOURS = 24.0
"""Hours between two of these changes, at least."""

_CHECKPOINT = "emotional"


def emotional(dream: Dream) -> StepResult:
    """Stability of flashbulbs x factor, up to the ceiling and never down to it.

    Counts `settled`.
    """
    longest = dream.config.strength.maximum_days
    if not dream.due(_CHECKPOINT, HOURS):
        return StepResult(note=f"done within the last {HOURS:g} hours")
    proposals = []
    for memory in dream.each_memory():
        days = min(memory.stability * FACTOR, longest)
        if memory.flashbulb and days > memory.stability:
            settled = Touch(memory.id, {"stability": days}, "a flashbulb memory settles")
            proposals.append(Proposal((settled,), {"settled": 1}))
    return StepResult(proposals, checkpoints=dream.stamp(_CHECKPOINT))
