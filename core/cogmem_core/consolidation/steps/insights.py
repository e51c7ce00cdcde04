"""Step 13: what follows from memories that are used together, by the language model (seed 000, derive)."""

from __future__ import annotations

from cogmem_core.consolidation.clusters import NO_MODEL, Wanted, distil, insight_clusters
from cogmem_core.consolidation.context import Tools
from cogmem_core.consolidation.snapshot import Scene, StepResult

__all__ = ["insights"]


def insights(scene: Scene, tools: Tools) -> StepResult:
    """One semantic memory per cluster of co-activations; its members stay as they are."""
    rules = scene.config.consolidation.insights
    if not tools.model:
        return StepResult(note=NO_MODEL)
    wanted = Wanted("insight", "insights", rules.limit, rules.importance)
    return distil(scene, tools, insight_clusters(scene), wanted)
