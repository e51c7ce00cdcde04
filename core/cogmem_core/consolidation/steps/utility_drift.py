"""Step 3: the utility of what nobody asks for drifts back to where it began."""

from __future__ import annotations

from datetime import datetime, timedelta

from cogmem_core.changes import Touch
from cogmem_core.consolidation.dream import Dream, Proposal, StepResult
from cogmem_core.values.models import Memory

DRIFT_RATE = 0.01
"""Part of the way to 0.5 that utility drifts per day."""
DRIFT_HOURS = 24.0
"""Hours between two drifts, at least."""
LEAST_DRIFT = 0.0001
"""Smaller changes are not made."""

_CHECKPOINT = "utility_drift"
_MIDDLE = 0.5


def utility_drift(dream: Dream) -> StepResult:
    """Adds min(1, rate · days) · (0.5 - u) to what was not retrieved since the last drift; counts `drifted`.

    The days run from the last drift, or from when the memory was stored if that was later.
    """
    if not dream.due(_CHECKPOINT, DRIFT_HOURS):
        return StepResult(note=f"done within the last {DRIFT_HOURS:g} hours")
    last = dream.since(_CHECKPOINT)
    proposals = []
    for memory in dream.each_memory():
        change = _change(memory, last, dream)
        if change and abs(change) >= LEAST_DRIFT:
            drifted = Touch(
                memory.id, {"utility": memory.utility + change}, "nobody asked for it lately"
            )
            proposals.append(Proposal((drifted,), {"drifted": 1}))
    return StepResult(proposals, checkpoints=dream.stamp(_CHECKPOINT))


def _change(memory: Memory, last: datetime | None, dream: Dream) -> float:
    since = memory.created_at if last is None else max(last, memory.created_at)
    if memory.last_retrieved_at is not None and memory.last_retrieved_at >= since:
        return 0.0
    days = max(0.0, (dream.now - since) / timedelta(days=1))
    return min(1.0, DRIFT_RATE * days) * (_MIDDLE - memory.utility)
