"""Notes of what was observed, and the traces they are compressed to."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from sqlalchemy import func

from cogmem_core.models import NoteLevel, ObservationNote
from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.codec import decode_time, dump, encode_time
from cogmem_core.storage.ledger.table import BATCH, Table, delete_in, select_in, unique_chunks

__all__ = ["NoteTable", "decode_note", "encode_note"]

_N = schema.notes.c
_TIMES = ("observed_at", "referenced_at", "created_at")
_LISTS = ("entities", "refs")


def encode_note(note: ObservationNote) -> dict[str, Any]:
    """A note's columns."""
    row = {item.name: getattr(note, item.name) for item in fields(ObservationNote)}
    times = {name: encode_time(row[name]) for name in _TIMES}
    return {**row, **times, **{name: dump(list(row[name])) for name in _LISTS}}


def decode_note(row: Mapping[str, Any]) -> ObservationNote:
    """The inverse of `encode_note`."""
    values = {item.name: row[item.name] for item in fields(ObservationNote)}
    times = {name: decode_time(row[name]) for name in _TIMES}
    return ObservationNote(
        **{**values, **times, **{name: tuple(json.loads(row[name])) for name in _LISTS}}
    )


class NoteTable(Table):
    """Notes and traces by level."""

    def of_level(self, level: NoteLevel) -> list[ObservationNote]:
        """Notes of one level, oldest first."""
        query = select_in(schema.notes).where(_N.level == level).order_by(_N.id)
        return list(map(decode_note, self._rows(query)))

    def existing(self, ids: Sequence[str]) -> set[str]:
        """The ids of those notes and traces that are stored."""
        stored_ids: set[str] = set()
        for part in unique_chunks(ids, BATCH):
            query = select_in(schema.notes, _N.id, keyed=True).where(_N.id.in_(part))
            stored_ids.update(self._scalars(query))
        return stored_ids

    def count(self, level: NoteLevel) -> tuple[int, int]:
        """How many notes of one level there are, and how many characters their texts have."""
        counts = (func.count(), func.sum(func.length(_N.content)))
        row = self._execute(select_in(schema.notes, *counts).where(_N.level == level)).one()
        return int(row[0]), int(row[1] or 0)

    def add(self, notes: Sequence[ObservationNote]) -> None:
        """Add notes or traces."""
        self._insert(schema.notes, list(map(encode_note, notes)))

    def drop(self, ids: Sequence[str]) -> int:
        """Delete notes or traces by id; returns how many of them were stored."""
        dropped = 0
        for part in unique_chunks(ids, BATCH):
            dropped += self._change(delete_in(schema.notes, keyed=True).where(_N.id.in_(part)))
        return dropped
