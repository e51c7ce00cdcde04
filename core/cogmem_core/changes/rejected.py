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


def rule(
    writer: Transaction,
    changes: Sequence[Change],
    rows: Mapping[str, Stored],
    authors: Authors,
) -> Ruling:
    """Which changes bring back what was rejected, and which rejections end.

    Taking back a cycle is neither: it states nothing. In a compartment counts also what was rejected
    where all of its readers read.
    """
    ruling = Ruling({name: stored.memory for name, stored in rows.items()})
    actor = authors.actor
    secret = writer.meta.get(REJECTIONS_KEY)
    if actor.name == "undo" or secret is None:  # nothing was ever rejected in this ledger
        return ruling
    told = ((place, _statement(change, rows, actor)) for place, change in enumerate(changes))
    statements = {place: statement for place, statement in told if statement is not None}
    names = (authors.namespace, *authors.wider())
    stated = {place: statement[1] for place, statement in statements.items()}
    found = _rejected(writer, secret.encode(), names, stated)
    refused_ids: set[str] = set()
    for place, change in enumerate(changes):
        if change.gives_way_to in refused_ids:
            ruling.refused.add(place)
            continue
        if place not in statements:
            continue
        by_person, _ = statements[place]
        rejected = found[place]
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


def _statement(
    change: Change, rows: Mapping[str, Stored], actor: Actor
) -> tuple[bool, Sequence[Claim]] | None:
    """Whether a person states what a change brings, and what that claims; None if it states nothing."""
    if isinstance(change, Keep):
        return actor.is_person, [claim_of(change.record)]
    memory = _stated(change, rows, actor)
    if memory is None:
        return None
    return _is_by_person(memory, change, actor), _new_claims(change, memory, rows)


def _rejected(
    writer: Transaction, key: bytes, names: Iterable[str], stated: Mapping[int, Sequence[Claim]]
) -> dict[int, set[str]]:
    """The rejected statements among those of each place; each namespace is asked once."""
    found: dict[int, set[str]] = {place: set() for place in stated}
    for name in names:
        digests = {place: _digests(key, name, each) for place, each in stated.items()}
        known = writer.at(name).rejections.of(set(chain.from_iterable(digests.values())))
        for place, each in digests.items():
            found[place].update(known[digest] for digest in each if digest in known)
    return found


def record(
    writer: Transaction,
    namespace: str,
    carried_out: Sequence[Change],
    ruling: Ruling,
    now: datetime,
) -> None:
    """Lift what is said again, and record what the changes that were carried out reject."""
    table = writer.at(namespace).rejections
    table.lift(ruling.lifted)
    table.lift_of(ruling.restored)
    rejecting = list(_rejecting(carried_out, ruling.former))
    if rejecting:
        kept_forms = _forms(claim for change in carried_out for claim in _claims_made(change))
        reject_texts(writer, namespace, rejecting, now, kept=kept_forms)
    moves = [change for change in carried_out if isinstance(change, Move) and change.rejects]
    for change in moves:
        _reject(writer, namespace, change.target, [claim_of(change.record)], now)


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
        stated = claims(memory.content, memory.speaker)
        rejected = [claim for claim in stated if claim.isdisjoint(kept)]
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
    if isinstance(new, Memory):
        stated = [*claims(new.content, new.speaker), *_address_of(new)]
    else:
        stated = [claim_of(new), frozenset((f"trigger\x00{_trigger_of(new)}",))]
    replaced_claims = chain.from_iterable(claims(old.content, old.speaker) for old in replaced)
    parts = [sorted(map(sorted, stated)), sorted(map(sorted, replaced_claims))]
    (digest,) = _digests(_key(writer), namespace, [frozenset((f"proposal\x00{parts!r}",))])
    return digest


def _address_of(memory: Memory) -> list[Claim]:
    """Of a document's text: which document it is."""
    if memory.category != "item":
        return []
    return [frozenset((f"document\x00{memory.metadata.get(ITEM)!r}",))]


def _trigger_of(record: Procedure | Intention) -> str:
    if isinstance(record, Procedure):
        return record.trigger
    return repr([getattr(record, name) for name in _TRIGGER])


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
    stated = claims(memory.content, memory.speaker)
    former = rows.get(memory.id) if isinstance(change, Rewrite) else None
    if former is None:
        return list(stated)
    former_forms = _forms(claims(former.memory.content, former.memory.speaker))
    return [claim for claim in stated if claim.isdisjoint(former_forms)]


def _claims_made(change: Change) -> tuple[Claim, ...]:
    if not isinstance(change, (Put, Rewrite)):
        return ()
    memory = change.stored.memory
    return claims(memory.content, memory.speaker) if memory.state == "active" else ()


def _forms(statements: Iterable[Claim]) -> frozenset[str]:
    return frozenset().union(*statements)


def _key(writer: Transaction) -> bytes:
    return writer.meta.claim(REJECTIONS_KEY, secrets.token_hex(32)).encode()


def _digests(key: bytes, namespace: str, statements: Iterable[Claim]) -> set[str]:
    digests: set[str] = set()
    for form in _forms(statements):
        message = f"{namespace}\x00{form}".encode()
        digests.add(hmac.new(key, message, hashlib.sha256).hexdigest()[:32])
    return digests
