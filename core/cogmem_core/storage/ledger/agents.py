"""What an agent is to do and how: intentions, procedures, the runs these are mined from, and what waits for a person.

Each row holds its record as one JSON object, and beside it only the columns that queries ask for.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Generic, TypeVar

from sqlalchemy import ColumnElement
from sqlalchemy import Table as SqlTable

from cogmem_core.errors import StoreError
from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.codec import (
    as_json,
    decode_moment,
    dump,
    encode_time,
    fields_from_json,
)
from cogmem_core.storage.ledger.table import (
    BATCH,
    Table,
    select_in,
    update_in,
)
from cogmem_core.values.models import Intention, Procedure, Review, TaskRun

AnyRecord = TypeVar("AnyRecord", Intention, Procedure, Review)
_COLUMNS = frozenset(("id", "namespace", "seq"))


class _RecordTable(Table, Generic[AnyRecord]):
    """Records of one kind, by id and by state."""

    _table: SqlTable
    _kind: type[AnyRecord]

    def by_ids(self, ids: Collection[str]) -> dict[str, AnyRecord]:
        """Those that exist, by id."""
        return {row["id"]: self._decoded(row) for row in self._among(self._table, "id", ids)}

    def live(self) -> list[AnyRecord]:
        """Those that may still come up by themselves, oldest first."""
        return self._listed(self._table.c.live == 1)

    def all(self, states: Sequence[str] | None = None) -> list[AnyRecord]:
        """All of them, or those in some states, oldest first."""
        return self._listed() if states is None else self._listed(self._table.c.state.in_(states))

    def _listed(self, *conditions: ColumnElement[bool]) -> list[AnyRecord]:
        query = select_in(self._table).where(*conditions).order_by(self._table.c.id)
        return list(map(self._decoded, self._rows(query)))

    def put(self, records: Iterable[AnyRecord]) -> None:
        """Add records, or set those that exist."""
        rows = list(map(self._row, records))
        changed = [column.name for column in self._table.columns if not column.primary_key]
        self._upsert(self._table, rows, *changed)

    def drop(self, ids: Collection[str]) -> None:
        """Delete records."""
        self._drop_among(self._table, "id", ids)

    def _row(self, record: AnyRecord) -> dict[str, Any]:
        values = as_json(record)
        content = {name: value for name, value in values.items() if name not in _COLUMNS}
        return {
            "id": record.id,
            "state": record.state,
            "live": int(record.is_live),
            "seq": record.seq,
            "content": dump(content),
        }

    def _decoded(self, row: Mapping[str, Any]) -> AnyRecord:
        try:
            values = fields_from_json(self._kind, json.loads(row["content"]))
            values |= {"id": row["id"], "namespace": self._namespace, "seq": row["seq"]}
            return self._kind(**values)
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise StoreError(
                f"{self._kind.__name__.lower()} {row['id']} cannot be read: {error}; run `cogm "
                "doctor`"
            ) from error


class IntentionTable(_RecordTable[Intention]):
    """Intentions."""

    _table = schema.intentions
    _kind = Intention

    def _row(self, record: Intention) -> dict[str, Any]:
        return {**super()._row(record), "at": encode_time(record.at)}


class ProcedureTable(_RecordTable[Procedure]):
    """Procedures."""

    _table = schema.procedures
    _kind = Procedure


class ReviewTable(_RecordTable[Review]):
    """Writes that wait for a person, and what was decided about them."""

    _table = schema.reviews
    _kind = Review

    def of_proposals(self, digests: Collection[str], states: Sequence[str]) -> dict[str, Review]:
        """Those in some states, by the digest of what is proposed; the newest of each."""
        return {review.proposal: review for review in self._where("proposal", digests, states)}

    def of_targets(self, ids: Collection[str], states: Sequence[str]) -> dict[str, Review]:
        """Those in some states, by the memory or procedure that is proposed; the newest of each."""
        return {review.target_id: review for review in self._where("target_id", ids, states)}

    def due(self, now: datetime) -> list[Review]:
        """Those that wait, and that nobody decided in time, oldest first."""
        columns = self._table.c
        return self._listed(columns.state == "waiting", columns.until <= encode_time(now))

    def drop_of(self, target_ids: Collection[str]) -> None:
        """Delete those of memories and procedures that are erased."""
        self._drop_among(self._table, "target_id", target_ids, keyed=False)

    def _where(self, name: str, values: Collection[str], states: Sequence[str]) -> list[Review]:
        """Those in some states, oldest first."""
        rows = self._among(self._table, name, values, keyed=False)
        reviews = [self._decoded(row) for row in rows if row["state"] in states]
        return sorted(reviews, key=lambda review: review.id)

    def _row(self, record: Review) -> dict[str, Any]:
        blanked = replace(record, content="")
        return {
            **super()._row(blanked),
            "target_id": record.target_id,
            "proposal": record.proposal,
            "until": encode_time(record.until),
        }


class TaskRunTable(Table):
    """Attempts at tasks, newest first."""

    def add(self, run: TaskRun) -> None:
        """Keep a run."""
        self._insert(schema.task_runs, [_run_row(run)])

    def change(self, run: TaskRun) -> None:
        """Set what is kept of a run."""
        query = update_in(schema.task_runs, keyed=True).where(schema.task_runs.c.id == run.id)
        row = _run_row(run)
        self._change(query.values(ok=row["ok"], content=row["content"]))

    def by_ids(self, ids: Collection[str]) -> dict[str, TaskRun]:
        """Those that exist, by id."""
        return {row["id"]: self._decoded(row) for row in self._among(schema.task_runs, "id", ids)}

    def newest(self, limit: int | None = None) -> list[TaskRun]:
        """The newest runs, or all of them."""
        columns = schema.task_runs.c
        query = select_in(schema.task_runs).order_by(columns.at.desc(), columns.id.desc())
        return list(map(self._decoded, self._rows(query.limit(limit))))

    def keep_newest(self, count: int) -> None:
        """Delete all but so many."""
        columns = schema.task_runs.c
        query = select_in(schema.task_runs, columns.id)
        query = query.order_by(columns.at.desc(), columns.id.desc()).offset(count).limit(BATCH)
        self.drop(list(self._scalars(query)))

    def drop(self, ids: Collection[str]) -> None:
        """Delete runs."""
        self._drop_among(schema.task_runs, "id", ids)

    def _decoded(self, row: Mapping[str, Any]) -> TaskRun:
        values = fields_from_json(TaskRun, json.loads(row["content"]))
        columns = {
            "id": row["id"],
            "namespace": self._namespace,
            "session_id": row["session_id"],
            "at": decode_moment(row["at"]),
            "ok": None if row["ok"] is None else bool(row["ok"]),
        }
        return TaskRun(**{**values, **columns})


def _run_row(run: TaskRun) -> dict[str, Any]:
    values = as_json(run)
    columns = ("id", "namespace", "session_id", "at", "ok")
    content = {name: value for name, value in values.items() if name not in columns}
    return {
        "id": run.id,
        "session_id": run.session_id,
        "at": encode_time(run.at),
        "ok": None if run.ok is None else int(run.ok),
        "content": dump(content),
    }
