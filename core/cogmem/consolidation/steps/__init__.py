"""The steps of the dream cycle, in their order: one file each, one signature, no I/O but through `Tools`."""

from __future__ import annotations

from collections.abc import Callable

from cogmem.consolidation.scene import Scene, StepResult
from cogmem.consolidation.steps.abstraction import abstraction
from cogmem.consolidation.steps.cascade import cascade
from cogmem.consolidation.steps.category_summaries import category_summaries
from cogmem.consolidation.steps.conflicts import conflicts
from cogmem.consolidation.steps.duplicates import duplicates
from cogmem.consolidation.steps.emotional import emotional
from cogmem.consolidation.steps.expiry import expiry
from cogmem.consolidation.steps.fading import fading
from cogmem.consolidation.steps.forgetting import forgetting
from cogmem.consolidation.steps.insights import insights
from cogmem.consolidation.steps.promotion import promotion
from cogmem.consolidation.steps.redundancy import redundancy
from cogmem.consolidation.steps.rehearsal import rehearsal
from cogmem.consolidation.steps.reindex import reindex
from cogmem.consolidation.steps.relation_trim import relation_trim
from cogmem.consolidation.steps.short_term import short_term
from cogmem.consolidation.steps.synaptic_replay import synaptic_replay
from cogmem.consolidation.steps.themes import themes
from cogmem.consolidation.steps.utility_drift import utility_drift
from cogmem.consolidation.tools import Tools

__all__ = ["STEPS", "Step"]

Step = Callable[[Scene, Tools], StepResult]

STEPS: tuple[tuple[str, Step], ...] = (
    ("expiry", expiry),
    ("short_term", short_term),
    ("utility_drift", utility_drift),
    ("emotional", emotional),
    ("synaptic_replay", synaptic_replay),
    ("rehearsal", rehearsal),
    ("conflicts", conflicts),
    ("duplicates", duplicates),
    ("redundancy", redundancy),
    ("forgetting", forgetting),
    ("cascade", cascade),
    ("fading", fading),
    ("themes", themes),
    ("insights", insights),
    ("abstraction", abstraction),
    ("category_summaries", category_summaries),
    ("promotion", promotion),
    ("relation_trim", relation_trim),
    ("reindex", reindex),
)
