"""Transcripts: the turns of a conversation that are read back as they were handed in."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, select, update

from cogmem_core.models import KEPT_ONLY, Episode
from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.codec import decode_episode
from cogmem_core.storage.ledger.journal import IN_LIMIT, chunks
from cogmem_core.storage.ledger.schema import shard_of

__all__ = ["TranscriptQueries", "TranscriptWrites"]

_E = schema.episodes.c


def _listed(namespace: str, session_id: str) -> tuple[ColumnElement[bool], ...]:
    mine = (_E.shard == shard_of(namespace), _E.namespace == namespace, _E.session_id == session_id)
    return (*mine, _E.position.is_not(None))


class TranscriptQueries:
    """Reads; mixed into `Reader`."""

    _connection: Connection

    def transcript(self, namespace: str, session_id: str) -> list[Episode]:
        """The turns of a conversation's transcript, in order."""
        query = select(schema.episodes).where(*_listed(namespace, session_id)).order_by(_E.position, _E.id)
        return [decode_episode(row) for row in self._connection.execute(query).mappings()]  # type: ignore[arg-type]


class TranscriptWrites:
    """Writes; mixed into `Writer`."""

    _connection: Connection

    def next_position(self, namespace: str, session_id: str) -> int:
        """Behind the last turn of a transcript; 1 if it has none. Nobody else gets it before this transaction ends."""
        if self._connection.dialect.name == "postgresql":  # SQLite has one writer at a time
            named = hashlib.sha256(f"{namespace}\0{session_id}".encode()).digest()[:8]
            self._connection.execute(select(func.pg_advisory_xact_lock(int.from_bytes(named, "big", signed=True))))
        last = self._connection.scalar(select(func.max(_E.position)).where(*_listed(namespace, session_id)))
        return int(last or 0) + 1

    def clear_transcript(self, namespace: str, session_id: str) -> int:
        """List no turn any more; returns how many were listed. What was there for the transcript alone is deleted."""
        return self._unlist(*_listed(namespace, session_id))

    def unlist(self, namespace: str, ids: Sequence[str]) -> None:
        """Take turns out of the transcripts they stand in."""
        for part in chunks(ids, IN_LIMIT):
            self._unlist(_E.shard == shard_of(namespace), _E.namespace == namespace, _E.id.in_(part))

    def _unlist(self, *which: Any) -> int:
        """A turn that memories came from stays as it was said, without what only the transcript needed."""
        gone = self._connection.execute(delete(schema.episodes).where(*which, _E.reason == KEPT_ONLY))
        kept = self._connection.execute(update(schema.episodes).where(*which).values(position=None, metadata="{}"))
        return gone.rowcount + kept.rowcount
