"""Export: one consistent snapshot, written whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

from cogmem_core.errors import InvalidInput, StoreError
from cogmem_core.models import NoteLevel
from cogmem_core.services import Services
from cogmem_core.storage.ledger.memories import Filter
from cogmem_core.storage.ledger.transaction import Transaction
from cogmem_core.transfer import records
from cogmem_core.transfer.places import Place, writing

__all__ = ["export_file"]

_PAGE = 500


def export_file(
    services: Services,
    namespace: str,
    path: Place,
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """Write a namespace as JSON Lines: turns, notes, and all memories with vectors and everything that hangs on them.

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
            total = reader.at(namespace).memories.count(Filter())
            for line in _ended(_lines(services, reader, namespace)):
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


def _ended(lines: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Behind the lines one that counts them, so that a file which was cut off is recognised."""
    count = 0
    for count, line in enumerate(lines, 1):  # noqa: B007 - used below
        yield line
    yield {"kind": "end", "lines": count}


def _lines(services: Services, reader: Transaction, namespace: str) -> Iterator[dict[str, Any]]:
    head = {"kind": "header", "format": records.FORMAT, "version": records.VERSION}
    yield {**head, "namespace": namespace, "embedder": services.embedder.fingerprint}
    undone = reader.at(namespace).runs.undone()
    cursor: str | None = None
    ns = reader.at(namespace)
    while turns := ns.turns.page(limit=_PAGE, after_id=cursor):
        yield from map(records.write_episode, turns)
        cursor = turns[-1].id
    for page in ns.memories.pages(Filter(), limit=_PAGE):
        stored = ns.memories.stored([memory.id for memory in page])
        for memory in page:
            yield records.write_memory(stored[memory.id])
            yield from map(records.write_archived, ns.history.archived(stored[memory.id]))
            for entry in ns.journal.of_memory(memory.id):
                # What was undone is as if it had not been.
                if entry.run_id not in undone:
                    yield records.write_change(entry)
    yield from map(records.write_relation, ns.relations.all())
    yield from map(records.write_tag, ns.synaptic_tags.all())
    yield from map(records.write_short_term, ns.synaptic_tags.short_term())
    yield from map(records.write_feedback, ns.feedback.all())
    yield from map(records.write_item, ns.documents.below(oldest_first=True))
    for level in get_args(NoteLevel):
        yield from map(records.write_note, ns.notes.of_level(level))
