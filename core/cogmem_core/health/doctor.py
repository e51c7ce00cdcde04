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
from itertools import islice
from pathlib import Path

from sqlalchemy import text

from cogmem_core.encoding.commit import finish_queued
from cogmem_core.erasure import finish_pending
from cogmem_core.errors import CogMemError, StoreError
from cogmem_core.reindex import reembed
from cogmem_core.results import Diagnosis, Symptom
from cogmem_core.services import Services
from cogmem_core.storage.files.scan import files, sizes
from cogmem_core.storage.ledger import integrity
from cogmem_core.storage.vectors.chroma.generations import leftovers, remove_others
from cogmem_core.storage.vectors.follower import ChromaFollower
from cogmem_core.text.keys import content_hash
from cogmem_core.text.plural import counted, first_of

__all__ = ["CHECKS", "Patient", "examine"]

_LISTED = 3
_LEASES = 2  # no process holds a namespace for longer than one lease from now; clocks may differ
_AHEAD = timedelta(minutes=1)
_ROOM = 64 * 2**20  # bytes; the least that a bank needs to go on
_OTHERS = stat.S_IRWXO


@dataclass
class Patient:
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
    """`look` tells what is wrong, "" if nothing is; `mend` repairs it, None = only a person can."""

    look: Callable[[Patient], str]
    mend: Callable[[Patient], object] | None = None


def examine(patient: Patient, *, repair: bool) -> Diagnosis:
    """Make all checks, in their order; with `repair`, repair what they find.

    Raises:
        StoreError: the ledger cannot be read at all.
    """
    found: list[Symptom] = []
    for kind, check in CHECKS.items():
        try:
            told = check.look(patient)
        except StoreError as error:
            # A ledger that lacks a table, or is torn, can be asked about the rest once that is
            # repaired.
            if not found:
                raise
            patient.skipped.append(f"The {kind} could not be examined: {error}.")
            continue
        if told:
            found.append(_treated(patient, kind, told) if repair else Symptom(kind, told))
    return Diagnosis(tuple(found), tuple(dict.fromkeys(patient.skipped)))


def _treated(patient: Patient, kind: str, told: str) -> Symptom:
    check = CHECKS[kind]
    if check.mend is None:
        return Symptom(kind, told)
    try:
        check.mend(patient)
        left = check.look(patient)
    except (CogMemError, OSError) as error:
        return Symptom(kind, f"{told} The repair failed: {error}")
    return Symptom(kind, left or told, repaired=not left)


def _placed(found: list[tuple[str, str]]) -> str:
    """Ids, each with its namespace: neither a command nor a call finds it without."""
    return first_of([f"{memory_id} in {namespace!r}" for memory_id, namespace in found], _LISTED)


def _schema(patient: Patient) -> str:
    with patient.services.ledger.database.reading() as connection:
        missing = integrity.missing_from_schema(connection)
    if not missing:
        return ""
    return f"The ledger lacks {first_of(missing, _LISTED)}. A table or an index can be made anew, empty; a column cannot."


def _mend_schema(patient: Patient) -> None:
    with patient.services.ledger.alone() as connection:
        integrity.mend_schema(connection)


def _integrity(patient: Patient) -> str:
    with patient.services.ledger.database.reading() as connection:
        problems = integrity.damaged_pages(connection, indexes=True)
    if not problems:
        return ""
    return (
        f"The ledger is damaged: {first_of(problems, _LISTED)}. Its indexes can be made anew; "
        "if that does not help, restore a backup, or save what can be read with `cogm export`."
    )


def _reindex_tables(patient: Patient) -> None:
    with patient.services.ledger.alone() as connection:
        connection.execute(text("REINDEX"))


def _rows(patient: Patient) -> str:
    with patient.services.ledger.database.reading() as connection:
        damaged = list(islice(integrity.unreadable(connection), 1_000))
    if not damaged:
        return ""
    return (
        f"{counted(len(damaged), 'memory', 'memories')} cannot be read: {_placed(damaged)}. "
        "Restore a backup: "
        "what needs them fails, and their namespaces have no dream cycles."
    )


def _journal(patient: Patient) -> str:
    with patient.services.ledger.database.reading() as connection:
        behind = integrity.wrong_numbers(connection)
    if not behind:
        return ""
    return (
        f"In {counted(len(behind), 'namespace', 'namespaces')} memories carry journal numbers "
        "above the counters, "
        "so that no index hears of them. The counters can be raised, and the indexes built anew."
    )


def _mend_numbers(patient: Patient) -> None:
    services = patient.services
    with services.ledger.alone() as connection:
        integrity.mend_numbers(connection, services.runtime.now())
    _rebuild(patient)


def _rebuild(patient: Patient) -> None:
    patient.services.searcher.views.clear()
    patient.follower.rebuild()


def _embedder(patient: Patient) -> str:
    mine = patient.services.embedder.fingerprint
    with patient.services.ledger.reading() as reader:
        count = reader.count_foreign(mine)
    if not count:
        return ""
    have = counted(count, "memory has", "memories have")
    return (
        f"{have} a vector of another embedder than {mine!r}, so that only their words are searched."
    )


def _reembed(patient: Patient) -> None:
    reembed(patient.services, patient.services.embedder)
    patient.services.searcher.views.clear()


def _queue(patient: Patient) -> str:
    with patient.services.ledger.reading() as reader:
        waiting = [turn for name in reader.namespaces() for turn in reader.queued(name, 1_000)]
        waiting = waiting or reader.queued(None, 1_000)
    if not waiting:
        return ""
    reason = next((turn.reason for turn in waiting if turn.reason), "")
    wait = counted(len(waiting), "turn waits", "turns wait")
    return f"{wait} to become memories{f': {reason}' if reason else ''}."


def _finish_turns(patient: Patient) -> None:
    while finish_queued(patient.services)[0]:
        pass


def _erasures(patient: Patient) -> str:
    jobs = patient.services.ledger.pending_erasures()
    if not jobs:
        return ""
    open_ = counted(len(jobs), "erasure is", "erasures are")
    return f"{open_} not finished: what was erased may still be on the disk."


def _finish_erasures(patient: Patient) -> None:
    finish_pending(patient.services, patient.follower)


def _held(patient: Patient) -> list[str]:
    services = patient.services
    longest = timedelta(seconds=_LEASES * services.config.consolidation.lease_seconds)
    with services.ledger.database.reading() as connection:
        return integrity.stale_leases(connection, services.runtime.now(), longest)


def _leases(patient: Patient) -> str:
    held = _held(patient)
    return (
        f"A dream cycle that never ended holds {counted(len(held), 'namespace', 'namespaces')}."
        if held
        else ""
    )


def _end_leases(patient: Patient) -> None:
    held = _held(patient)
    with patient.services.ledger.alone() as connection:
        integrity.end_leases(connection, held)


def _orphans(patient: Patient) -> str:
    with patient.services.ledger.database.reading() as connection:
        found = integrity.orphans(connection)
    if not found:
        return ""
    told = ", ".join(f"{name} ({count})" for name, count in found.items())
    return f"These rows belong to something that is not there: {told}. They can be deleted; no memory is."


def _drop_orphans(patient: Patient) -> None:
    with patient.services.ledger.alone() as connection:
        integrity.drop_orphans(connection)
    patient.services.searcher.views.clear()


def _generations(patient: Patient) -> str:
    if patient.indexes is None:
        return ""
    left = leftovers(patient.indexes, patient.services.ledger.load_generation())
    return (
        f"Old index folders were left behind: {first_of([path.name for path in left], _LISTED)}."
        if left
        else ""
    )


def _remove_leftovers(patient: Patient) -> None:
    state = patient.services.ledger.load_generation()
    # Only who holds the index may: another engine may be filling a new folder.
    if patient.indexes is None or not _caught_up(patient):
        return
    if patient.follower.loaded:
        remove_others(patient.indexes, state.number if state else 0)
    else:
        patient.follower.rebuild()


def _caught_up(patient: Patient) -> bool:
    """The index is open here and equal to the journal; else `skipped` says why it is not."""
    follower = patient.follower
    follower.survey()
    while follower.step():
        pass
    if not follower.index.ready and (follower.loaded or follower.trouble):
        trouble = follower.trouble or "it is not open"
        patient.skipped.append(f"The vector index was not examined: {trouble}.")
        return False
    return True


def _index(patient: Patient) -> str:
    if not _caught_up(patient):
        return ""
    differing = patient.follower.differing()
    vectors = counted(differing, "vector", "vectors")
    return f"The vector index differs from the ledger in {vectors}." if differing else ""


def _content(patient: Patient) -> str:
    with patient.services.ledger.database.reading() as connection:
        damaged = list(islice(integrity.damaged_texts(connection, content_hash), 1_000))
    if not damaged:
        return ""
    return (
        f"The text of {counted(len(damaged), 'memory', 'memories')} is not the one that was "
        "written: "
        f"{_placed(damaged)}. Compare with a backup; `cogm edit -n NAMESPACE ID TEXT` settles what "
        "is right."
    )


def _permissions(patient: Patient) -> str:
    open_to = [path.name for path in _private(patient) if _mode(path) & _OTHERS]
    return f"Every user of this machine may open {first_of(open_to, _LISTED)}." if open_to else ""


def _private(patient: Patient) -> list[Path]:
    """The folder shuts out everybody from what is in it; without one that does, each file must."""
    folder = patient.folder
    if folder is None or os.name == "nt" or not _mode(folder) & _OTHERS:
        return []
    return [folder, *(path for path in files(folder) if path.parent == folder)]


def _mode(path: Path) -> int:
    """Who may open a file; nobody one that a running engine has just removed."""
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return 0


def _shut(patient: Patient) -> None:
    for path in _private(patient):
        if mode := _mode(path) & _OTHERS:
            path.chmod(_mode(path) & ~mode)


def _disk(patient: Patient) -> str:
    if patient.folder is None:
        return ""
    room = shutil.disk_usage(patient.folder).free
    held = sum(sizes(patient.folder))
    if room >= max(_ROOM, held):
        return ""
    return (
        f"The disk has {room / 2**20:,.0f} MiB left; the bank holds {held / 2**20:,.0f} MiB, and "
        "building its "
        "index anew may take as much. Free some."
    )


def _clock(patient: Patient) -> str:
    services = patient.services
    with services.ledger.database.reading() as connection:
        newest = integrity.newest_write(connection)
    now = services.runtime.now()
    if newest is None or newest <= now + _AHEAD:
        return ""
    return (
        f"The clock says {now:%Y-%m-%d %H:%M}, but the last change was made at "
        f"{newest:%Y-%m-%d %H:%M} (UTC): "
        "until then nothing fades. Set the clock."
    )


CHECKS: Mapping[str, Check] = {
    "schema": Check(_schema, _mend_schema),
    "integrity": Check(_integrity, _reindex_tables),
    "rows": Check(_rows),
    "journal": Check(_journal, _mend_numbers),
    "embedder": Check(_embedder, _reembed),
    "queue": Check(_queue, _finish_turns),
    "erasures": Check(_erasures, _finish_erasures),
    "leases": Check(_leases, _end_leases),
    "orphans": Check(_orphans, _drop_orphans),
    "generations": Check(_generations, _remove_leftovers),
    "index": Check(_index, _rebuild),
    "content": Check(_content),
    "permissions": Check(_permissions, _shut),
    "disk": Check(_disk),
    "clock": Check(_clock),
}
"""In the order in which they are made: what later ones rely on comes first."""
