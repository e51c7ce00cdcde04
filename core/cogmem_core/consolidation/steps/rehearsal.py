"""Step 6: what is worth keeping and about to fade is rehearsed (seed 001, testing effect)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from cogmem_core.changes import Touch
from cogmem_core.consolidation.context import Tools
from cogmem_core.consolidation.cooperative import paced
from cogmem_core.consolidation.snapshot import Proposal, Scene, StepResult
from cogmem_core.models import Memory

__all__ = ["rehearsal"]

_MARK = "rehearsal"


def rehearsal(scene: Scene, tools: Tools) -> StepResult:
    """Stability of endangered memories x factor, the most endangered first; counts `rehearsed`.

    Being rehearsed is not being used: the forgetting curve goes on from the last use, only less
        steeply.
    """
    settings = scene.config.consolidation.rehearsal
    if not scene.due(_MARK, settings.hours):
        return StepResult(note=f"done within the last {settings.hours:g} hours")
    below = scene.threshold("endangered", settings.below)
    # What is pinned or permanent keeps a retention of 1.
    left = ((scene.retention(memory), memory.id) for memory in _worth(scene, tools))
    found = sorted(one for one in left if one[0] < below)
    chosen = [scene.memories[memory_id] for _, memory_id in found[: settings.limit]]
    note = f"{len(found) - len(chosen)} more are endangered" if len(found) > len(chosen) else ""
    proposals = [Proposal((_rehearsed(memory, scene),), {"rehearsed": 1}) for memory in chosen]
    return StepResult(proposals, note=note, marks=scene.stamp(_MARK))


def _worth(scene: Scene, tools: Tools) -> Iterator[Memory]:
    """What is important or useful enough, can last longer than it does, and was not rehearsed just now."""
    settings = scene.config.consolidation.rehearsal
    for memory in paced(tools, scene.memories.values()):
        wanted = memory.importance >= settings.importance or memory.utility >= settings.utility
        if wanted and _stability(memory, scene) > memory.stability and _rested(memory, scene):
            yield memory


def _rested(memory: Memory, scene: Scene) -> bool:
    """Not rehearsed lately, here or in the bank that it was imported from."""
    planned = memory.next_reinforcement_at
    return planned is None or planned <= scene.now or scene.since(_MARK) is not None


def _stability(memory: Memory, scene: Scene) -> float:
    factor = scene.config.consolidation.rehearsal.factor
    return min(memory.stability * factor, scene.config.strength.maximum_days)


def _rehearsed(memory: Memory, scene: Scene) -> Touch:
    interval = memory.reinforcement_interval
    longest = scene.config.strength.maximum_days
    pause = max(
        timedelta(hours=scene.config.consolidation.rehearsal.hours),
        timedelta(days=min(interval, longest)),
    )
    fields = {
        "stability": _stability(memory, scene),
        "next_reinforcement_at": scene.now + pause,
        "reinforcement_interval": min(interval * scene.config.feedback.interval_growth, longest),
    }
    return Touch(memory.id, fields, "about to fade: rehearsed")
