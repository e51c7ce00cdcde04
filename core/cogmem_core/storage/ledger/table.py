"""What every table shares: each statement is bound to one namespace, here and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import islice
from typing import Any, Generic, NamedTuple, TypeVar

from sqlalchemy import (
    ColumnElement,
    Connection,
    Delete,
    Executable,
    FromClause,
    ScalarResult,
    Select,
    Update,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)
from sqlalchemy import Table as SqlTable
from sqlalchemy.dialects import sqlite
from sqlalchemy.sql.dml import Insert

from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.codec import Record, decode_row
from cogmem_core.storage.ledger.schema import shard_of, unindexed

IN_LIMIT = 900  # ids per IN clause; SQLite's oldest supported limit is 999 variables
FACTS = "cogmem_facts"
"""In the `info` of a connection: what was read and cannot have changed since; nothing where that is not known."""
KNOWN = "cogmem_known"
"""In the `info` of a connection that writes: the facts of when it began; nothing where that is not known."""
KEPT = "cogmem_kept"
"""In the `info` of a connection that writes: facts that hold from its commit on."""
SEQS = "seqs"
"""A fact: the namespace's `Counters`."""
Value = TypeVar("Value")
BATCH = 400  # rows per statement that writes
PAGE = 500  # rows of many that are read at a time


class Counters(NamedTuple):
    """How far a namespace is.

    Attributes:
        last_seq: the number of its newest change; 0 if there never was one.
        agent_seq: the number of the newest change of an intention or procedure.
        compartments: 1 if memories of it are kept in compartments.
        position: the place of the last row in the chain of its journal (see `audit`).
        chain: the hash of that row.
    """

    last_seq: int = 0
    agent_seq: int = 0
    compartments: int = 0
    position: int = 0
    chain: str = ""


COUNTERS = tuple(schema.namespaces.c[name] for name in Counters._fields)
"""The columns of a namespace that `Counters` are made of."""


def chunks(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    """Consecutive slices of at most `size` items."""
    iterator = iter(items)
    while part := list(islice(iterator, size)):
        yield part


def unique_chunks(ids: Iterable[str]) -> Iterator[list[str]]:
    """As `chunks` for an IN clause, each id once."""
    return chunks(dict.fromkeys(ids), IN_LIMIT)


def within(table: FromClause, *, keyed: bool = False) -> tuple[ColumnElement[bool], ...]:
    """The conditions that bind a statement to the namespace of the `Table` that executes it.

    Args:
        table: a table or its alias.
        keyed: the statement names ids, so only the primary key may serve, see `unindexed`.
    """
    name = unindexed(table.c.namespace) if keyed else table.c.namespace
    return table.c.shard == bindparam("in_shard"), name == bindparam("in_namespace")


def same_namespace(first: FromClause, second: FromClause) -> ColumnElement[bool]:
    """The condition of a join over all namespaces: rows of the same one."""
    return (first.c.shard == second.c.shard) & (first.c.namespace == second.c.namespace)


def select_in(table: FromClause, *columns: Any, keyed: bool = False) -> Select[Any]:
    """A query for columns of a namespace's rows; for all of them if none is given."""
    return select(*(columns or (table,))).where(*within(table, keyed=keyed))


def select_beside(table: FromClause) -> Select[Any]:
    """A query for rows of a namespace for which only an index of something else may serve."""
    return select(table).where(unindexed(table.c.namespace) == bindparam("in_namespace"))


def update_in(table: SqlTable, *, keyed: bool = False) -> Update:
    """An update of a namespace's rows."""
    return update(table).where(*within(table, keyed=keyed))


def delete_in(table: SqlTable, *, keyed: bool = False) -> Delete:
    """A deletion of a namespace's rows."""
    return delete(table).where(*within(table, keyed=keyed))


@lru_cache(maxsize=32)
def inserting(table: SqlTable) -> Insert:
    """An insert of whole rows; made once per table, because composing costs more than running."""
    return insert(table)


def contains(connection: Connection, column: Any, text: str) -> ColumnElement[bool]:
    """Whether a column contains a text, to the letter.

    LIKE refuses patterns above 50,000 bytes and ignores the case.
    """
    position = func.instr if connection.dialect.name == "sqlite" else func.strpos
    return position(column, text) > 0


@lru_cache(maxsize=16)
def upserting(
    dialect: str,
    table: SqlTable,
    changed: tuple[str, ...],
    *,
    rising: str = "",
    adding_up: bool = False,
) -> Any:
    """An insert that sets the `changed` columns of a row that exists already.

    Args:
        dialect: name of the database's dialect.
        table: where to insert.
        changed: empty = an existing row stays as it is.
        rising: a column that never falls: an existing row stays if its value is larger.
        adding_up: the columns are numbers, and the new value is added to the stored one; the sums
            are returned. Not for several rows at once.
    """
    query: Any = sqlite.insert(table)
    if dialect == "postgresql":
        from sqlalchemy.dialects import postgresql

        query = postgresql.insert(table)
    keys = [column.name for column in table.primary_key]
    if not changed:
        return query.on_conflict_do_nothing(index_elements=keys)
    values = {}
    for name in changed:
        values[name] = query.excluded[name]
        if adding_up:
            values[name] = table.c[name] + values[name]
    where = query.excluded[rising] >= table.c[rising] if rising else None
    query = query.on_conflict_do_update(index_elements=keys, set_=values, where=where)
    return query.returning(*(table.c[name] for name in changed)) if adding_up else query


def count_rows(connection: Connection, table: SqlTable, condition: Any) -> int:
    """How many rows of a table meet a condition, over all namespaces."""
    query = select(func.count()).select_from(table).where(condition)
    return int(connection.scalar(query) or 0)


class Made(Generic[Value]):
    """A part of something, made of what that is made of (`made_of`) when it is first used."""

    def __init__(self, kind: Callable[..., Value]) -> None:
        self._kind = kind

    def __set_name__(self, _owner: type, name: str) -> None:
        self._name = name

    def __get__(self, whole: Any, _owner: type) -> Value:
        part = whole.__dict__[self._name] = self._kind(*whole.made_of)
        return part


class Questions:
    """What is asked of all namespaces within one transaction.

    Args:
        connection: the transaction's connection.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection


class Table:
    """Rows of one namespace in one transaction; no statement leaves the namespace.

    Args:
        connection: the transaction's connection.
        namespace: whose rows.
        now: the time of the transaction; None = a snapshot, in which nothing can be written.
    """

    def __init__(self, connection: Connection, namespace: str, now: datetime | None = None) -> None:
        self._connection = connection
        self._namespace = namespace
        self._now = now
        self._binding = {"in_shard": shard_of(namespace), "in_namespace": namespace}

    def _execute(self, statement: Executable, **values: Any) -> Any:
        """Run a query that was made with `within`; returns SQLAlchemy's result."""
        return self._connection.execute(statement, {**self._binding, **values})

    def _fact(self, name: str, read: Callable[[], Value]) -> Value:
        """What `read` tells of the namespace, read only once while nobody writes to the ledger.

        Args:
            name: of the fact, unique among all tables.
            read: reads it.
        """
        facts = None if self._now else self._connection.info.get(FACTS)
        if facts is None:
            return read()
        key = (name, self._namespace)
        if key not in facts:
            facts[key] = read()
        value: Value = facts[key]
        return value

    def _rows(self, statement: Executable, **values: Any) -> list[Mapping[str, Any]]:
        """All rows of a query, by column name."""
        return list(self._execute(statement, **values).mappings())

    def _records(self, kind: type[Record], statement: Executable, **values: Any) -> list[Record]:
        """All rows of a query of whole rows, as records."""
        return [decode_row(kind, row) for row in self._rows(statement, **values)]

    def _among(
        self,
        table: SqlTable,
        name: str,
        values: Collection[str],
        *columns: Any,
        keyed: bool = True,
    ) -> Iterator[Mapping[str, Any]]:
        """Rows of which a column has one of these values; whole rows if no columns are given."""
        query = select_in(table, *columns, keyed=keyed)
        for part in chunks(sorted(set(values)), IN_LIMIT):
            yield from self._rows(query.where(table.c[name].in_(part)))

    def _by_ids(
        self, query: Executable, ids: Iterable[str], **more: Any
    ) -> Iterator[Sequence[Any]]:
        """Rows of a query that leaves `ids` open, each id once; `more`: its other parameters."""
        for part in unique_chunks(ids):
            yield from self._execute(query, ids=part, **more).all()

    def _drop_among(
        self, table: SqlTable, name: str, values: Collection[str], *, keyed: bool = True
    ) -> int:
        """Delete the rows of which a column has one of these values; returns how many there were."""
        query = delete_in(table, keyed=keyed)
        parts = chunks(sorted(set(values)), IN_LIMIT)
        return sum(self._change(query.where(table.c[name].in_(part))) for part in parts)

    def _count(self, table: SqlTable, *conditions: ColumnElement[bool]) -> int:
        """How many rows meet all of the conditions."""
        return int(self._scalar(select_in(table, func.count()).where(*conditions)) or 0)

    def _scalars(self, statement: Executable, **values: Any) -> ScalarResult[Any]:
        """The first column of a query."""
        return self._connection.scalars(statement, {**self._binding, **values})

    def _scalar(self, statement: Executable, **values: Any) -> Any:
        """The first value of a query; None if it finds no row."""
        return self._connection.scalar(statement, {**self._binding, **values})

    def _change(self, statement: Executable, **values: Any) -> int:
        """Run an update or a deletion that was made with `within`; returns how many rows it met."""
        self._check_writable()
        return int(self._execute(statement, **values).rowcount)

    def _change_each(self, statement: Executable, rows: Sequence[Mapping[str, Any]]) -> None:
        """As `_change`, once for each row of values."""
        self._check_writable()
        if rows:
            self._connection.execute(statement, [{**self._binding, **row} for row in rows])

    def _insert(self, table: SqlTable, rows: Sequence[Mapping[str, Any]]) -> None:
        """Add rows; shard and namespace are filled in."""
        self._check_writable()
        for part in chunks(rows, BATCH):
            self._connection.execute(inserting(table), list(map(self._own, part)))

    def _upsert(self, table: SqlTable, rows: Sequence[Mapping[str, Any]], *changed: str) -> None:
        """As `_insert`; of rows that exist already only `changed` columns are set."""
        self._check_writable()
        query = upserting(self._connection.dialect.name, table, changed)
        if rows:
            self._connection.execute(query, list(map(self._own, rows)))

    def _own(self, row: Mapping[str, Any]) -> dict[str, Any]:
        return {**row, "shard": self._binding["in_shard"], "namespace": self._namespace}

    def _check_writable(self) -> None:
        if self._now is None:
            raise RuntimeError("a snapshot cannot be written; use Ledger.writing_to")
