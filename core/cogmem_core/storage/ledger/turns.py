"""The turns of a namespace, as they were said, their callers' ids, and the transcripts that list them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy import ColumnElement, Select, bindparam, func, literal, select, update

from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.codec import decode_row, encode_row
from cogmem_core.storage.ledger.schema import unindexed
from cogmem_core.storage.ledger.table import (
    BATCH,
    IN_LIMIT,
    PAGE,
    Table,
    chunks,
    delete_in,
    select_in,
    unique_chunks,
    update_in,
    within,
)
from cogmem_core.values.models import KEPT_ONLY, Episode, EpisodeStatus

_E = schema.episodes.c
_SEPARATOR = "\x1f"
# Built once: composing a statement costs more than running it.
_BEFORE = (
    select_in(schema.episodes)
    .where(_E.session_id == bindparam("session_id"), unindexed(_E.id) < bindparam("episode_id"))
    .order_by(_E.at.desc(), _E.id.desc())
    .limit(bindparam("count"))
)
_OBSERVED_BEFORE = _BEFORE.where(_E.reason != KEPT_ONLY)
_AMONG = (_E.id.in_(bindparam("ids", expanding=True)), unindexed(_E.status) == "queued")
_WITH_REFS = select_in(schema.episodes).where(
    _E.ref.in_(bindparam("refs", expanding=True)), unindexed(_E.reason) != KEPT_ONLY
)
_STILL_QUEUED = select_in(schema.episodes, _E.id, keyed=True).where(*_AMONG)
_WAITING = select_in(schema.episodes, func.count()).where(_E.status == "queued")
_FINISH = (
    update(schema.episodes)
    .where(*within(schema.episodes, keyed=True), *_AMONG)
    .values(status=bindparam("status"), reason=bindparam("reason"))
)


def queued_turns(limit: int, before_id: str | None) -> Select[tuple[object, ...]]:
    """A query, over all namespaces, for turns that wait to be encoded, oldest first.

    Args:
        limit: the largest number of turns.
        before_id: only turns with a smaller id.
    """
    # Spelled out, because an index of some rows serves only a query that plainly asks for those.
    waiting = _E.status == literal("queued", literal_execute=True)
    query = select(schema.episodes).where(waiting).order_by(_E.id).limit(limit)
    return query if before_id is None else query.where(_E.id < before_id)


class TurnTable(Table):
    """Turns as they were said."""

    def by_ids(self, ids: Sequence[str]) -> dict[str, Episode]:
        """Turns by id."""
        rows = self._among(schema.episodes, "id", ids)
        return {row["id"]: decode_row(Episode, row) for row in rows}

    def queued(self, limit: int, *, before_id: str | None = None) -> list[Episode]:
        """Turns that wait to be encoded, oldest first.

        Args:
            limit: the largest number of turns.
            before_id: only turns with a smaller id.
        """
        query = queued_turns(limit, before_id).where(*within(schema.episodes))
        return self._records(Episode, query)

    def waiting(self) -> int:
        """How many turns wait to be encoded."""
        return self._fact("waiting", lambda: int(self._scalar(_WAITING) or 0))

    def before(
        self, session_id: str, episode_id: str, limit: int, *, listed: bool = False
    ) -> list[Episode]:
        """The newest turns of a session before one of its turns, oldest first.

        Args:
            session_id: the session.
            episode_id: the turn that comes next.
            limit: the largest number of turns.
            listed: also turns that were stored for the transcript alone.
        """
        query = _BEFORE if listed else _OBSERVED_BEFORE
        values = {"session_id": session_id, "episode_id": episode_id, "count": limit}
        return self._records(Episode, query, **values)[::-1]

    def of_session(self, session_id: str, limit: int) -> list[Episode]:
        """The newest turns of a session, oldest first."""
        query = select_in(schema.episodes).where(_E.session_id == session_id)
        query = query.order_by(_E.at.desc(), _E.id.desc()).limit(limit)
        return self._records(Episode, query)[::-1]

    def page(self, *, limit: int, after_id: str | None = None) -> list[Episode]:
        """Turns by id (oldest first), behind `after_id`."""
        query = select_in(schema.episodes).order_by(_E.id).limit(limit)
        if after_id is not None:
            query = query.where(_E.id > after_id)
        return self._records(Episode, query)

    def with_metadata(self) -> list[Episode]:
        """All turns that have metadata."""
        return self._records(Episode, select_in(schema.episodes).where(_E.metadata != "{}"))

    def ids(self) -> list[str]:
        """Ids of all turns."""
        return list(self._scalars(select_in(schema.episodes, _E.id)))

    def counts(self) -> dict[str, int]:
        """How many turns per status."""
        query = select_in(schema.episodes, _E.status, func.count()).group_by(_E.status)
        return dict(self._execute(query).all())

    def count_since(self, turn_id: str) -> tuple[int, int]:
        """How many turns came after a turn's id, and in how many calls."""
        counts = (func.count(), func.count(_E.recorded_at.distinct()))
        query = select_in(schema.episodes, *counts)
        row = self._execute(query.where(_E.id > turn_id, _E.reason != KEPT_ONLY)).one()
        return int(row[0]), int(row[1])

    def newest(self) -> str:
        """Id of the newest turn; empty if the namespace has none."""
        return self._scalar(select_in(schema.episodes, func.max(_E.id))) or ""

    def add(self, turns: Sequence[Episode]) -> None:
        """Store turns as they were said."""
        self._insert(schema.episodes, list(map(encode_row, turns)))

    def still_queued(self, ids: Sequence[str]) -> set[str]:
        """The ids of these turns that nobody has finished yet."""
        return {row[0] for row in self._by_ids(_STILL_QUEUED, ids)}

    def finish(self, ids: Sequence[str], status: EpisodeStatus, reason: str = "") -> None:
        """Mark queued turns as encoded, skipped, or still queued with a reason.

        Finished ones stay as they are.
        """
        for part in chunks(ids, BATCH):
            self._change(_FINISH, ids=part, status=status, reason=reason)

    def drop(self, ids: Sequence[str]) -> None:
        """Delete turns."""
        self._drop_among(schema.episodes, "id", ids)


def all_of(turns: TurnTable) -> Iterator[Episode]:
    """All turns by id (oldest first), of which a page at a time is held."""
    cursor: str | None = None
    while page := turns.page(limit=PAGE, after_id=cursor):
        yield from page
        cursor = page[-1].id


def sending(ref: str, content: str) -> int:
    """A hash of a turn's id and words, of this process only."""
    return hash(f"{ref}{_SEPARATOR}{content}")


class RefTable(Table):
    """Turns by the callers' own ids of them."""

    def sendings(self) -> set[int]:
        """A hash of the id and the words of each turn that has an id; see `sending`."""
        ref_and_content = _E.ref + _SEPARATOR + _E.content
        query = select_in(schema.episodes, ref_and_content).where(_E.ref.is_not(None))
        return set(map(hash, self._scalars(query)))

    def turns(self, refs: Sequence[str]) -> list[Episode]:
        """The turns with one of the callers' own ids, but for those kept for a transcript alone."""
        turns: list[Episode] = []
        for part in unique_chunks(refs):
            turns += self._records(Episode, _WITH_REFS, refs=part)
        return turns


def _listed(session_id: str) -> tuple[ColumnElement[bool], ...]:
    return _E.session_id == session_id, _E.position.is_not(None)


class TranscriptTable(Table):
    """Transcripts: the turns of a conversation that are read back as they were handed in."""

    def of_session(self, session_id: str) -> list[Episode]:
        """The turns of a conversation's transcript, in order."""
        query = select_in(schema.episodes).where(*_listed(session_id))
        return self._records(Episode, query.order_by(_E.position, _E.id))

    def next_position(self, session_id: str) -> int:
        """The position behind the last turn of a transcript; 1 if it has none."""
        query = select_in(schema.episodes, func.max(_E.position)).where(*_listed(session_id))
        return int(self._scalar(query) or 0) + 1

    def clear(self, session_id: str) -> int:
        """Take all turns out of a transcript; returns how many it listed.

        Turns that were stored for the transcript alone are deleted.
        """
        return self._unlist(*_listed(session_id))

    def unlist(self, ids: Sequence[str]) -> None:
        """Take turns out of the transcripts that list them."""
        for part in chunks(ids, IN_LIMIT):
            self._unlist(_E.id.in_(part))

    def _unlist(self, *conditions: ColumnElement[bool]) -> int:
        """A turn that memories came from stays as it was said, without what only the transcript needed."""
        only_listed = delete_in(schema.episodes).where(*conditions, _E.reason == KEPT_ONLY)
        dropped = self._change(only_listed)
        unlisted = update_in(schema.episodes).where(*conditions)
        return dropped + self._change(unlisted.values(position=None, metadata="{}"))
