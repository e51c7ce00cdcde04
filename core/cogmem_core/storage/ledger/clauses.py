"""What the clauses of memories say of whom: an index that follows from the memories' own rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import chain
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, bindparam, not_

from cogmem_core.base.grouping import grouped
from cogmem_core.edge.clauses import reading_of, states_of
from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.codec import decode_time, encode_time
from cogmem_core.storage.ledger.table import Table, select_in
from cogmem_core.values.models import ClauseState, Memory
from cogmem_core.values.readings import TELLING, VERSION, ClauseStanding

_C = schema.clauses.c


class ClauseRow(NamedTuple):
    """A clause of a memory, and how it stands; the fields are those of `Clause` and `ClauseState`."""

    memory_id: str
    number: int
    subject: str
    slot: str
    state: ClauseStanding
    since: datetime | None
    until: datetime | None
    by: str
    guards: str


_ALL = select_in(schema.clauses, *(_C[name] for name in ClauseRow._fields)).order_by(
    _C.memory_id, _C.number
)
_OF = _ALL.where(_C.subject == bindparam("subject"), _C.slot == bindparam("slot"))


class ClauseTable(Table):
    """Clauses by what they say of whom."""

    def of(self, subject: str, slot: str) -> list[ClauseRow]:
        """The clauses that say this of that one, by memory."""
        return list(map(_decode, self._execute(_OF, subject=subject, slot=slot)))

    def by_memory(self) -> dict[str, list[ClauseRow]]:
        """All clauses, by the memory that they are of."""
        return grouped((row[0], _decode(row)) for row in self._execute(_ALL))

    def count_unread(self) -> int:
        """How many memories there are whose text was not read by the present reader."""
        return self._count(schema.memories, unread())

    def put(self, memories: Sequence[Memory], *, new: bool = False) -> None:
        """Set the rows of some memories; `new`: they have none yet."""
        if memories and not new:
            self.drop_of([memory.id for memory in memories])
        rows = chain.from_iterable(map(rows_of, memories))
        self._insert(schema.clauses, list(map(_encode, rows)))

    def drop_of(self, memory_ids: Sequence[str]) -> None:
        """Delete the rows of some memories."""
        self._drop_among(schema.clauses, "memory_id", memory_ids)


def unread() -> ColumnElement[bool]:
    """Whether the text of a memory was not read by the present reader, whose version stands at the end of a reading."""
    return not_(schema.memories.c.reading.endswith(f'"v":{VERSION}}}'))


def _decode(row: Sequence[Any]) -> ClauseRow:
    *said, since, until, by, guards = row
    return ClauseRow._make((*said, decode_time(since), decode_time(until), by, guards))


def rows_of(memory: Memory) -> Iterator[ClauseRow]:
    """Of each clause that says something of somebody, guards something, or does not simply hold."""
    states = states_of(memory)
    for number, clause in enumerate(reading_of(memory).clauses):
        state = states.get(number)
        if state is None and (clause.guards or (clause.slot and clause.kind in TELLING)):
            state = ClauseState(number, "holds")
        if state is not None:
            said = (memory.id, number, clause.subject, clause.slot, state.state)
            yield ClauseRow._make((*said, state.since, state.until, state.by, clause.guards))


def _encode(row: ClauseRow) -> dict[str, Any]:
    return {**row._asdict(), "since": encode_time(row.since), "until": encode_time(row.until)}
