"""What was made of recalled memories, row by row."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection, func, insert, select

from cogmem.models import Feedback
from cogmem.storage import schema
from cogmem.storage.codec import decode_moment, encode_time
from cogmem.storage.schema import shard_of

__all__ = ["FeedbackQueries", "FeedbackWrites"]

_F = schema.feedback.c
_COLUMNS = (_F.memory_id, _F.recall_id, _F.signal, _F.ratio, _F.prior, _F.query, _F.at)


class FeedbackQueries:
    """Reads; mixed into `Reader`."""

    _connection: Connection

    def judged(self, namespace: str, recall_id: str, memory_ids: Collection[str]) -> set[str]:
        """Those of some memories that this recall was judged for already."""
        where = (_F.shard == shard_of(namespace), _F.memory_id.in_(sorted(memory_ids)), _F.recall_id == recall_id)
        return set(self._connection.scalars(select(_F.memory_id).where(*where, _F.namespace == namespace)))

    def feedback(self, namespace: str, *, limit: int, memory_id: str | None = None) -> list[Feedback]:
        """The newest judgements of a namespace or of one of its memories, newest first."""
        query = select(*_COLUMNS).where(_F.shard == shard_of(namespace), _F.namespace == namespace)
        query = query if memory_id is None else query.where(_F.memory_id == memory_id)
        rows = self._connection.execute(query.order_by(_F.at.desc(), _F.recall_id, _F.memory_id).limit(limit))
        return [_decoded(row) for row in rows]

    def count_feedback(self, namespace: str) -> int:
        """How many judgements the namespace has."""
        query = select(func.count()).where(_F.shard == shard_of(namespace), _F.namespace == namespace)
        return int(self._connection.scalar(query) or 0)


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
            self._connection.execute(insert(schema.feedback), values)


def _decoded(row: Sequence[Any]) -> Feedback:
    return Feedback(row[0], row[1], row[2], row[3], row[4], row[5], decode_moment(row[6]))
