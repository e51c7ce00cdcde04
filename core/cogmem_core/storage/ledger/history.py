"""Looking back: texts as they were, when memories left and came back, what they are related to, what proved useful."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import BindParameter, ColumnElement, Connection, Integer, Select, bindparam, func, or_, select

from cogmem_core.models import JournalEntry, Relation
from cogmem_core.ports import Stored
from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.codec import (
    MEMORY_COLUMNS,
    decode_entry,
    decode_memory,
    decode_time,
    decode_vector,
    encode_time,
)
from cogmem_core.storage.ledger.journal import IN_LIMIT, chunks
from cogmem_core.storage.ledger.schema import shard_of, unindexed
from cogmem_core.text.keys import content_hash

__all__ = ["PastQueries"]

_M, _V, _J, _R = schema.memories.c, schema.versions.c, schema.journal.c, schema.relations.c
_FULL_TRUST, _PERSON = 1.0, "user_message"
_SHARD: BindParameter[int] = bindparam("shard")
_NAMESPACE: BindParameter[str] = bindparam("namespace")


def _in_force() -> Select[Any]:
    """Memories, each beside the first of its former versions that was replaced after a moment."""
    later = (_V.shard == _SHARD, _V.namespace == _NAMESPACE, _V.replaced_at > bindparam("at"))
    first = select(_V.memory_id, func.min(_V.version).label("version")).where(*later).group_by(_V.memory_id).subquery()
    memory = [_M[name] for name in MEMORY_COLUMNS]
    former = (_V.content, _V.version, _V.index_key, _V.vector, _V.fingerprint)
    return select(*memory, *former).where(
        _V.shard == _SHARD,
        _V.memory_id == first.c.memory_id,
        _V.version == first.c.version,
        _M.shard == _SHARD,
        _M.id == first.c.memory_id,
        unindexed(_M.namespace) == _NAMESPACE,
    )


def _links(end: ColumnElement[str]) -> Select[Any]:
    columns = (_R.namespace, _R.source_id, _R.target_id, _R.type, _R.weight, _R.confidence)
    among = end.in_(bindparam("ids", expanding=True))
    query = select(*columns, _R.created_at, _R.last_activated_at)
    return query.where(_R.shard == _SHARD, among, unindexed(_R.namespace) == _NAMESPACE)


# Built once: composing a statement costs more than running it.
_IN_FORCE = _in_force()
_TURNS = select(schema.journal).where(
    _J.shard == _SHARD,
    _J.memory_id.in_(bindparam("ids", expanding=True)),
    unindexed(_J.namespace) == _NAMESPACE,
    _J.kind.in_(("retire", "revive")),
)
_LINKS = (_links(_R.source_id), _links(_R.target_id))
_USEFUL = (
    select(_M.id)
    .where(
        _M.shard == _SHARD,
        _M.namespace == _NAMESPACE,
        _M.state == "active",
        _M.utility >= bindparam("utility"),
        _M.access_count >= bindparam("accesses"),
        _M.created_at >= bindparam("since"),
        or_(_M.trust == _FULL_TRUST, _M.data_source == _PERSON),
    )
    .order_by(_M.utility.desc(), _M.access_count.desc(), _M.id)
    .limit(bindparam("most", type_=Integer))
)


class PastQueries:
    """Reads; mixed into `Reader`."""

    _connection: Connection

    def former(self, namespace: str, at: datetime) -> dict[str, Stored]:
        """Memories whose text was changed after a moment, with the text that they had then, by id.

        Text, hash, version, key, vector and fingerprint are the former ones, everything else is as it is now. One that
        was stored only after the moment is here too, with its first text.
        """
        given = {"shard": shard_of(namespace), "namespace": namespace, "at": encode_time(at)}
        found = {}
        for row in self._connection.execute(_IN_FORCE, given):
            content, version, key, vector, fingerprint = row[-5:]
            memory = replace(decode_memory(row), content=content, content_hash=content_hash(content), version=version)
            found[memory.id] = Stored(memory, key, decode_vector(vector), fingerprint)
        return found

    def turning_points(self, namespace: str, ids: Sequence[str]) -> dict[str, list[JournalEntry]]:
        """When memories left recall and when they came back, oldest first, by id; those that never did are left out."""
        found: dict[str, list[JournalEntry]] = {}
        for part in chunks(list(dict.fromkeys(ids)), IN_LIMIT):
            given = {"shard": shard_of(namespace), "namespace": namespace, "ids": part}
            for row in self._connection.execute(_TURNS, given).mappings():
                found.setdefault(row["memory_id"], []).append(decode_entry(row))  # type: ignore[arg-type]
        for entries in found.values():
            entries.sort(key=lambda entry: entry.seq)
        return found

    def relations_of(self, namespace: str, ids: Sequence[str]) -> list[Relation]:
        """Relations in which one of the memories is source or target, each once, by type, source and target."""
        found = {
            relation: None
            for part in chunks(list(dict.fromkeys(ids)), IN_LIMIT)
            for relation in self._links(namespace, part)
        }
        return sorted(found, key=lambda link: (link.type, link.source_id, link.target_id))

    def _links(self, namespace: str, ids: list[str]) -> Iterator[Relation]:
        # One query per end: for "source or target" SQLite would use no key.
        given = {"shard": shard_of(namespace), "namespace": namespace, "ids": ids}
        for query in _LINKS:
            for row in self._connection.execute(query, given):
                yield Relation(*row[:6], *map(decode_time, row[6:]))

    def most_useful(self, namespace: str, *, utility: float, accesses: int, since: datetime, limit: int) -> list[str]:
        """Ids of active memories that proved useful, the most useful first, then the most used, then by id.

        What a tool or an assistant said never becomes core knowledge: only what is fully trusted or a person's own.

        Args:
            utility: at least so useful, 0..1.
            accesses: at least so often used.
            since: stored then or later.
            limit: at most so many.
        """
        least = {"utility": utility, "accesses": accesses, "since": encode_time(since), "most": limit}
        given = {"shard": shard_of(namespace), "namespace": namespace, **least}
        return list(self._connection.scalars(_USEFUL, given))
