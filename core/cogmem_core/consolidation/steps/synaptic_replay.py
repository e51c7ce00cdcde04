"""Step 5: what was used together is bound together, and synaptic tags whose time is over go (seeds 000 and 001).

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
from cogmem_core.models import Relation
from cogmem_core.strength import coactivation_now

__all__ = ["synaptic_replay"]

_Pair = tuple[str, str]
_Used = Mapping[str, datetime]
"""Memories that one recall had used, and when each was judged."""


def synaptic_replay(snapshot: Snapshot, context: StepContext) -> StepResult:
    """Strengthens pairs used together since the last replay, once per recall.

    Counts `strengthened`, `untagged`.
    """
    bound = _bound_pairs(snapshot, context)
    proposals = [
        Proposal((Link(x, "used together in an answer"),), {"strengthened": 1}) for x in bound
    ]
    checkpoints = {REPLAYED: snapshot.feedback[-1].at.isoformat()} if snapshot.feedback else {}
    return StepResult([*proposals, *_untagged(snapshot)], checkpoints=checkpoints)


def _untagged(snapshot: Snapshot) -> Iterator[Proposal]:
    for tag in snapshot.tags.values():
        gone = tag.memory_id not in snapshot.memories
        if gone or tag.expires_at <= snapshot.now:
            reason = "the memory left recall" if gone else "its synaptic tag expired"
            yield Proposal((Unmark(tag, reason),), {"untagged": 1})


def _bound_pairs(snapshot: Snapshot, context: StepContext) -> list[Relation]:
    """The relations as they shall be, one per pair, oldest judgements first.

    Without those that have faded since.
    """
    found: dict[_Pair, Relation] = {}
    for used in with_pauses(context, _recalls(snapshot)):
        for pair, at in _unbound(snapshot, used):
            found[pair] = _together(snapshot, pair, found.get(pair) or _known(snapshot, pair), at)
    days = snapshot.config.retrieval.association_days
    least = snapshot.config.relations.faded
    return [
        relation
        for relation in found.values()
        if coactivation_now(relation, snapshot.now, days) >= least
    ]


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
    seen = snapshot.since(REPLAYED)
    # The newest judgements are read once more the next time: the bound on pairs must hold for both
    # times together.
    again = seen is not None and max(used.values()) <= seen
    if again and any(_is_bound(snapshot, pair, at) for pair, at in _pairs(used)):
        return []
    free = ((pair, at) for pair, at in _pairs(used) if not _is_bound(snapshot, pair, at))
    return list(islice(free, snapshot.config.feedback.pairs))


def _pairs(used: _Used) -> Iterator[tuple[_Pair, datetime]]:
    ids = sorted(used)
    for place, second in enumerate(ids):
        for first in ids[:place]:
            yield (first, second), max(used[first], used[second])


def _known(snapshot: Snapshot, pair: _Pair) -> Relation | None:
    # A row that came by an import may have the ends the other way round.
    ends = (pair, pair[::-1])
    return next(
        (x for a, b in ends if (x := snapshot.relations.get((a, b, "co_activated"))) is not None),
        None,
    )


def _is_bound(snapshot: Snapshot, pair: _Pair, at: datetime) -> bool:
    known = _known(snapshot, pair)
    return (
        known is not None and known.last_activated_at is not None and known.last_activated_at >= at
    )


def _together(snapshot: Snapshot, pair: _Pair, known: Relation | None, at: datetime) -> Relation:
    """As if it had been bound when it was judged: the weight fades from then on."""
    weight = (
        0.0
        if known is None
        else coactivation_now(known, at, snapshot.config.retrieval.association_days)
    )
    ends = pair if known is None else (known.source_id, known.target_id)
    return Relation(
        snapshot.namespace,
        *ends,
        "co_activated",
        weight=min(1.0, weight + snapshot.config.feedback.coactivation),
        created_at=at if known is None else known.created_at,
        last_activated_at=at,
    )
