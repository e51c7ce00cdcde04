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
from cogmem_core.consolidation.dream import Dream, Proposal, StepResult
from cogmem_core.consolidation.snapshot import REPLAYED
from cogmem_core.consolidation.steps.relation_trim import FADED
from cogmem_core.edge.strength import coactivation_now, used_together
from cogmem_core.feedback.apply import PAIRS
from cogmem_core.values.models import Relation

_Pair = tuple[str, str]
_Used = Mapping[str, datetime]
"""Memories that one recall had used, and when each was judged."""


def synaptic_replay(dream: Dream) -> StepResult:
    """Strengthens pairs used together since the last replay, once per recall.

    Counts `strengthened`, `untagged`.
    """
    proposals = []
    for relation in _bound_pairs(dream):
        link = Link(relation, "used together in an answer")
        proposals.append(Proposal((link,), {"strengthened": 1}))
    checkpoints = {REPLAYED: dream.feedback[-1].at.isoformat()} if dream.feedback else {}
    return StepResult([*proposals, *_untagged(dream)], checkpoints=checkpoints)


def _untagged(dream: Dream) -> Iterator[Proposal]:
    for tag in dream.tags.values():
        is_inactive = tag.memory_id not in dream.memories
        if is_inactive or tag.expires_at <= dream.now:
            reason = "the memory left recall" if is_inactive else "its synaptic tag expired"
            yield Proposal((Unmark(tag, reason),), {"untagged": 1})


def _bound_pairs(dream: Dream) -> list[Relation]:
    """The relations as they shall be, one per pair, oldest judgements first.

    Without those that have faded since.
    """
    relations: dict[_Pair, Relation] = {}
    for used in dream.with_pauses(_recalls(dream)):
        for pair, at in _unbound(dream, used):
            relation = relations.get(pair) or _relation(dream, pair)
            # As if it had been bound when it was judged: the weight fades from then on.
            relations[pair] = used_together(dream.namespace, pair, relation, at)
    return [x for x in relations.values() if coactivation_now(x, dream.now) >= FADED]


def _recalls(dream: Dream) -> list[_Used]:
    """What the answers to each recall used and what is still active, in the order of the last judgement."""
    recalls: dict[str, dict[str, datetime]] = {}
    for row in dream.feedback:
        if row.signal == "used" and row.memory_id in dream.memories:
            recalls.setdefault(row.recall_id, {})[row.memory_id] = row.at
    return sorted(
        (used for used in recalls.values() if len(used) > 1), key=lambda used: max(used.values())
    )


def _unbound(dream: Dream, used: _Used) -> list[tuple[_Pair, datetime]]:
    """The first pairs of a recall that nobody bound yet, with the time of the later judgement."""
    last_replay = dream.since(REPLAYED)
    # The newest judgements are read once more the next time: the bound on pairs must hold for both
    # times together.
    is_repeated = last_replay is not None and max(used.values()) <= last_replay
    if is_repeated and any(_is_bound(dream, pair, at) for pair, at in _pairs(used)):
        return []
    free = ((pair, at) for pair, at in _pairs(used) if not _is_bound(dream, pair, at))
    return list(islice(free, PAIRS))


def _pairs(used: _Used) -> Iterator[tuple[_Pair, datetime]]:
    ids = sorted(used)
    for place, second in enumerate(ids):
        for first in ids[:place]:
            yield (first, second), max(used[first], used[second])


def _relation(dream: Dream, pair: _Pair) -> Relation | None:
    # A row that came by an import may have the ends the other way round.
    first_id, second_id = pair
    relations = dream.relations
    return relations.get((first_id, second_id, "co_activated")) or relations.get(
        (second_id, first_id, "co_activated")
    )


def _is_bound(dream: Dream, pair: _Pair, at: datetime) -> bool:
    relation = _relation(dream, pair)
    if relation is None or relation.last_activated_at is None:
        return False
    return relation.last_activated_at >= at
