"""Questions about all memories of a namespace at once."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from itertools import chain
from typing import Any

import numpy as np
from sqlalchemy import Integer, bindparam, func, or_, select, text

from cogmem_core.edge.strength import DecayingColumns
from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.candidates import (
    CANDIDATE_COLUMNS,
    GUARDING_IDS,
    LASTING,
    Candidate,
    candidate,
)
from cogmem_core.storage.ledger.codec import (
    decode_fields,
    decode_memory,
    encode_time,
)
from cogmem_core.storage.ledger.memories import MEMORY
from cogmem_core.storage.ledger.table import IN_LIMIT, Table, chunks, select_in
from cogmem_core.text.keys import ASKED
from cogmem_core.values.models import Memory, Source

_M = schema.memories.c
_V = schema.versions.c
_PINNED = select_in(schema.memories, _M.id).where(text(schema.PINNED), _M.state == "active")
_FULL_TRUST = 1.0
_PERSON = "user_message"
# Built once: composing a statement costs more than running it.
_IN_STATE = select_in(schema.memories, _M.id).where(_M.state == bindparam("state")).limit(1)
_CANDIDATES = select_in(schema.memories, *CANDIDATE_COLUMNS).where(
    _M.state.in_(bindparam("states", expanding=True))
)
_CANDIDATES_AFTER = (
    _CANDIDATES.where(_M.id > bindparam("after"))
    .order_by(_M.id)
    .limit(bindparam("most", type_=Integer))
)
_MOST_USEFUL = (
    select_in(schema.memories, _M.id)
    .where(
        _M.state == "active",
        _M.utility >= bindparam("utility"),
        _M.access_count >= bindparam("accesses"),
        _M.created_at >= bindparam("since"),
        or_(_M.trust == _FULL_TRUST, _M.data_source == _PERSON),
    )
    .order_by(_M.utility.desc(), _M.access_count.desc(), _M.id)
    .limit(bindparam("most", type_=Integer))
)
_VECTORS = (
    select_in(schema.memories, _M.id, _M.seq, _M.vector, _M.fingerprint)
    .where(_M.seq > bindparam("after"))
    .order_by(_M.seq)
    .limit(bindparam("most", type_=Integer))
)


class MemoryOverview(Table):
    """Counts of the memories, and those that stand out."""

    def holds(self, state: str) -> bool:
        """Whether any memory is in a state."""
        return self._fact(
            f"holds {state}", lambda: self._scalar(_IN_STATE, state=state) is not None
        )

    def counts(self) -> list[tuple[str, str, str, int]]:
        """(state, tier, category, count)."""
        columns = (_M.state, _M.tier, _M.category)
        query = select_in(schema.memories, *columns, func.count()).group_by(*columns)
        return [(row[0], row[1], row[2], row[3]) for row in self._execute(query)]

    def count_applied(self, fingerprint: str, upto: int) -> int:
        """How many active memories have a vector of this embedder and changed last up to a journal number."""
        conditions = (_M.state == "active", _M.fingerprint == fingerprint, _M.seq <= upto)
        return self._count(schema.memories, *conditions)

    def candidates(
        self, states: Sequence[str], *, after: str = "", limit: int = -1
    ) -> list[Candidate]:
        """What ranking needs of memories in some states.

        Args:
            states: which.
            after: only those with a greater id, by their ids.
            limit: the largest number; -1 = all.
        """
        if limit < 0:
            rows = self._execute(_CANDIDATES, states=states)
        else:
            rows = self._execute(_CANDIDATES_AFTER, states=states, after=after, most=limit)
        return list(map(candidate, rows.all()))

    def active_strengths(self) -> DecayingColumns:
        """What the retention of all active memories depends on: for the retention histogram."""
        since = func.coalesce(_M.last_reinforced_at, _M.created_at)
        columns = (_M.category, _M.tier, _M.state, LASTING, _M.stability, since)
        query = select_in(schema.memories, *columns).where(_M.state == "active")
        rows = self._execute(query).all()
        categories, tiers, states, pinned, stabilities, moments = (
            zip(*rows, strict=True) if rows else ((),) * 6
        )
        return DecayingColumns(
            categories,
            tiers,
            states,
            pinned,
            np.array(stabilities, dtype=np.float64),
            np.array(moments, dtype=np.int64),
        )

    def most_useful(
        self, *, utility: float, accesses: int, since: datetime, limit: int
    ) -> list[str]:
        """Ids of active memories that proved useful: the most useful first, then the most used, then by id.

        What a tool or an assistant said never becomes core knowledge: only what is fully trusted or
        a person's own.

        Args:
            utility: the lowest utility, 0..1.
            accesses: the lowest number of uses.
            since: stored then or later.
            limit: the largest number of ids.
        """
        ids = self._scalars(
            _MOST_USEFUL, utility=utility, accesses=accesses, since=encode_time(since), most=limit
        )
        return list(ids)

    def always_shown(self) -> Sequence[str]:
        """Ids of the memories that are pinned, or of which a clause that holds tells a guardian fact."""
        return self._fact(
            "always shown",
            lambda: [*dict.fromkeys(chain(self._scalars(_PINNED), self._scalars(GUARDING_IDS)))],
        )

    def derived(self) -> list[Memory]:
        """Memories that were derived from others, in whatever state, oldest first."""
        query = select_in(schema.memories, *MEMORY).where(_M.support != "[]").order_by(_M.id)
        return list(map(decode_memory, self._execute(query)))

    def sources(self) -> Iterator[tuple[str, tuple[Source, ...]]]:
        """Every memory of the namespace, in whatever state, with its sources."""
        for memory_id, sources in self._execute(select_in(schema.memories, _M.id, _M.sources)):
            yield memory_id, decode_fields({"sources": sources})["sources"]

    def answers(self, sessions: Collection[str | None]) -> list[str]:
        """Ids of memories whose keys, now or formerly, hold the question that they answer.

        Args:
            sessions: only memories of these sessions; None among them = of no session.
        """
        session_ids = [session for session in sessions if session is not None]
        places = list(map(_M.session_id.in_, chunks(session_ids, IN_LIMIT)))
        if None in sessions:
            places.insert(0, _M.session_id.is_(None))
        former = select(_V.memory_id).where(
            _V.shard == bindparam("in_shard"), _V.index_key.contains(ASKED)
        )
        holds_question = or_(_M.index_key.contains(ASKED), _M.id.in_(former))
        ids: list[str] = []
        for place in places:
            ids += self._scalars(select_in(schema.memories, _M.id).where(place, holds_question))
        return ids

    def vectors(self, after_seq: int, limit: int) -> Sequence[tuple[str, int, bytes, str]]:
        """Id, journal number, vector and its embedder of memories that changed after a number, in order."""
        rows: Any = self._execute(_VECTORS, after=after_seq, most=limit).all()
        return rows  # type: ignore[no-any-return]
