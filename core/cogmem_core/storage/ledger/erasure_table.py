"""The request of an erasure, the erasures that are not finished, and when others were."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import delete

from cogmem_core.ports import Stored
from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.codec import decode_time, encode_time
from cogmem_core.storage.ledger.table import Table, delete_in, inserting, select_in

_WHOLE = (
    schema.journal,
    schema.tombstones,
    schema.namespaces,
    schema.notes,
    schema.items,
    schema.dreams,
    schema.runs,
    schema.rejections,
    schema.intentions,
    schema.procedures,
    schema.reviews,
    schema.task_runs,
    schema.derivations,
)


@dataclass(frozen=True, slots=True)
class RelatedRows:
    """What changes together with memories and other records that are erased.

    Attributes:
        rekeyed: memories that stay, with a new key and vector, and what is left of their tellings.
        former: versions that stay (of the number `memory.version`), with a new key and vector.
        blanked: ids of those among `rekeyed` that lose a part of their text.
        unlisted: ids of turns that leave their transcript (see `TranscriptTable.unlist`).
    """

    rekeyed: Sequence[Stored] = ()
    former: Sequence[Stored] = ()
    unlisted: Sequence[str] = ()
    blanked: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class RowsToErase:
    """What an erasure deletes.

    Attributes:
        job: stays on record until the indexes and files are clean, too, so that a crash in between
            is resumed.
        memories: ids of memories.
        rows: keys of other records, by the name of their kind (see `record_kinds`).
        at: the time.
        whole: the namespace itself goes too: its name, its journal, its notes, its documents and
            its tombstones.
    """

    job: str
    memories: Sequence[str]
    rows: Mapping[str, Collection[Any]]
    at: datetime
    whole: bool = False
    related: RelatedRows = field(default_factory=RelatedRows)


class ErasureTable(Table):
    """Erasures that are not finished."""

    def begin(self, job: str, now: datetime, *, whole: bool) -> None:
        """Put a job on record; `whole`: the namespace goes too, so its name is not recorded."""
        self._check_writable()
        name = "" if whole else self._namespace
        row = {"id": job, "namespace": name, "requested_at": encode_time(now)}
        self._connection.execute(inserting(schema.erasures), row)

    def since(self, since: datetime, limit: int) -> list[datetime]:
        """When memories were erased, of the last `limit` that are no more."""
        stones, entries = schema.tombstones.c, schema.journal.c
        last = select_in(schema.tombstones, stones.id).order_by(stones.seq.desc()).limit(limit)
        query = select_in(schema.journal, entries.at).where(
            entries.memory_id.in_(last), entries.kind == "erase", entries.at >= encode_time(since)
        )
        return [at for at in map(decode_time, self._scalars(query)) if at]

    def drop_namespace(self) -> None:
        """Delete what is left of a namespace without memories and turns."""
        for table in _WHOLE:
            self._change(delete_in(table))
        log = schema.access_log
        self._connection.execute(delete(log).where(log.c.namespaces.in_([self._namespace])))
