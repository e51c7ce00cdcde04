"""What is noted beside memories: synaptic tags, and which facts are kept for the short term only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, func, select, update

from cogmem_core.models import Relation, ShortTerm, SynapticTag
from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.codec import decode_moment, decode_relation, encode_time
from cogmem_core.storage.ledger.schema import adding, shard_of, unindexed

__all__ = ["MarkQueries", "MarkWrites"]

_IN_LIMIT = 900
_R = schema.relations.c
_COUNT = select(func.count()).where(_R.shard == bindparam("shard"), _R.namespace == bindparam("namespace"))


class MarkQueries:
    """Reads; mixed into `Reader`."""

    _connection: Connection

    def live_tags(self, namespace: str, sessions: Iterable[str], now: datetime) -> list[SynapticTag]:
        """Tags of these sessions that have neither expired nor been captured, oldest first."""
        t, wanted = schema.synaptic_tags.c, sorted(set(sessions))
        found: list[SynapticTag] = []
        for start in range(0, len(wanted), _IN_LIMIT):
            where = (t.shard == shard_of(namespace), t.namespace == namespace, t.captured == 0)
            among = t.session_id.in_(wanted[start : start + _IN_LIMIT])
            query = select(t.memory_id, t.session_id, t.tagged_at, t.expires_at).where(*where, among)
            rows = self._connection.execute(query.where(t.expires_at > encode_time(now)).order_by(t.tagged_at))
            found += [SynapticTag(r[0], r[1], decode_moment(r[2]), decode_moment(r[3])) for r in rows]
        return found

    def tags(self, namespace: str) -> list[SynapticTag]:
        """All tags, captured and expired ones too, oldest first."""
        t = schema.synaptic_tags.c
        query = select(t.memory_id, t.session_id, t.tagged_at, t.expires_at, t.captured)
        where = (t.shard == shard_of(namespace), t.namespace == namespace)
        rows = self._connection.execute(query.where(*where).order_by(t.tagged_at, t.memory_id))
        return [SynapticTag(r[0], r[1], decode_moment(r[2]), decode_moment(r[3]), captured=bool(r[4])) for r in rows]

    def short_term(self, namespace: str) -> list[ShortTerm]:
        """Facts on probation, the next to expire first."""
        s = schema.short_term.c
        where = (s.shard == shard_of(namespace), s.namespace == namespace)
        query = select(s.memory_id, s.created_at, s.expires_at).where(*where).order_by(s.expires_at, s.memory_id)
        return [ShortTerm(r[0], decode_moment(r[1]), decode_moment(r[2])) for r in self._connection.execute(query)]

    def count_relations(self, namespace: str) -> int:
        """How many relations the namespace has."""
        return int(self._connection.scalar(_COUNT, {"shard": shard_of(namespace), "namespace": namespace}) or 0)

    def weakest_relations(self, namespace: str, order: Sequence[str], limit: int) -> list[Relation]:
        """Relations of these types: the first type first, the least confident and oldest of each first."""
        found: list[Relation] = []
        r = schema.relations.c
        for kind in order:
            where = (r.shard == shard_of(namespace), r.namespace == namespace, unindexed(r.type) == kind)
            ranked = select(schema.relations).where(*where).order_by(r.confidence, r.created_at)
            rows = self._connection.execute(ranked.limit(limit - len(found))).mappings()
            found += [decode_relation(row) for row in rows]  # type: ignore[arg-type]
            if len(found) >= limit:
                break
        return found


class MarkWrites:
    """Writes; mixed into `Writer`."""

    _connection: Connection

    def tag(self, namespace: str, tags: Sequence[SynapticTag]) -> None:
        """Tag memories that have no tag yet."""
        shard, t = shard_of(namespace), schema.synaptic_tags
        rows = [
            {
                "shard": shard,
                "memory_id": tag.memory_id,
                "namespace": namespace,
                "session_id": tag.session_id,
                "tagged_at": encode_time(tag.tagged_at),
                "expires_at": encode_time(tag.expires_at),
                "captured": int(tag.captured),
            }
            for tag in tags
        ]
        if rows:
            self._connection.execute(adding(t), rows)

    def capture(self, namespace: str, memory_ids: Sequence[str]) -> None:
        """Mark tags as captured, so that no later event captures them again."""
        t = schema.synaptic_tags
        for start in range(0, len(memory_ids), _IN_LIMIT):
            part = memory_ids[start : start + _IN_LIMIT]
            where = (t.c.shard == shard_of(namespace), t.c.memory_id.in_(part), unindexed(t.c.namespace) == namespace)
            self._connection.execute(update(t).where(*where).values(captured=1))

    def unmark(self, namespace: str, marks: Sequence[SynapticTag | ShortTerm]) -> None:
        """Take tags away, and memories off probation."""
        shard = shard_of(namespace)
        for kind, table in ((SynapticTag, schema.synaptic_tags), (ShortTerm, schema.short_term)):
            ids = [mark.memory_id for mark in marks if isinstance(mark, kind)]
            for start in range(0, len(ids), _IN_LIMIT):
                where = (table.c.shard == shard, table.c.memory_id.in_(ids[start : start + _IN_LIMIT]))
                self._connection.execute(delete(table).where(*where, unindexed(table.c.namespace) == namespace))

    def keep_short(self, namespace: str, facts: Sequence[ShortTerm]) -> None:
        """Put memories on probation that are not yet."""
        shard, s = shard_of(namespace), schema.short_term
        rows = [
            {
                "shard": shard,
                "memory_id": fact.memory_id,
                "namespace": namespace,
                "created_at": encode_time(fact.created_at),
                "expires_at": encode_time(fact.expires_at),
            }
            for fact in facts
        ]
        if rows:
            self._connection.execute(adding(s), rows)
