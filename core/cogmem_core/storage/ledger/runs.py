"""Consolidation on record: the lease of a namespace, and its runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.codec import (
    dump,
    encode_fields,
    encode_row,
    encode_time,
)
from cogmem_core.storage.ledger.table import Table, select_in, update_in, upserting
from cogmem_core.values.models import ConsolidationRun

_D = schema.dreams.c
_R = schema.runs.c


@dataclass(frozen=True, slots=True)
class DreamState:
    """How far consolidation of a namespace has come.

    Attributes:
        owner: who holds the lease; None = nobody.
        fence: how often it was taken.
        expires_at: when it ends.
        last_at: time of the last cycle.
        last_seq: journal number of the last cycle.
        last_turn: newest turn of the last cycle.
        marks: what steps remember: when those that run at most once in a while ran last, how far
            they came.
    """

    owner: str | None = None
    fence: int = 0
    expires_at: datetime | None = None
    last_at: datetime | None = None
    last_seq: int = 0
    last_turn: str = ""
    marks: Mapping[str, str] = field(default_factory=dict)


class RunTable(Table):
    """The lease of a namespace, and its consolidation runs."""

    def state(self) -> DreamState:
        """Lease and progress of the namespace."""
        return next(iter(self._records(DreamState, select_in(schema.dreams))), DreamState())

    def newest(self, limit: int) -> list[ConsolidationRun]:
        """The newest runs, newest first."""
        query = select_in(schema.runs).order_by(_R.started_at.desc(), _R.id.desc())
        return self._records(ConsolidationRun, query.limit(limit))

    def by_id(self, run_id: str) -> ConsolidationRun | None:
        """One run."""
        query = select_in(schema.runs).where(_R.id == run_id)
        return next(iter(self._records(ConsolidationRun, query)), None)

    def undone(self) -> set[str]:
        """Ids of runs that were undone."""
        return set(self._scalars(select_in(schema.runs, _R.id).where(_R.state == "undone")))

    def take_lease(self, owner: str, *, now: datetime, seconds: float) -> int | None:
        """Begin to consolidate the namespace.

        Returns the fencing number, None if somebody else holds the lease.
        """
        state = self.state()
        if state.owner is not None and state.expires_at is not None and state.expires_at > now:
            return None
        fence = state.fence + 1
        expires_at = encode_time(now + timedelta(seconds=seconds))
        lease = {"owner": owner, "fence": fence, "expires_at": expires_at}
        if state.fence:
            query = update_in(schema.dreams).where(_D.fence == state.fence)
            changed = self._change(query.values(**lease))
        else:
            changed = self._insert_lease(lease)
        return fence if changed == 1 else None

    def _insert_lease(self, lease: Mapping[str, Any]) -> int:
        self._check_writable()
        progress = {"last_at": None, "last_seq": 0, "last_turn": "", "marks": "{}"}
        query = upserting(self._connection.dialect.name, schema.dreams, ())
        # Unless it is asked for, PostgreSQL's driver does not tell how many rows were inserted.
        query = query.values(**self._own({**lease, **progress}))
        options = {"preserve_rowcount": True}
        return self._connection.execute(query, execution_options=options).rowcount

    def renew_lease(self, fence: int, *, now: datetime, seconds: float) -> bool:
        """Hold the lease for longer; False if it was lost."""
        query = update_in(schema.dreams).where(_D.fence == fence, _D.owner.is_not(None))
        until = encode_time(now + timedelta(seconds=seconds))
        return self._change(query.values(expires_at=until)) == 1

    def end_lease(self, fence: int, progress: Mapping[str, Any]) -> bool:
        """Give the lease back; False if it was lost.

        Args:
            fence: the number that `take_lease` returned.
            progress: `last_at`, `last_seq`, `last_turn` to set, if any.
        """
        values = encode_fields({**progress, "owner": None, "expires_at": None})
        query = update_in(schema.dreams).where(_D.fence == fence)
        return self._change(query.values(**values)) == 1

    def set_marks(self, marks: Mapping[str, str]) -> None:
        """Store what the steps remember."""
        self._change(update_in(schema.dreams).values(marks=dump(dict(marks))))

    def put(self, run: ConsolidationRun) -> None:
        """Add a run to the record, or set its state and report."""
        row = encode_row(run)
        query = update_in(schema.runs, keyed=True).where(_R.id == run.id)
        if self._change(query.values(state=row["state"], report=row["report"])) == 0:
            self._insert(schema.runs, [row])

    def interrupt(self) -> None:
        """Mark runs as interrupted that somebody began and nobody ended."""
        query = update_in(schema.runs).where(_R.state == "running")
        self._change(query.values(state="interrupted"))
