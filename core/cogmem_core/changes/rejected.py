"""What a person rejected does not come back by itself: the one place that asks, lifts and records it.

A memory that was forgotten, edited or corrected leaves digests of what it claimed. A new text that
claims the same is refused, unless the person says it again: then the rejection is lifted. The
digests are keyed with a secret of the ledger, so that they tell nobody who has only them what was
forgotten.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain

from cogmem_core.changes.agents import Keep, Move, claim_of
from cogmem_core.changes.authors import Authors
from cogmem_core.changes.batch import Actor
from cogmem_core.changes.proposed import Change, Put, Retire, Revive, Rewrite, Withdraw
from cogmem_core.edge.clauses import reading_of, said
from cogmem_core.ports import Stored
from cogmem_core.reading.claims import Claim, claims
from cogmem_core.storage.ledger.documents import ITEM
from cogmem_core.storage.ledger.meta import REJECTIONS_KEY
from cogmem_core.storage.ledger.rejections import Rejection
from cogmem_core.storage.ledger.transaction import Transaction
from cogmem_core.values.models import Intention, Memory, Procedure

REJECTED = "a person rejected that"
"""Why a change is refused."""

_TRIGGER = ("at", "when", "on_session", "every", "times", "until", "session_id")
_ASKED = ("encoding", "user")
"""Actors who say what a person says."""


@dataclass(slots=True)
class Ruling:
    """What rejections mean to some changes.

    Attributes:
        refused: places of the changes that bring back what was rejected.
        lifted: rejected claims that a person says again.
        lifting: ids of the memories in which he does.
        restored: ids of memories that a person brought back.
        former: memories as they were before the changes.
    """

    former: Mapping[str, Memory]
    refused: set[int] = field(default_factory=set)
    lifted: set[str] = field(default_factory=set)
    lifting: list[str] = field(default_factory=list)
    restored: list[str] = field(default_factory=list)


def rule(authors: Authors, changes: Sequence[Change], rows: Mapping[str, Stored]) -> Ruling:
    """Which changes bring back what was rejected, and which rejections end.

    Taking back a cycle is neither: it states nothing. In a compartment counts also what was rejected
    where all of its readers read.
    """
    ruling = Ruling({name: stored.memory for name, stored in rows.items()})
    actor = authors.actor
    secret = authors.writer.meta.get(REJECTIONS_KEY)
    if actor.name == "undo" or secret is None:  # nothing was ever rejected in this ledger
        return ruling
    found = _rejected(authors, secret.encode(), _statements(changes, rows, actor))
    refused_ids: set[str] = set()
    for place, change in enumerate(changes):
        if change.gives_way_to in refused_ids:
            ruling.refused.add(place)
            continue
        if place not in found:
            continue
        by_person, rejected = found[place]
        if by_person and (rejected or isinstance(change, Revive)):
            by_person = not authors.is_agents_word(change)
        if by_person and isinstance(change, Revive):
            ruling.restored.append(change.target)
        if rejected and by_person:
            ruling.lifted |= rejected
            ruling.lifting.append(change.target)
        elif rejected:
            ruling.refused.add(place)
            refused_ids.add(change.target)
    return ruling


def _statements(
    changes: Sequence[Change], rows: Mapping[str, Stored], actor: Actor
) -> dict[int, tuple[bool, Sequence[Claim]]]:
    """By the place of each change that states something: whether a person states it, and what it claims."""
    told: dict[int, tuple[bool, Sequence[Claim]]] = {}
    for place, change in enumerate(changes):
        if isinstance(change, Keep):
            told[place] = (actor.is_person, [claim_of(change.record)])
        elif memory := _stated(change, rows, actor):
            told[place] = (_is_by_person(memory, change, actor), _new_claims(change, memory, rows))
    return told


def _rejected(
    authors: Authors, key: bytes, told: Mapping[int, tuple[bool, Sequence[Claim]]]
) -> dict[int, tuple[bool, set[str]]]:
    """The same with the rejected ones of these claims; each namespace is asked once."""
    found = {place: (by_person, set[str]()) for place, (by_person, _) in told.items()}
    for name in (authors.ns.name, *authors.wider()):
        digests = {place: _digests(key, name, stated) for place, (_, stated) in told.items()}
        known = authors.writer.at(name).rejections.of({*chain.from_iterable(digests.values())})
        for place, each in digests.items():
            found[place][1].update(known[digest] for digest in each if digest in known)
    return found


def record(authors: Authors, carried_out: Sequence[Change], ruling: Ruling) -> None:
    """Lift what is said again, and record what the changes that were carried out reject."""
    ns = authors.ns
    ns.rejections.lift(ruling.lifted)
    ns.rejections.lift_of(ruling.restored)
    rejecting = list(_rejecting(carried_out, ruling.former))
    if rejecting:
        kept_forms = _forms(claim for change in carried_out for claim in _claims_made(change))
        reject_texts(authors.writer, ns.name, rejecting, authors.now, kept=kept_forms)
    for change in carried_out:
        if isinstance(change, Move) and change.rejects:
            claimed = [claim_of(change.record)]
            _reject(authors.writer, ns.name, change.target, claimed, authors.now)


def _rejecting(changes: Iterable[Change], former: Mapping[str, Memory]) -> Iterator[Memory]:
    """The memories whose claims are rejected; of withdrawn clauses their own."""
    for change in changes:
        memory = former.get(change.target)
        if memory is None:
            continue
        if isinstance(change, (Retire, Rewrite)) and change.rejects:
            yield memory
        elif isinstance(change, Withdraw) and change.rejects:
            clauses = reading_of(memory).clauses
            for state in change.clauses:
                yield replace(memory, content=said(memory, clauses[state.number]))


def reject_texts(
    writer: Transaction,
    namespace: str,
    memories: Iterable[Memory],
    now: datetime,
    *,
    kept: frozenset[str] = frozenset(),
) -> None:
    """Reject what memories claim, but for the forms that are `kept`."""
    for memory in memories:
        rejected = [claim for claim in _claims_of(memory) if claim.isdisjoint(kept)]
        _reject(writer, namespace, memory.id, rejected, now)


def proposal_digest(
    writer: Transaction,
    namespace: str,
    new: Memory | Procedure | Intention,
    replaced: Iterable[Memory],
) -> str:
    """What tells a proposal from others: what it states, and in whose place.

    Keyed as what is rejected, so that it tells nobody what was proposed.
    """
    beside = ""
    if not isinstance(new, Memory):
        trigger = repr([getattr(new, name, None) for name in _TRIGGER])
        beside = f"trigger\x00{new.trigger if isinstance(new, Procedure) else trigger}"
    elif new.category == "item":
        beside = f"document\x00{new.metadata.get(ITEM)!r}"
    stated = [*_claims_of(new)] if isinstance(new, Memory) else [claim_of(new)]
    stated += [frozenset((beside,))] if beside else []
    replaced_claims = chain.from_iterable(map(_claims_of, replaced))
    parts = [sorted(map(sorted, stated)), sorted(map(sorted, replaced_claims))]
    (digest,) = _digests(_key(writer), namespace, [frozenset((f"proposal\x00{parts!r}",))])
    return digest


def _reject(
    writer: Transaction, namespace: str, target: str, rejected: Iterable[Claim], now: datetime
) -> None:
    """Record the digests of what the target, a memory or a record, claimed."""
    key = _key(writer)
    rows: dict[str, Rejection] = {}
    for claim in rejected:
        digests = sorted(_digests(key, namespace, [claim]))
        rows |= {name: Rejection(name, digests[0], target) for name in digests}
    if rows:
        writer.at(namespace).rejections.add(list(rows.values()), now)


def _stated(change: Change, rows: Mapping[str, Stored], actor: Actor) -> Memory | None:
    """The memory whose text a change brings into recall; None if it brings none.

    A document's text is the application's own, unless a principal put it there.
    """
    memory = None
    if isinstance(change, (Put, Rewrite)):
        memory = change.stored.memory
    elif isinstance(change, Revive) and change.memory_id in rows:
        return rows[change.memory_id].memory
    if memory is None or memory.state != "active":
        return None
    return None if memory.category == "item" and not actor.principal else memory


def _is_by_person(memory: Memory, change: Change, actor: Actor) -> bool:
    """Whether a person says it: in a message, or by hand. What is restored by hand is meant, too."""
    if actor.name not in _ASKED:
        return False
    by_hand = actor.name == "user" and not isinstance(change, Put)
    return by_hand or memory.data_source == "user_message"


def _new_claims(change: Change, memory: Memory, rows: Mapping[str, Stored]) -> list[Claim]:
    """What a text claims that its former one did not."""
    former = rows.get(memory.id) if isinstance(change, Rewrite) else None
    former_forms = _forms(_claims_of(former.memory)) if former else frozenset()
    return [claim for claim in _claims_of(memory) if claim.isdisjoint(former_forms)]


def _claims_made(change: Change) -> tuple[Claim, ...]:
    if not isinstance(change, (Put, Rewrite)) or change.stored.memory.state != "active":
        return ()
    return _claims_of(change.stored.memory)


def _claims_of(memory: Memory) -> tuple[Claim, ...]:
    return claims(memory.content, memory.speaker)


def _forms(statements: Iterable[Claim]) -> frozenset[str]:
    return frozenset().union(*statements)


def _key(writer: Transaction) -> bytes:
    return writer.meta.claim(REJECTIONS_KEY, secrets.token_hex(32)).encode()


def _digests(key: bytes, namespace: str, statements: Iterable[Claim]) -> set[str]:
    messages = (f"{namespace}\x00{form}".encode() for form in _forms(statements))
    return {hmac.new(key, message, hashlib.sha256).hexdigest()[:32] for message in messages}
