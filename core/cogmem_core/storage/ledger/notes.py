"""Notes of what was observed, and the traces they are compressed to."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import func

from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.codec import encode_row
from cogmem_core.storage.ledger.table import Table, select_in
from cogmem_core.values.models import NoteLevel, ObservationNote

_N = schema.notes.c


class NoteTable(Table):
    """Notes and traces by level."""

    def of_level(self, level: NoteLevel) -> list[ObservationNote]:
        """Notes of one level, oldest first."""
        query = select_in(schema.notes).where(_N.level == level).order_by(_N.id)
        return self._records(ObservationNote, query)

    def existing(self, ids: Sequence[str]) -> set[str]:
        """The ids of those notes and traces that are stored."""
        return {row["id"] for row in self._among(schema.notes, "id", ids, _N.id)}

    def count(self, level: NoteLevel) -> tuple[int, int]:
        """How many notes of one level there are, and how many characters their texts have."""
        counts = (func.count(), func.sum(func.length(_N.content)))
        row = self._execute(select_in(schema.notes, *counts).where(_N.level == level)).one()
        return int(row[0]), int(row[1] or 0)

    def add(self, notes: Sequence[ObservationNote]) -> None:
        """Add notes or traces."""
        self._insert(schema.notes, list(map(encode_row, notes)))

    def drop(self, ids: Sequence[str]) -> int:
        """Delete notes or traces by id; returns how many of them were stored."""
        return self._drop_among(schema.notes, "id", ids)
