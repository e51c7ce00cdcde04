"""Which memories a question may see: what holds now, what held then, what was known by then, what has faded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from cogmem_core.config import RetrievalConfig
from cogmem_core.models import STATES, JournalEntry, State
from cogmem_core.retrieval.plan import Plan
from cogmem_core.retrieval.request import Request
from cogmem_core.storage.ledger.codec import encode_time
from cogmem_core.storage.ledger.reader import Candidate, Reader

__all__ = ["Horizon", "Past", "horizon_of", "pasts"]

_HIDDEN = ""
_SHOWN = "shown"
_COLD = "cold"
_AWAY = "away"


@dataclass(frozen=True, slots=True)
class Past:
    """What a memory was at a moment: its state, and until when it was taken to be true (microseconds, None = open)."""

    state: State
    valid_until: int | None


@dataclass(frozen=True, slots=True)
class Horizon:
    """What may be seen; times in microseconds since 1970 UTC.

    Attributes:
        now: the present, or the moment up to which things are known.
        as_of: what was true then; None = what is true at `now`.
        known_at: only what had been said by then; None = all.
        timeline: what was superseded or has expired counts like the rest.
        history: it counts, at the cold factor.
        deep: dormant memories count, too, at the cold factor.
        again: a second look: what was put away for disuse counts, too, at a factor of its own; None = there is none,
            else the utility from which on it does.
    """

    now: int
    as_of: int | None = None
    known_at: int | None = None
    timeline: bool = False
    history: bool = False
    deep: bool = False
    again: float | None = None

    @property
    def looks_back(self) -> bool:
        """True if a moment other than the present is asked for."""
        return self.as_of is not None or self.known_at is not None

    @property
    def needs_cold(self) -> bool:
        """True if memories outside of normal recall must be searched."""
        return self.looks_back or self.timeline or self.history or self.deep or self.again is not None

    @property
    def states(self) -> tuple[State, ...]:
        """The states that may be seen at the present."""
        past: tuple[State, ...] = ("superseded",) if self.timeline or self.history or self.deep else ()
        away: tuple[State, ...] = ("dormant",) if self.deep or self.again is not None else ()
        return ("active", *past, *away)

    def holds(self, valid_until: int | None) -> bool:
        """Whether what is true until then (None = open) is true now."""
        return valid_until is None or valid_until > self.now

    def sight(self, row: Candidate, past: Past | None = None) -> str:
        """How a memory is seen: "" = not at all, `shown`, `cold` (at the cold factor), or `away` (at that of again)."""
        was = past or Past(_state(row.state), row.valid_until)
        if self.known_at is not None and row.recorded_at > self.known_at:
            return _HIDDEN
        if self.again is not None and row.utility >= self.again and self._only_away(row, was):
            return _AWAY
        if was.state == "dormant":
            return _COLD if self.deep and self._true(row, was) else _HIDDEN
        if was.state not in ("active", "superseded"):
            return _HIDDEN
        return self._then(row, was) if self.as_of is not None else self._now(was)

    def _only_away(self, row: Candidate, was: Past) -> bool:
        """Put away for disuse; not what lost to another memory or is told by a summary, nor what is over."""
        return was.state == "dormant" and row.superseded_by is None and self.holds(was.valid_until)

    def _then(self, row: Candidate, was: Past) -> str:
        # What was replaced without ever becoming untrue (a duplicate, a source of a summary) is told by its successor.
        replaced = was.state == "superseded" and was.valid_until is None
        return _SHOWN if self._true(row, was) and not replaced else _HIDDEN

    def _now(self, was: Past) -> str:
        if was.state == "active" and self.holds(was.valid_until):
            return _SHOWN
        if self.timeline:
            return _SHOWN
        return _COLD if self.history or self.deep else _HIDDEN

    def _true(self, row: Candidate, was: Past) -> bool:
        if self.as_of is None:
            return True
        begun = row.valid_from is None or row.valid_from <= self.as_of
        return begun and (was.valid_until is None or self.as_of < was.valid_until)


def _state(told: object) -> State:
    return next((state for state in STATES if state == told), "active")


def horizon_of(request: Request, plan: Plan, settings: RetrievalConfig, now: datetime) -> Horizon:
    """The horizon of a request."""
    known_at = encode_time(request.known_at)
    present = encode_time(now) or 0
    return Horizon(
        now=present if known_at is None else min(known_at, present),
        as_of=encode_time(request.as_of),
        known_at=known_at,
        timeline=request.mode == "timeline",
        history=plan.route.history,
        deep=request.deep,
        again=settings.second_look_utility if request.again else None,
    )


def pasts(reader: Reader, namespace: str, rows: Sequence[Candidate], known_at: int) -> dict[str, Past]:
    """What each memory was at a moment, as far as that differs from what it is.

    A memory counts as superseded from when its successor was said, or from when the ledger noted it if that was
    earlier; every other change counts from when it was noted.
    """
    turning = reader.turning_points(namespace, [row.id for row in rows])
    successors = {row.superseded_by for row in rows if row.superseded_by is not None}
    said = {row.id: row.recorded_at for row in reader.candidates(namespace, sorted(successors)).values()}
    found = {}
    for row in rows:
        successor = said.get(row.superseded_by or "") if row.state == "superseded" else None
        if successor is None or successor > known_at:
            undone = [entry for entry in turning.get(row.id, ()) if (encode_time(entry.at) or 0) > known_at]
            if undone:
                found[row.id] = _before(row, undone)
    return found


def _before(row: Candidate, undone: Sequence[JournalEntry]) -> Past:
    # A field that the first of these changes left alone was perhaps changed by a later one.
    before: Mapping[str, object] = {name: value for entry in reversed(undone) for name, value in entry.before.items()}
    state = _state(before.get("state", "active" if undone[0].kind == "retire" else row.state))
    until = before.get("valid_until", row.valid_until)
    return Past(state, encode_time(until) if isinstance(until, datetime) else until)  # type: ignore[arg-type]
