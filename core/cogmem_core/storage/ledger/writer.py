"""The writing half of a transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Table, bindparam, delete, select, update
from sqlalchemy.dialects import postgresql, sqlite

from cogmem_core.models import Episode, EpisodeStatus, JournalEntry, Memory, Relation
from cogmem_core.ports import Archived, Stored
from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.audit import ChainWrites
from cogmem_core.storage.ledger.codec import (
    dump,
    encode_episode,
    encode_fields,
    encode_memory,
    encode_relation,
    encode_terms,
    encode_time,
    encode_vector,
)
from cogmem_core.storage.ledger.documents import ItemWrites
from cogmem_core.storage.ledger.feedback import FeedbackWrites
from cogmem_core.storage.ledger.journal import chunks
from cogmem_core.storage.ledger.notes import NoteWrites
from cogmem_core.storage.ledger.reader import Reader
from cogmem_core.storage.ledger.runs import DreamWrites
from cogmem_core.storage.ledger.schema import adding, shard_of, unindexed
from cogmem_core.storage.ledger.synaptic_tags import MarkWrites
from cogmem_core.storage.ledger.transcripts import TranscriptWrites

__all__ = ["Writer", "upserting"]

_BATCH = 400
_COLUMN = {"key": "index_key"}
_E = schema.episodes.c
# Built once: composing a statement costs more than running it.
_STILL_QUEUED = select(_E.id).where(
    _E.shard == bindparam("shard"),
    _E.id.in_(bindparam("ids", expanding=True)),
    unindexed(_E.namespace) == bindparam("namespace"),
    unindexed(_E.status) == "queued",
)
_FINISH = (
    update(schema.episodes)
    .where(
        _E.shard == bindparam("in_shard"),
        _E.id.in_(bindparam("ids", expanding=True)),
        unindexed(_E.namespace) == bindparam("in_namespace"),
        unindexed(_E.status) == "queued",
    )
    .values(status=bindparam("status"), reason=bindparam("reason"))
)


@lru_cache(maxsize=16)
def upserting(
    dialect: str,
    table: Table,
    changed: tuple[str, ...],
    *,
    rising: str = "",
    adding_up: bool = False,
    returned: tuple[str, ...] = (),
) -> Any:
    """An insert that sets the `changed` columns of a row that is there already.

    Args:
        changed: none = such a row stays as it is.
        rising: a column that never falls: such a row stays if its value is larger.
        adding_up: the columns are numbers, and what is given is added to them.
        returned: columns of the row as it is then; not for several rows at once.
    """
    query = (postgresql if dialect == "postgresql" else sqlite).insert(table)
    keys = [column.name for column in table.primary_key]
    if not changed:
        return query.on_conflict_do_nothing(index_elements=keys)
    where = query.excluded[rising] >= table.c[rising] if rising else None
    fresh = {name: table.c[name] + query.excluded[name] if adding_up else query.excluded[name] for name in changed}
    query = query.on_conflict_do_update(index_elements=keys, set_=fresh, where=where)
    return query.returning(*(table.c[name] for name in returned)) if returned else query


class Writer(Reader, MarkWrites, FeedbackWrites, NoteWrites, DreamWrites, TranscriptWrites, ItemWrites, ChainWrites):
    """One writing transaction."""

    def __init__(self, connection: Connection, now: datetime) -> None:
        super().__init__(connection)
        self._now = now
        # What was read of a namespace and nobody can have changed since: good until the next `allocate`, `prolong`.
        self._last: dict[str, int] = {}
        self._heads: dict[str, tuple[int, str]] = {}

    @property
    def connection(self) -> Connection:
        """The transaction's connection."""
        return self._connection

    def allocate(self, namespace: str, count: int) -> tuple[int, int]:
        """Reserve `count` journal numbers of the namespace's shard; returns (first, the namespace's last before)."""
        shard, previous = shard_of(namespace), self._last.pop(namespace, None)
        if previous is None:
            previous = super().last_seq(namespace)
        last = self._next_seq(shard, count)
        row = {"last_seq": last, "created_at": encode_time(self._now)}
        dialect, head = self._connection.dialect.name, ("position", "chain")
        query = upserting(dialect, schema.namespaces, ("last_seq",), returned=head)
        position, chain = self._connection.execute(query, {"shard": shard, "namespace": namespace, **row}).one()
        self._heads[namespace] = (position, chain)
        return last - count + 1, previous

    def last_seq(self, namespace: str) -> int:
        """As `Reader.last_seq`."""
        if namespace not in self._last:
            self._last[namespace] = super().last_seq(namespace)
        return self._last[namespace]

    def _next_seq(self, shard: int, count: int) -> int:
        # One statement: on PostgreSQL writers of several namespaces may be the shard's first at the same time.
        query = upserting(self._connection.dialect.name, schema.shards, ("seq",), adding_up=True, returned=("seq",))
        return int(self._connection.execute(query, {"shard": shard, "seq": count}).scalar_one())

    def _upsert(self, table: Table, rows: Sequence[Mapping[str, Any]], *changed: str) -> None:
        """Insert rows; of those whose key is there already only `changed` columns are set."""
        query = upserting(self._connection.dialect.name, table, changed)
        self._connection.execute(query, list(rows))

    def insert(self, rows: Sequence[Stored]) -> None:
        """Add memories."""
        for part in chunks(rows, _BATCH):
            self._connection.execute(adding(schema.memories), [_memory_row(stored) for stored in part])

    def update(self, namespace: str, rows: Mapping[str, Mapping[str, Any]]) -> None:
        """Set fields of memories by id; rows that set the same fields share one statement."""
        m, shapes = schema.memories, dict[tuple[str, ...], list[dict[str, Any]]]()
        for memory_id, values in rows.items():
            columns = {_COLUMN.get(name, name): value for name, value in values.items()}
            if "key" in values:
                columns["terms"] = encode_terms(values["key"])
            encoded = encode_fields({k: encode_vector(v) if k == "vector" else v for k, v in columns.items()})
            shapes.setdefault(tuple(sorted(encoded)), []).append({**encoded, "row_id": memory_id})
        for parameters in shapes.values():
            query = update(m).where(
                m.c.shard == shard_of(namespace), m.c.id == bindparam("row_id"), m.c.namespace == namespace
            )
            self._connection.execute(query, parameters)

    def archive(self, former: Sequence[Archived]) -> None:
        """Keep former versions."""
        for part in chunks(former, _BATCH):
            self._connection.execute(adding(schema.versions), [_version_row(archived) for archived in part])

    def relate(self, add: Sequence[Relation], drop: Sequence[Relation]) -> None:
        """Upsert and delete relations."""
        r = schema.relations
        for relation in drop:
            same = (r.c.source_id == relation.source_id, r.c.target_id == relation.target_id)
            where = (r.c.shard == shard_of(relation.namespace), *same, r.c.type == relation.type)
            self._connection.execute(delete(r).where(*where))
        unique = {(relation.source_id, relation.target_id, relation.type): relation for relation in add}
        rows = [{"shard": shard_of(one.namespace), **encode_relation(one)} for one in unique.values()]
        if rows:
            self._upsert(r, rows, "weight", "confidence", "last_activated_at")

    def record(self, namespace: str, entries: Sequence[JournalEntry], states: Mapping[int, str] | None = None) -> None:
        """Append to the journal, which is a chain (see `chain`); `states`: how memories stand after an entry."""
        if not entries:
            return
        shard = shard_of(namespace)
        rows = [
            {
                "shard": shard,
                "namespace": namespace,
                "seq": entry.seq,
                "memory_id": entry.memory_id,
                "kind": entry.kind,
                "actor": entry.actor,
                "reason": entry.reason,
                "at": encode_time(entry.at),
                "run_id": entry.run_id,
                "before": dump(encode_fields(entry.before)),
            }
            for entry in entries
        ]
        for part in chunks(self.prolong(namespace, rows, states or {}), _BATCH):
            self._connection.execute(adding(schema.journal), part)

    def add_episodes(self, episodes: Sequence[Episode]) -> None:
        """Commit turns as they were said."""
        for part in chunks(episodes, _BATCH):
            rows = [{"shard": shard_of(episode.namespace), **encode_episode(episode)} for episode in part]
            self._connection.execute(adding(schema.episodes), rows)

    def still_queued(self, namespace: str, ids: Sequence[str]) -> set[str]:
        """Which of these turns nobody has finished yet."""
        found: set[str] = set()
        for part in chunks(ids, _BATCH):
            given = {"shard": shard_of(namespace), "ids": part, "namespace": namespace}
            found.update(self._connection.scalars(_STILL_QUEUED, given))
        return found

    def finish_episodes(self, namespace: str, ids: Sequence[str], status: EpisodeStatus, reason: str = "") -> None:
        """Mark queued turns as encoded, skipped, or still queued with a reason; finished ones stay as they are."""
        for part in chunks(ids, _BATCH):
            given = {"in_shard": shard_of(namespace), "ids": part, "in_namespace": namespace}
            self._connection.execute(_FINISH, {**given, "status": status, "reason": reason})

    def revector(self, rows: Sequence[tuple[str, str, bytes]], fingerprint: str) -> None:
        """Replace vectors: (namespace, id, vector). Journal numbers move, so every index follows."""
        for namespace, memory_id, vector in rows:
            seq, _ = self.allocate(namespace, 1)
            m = schema.memories
            where = (m.c.shard == shard_of(namespace), m.c.id == memory_id)
            self._connection.execute(update(m).where(*where).values(vector=vector, fingerprint=fingerprint, seq=seq))

    def set_meta(self, key: str, value: str) -> None:
        """Write a setting of the ledger itself."""
        self._upsert(schema.meta, [{"key": key, "value": value}], "value")

    def claim_meta(self, key: str, value: str, *, beside: str | None = None) -> str:
        """Write a setting of the ledger itself unless it has a value; returns the one that it has then.

        Args:
            beside: a namespace whose newest journal number is needed next: it is read in the same statement.
        """
        if beside is None:
            known = self.get_meta(key)
        else:
            known, self._last[beside] = self.meta_and_last(key, beside)
        if known is None:
            self._upsert(schema.meta, [{"key": key, "value": value}])
            known = self.get_meta(key)
        return known or value


def _memory_row(stored: Stored) -> dict[str, Any]:
    return {
        **encode_memory(stored.memory),
        "shard": shard_of(stored.memory.namespace),
        "index_key": stored.key,
        "terms": encode_terms(stored.key),
        "fingerprint": stored.fingerprint,
        "vector": encode_vector(stored.vector),
    }


def _version_row(archived: Archived) -> dict[str, Any]:
    memory: Memory = archived.stored.memory
    return {
        "shard": shard_of(memory.namespace),
        "memory_id": memory.id,
        "version": memory.version,
        "namespace": memory.namespace,
        "content": memory.content,
        "index_key": archived.stored.key,
        "fingerprint": archived.stored.fingerprint,
        "vector": encode_vector(archived.stored.vector),
        "replaced_at": encode_time(archived.replaced_at),
        "replaced_by": archived.replaced_by,
        "reason": archived.reason,
    }
