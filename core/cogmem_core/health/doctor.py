"""Examining a bank, and repairing what can be repaired: the ledger, the indexes, the files, the clock.

A check is a pair of functions: the first says in a sentence what is wrong ("" if all is well), the
second repairs it. After a repair the first runs again, so a problem that is reported as repaired is
really gone.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection

from cogmem_core.encoding.commit import finish_queued
from cogmem_core.erasure import finish_pending
from cogmem_core.errors import CogMemError, StoreError
from cogmem_core.process.services import Services
from cogmem_core.storage.files.scan import files, sizes
from cogmem_core.storage.ledger import integrity
from cogmem_core.storage.vectors.chroma.generations import leftovers, remove_others
from cogmem_core.storage.vectors.follower import ChromaFollower
from cogmem_core.text.plural import counted, first_of
from cogmem_core.upkeep.reindex import reembed
from cogmem_core.upkeep.rereading import differing_clauses
from cogmem_core.values.models import Episode
from cogmem_core.values.results import Diagnosis, Symptom

Answer = TypeVar("Answer")
_LISTED = 3
_LEASES = 2  # no process holds a namespace for longer than one lease from now; clocks may differ
_CLOCK_TOLERANCE = timedelta(minutes=1)
_LEAST_FREE = 64 * 2**20  # bytes; the least that a bank needs to go on
_OTHER_USERS = stat.S_IRWXO


@dataclass
class ExaminedBank:
    """A bank under examination.

    Attributes:
        folder: of the bank; None = in memory, or on servers.
        indexes: the folder of the vector index's generations.
        skipped: what could not be examined.
    """

    services: Services
    follower: ChromaFollower
    folder: Path | None
    indexes: Path | None
    skipped: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Check:
    """`find_problem` says what is wrong, or "".

    `repair` repairs it, or is None if only a person can. What is `quick` to find stands in
    `Engine.health`, too.
    """

    find_problem: Callable[[ExaminedBank], str]
    repair: Callable[[ExaminedBank], object] | None = None
    quick: bool = False


def examine(bank: ExaminedBank, *, repair: bool) -> Diagnosis:
    """Make all checks, in their order; with `repair`, repair what they find.

    Raises:
        StoreError: the ledger cannot be read at all.
    """
    symptoms: list[Symptom] = []
    for kind, check in CHECKS.items():
        try:
            problem = check.find_problem(bank)
        except StoreError as error:
            # A ledger that lacks a table, or is torn, can be asked about the rest once that is
            # repaired.
            if not symptoms:
                raise
            bank.skipped.append(f"The {kind} could not be examined: {error}.")
            continue
        if problem:
            symptoms.append(
                _repaired_symptom(bank, kind, problem) if repair else Symptom(kind, problem)
            )
            if kind == "folder":
                bank.skipped.append("Nothing else was examined: it would be of another bank.")
                break
    return Diagnosis(tuple(symptoms), tuple(dict.fromkeys(bank.skipped)))


def quick_look(bank: ExaminedBank) -> list[str]:
    """What is wrong, as far as it is found without reading every memory; where another bank lies, nothing."""
    if _folder(bank):
        return []
    problems = (check.find_problem(bank) for check in CHECKS.values() if check.quick)
    return list(filter(None, problems))


def _repaired_symptom(bank: ExaminedBank, kind: str, problem: str) -> Symptom:
    check = CHECKS[kind]
    if check.repair is None:
        return Symptom(kind, problem)
    try:
        check.repair(bank)
        remaining = check.find_problem(bank)
    except (CogMemError, OSError) as error:
        return Symptom(kind, f"{problem} The repair failed: {error}")
    return Symptom(kind, remaining or problem, repaired=not remaining)


def _ids_with_namespaces(memories: list[tuple[str, str]]) -> str:
    """Ids, each with its namespace: neither a command nor a call finds it without."""
    return first_of([f"{memory_id} in {namespace!r}" for memory_id, namespace in memories], _LISTED)


def _asked(bank: ExaminedBank, question: Callable[[Connection], Answer]) -> Answer:
    """What the ledger answers, of one snapshot."""
    with bank.services.ledger.database.reading() as connection:
        return question(connection)


def _mended(bank: ExaminedBank, repair: Callable[[Connection], None]) -> None:
    """Repair the ledger while nobody else writes."""
    with bank.services.ledger.alone() as connection:
        repair(connection)


def _folder(bank: ExaminedBank) -> str:
    trouble = bank.services.ledger.database.trouble
    return (
        f"{trouble[:1].upper()}{trouble[1:]}. Open the bank again, where it is." if trouble else ""
    )


def _schema(bank: ExaminedBank) -> str:
    missing = _asked(bank, integrity.missing_from_schema)
    if not missing:
        return ""
    return (
        f"The ledger lacks {first_of(missing, _LISTED)}. "
        "A table or an index can be made anew, empty; a column cannot."
    )


def _integrity(bank: ExaminedBank) -> str:
    problems = _asked(bank, partial(integrity.damaged_pages, indexes=True))
    if not problems:
        return ""
    return (
        f"The ledger is damaged: {first_of(problems, _LISTED)}. Its indexes can be made anew; "
        "if that does not help, restore a backup, or save what can be read with `cogm export`."
    )


def _rows(bank: ExaminedBank) -> str:
    damaged = _asked(bank, integrity.unreadable)
    if not damaged:
        return ""
    return (
        f"{counted(len(damaged), 'memory', 'memories')} cannot be read: "
        f"{_ids_with_namespaces(damaged)}. "
        "Restore a backup: "
        "what needs them fails, and their namespaces have no dream cycles."
    )


def _journal(bank: ExaminedBank) -> str:
    behind = _asked(bank, integrity.wrong_numbers)
    if not behind:
        return ""
    return (
        f"In {counted(len(behind), 'namespace', 'namespaces')} memories carry journal numbers "
        "above the counters, "
        "so that no index hears of them. The counters can be raised, and the indexes built anew."
    )


def _repair_numbers(bank: ExaminedBank) -> None:
    _mended(bank, partial(integrity.mend_numbers, now=bank.services.runtime.now()))
    _rebuild(bank)


def _rebuild(bank: ExaminedBank) -> None:
    bank.services.searcher.views.clear()
    bank.follower.rebuild()


def _embedder(bank: ExaminedBank) -> str:
    fingerprint = bank.services.embedder.fingerprint
    with bank.services.ledger.whole() as reader:
        count = reader.embeddings.count_foreign(fingerprint)
    if not count:
        return ""
    have = counted(count, "memory has", "memories have")
    return f"{have} a vector of another embedder than {fingerprint!r}, so that only their words are searched."


def _reembed(bank: ExaminedBank) -> None:
    reembed(bank.services, bank.services.embedder)
    bank.services.searcher.views.clear()


def _queue(bank: ExaminedBank) -> str:
    with bank.services.ledger.whole() as reader:
        waiting: list[Episode] = []
        for name in reader.namespaces.names():
            waiting += reader.at(name).turns.queued(1_000)
        waiting = waiting or reader.queued(1_000)
    if not waiting:
        return ""
    reason = next((turn.reason for turn in waiting if turn.reason), "")
    wait = counted(len(waiting), "turn waits", "turns wait")
    return f"{wait} to become memories{f': {reason}' if reason else ''}."


def _finish_turns(bank: ExaminedBank) -> None:
    while finish_queued(bank.services)[0]:
        pass


def _erasures(bank: ExaminedBank) -> str:
    jobs = bank.services.ledger.pending_erasures()
    if not jobs:
        return ""
    open_ = counted(len(jobs), "erasure is", "erasures are")
    return f"{open_} not finished: what was erased may still be on the disk."


def _finish_erasures(bank: ExaminedBank) -> None:
    finish_pending(bank.services, bank.follower)


def _stale_leases(bank: ExaminedBank) -> list[str]:
    services = bank.services
    longest = timedelta(seconds=_LEASES * services.config.consolidation.lease_seconds)
    return _asked(
        bank, partial(integrity.stale_leases, now=services.runtime.now(), longest=longest)
    )


def _leases(bank: ExaminedBank) -> str:
    held = _stale_leases(bank)
    if not held:
        return ""
    return f"A dream cycle that never ended holds {counted(len(held), 'namespace', 'namespaces')}."


def _end_leases(bank: ExaminedBank) -> None:
    _mended(bank, partial(integrity.end_leases, namespaces=_stale_leases(bank)))


def _orphans(bank: ExaminedBank) -> str:
    counts = _asked(bank, integrity.orphans)
    if not counts:
        return ""
    tables = ", ".join(f"{name} ({count})" for name, count in counts.items())
    return f"These rows belong to something that is not there: {tables}. They can be deleted; no memory is."


def _drop_orphans(bank: ExaminedBank) -> None:
    _mended(bank, integrity.drop_orphans)
    bank.services.searcher.views.clear()


def _clauses(bank: ExaminedBank) -> str:
    with bank.services.ledger.whole() as reader:
        count = sum(len(differing_clauses(reader.at(name))) for name in reader.namespaces.names())
    if not count:
        return ""
    return f"The index of clauses differs from {counted(count, 'memory', 'memories')}. It can be made anew."


def _index_clauses(bank: ExaminedBank) -> None:
    with bank.services.ledger.writing(None) as writer:
        for name in writer.namespaces.names():
            ns = writer.at(name)
            ns.clauses.put(differing_clauses(ns))


def _generations(bank: ExaminedBank) -> str:
    if bank.indexes is None:
        return ""
    old_folders = leftovers(bank.indexes, bank.services.ledger.load_generation())
    if not old_folders:
        return ""
    names = first_of([path.name for path in old_folders], _LISTED)
    return f"Old index folders were left behind: {names}."


def _remove_leftovers(bank: ExaminedBank) -> None:
    state = bank.services.ledger.load_generation()
    # Only who holds the index may: another engine may be filling a new folder.
    if bank.indexes is None or not _index_is_current(bank):
        return
    if bank.follower.loaded:
        remove_others(bank.indexes, state.number if state else 0)
    else:
        bank.follower.rebuild()


def _index_is_current(bank: ExaminedBank) -> bool:
    """The index is open here and equal to the journal; else `skipped` says why it is not."""
    follower = bank.follower
    follower.survey()
    while follower.step():
        pass
    if not follower.index.ready and (follower.loaded or follower.trouble):
        trouble = follower.trouble or "it is not open"
        bank.skipped.append(f"The vector index was not examined: {trouble}.")
        return False
    return True


def _index(bank: ExaminedBank) -> str:
    if not _index_is_current(bank):
        return ""
    differing = bank.follower.differing()
    vectors = counted(differing, "vector", "vectors")
    return f"The vector index differs from the ledger in {vectors}." if differing else ""


def _content(bank: ExaminedBank) -> str:
    damaged = _asked(bank, integrity.damaged_texts)
    if not damaged:
        return ""
    return (
        f"The text of {counted(len(damaged), 'memory', 'memories')} is not the one that was "
        "written: "
        f"{_ids_with_namespaces(damaged)}. Compare with a backup; `cogm edit -n NAMESPACE ID TEXT` "
        "settles what "
        "is right."
    )


def _permissions(bank: ExaminedBank) -> str:
    open_to = [path.name for path in _private(bank) if _mode(path) & _OTHER_USERS]
    return f"Every user of this machine may open {first_of(open_to, _LISTED)}." if open_to else ""


def _private(bank: ExaminedBank) -> list[Path]:
    """The folder shuts out everybody from what is in it; without one that does, each file must."""
    folder = bank.folder
    if folder is None or os.name == "nt" or not _mode(folder) & _OTHER_USERS:
        return []
    return [folder, *(path for path in files(folder) if path.parent == folder)]


def _mode(path: Path) -> int:
    """Who may open a file; nobody one that a running engine has just removed."""
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return 0


def _restrict_permissions(bank: ExaminedBank) -> None:
    for path in _private(bank):
        if mode := _mode(path) & _OTHER_USERS:
            path.chmod(_mode(path) & ~mode)


def _disk(bank: ExaminedBank) -> str:
    if bank.folder is None:
        return ""
    free = shutil.disk_usage(bank.folder).free
    bank_size = sum(sizes(bank.folder))
    if free >= max(_LEAST_FREE, bank_size):
        return ""
    return (
        f"The disk has {free / 2**20:,.0f} MiB left; the bank holds {bank_size / 2**20:,.0f} MiB, "
        "and "
        "building its "
        "index anew may take as much. Free some."
    )


def _clock(bank: ExaminedBank) -> str:
    services = bank.services
    newest = _asked(bank, integrity.newest_write)
    now = services.runtime.now()
    if newest is None or newest <= now + _CLOCK_TOLERANCE:
        return ""
    return (
        f"The clock says {now:%Y-%m-%d %H:%M}, but the last change was made at "
        f"{newest:%Y-%m-%d %H:%M} (UTC): "
        "until then nothing fades. Set the clock."
    )


CHECKS: Mapping[str, Check] = {
    "folder": Check(_folder),
    "schema": Check(_schema, partial(_mended, repair=integrity.mend_schema)),
    "integrity": Check(_integrity, partial(_mended, repair=integrity.reindex)),
    "rows": Check(_rows),
    "journal": Check(_journal, _repair_numbers),
    "embedder": Check(_embedder, _reembed, quick=True),
    "queue": Check(_queue, _finish_turns),
    "erasures": Check(_erasures, _finish_erasures, quick=True),
    "leases": Check(_leases, _end_leases),
    "orphans": Check(_orphans, _drop_orphans),
    "clauses": Check(_clauses, _index_clauses),
    "generations": Check(_generations, _remove_leftovers),
    "index": Check(_index, _rebuild),
    "content": Check(_content),
    "permissions": Check(_permissions, _restrict_permissions, quick=True),
    "disk": Check(_disk, quick=True),
    "clock": Check(_clock),
}
"""In the order in which they are made: what later ones rely on comes first."""
