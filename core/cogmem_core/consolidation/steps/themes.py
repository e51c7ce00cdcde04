"""Step 12: a sentence for what a cluster of memories has in common, by the language model."""

from __future__ import annotations

from cogmem_core.consolidation.clusters import Distillation, distil, theme_clusters
from cogmem_core.consolidation.dream import Dream, StepResult

LIMIT = 5
"""Themes per cycle."""
IMPORTANCE = 0.8
"""Importance of a theme."""


def themes(dream: Dream) -> StepResult:
    """Themes of clusters that have none yet.

    Their members stay in recall unless the configuration says otherwise.
    """
    archives = dream.settings.themes.supersede
    distillation = Distillation("theme", "themes", LIMIT, IMPORTANCE, archives=archives)
    return distil(dream, theme_clusters, distillation)
