"""Queries over one snapshot of the ledger. Every one names its namespace; ids of another are simply not found."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, bindparam, false, func, literal_column, or_, select

from cogmem_core.models import Memory
from cogmem_core.ports import FloatArray, Hit, Stored
from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.audit import ChainQueries
from cogmem_core.storage.ledger.codec import MEMORY_COLUMNS, decode_memory, decode_vector
from cogmem_core.storage.ledger.documents import ItemQueries
from cogmem_core.storage.ledger.feedback import FeedbackQueries
from cogmem_core.storage.ledger.history import PastQueries
from cogmem_core.storage.ledger.journal import (
    IN_LIMIT,
    EmbeddingQueries,
    FollowQueries,
    LifeQueries,
    TurnQueries,
    chunks,
)
from cogmem_core.storage.ledger.notes import NoteQueries
from cogmem_core.storage.ledger.runs import DreamQueries
from cogmem_core.storage.ledger.schema import shard_of, unindexed
from cogmem_core.storage.ledger.synaptic_tags import MarkQueries
from cogmem_core.storage.ledger.transcripts import TranscriptQueries

__all__ = ["Candidate", "Filter", "Reader"]

_M = schema.memories.c
_MEMORY = tuple(_M[name] for name in MEMORY_COLUMNS)
_STORED = (*_MEMORY, _M.index_key, _M.vector, _M.fingerprint)


def _by_ids(columns: Sequence[Any]) -> Select[Any]:
    """Built once: composing a statement costs more than running it."""
    among = _M.id.in_(bindparam("ids", expanding=True))
    mine = unindexed(_M.namespace) == bindparam("namespace")
    return select(*columns).where(_M.shard == bindparam("shard"), among, mine)


_LEAN = (
    _M.id,
    _M.state,
    _M.tier,
    _M.category,
    _M.pinned,
    _M.importance,
    _M.utility,
    _M.stability,
    _M.last_reinforced_at,
    _M.created_at,
    _M.recorded_at,
    _M.valid_from,
    _M.valid_until,
    _M.referenced_at,
    _M.session_id,
    _M.speaker,
    _M.content,
    _M.entities,
    _M.access_count,
    _M.last_retrieved_at,
    _M.valence,
    _M.source_confidence,
    _M.trust,
    _M.data_source,
    _M.superseded_by,
    _M.sources,
    _M.vector,
    _M.fingerprint,
)
_UNREAD = {"content": "''", "entities": "'[]'", "sources": "''", "vector": "''", "fingerprint": "''"}
_STRENGTH = [literal_column(_UNREAD[column.name]) if column.name in _UNREAD else column for column in _LEAN]
_PINNED, _VECTOR = 4, len(_LEAN) - 2
_MEMORY_BY_IDS, _STORED_BY_IDS, _LEAN_BY_IDS = _by_ids(_MEMORY), _by_ids(_STORED), _by_ids(_LEAN)
_VECTOR_BY_IDS, _KEY_BY_IDS = _by_ids((_M.id, _M.vector)), _by_ids((_M.id, _M.index_key))
_SAME_CONTENT = select(*_MEMORY).where(
    _M.shard == bindparam("shard"),
    _M.namespace == bindparam("namespace"),
    _M.content_hash.in_(bindparam("hashes", expanding=True)),
    unindexed(_M.state) == bindparam("state"),
)
_IN_STATE = (
    select(_M.id)
    .where(_M.shard == bindparam("shard"), _M.namespace == bindparam("namespace"), _M.state == bindparam("state"))
    .limit(1)
)


@dataclass(frozen=True, slots=True)
class Filter:
    """Which memories: None = any.

    Attributes:
        tags: those that hold at least one of them.
        said_by, begun_by: recorded, and true (or of open beginning), by a moment; ends_after: still true then.
            Microseconds since 1970 UTC.
    """

    states: tuple[str, ...] | None = None
    categories: tuple[str, ...] | None = None
    tier: str | None = None
    tags: tuple[str, ...] | None = None
    session_id: str | None = None
    said_by: int | None = None
    begun_by: int | None = None
    ends_after: int | None = None


class Candidate(NamedTuple):
    """The part of a memory that ranking looks at; times in microseconds since 1970 UTC, lists as stored JSON text.

    A tuple, because a recall makes a hundred of them: a frozen dataclass takes five times as long to make (measured).
    """

    id: str
    state: str
    tier: str
    category: str
    pinned: bool
    importance: float
    utility: float
    stability: float
    last_reinforced_at: int | None
    created_at: int
    recorded_at: int
    valid_from: int | None
    valid_until: int | None
    referenced_at: int | None
    session_id: str | None
    speaker: str | None
    content: str
    entities: str
    access_count: int
    last_retrieved_at: int | None
    valence: float
    source_confidence: float
    trust: float
    data_source: str
    superseded_by: str | None
    sources: str
    vector: FloatArray
    fingerprint: str

    @property
    def characters(self) -> int:
        """Length of the text."""
        return len(self.content)

    @property
    def ending(self) -> str:
        """Last character of the text; empty if it has none."""
        return self.content[-1:]

    @property
    def entity_uris(self) -> tuple[str, ...]:
        """What it speaks of; decoded at each call, because few rankings ask."""
        return tuple(json.loads(self.entities))

    @property
    def doubted(self) -> bool:
        """Whether no person said it and it is not fully trusted."""
        return self.trust < 1.0 and self.data_source != "user_message"

    @property
    def source(self) -> tuple[str, str, str]:
        """Who said it where; each text of a document is a source of its own."""
        if self.category == "item":
            return "item", "", self.id
        return self.data_source, self.speaker or "", self.session_id or ""

    @property
    def turn(self) -> str:
        """The turn it was first taken from, or its own id."""
        return self.sources[3:].partition('"')[0] or self.id


class Reader(
    MarkQueries,
    FeedbackQueries,
    NoteQueries,
    FollowQueries,
    EmbeddingQueries,
    TurnQueries,
    TranscriptQueries,
    LifeQueries,
    PastQueries,
    DreamQueries,
    ItemQueries,
    ChainQueries,
):
    """One snapshot; valid inside `with ledger.reading()`."""

    def stored(self, namespace: str, ids: Sequence[str]) -> dict[str, Stored]:
        """Memories with key and vector, by id."""
        found = {}
        for row in self._by_ids(_STORED_BY_IDS, namespace, ids):
            memory = decode_memory(row)
            found[memory.id] = Stored(memory, row[-3], decode_vector(row[-2]), row[-1])
        return found

    def memories(self, namespace: str, ids: Sequence[str]) -> dict[str, Memory]:
        """Memories by id."""
        return {row[0]: decode_memory(row) for row in self._by_ids(_MEMORY_BY_IDS, namespace, ids)}

    def keys(self, namespace: str, ids: Sequence[str]) -> dict[str, str]:
        """What is embedded and tokenised of memories, by id."""
        return {row[0]: row[1] for row in self._by_ids(_KEY_BY_IDS, namespace, ids)}

    def candidates(self, namespace: str, ids: Sequence[str]) -> dict[str, Candidate]:
        """What ranking needs, by id."""
        return {
            row[0]: _candidate(row, decode_vector(row[_VECTOR])) for row in self._by_ids(_LEAN_BY_IDS, namespace, ids)
        }

    def _by_ids(self, query: Select[Any], namespace: str, ids: Sequence[str]) -> Iterator[Sequence[Any]]:
        shard = shard_of(namespace)
        for part in chunks(list(dict.fromkeys(ids)), IN_LIMIT):
            given = {"shard": shard, "ids": part, "namespace": namespace}
            yield from self._connection.execute(query, given).all()

    def same_content(self, namespace: str, hashes: Sequence[str], *, state: str = "active") -> list[Memory]:
        """Memories of one state whose content has one of these hashes, oldest first."""
        found: list[Memory] = []
        for part in chunks(list(dict.fromkeys(hashes)), IN_LIMIT):
            given = {"shard": shard_of(namespace), "namespace": namespace, "hashes": part, "state": state}
            found.extend(decode_memory(row) for row in self._connection.execute(_SAME_CONTENT, given))
        return sorted(found, key=lambda memory: memory.id)

    def page(self, namespace: str, wanted: Filter, *, limit: int, after: str | None = None) -> list[Memory]:
        """Memories by id (oldest first), behind the id `after`."""
        query = select(*_MEMORY).where(*_where(namespace, wanted)).order_by(_M.id).limit(limit)
        query = query.where(_M.id > after) if after is not None else query
        return [decode_memory(row) for row in self._connection.execute(query)]

    def pages(self, namespace: str, wanted: Filter, *, limit: int) -> Iterator[list[Memory]]:
        """All memories that match, by id, so many at a time."""
        after: str | None = None
        while page := self.page(namespace, wanted, limit=limit, after=after):
            yield page
            after = page[-1].id

    def ids(self, namespace: str, wanted: Filter) -> list[str]:
        """All ids that match."""
        rows = self._connection.execute(select(_M.id, _M.tags).where(*_where(namespace, wanted)))
        return [row[0] for row in rows if wanted.tags is None or not set(wanted.tags).isdisjoint(json.loads(row[1]))]

    def count(self, namespace: str, wanted: Filter) -> int:
        """How many match."""
        return int(self._connection.scalar(select(func.count()).where(*_where(namespace, wanted))) or 0)

    def holds(self, namespace: str, state: str) -> bool:
        """Whether any memory is in a state."""
        given = {"shard": shard_of(namespace), "namespace": namespace, "state": state}
        return self._connection.scalar(_IN_STATE, given) is not None

    def census(self, namespace: str) -> list[tuple[str, str, str, int]]:
        """(state, tier, category, count)."""
        query = select(_M.state, _M.tier, _M.category, func.count()).where(*_within(namespace))
        rows = self._connection.execute(query.group_by(_M.state, _M.tier, _M.category))
        return [(row[0], row[1], row[2], row[3]) for row in rows]

    def active_strengths(self, namespace: str) -> list[Candidate]:
        """Ranking values of all active memories, without texts and vectors: for the retention histogram."""
        query = select(*_STRENGTH).where(*_within(namespace), _M.state == "active")
        empty = decode_vector(b"")
        return [_candidate(row, empty) for row in self._connection.execute(query)]

    def holds_elsewhere(self, text: str, memory_ids: Sequence[str], episode_ids: Sequence[str]) -> bool:
        """True if a memory, former version or turn outside these ids contains the text, in any namespace."""
        e, v = schema.episodes.c, schema.versions.c
        # LIKE refuses patterns above 50,000 bytes and ignores the case.
        within = func.instr if self._connection.dialect.name == "sqlite" else func.strpos
        places = ((_M.content, _M.id, memory_ids), (v.content, v.memory_id, memory_ids), (e.content, e.id, episode_ids))
        for content, key, ids in places:
            found = self._connection.scalars(select(key).where(within(content, text) > 0).distinct())
            if not set(found) <= set(ids):
                return True
        return False

    def vectors(self, namespace: str, ids: Sequence[str]) -> dict[str, FloatArray]:
        """Vectors by id, as they are stored."""
        return {row[0]: decode_vector(row[1]) for row in self._by_ids(_VECTOR_BY_IDS, namespace, ids)}

    def rank_exactly(self, namespace: str, ids: Sequence[str], vector: FloatArray, k: int) -> list[Hit]:
        """Cosine of given memories with a normalised vector, best first; without any index."""
        rows = self.vectors(namespace, ids).items()
        hits = [Hit(memory_id, float(stored @ vector)) for memory_id, stored in rows if stored.size == vector.size]
        return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:k]


def _candidate(row: Sequence[Any], vector: FloatArray) -> Candidate:
    values = list(row)
    values[_PINNED], values[_VECTOR] = bool(row[_PINNED]), vector
    return Candidate._make(values)


def _within(namespace: str) -> tuple[ColumnElement[bool], ...]:
    return (_M.shard == shard_of(namespace), _M.namespace == namespace)


def _where(namespace: str, wanted: Filter) -> list[ColumnElement[bool]]:
    where = list(_within(namespace))
    if wanted.states is not None:
        where.append(_M.state.in_(wanted.states))
    if wanted.categories is not None:
        where.append(_M.category.in_(wanted.categories))
    if wanted.tier is not None:
        where.append(_M.tier == wanted.tier)
    if wanted.session_id is not None:
        where.append(_M.session_id == wanted.session_id)
    if wanted.said_by is not None:
        where.append(_M.recorded_at <= wanted.said_by)
    if wanted.begun_by is not None:
        where.append(or_(_M.valid_from.is_(None), _M.valid_from <= wanted.begun_by))
    if wanted.ends_after is not None:
        where.append(or_(_M.valid_until.is_(None), _M.valid_until > wanted.ends_after))
    if wanted.tags is not None:
        # Tags are stored as a JSON list. LIKE finds a superset (SQLite ignores the case); `ids` reads the lists.
        quoted = [json.dumps(tag, ensure_ascii=False) for tag in wanted.tags]
        where.append(or_(false(), *(_M.tags.contains(tag, autoescape=True) for tag in quoted)))
    return where
