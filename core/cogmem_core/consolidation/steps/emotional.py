"""Step 4: flashbulb memories settle: they last a little longer with every night (seed 001, emotional consolidation)."""

from __future__ import annotations

from cogmem_core.changes import Touch
from cogmem_core.consolidation.context import Tools
from cogmem_core.consolidation.cooperative import paced
from cogmem_core.consolidation.snapshot import Proposal, Scene, StepResult

__all__ = ["emotional"]

_MARK = "emotional"


def emotional(scene: Scene, tools: Tools) -> StepResult:
    """Stability of flashbulbs x factor, up to the ceiling and never down to it.

    Counts `settled`.
    """
    settings = scene.config.consolidation.emotional
    longest = scene.config.strength.maximum_days
    if not scene.due(_MARK, settings.hours):
        return StepResult(note=f"done within the last {settings.hours:g} hours")
    found = []
    for memory in paced(tools, scene.memories.values()):
        days = min(memory.stability * settings.factor, longest)
        if memory.flashbulb and days > memory.stability:
            settled = Touch(memory.id, {"stability": days}, "a flashbulb memory settles")
            found.append(Proposal((settled,), {"settled": 1}))
    return StepResult(found, marks=scene.stamp(_MARK))
