"""Carrying out what was proposed.

`apply` honours pinned and immutable, bumps versions, keeps former texts, and writes the journal,
all in the caller's transaction. Encoding, feedback, the dream cycle and a person's edits differ
only in the changes that they propose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple

from cogmem_core.changes.agents import AgentChange
from cogmem_core.changes.authors import Authors
from cogmem_core.changes.batch import Actor, Batch, Record
from cogmem_core.changes.proposed import Change, Link, Unlink
from cogmem_core.changes.rejected import REJECTED, record, rule
from cogmem_core.changes.reviewed import QUEUED, closing, hold
from cogmem_core.config import GuardConfig
from cogmem_core.ports import Stored
from cogmem_core.process.services import Services
from cogmem_core.storage.ledger.transaction import Transaction
from cogmem_core.values.models import Memory, Relation, Review


class Refusal(NamedTuple):
    """A change that a protection forbids, and which one."""

    change: Change
    reason: str


@dataclass(frozen=True, slots=True)
class Applied:
    """What was carried out.

    Attributes:
        memories: each touched memory as it is now, by id, in order.
        refused: what was not carried out, and why.
        indexed: new rows for the indexes: active memories that are new, rewritten or revived.
        dropped: ids that left the indexes.
        linked: ids at the ends of new or changed relations.
        previous_seq: the namespace's journal number before.
        last_seq: the namespace's journal number after.
        lifted: ids of memories in which a person says again what was rejected.
        records: each intention, procedure or review that was added or moved, as it is now, by id.
        waiting: by the id of a new memory or procedure that waits for a person: its review, or that
            of an earlier one that proposes the same.
    """

    memories: Mapping[str, Memory]
    refused: tuple[Refusal, ...]
    indexed: tuple[Stored, ...]
    dropped: tuple[str, ...]
    previous_seq: int
    last_seq: int
    linked: tuple[str, ...] = ()
    lifted: tuple[str, ...] = ()
    records: Mapping[str, Record] = field(default_factory=dict)
    waiting: Mapping[str, Review] = field(default_factory=dict)

    def carried_out(self, changes: Iterable[Change]) -> list[Change]:
        """Those of the changes that were not refused."""
        refused = {id(refusal.change) for refusal in self.refused}
        return [change for change in changes if id(change) not in refused]


def targets(changes: Sequence[Change]) -> list[str]:
    """The memories whose rows the changes need."""
    return list(dict.fromkeys(chain.from_iterable(change.touches for change in changes)))


def carry_out(
    services: Services,
    namespace: str,
    proposed: Sequence[Change] | Callable[[Transaction], Sequence[Change]],
    *,
    actor: Actor,
    guard: GuardConfig | None = None,
) -> Applied:
    """As `apply`, now, in a transaction of their own, whose rows a function may look at first."""

    def work(writer: Transaction) -> Applied:
        changes = proposed(writer) if callable(proposed) else proposed
        now = services.runtime.now()
        return apply(writer, namespace, changes, now=now, actor=actor, guard=guard)

    applied = services.ledger.write(namespace, work)
    services.update_indexes(namespace, applied)
    return applied


def plan_changes(
    rows: Mapping[str, Stored],
    changes: Sequence[Change],
    *,
    now: datetime,
    actor: Actor,
    relations: Iterable[Relation],
    previous_seq: int,
) -> Applied:
    """What `apply` would do, without doing it.

    Args:
        rows: the memories that the changes name (see `targets`), as they are, by id.
        changes: what is proposed.
        now: the moment of the changes.
        actor: who proposes them.
        relations: the namespace's relations, if the actor is a run.
        previous_seq: the namespace's journal number before the changes.
    """
    batch = Batch(rows, now, actor, relations)
    return _carried_out(batch, changes, first=previous_seq + 1, previous=previous_seq)


def apply(
    writer: Transaction,
    namespace: str,
    changes: Sequence[Change],
    *,
    now: datetime,
    actor: Actor,
    guard: GuardConfig | None = None,
) -> Applied:
    """Carry out changes of one namespace inside the caller's transaction.

    A change that pinned or immutable forbids is left out and listed in `Applied.refused`; so is a
    new text for what is a document's, a change whose memory does not exist in this namespace, and
    one that brings back what a person rejected. The other changes go through. What the guard wants
    reviewed goes into quarantine, and what it would have replaced stays as it is.

    Args:
        writer: the transaction.
        namespace: where.
        changes: what is proposed.
        now: the moment of the changes.
        actor: who proposes them.
        guard: which kinds wait for a person; None: the changes are somebody's own decision.
    """
    ns = writer.at(namespace)
    numbers = sum(change.numbers for change in changes)
    first, previous = ns.journal.allocate(numbers, record_follows=True)
    rows = ns.memories.stored(targets(changes))
    sources = [change.target for change in changes if isinstance(change, (Link, Unlink))]
    relations = ns.relations.of_memories(sources) if actor.run_id and sources else ()
    records: dict[str, Record] = {}
    ids = [change.target for change in changes if isinstance(change, AgentChange)]
    for table in (ns.intentions, ns.procedures, ns.reviews) if ids else ():
        records |= table.by_ids(ids)
    authors = Authors(writer, namespace, actor, now)
    ruling = rule(authors, changes, rows)
    held = hold(authors, changes, rows, refused=ruling.refused, guard=guard)
    ends = closing(authors, changes, rows, records)
    records |= {end.target: end.former for end in ends}
    added = [*held.reviews, *ends]
    if added:  # the numbers of one transaction follow each other
        ns.journal.allocate(len(added), record_follows=True)
    changes = [*held.changes, *added]
    reasons = dict.fromkeys(held.withheld, QUEUED) | dict.fromkeys(ruling.refused, REJECTED)
    batch = Batch(rows, now, actor, relations, records)
    applied = _carried_out(batch, changes, first=first, previous=previous, refused=reasons)
    batch.write(ns)
    record(authors, applied.carried_out(changes), ruling)
    lifted = tuple(ruling.lifting)
    return replace(applied, lifted=lifted, records=batch.kept, waiting=held.waiting)


def _carried_out(
    batch: Batch,
    changes: Sequence[Change],
    *,
    first: int,
    previous: int,
    refused: Mapping[int, str] = MappingProxyType({}),
) -> Applied:
    """`refused`: places of changes that are not to be carried out, and why."""
    seq = first
    left_out: list[Refusal] = []
    for place, change in enumerate(changes):
        reason = refused.get(place) or change.refusal(batch)
        if reason:
            left_out.append(Refusal(change, reason))
        else:
            change.carry_out(batch, seq)
        seq += change.numbers
    touched = list(dict.fromkeys([*batch.inserted, *batch.touched]))
    moved = [batch.rows[memory_id] for memory_id in touched if memory_id in batch.moved]
    indexed = [stored for stored in moved if stored.memory.state == "active"]
    dropped = [stored.memory.id for stored in moved if stored.memory.state != "active"]
    return Applied(
        memories={memory_id: batch.rows[memory_id].memory for memory_id in touched},
        refused=tuple(left_out),
        indexed=tuple(indexed),
        dropped=(*dropped, *batch.dropped),
        previous_seq=previous,
        last_seq=seq - 1,
        linked=batch.linked_ids,
    )
