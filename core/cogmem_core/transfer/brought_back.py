"""What a file would bring back that was erased here: it is left out, whatever kind of record it is.

Memories that say it again are refused where all changes are (see `changes.rejected`), but for the texts of documents.
A namespace that was erased as a whole may be imported again.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from dataclasses import replace
from itertools import chain
from typing import Any

from cogmem_core.changes import Put
from cogmem_core.changes.erased import ErasedTexts, erased_apart
from cogmem_core.process.services import Services
from cogmem_core.storage.ledger.codec import decode_moment
from cogmem_core.storage.ledger.record_kinds import KINDS, Kind
from cogmem_core.transfer.contents import Contents
from cogmem_core.values.models import Episode, Intention, Procedure

ERASED = "erased here"
"""What a report says of records that are left out."""
_KINDS = {kind.name: kind for kind in KINDS}
_TYPES = {"intentions": Intention, "procedures": Procedure}


def leave_out_erased(services: Services, namespace: str, contents: Contents) -> int:
    """Take out of a file what was erased; returns how many records went, but for memories."""
    with services.ledger.whole() as reader:
        erased = erased_apart(reader, namespace)
    if not erased.rows:
        return 0
    places: Mapping[str, MutableMapping[Any, Any]] = {
        "turns": contents.episodes,
        "notes": contents.notes,
        "documents": contents.items,
        "intentions": contents.records,
        "procedures": contents.records,
        "runs of tasks": contents.task_runs,
    }
    count = 0
    for name, rows in places.items():
        of_kind = [key for key, row in rows.items() if isinstance(row, _TYPES.get(name, object))]
        going = [key for key in of_kind if _says(erased, _KINDS[name], rows[key])]
        gone = [rows.pop(key) for key in going]
        count += len(gone)
        if name == "documents":
            texts = set(chain.from_iterable(item.memory_ids for item in gone))
            contents.memories = {i: put for i, put in contents.memories.items() if i not in texts}
            contents.leave_out(texts)
    for memory_id, put in contents.memories.items():
        contents.memories[memory_id] = _without_past(erased, put)
    return count


def _says(erased: ErasedTexts, kind: Kind, record: Any) -> bool:
    """Whether a record says what was erased, and is no person's word of later."""
    speaker = getattr(record, kind.speaker or "none", None)
    matches = chain.from_iterable(
        erased.matches(text, speaker, sure=True) for text in kind.words(record) if text
    )
    if isinstance(record, Episode) and record.role == "user":
        return any(record.recorded_at <= decode_moment(match.erased.at) for match in matches)
    return any(True for _ in matches)


def _without_past(erased: ErasedTexts, put: Put) -> Put:
    """A memory without its former texts that were erased; then its journal goes, too, which tells of them."""
    former = tuple(
        archived
        for archived in put.former
        if not erased.matches(
            archived.stored.memory.content, archived.stored.memory.speaker, sure=True
        )
    )
    return put if len(former) == len(put.former) else replace(put, former=former, past=())
