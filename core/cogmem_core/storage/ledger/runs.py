"""Dream cycles on record: the lease of a namespace, its runs, and what a run needs to know of the past."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, and_, delete, func, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite

from cogmem_core.models import KEPT_ONLY, ConsolidationRun, JournalEntry, Memory
from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.codec import (
    MEMORY_COLUMNS,
    decode_entry,
    decode_memory,
    decode_moment,
    decode_time,
    dump,
    encode_time,
)
from cogmem_core.storage.ledger.journal import IN_LIMIT, chunks
from cogmem_core.storage.ledger.schema import adding, shard_of

__all__ = ["DreamQueries", "DreamState", "DreamWrites"]

_BATCH = 400
_D, _R, _J, _E, _N = schema.dreams, schema.runs, schema.journal, schema.episodes.c, schema.namespaces.c
_M = schema.memories.c


@dataclass(frozen=True, slots=True)
class DreamState:
    """How far consolidation of a namespace has come.

    Attributes:
        owner: who holds the lease, until `expires_at`; None = nobody. fence: how often it was taken.
        last_at, last_seq, last_turn: time, journal number and newest turn of the last cycle.
        marks: what steps remember: when those that run at most once in a while ran last, how far they came.
    """

    owner: str | None = None
    fence: int = 0
    expires_at: datetime | None = None
    last_at: datetime | None = None
    last_seq: int = 0
    last_turn: str = ""
    marks: Mapping[str, str] = field(default_factory=dict)


class DreamQueries:
    """Reads; mixed into `Reader`."""

    _connection: Connection

    def dream_state(self, namespace: str) -> DreamState:
        """Lease and progress of a namespace."""
        where = (_D.c.shard == shard_of(namespace), _D.c.namespace == namespace)
        row = self._connection.execute(select(_D).where(*where)).mappings().first()
        if row is None:
            return DreamState()
        times = (decode_time(row["expires_at"]), decode_time(row["last_at"]))
        return DreamState(
            row["owner"], row["fence"], *times, row["last_seq"], row["last_turn"], json.loads(row["marks"])
        )

    def runs(self, namespace: str, limit: int) -> list[ConsolidationRun]:
        """Dream cycles, newest first."""
        query = select(_R).where(_R.c.shard == shard_of(namespace), _R.c.namespace == namespace)
        rows = self._connection.execute(query.order_by(_R.c.started_at.desc(), _R.c.id.desc()).limit(limit))
        return [_decoded(row) for row in rows.mappings()]  # type: ignore[arg-type]

    def cycles(self, namespaces: Sequence[str]) -> dict[str, int]:
        """How many dream cycles each namespace had that came to their end."""
        found = dict.fromkeys(namespaces, 0)
        shards = sorted({shard_of(name) for name in namespaces})
        query = select(_R.c.namespace, func.count()).group_by(_R.c.namespace)
        query = query.where(_R.c.shard.in_(shards), _R.c.namespace.in_(namespaces), _R.c.state.in_(("done", "undone")))
        return found | {row[0]: row[1] for row in self._connection.execute(query)}

    def run(self, namespace: str, run_id: str) -> ConsolidationRun | None:
        """One dream cycle."""
        where = (_R.c.shard == shard_of(namespace), _R.c.id == run_id, _R.c.namespace == namespace)
        row = self._connection.execute(select(_R).where(*where)).mappings().first()
        return None if row is None else _decoded(row)  # type: ignore[arg-type]

    def undone_runs(self, namespace: str) -> set[str]:
        """Ids of cycles that were undone."""
        where = (_R.c.shard == shard_of(namespace), _R.c.namespace == namespace, _R.c.state == "undone")
        return set(self._connection.scalars(select(_R.c.id).where(*where)))

    def changes_of_run(self, namespace: str, run_id: str) -> list[JournalEntry]:
        """What a cycle changed, oldest first."""
        where = (_J.c.shard == shard_of(namespace), _J.c.run_id == run_id, _J.c.namespace == namespace)
        rows = self._connection.execute(select(_J).where(*where).order_by(_J.c.seq)).mappings()
        return [decode_entry(row) for row in rows]  # type: ignore[arg-type]

    def changes_after(self, namespace: str, seq: int, memory_ids: Collection[str]) -> list[JournalEntry]:
        """What happened to some memories after a journal number, oldest first."""
        found: list[JournalEntry] = []
        for part in chunks(sorted(memory_ids), IN_LIMIT):
            where = (_J.c.shard == shard_of(namespace), _J.c.memory_id.in_(part), _J.c.seq > seq)
            rows = self._connection.execute(select(_J).where(*where, _J.c.namespace == namespace)).mappings()
            found += [decode_entry(row) for row in rows]  # type: ignore[arg-type]
        return sorted(found, key=lambda entry: entry.seq)

    def brought_back(self, namespace: str, since: datetime) -> set[str]:
        """Memories that a person restored, or brought back by undoing a cycle, from a moment on."""
        where = (_J.c.shard == shard_of(namespace), _J.c.namespace == namespace, _J.c.at >= encode_time(since))
        restored = and_(_J.c.kind == "revive", _J.c.actor == "user")
        undone = and_(_J.c.kind == "reset", _J.c.before.contains('"state"'))
        return set(self._connection.scalars(select(_J.c.memory_id).where(*where, or_(restored, undone))))

    def dreamt(self, namespace: str) -> list[Memory]:
        """Memories that were derived from others, in whatever state, oldest first."""
        columns = [_M[name] for name in MEMORY_COLUMNS]
        where = (_M.shard == shard_of(namespace), _M.namespace == namespace, _M.support != "[]")
        return [decode_memory(row) for row in self._connection.execute(select(*columns).where(*where).order_by(_M.id))]

    def due_namespaces(self, *, written_before: datetime, idle_before: datetime) -> list[str]:
        """Namespaces whose last cycle (or, before the first one, first write) is so long ago; the oldest first.

        Args:
            written_before: for those that were written to since; idle_before: for the others.
        """
        since = func.coalesce(_D.c.last_at, _N.created_at)
        changed = _N.last_seq > func.coalesce(_D.c.last_seq, 0)
        written, idle = encode_time(written_before), encode_time(idle_before)
        same = and_(_D.c.shard == _N.shard, _D.c.namespace == _N.namespace)
        query = select(_N.namespace).select_from(schema.namespaces.outerjoin(_D, same))
        query = query.where(or_(and_(changed, since <= written), since <= idle))
        return list(self._connection.scalars(query.order_by(since, _N.namespace)))

    def undreamt(self) -> list[tuple[str, str]]:
        """Namespaces that were written to since their last cycle, with the newest turn that it saw."""
        same = and_(_D.c.shard == _N.shard, _D.c.namespace == _N.namespace)
        columns = (_N.namespace, func.coalesce(_D.c.last_turn, ""))
        query = select(*columns).select_from(schema.namespaces.outerjoin(_D, same))
        query = query.where(_N.last_seq > func.coalesce(_D.c.last_seq, 0)).order_by(_N.namespace)
        return [(row[0], row[1]) for row in self._connection.execute(query)]

    def turns_since(self, namespace: str, turn: str) -> tuple[int, int]:
        """How many turns came after a turn's id, and in how many calls."""
        where = (_E.shard == shard_of(namespace), _E.namespace == namespace, _E.id > turn, _E.reason != KEPT_ONLY)
        query = select(func.count(), func.count(_E.recorded_at.distinct())).where(*where)
        row = self._connection.execute(query).one()
        return int(row[0]), int(row[1])

    def newest_turn(self, namespace: str) -> str:
        """Id of the newest turn; empty if there is none."""
        where = (_E.shard == shard_of(namespace), _E.namespace == namespace)
        return self._connection.scalar(select(func.max(_E.id)).where(*where)) or ""


class DreamWrites:
    """Writes; mixed into `Writer`."""

    _connection: Connection

    def take_lease(self, namespace: str, owner: str, *, now: datetime, seconds: float) -> int | None:
        """Become the one who consolidates a namespace; returns the fencing number, None if somebody else is."""
        state = DreamQueries.dream_state(self, namespace)  # type: ignore[arg-type]
        if state.owner is not None and state.expires_at is not None and state.expires_at > now:
            return None
        held = {"owner": owner, "fence": state.fence + 1, "expires_at": encode_time(now + timedelta(seconds=seconds))}
        where = (_D.c.shard == shard_of(namespace), _D.c.namespace == namespace, _D.c.fence == state.fence)
        if state.fence:
            taken = self._connection.execute(update(_D).where(*where).values(**held)).rowcount
        else:
            blank = {"last_at": None, "last_seq": 0, "last_turn": "", "marks": "{}"}
            row = {"shard": shard_of(namespace), "namespace": namespace, **held, **blank}
            dialect = postgresql if self._connection.dialect.name == "postgresql" else sqlite
            insert = dialect.insert(_D).values(**row).on_conflict_do_nothing()
            # Unless it is asked for, PostgreSQL's driver does not tell how many rows were inserted.
            taken = self._connection.execute(insert, execution_options={"preserve_rowcount": True}).rowcount
        return state.fence + 1 if taken == 1 else None

    def renew_lease(self, namespace: str, fence: int, *, now: datetime, seconds: float) -> bool:
        """Hold the lease for longer; False if it was lost."""
        until = encode_time(now + timedelta(seconds=seconds))
        where = (_D.c.shard == shard_of(namespace), _D.c.namespace == namespace, _D.c.fence == fence)
        held = self._connection.execute(update(_D).where(*where, _D.c.owner.is_not(None)).values(expires_at=until))
        return held.rowcount == 1

    def end_lease(self, namespace: str, fence: int, progress: Mapping[str, Any]) -> bool:
        """Give the lease back; `progress`: `last_at`, `last_seq`, `last_turn` to set, if any. False if it was lost."""
        values = dict(progress)
        if "last_at" in values:
            values["last_at"] = encode_time(values["last_at"])
        where = (_D.c.shard == shard_of(namespace), _D.c.namespace == namespace, _D.c.fence == fence)
        free = {"owner": None, "expires_at": None}
        return self._connection.execute(update(_D).where(*where).values(**free, **values)).rowcount == 1

    def set_marks(self, namespace: str, marks: Mapping[str, str]) -> None:
        """What the steps remember."""
        where = (_D.c.shard == shard_of(namespace), _D.c.namespace == namespace)
        self._connection.execute(update(_D).where(*where).values(marks=dump(dict(marks))))

    def put_run(self, run: ConsolidationRun) -> None:
        """Add a cycle to the record, or set its state and report."""
        where = (_R.c.shard == shard_of(run.namespace), _R.c.id == run.id)
        known = {"state": run.state, "report": dump(dict(run.report))}
        if self._connection.execute(update(_R).where(*where).values(**known)).rowcount == 0:
            named = {"id": run.id, "namespace": run.namespace, "cause": run.cause, "marks": dump(dict(run.marks))}
            row = {"shard": shard_of(run.namespace), **named, "started_at": encode_time(run.started_at), **known}
            self._connection.execute(adding(_R), row)

    def interrupt_runs(self, namespace: str) -> None:
        """Cycles that somebody began and nobody ended."""
        where = (_R.c.shard == shard_of(namespace), _R.c.namespace == namespace, _R.c.state == "running")
        self._connection.execute(update(_R).where(*where).values(state="interrupted"))

    def drop_memories(self, namespace: str, rows: Sequence[tuple[str, int]]) -> None:
        """Delete what a cycle made that is undone: (id, journal number); a tombstone tells the indexes."""
        shard, t = shard_of(namespace), schema.tombstones
        for part in chunks(rows, _BATCH):
            ids = [memory_id for memory_id, _ in part]
            for table, key in ((schema.memories, "id"), (schema.versions, "memory_id"), (t, "id")):
                where = (table.c.shard == shard, table.c[key].in_(ids), table.c.namespace == namespace)
                self._connection.execute(delete(table).where(*where))
            stones = [{"shard": shard, "id": i, "namespace": namespace, "seq": seq} for i, seq in part]
            self._connection.execute(adding(t), stones)

    def drop_versions(self, namespace: str, memory_id: str, first: int) -> None:
        """Delete a memory's former texts from a version number on: the memory is that version again."""
        v = schema.versions
        where = (v.c.shard == shard_of(namespace), v.c.memory_id == memory_id, v.c.namespace == namespace)
        self._connection.execute(delete(v).where(*where, v.c.version >= first))


def _decoded(row: Mapping[str, Any]) -> ConsolidationRun:
    known = (row["id"], row["namespace"], row["cause"], row["state"], decode_moment(row["started_at"]))
    return ConsolidationRun(*known, json.loads(row["marks"]), json.loads(row["report"]))
