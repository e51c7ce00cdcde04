"""A bank whose memories also rest on other namespaces: where each is kept, and what is withdrawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from cogmem_core import access
from cogmem_core.access import (
    OPERATOR,
    REWORDED,
    Policy,
    compartment,
    may,
    parts_of,
    policy_of,
    read_policy,
    record,
    require_principal,
    standings,
)
from cogmem_core.changes import Actor, Change, Retire, Touch, carry_out
from cogmem_core.edge import checks
from cogmem_core.engine import reading
from cogmem_core.engine.rights import require, words_wait
from cogmem_core.erasure import erase
from cogmem_core.errors import InvalidInput, NotAllowed, NotFound
from cogmem_core.process.services import Services
from cogmem_core.retrieval.spread import without_sources
from cogmem_core.storage.ledger.memories import Filter
from cogmem_core.storage.ledger.transaction import Namespace, Transaction
from cogmem_core.text.plural import counted
from cogmem_core.upkeep import lifecycle
from cogmem_core.values.access_records import (
    HELD_BY,
    THE_OPERATOR,
    WRITTEN_BY,
    Decision,
    Right,
)
from cogmem_core.values.models import Grant, Intention, Memory, Principal, Procedure
from cogmem_core.values.results import ForgetReceipt, Page

if TYPE_CHECKING:
    from cogmem_core.engine.bank import MemoryBank
    from cogmem_core.engine.engine import Engine


_GONE = ("forgotten", "quarantined")
_JOINED = ("memory_ids", "remaining", "erased", "candidates", "shortened")
"""What the receipts of several parts list one after the other."""
_WITHDRAWN = "what it rests on was taken back"


def parts(bank: MemoryBank, right: Right = "read") -> tuple[str, ...]:
    """The namespace of a bank, and those of its compartments in which its principal has a right."""
    services = bank.engine.open_services
    with services.ledger.reading(bank.namespace) as ns:
        if not ns.journal.counters().compartments:
            return (bank.namespace,)
    names = policy_of(services).compartments_of(bank.namespace)
    return (bank.namespace, *(x for x in names if may(services, bank.principal, x, right)))


def find(bank: MemoryBank, memory_id: str) -> Memory:
    """The memory of that id, in the namespace or in one of its compartments.

    Raises:
        NotFound: there is no such memory, or it may not be read.
        InvalidInput: the id is unusable.
    """
    services = bank.engine.open_services
    try:
        return reading.get(services, bank.namespace, memory_id)
    except NotFound:
        for part in parts(bank)[1:]:
            with services.ledger.whole() as reader:
                memory = reader.at(part).memories.by_ids([memory_id]).get(memory_id)
                if memory is not None and not without_sources(reader, part, [memory_id]):
                    return memory
        raise


def page(
    bank: MemoryBank, where: Filter, *, limit: int, cursor: str | None, newest_first: bool
) -> Page:
    """A page of the memories of all parts, oldest first or newest first."""
    checks.flag("newest_first", newest_first)
    size = checks.positive("limit", limit)
    after_id = checks.cursor(cursor)
    memories: list[Memory] = []
    for name in parts(bank):
        with bank.engine.open_services.ledger.reading(name) as ns:
            memories += ns.memories.page(
                where, limit=size + 1, after_id=after_id, newest_first=newest_first
            )
    memories.sort(key=lambda memory: memory.id, reverse=newest_first)
    shown = tuple(memories[:size])
    return Page(shown, shown[-1].id if len(memories) > size else None)


def count(bank: MemoryBank, where: Filter) -> int:
    """How many memories of all parts a filter leaves."""
    total = 0
    for name in parts(bank):
        with bank.engine.open_services.ledger.reading(name) as ns:
            total += ns.memories.count(where)
    return total


def in_each_part(
    bank: MemoryBank, forget: Callable[[str], ForgetReceipt], *, hard: bool, whole: bool = False
) -> ForgetReceipt:
    """Forget in the namespace and in its compartments; then what rests on that, wherever it is.

    Args:
        bank: whose memories.
        forget: does it in one of them.
        hard: for good.
        whole: also in compartments that the principal may not read; of these the receipt is silent.

    Raises:
        NotFound: no part has what is to go.
        NotAllowed: for good, and the principal is no administrator.
    """
    if hard is True:
        require(bank, "admin")
    services = bank.engine.open_services
    own_parts = parts(bank, "write")
    names = own_parts
    if whole:
        names = (
            *own_parts,
            *set(policy_of(services).compartments_of(bank.namespace)).difference(own_parts),
        )
    receipts: list[ForgetReceipt] = []
    missing: NotFound | None = None
    for name in names:
        try:
            receipt = forget(name)
        except NotFound as error:
            missing = missing or error
        else:
            receipts += [receipt] if name in own_parts else []
    if not receipts and missing is not None:
        raise missing
    first = receipts[0]
    if not first.dry_run:
        withdraw(bank.engine, names, hard=hard)
    if len(receipts) == 1:
        return first
    joined: dict[str, Any] = {
        name: tuple(chain.from_iterable(map(attrgetter(name), receipts))) for name in _JOINED
    }
    return replace(
        first,
        **joined,
        episodes=sum(receipt.episodes for receipt in receipts),
        files_scanned=max(receipt.files_scanned for receipt in receipts),
        others=sum((Counter(receipt.others) for receipt in receipts), Counter()),
    )


class Support(NamedTuple):
    """What a new memory is derived from.

    Attributes:
        namespace: where it is kept: in the namespace that was named, or in its compartment for
            what it rests on.
        rests_on: (namespace, id) of its sources.
    """

    namespace: str
    rests_on: tuple[tuple[str, str], ...]


def support_of(bank: MemoryBank, support: Iterable[Memory | str]) -> Support:
    """The memories that a new one is derived from, as they are now.

    Raises:
        InvalidInput: one is neither a memory nor the id of one.
        NotFound: one is not there, or was forgotten.
        NotAllowed: the principal may not read one.
    """
    services = bank.engine.open_services
    sources: dict[str, Memory] = {}
    for item in checks.listed("support", support, "memories"):
        if isinstance(item, Memory):
            for name in parts_of(item.namespace):
                if not may(services, bank.principal, name, "read"):
                    raise NotAllowed(
                        f"{bank.principal!r} may not read what support holds; leave it out"
                    )
            memory = reading.get(services, item.namespace, item.id)
        elif isinstance(item, str):
            memory = find(bank, item)
        else:
            raise InvalidInput(
                f"support holds a {type(item).__name__}; give memories, or ids of this bank"
            )
        if memory.state in _GONE:
            raise NotFound(f"memory {memory.id!r} was forgotten; nothing can rest on it")
        sources[memory.id] = memory
    rests_on = tuple((memory.namespace, memory.id) for memory in sources.values())
    return Support(compartment(bank.namespace, (name for name, _ in rests_on)), rests_on)


def hold(bank: MemoryBank, memory_id: str) -> Memory:
    """Stand for a memory as its reviewer."""
    memory = find(bank, memory_id)
    name = bank.principal or THE_OPERATOR
    not_its_own(bank, memory)
    if memory.metadata.get(HELD_BY) == name:
        return memory
    fields = {"metadata": {**memory.metadata, HELD_BY: name}}
    with bank._changing("hold", id=memory.id):
        held = Touch(memory.id, fields, f"held by {name}")
        return lifecycle.touch(bank.engine.services, memory, held)


def not_its_own(bank: MemoryBank, target: Memory | Procedure | Intention) -> None:
    """Go on unless an agent, or a service, would decide about what it, or its like, proposed.

    Procedures, intentions and documents carry no writer: about these only people decide.

    Raises:
        NotAllowed: it would.
    """
    policy = policy_of(bank.engine.open_services)
    deciding = policy.principals.get(bank.principal)
    if bank.principal == OPERATOR or (deciding is not None and deciding.kind == "person"):
        return
    if not isinstance(target, Memory) or target.category == "item":
        kind = "document" if isinstance(target, Memory) else type(target).__name__.lower()
        raise NotAllowed(
            f"{bank.principal!r} is no person; only people, and the operator, decide about {kind}s"
        )
    with bank.engine.open_services.ledger.whole() as reader:
        witnessed = standings(bank.engine.open_services, reader, [target])[target.id]
    if policy.root(bank.principal) in map(policy.root, witnessed.witnesses):
        raise NotAllowed(
            f"{bank.principal!r} may not decide about what it wrote itself, or another agent of the "
            "same owner did; ask a person, or another reviewer"
        )


def waits(bank: MemoryBank, memory: Memory) -> bool:
    """Whether a new text for a memory waits."""
    return not (memory.immutable or memory.category == "item") and words_wait(bank)


def rewording(principal: str, memory: Memory) -> Touch | None:
    """What a principal's new text changes besides: it is its word alone now."""
    if principal == OPERATOR:
        return None
    metadata = {name: value for name, value in memory.metadata.items() if name != HELD_BY}
    metadata |= {WRITTEN_BY: principal, REWORDED: True}
    return Touch(memory.id, {"metadata": metadata}, f"in the words of {principal}")


def why_allowed(bank: MemoryBank, principal: str, memory_id: str) -> Decision:
    """Whether a principal may read a memory, and why."""
    services = bank.engine.open_services
    policy = policy_of(services)
    name = checks.identifier("principal", principal)
    asked_by = bank.principal
    if asked_by not in (OPERATOR, *policy.owners(name)):
        require(bank, "admin")
    require_principal(policy, "principal", name)
    memory = find(bank, memory_id)
    decision = policy.decide(name, memory.namespace, "read", services.runtime.now())
    with services.ledger.whole() as reader:
        witnessed = standings(services, reader, [memory])[memory.id]
    return replace(decision, standing=witnessed.standing, witnesses=witnessed.witnesses)


def add_principal(engine: Engine, name: str, *, kind: str, owner: str | None) -> Principal:
    """Add a principal, or change its kind and owner; what it may read no more is withdrawn."""
    principal = access.add_principal(engine.open_services, name, kind=kind, owner=owner)
    withdraw_unread(engine)
    return principal


def granted(engine: Engine, grant: Grant) -> Grant:
    """A grant that was made just now; what it denies is withdrawn."""
    if grant.effect == "deny":
        withdraw_unread(engine)
    return grant


def revoke(engine: Engine, grant_id: str, *, by: str = OPERATOR) -> Grant:
    """Revoke a grant, and withdraw what was derived by it."""
    revoked = access.revoke(engine.open_services, grant_id, by=by)
    withdraw_unread(engine)
    return revoked


def withdraw(engine: Engine, namespaces: Iterable[str], *, hard: bool = False) -> int:
    """Take back what rests on memories of these namespaces that are gone, and what rests on that.

    Args:
        engine: whose memories.
        namespaces: where memories went.
        hard: what rests on erased memories is erased, too.

    Returns:
        How many memories were withdrawn.
    """
    services = engine.open_services
    waiting = list(dict.fromkeys(namespaces))
    total = 0
    while waiting:
        name = waiting.pop()
        lost: dict[str, set[str]] = {}
        with services.ledger.whole() as reader:
            resting = reader.access.resting_on(name)
            source_ids = [item.source_id for item in resting]
            sources = reader.at(name).memories.by_ids(source_ids) if resting else {}
        for item in resting:
            source = sources.get(item.source_id)
            if source is None or source.state in _GONE:
                lost.setdefault(item.namespace, set()).add(item.memory_id)
        for part, ids in lost.items():
            withdrawn = _take_back(engine, part, ids, hard=hard)
            total += withdrawn
            waiting += [part] if withdrawn else []
    return total


def withdraw_unread(engine: Engine) -> int:
    """Take back what principals derived from namespaces that they may not read any more.

    Returns:
        How many memories were withdrawn.
    """
    services = engine.open_services
    with services.ledger.whole() as reader:
        policy = read_policy(services, reader)
        lost = {name: _unread(services, reader, policy, name) for name in policy.compartments}
    total = 0
    for part, ids in lost.items():
        if ids:
            total += _take_back(engine, part, ids, hard=False)
            total += withdraw(engine, [part])
    return total


def _unread(services: Services, reader: Transaction, policy: Policy, namespace: str) -> set[str]:
    """Memories of a compartment whose writer may not read all that they rest on."""
    now = services.runtime.now()
    resting = reader.at(namespace).derivations.all()
    memories = reader.at(namespace).memories.by_ids(list(resting))
    unread: set[str] = set()
    for memory in memories.values():
        writer = memory.metadata.get(WRITTEN_BY)
        names = {name for name, _ in resting[memory.id]}
        if writer and not all(policy.may(str(writer), name, "read", now) for name in names):
            unread.add(memory.id)
    return unread


def _take_back(engine: Engine, namespace: str, ids: set[str], *, hard: bool) -> int:
    """Withdraw memories of one namespace, and all that was made of them there."""
    services = engine.open_services
    with services.ledger.reading(namespace) as ns:
        memories = list(ns.memories.by_ids(sorted(_with_descendants(ns, ids))).values())
    present = [memory for memory in memories if hard or memory.state != "forgotten"]
    if not present:
        return 0
    if hard:
        engine.prepare_erasure(namespace)
        erase(services, engine.follower, namespace, present, folder=engine.folder, whole=False)
    else:
        ids = {memory.id for memory in present}

        def withdrawals(writer: Transaction) -> list[Change]:
            # The worker may have been here meanwhile.
            rows = writer.at(namespace).memories.by_ids(sorted(ids)).values()
            return [
                Retire(row.id, "forgotten", _WITHDRAWN) for row in rows if row.state != "forgotten"
            ]

        if not carry_out(services, namespace, withdrawals, actor=Actor("user")).memories:
            return 0
    reason = f"{counted(len(present), 'memory', 'memories')}: {_WITHDRAWN}"
    namespaces = " ".join(parts_of(namespace))
    with services.ledger.beside() as writer:
        record(services, writer, "", "withdraw", namespaces=namespaces, reason=reason)
    engine.changed()
    return len(present)


def _with_descendants(ns: Namespace, ids: set[str]) -> set[str]:
    """Memories with all that was derived from any of them, or took one in, to a fixed point."""
    closed = set(ids)
    derived = list(ns.overview.derived())
    while True:
        members = ns.memories.by_ids(sorted(closed)).values()
        fresh = {memory.superseded_by for memory in members if memory.superseded_by}
        fresh |= {x.id for x in derived if not closed.isdisjoint(x.support)}
        if fresh <= closed:
            return closed
        closed |= fresh
