"""What hangs on memories for a while: synaptic tags, and which facts are on probation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.codec import decode_moment, encode_row, encode_time
from cogmem_core.storage.ledger.table import (
    IN_LIMIT,
    Table,
    chunks,
    delete_in,
    select_in,
    update_in,
)
from cogmem_core.values.models import ShortTerm, SynapticTag

_T = schema.synaptic_tags.c
_S = schema.short_term.c
_TAG = (_T.memory_id, _T.session_id, _T.tagged_at, _T.expires_at, _T.captured)


class SynapticTagTable(Table):
    """Synaptic tags, and facts of the short term."""

    def live(self, sessions: Iterable[str], now: datetime) -> list[SynapticTag]:
        """Tags of these sessions that have neither expired nor been captured, oldest first."""
        tags: list[SynapticTag] = []
        for part in chunks(sorted(set(sessions)), IN_LIMIT):
            query = select_in(schema.synaptic_tags, *_TAG).where(
                _T.captured == 0, _T.session_id.in_(part), _T.expires_at > encode_time(now)
            )
            tags += map(_tag, self._execute(query.order_by(_T.tagged_at)))
        return tags

    def all(self) -> list[SynapticTag]:
        """All tags, including captured and expired ones, oldest first."""
        query = select_in(schema.synaptic_tags, *_TAG).order_by(_T.tagged_at, _T.memory_id)
        return list(map(_tag, self._execute(query)))

    def short_term(self) -> list[ShortTerm]:
        """Facts on probation, the next to expire first."""
        columns = (_S.memory_id, _S.created_at, _S.expires_at)
        query = select_in(schema.short_term, *columns).order_by(_S.expires_at, _S.memory_id)
        facts = []
        for memory_id, created_at, expires_at in self._execute(query):
            facts.append(ShortTerm(memory_id, decode_moment(created_at), decode_moment(expires_at)))
        return facts

    def add(self, tags: Sequence[SynapticTag]) -> None:
        """Tag memories that have no tag yet."""
        self._insert(schema.synaptic_tags, list(map(encode_row, tags)))

    def add_short_term(self, facts: Sequence[ShortTerm]) -> None:
        """Put memories on probation that are not yet."""
        self._insert(schema.short_term, list(map(encode_row, facts)))

    def capture(self, memory_ids: Sequence[str]) -> None:
        """Mark tags as captured, so that no later event captures them again."""
        for part in chunks(memory_ids, IN_LIMIT):
            query = update_in(schema.synaptic_tags, keyed=True).where(_T.memory_id.in_(part))
            self._change(query.values(captured=1))

    def remove(self, rows: Sequence[SynapticTag | ShortTerm]) -> None:
        """Remove tags, and end the probation of memories."""
        for kind, table in (
            (SynapticTag, schema.synaptic_tags),
            (ShortTerm, schema.short_term),
        ):
            ids = [row.memory_id for row in rows if isinstance(row, kind)]
            self._drop(table, ids)

    def drop_of(self, memory_ids: Sequence[str]) -> None:
        """Delete what hangs on some memories."""
        self._drop(schema.synaptic_tags, memory_ids)
        self._drop(schema.short_term, memory_ids)

    def _drop(self, table: Any, memory_ids: Sequence[str]) -> None:
        for part in chunks(memory_ids, IN_LIMIT):
            self._change(delete_in(table, keyed=True).where(table.c.memory_id.in_(part)))


def _tag(row: Sequence[Any]) -> SynapticTag:
    memory_id, session_id, tagged_at, expires_at, captured = row
    return SynapticTag(
        memory_id,
        session_id,
        decode_moment(tagged_at),
        decode_moment(expires_at),
        captured=bool(captured),
    )
