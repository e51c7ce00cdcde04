"""Step 15: one summary per category with enough memories, updated in place."""

from __future__ import annotations

import heapq

from cogmem_core.base.grouping import grouped
from cogmem_core.consolidation.clusters import NO_MODEL
from cogmem_core.consolidation.derived import (
    Derivation,
    cluster_of,
    compose_text,
    derive,
    kind_of,
    rederive,
    texts_of,
)
from cogmem_core.consolidation.dream import Dream, StepResult
from cogmem_core.values.models import Memory

MOST_MEMORIES = 40
"""Most important memories that a summary is made of."""
SECONDS = 60.0
"""Seconds between two summaries of a category, at least."""
IMPORTANCE = 0.8
"""Importance of a summary."""

_KIND = "category_summary"
_WITHOUT = ("summary", "pattern")


def category_summaries(dream: Dream) -> StepResult:
    """A summary of the most important memories of each category.

    Made again when those are others.
    """
    rules = dream.settings.summaries
    if not dream.model and not rules.rules:
        return StepResult(note=NO_MODEL)
    summaries = {
        str(memory.metadata.get("category")): memory
        for memory in dream.memories.values()
        if kind_of(memory) == _KIND
    }
    fresh: list[Derivation] = []
    renewed: list[tuple[Memory, Derivation]] = []
    checkpoints: dict[str, str] = {}
    for category, members in sorted(most_important(dream).items()):
        old = summaries.get(category)
        checkpoint = f"{_KIND}:{category}"
        if _is_current(dream, members, old) or not dream.due(checkpoint, SECONDS / 3600):
            continue
        checkpoints |= dream.stamp(checkpoint)
        outcome = compose_text(dream, _KIND, members, about=category)
        if outcome.source == "heuristic" and not rules.rules:
            continue
        counts = {"derived": 1, "category_summaries": 1} if old is None else {"updated": 1}
        new = Derivation(
            _KIND, outcome.value, members, counts, importance=IMPORTANCE, about=category
        )
        if old is None:
            fresh.append(new)
        else:
            renewed.append((old, new))
    return StepResult(
        [*derive(dream, fresh), *rederive(dream, renewed)],
        checkpoints=checkpoints,
    )


def most_important(dream: Dream) -> dict[str, tuple[Memory, ...]]:
    """What a summary of each category would be made of, oldest first.

    Of equally important ones the newest.
    """
    best_members: dict[str, tuple[Memory, ...]] = {}
    free = filter(dream.free, dream.memories.values())
    by_category = grouped((memory.category, memory) for memory in free)
    least = dream.settings.summaries.least
    for category, members in by_category.items():
        if category not in _WITHOUT and len(members) >= least:
            best = heapq.nlargest(
                MOST_MEMORIES, members, key=lambda memory: (memory.importance, memory.id)
            )
            best_members[category] = tuple(sorted(best, key=lambda memory: memory.id))
    return best_members


def _is_current(dream: Dream, members: tuple[Memory, ...], old: Memory | None) -> bool:
    """Whether the summary says it already, must not be changed, or was put away as it would be again."""
    name = cluster_of(_KIND, members)
    if old is None:
        return name in dream.clusters
    same = old.metadata.get("cluster") == name and old.metadata.get("texts") == texts_of(members)
    return same or old.immutable
