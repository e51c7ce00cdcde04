"""What a bank does to forget: by an id, by what is meant, by session, or everything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from cogmem_core import intentions, procedures
from cogmem_core.edge import checks
from cogmem_core.encoding.edit_memory import former_texts
from cogmem_core.encoding.sanitize import redact
from cogmem_core.engine import agenda
from cogmem_core.engine.filters import checked_session
from cogmem_core.erasure import erase
from cogmem_core.erasure.asked import ANYTHING, Asked
from cogmem_core.errors import InvalidInput, NotFound
from cogmem_core.process.services import Services
from cogmem_core.storage.ledger.memories import EVERYTHING, Filter
from cogmem_core.storage.ledger.record_kinds import MEMORIES
from cogmem_core.upkeep import lifecycle
from cogmem_core.values.models import Intention, Memory, Procedure
from cogmem_core.values.results import ForgetReceipt

if TYPE_CHECKING:
    from cogmem_core.engine.engine import Engine


def forget(
    engine: Engine, namespace: str, id_or_query: str | None, *, hard: bool, within: Filter
) -> ForgetReceipt:
    """Forget the memory of that id, or those that a query names, of what a filter leaves.

    Raises:
        NotFound: there is none.
    """
    services = engine.open_services
    checks.flag("hard", hard)
    record = agenda.find(services, namespace, id_or_query)
    if record is not None:
        return _forget_record(engine, namespace, record, hard=hard)
    if id_or_query is None:
        if not within.narrows:
            raise InvalidInput(
                "id_or_query is None and no filter is given; give an id, a query or a filter, or "
                "use forget_all"
            )
        memories, is_anything = _left_by(services, namespace, within, hard=hard)
        if not is_anything:
            raise NotFound(f"nothing in namespace {namespace!r} matches the given filters")
        return _forget_memories(engine, namespace, memories, hard=hard, asked=Asked(within=within))
    receipt = forget_matching(
        engine,
        namespace,
        id_or_query,
        argument="id_or_query",
        dry_run=False,
        hard=hard,
        within=within,
    )
    told = receipt.memory_ids or receipt.erased or receipt.remaining
    if not (told or any(candidate.meant for candidate in receipt.candidates)):
        redacted = redact(id_or_query, services.config.encoding)
        kept = ", or the given filters leave it out" if within.narrows else ""
        raise NotFound(
            f"nothing in namespace {namespace!r} has the id or holds all words of {redacted!r}{kept}, "
            "several speakers told it of themselves, or a clause tells other things beside it; "
            "bank.forget_matching(query) and bank.list() show what is there"
        )
    return receipt


def _forget_record(
    engine: Engine, namespace: str, record: Intention | Procedure, *, hard: bool
) -> ForgetReceipt:
    """Cancel an intention or retire a procedure, or erase it and what else holds its words."""
    services = engine.open_services
    with services.log_operation("forget", namespace=namespace, hard=hard, id=record.id):
        if not hard:
            agenda.drop(services, namespace, record)
            return ForgetReceipt((record.id,), hard=False)
        engine.prepare_erasure(namespace)
        receipt = erase(
            services,
            engine.follower,
            namespace,
            [],
            folder=engine.folder,
            whole=False,
            records=[record.id],
        )
    engine.changed()
    return replace(receipt, memory_ids=(record.id,), others={})


def forget_matching(
    engine: Engine,
    namespace: str,
    query: str,
    *,
    dry_run: bool,
    hard: bool,
    argument: str = "query",
    within: Filter = EVERYTHING,
) -> ForgetReceipt:
    """Forget what a query names, or tell what it names; `argument` is what the caller calls it."""
    services = engine.open_services
    checks.flag("hard", hard)
    checks.flag("dry_run", dry_run)
    text = checks.text(argument, query, services.config.limits.query_bytes)
    meaning = lifecycle.matching(
        services, namespace, text, hard=hard, dry_run=dry_run, within=within
    )
    memories = meaning.memories
    candidates = meaning.candidates
    found = meaning.found
    left = () if found is None else found.left
    if dry_run or not (memories or (found is not None and found.is_anything)):
        ids = tuple(memory.id for memory in memories)
        return ForgetReceipt(ids, hard=hard, remaining=left, candidates=candidates, dry_run=dry_run)
    receipt = _forget_memories(engine, namespace, memories, hard=hard, asked=meaning.asked)
    return replace(receipt, candidates=() if hard else candidates)


def _left_by(
    services: Services, namespace: str, within: Filter, *, hard: bool
) -> tuple[list[Memory], bool]:
    """The memories that a filter leaves, and whether it leaves anything; for good, of whatever kind."""
    if not hard:
        memories = lifecycle.everything(services, namespace, within)
        return memories, bool(memories)
    with services.ledger.reading(namespace) as ns:
        found = Asked(within=within).found(ns)
    return list(found.rows[MEMORIES].values()), found.is_anything


def forget_session(engine: Engine, namespace: str, session_id: str, *, hard: bool) -> ForgetReceipt:
    """Forget the memories of a conversation."""
    checks.flag("hard", hard)
    services = engine.open_services
    session = checked_session(services.config, session_id)
    services.unsaved.forget(namespace, session)
    asked = Asked(within=Filter(session_id=session))
    memories, _ = _left_by(services, namespace, asked.within, hard=hard)
    stated = intentions.all_of(services, namespace, None)
    records = [intention for intention in stated if intention.session_id == session]
    return _forget_memories(engine, namespace, memories, hard=hard, records=records, asked=asked)


def forget_all(engine: Engine, namespace: str, *, hard: bool) -> ForgetReceipt:
    """Forget everything in a namespace."""
    checks.flag("hard", hard)
    services = engine.open_services
    services.unsaved.forget(namespace)
    memories = lifecycle.everything(services, namespace)
    records: list[Intention | Procedure] = [
        *intentions.all_of(services, namespace, None),
        *procedures.all_of(services, namespace, None),
    ]
    return _forget_memories(engine, namespace, memories, hard=hard, whole=True, records=records)


def _forget_memories(
    engine: Engine,
    namespace: str,
    memories: Sequence[Memory],
    *,
    hard: bool,
    whole: bool = False,
    records: Sequence[Intention | Procedure] = (),
    asked: Asked = ANYTHING,
) -> ForgetReceipt:
    """Forget memories, and the intentions and procedures that go with them."""
    services = engine.open_services
    former: list[Memory] = []
    if not whole:
        with services.ledger.reading(namespace) as ns:
            former = former_texts(ns, memories)
    # Of a namespace that is erased as a whole, the log must not hold the name.
    logged_namespace = None if whole and hard else namespace
    with services.log_operation("forget", namespace=logged_namespace, hard=hard) as record:
        record["memories"] = len(memories)
        if hard:
            engine.prepare_erasure(namespace)
            receipt = erase(
                services,
                engine.follower,
                namespace,
                [*memories, *former],
                folder=engine.folder,
                whole=whole,
                records=[found.id for found in records],
                asked=asked,
            )
        else:
            ended = Counter(agenda.drop(services, namespace, found) for found in records)
            receipt = lifecycle.retire(services, namespace, [*memories, *former], asked.within)
            receipt = replace(receipt, others={kind: n for kind, n in ended.items() if kind})
    engine.changed()
    beside = {memory.id for memory in former}
    ids = tuple(name for name in receipt.memory_ids if name not in beside)
    return replace(receipt, memory_ids=ids)
