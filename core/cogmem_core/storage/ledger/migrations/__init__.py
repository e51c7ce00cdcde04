"""Numbered changes of the schema since 0.1.0: `MIGRATIONS[n]` goes from version n to n + 1.

A landed one is never edited.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from sqlalchemy import URL, Connection, Table, inspect
from sqlalchemy.schema import CreateIndex, CreateTable

from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.schema import add_indexes, metadata

OLDEST = 8
"""The version that 0.1.0 wrote; no release wrote an older one."""


def create(connection: Connection) -> None:
    """All tables of a new ledger, as the migrations leave them."""
    for statement in _statements(connection.dialect.name):
        connection.exec_driver_sql(statement)


@cache
def _statements(name: str) -> tuple[str, ...]:
    """Worked out once per process: that takes most of the time of making a ledger."""
    dialect = URL.create(name).get_dialect()()
    if name == "postgresql":
        schema.narrow_for_postgresql()
    tables = metadata.sorted_tables
    statements: list[CreateTable | CreateIndex] = list(map(CreateTable, tables))
    for table in tables:
        statements += map(CreateIndex, schema.indexes_of(table, name))
    return tuple(str(item.compile(dialect=dialect)) for item in statements)


def _making(*tables: Table) -> Callable[[Connection], None]:
    """The migration that only makes tables."""
    return lambda connection: metadata.create_all(connection, tables=tables)


def _indexing(table: Table) -> Callable[[Connection], None]:
    """The migration that only makes the indexes that a table lacks."""
    return lambda connection: add_indexes(connection, table)


def _columns_of(connection: Connection, table: Table) -> set[str]:
    return {column["name"] for column in inspect(connection).get_columns(table.name)}


def _add_columns(connection: Connection, table: Table, **declared: str) -> None:
    """Add those columns that a table lacks; of each its type, as SQL says it."""
    present = _columns_of(connection, table)
    for name, kind in declared.items():
        if name not in present:
            connection.exec_driver_sql(f"ALTER TABLE {table.name} ADD COLUMN {name} {kind}")


_TEXT = "TEXT NOT NULL DEFAULT ''"
_NUMBER = "BIGINT NOT NULL DEFAULT 0"


def _no_placement(connection: Connection) -> None:
    """Which namespaces have a collection is told by the state of the vector index."""
    column_names = _columns_of(connection, schema.namespaces)
    if "placement" not in column_names:
        return
    names = ", ".join(
        column.name for column in schema.namespaces.columns if column.name in column_names
    )
    # Older versions of SQLite cannot drop a column.
    connection.exec_driver_sql("ALTER TABLE namespaces RENAME TO namespaces_before")
    schema.namespaces.create(connection)
    copying = f"INSERT INTO namespaces ({names}) SELECT {names} FROM namespaces_before"  # noqa: S608
    connection.exec_driver_sql(copying)
    connection.exec_driver_sql("DROP TABLE namespaces_before")


def _ends_and_vectors(connection: Connection) -> None:
    """Documents end, and hold a vector of the caller's."""
    columns = (schema.items.c.vector, schema.items.c.ttl, schema.items.c.expires_at)
    declared = {c.name: c.type.compile(dialect=connection.dialect) for c in columns}
    _add_columns(connection, schema.items, **declared)
    add_indexes(connection, schema.items)


def _agents(connection: Connection) -> None:
    """Intentions, procedures and the runs they are mined from; a namespace's own row tells of any."""
    tables = [schema.intentions, schema.procedures, schema.task_runs]
    metadata.create_all(connection, tables=tables)
    _add_columns(connection, schema.namespaces, agent_seq=_NUMBER)


def _sharing(connection: Connection) -> None:
    """Principals, grants, what was decided, and which memories rest on other namespaces."""
    tables = [schema.principals, schema.grants, schema.access_log, schema.derivations]
    metadata.create_all(connection, tables=tables)
    _add_columns(connection, schema.namespaces, compartments="SMALLINT NOT NULL DEFAULT 0")


def _readings(connection: Connection) -> None:
    """Texts taken apart into clauses, how these stand, and an index of them; the worker fills it."""
    _add_columns(connection, schema.memories, reading=_TEXT, clause_states=_TEXT)
    metadata.create_all(connection, tables=[schema.clauses])
    add_indexes(connection, schema.memories)


def _guards(connection: Connection) -> None:
    """What must always be shown is found without its text."""
    _add_columns(connection, schema.clauses, guards=_TEXT)
    add_indexes(connection, schema.clauses)
    add_indexes(connection, schema.memories)


def _seals(connection: Connection) -> None:
    """What people never want kept, by namespace."""
    _add_columns(connection, schema.namespaces, seals=_TEXT)


MIGRATIONS: dict[int, Callable[[Connection], None]] = dict(
    enumerate(
        (
            _no_placement,
            _making(schema.rejections),
            _indexing(schema.episodes),  # turns are found by the callers' own ids
            _ends_and_vectors,
            _agents,
            _making(schema.reviews),
            _sharing,
            _indexing(
                schema.memories
            ),  # pages of memories are found, whatever they are filtered by
            _indexing(schema.memories),  # memories with several sources have an index of their own
            _readings,
            _making(schema.erased),
            _guards,
            _seals,
        ),
        OLDEST,
    )
)
SCHEMA_VERSION = OLDEST + len(MIGRATIONS)
