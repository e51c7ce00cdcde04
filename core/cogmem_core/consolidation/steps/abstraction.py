"""Step 14: patterns of behaviour in the largest clusters, by the language model."""

from __future__ import annotations

from cogmem_core.consolidation.clusters import (
    Cluster,
    Distillation,
    distil,
    insight_clusters,
    theme_clusters,
)
from cogmem_core.consolidation.derived import archives, kind_of
from cogmem_core.consolidation.dream import Dream, StepResult

CLUSTERS = 3
"""Largest clusters that patterns are looked for in."""
IMPORTANCE = 0.85
"""Importance of a pattern."""


def abstraction(dream: Dream) -> StepResult:
    """One pattern for each of the largest clusters that themes and insights are made of."""
    distillation = Distillation("pattern", "patterns", CLUSTERS, IMPORTANCE, category="pattern")
    return distil(dream, _largest, distillation)


def _archived(dream: Dream) -> list[Cluster]:
    """Clusters whose members left recall for their theme."""
    clusters = []
    for memory in dream.memories.values():
        if kind_of(memory) == "theme" and archives(memory):
            members = filter(None, map(dream.memory, memory.support))
            cluster = tuple(m for m in members if m.superseded_by == memory.id)
            if len(cluster) > 1:
                clusters.append(cluster)
    return clusters


def _largest(dream: Dream) -> list[Cluster]:
    """The largest clusters that are not mostly the same as a larger one; of equals the oldest."""
    clusters = [*theme_clusters(dream), *insight_clusters(dream), *_archived(dream)]
    chosen: list[Cluster] = []
    chosen_ids: list[set[str]] = []
    for cluster in sorted(clusters, key=lambda each: (-len(each), [m.id for m in each])):
        ids = {memory.id for memory in cluster}
        if all(2 * len(ids & other) <= len(ids) for other in chosen_ids):
            chosen.append(cluster)
            chosen_ids.append(ids)
        if len(chosen) == CLUSTERS:
            break
    return chosen
