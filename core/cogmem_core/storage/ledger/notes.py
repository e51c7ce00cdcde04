"""Notes of what was observed, and the traces they are compressed to."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from sqlalchemy import Connection, delete, func, select

from cogmem_core.models import NoteLevel, ObservationNote
from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.codec import decode_time, dump, encode_time
from cogmem_core.storage.ledger.schema import adding, shard_of, unindexed

__all__ = ["NoteQueries", "NoteWrites", "decode_note", "encode_note"]

_BATCH = 400
_TIMES = ("observed_at", "referenced_at", "created_at")
_LISTS = ("entities", "refs")


def encode_note(note: ObservationNote) -> dict[str, Any]:
    """A note's columns, without the shard."""
    row = {item.name: getattr(note, item.name) for item in fields(ObservationNote)}
    times = {name: encode_time(row[name]) for name in _TIMES}
    return {**row, **times, **{name: dump(list(row[name])) for name in _LISTS}}


def decode_note(row: Mapping[str, Any]) -> ObservationNote:
    """The inverse of `encode_note`."""
    values = {item.name: row[item.name] for item in fields(ObservationNote)}
    times = {name: decode_time(row[name]) for name in _TIMES}
    return ObservationNote(**{**values, **times, **{name: tuple(json.loads(row[name])) for name in _LISTS}})


class NoteQueries:
    """Reads; mixed into `Reader`."""

    _connection: Connection

    def notes(self, namespace: str, level: NoteLevel, limit: int | None = None) -> list[ObservationNote]:
        """Notes of one level, oldest first; all of them if `limit` is None."""
        n = schema.notes.c
        where = (n.shard == shard_of(namespace), n.namespace == namespace, n.level == level)
        query = select(schema.notes).where(*where).order_by(n.id).limit(limit)
        return [decode_note(row) for row in self._connection.execute(query).mappings()]  # type: ignore[arg-type]

    def known_notes(self, namespace: str, ids: Sequence[str]) -> set[str]:
        """Which of these notes and traces are there."""
        n, found, wanted = schema.notes.c, set[str](), list(dict.fromkeys(ids))
        for start in range(0, len(wanted), _BATCH):
            among = n.id.in_(wanted[start : start + _BATCH])
            where = (n.shard == shard_of(namespace), among, unindexed(n.namespace) == namespace)
            found.update(self._connection.scalars(select(n.id).where(*where)))
        return found

    def holds_note(self, text: str) -> bool:
        """True if a note or trace contains the text, in any namespace."""
        within = func.instr if self._connection.dialect.name == "sqlite" else func.strpos
        return bool(self._connection.scalar(select(1).where(within(schema.notes.c.content, text) > 0).limit(1)))

    def count_notes(self, namespace: str, level: NoteLevel) -> tuple[int, int]:
        """How many notes of one level there are, and how many characters their texts have."""
        n = schema.notes.c
        where = (n.shard == shard_of(namespace), n.namespace == namespace, n.level == level)
        row = self._connection.execute(select(func.count(), func.sum(func.length(n.content))).where(*where)).one()
        return int(row[0]), int(row[1] or 0)


class NoteWrites:
    """Writes; mixed into `Writer`."""

    _connection: Connection

    def add_notes(self, notes: Sequence[ObservationNote]) -> None:
        """Add notes or traces; each names its namespace."""
        for start in range(0, len(notes), _BATCH):
            part = notes[start : start + _BATCH]
            rows = [{"shard": shard_of(note.namespace), **encode_note(note)} for note in part]
            self._connection.execute(adding(schema.notes), rows)

    def drop_notes(self, namespace: str, ids: Sequence[str]) -> int:
        """Delete notes or traces by id; returns how many of them were there."""
        n, dropped, wanted = schema.notes, 0, list(dict.fromkeys(ids))
        for start in range(0, len(wanted), _BATCH):
            among = n.c.id.in_(wanted[start : start + _BATCH])
            where = (n.c.shard == shard_of(namespace), among, unindexed(n.c.namespace) == namespace)
            dropped += self._connection.execute(delete(n).where(*where)).rowcount
        return dropped
