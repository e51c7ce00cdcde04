"""What hangs on memories for a while: synaptic tags, and which facts are on probation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.codec import encode_row, encode_time
from cogmem_core.storage.ledger.table import (
    IN_LIMIT,
    Table,
    chunks,
    select_in,
    update_in,
)
from cogmem_core.values.models import ShortTerm, SynapticTag

_T = schema.synaptic_tags.c
_S = schema.short_term.c


class SynapticTagTable(Table):
    """Synaptic tags, and facts of the short term."""

    def live(self, sessions: Iterable[str], now: datetime) -> list[SynapticTag]:
        """Tags of these sessions that have neither expired nor been captured, oldest first."""
        tags: list[SynapticTag] = []
        for part in chunks(sorted(set(sessions)), IN_LIMIT):
            query = select_in(schema.synaptic_tags).where(
                _T.captured == 0, _T.session_id.in_(part), _T.expires_at > encode_time(now)
            )
            tags += self._records(SynapticTag, query.order_by(_T.tagged_at))
        return tags

    def all(self) -> list[SynapticTag]:
        """All tags, including captured and expired ones, oldest first."""
        query = select_in(schema.synaptic_tags).order_by(_T.tagged_at, _T.memory_id)
        return self._records(SynapticTag, query)

    def short_term(self) -> list[ShortTerm]:
        """Facts on probation, the next to expire first."""
        query = select_in(schema.short_term).order_by(_S.expires_at, _S.memory_id)
        return self._records(ShortTerm, query)

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
            self._drop_among(table, "memory_id", ids)

    def drop_of(self, memory_ids: Sequence[str]) -> None:
        """Delete what hangs on some memories."""
        self._drop_among(schema.synaptic_tags, "memory_id", memory_ids)
        self._drop_among(schema.short_term, "memory_id", memory_ids)
