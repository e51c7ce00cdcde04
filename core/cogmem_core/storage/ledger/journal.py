"""What happened in the ledger: the journal that indexes follow, the turns as they were said, a memory's life."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, Table, and_, bindparam, case, func, literal, or_, select, union_all

from cogmem_core.models import KEPT_ONLY, Episode, JournalEntry, MemoryVersion, Relation, Source
from cogmem_core.ports import Archived, Stored
from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.codec import (
    ANALYSER_MARK,
    decode_entry,
    decode_episode,
    decode_fields,
    decode_relation,
    decode_terms,
    decode_time,
    decode_vector,
)
from cogmem_core.storage.ledger.schema import SHARDS, shard_of, unindexed
from cogmem_core.text.keys import ASKED

__all__ = ["IN_LIMIT", "EmbeddingQueries", "FollowQueries", "LifeQueries", "TailRow", "TurnQueries", "chunks"]

IN_LIMIT = 900  # ids per IN clause; SQLite's oldest supported limit is 999 variables
_M = schema.memories.c
_N = schema.namespaces.c
_LAST_SEQ = select(_N.last_seq).where(_N.shard == bindparam("shard"), _N.namespace == bindparam("namespace"))
_META = select(schema.meta.c.value).where(schema.meta.c.key == bindparam("key"))
_META_AND_LAST = select(_META.scalar_subquery(), _LAST_SEQ.scalar_subquery())
_E = schema.episodes.c
_TURNS_BEFORE = (
    select(schema.episodes)
    .where(
        _E.shard == bindparam("shard"),
        _E.namespace == bindparam("namespace"),
        _E.session_id == bindparam("session_id"),
        unindexed(_E.id) < bindparam("episode_id"),
    )
    .order_by(_E.at.desc(), _E.id.desc())
    .limit(bindparam("count"))
)
_HEARD_BEFORE = _TURNS_BEFORE.where(_E.reason != KEPT_ONLY)
_KEY_IF_NEEDED = case((_M.terms.startswith(ANALYSER_MARK, autoescape=True), ""), else_=_M.index_key)
_TAIL = (
    _M.id,
    _M.namespace,
    _M.seq,
    _M.state,
    _M.terms,
    _KEY_IF_NEEDED,
    _M.vector,
    _M.fingerprint,
    _M.session_id,
    _M.recorded_at,
    _M.speaker,
)


def _names_in(table: Table) -> Select[Any]:
    """The namespaces of a table, each looked up after the one before: not every row is read."""
    rows = table.c
    shards = union_all(*(select(literal(number).label("shard")) for number in range(SHARDS))).subquery()
    first = select(func.min(rows.namespace)).where(rows.shard == shards.c.shard).scalar_subquery()
    walk = select(shards.c.shard, first.label("namespace")).cte("walk", recursive=True)
    after = select(func.min(rows.namespace)).where(rows.shard == walk.c.shard, rows.namespace > walk.c.namespace)
    walk = walk.union_all(select(walk.c.shard, after.scalar_subquery()).where(walk.c.namespace.is_not(None)))
    return select(walk.c.namespace).where(walk.c.namespace.is_not(None))


def chunks(items: Sequence[Any], size: int) -> Iterator[list[Any]]:
    """Consecutive slices of at most `size` items."""
    iterator = iter(items)
    while part := list(islice(iterator, size)):
        yield part


class TailRow(NamedTuple):
    """What an index needs to follow the ledger.

    Attributes:
        state: `erased` for a hard-forgotten memory.
        terms: the stored tokens, see `codec.encode_terms`.
        key: the text they were made of; left out (empty) where the stored tokens can be used.
    """

    id: str
    namespace: str
    seq: int
    state: str
    terms: str
    key: str
    vector: bytes
    fingerprint: str
    session_id: str | None
    recorded_at: int
    speaker: str | None

    def tokens(self) -> list[str]:
        """The tokens of the index key."""
        return decode_terms(self.terms, self.key)


class _Snapshot:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection


class FollowQueries(_Snapshot):
    """What an index asks: which rows changed after a journal number."""

    def tail(self, namespace: str, after: int, limit: int, *, states: tuple[str, ...] | None = None) -> list[TailRow]:
        """Rows of a namespace that changed after a journal number, in order.

        Args:
            states: None = all, erased ones too; else only rows that are in one of these states now, at a cost that
                grows with their number and not with the namespace.
        """
        shard = shard_of(namespace)
        if states is None:
            return self._tail(shard, after, limit, namespace)
        where = (_M.shard == shard, _M.namespace == namespace)
        # Sums, because by the number itself SQLite would walk the whole namespace.
        there = (*where, _M.state.in_(states), _M.seq + 0 > after)
        seqs = select(_M.seq).where(*there).order_by(_M.seq + 0).limit(limit)
        query = select(*_TAIL).where(*where, _M.seq.in_(seqs)).order_by(_M.seq)
        return [TailRow._make(row) for row in self._connection.execute(query)]

    def _tail(self, shard: int, after: int, limit: int, namespace: str) -> list[TailRow]:
        t = schema.tombstones.c
        live: Select[Any] = select(*_TAIL).where(_M.shard == shard, _M.seq > after, _M.namespace == namespace)
        gone: Select[Any] = select(t.id, t.namespace, t.seq).where(
            t.shard == shard, t.seq > after, t.namespace == namespace
        )
        rows = [TailRow._make(row) for row in self._connection.execute(live.order_by(_M.seq).limit(limit))]
        dead = self._connection.execute(gone.order_by(t.seq).limit(limit))
        rows += [TailRow(row[0], row[1], row[2], "erased", "", "", b"", "", None, 0, None) for row in dead]
        return sorted(rows, key=lambda row: row.seq)[:limit]

    def last_seq(self, namespace: str) -> int:
        """The namespace's newest journal number; 0 if it has none."""
        given = {"shard": shard_of(namespace), "namespace": namespace}
        return int(self._connection.scalar(_LAST_SEQ, given) or 0)

    def larger_than(self, size: int) -> list[str]:
        """The namespaces that hold more active memories than that, sorted; every active memory is counted."""
        query = (
            select(_M.namespace)
            .where(_M.state == "active")
            .group_by(_M.shard, _M.namespace)
            .having(func.count() > size)
            .order_by(_M.namespace)
        )
        return list(self._connection.scalars(query))

    def namespaces(self) -> list[str]:
        """All namespaces that hold memories or held some, sorted."""
        return list(self._connection.scalars(select(schema.namespaces.c.namespace).order_by("namespace")))

    def everywhere(self) -> list[str]:
        """As `namespaces`, and all that hold only turns, notes or documents."""
        found = set(self.namespaces())
        for table in (schema.episodes, schema.notes, schema.items):
            found.update(self._connection.scalars(_names_in(table)))
        return sorted(found)

    def get_meta(self, key: str) -> str | None:
        """A setting of the ledger itself."""
        return self._connection.scalar(_META, {"key": key})

    def meta_and_last(self, key: str, namespace: str) -> tuple[str | None, int]:
        """As `get_meta` and `last_seq`, in one statement."""
        given = {"key": key, "shard": shard_of(namespace), "namespace": namespace}
        value, last = self._connection.execute(_META_AND_LAST, given).one()
        return value, int(last or 0)


class EmbeddingQueries(_Snapshot):
    """Which memories carry a vector of which embedder, over all namespaces."""

    def foreign(self, fingerprint: str, limit: int) -> list[tuple[str, str, str]]:
        """(namespace, id, index key) of memories whose vector comes from another embedder."""
        query = select(_M.namespace, _M.id, _M.index_key).where(_M.fingerprint != fingerprint).limit(limit)
        return [(row[0], row[1], row[2]) for row in self._connection.execute(query)]

    def count_foreign(self, fingerprint: str) -> int:
        """How many of them there are."""
        return int(self._connection.scalar(select(func.count()).where(_M.fingerprint != fingerprint)) or 0)

    def count_embedded(self, fingerprint: str) -> int:
        """How many memories carry a vector of this embedder."""
        return int(self._connection.scalar(select(func.count()).where(_M.fingerprint == fingerprint)) or 0)

    def count_applied(self, fingerprint: str, namespace: str, upto: int) -> int:
        """How many active memories carry such a vector and were last changed up to a journal number."""
        query = select(func.count()).where(
            _M.shard == shard_of(namespace),
            _M.namespace == namespace,
            _M.state == "active",
            _M.fingerprint == fingerprint,
            _M.seq <= upto,
        )
        return int(self._connection.scalar(query) or 0)


class TurnQueries(_Snapshot):
    """Turns as they were said."""

    def episodes(self, namespace: str, ids: Sequence[str]) -> dict[str, Episode]:
        """Turns by id."""
        e, found = schema.episodes.c, {}
        for part in chunks(list(dict.fromkeys(ids)), IN_LIMIT):
            where = (e.shard == shard_of(namespace), e.id.in_(part), unindexed(e.namespace) == namespace)
            for row in self._connection.execute(select(schema.episodes).where(*where)).mappings():
                found[row["id"]] = decode_episode(row)  # type: ignore[arg-type]
        return found

    def queued(self, namespace: str | None, limit: int, *, before: str | None = None) -> list[Episode]:
        """Turns that wait to be encoded, oldest first; `before`: only those with a smaller id."""
        e = schema.episodes.c
        # Spelled out, because an index of some rows serves only a query that plainly asks for those.
        waiting = e.status == literal("queued", literal_execute=True)
        query = select(schema.episodes).where(waiting).order_by(e.id).limit(limit)
        if namespace is not None:
            query = query.where(e.shard == shard_of(namespace), e.namespace == namespace)
        query = query.where(e.id < before) if before is not None else query
        return [decode_episode(row) for row in self._connection.execute(query).mappings()]  # type: ignore[arg-type]

    def turns_before(
        self, namespace: str, session_id: str, episode_id: str, limit: int, *, listed: bool = False
    ) -> list[Episode]:
        """What was said in a session before one of its turns, oldest first.

        `listed`: also what is there for the transcript alone.
        """
        here = {"shard": shard_of(namespace), "namespace": namespace, "session_id": session_id}
        query = _TURNS_BEFORE if listed else _HEARD_BEFORE
        rows = self._connection.execute(query, {**here, "episode_id": episode_id, "count": limit}).mappings()
        return [decode_episode(row) for row in rows][::-1]  # type: ignore[arg-type]

    def answers(self, namespace: str, sessions: Collection[str | None]) -> list[str]:
        """Ids of memories whose keys, now or once, hold the question that they answer; None = those of no session."""
        v, found = schema.versions.c, list[str]()
        mine = (_M.shard == shard_of(namespace), _M.namespace == namespace)
        once = select(v.memory_id).where(v.shard == shard_of(namespace), v.index_key.contains(ASKED))
        homeless = [_M.session_id.is_(None)] if None in sessions else []
        named = chunks([session for session in sessions if session is not None], IN_LIMIT)
        for here in [*homeless, *(_M.session_id.in_(part) for part in named)]:
            of_these = select(_M.id).where(*mine, here)
            found += self._connection.scalars(of_these.where(or_(_M.index_key.contains(ASKED), _M.id.in_(once))))
        return found

    def refs(self, namespace: str) -> set[str]:
        """The callers' own ids of all turns of the namespace."""
        e = schema.episodes.c
        where = (e.shard == shard_of(namespace), e.namespace == namespace, e.ref.is_not(None))
        return set(self._connection.scalars(select(e.ref).where(*where)))

    def turns_of_session(self, namespace: str, session_id: str, limit: int) -> list[Episode]:
        """The newest turns of a session, oldest first."""
        e = schema.episodes.c
        where = (e.shard == shard_of(namespace), e.namespace == namespace, e.session_id == session_id)
        query = select(schema.episodes).where(*where).order_by(e.at.desc(), e.id.desc()).limit(limit)
        return [decode_episode(row) for row in self._connection.execute(query).mappings()][::-1]  # type: ignore[arg-type]

    def turns_page(self, namespace: str, *, limit: int, after: str | None = None) -> list[Episode]:
        """Turns by id (oldest first), behind the id `after`."""
        e = schema.episodes.c
        where = (e.shard == shard_of(namespace), e.namespace == namespace)
        query = select(schema.episodes).where(*where).order_by(e.id).limit(limit)
        query = query.where(e.id > after) if after is not None else query
        return [decode_episode(row) for row in self._connection.execute(query).mappings()]  # type: ignore[arg-type]

    def turn_ids(self, namespace: str) -> list[str]:
        """Ids of all turns."""
        e = schema.episodes.c
        query = select(e.id).where(e.shard == shard_of(namespace), e.namespace == namespace)
        return list(self._connection.scalars(query))

    def episode_census(self, namespace: str) -> dict[str, int]:
        """How many turns per status."""
        e = schema.episodes.c
        query = select(e.status, func.count()).where(e.shard == shard_of(namespace), e.namespace == namespace)
        return {row[0]: row[1] for row in self._connection.execute(query.group_by(e.status))}


class LifeQueries(_Snapshot):
    """Former texts, changes and relations of memories, and where they come from."""

    def origins(self, namespace: str) -> Iterator[tuple[str, tuple[Source, ...]]]:
        """Every memory of the namespace, in whatever state, with its sources."""
        query = select(_M.id, _M.sources).where(_M.shard == shard_of(namespace), _M.namespace == namespace)
        for memory_id, sources in self._connection.execute(query):
            yield memory_id, decode_fields({"sources": sources})["sources"]

    def holds_key(self, text: str) -> bool:
        """True if the index key of a memory or of a former version contains the text, in any namespace."""
        within = func.instr if self._connection.dialect.name == "sqlite" else func.strpos
        keys = (_M.index_key, schema.versions.c.index_key)
        return any(self._connection.scalar(select(1).where(within(key, text) > 0).limit(1)) for key in keys)

    def holds_vector(self, vector: bytes) -> bool:
        """True if a memory or a former version has this vector, in any namespace."""
        columns = (_M.vector, schema.versions.c.vector)
        return any(self._connection.scalar(select(1).where(column == vector).limit(1)) for column in columns)

    def versions(self, namespace: str, memory_id: str) -> list[MemoryVersion]:
        """Former texts, oldest first."""
        v = schema.versions.c
        query = select(v.memory_id, v.version, v.content, v.replaced_at, v.replaced_by, v.reason)
        where = (v.shard == shard_of(namespace), v.memory_id == memory_id, v.namespace == namespace)
        rows = self._connection.execute(query.where(*where).order_by(v.version))
        return [MemoryVersion(r[0], r[1], r[2], decode_time(r[3]), r[4], r[5]) for r in rows]  # type: ignore[arg-type]

    def archived(self, namespace: str, current: Stored) -> list[Archived]:
        """Former versions with their vectors, oldest first; `current` is the memory as it is now."""
        v, memory = schema.versions.c, current.memory
        where = (v.shard == shard_of(namespace), v.memory_id == memory.id, v.namespace == namespace)
        rows = self._connection.execute(select(schema.versions).where(*where).order_by(v.version)).mappings()
        return [
            Archived(
                Stored(
                    replace(memory, content=row["content"], version=row["version"]),
                    row["index_key"],
                    decode_vector(row["vector"]),
                    row["fingerprint"],
                ),
                decode_time(row["replaced_at"]),  # type: ignore[arg-type]
                row["replaced_by"],
                row["reason"],
            )
            for row in rows
        ]

    def all_relations(self, namespace: str) -> Iterator[Relation]:
        """Every relation of the namespace."""
        r = schema.relations.c
        where = (r.shard == shard_of(namespace), r.namespace == namespace)
        order = (r.type, r.source_id, r.target_id)
        for row in self._connection.execute(select(schema.relations).where(*where).order_by(*order)).mappings():
            yield decode_relation(row)  # type: ignore[arg-type]

    def journal(self, namespace: str, memory_id: str) -> list[JournalEntry]:
        """Every change of a memory, oldest first."""
        j = schema.journal.c
        where = (j.shard == shard_of(namespace), j.memory_id == memory_id, j.namespace == namespace)
        rows = self._connection.execute(select(schema.journal).where(*where).order_by(j.seq)).mappings()
        return [decode_entry(row) for row in rows]  # type: ignore[arg-type]

    def relations(self, namespace: str, memory_id: str) -> list[Relation]:
        """Relations in which the memory is source or target."""
        r = schema.relations.c
        ends = or_(r.source_id == memory_id, r.target_id == memory_id)
        where = and_(r.shard == shard_of(namespace), ends, r.namespace == namespace)
        rows = self._connection.execute(select(schema.relations).where(where)).mappings()
        return sorted((decode_relation(row) for row in rows), key=lambda x: (x.type, x.source_id, x.target_id))  # type: ignore[arg-type]
