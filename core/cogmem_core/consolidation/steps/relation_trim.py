"""Step 17: a namespace with too many relations loses the weakest of those that may go (seed 001)."""

from __future__ import annotations

from datetime import datetime, timezone

from cogmem_core.changes import Unlink
from cogmem_core.consolidation.context import StepContext
from cogmem_core.consolidation.snapshot import Proposal, Snapshot, StepResult
from cogmem_core.encoding.to_changes import PRUNABLE
from cogmem_core.models import Relation
from cogmem_core.strength import coactivation_now

__all__ = ["relation_trim"]

_LONG_AGO = datetime.min.replace(tzinfo=timezone.utc)


def relation_trim(snapshot: Snapshot, _tools: StepContext) -> StepResult:
    """Above `maximum` relations down to `trimmed_to`; counts `trimmed`.

    Types that may go do so one after the other, the least confident and oldest of each first.
    Co-activations that have all but faded go in any case.
    """
    limits = snapshot.config.relations
    days = snapshot.config.retrieval.association_days
    bound = [
        relation for relation in snapshot.relations.values() if relation.type == "co_activated"
    ]
    faded = [
        relation
        for relation in bound
        if coactivation_now(relation, snapshot.now, days) < limits.faded
    ]
    gone = [Proposal((Unlink(x, "long since not used together"),), {"trimmed": 1}) for x in faded]
    count = len(snapshot.relations) - len(faded)
    if count <= limits.maximum:
        return StepResult(gone)
    weakest = sorted((x for x in snapshot.relations.values() if x.type in PRUNABLE), key=_rank)
    surplus = count - min(limits.trimmed_to, limits.maximum)
    chosen = weakest[:surplus]
    left = surplus - len(chosen)
    note = f"{left} relations too many, but the others are never trimmed" if left else ""
    trimmed = [
        Proposal((Unlink(x, "trimmed: too many relations"),), {"trimmed": 1}) for x in chosen
    ]
    return StepResult([*gone, *trimmed], note=note)


def _rank(relation: Relation) -> tuple[int, float, datetime, str, str]:
    place = PRUNABLE.index(relation.type)
    return (
        place,
        relation.confidence,
        relation.created_at or _LONG_AGO,
        relation.source_id,
        relation.target_id,
    )
