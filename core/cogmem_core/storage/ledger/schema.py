"""The tables of the ledger, the same on SQLite and PostgreSQL.

Every key leads with the shard (a hash of the namespace), so that a cluster can split the tables by
it. Times are microseconds since 1970 UTC; lists and maps are JSON text; vectors are little-endian
float32.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache

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

__all__ = [
    "SHARDS",
    "TOLD_AGAIN",
    "access_log",
    "add_indexes",
    "derivations",
    "dreams",
    "episodes",
    "erasures",
    "feedback",
    "grants",
    "indexes_of",
    "intentions",
    "items",
    "journal",
    "memories",
    "meta",
    "metadata",
    "namespaces",
    "narrow_for_postgresql",
    "notes",
    "principals",
    "procedures",
    "rejections",
    "relations",
    "reviews",
    "runs",
    "shard_of",
    "shards",
    "short_term",
    "synaptic_tags",
    "task_runs",
    "tombstones",
    "unindexed",
    "vector_state",
    "versions",
]

SHARDS = 16
TOLD_AGAIN = "replace(memories.sources, '],[', '') <> memories.sources"
"""Of a memory with several sources, spelled as its index is, so that this serves. LIKE has signs that drivers take."""
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


meta = Table(
    "meta", metadata, Column("key", _TEXT, primary_key=True), Column("value", _TEXT, nullable=False)
)

shards = Table(
    "shards",
    metadata,
    Column("shard", SmallInteger, primary_key=True, autoincrement=False),
    Column("seq", BigInteger, nullable=False),
)

namespaces = Table(
    "namespaces",
    metadata,
    Column("shard", SmallInteger, primary_key=True, autoincrement=False),
    Column("namespace", _TEXT, primary_key=True),
    Column("last_seq", BigInteger, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("position", BigInteger, nullable=False, server_default="0"),
    Column("chain", _TEXT, nullable=False, server_default=""),
    # Of intentions and procedures: the journal number of the newest change; 0 = there never was one.
    Column("agent_seq", BigInteger, nullable=False, server_default="0"),
    # 1 if memories of it rest on other namespaces, and are kept in compartments (see `access`).
    Column("compartments", SmallInteger, nullable=False, server_default="0"),
)

memories = Table(
    "memories",
    metadata,
    Column("shard", SmallInteger, primary_key=True, autoincrement=False),
    Column("id", _TEXT, primary_key=True),
    Column("namespace", _TEXT, nullable=False),
    Column("content", _TEXT, nullable=False),
    Column("content_hash", _TEXT, nullable=False),
    Column("recorded_at", BigInteger, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Column("session_id", _TEXT),
    Column("speaker", _TEXT),
    Column("category", _TEXT, nullable=False),
    Column("tier", _TEXT, nullable=False),
    Column("state", _TEXT, nullable=False),
    Column("entities", _TEXT, nullable=False),
    Column("tags", _TEXT, nullable=False),
    Column("stability", Float, nullable=False),
    Column("initial_stability", Float, nullable=False),
    Column("difficulty", Float, nullable=False),
    Column("storage_strength", Float, nullable=False),
    Column("last_reinforced_at", BigInteger),
    Column("access_count", Integer, nullable=False),
    Column("used_count", Integer, nullable=False),
    Column("ignored_streak", Integer, nullable=False),
    Column("retrieval_count", Integer, nullable=False),
    Column("last_retrieved_at", BigInteger),
    Column("reinforcement_interval", Float, nullable=False),
    Column("next_reinforcement_at", BigInteger),
    Column("importance", Float, nullable=False),
    Column("channels", _TEXT, nullable=False),
    Column("utility", Float, nullable=False),
    Column("valence", Float, nullable=False),
    Column("arousal", Float, nullable=False),
    Column("intensity", Float, nullable=False),
    Column("emotion", _TEXT, nullable=False),
    Column("flashbulb", SmallInteger, nullable=False),
    Column("pinned", SmallInteger, nullable=False),
    Column("immutable", SmallInteger, nullable=False),
    Column("source_confidence", Float, nullable=False),
    Column("trust", Float, nullable=False),
    Column("write_source", _TEXT, nullable=False),
    Column("data_source", _TEXT, nullable=False),
    Column("referenced_at", BigInteger),
    Column("valid_from", BigInteger),
    Column("valid_until", BigInteger),
    Column("temporal_type", _TEXT, nullable=False),
    Column("superseded_by", _TEXT),
    Column("sources", _TEXT, nullable=False),
    Column("support", _TEXT, nullable=False),
    Column("metadata", _TEXT, nullable=False),
    Column("version", Integer, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("index_key", _TEXT, nullable=False),
    Column("terms", _TEXT, nullable=False),
    Column("fingerprint", _TEXT, nullable=False),
    Column("vector", LargeBinary, nullable=False),
    Index("memories_by_seq", "shard", "namespace", "seq"),
    Index("memories_by_hash", "shard", "namespace", "content_hash"),
    Index("memories_by_state", "shard", "namespace", "state", "category", "id"),
    Index("memories_by_shard_seq", "shard", "seq"),
    Index(
        "memories_told_again",
        *("shard", "namespace", "id"),
        sqlite_where=text(TOLD_AGAIN.replace("memories.", "")),
    ),
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
    Column("shard", SmallInteger, primary_key=True, autoincrement=False),
    Column("id", _TEXT, primary_key=True),
    Column("namespace", _TEXT, nullable=False),
    Column("content", _TEXT, nullable=False),
    Column("role", _TEXT, nullable=False),
    Column("speaker", _TEXT),
    Column("at", BigInteger, nullable=False),
    Column("recorded_at", BigInteger, nullable=False),
    Column("session_id", _TEXT),
    Column("ref", _TEXT),
    Column("mode", _TEXT),
    Column("metadata", _TEXT, nullable=False),
    Column("status", _TEXT, nullable=False),
    Column("reason", _TEXT, nullable=False),
    Column("zone", _TEXT, nullable=False, server_default=""),
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

versions = Table(
    "versions",
    metadata,
    Column("shard", SmallInteger, primary_key=True, autoincrement=False),
    Column("memory_id", _TEXT, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("namespace", _TEXT, nullable=False),
    Column("content", _TEXT, nullable=False),
    Column("index_key", _TEXT, nullable=False),
    Column("fingerprint", _TEXT, nullable=False),
    Column("vector", LargeBinary, nullable=False),
    Column("replaced_at", BigInteger, nullable=False),
    Column("replaced_by", _TEXT, nullable=False),
    Column("reason", _TEXT, nullable=False),
)

relations = Table(
    "relations",
    metadata,
    Column("shard", SmallInteger, primary_key=True, autoincrement=False),
    Column("source_id", _TEXT, primary_key=True),
    Column("target_id", _TEXT, primary_key=True),
    Column("type", _TEXT, primary_key=True),
    Column("namespace", _TEXT, nullable=False),
    Column("weight", Float, nullable=False),
    Column("confidence", Float, nullable=False),
    Column("created_at", BigInteger),
    Column("last_activated_at", BigInteger),
    Index("relations_by_target", "shard", "target_id"),
    Index("relations_by_namespace", "shard", "namespace"),
)

journal = Table(
    "journal",
    metadata,
    Column("shard", SmallInteger, primary_key=True, autoincrement=False),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("namespace", _TEXT, nullable=False),
    Column("memory_id", _TEXT, nullable=False),
    Column("kind", _TEXT, nullable=False),
    Column("actor", _TEXT, nullable=False),
    Column("reason", _TEXT, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("run_id", _TEXT),
    Column("before", _TEXT, nullable=False),
    Column("position", BigInteger, nullable=False, server_default="0"),
    Column("salt", _TEXT, nullable=False, server_default=""),
    Column("detail", _TEXT, nullable=False, server_default=""),
    Column("standing", _TEXT, nullable=False, server_default=""),
    Column("chain", _TEXT, nullable=False, server_default=""),
    Index("journal_by_memory", "shard", "memory_id", "seq"),
    Index("journal_by_run", "shard", "run_id"),
)

synaptic_tags = Table(
    "synaptic_tags",
    metadata,
    Column("shard", SmallInteger, primary_key=True, autoincrement=False),
    Column("memory_id", _TEXT, primary_key=True),
    Column("namespace", _TEXT, nullable=False),
    Column("session_id", _TEXT, nullable=False),
    Column("tagged_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Column("captured", SmallInteger, nullable=False),
    Index("synaptic_tags_by_session", "shard", "namespace", "session_id", "expires_at"),
)

short_term = Table(
    "short_term",
    metadata,
    Column("shard", SmallInteger, primary_key=True, autoincrement=False),
    Column("memory_id", _TEXT, primary_key=True),
    Column("namespace", _TEXT, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Index("short_term_by_expiry", "shard", "namespace", "expires_at"),
)

notes = Table(
    "notes",
    metadata,
    Column("shard", SmallInteger, primary_key=True, autoincrement=False),
    Column("id", _TEXT, primary_key=True),
    Column("namespace", _TEXT, nullable=False),
    Column("level", _TEXT, nullable=False),
    Column("content", _TEXT, nullable=False),
    Column("priority", _TEXT, nullable=False),
    Column("speaker", _TEXT),
    Column("role", _TEXT, nullable=False),
    Column("session_id", _TEXT),
    Column("entities", _TEXT, nullable=False),
    Column("confidence", Float, nullable=False),
    Column("observed_at", BigInteger, nullable=False),
    Column("referenced_at", BigInteger),
    Column("created_at", BigInteger, nullable=False),
    Column("refs", _TEXT, nullable=False),
    Column("characters", Integer, nullable=False),
    Index("notes_by_namespace", "shard", "namespace", "level", "id"),
)

feedback = Table(
    "feedback",
    metadata,
    Column("shard", SmallInteger, primary_key=True, autoincrement=False),
    Column("memory_id", _TEXT, primary_key=True),
    Column("recall_id", _TEXT, primary_key=True),
    Column("namespace", _TEXT, nullable=False),
    Column("signal", _TEXT, nullable=False),
    Column("ratio", Float, nullable=False),
    Column("prior", Float, nullable=False),
    Column("query", _TEXT, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("feedback_by_time", "shard", "namespace", "at"),
    Index("feedback_by_recall", "shard", "recall_id"),
)

items = Table(
    "items",
    metadata,
    Column("shard", SmallInteger, primary_key=True, autoincrement=False),
    Column("namespace", _TEXT, primary_key=True),
    Column("path", _TEXT, primary_key=True),
    Column("key", _TEXT, primary_key=True),
    Column("value", _TEXT, nullable=False),
    Column("memory_ids", _TEXT, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Column("revision", _TEXT, nullable=False),
    Column("vector", LargeBinary),
    Column("ttl", BigInteger),
    Column("expires_at", BigInteger),
    Index("items_by_revision", "shard", "namespace", "revision"),
    Index("items_by_end", "expires_at"),
)

dreams = Table(
    "dreams",
    metadata,
    Column("shard", SmallInteger, primary_key=True, autoincrement=False),
    Column("namespace", _TEXT, primary_key=True),
    Column("owner", _TEXT),
    Column("fence", BigInteger, nullable=False),
    Column("expires_at", BigInteger),
    Column("last_at", BigInteger),
    Column("last_seq", BigInteger, nullable=False),
    Column("last_turn", _TEXT, nullable=False),
    Column("marks", _TEXT, nullable=False),
)

runs = Table(
    "runs",
    metadata,
    Column("shard", SmallInteger, primary_key=True, autoincrement=False),
    Column("id", _TEXT, primary_key=True),
    Column("namespace", _TEXT, nullable=False),
    Column("cause", _TEXT, nullable=False),
    Column("state", _TEXT, nullable=False),
    Column("started_at", BigInteger, nullable=False),
    Column("marks", _TEXT, nullable=False),
    Column("report", _TEXT, nullable=False),
    Index("runs_by_time", "shard", "namespace", "started_at"),
)

tombstones = Table(
    "tombstones",
    metadata,
    Column("shard", SmallInteger, primary_key=True, autoincrement=False),
    Column("id", _TEXT, primary_key=True),
    Column("namespace", _TEXT, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Index("tombstones_by_seq", "shard", "namespace", "seq"),
)

rejections = Table(
    "rejections",
    metadata,
    Column("shard", SmallInteger, primary_key=True, autoincrement=False),
    Column("namespace", _TEXT, primary_key=True),
    Column("digest", _TEXT, primary_key=True),
    Column("claim", _TEXT, nullable=False),
    Column("memory_id", _TEXT, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("rejections_by_claim", "shard", "namespace", "claim"),
    Index("rejections_by_memory", "shard", "namespace", "memory_id"),
)

intentions = Table(
    "intentions",
    metadata,
    Column("shard", SmallInteger, primary_key=True, autoincrement=False),
    Column("id", _TEXT, primary_key=True),
    Column("namespace", _TEXT, nullable=False),
    Column("state", _TEXT, nullable=False),
    Column("live", SmallInteger, nullable=False),
    Column("at", BigInteger),
    Column("seq", BigInteger, nullable=False),
    Column("content", _TEXT, nullable=False),
    Index("intentions_by_state", "shard", "namespace", "state"),
    Index("intentions_by_time", "live", "at"),
)

procedures = Table(
    "procedures",
    metadata,
    Column("shard", SmallInteger, primary_key=True, autoincrement=False),
    Column("id", _TEXT, primary_key=True),
    Column("namespace", _TEXT, nullable=False),
    Column("state", _TEXT, nullable=False),
    Column("live", SmallInteger, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("content", _TEXT, nullable=False),
    Index("procedures_by_state", "shard", "namespace", "state"),
)

task_runs = Table(
    "task_runs",
    metadata,
    Column("shard", SmallInteger, primary_key=True, autoincrement=False),
    Column("id", _TEXT, primary_key=True),
    Column("namespace", _TEXT, nullable=False),
    Column("session_id", _TEXT, nullable=False),
    Column("ok", SmallInteger),
    Column("at", BigInteger, nullable=False),
    Column("content", _TEXT, nullable=False),
    Index("task_runs_by_time", "shard", "namespace", "at"),
)

reviews = Table(
    "reviews",
    metadata,
    Column("shard", SmallInteger, primary_key=True, autoincrement=False),
    Column("id", _TEXT, primary_key=True),
    Column("namespace", _TEXT, nullable=False),
    Column("state", _TEXT, nullable=False),
    Column("live", SmallInteger, nullable=False),
    Column("target_id", _TEXT, nullable=False),
    Column("proposal", _TEXT, nullable=False),
    Column("until", BigInteger, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("content", _TEXT, nullable=False),
    Index("reviews_by_state", "shard", "namespace", "state"),
    Index("reviews_by_target", "shard", "namespace", "target_id"),
    Index("reviews_by_proposal", "shard", "namespace", "proposal"),
)

principals = Table(
    "principals",
    metadata,
    Column("name", _TEXT, primary_key=True),
    Column("kind", _TEXT, nullable=False),
    Column("owner", _TEXT),
    Column("created_at", BigInteger, nullable=False),
)

grants = Table(
    "grants",
    metadata,
    Column("id", _TEXT, primary_key=True),
    Column("principal", _TEXT, nullable=False),
    Column("namespaces", _TEXT, nullable=False),
    Column("right", _TEXT, nullable=False),
    Column("effect", _TEXT, nullable=False),
    Column("reason", _TEXT, nullable=False),
    Column("until", BigInteger),
    Column("granted_by", _TEXT, nullable=False),
    Column("granted_at", BigInteger, nullable=False),
    Column("revoked_at", BigInteger),
    Column("revoked_by", _TEXT, nullable=False, server_default=""),
)

access_log = Table(
    "access_log",
    metadata,
    Column("id", _TEXT, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("principal", _TEXT, nullable=False),
    Column("act", _TEXT, nullable=False),
    Column("namespaces", _TEXT, nullable=False),
    Column("allowed", SmallInteger, nullable=False),
    Column("reason", _TEXT, nullable=False),
    Column("by", _TEXT, nullable=False, server_default=""),
)

derivations = Table(
    "derivations",
    metadata,
    Column("shard", SmallInteger, primary_key=True, autoincrement=False),
    Column("namespace", _TEXT, primary_key=True),
    Column("memory_id", _TEXT, primary_key=True),
    Column("source_namespace", _TEXT, primary_key=True),
    Column("source_id", _TEXT, primary_key=True),
    Index("derivations_by_source", "source_namespace", "source_id"),
)

erasures = Table(
    "erasures",
    metadata,
    Column("id", _TEXT, primary_key=True),
    Column("namespace", _TEXT, nullable=False),
    Column("requested_at", BigInteger, nullable=False),
)

vector_state = Table(
    "vector_state",
    metadata,
    Column("name", _TEXT, primary_key=True),
    Column("number", Integer, nullable=False),
    Column("fingerprint", _TEXT, nullable=False),
    Column("dirty", SmallInteger, nullable=False),
    Column("manifest", _TEXT, nullable=False),
    Column("applied", _TEXT, nullable=False),
    Column("deleted", Integer, nullable=False),
)
