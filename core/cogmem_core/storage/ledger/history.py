"""Looking back: the former texts of memories, and when memories left recall and came back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime
from operator import itemgetter
from typing import Any

from sqlalchemy import Select, bindparam, func

from cogmem_core.base.grouping import grouped
from cogmem_core.edge.clauses import read_anew
from cogmem_core.ports import Archived, Stored
from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.codec import (
    decode_entry,
    decode_memory,
    decode_time,
    decode_vector,
    encode_time,
    encode_vector,
)
from cogmem_core.storage.ledger.memories import MEMORY
from cogmem_core.storage.ledger.table import Table, delete_in, select_in, unique_chunks, update_in
from cogmem_core.text.keys import content_hash
from cogmem_core.values.models import JournalEntry, Memory, MemoryVersion

_M = schema.memories.c
_V = schema.versions.c
_J = schema.journal.c


def _in_force() -> Select[Any]:
    """Memories, each beside the first of its former versions that was replaced after a moment."""
    first = (
        select_in(schema.versions, _V.memory_id, func.min(_V.version).label("version"))
        .where(_V.replaced_at > bindparam("at"))
        .group_by(_V.memory_id)
        .subquery()
    )
    former = (_V.content, _V.version, _V.index_key, _V.vector, _V.fingerprint)
    return select_in(schema.memories, *MEMORY, *former, keyed=True).where(
        _V.shard == bindparam("in_shard"),
        _V.memory_id == first.c.memory_id,
        _V.version == first.c.version,
        _M.id == first.c.memory_id,
    )


# Built once: composing a statement costs more than running it.
_IN_FORCE = _in_force()
_TURNING_POINTS = select_in(schema.journal, keyed=True).where(
    _J.memory_id.in_(bindparam("ids", expanding=True)),
    _J.kind.in_(("retire", "revive", "withdraw")),
)


class HistoryTable(Table):
    """Former versions of memories, and which ones changed."""

    def changed_since(self, since: datetime, limit: int) -> list[Memory]:
        """Memories in whatever state that came, went or got other words since, the last one first."""
        query = select_in(schema.memories, *MEMORY).where(_M.updated_at >= encode_time(since))
        return list(map(decode_memory, self._execute(query.order_by(_M.seq.desc()).limit(limit))))

    def former(self, at: datetime) -> dict[str, Stored]:
        """Memories whose text was changed after a moment, with the text that they had then, by id.

        Text, hash, version, key, vector and fingerprint are the former ones, everything else is as
        it is now. A memory that was stored only after the moment is included, with its first text.
        """
        by_id = {}
        for row in self._execute(_IN_FORCE, at=encode_time(at)):
            content, version, key, vector, fingerprint = row[-5:]
            current = decode_memory(row)
            memory = replace(
                current, content=content, content_hash=content_hash(content), version=version
            )
            memory = read_anew(memory, current)
            by_id[memory.id] = Stored(memory, key, decode_vector(vector), fingerprint)
        return by_id

    def turning_points(self, ids: Sequence[str]) -> dict[str, list[JournalEntry]]:
        """When memories left recall and when they came back, oldest first, by id.

        Memories that never left are not included.
        """
        by_id = grouped(
            (row["memory_id"], decode_entry(row))
            for part in unique_chunks(ids)
            for row in self._rows(_TURNING_POINTS, ids=part)
        )
        for entries in by_id.values():
            entries.sort(key=lambda entry: entry.seq)
        return by_id

    def versions(self, memory_id: str) -> list[MemoryVersion]:
        """Former texts of a memory, oldest first."""
        columns = [_V[item.name] for item in fields(MemoryVersion)]
        query = select_in(schema.versions, *columns).where(_V.memory_id == memory_id)
        return self._records(MemoryVersion, query.order_by(_V.version))

    def texts(self) -> dict[str, list[str]]:
        """The former texts of all memories, by the memory's id."""
        return grouped(self._execute(select_in(schema.versions, _V.memory_id, _V.content)))

    def archived(self, current: Iterable[Stored]) -> list[Archived]:
        """Former versions of memories with their vectors, those of a memory together, oldest first.

        `current` are the memories as they are now.
        """
        by_id = {stored.memory.id: stored.memory for stored in current}
        rows = self._among(schema.versions, "memory_id", by_id)
        return [
            _archived(by_id[row["memory_id"]], row)
            for row in sorted(rows, key=itemgetter("memory_id", "version"))
        ]

    def archive(self, rows: Sequence[Archived]) -> None:
        """Store former versions."""
        self._insert(schema.versions, list(map(_row, rows)))

    def rekey(self, rows: Sequence[Stored]) -> None:
        """Give former versions (of the number `memory.version`) a new key and vector."""
        for stored in rows:
            memory = stored.memory
            same = (_V.memory_id == memory.id, _V.version == memory.version)
            query = update_in(schema.versions, keyed=True).where(*same)
            self._change(
                query.values(
                    index_key=stored.key,
                    fingerprint=stored.fingerprint,
                    vector=encode_vector(stored.vector),
                )
            )

    def drop_versions(self, memory_id: str, first: int) -> None:
        """Delete a memory's former texts from a version number on: the memory is that version again."""
        query = delete_in(schema.versions).where(_V.memory_id == memory_id)
        self._change(query.where(_V.version >= first))


def _archived(memory: Memory, row: Mapping[str, Any]) -> Archived:
    former = read_anew(replace(memory, content=row["content"], version=row["version"]), memory)
    return Archived(
        Stored(former, row["index_key"], decode_vector(row["vector"]), row["fingerprint"]),
        decode_time(row["replaced_at"]),  # type: ignore[arg-type]
        row["replaced_by"],
        row["reason"],
    )


def _row(archived: Archived) -> dict[str, Any]:
    memory = archived.stored.memory
    return {
        "memory_id": memory.id,
        "version": memory.version,
        "content": memory.content,
        "index_key": archived.stored.key,
        "fingerprint": archived.stored.fingerprint,
        "vector": encode_vector(archived.stored.vector),
        "replaced_at": encode_time(archived.replaced_at),
        "replaced_by": archived.replaced_by,
        "reason": archived.reason,
    }
