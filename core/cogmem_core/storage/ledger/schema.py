"""The tables of the ledger, the same on SQLite and PostgreSQL.

Every key leads with the shard (a hash of the namespace), so that a cluster can split the tables by
it. Times are microseconds since 1970 UTC; lists and maps are JSON text; vectors are little-endian
float32.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
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


_SHARD = "smallint! shard"
"""Leads the key of a table that a cluster can split."""
_KINDS: Mapping[str, Any] = {
    "text": _TEXT,
    "smallint": SmallInteger,
    "integer": Integer,
    "bigint": BigInteger,
    "float": Float,
    "bytes": LargeBinary,
}


def _table(name: str, *parts: str | Index) -> Table:
    """A table of columns, each part "kind name name ...", and indexes.

    Behind its kind stands "!" for a part of the key, "?" for what may be missing, "=" and a default
    for what older rows lack.
    """
    columns: list[Column[Any] | Index] = []
    for part in parts:
        columns += _columns(part) if isinstance(part, str) else [part]
    return Table(name, metadata, *columns)


def _columns(part: str) -> Iterator[Column[Any]]:
    declared, *names = part.split()
    kind, is_defaulted, default = declared.partition("=")
    for name in names:
        yield Column(
            name,
            _KINDS[kind.rstrip("!?")],
            primary_key=kind.endswith("!"),
            autoincrement=False,
            nullable=kind.endswith("?"),
            server_default=default if is_defaulted else None,
        )


def _index(name: str, columns: str, *, where: str | None = None, only_on: str = "") -> Index:
    """An index; `where`: of a part of the rows; `only_on`: other databases do without it."""
    index = Index(name, *columns.split(), sqlite_where=None if where is None else text(where))
    if only_on:
        index.info["dialect"] = only_on
        index.ddl_if(dialect=only_on)
    return index


meta = _table(
    "meta",
    "text! key",
    "text value",
)

shards = _table(
    "shards",
    _SHARD,
    "bigint seq",
)

namespaces = _table(
    "namespaces",
    _SHARD,
    "text! namespace",
    "bigint last_seq created_at",
    "bigint=0 position",
    "text= chain",
    # Of intentions and procedures: the journal number of the newest change; 0 = there never was one.
    "bigint=0 agent_seq",
    # 1 if memories of it rest on other namespaces, and are kept in compartments (see `access`).
    "smallint=0 compartments",
    # What is never to be kept in it, as JSON; "" = only what the settings name.
    "text= seals",
)

memories = _table(
    "memories",
    _SHARD,
    "text! id",
    "text namespace content content_hash",
    "bigint recorded_at created_at updated_at",
    "text? session_id speaker",
    "text category tier state entities tags",
    "float stability initial_stability difficulty storage_strength",
    "bigint? last_reinforced_at",
    "integer access_count used_count ignored_streak retrieval_count",
    "bigint? last_retrieved_at",
    "float reinforcement_interval",
    "bigint? next_reinforcement_at",
    "float importance",
    "text channels",
    "float utility valence arousal intensity",
    "text emotion",
    "smallint flashbulb pinned immutable",
    "float source_confidence trust",
    "text write_source data_source",
    "bigint? referenced_at valid_from valid_until",
    "text temporal_type",
    "text? superseded_by",
    "text sources support metadata",
    "integer version",
    "bigint seq",
    "text index_key terms fingerprint",
    "bytes vector",
    # The text taken apart, as JSON ("" = not yet); how those clauses stand that do not simply hold.
    "text= reading clause_states",
    _index("memories_by_seq", "shard namespace seq"),
    _index("memories_by_hash", "shard namespace content_hash"),
    _index("memories_by_state", "shard namespace state category id"),
    _index("memories_by_shard_seq", "shard seq"),
    _index("memories_told_again", "shard namespace id", where=TOLD_AGAIN.replace("memories.", "")),
    _index("memories_pinned", "shard namespace", where=PINNED),
    _index("memories_outdated", "id", where="fingerprint = 'outdated'"),
    # Holds all that a page is filtered by: rows, of which each is some kilobytes long, are read only
    # of what is shown. PostgreSQL keeps vectors aside, and an entry there holds 2,700 bytes at most.
    _index(
        "memories_by_page",
        "shard namespace id state category tier recorded_at speaker session_id tags",
        only_on="sqlite",
    ),
    _index("memories_by_id", "shard namespace id", only_on="postgresql"),
)

episodes = _table(
    "episodes",
    _SHARD,
    "text! id",
    "text namespace content role",
    "text? speaker",
    "bigint at recorded_at",
    "text? session_id ref mode",
    "text metadata status reason",
    "text= zone",
    "bigint? position",
    _index("episodes_by_status", "shard namespace status id"),
    _index("episodes_queued", "id", where="status = 'queued'"),
    _index("episodes_by_session", "shard namespace session_id at"),
    _index("episodes_by_ref", "shard namespace ref", where="ref IS NOT NULL"),
    _index(
        "episodes_by_position", "shard namespace session_id position", where="position IS NOT NULL"
    ),
)

# Of memories in recall or not: what their clauses say of whom, and how these stand. It follows from
# the rows of the memories.
clauses = _table(
    "clauses",
    _SHARD,
    "text! memory_id",
    "integer! number",
    "text namespace subject slot state",
    "bigint? since until",
    "text by",
    "text= guards",
    _index("clauses_by_slot", "shard namespace subject slot"),
    _index("clauses_that_guard", "shard namespace", where=GUARDING),
)

versions = _table(
    "versions",
    _SHARD,
    "text! memory_id",
    "integer! version",
    "text namespace content index_key fingerprint",
    "bytes vector",
    "bigint replaced_at",
    "text replaced_by reason",
)

relations = _table(
    "relations",
    _SHARD,
    "text! source_id target_id type",
    "text namespace",
    "float weight confidence",
    "bigint? created_at last_activated_at",
    _index("relations_by_target", "shard target_id"),
    _index("relations_by_namespace", "shard namespace"),
)

journal = _table(
    "journal",
    _SHARD,
    "bigint! seq",
    "text namespace memory_id kind actor reason",
    "bigint at",
    "text? run_id",
    "text before",
    "bigint=0 position",
    "text= salt detail standing chain",
    _index("journal_by_memory", "shard memory_id seq"),
    _index("journal_by_run", "shard run_id"),
)

synaptic_tags = _table(
    "synaptic_tags",
    _SHARD,
    "text! memory_id",
    "text namespace session_id",
    "bigint tagged_at expires_at",
    "smallint captured",
    _index("synaptic_tags_by_session", "shard namespace session_id expires_at"),
)

short_term = _table(
    "short_term",
    _SHARD,
    "text! memory_id",
    "text namespace",
    "bigint created_at expires_at",
    _index("short_term_by_expiry", "shard namespace expires_at"),
)

notes = _table(
    "notes",
    _SHARD,
    "text! id",
    "text namespace level content priority",
    "text? speaker",
    "text role",
    "text? session_id",
    "text entities",
    "float confidence",
    "bigint observed_at",
    "bigint? referenced_at",
    "bigint created_at",
    "text refs",
    "integer characters",
    _index("notes_by_namespace", "shard namespace level id"),
)

feedback = _table(
    "feedback",
    _SHARD,
    "text! memory_id recall_id",
    "text namespace signal",
    "float ratio prior",
    "text query",
    "bigint at",
    _index("feedback_by_time", "shard namespace at"),
    _index("feedback_by_recall", "shard recall_id"),
)

items = _table(
    "items",
    _SHARD,
    "text! namespace path key",
    "text value memory_ids",
    "bigint created_at updated_at",
    "text revision",
    "bytes? vector",
    "bigint? ttl expires_at",
    _index("items_by_revision", "shard namespace revision"),
    _index("items_by_end", "expires_at"),
)

dreams = _table(
    "dreams",
    _SHARD,
    "text! namespace",
    "text? owner",
    "bigint fence",
    "bigint? expires_at last_at",
    "bigint last_seq",
    "text last_turn marks",
)

runs = _table(
    "runs",
    _SHARD,
    "text! id",
    "text namespace cause state",
    "bigint started_at",
    "text marks report",
    _index("runs_by_time", "shard namespace started_at"),
)

tombstones = _table(
    "tombstones",
    _SHARD,
    "text! id",
    "text namespace",
    "bigint seq",
    _index("tombstones_by_seq", "shard namespace seq"),
)

rejections = _table(
    "rejections",
    _SHARD,
    "text! namespace digest",
    "text claim memory_id",
    "bigint at",
    _index("rejections_by_claim", "shard namespace claim"),
    _index("rejections_by_memory", "shard namespace memory_id"),
)

intentions = _table(
    "intentions",
    _SHARD,
    "text! id",
    "text namespace state",
    "smallint live",
    "bigint? at",
    "bigint seq",
    "text content",
    _index("intentions_by_state", "shard namespace state"),
    _index("intentions_by_time", "live at"),
)

procedures = _table(
    "procedures",
    _SHARD,
    "text! id",
    "text namespace state",
    "smallint live",
    "bigint seq",
    "text content",
    _index("procedures_by_state", "shard namespace state"),
)

task_runs = _table(
    "task_runs",
    _SHARD,
    "text! id",
    "text namespace session_id",
    "smallint? ok",
    "bigint at",
    "text content",
    _index("task_runs_by_time", "shard namespace at"),
)

reviews = _table(
    "reviews",
    _SHARD,
    "text! id",
    "text namespace state",
    "smallint live",
    "text target_id proposal",
    "bigint until seq",
    "text content",
    _index("reviews_by_state", "shard namespace state"),
    _index("reviews_by_target", "shard namespace target_id"),
    _index("reviews_by_proposal", "shard namespace proposal"),
)

principals = _table(
    "principals",
    "text! name",
    "text kind",
    "text? owner",
    "bigint created_at",
)

grants = _table(
    "grants",
    "text! id",
    "text principal namespaces right effect reason",
    "bigint? until",
    "text granted_by",
    "bigint granted_at",
    "bigint? revoked_at",
    "text= revoked_by",
)

access_log = _table(
    "access_log",
    "text! id",
    "bigint at",
    "text principal act namespaces",
    "smallint allowed",
    "text reason",
    "text= by",
)

derivations = _table(
    "derivations",
    _SHARD,
    "text! namespace memory_id source_namespace source_id",
    _index("derivations_by_source", "source_namespace source_id"),
)

erasures = _table(
    "erasures",
    "text! id",
    "text namespace",
    "bigint requested_at",
)

# What was erased, as keyed digests; so that no name stays, the namespace is one, too.
erased = _table(
    "erased",
    "text! id",
    "text place speaker key forms",
    "bigint at",
    "smallint whole",
    _index("erased_by_place", "place"),
)

vector_state = _table(
    "vector_state",
    "text! name",
    "integer number",
    "text fingerprint",
    "smallint dirty",
    "text manifest applied",
    "integer deleted",
)
