"""Step 12: a sentence for what a cluster of memories has in common, by the language model (seed 001)."""

from __future__ import annotations

from cogmem_core.consolidation.clusters import NO_MODEL, Wanted, distil, theme_clusters
from cogmem_core.consolidation.context import Tools
from cogmem_core.consolidation.snapshot import Scene, StepResult

__all__ = ["themes"]


def themes(scene: Scene, tools: Tools) -> StepResult:
    """Themes of clusters that have none yet.

    Their members stay in recall unless the configuration says otherwise.
    """
    rules = scene.config.consolidation.themes
    if not tools.model:
        return StepResult(note=NO_MODEL)
    wanted = Wanted("theme", "themes", rules.limit, rules.importance, archives=rules.supersede)
    return distil(scene, tools, theme_clusters(scene, tools), wanted)
