"""What changes a bank: remembering, adding, importing, editing, dream cycles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal, get_args

from cogmem_core import transfer
from cogmem_core.access import OPERATOR
from cogmem_core.config.consolidation import STEP_NAMES
from cogmem_core.consolidation import CycleControl, CycleRequest, consolidate
from cogmem_core.edge import checks
from cogmem_core.encoding import commit, keep
from cogmem_core.encoding.add_memory import Statement, state_memory
from cogmem_core.encoding.sanitize import (
    SealedTurn,
    checked_entries,
    checked_turns,
    sanitize_wording,
)
from cogmem_core.encoding.seals import NOT_KEPT
from cogmem_core.engine import tasks
from cogmem_core.engine.filters import checked_session
from cogmem_core.engine.reading import file_place
from cogmem_core.engine.rights import require, stamped, words_wait
from cogmem_core.engine.sharing import Support, find, hold, not_its_own, rewording, waits
from cogmem_core.errors import InvalidInput, NotAllowed, StoreError
from cogmem_core.observation import observe
from cogmem_core.upkeep import lifecycle
from cogmem_core.values.access_records import WRITTEN_BY
from cogmem_core.values.messages import Said, holds_no_words
from cogmem_core.values.models import Episode, Memory, Role, Turn
from cogmem_core.values.results import (
    ConsolidationReport,
    ImportReport,
    ObservationReport,
    Receipt,
    WriteReport,
)

if TYPE_CHECKING:
    from cogmem_core.engine.bank import MemoryBank
    from cogmem_core.engine.engine import Engine


_MODES = ("auto", "semantic", "raw", "hybrid")
_ROLES = get_args(Role)
_NOT_KEPT = Receipt("skipped", (), "not kept: incognito", "")
Progress = Callable[[int, int], None]
StepProgress = Callable[[str, int, int], None]


def remember(
    bank: MemoryBank,
    content: Said | Sequence[Said],
    *,
    defaults: Mapping[str, Any],
    mode: str | None = None,
    wait: bool = True,
    imported: bool = False,
) -> WriteReport:
    """Store turns and encode them, or leave that to the worker; incognito keep nothing.

    Args:
        bank: where.
        content: see `MemoryBank.remember`, as for the other arguments.
        defaults: the fields of `Turn` that bare texts get.
        mode: None = as configured.
        wait: False leaves the encoding to the worker.
        imported: the turns come from a file; only with `wait`.
    """
    engine = bank.engine
    namespace = bank.namespace
    services = bank._services().sealed(namespace)
    spoken, says = _spoken(content)
    given = _stamped(checked_turns(spoken, defaults, services.config), bank.principal)
    turns = _left(given)
    checks.flag("wait", wait)
    if mode is not None:
        mode = checks.choice("mode", mode, _MODES)
    mode = mode or services.config.encoding.mode
    if not (turns and bank.keeps):
        return _with_all(WriteReport((_NOT_KEPT,) * len(turns)), given, says)
    shared_ref = None if isinstance(content, (str, Turn, Mapping)) else defaults.get("ref")
    with services.log_operation("remember", namespace=namespace, turns=len(turns)) as record:
        if wait:
            with engine.worker.foreground:
                report = commit.remember_turns(
                    services, namespace, turns, mode, imported=imported, shared_ref=shared_ref
                )
        else:
            episodes = keep.keep_turns(services, namespace, turns, mode, shared_ref=shared_ref)
            receipts = [
                commit.known_receipt(episode)
                if episode.reason == keep.KNOWN
                else Receipt("queued", (), "finished in the background", episode.id)
                for episode in episodes
            ]
            report = WriteReport(commit.with_readings(receipts, episodes))
        record |= Counter(receipt.status for receipt in report.receipts)
    engine.changed()
    return _with_all(report, given, says)


def _left(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """The turns of which a seal leaves something."""
    return tuple(turn for turn in turns if turn.content != NOT_KEPT)


def _with_all(report: WriteReport, turns: Sequence[Turn], says: Sequence[bool]) -> WriteReport:
    """The report with a receipt for each turn, which names what took something out of it.

    And one for each message in which nothing is said, in order (`says`, of all messages, if there is one).
    """
    receipts = iter(report.receipts)
    each = iter(turns)
    told: list[Receipt] = []
    for is_spoken in says or [True] * len(turns):
        if not is_spoken:
            told.append(Receipt("skipped", (), "nothing is said in it", ""))
            continue
        turn = next(each)
        nothing = Receipt("skipped", (), "", "")
        receipt = nothing if turn.content == NOT_KEPT else next(receipts)
        if isinstance(turn, SealedTurn):
            note = f"not kept: {', '.join(f'sealed topic {seal!r}' for seal in turn.seals)}"
            reason, understood = (
                "; ".join(filter(None, (text, note))) for text in (receipt.reason, receipt.reading)
            )
            receipt = replace(receipt, reason=reason, reading=understood)
        told.append(receipt)
    return replace(report, receipts=tuple(told))


def _stamped(turns: Sequence[Turn], principal: str) -> tuple[Turn, ...]:
    """Turns that say which principal wrote them."""
    if principal == OPERATOR:
        return tuple(turns)
    return tuple(replace(turn, metadata=stamped(principal, turn.metadata)) for turn in turns)


def _spoken(
    content: Said | Sequence[Said],
) -> tuple[Said | Sequence[Said], Sequence[bool]]:
    """The content without messages that say nothing, and of each entry whether it says something."""
    if isinstance(content, Mapping):
        return ([], [False]) if holds_no_words(content) else (content, [True])
    if not isinstance(content, (list, tuple)):
        return content, ()
    says = [not holds_no_words(entry) for entry in content]
    if all(says):
        return content, ()
    return [entry for entry, is_spoken in zip(content, says, strict=True) if is_spoken], says


def end_of(
    engine: Engine,
    at: datetime | None,
    valid_until: datetime | None,
    expires_in: timedelta | float | None,
) -> datetime | None:
    """Until when something is true; None = open.

    Args:
        engine: whose clock.
        at: when it was said; now if None.
        valid_until: the end itself.
        expires_in: how long from then on, in seconds or as a `timedelta`.

    Raises:
        InvalidInput: both are given, or one is unusable.
    """
    if expires_in is None:
        return None if valid_until is None else checks.moment("valid_until", valid_until)
    if valid_until is not None:
        raise InvalidInput("valid_until and expires_in are both given; give one of them")
    seconds = expires_in.total_seconds() if isinstance(expires_in, timedelta) else expires_in
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not seconds > 0:
        raise InvalidInput(
            f"expires_in is {expires_in!r}; give a timedelta, or seconds, above 0; for a moment "
            "use valid_until"
        )
    begin = engine.open_services.runtime.now() if at is None else checks.moment("at", at)
    try:
        return begin + timedelta(seconds=seconds)
    except OverflowError:
        raise InvalidInput(
            f"expires_in is {expires_in!r}, beyond the year 9999; leave it out for no end"
        ) from None


def remember_or_hold(bank: MemoryBank, turns: Sequence[Turn]) -> None:
    """As `remember` without waiting; turns that cannot be written wait in RAM and are tried again.

    They are written before the next ones, before the next recall of a conversation, by the worker
    and at the end; `health()` tells how many wait, and how many were too many.

    Args:
        bank: where.
        turns: of a conversation, in order.

    Raises:
        InvalidInput: a turn is unusable; nothing waits.
        NotAllowed: the principal may not write; nothing waits.
        StoreError: the disk failed; the turns wait.
    """
    require(bank, "write")
    if not bank.keeps:
        return
    namespace = bank.namespace
    services = bank.engine.open_services
    turns = _stamped(turns, bank.principal)
    with suppress(StoreError):  # what waits does not hold up what is said now
        commit.write_unsaved(services, namespace)
    try:
        remember(bank, turns, defaults={}, wait=False)
    except StoreError:
        now = services.runtime.now()
        checked = _left(checked_turns(turns, {}, services.config))
        dated = [turn if turn.at is not None else replace(turn, at=now) for turn in checked]
        services.unsaved.hold(namespace, dated)
        raise


def add(bank: MemoryBank, fields: Mapping[str, Any], support: Support | None) -> Memory:
    """Store a memory as it is stated.

    Args:
        bank: where.
        fields: by name, as the arguments of `MemoryBank.add`.
        support: what it is derived from.
    """
    engine = bank.engine
    namespace = bank.namespace
    services = engine.open_services.sealed(namespace)
    statement = Statement.checked(fields, services.config)
    category = statement.category
    if support is not None:
        statement = replace(statement, rests_on=support.rests_on)
        if support.namespace != namespace:
            services.ledger.write_to(namespace, lambda ns: ns.derivations.open_compartments())
            namespace = support.namespace
    with services.log_operation("add", namespace=namespace, category=category) as record:
        memory = state_memory(services, namespace, statement)
        record["id"] = memory.id
    engine.changed()
    return memory


def take_notes(
    engine: Engine, namespace: str, messages: Said | Sequence[Said]
) -> ObservationReport:
    """Take notes of messages."""
    services = engine.open_services.sealed(namespace)
    turns = _left(checked_turns(messages, {}, services.config))
    with services.log_operation("observe", namespace=namespace, turns=len(turns)) as record:
        report = observe(services, namespace, turns)
        record["notes"] = len(report.notes)
        record["traces"] = len(report.traces)
        record["degraded"] = report.error
    return report


def append_messages(
    bank: MemoryBank,
    turns: Sequence[Said],
    *,
    session_id: str,
    remembered: Iterable[str],
) -> tuple[Episode, ...]:
    """Append turns to a transcript; those of the roles in `remembered` become memories."""
    namespace = bank.namespace
    services = bank._services().sealed(namespace)
    session = checked_session(services.config, session_id)
    names = [remembered] if isinstance(remembered, str) else checks.listed("remembered", remembered)
    roles = frozenset(checks.choice("remembered", role, _ROLES) for role in names)
    entries = _stamped(checked_entries(turns, session, services.config), bank.principal)
    if not (entries and bank.keeps):
        return ()
    turn_count = len(entries)
    with services.log_operation("append_messages", namespace=namespace, turns=turn_count) as record:
        mode = services.config.encoding.mode
        episodes = keep.keep_entries(services, namespace, entries, remembered=roles, mode=mode)
        record["queued"] = sum(episode.status == "queued" for episode in episodes)
    if record["queued"]:
        bank.engine.changed()
    return tuple(episodes)


def reword(
    bank: MemoryBank,
    op: Literal["edit", "supersede"],
    memory_id: str,
    content: str,
    *,
    whole: bool = False,
) -> Memory:
    """Give a memory another text, or put a new memory in its place.

    `whole`: nothing that only its former text said stays.
    """
    services = bank.engine.open_services.sealed(bank.namespace)
    text = checks.text("content", content, services.config.limits.content_bytes)
    text, _ = sanitize_wording("content", text, services.config.encoding)
    with bank._changing(op, id=memory_id):
        memory = find(bank, memory_id)
        new_text = rewording(bank.principal, memory)
        proposed = waits(bank, memory)
        if op == "supersede" or (proposed and text != memory.content):
            return lifecycle.supersede(services, memory, text, new_text, proposed=proposed)
        return lifecycle.edit(services, memory, text, new_text, whole=whole)


def end(bank: MemoryBank, memory_id: str, at: datetime | None) -> Memory:
    """Take a memory out of recall as one that was true until a moment."""
    with bank._changing("end", id=memory_id):
        memory = find(bank, memory_id)
        if words_wait(bank):
            raise NotAllowed(
                f"{bank.principal!r} is no person, and others read memory {memory_id}; say what holds "
                "now with supersede, which waits for a person"
            )
        return lifecycle.end(bank.engine.services, memory, at, bank.principal)


def restore(bank: MemoryBank, memory_id: str) -> Memory:
    """Bring a memory back into recall."""
    with bank._changing("restore", id=memory_id):
        memory = find(bank, memory_id)
        was_waiting = memory.state == "quarantined"
        if was_waiting and bank.principal != OPERATOR:
            require(bank, "review")
            not_its_own(bank, memory)
        memory = lifecycle.restore(bank.engine.services, memory, bank.principal)
        if was_waiting and WRITTEN_BY in memory.metadata:  # whoever approves stands for it
            memory = hold(bank, memory.id)
    return memory


def import_file(
    bank: MemoryBank,
    path: object,
    *,
    form: str,
    trust: float | None,
    mapping: Mapping[str, str] | None,
    removed: str,
    dry_run: bool,
    progress: Progress | None,
) -> ImportReport:
    """Read a file that `export` or another tool wrote."""
    # The readers of other tools' files are not loaded before one is to be read.
    from cogmem_core.engine import moving_in

    engine = bank.engine
    namespace = bank.namespace
    author = bank.principal if words_wait(bank) else OPERATOR
    checks.flag("dry_run", dry_run)
    form = checks.choice("format", form, moving_in.FORMATS)
    if mapping is not None and form in moving_in.UNMAPPED:
        raise InvalidInput(f"mapping is for tables; leave it out with format={form!r}")
    if trust is not None and form not in moving_in.OWN:
        raise InvalidInput(f"trust is for cogmem's own files; leave it out with format={form!r}")
    checked_trust = None if trust is None else checks.fraction("trust", trust)
    forget_removed = checks.choice("removed", removed, ("keep", "forget")) == "forget"
    if forget_removed and form not in ("auto", "markdown"):
        raise InvalidInput(f"removed is for Markdown files; leave it out with format={form!r}")
    if form == "skill":
        if dry_run:
            raise InvalidInput("dry_run is for files of many entries; leave it out")
        return tasks.import_skill(engine, namespace, path)
    place = file_place(path)
    if form != "cogmem" and checked_trust is None:
        return moving_in.import_place(
            engine,
            namespace,
            place,
            form=form,
            mapping=mapping,
            dry_run=dry_run,
            progress=progress,
            author=author,
            forget_removed=forget_removed,
        )
    report = transfer.import_file(
        engine.open_services,
        namespace,
        place,
        progress,
        checked_trust,
        dry_run=dry_run,
        author=author,
    )
    engine.changed()
    return report


def consolidate_bank(
    engine: Engine,
    namespace: str,
    *,
    steps: Iterable[str] | None,
    dry_run: bool = False,
    progress: StepProgress | None,
    cause: str = "manual",
) -> ConsolidationReport:
    """Run a dream cycle of these steps; as configured if None."""
    services = engine.open_services
    checks.flag("dry_run", dry_run)
    names: tuple[str, ...] = services.config.consolidation.steps
    if steps is not None:
        names = tuple(
            checks.choice("steps", name, STEP_NAMES) for name in checks.listed("steps", steps)
        )
    watch = CycleControl(engine.yield_to_foreground)
    if progress is not None:
        watch = replace(watch, progress=progress)
    report = consolidate(services, namespace, CycleRequest(names, dry_run, cause), watch)
    if report.changes and not dry_run:
        engine.changed()
    return report
