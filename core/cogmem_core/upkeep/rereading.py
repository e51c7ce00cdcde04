"""Texts of an earlier cogmem, or read by an earlier reader, are read in pages, while the bank answers."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter

from cogmem_core.changes import Actor, Change, Touch, apply
from cogmem_core.edge.clauses import read_anew
from cogmem_core.process.services import Services
from cogmem_core.storage.ledger.clauses import rows_of
from cogmem_core.storage.ledger.ledger import READER_KEY, Ledger
from cogmem_core.storage.ledger.memories import EVERYTHING, pages_of
from cogmem_core.storage.ledger.transaction import Namespace
from cogmem_core.storage.ledger.whole import Key
from cogmem_core.values.models import Memory
from cogmem_core.values.readings import VERSION

BEGINNING: Key = (-1, "")
_PAGE = 200
_SYSTEM = Actor("reader")


def all_read(ledger: Ledger) -> bool:
    """Whether every text was read by this reader."""
    with ledger.whole() as reader:
        return reader.meta.get(READER_KEY) == str(VERSION)


def read_page(services: Services, after: Key = BEGINNING) -> Key | None:
    """Read some of the texts that were not read by this reader.

    Each page is committed whole, and what was read is not read again: interrupted, it goes on where
    it stopped. A clause stands as it did, also where another reader cut it otherwise.

    Returns:
        Where the next page begins; None if every text is read.
    """
    if all_read(services.ledger):
        return None
    with services.ledger.whole() as reader:
        waiting = reader.readings.outdated(_PAGE, after=after)
    for namespace, rows in groupby(sorted(waiting, key=itemgetter(1)), key=itemgetter(1)):
        _read(services, namespace, [key[1] for key, _ in rows])
    if waiting:
        return waiting[-1][0]
    with services.ledger.writing(None) as writer:
        if writer.readings.outdated(1):  # somebody wrote them meanwhile
            return BEGINNING
        writer.meta.set(READER_KEY, str(VERSION))
    return None


def _read(services: Services, namespace: str, memory_ids: list[str]) -> None:
    with services.ledger.writing(namespace) as writer:
        ns = writer.at(namespace)
        changes: list[Change] = []
        read = []
        for memory in ns.memories.by_ids(memory_ids).values():
            fresh = read_anew(memory)
            if fresh.clause_states == memory.clause_states:
                read.append(fresh)
            else:
                fields = {"reading": fresh.reading, "clause_states": fresh.clause_states}
                changes.append(Touch(memory.id, fields, "its text was read anew"))
        ns.memories.update({memory.id: {"reading": memory.reading} for memory in read})
        ns.clauses.put(read)
        if changes:
            apply(writer, namespace, changes, now=services.runtime.now(), actor=_SYSTEM)


def differing_clauses(ns: Namespace) -> list[Memory]:
    """The memories, of those that this reader has read, from which the index of clauses differs."""
    stored = ns.clauses.by_memory()
    differing: list[Memory] = []
    for page in pages_of(ns.memories, EVERYTHING, limit=_PAGE):
        for memory in page:
            is_read = memory.reading is not None and memory.reading.version == VERSION
            if is_read and stored.get(memory.id, []) != list(rows_of(memory)):
                differing.append(memory)
    return differing
