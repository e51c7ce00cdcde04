"""Numbered changes of the schema: `MIGRATIONS[n]` goes from version n to n + 1.

A landed one is never edited.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from sqlalchemy import URL, Connection, Table, inspect, text
from sqlalchemy.schema import CreateIndex, CreateTable

from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.audit import build_chains
from cogmem_core.storage.ledger.schema import add_indexes, metadata

__all__ = ["MIGRATIONS", "SCHEMA_VERSION", "create"]


def create(connection: Connection) -> None:
    """All tables of a new ledger, as the migrations from 0 on would leave them."""
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


def _create_all(connection: Connection) -> None:
    metadata.create_all(connection)


def _encoding_tables(connection: Connection) -> None:
    """Synaptic tags, short-term facts, observation notes; the time zone of a turn."""
    metadata.create_all(connection, tables=[schema.synaptic_tags, schema.short_term, schema.notes])
    column_names = {
        column["name"] for column in inspect(connection).get_columns(schema.episodes.name)
    }
    if schema.episodes.c.zone.name not in column_names:
        connection.execute(text("ALTER TABLE episodes ADD COLUMN zone TEXT NOT NULL DEFAULT ''"))
    # The very first ledgers were of version 1, too, and did not keep the words of a memory: where
    # there are none, they are read from its text.
    columns = inspect(connection).get_columns(schema.memories.name)
    if schema.memories.c.terms.name not in {column["name"] for column in columns}:
        connection.execute(text("ALTER TABLE memories ADD COLUMN terms TEXT NOT NULL DEFAULT ''"))


def _feedback_table(connection: Connection) -> None:
    """What was made of recalled memories."""
    metadata.create_all(connection, tables=[schema.feedback])


def _dream_tables(connection: Connection) -> None:
    """Who consolidates a namespace, and what each dream cycle did; feedback by its recall."""
    metadata.create_all(connection, tables=[schema.dreams, schema.runs])
    add_indexes(connection, schema.feedback)


def _transcripts(connection: Connection) -> None:
    """The place of a turn in the transcript of its conversation."""
    column_names = {
        column["name"] for column in inspect(connection).get_columns(schema.episodes.name)
    }
    if schema.episodes.c.position.name not in column_names:
        connection.execute(text("ALTER TABLE episodes ADD COLUMN position BIGINT"))
    add_indexes(connection, schema.episodes)


def _items_table(connection: Connection) -> None:
    """Documents by path and key."""
    metadata.create_all(connection, tables=[schema.items])


def _audit_trail(connection: Connection) -> None:
    """The journal of each namespace becomes a chain of hashes."""
    tables: tuple[tuple[Table, tuple[str, ...]], ...] = (
        (schema.namespaces, ("position", "chain")),
        (schema.journal, ("position", "salt", "detail", "standing", "chain")),
    )
    for table, names in tables:
        column_names = {column["name"] for column in inspect(connection).get_columns(table.name)}
        for name in names:
            if name not in column_names:
                connection.execute(_ADDING[table.name, name])
    build_chains(connection)


_ADDING = {
    ("namespaces", "position"): text(
        "ALTER TABLE namespaces ADD COLUMN position BIGINT NOT NULL DEFAULT 0"
    ),
    ("namespaces", "chain"): text(
        "ALTER TABLE namespaces ADD COLUMN chain TEXT NOT NULL DEFAULT ''"
    ),
    ("journal", "position"): text(
        "ALTER TABLE journal ADD COLUMN position BIGINT NOT NULL DEFAULT 0"
    ),
    ("journal", "salt"): text("ALTER TABLE journal ADD COLUMN salt TEXT NOT NULL DEFAULT ''"),
    ("journal", "detail"): text("ALTER TABLE journal ADD COLUMN detail TEXT NOT NULL DEFAULT ''"),
    ("journal", "standing"): text(
        "ALTER TABLE journal ADD COLUMN standing TEXT NOT NULL DEFAULT ''"
    ),
    ("journal", "chain"): text("ALTER TABLE journal ADD COLUMN chain TEXT NOT NULL DEFAULT ''"),
}


def _queue_index(connection: Connection) -> None:
    """Turns that wait are found without looking at all those that do not."""
    add_indexes(connection, schema.episodes)


def _no_placement(connection: Connection) -> None:
    """Which namespaces have a collection is told by the state of the vector index."""
    column_names = {
        column["name"] for column in inspect(connection).get_columns(schema.namespaces.name)
    }
    if "placement" not in column_names:
        return
    names = ", ".join(
        column.name for column in schema.namespaces.columns if column.name in column_names
    )
    # Older versions of SQLite cannot drop a column.
    connection.execute(text("ALTER TABLE namespaces RENAME TO namespaces_before"))
    schema.namespaces.create(connection)
    copying = f"INSERT INTO namespaces ({names}) SELECT {names} FROM namespaces_before"  # noqa: S608
    connection.execute(text(copying))
    connection.execute(text("DROP TABLE namespaces_before"))


def _rejections(connection: Connection) -> None:
    """Digests of what a person rejected."""
    metadata.create_all(connection, tables=[schema.rejections])


def _ref_index(connection: Connection) -> None:
    """Turns are found by the callers' own ids, so that one that is sent again is known."""
    add_indexes(connection, schema.episodes)


def _ends_and_vectors(connection: Connection) -> None:
    """Documents end, and hold a vector of the caller's."""
    column_names = {column["name"] for column in inspect(connection).get_columns(schema.items.name)}
    for column in (schema.items.c.vector, schema.items.c.ttl, schema.items.c.expires_at):
        if column.name not in column_names:
            kind = column.type.compile(dialect=connection.dialect)
            connection.execute(text(f"ALTER TABLE items ADD COLUMN {column.name} {kind}"))
    add_indexes(connection, schema.items)


def _agents(connection: Connection) -> None:
    """Intentions, procedures and the runs they are mined from; a namespace's own row tells of any."""
    tables = [schema.intentions, schema.procedures, schema.task_runs]
    metadata.create_all(connection, tables=tables)
    column_names = {
        column["name"] for column in inspect(connection).get_columns(schema.namespaces.name)
    }
    if schema.namespaces.c.agent_seq.name not in column_names:
        adding = "ALTER TABLE namespaces ADD COLUMN agent_seq BIGINT NOT NULL DEFAULT 0"
        connection.execute(text(adding))


def _reviews(connection: Connection) -> None:
    """Writes that wait for a person."""
    metadata.create_all(connection, tables=[schema.reviews])


def _sharing(connection: Connection) -> None:
    """Principals, grants, what was decided, and which memories rest on other namespaces."""
    tables = [schema.principals, schema.grants, schema.access_log, schema.derivations]
    metadata.create_all(connection, tables=tables)
    column_names = {
        column["name"] for column in inspect(connection).get_columns(schema.namespaces.name)
    }
    if schema.namespaces.c.compartments.name not in column_names:
        adding = "ALTER TABLE namespaces ADD COLUMN compartments SMALLINT NOT NULL DEFAULT 0"
        connection.execute(text(adding))


def _page_index(connection: Connection) -> None:
    """Pages of memories are found by an index, whatever they are filtered by."""
    add_indexes(connection, schema.memories)


def _told_again_index(connection: Connection) -> None:
    """Memories with several sources are found by an index of these alone."""
    add_indexes(connection, schema.memories)


MIGRATIONS: tuple[Callable[[Connection], None], ...] = (
    _create_all,
    _encoding_tables,
    _feedback_table,
    _dream_tables,
    _transcripts,
    _items_table,
    _audit_trail,
    _queue_index,
    _no_placement,
    _rejections,
    _ref_index,
    _ends_and_vectors,
    _agents,
    _reviews,
    _sharing,
    _page_index,
    _told_again_index,
)
SCHEMA_VERSION = len(MIGRATIONS)
