"""The part of a memory that ranking looks at."""

from __future__ import annotations

import json
from collections.abc import Sequence
from sys import intern
from typing import Any, NamedTuple

from sqlalchemy import and_, or_, select, text

from cogmem_core.edge.clauses import guards_of
from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.codec import encode_memory
from cogmem_core.storage.ledger.table import within
from cogmem_core.text.observe.classify import sub_tier
from cogmem_core.values.models import STATED_END, Memory
from cogmem_core.values.readings import LEFT

_M = schema.memories.c
GUARDING_IDS = select(schema.clauses.c.memory_id).where(
    *within(schema.clauses), text(schema.GUARDING), schema.clauses.c.state.in_(LEFT)
)
"""Ids of the memories of which a clause that holds tells a guardian fact."""
_VOUCHED = or_(_M.trust >= 1.0, _M.data_source == "user_message")
LASTING = or_(_M.pinned == 1, and_(_M.id.in_(GUARDING_IDS), _VOUCHED)).label("pinned")
"""Whether a memory does not fade."""
_PLAIN = (
    "id",
    "state",
    "tier",
    "category",
    "importance",
    "utility",
    "stability",
    "last_reinforced_at",
    "created_at",
    "recorded_at",
    "valid_from",
    "valid_until",
    "referenced_at",
    "session_id",
    "speaker",
    "content",
    "entities",
    "access_count",
    "last_retrieved_at",
    "valence",
    "source_confidence",
    "trust",
    "data_source",
    "superseded_by",
    "sources",
    "metadata",
)
"""Columns that `candidate` reads as they are, or counts."""
CANDIDATE_COLUMNS = (*(_M[name] for name in _PLAIN), LASTING)
"""The columns that `candidate` reads."""
_NAMES = (*_PLAIN, "pinned")
_STATED_END = f'"{STATED_END}"'


class Candidate(NamedTuple):
    """The part of a memory that ranking looks at.

    Times are microseconds since 1970 UTC. A tuple, because thousands of them are made: a frozen
    dataclass takes five times as long to make (measured).

    Attributes:
        last_said_at: as `recorded_at`, or later if it was said again.
        sub_tier: where it stands within its tier: `personal`, `observed`, `vicarious`; `schematic`,
            `procedural`, `factual`.
        characters: length of the text.
        asks: the text ends with a question mark.
        inquires: there is one anywhere in it.
        entities: URIs of what it mentions.
        turn: the turn that it was first taken from, or its own id.
        pinned: it does not fade: a person pinned it, or it tells a guardian fact.
        expires: the caller said until when it is true; its words need not.
    """

    id: str
    state: str
    tier: str
    sub_tier: str
    category: str
    pinned: bool
    importance: float
    utility: float
    stability: float
    last_reinforced_at: int | None
    created_at: int
    recorded_at: int
    last_said_at: int
    valid_from: int | None
    valid_until: int | None
    referenced_at: int | None
    session_id: str | None
    speaker: str | None
    characters: int
    asks: bool
    inquires: bool
    entities: tuple[str, ...]
    access_count: int
    last_retrieved_at: int | None
    valence: float
    source_confidence: float
    trust: float
    data_source: str
    superseded_by: str | None
    turn: str
    expires: bool = False

    @property
    def from_turn(self) -> bool:
        """Whether somebody said it in a turn; else it was added as it is."""
        return self.turn != self.id

    @property
    def doubted(self) -> bool:
        """Whether it is not fully trusted and no person said it."""
        return self.trust < 1.0 and self.data_source != "user_message"

    @property
    def source(self) -> tuple[str, str, str]:
        """Who said it in which session; each text of a document is a source of its own."""
        if self.category == "item":
            return "item", "", self.id
        return self.data_source, self.speaker or "", self.session_id or ""

    def saying(self, content: str) -> Candidate:
        """The same memory with another text."""
        return self._replace(
            sub_tier=sub_tier(self.tier, self.category, self.data_source, content),
            characters=len(content),
            asks=content.endswith("?"),
            inquires="?" in content,
        )


def candidate(row: Sequence[Any]) -> Candidate:
    """A row of `CANDIDATE_COLUMNS`."""
    values = dict(zip(_NAMES, row, strict=True))
    content = values.pop("content")
    entities = values.pop("entities")
    expires = values["valid_until"] is not None and _STATED_END in values["metadata"]
    del values["metadata"]
    sources = values.pop("sources")
    turn = sources[3:].partition('"')[0] or row[0]
    return Candidate(
        **values | {"pinned": bool(values["pinned"])},
        last_said_at=_last_said_at(values["recorded_at"], sources),
        sub_tier=sub_tier(values["tier"], values["category"], values["data_source"], content),
        characters=len(content),
        asks=content.endswith("?"),
        inquires="?" in content,
        entities=() if entities == "[]" else tuple(map(intern, json.loads(entities))),
        turn=turn,
        expires=expires,
    )


def _last_said_at(recorded_at: int, sources: str) -> int:
    """As `Memory.last_said_at`; most memories have one source, which is not worth decoding."""
    if "],[" not in sources:
        return recorded_at
    return max(recorded_at, *(row[4] or recorded_at for row in json.loads(sources)))


def candidate_of(memory: Memory) -> Candidate:
    """What ranking looks at of a memory."""
    values = encode_memory(memory)
    values["pinned"] = memory.pinned or bool(guards_of(memory))
    return candidate([values[name] for name in _NAMES])
