"""Rows that do not fit together: how many there are, and how to bring them in order.

Whole-table queries, for a person who asks; nothing here runs by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from sqlalchemy import (
    Connection,
    Table,
    delete,
    exists,
    func,
    inspect,
    not_,
    or_,
    select,
    text,
    update,
)

from cogmem_core.errors import StoreError
from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.codec import (
    MEMORY_COLUMNS,
    decode_memory,
    decode_moment,
    dump,
    encode_time,
)
from cogmem_core.storage.ledger.schema import add_indexes, indexes_of, metadata
from cogmem_core.storage.ledger.table import chunks, count_rows, same_namespace, upserting
from cogmem_core.text.keys import content_hash

_M = schema.memories.c
_N = schema.namespaces
_S = schema.shards
_J = schema.journal.c
_BATCH = 500
_MOST = 1_000


def missing_from_schema(connection: Connection) -> list[str]:
    """Tables, columns and indexes that should be there."""
    inspector = inspect(connection)
    table_names = set(inspector.get_table_names())
    missing = [f"table {name}" for name in metadata.tables if name not in table_names]
    for table in metadata.tables.values():
        if table.name in table_names:
            columns = {column["name"] for column in inspector.get_columns(table.name)}
            indexes = {index["name"] for index in inspector.get_indexes(table.name)}
            absent = {column.name for column in table.columns} - columns
            missing += [f"column {table.name}.{name}" for name in absent]
            expected_indexes = indexes_of(table, connection.dialect.name)
            missing += [f"index {i.name}" for i in expected_indexes if i.name not in indexes]
    return sorted(missing)


def mend_schema(connection: Connection) -> None:
    """Make missing tables, empty, and missing indexes."""
    metadata.create_all(connection)
    for table in metadata.tables.values():
        add_indexes(connection, table)


def damaged_pages(connection: Connection, *, indexes: bool) -> list[str]:
    """What SQLite finds wrong with its pages, and with its indexes if they are to be compared, which takes longer.

    Nothing on other databases.
    """
    if connection.dialect.name != "sqlite":
        return []
    pragma = text("PRAGMA integrity_check(5)") if indexes else text("PRAGMA quick_check(5)")
    rows = list(connection.scalars(pragma))
    return [] if rows == ["ok"] else list(map(str, rows))


def wrong_numbers(connection: Connection) -> list[str]:
    """Namespaces whose rows have journal numbers that the counters do not know: indexes would never see them."""
    newest = _newest().subquery()
    joined = newest.outerjoin(_N, same_namespace(_N, newest))
    joined = joined.outerjoin(_S, _S.c.shard == newest.c.shard)
    behind = or_(
        func.coalesce(_N.c.last_seq, -1) < newest.c.seq,
        func.coalesce(_S.c.seq, -1) < newest.c.seq,
    )
    return list(
        connection.scalars(select(newest.c.namespace).select_from(joined).where(behind).distinct())
    )


def mend_numbers(connection: Connection, now: datetime) -> None:
    """Raise the counters to the rows."""
    namespaces, shards = (
        upserting(connection.dialect.name, table, (column,), rising=column)
        for table, column in ((_N, "last_seq"), (_S, "seq"))
    )
    for shard, namespace, seq in connection.execute(_newest()).all():
        row = {"shard": shard, "namespace": namespace, "last_seq": seq}
        connection.execute(namespaces, {**row, "created_at": encode_time(now)})
        connection.execute(shards, {"shard": shard, "seq": seq})


def _newest() -> Any:
    """(shard, namespace, newest journal number of its rows)."""
    return select(_M.shard, _M.namespace, func.max(_M.seq).label("seq")).group_by(
        _M.shard, _M.namespace
    )


_ORPHANS: tuple[tuple[str, Table, tuple[str, ...]], ...] = (
    ("relations", schema.relations, ("source_id", "target_id")),
    ("judgements", schema.feedback, ("memory_id",)),
    ("short-term marks", schema.short_term, ("memory_id",)),
    ("synaptic tags", schema.synaptic_tags, ("memory_id",)),
    ("former versions", schema.versions, ("memory_id",)),
    ("clauses", schema.clauses, ("memory_id",)),
    ("derivations", schema.derivations, ("memory_id",)),
)


def orphans(connection: Connection) -> dict[str, int]:
    """How many rows of each kind belong to a memory, or to a conversation, that is not there."""
    counts = {
        name: count_rows(connection, table, _lost(table, columns))
        for name, table, columns in _ORPHANS
    }
    counts["successors of memories"] = count_rows(connection, schema.memories, _unsucceeded())
    counts["turns of a transcript without a conversation"] = count_rows(
        connection, schema.episodes, _unlisted()
    )
    counts["texts of documents"] = sum(1 for _ in _lost_texts(connection))
    return {name: count for name, count in counts.items() if count}


def drop_orphans(connection: Connection) -> None:
    """Delete them; memories, turns and documents themselves stay."""
    for _, table, columns in _ORPHANS:
        connection.execute(delete(table).where(_lost(table, columns)))
    connection.execute(update(schema.memories).where(_unsucceeded()).values(superseded_by=None))
    connection.execute(update(schema.episodes).where(_unlisted()).values(position=None))
    for key, memory_ids in list(_lost_texts(connection)):
        same = [schema.items.c[name] == value for name, value in key.items()]
        connection.execute(update(schema.items).where(*same).values(memory_ids=dump(memory_ids)))


def _lost(table: Table, columns: tuple[str, ...]) -> Any:
    memory = select(_M.id).where(_M.shard == table.c.shard)
    return or_(*(not_(exists(memory.where(_M.id == table.c[column]))) for column in columns))


def _unsucceeded() -> Any:
    other = schema.memories.alias()
    successor = exists(
        select(other.c.id).where(other.c.shard == _M.shard, other.c.id == _M.superseded_by)
    )
    return _M.superseded_by.is_not(None) & not_(successor)


def _unlisted() -> Any:
    e = schema.episodes.c
    return e.position.is_not(None) & e.session_id.is_(None)


def _lost_texts(connection: Connection) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """Documents that name memories which are not there, and the memories that are."""
    i = schema.items.c
    for shard, namespace, path, key, listed in connection.execute(
        select(i.shard, i.namespace, i.path, i.key, i.memory_ids).where(i.memory_ids != "[]")
    ).all():
        ids = listed[2:-2].split('","')
        stored_ids = set(connection.scalars(select(_M.id).where(_M.shard == shard, _M.id.in_(ids))))
        if not stored_ids.issuperset(ids):
            address = {"shard": shard, "namespace": namespace, "path": path, "key": key}
            yield address, [memory_id for memory_id in ids if memory_id in stored_ids]


def stale_leases(connection: Connection, now: datetime, longest: timedelta) -> list[str]:
    """Namespaces that a dead process still holds, or that one with another clock holds for too long."""
    d = schema.dreams.c
    r = schema.runs.c
    over = or_(
        d.expires_at <= encode_time(now),
        d.expires_at > encode_time(now + longest),
        d.expires_at.is_(None),
    )
    held = set(connection.scalars(select(d.namespace).where(d.owner.is_not(None), over)))
    live = select(d.namespace).where(d.owner.is_not(None), not_(over))
    interrupted = connection.scalars(
        select(r.namespace).where(r.state == "running", r.namespace.not_in(live))
    )
    return sorted(held | set(interrupted))


def end_leases(connection: Connection, namespaces: list[str]) -> None:
    """Free these namespaces; their cycles count as interrupted."""
    d = schema.dreams
    r = schema.runs
    for part in chunks(namespaces, _BATCH):
        connection.execute(
            update(d).where(d.c.namespace.in_(part)).values(owner=None, expires_at=None)
        )
        running = (r.c.namespace.in_(part), r.c.state == "running")
        connection.execute(update(r).where(*running).values(state="interrupted"))


def unreadable(connection: Connection) -> list[tuple[str, str]]:
    """(id, namespace) of memories that cannot be read, a thousand at most."""
    return list(islice(_unreadable(connection), _MOST))


def _unreadable(connection: Connection) -> Iterator[tuple[str, str]]:
    for row in connection.execute(select(*(_M[name] for name in MEMORY_COLUMNS))):
        try:
            decode_memory(row)
        except StoreError:
            yield row.id, row.namespace


def damaged_texts(connection: Connection) -> list[tuple[str, str]]:
    """(id, namespace) of memories whose text is not the one that was written, a thousand at most."""
    rows = connection.execute(select(_M.id, _M.namespace, _M.content, _M.content_hash))
    damaged = (row[:2] for row in rows if content_hash(row[2]) != row[3])
    return list(map(tuple, islice(damaged, _MOST)))


def reindex(connection: Connection) -> None:
    """Make the ledger's indexes anew."""
    connection.execute(text("REINDEX"))


def newest_write(connection: Connection) -> datetime | None:
    """When the last change was made, by the clock of who made it."""
    newest = connection.scalar(select(func.max(_J.at)))
    return None if newest is None else decode_moment(newest)
