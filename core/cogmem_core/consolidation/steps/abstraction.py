"""Step 14: patterns of behaviour in the largest clusters, by the language model (seed 001, deep abstraction)."""

from __future__ import annotations

from collections.abc import Iterable

from cogmem_core.consolidation.clusters import (
    NO_MODEL,
    Cluster,
    Distillation,
    distil,
    insight_clusters,
    theme_clusters,
)
from cogmem_core.consolidation.context import StepContext
from cogmem_core.consolidation.derived import archives, kind_of
from cogmem_core.consolidation.snapshot import Snapshot, StepResult

__all__ = ["abstraction"]


def abstraction(snapshot: Snapshot, context: StepContext) -> StepResult:
    """One pattern for each of the largest clusters that themes and insights are made of."""
    rules = snapshot.config.consolidation.patterns
    if not context.model or not rules.clusters:
        return StepResult(note="" if context.model else NO_MODEL)
    found = [*theme_clusters(snapshot, context), *insight_clusters(snapshot), *_archived(snapshot)]
    wanted = Distillation(
        "pattern", "patterns", rules.clusters, rules.importance, category="pattern"
    )
    return distil(snapshot, context, _largest(found, rules.clusters), wanted)


def _archived(snapshot: Snapshot) -> list[Cluster]:
    """Clusters whose members left recall for their theme."""
    found = []
    for memory in snapshot.memories.values():
        if kind_of(memory) == "theme" and archives(memory):
            members = [member for i in memory.support if (member := snapshot.memory(i)) is not None]
            found.append(tuple(member for member in members if member.superseded_by == memory.id))
    return [cluster for cluster in found if len(cluster) > 1]


def _largest(clusters: Iterable[Cluster], count: int) -> list[Cluster]:
    """The largest ones that are not mostly the same as a larger one; of equals the oldest."""
    chosen: list[Cluster] = []
    for cluster in sorted(
        clusters, key=lambda members: (-len(members), [member.id for member in members])
    ):
        own = {memory.id for memory in cluster}
        if all(2 * len(own & {memory.id for memory in other}) <= len(own) for other in chosen):
            chosen.append(cluster)
        if len(chosen) == count:
            break
    return chosen
