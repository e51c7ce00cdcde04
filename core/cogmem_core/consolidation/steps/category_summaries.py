"""Step 15: one summary per category with enough memories, updated in place (seed 001, category summaries)."""

from __future__ import annotations

import heapq

from cogmem_core.consolidation.clusters import NO_MODEL
from cogmem_core.consolidation.context import Tools
from cogmem_core.consolidation.derived import (
    Derivation,
    cluster_of,
    derive,
    kind_of,
    rederive,
    texts_of,
    worded,
)
from cogmem_core.consolidation.snapshot import Scene, StepResult
from cogmem_core.models import Memory

__all__ = ["category_summaries", "most_important"]

_KIND = "category_summary"
_WITHOUT = ("summary", "pattern")


def category_summaries(scene: Scene, tools: Tools) -> StepResult:
    """A summary of the most important memories of each category.

    Made again when those are others.
    """
    rules = scene.config.consolidation.summaries
    if not tools.model and not rules.rules:
        return StepResult(note=NO_MODEL)
    known = {
        str(m.metadata.get("category")): m for m in scene.memories.values() if kind_of(m) == _KIND
    }
    fresh: list[Derivation] = []
    again: list[tuple[Memory, Derivation]] = []
    marks: dict[str, str] = {}
    for category, members in sorted(most_important(scene).items()):
        old = known.get(category)
        mark = f"{_KIND}:{category}"
        if _is_told(scene, members, old) or not scene.due(mark, rules.seconds / 3600):
            continue
        marks |= scene.stamp(mark)
        outcome = worded(tools, _KIND, members, about=category)
        if outcome.source == "heuristic" and not rules.rules:
            continue
        counts = {"derived": 1, "category_summaries": 1} if old is None else {"updated": 1}
        new = Derivation(
            _KIND, outcome.value, members, counts, importance=rules.importance, about=category
        )
        if old is None:
            fresh.append(new)
        else:
            again.append((old, new))
    return StepResult([*derive(scene, tools, fresh), *rederive(scene, tools, again)], marks=marks)


def most_important(scene: Scene) -> dict[str, tuple[Memory, ...]]:
    """What a summary of each category would be made of, oldest first.

    Of equally important ones the newest.
    """
    rules = scene.config.consolidation.summaries
    found: dict[str, tuple[Memory, ...]] = {}
    for category, listed in scene.by_category().items():
        members = [m for m in listed if not (m.support or m.immutable or m.id in scene.short_term)]
        if category not in _WITHOUT and len(members) >= rules.least:
            best = heapq.nlargest(
                rules.most, members, key=lambda memory: (memory.importance, memory.id)
            )
            found[category] = tuple(sorted(best, key=lambda memory: memory.id))
    return found


def _is_told(scene: Scene, members: tuple[Memory, ...], old: Memory | None) -> bool:
    """Whether the summary says it already, must not be changed, or was put away as it would be again."""
    name = cluster_of(_KIND, members)
    if old is None:
        return name in scene.clusters
    same = old.metadata.get("cluster") == name and old.metadata.get("texts") == texts_of(members)
    return same or old.immutable
