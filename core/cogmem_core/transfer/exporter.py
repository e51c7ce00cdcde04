"""Export: one consistent snapshot, written whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, get_args

from cogmem_core.base.grouping import grouped
from cogmem_core.errors import InvalidInput, StoreError
from cogmem_core.process.services import Services
from cogmem_core.storage.ledger.memories import Filter, pages_of
from cogmem_core.storage.ledger.transaction import Namespace, Transaction
from cogmem_core.storage.ledger.turns import all_of
from cogmem_core.transfer import records
from cogmem_core.transfer.places import Place, writing
from cogmem_core.values.models import Episode, NoteLevel

Lines = Iterator[dict[str, Any]]


def export_file(
    services: Services,
    namespace: str,
    path: Place,
    progress: Callable[[int, int], None] | None,
    *,
    within: Filter,
    compartments: Sequence[str],
) -> int:
    """Write a namespace as JSON Lines: turns, notes, and all memories with vectors and everything that hangs on them.

    `within` leaves only memories that match, with what hangs on these alone: the turns that they
    came from, relations between them, documents whose texts they are; no notes. Of `compartments`
    the memories, with what they rest on.

    Returns the number of memories. A file appears when it is complete; on failure there is none.

    Raises:
        InvalidInput: the path names no file.
        StoreError: the file cannot be written.
    """
    if isinstance(path, Path) and path.name in ("", ".."):
        raise InvalidInput(f"path is {str(path)!r}, a folder; give the path of the file to write")
    count = 0
    try:
        with services.ledger.whole() as reader, writing(path) as file:
            names = (namespace, *compartments)
            total = sum(reader.at(name).memories.count(within) for name in names)
            for line in _ended(_lines(services, reader, names, within)):
                file.write(json.dumps(line, ensure_ascii=False, sort_keys=True) + "\n")
                if line["kind"] == "memory":
                    count += 1
                    if progress:
                        progress(count, total)
    except OSError as error:
        raise StoreError(
            f"cannot write the export {path}: {error}; name a file in a writable folder"
        ) from error
    return count


def _ended(lines: Lines) -> Lines:
    """Behind the lines one that counts them, so that a file which was cut off is recognised."""
    count = 0
    for count, line in enumerate(lines, 1):  # noqa: B007 - used below
        yield line
    yield {"kind": "end", "lines": count}


def _lines(services: Services, reader: Transaction, names: Sequence[str], within: Filter) -> Lines:
    """All lines of a namespace; `names`: the namespace, then its compartments."""
    head = {"kind": "header", "format": records.FORMAT, "version": records.VERSION}
    ns = reader.at(names[0])
    seals = {} if within.narrows else {"seals": ns.seals.all()}
    yield {**head, "namespace": names[0], "embedder": services.embedder.fingerprint, **seals}
    kept_ids = set(ns.memories.ids(within)) if within.narrows else None
    yield from map(records.write, _turns(ns, kept_ids))
    for name in names:
        yield from _memories(reader.at(name), within)
    yield from _annotations(ns, kept_ids)
    if kept_ids is None:
        tables = (ns.intentions.all(), ns.procedures.all(), ns.reviews.all(), ns.task_runs.newest())
        yield from map(records.write, chain.from_iterable(tables))
        for level in get_args(NoteLevel):
            yield from map(records.write, ns.notes.of_level(level))


def _memories(ns: Namespace, within: Filter) -> Lines:
    """Memories with their former texts and their changes."""
    undone = ns.runs.undone()
    for page in pages_of(ns.memories, within):
        ids = [memory.id for memory in page]
        stored = ns.memories.stored(ids)
        sources = ns.derivations.of(ids)
        former = grouped((x.stored.memory.id, x) for x in ns.history.archived(stored.values()))
        entries = grouped((entry.memory_id, entry) for entry in ns.journal.after(0, ids))
        for name in ids:
            yield records.write_memory(stored[name], sources.get(name, ()))
            yield from map(records.write_archived, former.get(name, ()))
            # What was undone is as if it had not been.
            told = (entry for entry in entries.get(name, ()) if entry.run_id not in undone)
            yield from map(records.write_change, told)


def _annotations(ns: Namespace, kept_ids: Collection[str] | None) -> Lines:
    """What hangs on memories, on these alone if `kept_ids` says which are kept."""

    def hangs_on(*ids: str) -> bool:
        return kept_ids is None or all(memory_id in kept_ids for memory_id in ids)

    links = ns.relations.all()
    yield from map(records.write, (x for x in links if hangs_on(x.source_id, x.target_id)))
    marks: Sequence[Iterable[Any]] = (
        ns.synaptic_tags.all(),
        ns.synaptic_tags.short_term(),
        ns.feedback.all(),
    )
    for mark in chain.from_iterable(marks):
        if hangs_on(mark.memory_id):
            yield records.write(mark)
    items = ns.documents.below(oldest_first=True)
    yield from map(records.write_item, (item for item in items if hangs_on(*item.memory_ids)))


def _turns(ns: Namespace, kept_ids: Collection[str] | None) -> Iterator[Episode]:
    """All turns, or those that the memories which are kept came from, oldest first."""
    if kept_ids is None:
        return all_of(ns.turns)
    origins: set[str] = set()
    for memory_id, sources in ns.overview.sources():
        if memory_id in kept_ids:
            origins.update(source.episode_id for source in sources)
    return (turn for turn in all_of(ns.turns) if turn.id in origins)
