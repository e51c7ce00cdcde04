"""Writes that wait for a person: the one place that holds them back, knows them again, and closes what was decided.

What is held stands in quarantine, so it is stored, listed and erased as any other memory or
procedure; an intention that is held is only proposed. A `Review` beside it says why it waits, and
what it would take the place of. Whoever brings it back into recall approves it, and whoever forgets
it rejects it, by whichever way.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import NamedTuple

from cogmem_core.base.runtime import derived_id
from cogmem_core.changes.agents import Keep, Move
from cogmem_core.changes.authors import Authors
from cogmem_core.changes.batch import Batch, Record
from cogmem_core.changes.proposed import Change, Link, Mark, Put, Retire, Revive
from cogmem_core.changes.rejected import proposal_digest
from cogmem_core.config import GuardConfig
from cogmem_core.edge.trust import is_trusted, quarantine
from cogmem_core.ports import Stored
from cogmem_core.values.models import REVIEW_KINDS, Intention, Memory, Procedure, Review, ReviewKind

QUEUED = "queued for review"
"""Why a change is not carried out yet."""
_DECIDABLE = ("waiting", "expired")
_KNOWN = ("waiting", "approved")
_SET_ASIDE = ("quarantined", "proposed")
"""How a memory or procedure stands that waits, and how an intention does."""


_ENDS = {"candidate": "approved", "open": "approved", "expired": "expired"}
"""By what becomes of a procedure or an intention: how its review ends; otherwise it is rejected."""
_OVERDUE = "because nobody decided in time"


@dataclass(slots=True)
class Held:
    """What becomes of changes of which some wait for a person.

    Attributes:
        changes: those to carry out: what waits goes into quarantine.
        reviews: of what waits, to be carried out after the changes.
        withheld: places of the changes that are carried out once the review is approved, or never.
        waiting: by the id of a new memory, procedure or intention that waits: its review, or that
            of an earlier one that proposes the same.
    """

    changes: list[Change]
    reviews: list[Keep] = field(default_factory=list)
    withheld: set[int] = field(default_factory=set)
    waiting: dict[str, Review] = field(default_factory=dict)


class _Proposal(NamedTuple):
    """Something new that may have to wait.

    Attributes:
        place: of its change.
        change: that brings it.
        new: the memory, procedure or intention.
        replaced: the memories that it takes the place of.
        revises: it is a newer version of what is known, or contradicts it.
    """

    place: int
    change: Put | Keep
    new: Memory | Procedure | Intention
    replaced: tuple[Memory, ...] = ()
    revises: bool = False


def _is(kind: ReviewKind, proposal: _Proposal, authors: Authors) -> bool:
    new = proposal.new
    if isinstance(new, Procedure):
        return kind == "procedure"
    if kind == "shared":
        is_strange = isinstance(new, Memory) and new.data_source == "federation"
        return is_strange or authors.is_agents_word(proposal.change)
    if not isinstance(new, Memory) or new.category == "item" or kind == "procedure":
        return False
    if kind != "erased":
        revises = bool(proposal.replaced) or proposal.revises
        return revises if kind == "contradicting" else not is_trusted(new.data_source, new.trust)
    # No person says it, and something like it was erased for good.
    by_person = new.data_source == "user_message" and authors.actor.name != "import"
    if by_person and not authors.is_agents_word(proposal.change):
        return False
    return bool(authors.erased.matches(new.content, new.speaker))


@dataclass(frozen=True, slots=True)
class Close(Move):
    """The end of a review, carried out only if what it is about waits no more."""

    former: Review

    def refusal(self, batch: Batch) -> str:
        """Its memory, procedure or intention has to have been brought back, or put away."""
        target_id = self.former.target_id
        target = batch.memory(target_id) or batch.records.get(target_id)
        if target is None or target.state in _SET_ASIDE:
            return "nothing was decided"
        return Move.refusal(self, batch)


def hold(
    authors: Authors,
    changes: Sequence[Change],
    rows: Mapping[str, Stored],
    *,
    refused: Collection[int],
    guard: GuardConfig | None,
) -> Held:
    """Hold back what waits for a person.

    Args:
        authors: whose word the changes are, and where.
        changes: what is proposed.
        rows: the memories that the changes name, as they are, by id.
        refused: places of changes that are refused anyhow.
        guard: which kinds wait; None: the changes are somebody's own decision.
    """
    held = Held(list(changes))
    if guard is None or not guard.review:
        return held
    now = authors.now
    waiting_kinds = [kind for kind in REVIEW_KINDS if kind in guard.review]
    proposals: list[tuple[_Proposal, ReviewKind, str]] = []
    for proposal in _proposals(changes, rows):
        kind = next((kind for kind in waiting_kinds if _is(kind, proposal, authors)), None)
        if kind is not None and proposal.place not in refused:
            digest = proposal_digest(
                authors.writer, authors.ns.name, proposal.new, proposal.replaced
            )
            proposals.append((proposal, kind, digest))
    digests = {digest for _, _, digest in proposals}
    earlier_reviews = authors.ns.reviews.of_proposals(digests, _KNOWN)
    for proposal, kind, digest in proposals:
        earlier = earlier_reviews.get(digest)
        if earlier is not None:
            if earlier.state == "waiting":
                held.waiting[proposal.new.id] = earlier
                held.withheld.add(proposal.place)
            continue
        new = proposal.new
        review = Review(
            id=derived_id(new.id, "review"),
            namespace=new.namespace,
            kind=kind,
            target_id=new.id,
            created_at=now,
            updated_at=now,
            until=now + timedelta(days=guard.review_days),
            replaces=tuple(old.id for old in proposal.replaced),
            proposal=digest,
        )
        earlier_reviews[digest] = held.waiting[new.id] = review
        held.changes[proposal.place] = _in_quarantine(proposal.change, kind)
        held.reviews.append(Keep(review, QUEUED))
    for place, change in enumerate(changes):
        if _depends_on(change, held.waiting):
            held.withheld.add(place)
    return held


def _proposals(changes: Sequence[Change], rows: Mapping[str, Stored]) -> Iterator[_Proposal]:
    """What the changes bring into recall, or into what a task is shown."""
    memories = {memory_id: stored.memory for memory_id, stored in rows.items()}
    new = {change.target: change.stored.memory for change in changes if isinstance(change, Put)}
    memories |= new
    replaced: dict[str, list[Memory]] = {}
    revising: set[str] = set()
    outdated: set[str] = set()
    for change in changes:
        newer_id = change.gives_way_to
        if newer_id in new and change.target in memories:
            replaced.setdefault(newer_id, []).append(memories[change.target])
        elif isinstance(change, Retire):
            outdated.add(change.target)
        elif isinstance(change, Link) and change.relation.type in ("revises", "contradicts"):
            revising.add(change.target)
    for place, change in enumerate(changes):
        if isinstance(change, Keep) and isinstance(change.record, (Procedure, Intention)):
            if change.record.is_live:
                yield _Proposal(place, change, change.record)
        elif isinstance(change, Put) and change.target not in outdated:
            memory = change.stored.memory
            if memory.state == "active":
                given_way = tuple(replaced.get(memory.id, ()))
                yield _Proposal(place, change, memory, given_way, memory.id in revising)


def _in_quarantine(change: Put | Keep, kind: ReviewKind) -> Change:
    reason = f"{QUEUED}: {kind}"
    if isinstance(change, Put):
        memory = quarantine(change.stored.memory, reason)
        return replace(change, stored=replace(change.stored, memory=memory))
    record = change.record
    if isinstance(record, Procedure):
        record = replace(record, state="quarantined", reason=reason)
    elif isinstance(record, Intention):
        record = replace(record, state="proposed")
    return replace(change, record=record)


def _depends_on(change: Change, waiting: Collection[str]) -> bool:
    """Whether a change is only for what waits."""
    if change.gives_way_to in waiting:
        return True
    if isinstance(change, Link):
        return change.relation.type == "supersedes" and change.target in waiting
    if isinstance(change, Mark):
        return change.target in waiting
    if isinstance(change, Keep) and isinstance(change.record, Intention):
        sources = change.record.memory_ids
        return bool(sources) and all(memory_id in waiting for memory_id in sources)
    return False


def closing(
    authors: Authors,
    changes: Sequence[Change],
    rows: Mapping[str, Stored],
    records: Mapping[str, Record],
) -> list[Close]:
    """The ends of reviews of what the changes bring back, or put away."""
    decided: dict[str, str] = {}
    for change in changes:
        stored = rows.get(change.target)
        if stored is not None and stored.memory.state == "quarantined":
            if isinstance(change, Revive):
                decided[change.target] = "approved"
            elif isinstance(change, Retire) and change.state != "quarantined":
                decided[change.target] = "rejected"
        elif isinstance(change, Move):
            former = records.get(change.target)
            if former is not None and former.state in _SET_ASIDE:
                decided[change.target] = _ENDS.get(change.record.state, "rejected")
    reviews = authors.ns.reviews.of_targets(decided, _DECIDABLE)
    actor = authors.actor
    decider = "by a person" if actor.is_person else _OVERDUE
    decider = f"by {actor.principal}" if actor.principal else decider
    ends: list[Close] = []
    for target_id, review in reviews.items():
        state = decided[target_id]
        by = _OVERDUE if state == "expired" else decider
        ended = replace(review, state=state, reason=f"{state} {by}")  # type: ignore[arg-type]
        ends.append(Close(ended, state, review))
    return ends
