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

_IN_ORDER: tuple[Step, ...] = (
    expiry,
    short_term,
    utility_drift,
    emotional,
    synaptic_replay,
    rehearsal,
    conflicts,
    duplicates,
    redundancy,
    forgetting,
    cascade,
    fading,
    themes,
    insights,
    abstraction,
    category_summaries,
    promotion,
    relation_trim,
    reindex,
    self_test,
    erasures,
)
STEPS = tuple((step.__name__, step) for step in _IN_ORDER)
