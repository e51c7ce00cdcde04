"""The tables of the ledger, the same on SQLite and PostgreSQL.

Every key leads with the shard (a hash of the namespace), so that a cluster can split the tables by
it. Times are microseconds since 1970 UTC; lists and maps are JSON text; vectors are little-endian
float32.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
    inspect,
    text,
)

SHARDS = 16
TOLD_AGAIN = "replace(memories.sources, '],[', '') <> memories.sources"
"""Of a memory with several sources, spelled as its index is, so that this serves. LIKE has signs that drivers take."""
GUARDING = "guards <> ''"
PINNED = "pinned = 1"
"""Of a clause that tells a guardian fact, of a memory that is pinned: spelled as in the indexes."""
OUTDATED = "outdated"  # stands in the index memories_outdated and its query, too
"""In place of the fingerprint of a vector: it is that of another text, and is made anew in the background."""
metadata = MetaData()
# Compared and sorted byte by byte, as SQLite does; by a language's rules a range of paths would not
# be a folder.
_TEXT = Text().with_variant(Text(collation="C"), "postgresql")


def unindexed(column: ColumnElement[str]) -> ColumnElement[str]:
    """The column in a form for which no index is used: where the ids of a query are known, only the key may serve.

    SQLite has no statistics here and otherwise prefers an index that walks the whole namespace.
    """
    return column.concat("")


def _only_on(dialect: str, index: Index) -> Index:
    """The index, which other databases do without."""
    index.info["dialect"] = dialect
    index.ddl_if(dialect=dialect)
    return index


def indexes_of(table: Table, dialect: str) -> list[Index]:
    """The indexes that a table has in a kind of database, by name."""
    indexes = [index for index in table.indexes if index.info.get("dialect", dialect) == dialect]
    return sorted(indexes, key=lambda index: str(index.name))


def narrow_for_postgresql() -> None:
    """Give indexes of a part of a table the same condition there.

    Not where the tables are declared: that would load the dialect, which most processes never need.
    """
    for table in metadata.tables.values():
        for index in table.indexes:
            condition = index.dialect_options["sqlite"]["where"]
            index.dialect_options["postgresql"]["where"] = condition


def add_indexes(connection: Connection, table: Table) -> None:
    """Make those that a table lacks."""
    index_names = {index["name"] for index in inspect(connection).get_indexes(table.name)}
    for index in indexes_of(table, connection.dialect.name):
        if index.name not in index_names:
            index.create(connection)


@lru_cache(maxsize=4_096)
def shard_of(namespace: str) -> int:
    """The shard of a namespace, 0..15; fixed for ever, because keys contain it."""
    return hashlib.sha256(namespace.encode()).digest()[0] % SHARDS


def _columns(
    kind: Any, *names: str, nullable: bool = False, default: str | None = None
) -> list[Column[Any]]:
    return [Column(name, kind, nullable=nullable, server_default=default) for name in names]


def _sharded(*names: str) -> list[Column[Any]]:
    """The key of a table that a cluster can split: the shard, then these."""
    shard = Column("shard", SmallInteger, primary_key=True, autoincrement=False)
    return [shard, *(Column(name, _TEXT, primary_key=True) for name in names)]


meta = Table("meta", metadata, Column("key", _TEXT, primary_key=True), *_columns(_TEXT, "value"))

shards = Table(
    "shards",
    metadata,
    *_sharded(),
    *_columns(BigInteger, "seq"),
)

namespaces = Table(
    "namespaces",
    metadata,
    *_sharded("namespace"),
    *_columns(BigInteger, "last_seq", "created_at"),
    *_columns(BigInteger, "position", default="0"),
    *_columns(_TEXT, "chain", default=""),
    # Of intentions and procedures: the journal number of the newest change; 0 = there never was one.
    *_columns(BigInteger, "agent_seq", default="0"),
    # 1 if memories of it rest on other namespaces, and are kept in compartments (see `access`).
    *_columns(SmallInteger, "compartments", default="0"),
    # What is never to be kept in it, as JSON; "" = only what the settings name.
    *_columns(_TEXT, "seals", default=""),
)

memories = Table(
    "memories",
    metadata,
    *_sharded("id"),
    *_columns(_TEXT, "namespace", "content", "content_hash"),
    *_columns(BigInteger, "recorded_at", "created_at", "updated_at"),
    *_columns(_TEXT, "session_id", "speaker", nullable=True),
    *_columns(_TEXT, "category", "tier", "state", "entities", "tags"),
    *_columns(Float, "stability", "initial_stability", "difficulty", "storage_strength"),
    Column("last_reinforced_at", BigInteger),
    *_columns(Integer, "access_count", "used_count", "ignored_streak", "retrieval_count"),
    Column("last_retrieved_at", BigInteger),
    *_columns(Float, "reinforcement_interval"),
    Column("next_reinforcement_at", BigInteger),
    *_columns(Float, "importance"),
    *_columns(_TEXT, "channels"),
    *_columns(Float, "utility", "valence", "arousal", "intensity"),
    *_columns(_TEXT, "emotion"),
    *_columns(SmallInteger, "flashbulb", "pinned", "immutable"),
    *_columns(Float, "source_confidence", "trust"),
    *_columns(_TEXT, "write_source", "data_source"),
    *_columns(BigInteger, "referenced_at", "valid_from", "valid_until", nullable=True),
    *_columns(_TEXT, "temporal_type"),
    Column("superseded_by", _TEXT),
    *_columns(_TEXT, "sources", "support", "metadata"),
    *_columns(Integer, "version"),
    *_columns(BigInteger, "seq"),
    *_columns(_TEXT, "index_key", "terms", "fingerprint"),
    *_columns(LargeBinary, "vector"),
    # The text taken apart, as JSON ("" = not yet); how those clauses stand that do not simply hold.
    *_columns(_TEXT, "reading", "clause_states", default=""),
    Index("memories_by_seq", "shard", "namespace", "seq"),
    Index("memories_by_hash", "shard", "namespace", "content_hash"),
    Index("memories_by_state", "shard", "namespace", "state", "category", "id"),
    Index("memories_by_shard_seq", "shard", "seq"),
    Index(
        "memories_told_again",
        *("shard", "namespace", "id"),
        sqlite_where=text(TOLD_AGAIN.replace("memories.", "")),
    ),
    Index("memories_pinned", "shard", "namespace", sqlite_where=text(PINNED)),
    Index("memories_outdated", "id", sqlite_where=text("fingerprint = 'outdated'")),
    # Holds all that a page is filtered by: rows, of which each is some kilobytes long, are read only
    # of what is shown. PostgreSQL keeps vectors aside, and an entry there holds 2,700 bytes at most.
    _only_on(
        "sqlite",
        Index(
            "memories_by_page",
            *("shard", "namespace", "id", "state", "category", "tier", "recorded_at"),
            *("speaker", "session_id", "tags"),
        ),
    ),
    _only_on("postgresql", Index("memories_by_id", "shard", "namespace", "id")),
)

episodes = Table(
    "episodes",
    metadata,
    *_sharded("id"),
    *_columns(_TEXT, "namespace", "content", "role"),
    Column("speaker", _TEXT),
    *_columns(BigInteger, "at", "recorded_at"),
    *_columns(_TEXT, "session_id", "ref", "mode", nullable=True),
    *_columns(_TEXT, "metadata", "status", "reason"),
    *_columns(_TEXT, "zone", default=""),
    Column("position", BigInteger),
    Index("episodes_by_status", "shard", "namespace", "status", "id"),
    Index(
        "episodes_queued",
        "id",
        sqlite_where=text("status = 'queued'"),
    ),
    Index("episodes_by_session", "shard", "namespace", "session_id", "at"),
    Index(
        "episodes_by_ref",
        *("shard", "namespace", "ref"),
        sqlite_where=text("ref IS NOT NULL"),
    ),
    Index(
        "episodes_by_position",
        *("shard", "namespace", "session_id", "position"),
        sqlite_where=text("position IS NOT NULL"),
    ),
)

# Of memories in recall or not: what their clauses say of whom, and how these stand. It follows from
# the rows of the memories.
clauses = Table(
    "clauses",
    metadata,
    *_sharded("memory_id"),
    Column("number", Integer, primary_key=True, autoincrement=False),
    *_columns(_TEXT, "namespace", "subject", "slot", "state"),
    *_columns(BigInteger, "since", "until", nullable=True),
    *_columns(_TEXT, "by"),
    *_columns(_TEXT, "guards", default=""),
    Index("clauses_by_slot", "shard", "namespace", "subject", "slot"),
    Index("clauses_that_guard", "shard", "namespace", sqlite_where=text(GUARDING)),
)

versions = Table(
    "versions",
    metadata,
    *_sharded("memory_id"),
    Column("version", Integer, primary_key=True, autoincrement=False),
    *_columns(_TEXT, "namespace", "content", "index_key", "fingerprint"),
    *_columns(LargeBinary, "vector"),
    *_columns(BigInteger, "replaced_at"),
    *_columns(_TEXT, "replaced_by", "reason"),
)

relations = Table(
    "relations",
    metadata,
    *_sharded("source_id", "target_id", "type"),
    *_columns(_TEXT, "namespace"),
    *_columns(Float, "weight", "confidence"),
    *_columns(BigInteger, "created_at", "last_activated_at", nullable=True),
    Index("relations_by_target", "shard", "target_id"),
    Index("relations_by_namespace", "shard", "namespace"),
)

journal = Table(
    "journal",
    metadata,
    *_sharded(),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    *_columns(_TEXT, "namespace", "memory_id", "kind", "actor", "reason"),
    *_columns(BigInteger, "at"),
    Column("run_id", _TEXT),
    *_columns(_TEXT, "before"),
    *_columns(BigInteger, "position", default="0"),
    *_columns(_TEXT, "salt", "detail", "standing", "chain", default=""),
    Index("journal_by_memory", "shard", "memory_id", "seq"),
    Index("journal_by_run", "shard", "run_id"),
)

synaptic_tags = Table(
    "synaptic_tags",
    metadata,
    *_sharded("memory_id"),
    *_columns(_TEXT, "namespace", "session_id"),
    *_columns(BigInteger, "tagged_at", "expires_at"),
    *_columns(SmallInteger, "captured"),
    Index("synaptic_tags_by_session", "shard", "namespace", "session_id", "expires_at"),
)

short_term = Table(
    "short_term",
    metadata,
    *_sharded("memory_id"),
    *_columns(_TEXT, "namespace"),
    *_columns(BigInteger, "created_at", "expires_at"),
    Index("short_term_by_expiry", "shard", "namespace", "expires_at"),
)

notes = Table(
    "notes",
    metadata,
    *_sharded("id"),
    *_columns(_TEXT, "namespace", "level", "content", "priority"),
    Column("speaker", _TEXT),
    *_columns(_TEXT, "role"),
    Column("session_id", _TEXT),
    *_columns(_TEXT, "entities"),
    *_columns(Float, "confidence"),
    *_columns(BigInteger, "observed_at"),
    Column("referenced_at", BigInteger),
    *_columns(BigInteger, "created_at"),
    *_columns(_TEXT, "refs"),
    *_columns(Integer, "characters"),
    Index("notes_by_namespace", "shard", "namespace", "level", "id"),
)

feedback = Table(
    "feedback",
    metadata,
    *_sharded("memory_id", "recall_id"),
    *_columns(_TEXT, "namespace", "signal"),
    *_columns(Float, "ratio", "prior"),
    *_columns(_TEXT, "query"),
    *_columns(BigInteger, "at"),
    Index("feedback_by_time", "shard", "namespace", "at"),
    Index("feedback_by_recall", "shard", "recall_id"),
)

items = Table(
    "items",
    metadata,
    *_sharded("namespace", "path", "key"),
    *_columns(_TEXT, "value", "memory_ids"),
    *_columns(BigInteger, "created_at", "updated_at"),
    *_columns(_TEXT, "revision"),
    Column("vector", LargeBinary),
    *_columns(BigInteger, "ttl", "expires_at", nullable=True),
    Index("items_by_revision", "shard", "namespace", "revision"),
    Index("items_by_end", "expires_at"),
)

dreams = Table(
    "dreams",
    metadata,
    *_sharded("namespace"),
    Column("owner", _TEXT),
    *_columns(BigInteger, "fence"),
    *_columns(BigInteger, "expires_at", "last_at", nullable=True),
    *_columns(BigInteger, "last_seq"),
    *_columns(_TEXT, "last_turn", "marks"),
)

runs = Table(
    "runs",
    metadata,
    *_sharded("id"),
    *_columns(_TEXT, "namespace", "cause", "state"),
    *_columns(BigInteger, "started_at"),
    *_columns(_TEXT, "marks", "report"),
    Index("runs_by_time", "shard", "namespace", "started_at"),
)

tombstones = Table(
    "tombstones",
    metadata,
    *_sharded("id"),
    *_columns(_TEXT, "namespace"),
    *_columns(BigInteger, "seq"),
    Index("tombstones_by_seq", "shard", "namespace", "seq"),
)

rejections = Table(
    "rejections",
    metadata,
    *_sharded("namespace", "digest"),
    *_columns(_TEXT, "claim", "memory_id"),
    *_columns(BigInteger, "at"),
    Index("rejections_by_claim", "shard", "namespace", "claim"),
    Index("rejections_by_memory", "shard", "namespace", "memory_id"),
)

intentions = Table(
    "intentions",
    metadata,
    *_sharded("id"),
    *_columns(_TEXT, "namespace", "state"),
    *_columns(SmallInteger, "live"),
    Column("at", BigInteger),
    *_columns(BigInteger, "seq"),
    *_columns(_TEXT, "content"),
    Index("intentions_by_state", "shard", "namespace", "state"),
    Index("intentions_by_time", "live", "at"),
)

procedures = Table(
    "procedures",
    metadata,
    *_sharded("id"),
    *_columns(_TEXT, "namespace", "state"),
    *_columns(SmallInteger, "live"),
    *_columns(BigInteger, "seq"),
    *_columns(_TEXT, "content"),
    Index("procedures_by_state", "shard", "namespace", "state"),
)

task_runs = Table(
    "task_runs",
    metadata,
    *_sharded("id"),
    *_columns(_TEXT, "namespace", "session_id"),
    Column("ok", SmallInteger),
    *_columns(BigInteger, "at"),
    *_columns(_TEXT, "content"),
    Index("task_runs_by_time", "shard", "namespace", "at"),
)

reviews = Table(
    "reviews",
    metadata,
    *_sharded("id"),
    *_columns(_TEXT, "namespace", "state"),
    *_columns(SmallInteger, "live"),
    *_columns(_TEXT, "target_id", "proposal"),
    *_columns(BigInteger, "until", "seq"),
    *_columns(_TEXT, "content"),
    Index("reviews_by_state", "shard", "namespace", "state"),
    Index("reviews_by_target", "shard", "namespace", "target_id"),
    Index("reviews_by_proposal", "shard", "namespace", "proposal"),
)

principals = Table(
    "principals",
    metadata,
    Column("name", _TEXT, primary_key=True),
    *_columns(_TEXT, "kind"),
    Column("owner", _TEXT),
    *_columns(BigInteger, "created_at"),
)

grants = Table(
    "grants",
    metadata,
    Column("id", _TEXT, primary_key=True),
    *_columns(_TEXT, "principal", "namespaces", "right", "effect", "reason"),
    Column("until", BigInteger),
    *_columns(_TEXT, "granted_by"),
    *_columns(BigInteger, "granted_at"),
    Column("revoked_at", BigInteger),
    *_columns(_TEXT, "revoked_by", default=""),
)

access_log = Table(
    "access_log",
    metadata,
    Column("id", _TEXT, primary_key=True),
    *_columns(BigInteger, "at"),
    *_columns(_TEXT, "principal", "act", "namespaces"),
    *_columns(SmallInteger, "allowed"),
    *_columns(_TEXT, "reason"),
    *_columns(_TEXT, "by", default=""),
)

derivations = Table(
    "derivations",
    metadata,
    *_sharded("namespace", "memory_id", "source_namespace", "source_id"),
    Index("derivations_by_source", "source_namespace", "source_id"),
)

erasures = Table(
    "erasures",
    metadata,
    Column("id", _TEXT, primary_key=True),
    *_columns(_TEXT, "namespace"),
    *_columns(BigInteger, "requested_at"),
)

# What was erased, as keyed digests; so that no name stays, the namespace is one, too.
erased = Table(
    "erased",
    metadata,
    Column("id", _TEXT, primary_key=True),
    *_columns(_TEXT, "place", "speaker", "key", "forms"),
    *_columns(BigInteger, "at"),
    *_columns(SmallInteger, "whole"),
    Index("erased_by_place", "place"),
)

vector_state = Table(
    "vector_state",
    metadata,
    Column("name", _TEXT, primary_key=True),
    *_columns(Integer, "number"),
    *_columns(_TEXT, "fingerprint"),
    *_columns(SmallInteger, "dirty"),
    *_columns(_TEXT, "manifest", "applied"),
    *_columns(Integer, "deleted"),
)
