"""The memories of a namespace, by id and by what they have in common."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, false, literal, or_, text

from cogmem_core.base.grouping import grouped
from cogmem_core.ports import FloatArray, Hit, Stored, best_first
from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.candidates import CANDIDATE_COLUMNS, Candidate, candidate
from cogmem_core.storage.ledger.codec import (
    MEMORY_COLUMNS,
    decode_memory,
    decode_vector,
    encode_fields,
    encode_memory,
    encode_terms,
    encode_time,
    encode_vector,
)
from cogmem_core.storage.ledger.schema import unindexed
from cogmem_core.storage.ledger.table import (
    BATCH,
    COUNTERS,
    PAGE,
    SEQS,
    Counters,
    Table,
    chunks,
    same_namespace,
    select_in,
    unique_chunks,
    update_in,
)
from cogmem_core.values.models import Episode, Memory
from cogmem_core.values.where import Where, holds, needed_keys

Conditions = list[ColumnElement[bool]]
_M = schema.memories.c
_E = schema.episodes.c
MEMORY = tuple(_M[name] for name in MEMORY_COLUMNS)
"""The columns that `codec.decode_memory` reads."""
_STORED = (*MEMORY, _M.index_key, _M.vector, _M.fingerprint)
_COLUMN = {"key": "index_key"}

TOLD = ("sources", "speaker", "session_id", "recorded_at", "metadata")
"""What a memory has of its tellings."""


def _by_ids(*columns: Any) -> Select[Any]:
    among = _M.id.in_(bindparam("ids", expanding=True))
    return select_in(schema.memories, *columns, keyed=True).where(among)


# Built once: composing a statement costs more than running it.
_MEMORY_BY_IDS = _by_ids(*MEMORY)
_STORED_BY_IDS = _by_ids(*_STORED)
_CANDIDATE_BY_IDS = _by_ids(*CANDIDATE_COLUMNS)
_VECTOR_BY_IDS = _by_ids(_M.id, _M.vector, _M.fingerprint)
_KEY_BY_IDS = _by_ids(_M.id, _M.index_key)
_KEYED_BY_IDS = _by_ids(*MEMORY, _M.index_key)
_TOLD_AGAIN = select_in(schema.memories, _M.id, _M.tags, _M.sources).where(text(schema.TOLD_AGAIN))
_SAME_CONTENT = select_in(schema.memories, *MEMORY).where(
    _M.content_hash.in_(bindparam("ids", expanding=True)),
    unindexed(_M.state) == bindparam("state"),
)
_SAME_CONTENT_NOW = select_in(schema.namespaces, *COUNTERS, *MEMORY).select_from(
    schema.namespaces.outerjoin(
        schema.memories,
        same_namespace(schema.namespaces, schema.memories)
        & _M.content_hash.in_(bindparam("hashes", expanding=True))
        & (unindexed(_M.state) == bindparam("state")),
    )
)


@dataclass(frozen=True, slots=True)
class Filter:
    """Which memories: None = any.

    Who said it, when, in which session and with which metadata is asked of each telling of a
    memory: what was said twice is found by either.

    Attributes:
        states: in one of these states.
        categories: of one of these categories.
        tier: of this tier.
        tags: with at least one of these tags.
        session_id: from this session.
        speaker: said by this one.
        where: with metadata for which these conditions hold; see `cogmem_core.values.where`.
        said_from: recorded from a moment on, in microseconds since 1970 UTC.
        said_by: recorded by a moment, in microseconds since 1970 UTC.
        begun_by: true by a moment, or of open beginning; microseconds.
        ends_after: still true after a moment, or of open end; microseconds.
    """

    states: tuple[str, ...] | None = None
    categories: tuple[str, ...] | None = None
    tier: str | None = None
    tags: tuple[str, ...] | None = None
    session_id: str | None = None
    speaker: str | None = None
    where: Where | None = None
    said_from: int | None = None
    said_by: int | None = None
    begun_by: int | None = None
    ends_after: int | None = None

    @property
    def exact(self) -> bool:
        """True if `conditions` find no more than what matches, so that nothing is left to `holds`."""
        return self.tags is None and self.where is None

    @property
    def narrows(self) -> bool:
        """True if it asks for anything but states and times of validity."""
        return self.of_memory or self.of_telling

    @property
    def of_telling(self) -> bool:
        """True if it asks who said something, when, in which session, or with which metadata."""
        fields = (self.session_id, self.speaker, self.where, self.said_from, self.said_by)
        return any(value is not None for value in fields)

    @property
    def of_memory(self) -> bool:
        """True if it asks what only a memory has: a category, a tier or tags."""
        return any(value is not None for value in (self.categories, self.tier, self.tags))

    @property
    def untold(self) -> Filter:
        """The same filter without what it asks of a telling."""
        return replace(
            self, session_id=None, speaker=None, where=None, said_from=None, said_by=None
        )

    def tellings(self) -> Conditions:
        """What it asks of a telling, but for its metadata, as conditions on turns."""
        return self._told(_E, _E.at)

    def _told(self, columns: Any, at: ColumnElement[int]) -> Conditions:
        conditions: Conditions = []
        if self.session_id is not None:
            conditions.append(columns.session_id == self.session_id)
        if self.speaker is not None:
            conditions.append(columns.speaker == self.speaker)
        if self.said_from is not None:
            conditions.append(at >= self.said_from)
        if self.said_by is not None:
            conditions.append(at <= self.said_by)
        return conditions

    def conditions(self) -> Conditions:
        """The filter as conditions of a query, asked of first tellings alone.

        Of tags and metadata they find too many, see `holds`.
        """
        conditions = self._told(_M, _M.recorded_at)
        for column, among in ((_M.state, self.states), (_M.category, self.categories)):
            if among is not None:
                conditions.append(column.in_(among))
        if self.tier is not None:
            conditions.append(_M.tier == self.tier)
        if self.begun_by is not None:
            conditions.append(or_(_M.valid_from.is_(None), _M.valid_from <= self.begun_by))
        if self.ends_after is not None:
            conditions.append(or_(_M.valid_until.is_(None), _M.valid_until > self.ends_after))
        return [*conditions, *self._likely()]

    def _likely(self) -> Conditions:
        """Conditions on tags and metadata that find no less than what matches."""
        conditions: Conditions = []
        if self.tags is not None:
            # Tags are stored as a JSON list. LIKE finds a superset, because SQLite ignores the
            # case.
            quoted = [json.dumps(tag, ensure_ascii=False) for tag in self.tags]
            likely = [_M.tags.contains(tag, autoescape=True) for tag in quoted]
            conditions.append(or_(false(), *likely))
        for key in needed_keys(self.where or {}):
            quoted_key = json.dumps(key, ensure_ascii=False)
            conditions.append(_M.metadata.contains(f"{quoted_key}:", autoescape=True))
        return conditions

    def holds(self, tags: Collection[str], metadata: Mapping[str, Any]) -> bool:
        """Whether tags and metadata match: what `conditions` cannot tell for sure."""
        if self.tags is not None and set(self.tags).isdisjoint(tags):
            return False
        return holds(self.where or {}, metadata)

    def admits(self, memory: Memory, telling: Memory | Episode | None = None) -> bool:
        """Whether a memory matches in all but its state and the times of its validity.

        `telling`: one of its turns; None = as it was told first.
        """
        if self.tier not in (None, memory.tier):
            return False
        if self.categories is not None and memory.category not in self.categories:
            return False
        if self.tags is not None and set(self.tags).isdisjoint(memory.tags):
            return False
        told = telling or memory
        at = told.at if isinstance(told, Episode) else told.recorded_at
        return self.admits_telling(at, told.session_id, told.speaker, told.metadata)

    def admits_telling(
        self,
        at: datetime,
        session_id: str | None,
        speaker: str | None,
        metadata: Mapping[str, Any] | None,
    ) -> bool:
        """Whether it leaves what was said then, there, by that one, with that metadata; None = any."""
        moment = encode_time(at) or 0
        return (
            self.session_id in (None, session_id)
            and self.speaker in (None, speaker)
            and (self.said_from is None or moment >= self.said_from)
            and (self.said_by is None or moment <= self.said_by)
            and (self.where is None or metadata is None or holds(self.where, metadata))
        )

    def holds_of_telling(self, metadata: str) -> bool:
        """Whether the metadata of a turn, as JSON, match."""
        return self.where is None or holds(self.where, json.loads(metadata))


EVERYTHING = Filter()
ACTIVE = Filter(states=("active",))


class MemoryTable(Table):
    """Memories by id, by filter and by content."""

    def stored(self, ids: Sequence[str]) -> dict[str, Stored]:
        """Memories with key and vector, by id."""
        by_id = {}
        for row in self._by_ids(_STORED_BY_IDS, ids):
            memory = decode_memory(row)
            by_id[memory.id] = Stored(memory, row[-3], decode_vector(row[-2]), row[-1])
        return by_id

    def by_ids(self, ids: Sequence[str]) -> dict[str, Memory]:
        """Memories by id."""
        return {row[0]: decode_memory(row) for row in self._by_ids(_MEMORY_BY_IDS, ids)}

    def keys(self, ids: Sequence[str]) -> dict[str, str]:
        """The texts that are embedded and tokenised for memories, by id."""
        return {row[0]: row[1] for row in self._by_ids(_KEY_BY_IDS, ids)}

    def keyed(self, ids: Sequence[str]) -> dict[str, Sequence[Any]]:
        """Rows by id that `decode_memory` reads; behind those columns the text that is embedded and tokenised."""
        return {row[0]: row for row in self._by_ids(_KEYED_BY_IDS, ids)}

    def candidates(self, ids: Sequence[str]) -> dict[str, Candidate]:
        """What ranking needs, by id."""
        return {row[0]: candidate(row) for row in self._by_ids(_CANDIDATE_BY_IDS, ids)}

    def vectors(
        self, ids: Sequence[str], *, fingerprint: str | None = None
    ) -> dict[str, FloatArray]:
        """Vectors by id, as they are stored.

        Args:
            ids: of the memories.
            fingerprint: only vectors of this embedder; None = of any.
        """
        rows = self._by_ids(_VECTOR_BY_IDS, ids)
        return {row[0]: decode_vector(row[1]) for row in rows if fingerprint in (None, row[2])}

    def rank_exactly(self, ids: Sequence[str], vector: FloatArray, k: int) -> list[Hit]:
        """Cosine of given memories with a normalised vector, best first; without any index."""
        hits = [
            Hit(memory_id, float(stored_vector @ vector))
            for memory_id, stored_vector in self.vectors(ids).items()
            if stored_vector.size == vector.size
        ]
        return best_first(hits)[:k]

    def same_content(self, hashes: Sequence[str], *, state: str = "active") -> list[Memory]:
        """Memories of one state whose content has one of these hashes, oldest first."""
        rows = self._by_ids(_SAME_CONTENT, hashes, state=state)
        return sorted(map(decode_memory, rows), key=lambda memory: memory.id)

    def same_content_now(self, hashes: Sequence[str]) -> tuple[int, list[Memory]]:
        """The namespace's newest journal number, and active memories as `same_content`, in one statement.

        Args:
            hashes: at least one.
        """
        first, *later_chunks = unique_chunks(hashes)
        rows = self._execute(_SAME_CONTENT_NOW, hashes=first, state="active").all()
        count = len(COUNTERS)
        memories = [decode_memory(row[count:]) for row in rows if row[count] is not None]
        for part in later_chunks:
            memories += self.same_content(part)
        counters = self._fact(SEQS, lambda: Counters(*rows[0][:count]) if rows else Counters())
        return counters.last_seq, sorted(memories, key=lambda memory: memory.id)

    def page(
        self,
        criteria: Filter,
        *,
        limit: int,
        after_id: str | None = None,
        newest_first: bool = False,
    ) -> list[Memory]:
        """Memories by id (oldest first, or newest first), behind `after_id`."""
        told_again = self._told_again(criteria)
        if told_again:
            ids = sorted(told_again.union(self._told_first(criteria)), reverse=newest_first)
            if after_id is not None:
                ids = [i for i in ids if (i < after_id if newest_first else i > after_id)]
            found = self.by_ids(ids[:limit])
            return [found[memory_id] for memory_id in ids[:limit]]
        order = _M.id.desc() if newest_first else _M.id
        query = select_in(schema.memories, *MEMORY).where(*criteria.conditions()).order_by(order)
        # Of tags little more is found than what matches.
        size = limit if criteria.where is None else max(limit, BATCH)
        matching: list[Memory] = []
        while True:
            behind = query
            if after_id is not None:
                behind = query.where(_M.id < after_id if newest_first else _M.id > after_id)
            rows = list(map(decode_memory, self._execute(behind.limit(size))))
            matching += [m for m in rows if criteria.holds(m.tags, m.metadata)]
            if len(rows) < size or len(matching) >= limit:
                return matching[:limit]
            after_id = rows[-1].id

    def _told_again(self, criteria: Filter) -> set[str]:
        """Ids of memories with several tellings of which one matches; an index holds these alone."""
        if not criteria.of_telling:
            return set()
        untold = replace(criteria.untold, states=None)
        query = _TOLD_AGAIN.where(*untold.conditions())
        if criteria.states is not None:
            query = query.where(unindexed(_M.state).in_(criteria.states))
        rows = self._execute(query)
        lists = {
            memory_id: [source[0] for source in json.loads(sources)]
            for memory_id, tags, sources in rows
            if untold.holds(json.loads(tags), {})
        }
        matching: set[str] = set()
        for part in unique_chunks(chain.from_iterable(lists.values())):
            query = select_in(schema.episodes, _E.id, _E.metadata, keyed=True)
            turns = self._execute(query.where(_E.id.in_(part), *criteria.tellings()))
            matching.update(i for i, told in turns if criteria.holds_of_telling(told))
        return {memory_id for memory_id, ids in lists.items() if not matching.isdisjoint(ids)}

    def ids(self, criteria: Filter) -> list[str]:
        """All ids that match."""
        ids = self._told_first(criteria)
        told_again = self._told_again(criteria)
        return [*ids, *told_again.difference(ids)] if told_again else ids

    def _told_first(self, criteria: Filter) -> list[str]:
        conditions = criteria.conditions()
        if criteria.exact:
            return list(self._scalars(select_in(schema.memories, _M.id).where(*conditions)))
        metadata = literal("{}") if criteria.where is None else _M.metadata
        rows = self._execute(
            select_in(schema.memories, _M.id, _M.tags, metadata).where(*conditions)
        )
        return [row[0] for row in rows if criteria.holds(json.loads(row[1]), json.loads(row[2]))]

    def count(self, criteria: Filter) -> int:
        """How many match."""
        if criteria.of_telling or not criteria.exact:
            return len(self.ids(criteria))
        return self._count(schema.memories, *criteria.conditions())

    def insert(self, rows: Sequence[Stored]) -> None:
        """Add memories."""
        self._insert(schema.memories, list(map(_row, rows)))

    def update(self, rows: Mapping[str, Mapping[str, Any]]) -> None:
        """Set fields of memories by id; rows that set the same fields share one statement."""
        columns = [{**_column_values(row), "row_id": memory_id} for memory_id, row in rows.items()]
        query = update_in(schema.memories).where(_M.id == bindparam("row_id"))
        for parameters in grouped((tuple(sorted(row)), row) for row in columns).values():
            self._change_each(query, parameters)

    def drop(self, rows: Sequence[tuple[str, int]]) -> None:
        """Delete memories with their former versions; tombstones tell the indexes, and none is a successor any more.

        Args:
            rows: ids with the journal numbers of their deletion.
        """
        ids = [memory_id for memory_id, _ in rows]
        self._drop_among(schema.memories, "id", ids)
        succeeded = update_in(schema.memories).where(_M.superseded_by.in_(ids))
        self._change(succeeded.values(superseded_by=None))
        self._drop_among(schema.versions, "memory_id", ids)
        self._drop_among(schema.clauses, "memory_id", ids)
        # A memory that was erased may have come back by an import.
        self._drop_among(schema.tombstones, "id", ids)
        self._insert(schema.tombstones, [{"id": memory_id, "seq": seq} for memory_id, seq in rows])


def _column_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """Fields by name to column values; `key` and `vector` besides a memory's own fields."""
    columns = {_COLUMN.get(name, name): value for name, value in values.items()}
    if "key" in values:
        columns["terms"] = encode_terms(values["key"])
    if "vector" in values:
        columns["vector"] = encode_vector(values["vector"])
    return encode_fields(columns)


def _row(stored: Stored) -> dict[str, Any]:
    return {
        **encode_memory(stored.memory),
        "index_key": stored.key,
        "terms": encode_terms(stored.key),
        "fingerprint": stored.fingerprint,
        "vector": encode_vector(stored.vector),
    }


def pages_of(
    memories: MemoryTable, criteria: Filter, *, limit: int = PAGE
) -> Iterator[list[Memory]]:
    """All memories that match, by id, in pages of `limit`."""
    if criteria.of_telling:
        for ids in chunks(sorted(memories.ids(criteria)), limit):
            yield list(memories.by_ids(ids).values())
        return
    after_id: str | None = None
    while page := memories.page(criteria, limit=limit, after_id=after_id):
        yield page
        after_id = page[-1].id
