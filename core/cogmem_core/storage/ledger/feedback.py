"""What was made of recalled memories, row by row."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, get_args

from sqlalchemy import ColumnElement, Connection, and_, func, select, update

from cogmem_core.models import Feedback, FeedbackSignal
from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.codec import decode_moment, encode_time
from cogmem_core.storage.ledger.journal import chunks
from cogmem_core.storage.ledger.schema import adding, shard_of, unindexed

__all__ = ["FeedbackQueries", "FeedbackWrites"]

_BATCH = 400
_F = schema.feedback.c
_COLUMNS = (_F.memory_id, _F.recall_id, _F.signal, _F.ratio, _F.prior, _F.query, _F.at)


class FeedbackQueries:
    """Reads; mixed into `Reader`."""

    _connection: Connection

    def judged(self, namespace: str, recall_id: str, memory_ids: Collection[str]) -> set[str]:
        """Those of some memories that this recall was judged for already."""
        where = (_F.shard == shard_of(namespace), _F.memory_id.in_(sorted(memory_ids)), _F.recall_id == recall_id)
        query = select(_F.memory_id).where(*where, unindexed(_F.namespace) == namespace)
        return set(self._connection.scalars(query))

    def recalls_of(self, namespace: str, memory_ids: Collection[str]) -> list[str]:
        """Ids of the recalls in which one of the memories was judged."""
        where = (
            _F.shard == shard_of(namespace),
            _F.memory_id.in_(sorted(memory_ids)),
            unindexed(_F.namespace) == namespace,
        )
        return list(self._connection.scalars(select(_F.recall_id).where(*where).distinct()))

    def feedback(self, namespace: str, *, limit: int, memory_id: str | None = None) -> list[Feedback]:
        """The newest judgements of a namespace or of one of its memories, newest first."""
        query = select(*_COLUMNS).where(*_of(namespace, memory_id))
        rows = self._connection.execute(query.order_by(_F.at.desc(), _F.recall_id, _F.memory_id).limit(limit))
        return [_decoded(row) for row in rows]

    def all_feedback(self, namespace: str, *, since: datetime | None = None) -> list[Feedback]:
        """All judgements, or those from a moment on, oldest first."""
        query = select(*_COLUMNS).where(_F.shard == shard_of(namespace), _F.namespace == namespace)
        query = query if since is None else query.where(_F.at >= encode_time(since))
        rows = self._connection.execute(query.order_by(_F.at, _F.recall_id, _F.memory_id))
        return [_decoded(row) for row in rows]

    def rivals(self, namespace: str, memory_ids: Collection[str]) -> list[tuple[str, str, int]]:
        """(memory, other, how often): answers that ignored the one and used the other, of the same recall."""
        mine, other = schema.feedback.alias("mine"), schema.feedback.alias("other")
        same = and_(other.c.shard == mine.c.shard, other.c.recall_id == mine.c.recall_id)
        pairs = select(mine.c.memory_id, other.c.memory_id, func.count()).select_from(mine.join(other, same))
        found: list[tuple[str, str, int]] = []
        for part in chunks(sorted(memory_ids), _BATCH):
            here = unindexed(mine.c.namespace) == namespace
            where = (mine.c.shard == shard_of(namespace), mine.c.memory_id.in_(part), here)
            told = (mine.c.signal == "ignored", other.c.signal == "used")
            rows = self._connection.execute(pairs.where(*where, *told).group_by(mine.c.memory_id, other.c.memory_id))
            found += [(row[0], row[1], int(row[2])) for row in rows]
        return sorted(found)

    def signals(self, namespace: str, *, memory_id: str | None = None) -> dict[str, int]:
        """How often a namespace's memories, or one of them, were used and ignored; both are always named."""
        query = select(_F.signal, func.count()).where(*_of(namespace, memory_id))
        found = {signal: int(count) for signal, count in self._connection.execute(query.group_by(_F.signal))}
        return {signal: found.get(signal, 0) for signal in get_args(FeedbackSignal)}

    def questions(self, namespace: str) -> list[tuple[str, str]]:
        """The questions that are kept with judgements, each once, with the ids of their recalls."""
        where = (_F.shard == shard_of(namespace), _F.namespace == namespace, _F.query != "")
        return [
            (row[0], row[1])
            for row in self._connection.execute(select(_F.recall_id, _F.query).where(*where).distinct())
        ]


class FeedbackWrites:
    """Writes; mixed into `Writer`."""

    _connection: Connection

    def judge(self, namespace: str, rows: Sequence[Feedback]) -> None:
        """Add judgements; each memory of a recall once."""
        shard = shard_of(namespace)
        values: list[dict[str, Any]] = [
            {
                "shard": shard,
                "memory_id": row.memory_id,
                "recall_id": row.recall_id,
                "namespace": namespace,
                "signal": row.signal,
                "ratio": row.ratio,
                "prior": row.prior,
                "query": row.query,
                "at": encode_time(row.at),
            }
            for row in rows
        ]
        if values:
            self._connection.execute(adding(schema.feedback), values)

    def blank_questions(self, namespace: str, recall_ids: Sequence[str]) -> None:
        """Forget what was asked in some recalls; what their answers made of memories stays."""
        for part in chunks(recall_ids, _BATCH):
            where = (_F.shard == shard_of(namespace), _F.recall_id.in_(part), unindexed(_F.namespace) == namespace)
            self._connection.execute(update(schema.feedback).where(*where).values(query=""))


def _of(namespace: str, memory_id: str | None) -> tuple[ColumnElement[bool], ...]:
    """The judgements of a namespace, or of one of its memories."""
    shard = _F.shard == shard_of(namespace)
    if memory_id is None:
        return (shard, _F.namespace == namespace)
    return (shard, _F.memory_id == memory_id, unindexed(_F.namespace) == namespace)


def _decoded(row: Sequence[Any]) -> Feedback:
    return Feedback(row[0], row[1], row[2], row[3], row[4], row[5], decode_moment(row[6]))
