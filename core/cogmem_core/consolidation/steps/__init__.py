"""The steps of the dream cycle, in their order: one file each, one signature, no I/O but through `Dream`."""

from __future__ import annotations

from collections.abc import Callable

from cogmem_core.consolidation.dream import Dream, StepResult
from cogmem_core.consolidation.steps.abstraction import abstraction
from cogmem_core.consolidation.steps.cascade import cascade
from cogmem_core.consolidation.steps.category_summaries import category_summaries
from cogmem_core.consolidation.steps.conflicts import conflicts
from cogmem_core.consolidation.steps.duplicates import duplicates
from cogmem_core.consolidation.steps.emotional import emotional
from cogmem_core.consolidation.steps.erasures import erasures
from cogmem_core.consolidation.steps.expiry import expiry
from cogmem_core.consolidation.steps.fading import fading
from cogmem_core.consolidation.steps.forgetting import forgetting
from cogmem_core.consolidation.steps.insights import insights
from cogmem_core.consolidation.steps.promotion import promotion
from cogmem_core.consolidation.steps.redundancy import redundancy
from cogmem_core.consolidation.steps.rehearsal import rehearsal
from cogmem_core.consolidation.steps.reindex import reindex
from cogmem_core.consolidation.steps.relation_trim import relation_trim
from cogmem_core.consolidation.steps.self_test import self_test
from cogmem_core.consolidation.steps.short_term import short_term
from cogmem_core.consolidation.steps.synaptic_replay import synaptic_replay
from cogmem_core.consolidation.steps.themes import themes
from cogmem_core.consolidation.steps.utility_drift import utility_drift

Step = Callable[[Dream], StepResult]

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
    ("self_test", self_test),
    ("erasures", erasures),
)
