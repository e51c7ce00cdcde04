"""Step 17: a namespace with too many relations loses the weakest of those that may go."""

from __future__ import annotations

from datetime import datetime, timezone

from cogmem_core.changes import Unlink
from cogmem_core.consolidation.dream import Dream, Proposal, StepResult
from cogmem_core.edge.strength import coactivation_now
from cogmem_core.encoding.to_changes import PRUNABLE
from cogmem_core.values.models import Relation

FADED = 0.01
"""Co-activations whose weight has decayed below it are removed by the dream cycle."""

_LONG_AGO = datetime.min.replace(tzinfo=timezone.utc)


def relation_trim(dream: Dream) -> StepResult:
    """Above `maximum` relations down to `trimmed_to`; counts `trimmed`.

    Types that may go do so one after the other, the least confident and oldest of each first.
    Co-activations that have all but faded go in any case.
    """
    limits = dream.config.relations
    proposals = []
    prunable = []
    for relation in dream.relations.values():
        bound = relation.type == "co_activated"
        if bound and coactivation_now(relation, dream.now) < FADED:
            proposals.append(_trim(relation, "long since not used together"))
        if relation.type in PRUNABLE:
            prunable.append(relation)
    count = len(dream.relations) - len(proposals)
    if count <= limits.maximum:
        return StepResult(proposals)
    surplus = count - min(limits.trimmed_to, limits.maximum)
    weakest = sorted(prunable, key=_rank)[:surplus]
    proposals += [_trim(relation, "trimmed: too many relations") for relation in weakest]
    remaining = surplus - len(weakest)
    note = f"{remaining} relations too many, but the others are never trimmed" if remaining else ""
    return StepResult(proposals, note=note)


def _trim(relation: Relation, reason: str) -> Proposal:
    return Proposal((Unlink(relation, reason),), {"trimmed": 1})


def _rank(relation: Relation) -> tuple[int, float, datetime, str, str]:
    return (
        PRUNABLE.index(relation.type),
        relation.confidence,
        relation.created_at or _LONG_AGO,
        relation.source_id,
        relation.target_id,
    )
