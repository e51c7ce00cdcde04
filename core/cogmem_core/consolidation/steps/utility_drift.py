"""Step 3: the utility of what nobody asks for drifts back to where it began (seed 001, utility decay)."""

from __future__ import annotations

from datetime import datetime, timedelta

from cogmem_core.changes import Touch
from cogmem_core.consolidation.context import Tools
from cogmem_core.consolidation.cooperative import paced
from cogmem_core.consolidation.snapshot import Proposal, Scene, StepResult
from cogmem_core.models import Memory

__all__ = ["utility_drift"]

_MARK = "utility_drift"
_MIDDLE = 0.5


def utility_drift(scene: Scene, tools: Tools) -> StepResult:
    """Adds min(1, rate · days) · (0.5 - u) to what was not retrieved since the last drift; counts `drifted`.

    The days run from the last drift, or from when the memory was stored if that was later.
    """
    settings = scene.config.consolidation.drift
    if not scene.due(_MARK, settings.hours):
        return StepResult(note=f"done within the last {settings.hours:g} hours")
    last = scene.since(_MARK)
    found = []
    for memory in paced(tools, scene.memories.values()):
        change = _change(memory, last, scene)
        if change and abs(change) >= settings.least:
            drifted = Touch(
                memory.id, {"utility": memory.utility + change}, "nobody asked for it lately"
            )
            found.append(Proposal((drifted,), {"drifted": 1}))
    return StepResult(found, marks=scene.stamp(_MARK))


def _change(memory: Memory, last: datetime | None, scene: Scene) -> float:
    since = memory.created_at if last is None else max(last, memory.created_at)
    if memory.last_retrieved_at is not None and memory.last_retrieved_at >= since:
        return 0.0
    days = max(0.0, (scene.now - since) / timedelta(days=1))
    return min(1.0, scene.config.consolidation.drift.rate * days) * (_MIDDLE - memory.utility)
