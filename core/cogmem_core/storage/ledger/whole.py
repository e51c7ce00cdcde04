"""The few questions that are asked of all namespaces at once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache, cached_property
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    Table,
    and_,
    func,
    literal,
    or_,
    select,
    text,
    union_all,
)

from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.access import AccessTables
from cogmem_core.storage.ledger.clauses import unread
from cogmem_core.storage.ledger.codec import decode_row, decode_vector, dump, encode_time
from cogmem_core.storage.ledger.erased import ErasedTable
from cogmem_core.storage.ledger.meta import MetaTable
from cogmem_core.storage.ledger.schema import SHARDS, shard_of
from cogmem_core.storage.ledger.table import Made, Questions, contains, count_rows, same_namespace
from cogmem_core.storage.ledger.turns import queued_turns
from cogmem_core.values.models import Episode

Key = tuple[int, str]
"""Shard and id of a memory."""
_M = schema.memories.c
_V = schema.versions.c
_N = schema.namespaces.c
_D = schema.dreams.c
_R = schema.runs.c
_I = schema.items.c
_E = schema.episodes.c


class NamespaceList(Questions):
    """The namespaces of the ledger."""

    def names(self) -> list[str]:
        """All namespaces that hold memories or once held some, sorted."""
        return list(self._connection.scalars(select(_N.namespace).order_by("namespace")))

    def everywhere(self) -> list[str]:
        """As `names`, and all namespaces that hold only turns, notes or documents."""
        names = set(self.names())
        for table in (schema.episodes, schema.notes, schema.items):
            names.update(self._connection.scalars(_names_in(table)))
        return sorted(names)

    def with_ended_documents(self, now: datetime) -> list[str]:
        """The namespaces that hold documents whose time is over, sorted."""
        query = select(_I.namespace).where(_I.expires_at <= encode_time(now)).distinct()
        return sorted(self._connection.scalars(query))

    def reminding(self, now: datetime) -> list[str]:
        """The namespaces with an intention whose moment has come, sorted."""
        columns = schema.intentions.c
        due = (columns.live == 1, columns.at <= encode_time(now))
        return sorted(set(self._connection.scalars(select(columns.namespace).where(*due))))

    def larger_than(self, size: int) -> list[str]:
        """The namespaces that hold more active memories than `size`, sorted.

        Counts every active memory.
        """
        query = (
            select(_M.namespace)
            .where(_M.state == "active")
            .group_by(_M.shard, _M.namespace)
            .having(func.count() > size)
            .order_by(_M.namespace)
        )
        return list(self._connection.scalars(query))

    def cycles(self, names: Sequence[str]) -> dict[str, int]:
        """How many consolidation runs of each namespace came to their end."""
        shards = sorted(set(map(shard_of, names)))
        query = select(_R.namespace, func.count()).group_by(_R.namespace)
        ended = _R.state.in_(("done", "undone"))
        query = query.where(_R.shard.in_(shards), _R.namespace.in_(names), ended)
        rows = self._connection.execute(query)
        return dict.fromkeys(names, 0) | {row[0]: row[1] for row in rows}

    def due(self, *, written_before: datetime, idle_before: datetime, after: datetime) -> list[str]:
        """Namespaces whose last run (or first write, if they had none) is long enough ago; the oldest first.

        One that lies far ahead was told by a clock that was wrong.

        Args:
            written_before: the latest moment for namespaces that were written to since their last
                run.
            idle_before: the latest moment for the others.
            after: what is told of a moment after this one is no reason to wait.
        """
        since = func.coalesce(_D.last_at, _N.created_at)
        changed = _N.last_seq > func.coalesce(_D.last_seq, 0)
        written = and_(changed, since <= encode_time(written_before))
        idle = since <= encode_time(idle_before)
        ahead = since > encode_time(after)
        query = _with_progress(_N.namespace).where(or_(written, idle, ahead))
        return list(self._connection.scalars(query.order_by(since, _N.namespace)))

    def unconsolidated(self) -> list[tuple[str, str]]:
        """Namespaces that were written to since their last run, with the newest turn that it saw."""
        query = _with_progress(_N.namespace, func.coalesce(_D.last_turn, ""))
        query = query.where(_N.last_seq > func.coalesce(_D.last_seq, 0)).order_by(_N.namespace)
        return [(row[0], row[1]) for row in self._connection.execute(query)]


def _with_progress(*columns: Any) -> Select[Any]:
    same = same_namespace(schema.dreams, schema.namespaces)
    return select(*columns).select_from(schema.namespaces.outerjoin(schema.dreams, same))


@cache
def _names_in(table: Table) -> Select[Any]:
    """The namespaces of a table, each looked up after the previous one: not every row is read."""
    rows = table.c
    numbers = [select(literal(number).label("shard")) for number in range(SHARDS)]
    shards = union_all(*numbers).subquery()
    first = select(func.min(rows.namespace)).where(rows.shard == shards.c.shard).scalar_subquery()
    walk = select(shards.c.shard, first.label("namespace")).cte("walk", recursive=True)
    following = select(func.min(rows.namespace)).where(
        rows.shard == walk.c.shard, rows.namespace > walk.c.namespace
    )
    walk = walk.union_all(
        select(walk.c.shard, following.scalar_subquery()).where(walk.c.namespace.is_not(None))
    )
    return select(walk.c.namespace).where(walk.c.namespace.is_not(None))


class EmbeddingCounts(Questions):
    """Which memories have a vector of which embedder."""

    def foreign(self, fingerprint: str, limit: int) -> list[tuple[str, str, str]]:
        """(namespace, id, index key) of memories whose vector comes from another embedder."""
        return self._keyed(_M.fingerprint != fingerprint, limit)

    def outdated(self, limit: int) -> list[tuple[str, str, str]]:
        """The same of those whose vector is that of another text; an index holds these alone."""
        return self._keyed(text("fingerprint = 'outdated'"), limit)

    def _keyed(self, condition: Any, limit: int) -> list[tuple[str, str, str]]:
        query = select(_M.namespace, _M.id, _M.index_key).where(condition).limit(limit)
        return [(row[0], row[1], row[2]) for row in self._connection.execute(query)]

    def count_foreign(self, fingerprint: str) -> int:
        """How many memories have a vector of another embedder, those left out whose vector is made anew anyhow."""
        foreign = _M.fingerprint.not_in((fingerprint, schema.OUTDATED))
        return count_rows(self._connection, schema.memories, foreign)

    def count(self, fingerprint: str) -> int:
        """How many memories have a vector of this embedder."""
        return count_rows(self._connection, schema.memories, _M.fingerprint == fingerprint)

    def length(self, fingerprint: str) -> int | None:
        """How long a vector of this embedder is; None if there is none."""
        blob = self._connection.scalar(
            select(_M.vector).where(_M.fingerprint == fingerprint).limit(1)
        )
        return None if blob is None else decode_vector(blob).size


class Readings(Questions):
    """Which texts were read by which reader."""

    def outdated(self, limit: int, *, after: Key = (-1, "")) -> list[tuple[Key, str]]:
        """Keys and namespaces of memories whose text was not read by the present reader, in order."""
        shard, memory_id = after
        behind = or_(_M.shard > shard, and_(_M.shard == shard, _M.id > memory_id))
        query = select(_M.shard, _M.id, _M.namespace).where(_M.shard >= shard, behind)
        query = query.where(unread())
        rows = self._connection.execute(query.order_by(_M.shard, _M.id).limit(limit))
        return [((row[0], row[1]), row[2]) for row in rows]


class TextSearch(Questions):
    """Whether a text, to the letter, still stands somewhere."""

    def has_words(self, text: str) -> bool:
        """True if a record contains the text, whatever state it is in, or the key of a memory does."""
        written = dump(text)[1:-1]
        plain = (_M.content, _V.content, _E.content, schema.notes.c.content, schema.items.c.value)
        agents = (schema.intentions, schema.procedures, schema.task_runs)
        return (
            any(self._holds(column, text) for column in plain)
            or any(self._holds(table.c.content, written) for table in agents)
            or any(self._holds(table.index_key, text) for table in (_M, _V))
        )

    def has_vector(self, vector: bytes) -> bool:
        """True if a memory or a former version has this vector."""
        return any(self._is_any(column == vector) for column in (_M.vector, _V.vector))

    def _holds(self, column: Any, text: str) -> bool:
        return self._is_any(contains(self._connection, column, text))

    def _is_any(self, condition: ColumnElement[bool]) -> bool:
        return bool(self._connection.scalar(select(1).where(condition).limit(1)))


class WholeLedger(Questions):
    """One transaction over all namespaces."""

    meta = Made(MetaTable)
    """Settings of the ledger itself."""
    erased = Made(ErasedTable)
    """What was erased, as keyed digests."""
    namespaces = Made(NamespaceList)
    """The namespaces of the ledger."""
    embeddings = Made(EmbeddingCounts)
    """Which memories have a vector of which embedder."""
    readings = Made(Readings)
    """Which texts were read by which reader."""
    texts = Made(TextSearch)
    """Whether a text, to the letter, still stands somewhere."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self.made_of = (connection,)

    @cached_property
    def access(self) -> AccessTables:
        """Principals, grants, and what was decided."""
        return AccessTables(self._connection, self.meta)

    def queued(self, limit: int, *, before_id: str | None = None) -> list[Episode]:
        """Turns that wait to be encoded, oldest first; only those with an id below `before_id`, if given."""
        rows = self._connection.execute(queued_turns(limit, before_id)).mappings()
        return [decode_row(Episode, row) for row in rows]

    def states(self) -> dict[str, int]:
        """How many memories there are in each state."""
        query = select(_M.state, func.count()).group_by(_M.state)
        return {row[0]: row[1] for row in self._connection.execute(query)}

    def count_queued(self) -> int:
        """How many turns wait to be encoded."""
        return count_rows(self._connection, schema.episodes, _E.status == "queued")
