"""Step 13: what follows from memories that are used together, by the language model."""

from __future__ import annotations

from cogmem_core.consolidation.clusters import NO_MODEL, Distillation, distil, insight_clusters
from cogmem_core.consolidation.context import StepContext
from cogmem_core.consolidation.snapshot import Snapshot, StepResult

LIMIT = 5
"""Insights per cycle."""
IMPORTANCE = 0.8
"""Importance of an insight."""


def insights(snapshot: Snapshot, context: StepContext) -> StepResult:
    """One semantic memory per cluster of co-activations; its members stay as they are."""
    if not context.model:
        return StepResult(note=NO_MODEL)
    distillation = Distillation("insight", "insights", LIMIT, IMPORTANCE)
    return distil(snapshot, context, insight_clusters(snapshot), distillation)
