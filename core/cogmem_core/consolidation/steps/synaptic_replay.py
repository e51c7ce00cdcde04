"""Step 5: what was used together is bound together, and synaptic tags whose time is over go.

Feedback binds at once unless it is told not to (`FeedbackConfig.bind_at_once`); then the replay
finds what that left: judgements of one recall in several calls, more pairs than one answer may
bind, imported judgements.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import islice

from cogmem_core.changes import Link, Unmark
from cogmem_core.consolidation.context import StepContext
from cogmem_core.consolidation.cooperative import with_pauses
from cogmem_core.consolidation.snapshot import REPLAYED, Proposal, Snapshot, StepResult
from cogmem_core.consolidation.steps.relation_trim import FADED
from cogmem_core.edge.strength import COACTIVATION, coactivation_now
from cogmem_core.feedback.apply import PAIRS
from cogmem_core.values.models import Relation

_Pair = tuple[str, str]
_Used = Mapping[str, datetime]
"""Memories that one recall had used, and when each was judged."""


def synaptic_replay(snapshot: Snapshot, context: StepContext) -> StepResult:
    """Strengthens pairs used together since the last replay, once per recall.

    Counts `strengthened`, `untagged`.
    """
    proposals = []
    for relation in _bound_pairs(snapshot, context):
        link = Link(relation, "used together in an answer")
        proposals.append(Proposal((link,), {"strengthened": 1}))
    checkpoints = {REPLAYED: snapshot.feedback[-1].at.isoformat()} if snapshot.feedback else {}
    return StepResult([*proposals, *_untagged(snapshot)], checkpoints=checkpoints)


def _untagged(snapshot: Snapshot) -> Iterator[Proposal]:
    for tag in snapshot.tags.values():
        is_inactive = tag.memory_id not in snapshot.memories
        if is_inactive or tag.expires_at <= snapshot.now:
            reason = "the memory left recall" if is_inactive else "its synaptic tag expired"
            yield Proposal((Unmark(tag, reason),), {"untagged": 1})


def _bound_pairs(snapshot: Snapshot, context: StepContext) -> list[Relation]:
    """The relations as they shall be, one per pair, oldest judgements first.

    Without those that have faded since.
    """
    relations: dict[_Pair, Relation] = {}
    for used in with_pauses(context, _recalls(snapshot)):
        for pair, at in _unbound(snapshot, used):
            relation = relations.get(pair) or _relation(snapshot, pair)
            relations[pair] = _together(snapshot, pair, relation, at)
    faded = FADED
    return [x for x in relations.values() if _weight(x, snapshot.now) >= faded]


def _weight(relation: Relation, at: datetime) -> float:
    return coactivation_now(relation, at)


def _recalls(snapshot: Snapshot) -> list[_Used]:
    """What the answers to each recall used and what is still active, in the order of the last judgement."""
    recalls: dict[str, dict[str, datetime]] = {}
    for row in snapshot.feedback:
        if row.signal == "used" and row.memory_id in snapshot.memories:
            recalls.setdefault(row.recall_id, {})[row.memory_id] = row.at
    return sorted(
        (used for used in recalls.values() if len(used) > 1), key=lambda used: max(used.values())
    )


def _unbound(snapshot: Snapshot, used: _Used) -> list[tuple[_Pair, datetime]]:
    """The first pairs of a recall that nobody bound yet, with the time of the later judgement."""
    last_replay = snapshot.since(REPLAYED)
    # The newest judgements are read once more the next time: the bound on pairs must hold for both
    # times together.
    is_repeated = last_replay is not None and max(used.values()) <= last_replay
    if is_repeated and any(_is_bound(snapshot, pair, at) for pair, at in _pairs(used)):
        return []
    free = ((pair, at) for pair, at in _pairs(used) if not _is_bound(snapshot, pair, at))
    return list(islice(free, PAIRS))


def _pairs(used: _Used) -> Iterator[tuple[_Pair, datetime]]:
    ids = sorted(used)
    for place, second in enumerate(ids):
        for first in ids[:place]:
            yield (first, second), max(used[first], used[second])


def _relation(snapshot: Snapshot, pair: _Pair) -> Relation | None:
    # A row that came by an import may have the ends the other way round.
    first_id, second_id = pair
    relations = snapshot.relations
    return relations.get((first_id, second_id, "co_activated")) or relations.get(
        (second_id, first_id, "co_activated")
    )


def _is_bound(snapshot: Snapshot, pair: _Pair, at: datetime) -> bool:
    relation = _relation(snapshot, pair)
    if relation is None or relation.last_activated_at is None:
        return False
    return relation.last_activated_at >= at


def _together(snapshot: Snapshot, pair: _Pair, relation: Relation | None, at: datetime) -> Relation:
    """As if it had been bound when it was judged: the weight fades from then on."""
    step = COACTIVATION
    if relation is None:
        relation = Relation(snapshot.namespace, *pair, "co_activated", created_at=at)
        weight = step
    else:
        weight = _weight(relation, at) + step
    return Relation(
        snapshot.namespace,
        relation.source_id,
        relation.target_id,
        "co_activated",
        weight=min(1.0, weight),
        created_at=relation.created_at,
        last_activated_at=at,
    )
