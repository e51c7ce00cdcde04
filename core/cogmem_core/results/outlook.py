"""What looking ahead and looking over return: forecasts, audits, and what is on the tip of the tongue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from cogmem_core.models import Memory

__all__ = ["Audit", "Finding", "Forecast", "ForecastEvent", "Outcome", "Tip", "TipOfTongue"]

Outcome = Literal["endangered", "fading", "dormant", "demoted", "expires"]


@dataclass(frozen=True, slots=True)
class ForecastEvent:
    """What will become of a memory that nobody uses.

    Attributes:
        what: `endangered` (about to fade), `fading` (a dream cycle may consolidate it with others),
            `dormant` or `demoted` (it leaves recall and can be restored), `expires` (its time is
            over).
        when: from when on; the present if only the next dream cycle is missing.
        why: in a few words.
    """

    memory_id: str
    content: str
    what: Outcome
    when: datetime
    why: str


@dataclass(frozen=True, slots=True)
class Forecast:
    """What will become of the memories of a namespace if nobody uses them.

    Attributes:
        since, until: the time that it looks at.
        events: the earliest first.
        more: how many later ones were left out by the limit.
    """

    since: datetime
    until: datetime
    events: tuple[ForecastEvent, ...] = ()
    more: int = 0


@dataclass(frozen=True, slots=True)
class Finding:
    """How many memories something is true of, and the ids of the first of them (20 at most)."""

    count: int = 0
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Audit:
    """What a person should look at in a namespace; `dataclasses.asdict` of it is JSON.

    Attributes:
        duplicates: active memories that say word for word what an older active one says.
        contradictions: active memories linked by `contradicts` to another active one.
        junk: active memories that say nothing: no word in them, fewer than 3 characters, or a mere
            courtesy.
        orphans: memories with a relation to, or a source in, something that is not there. If both
            ends of a relation are missing, the id is that of the missing source.
        stale_derived: active derived memories that rest on something forgotten, erased, or refuted
            since.
        secrets: memories, in whatever state, whose text holds a password, a key or the like.
        quarantined: memories in that state: set aside, neither recalled nor forgotten.
        index_lag: journal numbers that the vector index of the whole bank is behind.
        queued: turns of the namespace that wait to be encoded.
    """

    duplicates: Finding = field(default_factory=Finding)
    contradictions: Finding = field(default_factory=Finding)
    junk: Finding = field(default_factory=Finding)
    orphans: Finding = field(default_factory=Finding)
    stale_derived: Finding = field(default_factory=Finding)
    secrets: Finding = field(default_factory=Finding)
    quarantined: Finding = field(default_factory=Finding)
    index_lag: int = 0
    queued: int = 0


@dataclass(frozen=True, slots=True)
class Tip:
    """A memory that is stored deeply and hardly retrievable, and what may bring it back.

    Attributes:
        retention: what is left of it, 0..1; of a dormant one, what would be if it were not frozen.
        label: when it was said, relative to now ("3 months ago").
        cues: short texts by kind, none of them the memory's own: `entities` (what it speaks of),
            `when`, `nearby` (telling words of what was said before and after it), `related`
            (beginnings of memories linked to it).
    """

    memory: Memory
    retention: float
    label: str
    cues: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TipOfTongue:
    """What a query has on the tip of its tongue, the most relevant first.

    Attributes:
        empty_reason: why there is nothing; empty if there is something.
        degraded: what failed ("vector: ...").
    """

    query: str
    tips: tuple[Tip, ...] = ()
    empty_reason: str = ""
    degraded: tuple[str, ...] = ()
