"""Step 13: what follows from memories that are used together, by the language model."""

from __future__ import annotations

from cogmem_core.consolidation.clusters import Distillation, distil, insight_clusters
from cogmem_core.consolidation.dream import Dream, StepResult

LIMIT = 5
"""Insights per cycle."""
IMPORTANCE = 0.8
"""Importance of an insight."""


def insights(dream: Dream) -> StepResult:
    """One semantic memory per cluster of co-activations; its members stay as they are."""
    return distil(dream, insight_clusters, Distillation("insight", "insights", LIMIT, IMPORTANCE))
