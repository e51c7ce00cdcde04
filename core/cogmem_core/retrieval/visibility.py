"""Which memories a question may see: what holds now, what held then, what was known by then, what has faded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from cogmem_core.retrieval.plan import Plan, Request
from cogmem_core.storage.ledger.candidates import Candidate
from cogmem_core.storage.ledger.codec import encode_time
from cogmem_core.storage.ledger.transaction import Transaction
from cogmem_core.storage.search.candidate_rows import CandidateColumns
from cogmem_core.text.folding import MAX_INPUT, fold_letters
from cogmem_core.text.time.tense import only_looks_back
from cogmem_core.values.models import STATES, JournalEntry, State

SECOND_LOOK_UTILITY = 0.44
"""Of a memory, at least: what answers ignored more than once, and did not use, stays away (see
`feedback.utility_rate`)."""

_HIDDEN = ""
_SHOWN = "shown"
_COLD = "cold"
_AWAY = "away"


class PastState(NamedTuple):
    """What a memory was at a moment: its state, and until when it was taken to be true (microseconds, None = open)."""

    state: State
    valid_until: int | None


@dataclass(frozen=True, slots=True)
class Visibility:
    """What may be seen; times in microseconds since 1970 UTC.

    Attributes:
        now: the present, or the moment up to which things are known.
        as_of: what was true then; None = what is true at `now`.
        known_at: only what had been said by then; None = all.
        timeline: what was superseded or has expired counts like the rest.
        formerly: the same, because the question is about what held before.
        history: it counts, at the cold factor.
        about_past: the question is about the past, by its tense or by a time that it names.
        deep: dormant memories count, too, at the cold factor.
        again: a second look: what was put away for disuse counts, too, at a factor of its own, and
            what was replaced; None = there is none, else the utility from which on it does.
        ended: the texts of documents whose time is over, and which nobody deleted yet.
    """

    now: int
    as_of: int | None = None
    known_at: int | None = None
    timeline: bool = False
    formerly: bool = False
    history: bool = False
    about_past: bool = False
    deep: bool = False
    again: float | None = None
    ended: frozenset[str] = frozenset()

    @property
    def looks_back(self) -> bool:
        """True if a moment other than the present is asked for."""
        return self.as_of is not None or self.known_at is not None

    @property
    def needs_cold(self) -> bool:
        """True if memories outside of normal recall must be searched."""
        past = self.timeline or self.formerly or self.history
        return self.looks_back or past or self.deep or self.again is not None

    @property
    def states(self) -> tuple[State, ...]:
        """The states that may be seen at the present."""
        past: tuple[State, ...] = ()
        if self.timeline or self.formerly or self.history or self.deep:
            past = ("superseded",)
        away: tuple[State, ...] = ("dormant",) if self.deep or self.again is not None else ()
        return ("active", *past, *away)

    def holds(self, valid_until: int | None) -> bool:
        """Whether what is true until then (None = open) is true now."""
        return valid_until is None or valid_until > self.now

    def is_over(self, row: Candidate) -> bool:
        """Whether a memory is of the past, which a question about what held before asks for."""
        return self.formerly and not (row.state == "active" and self.holds(row.valid_until))

    def views_of(self, rows: CandidateColumns, past: Mapping[str, PastState]) -> list[str]:
        """How each memory is seen, see `view_of`; `past`: by id, what differed at the moment in question."""
        holding = (rows.moments("valid_until") > self.now).tolist()
        looks_back = self.looks_back or self.ended
        views = []
        for place, state in enumerate(rows.labels("state")):
            if holding[place] and state == "active" and not looks_back:
                views.append(_SHOWN)
            else:
                row = rows.at(place)
                views.append(self.view_of(row, past.get(row.id)))
        return views

    def are_over(self, rows: CandidateColumns) -> list[bool]:
        """Whether each memory is of the past, see `is_over`."""
        if not self.formerly:
            return [False] * len(rows)
        return [self.is_over(rows.at(place)) for place in range(len(rows))]

    def view_of(self, row: Candidate, past: PastState | None = None) -> str:
        """How a memory is seen.

        Args:
            row: the memory today.
            past: what it was at the moment in question, if that differs.

        Returns:
            "" = not at all, `shown`, `cold` (at the cold factor), or `away` (at that of `again`).
        """
        state = past.state if past else row.state
        valid_until = past.valid_until if past else row.valid_until
        if self.known_at is not None and row.recorded_at > self.known_at:
            return _HIDDEN
        if row.id in self.ended and not row.from_turn:
            return _HIDDEN
        if state == "dormant":
            if self._put_away(row, valid_until):
                return _AWAY
            return _COLD if self.deep and self._true(row, valid_until) else _HIDDEN
        if state not in ("active", "superseded"):
            return _HIDDEN
        return self._view_of_valid(row, state, valid_until)

    def _view_of_valid(self, row: Candidate, state: str, valid_until: int | None) -> str:
        """How a memory is seen that is active or superseded."""
        if self.as_of is not None:
            # What was replaced without ever becoming untrue (a duplicate, a source of a summary)
            # is told by its successor.
            replaced = state == "superseded" and valid_until is None
            return _SHOWN if self._true(row, valid_until) and not replaced else _HIDDEN
        if self.timeline or self.formerly or (state == "active" and self.holds(valid_until)):
            return _SHOWN
        # What said itself how long it holds stands behind what holds, once it is over; a question
        # about the past is about it.
        spoken = row.from_turn and valid_until is not None and row.superseded_by is None
        spoken = spoken and not row.expires
        if spoken and (self.history or self.about_past):
            return _SHOWN
        if spoken and state == "active":
            return _AWAY
        if self.history or self.deep:
            return _COLD
        # What took its place is shown for it.
        return _AWAY if self.again is not None and row.superseded_by is not None else _HIDDEN

    def _put_away(self, row: Candidate, valid_until: int | None) -> bool:
        """Whether a second look finds a dormant memory.

        Not one that lost to another memory or is told by a summary, nor one that is over.
        """
        useful = self.again is not None and row.utility >= self.again
        return useful and row.superseded_by is None and self.holds(valid_until)

    def _true(self, row: Candidate, valid_until: int | None) -> bool:
        """Whether it was true at the moment that is asked about."""
        if self.as_of is None:
            return True
        begun = row.valid_from is None or row.valid_from <= self.as_of
        return begun and (valid_until is None or self.as_of < valid_until)


def visibility_of(request: Request, plan: Plan, now: datetime) -> Visibility:
    """Which memories a request may see."""
    known_at = encode_time(request.known_at)
    present = encode_time(now) or 0
    return Visibility(
        now=present if known_at is None else min(known_at, present),
        as_of=encode_time(request.as_of),
        known_at=known_at,
        timeline=request.mode == "timeline",
        formerly=plan.aim.formerly,
        history=plan.route.history,
        about_past=_asks_about_past(request.query, plan, now),
        deep=request.deep,
        again=SECOND_LOOK_UTILITY if request.again else None,
    )


def _asks_about_past(query: str, plan: Plan, now: datetime) -> bool:
    """Whether a question is in the past tense, or names a time that is over."""
    ended = [last < now for _, last in plan.hints.periods]
    ended += [year < now.year for year in plan.hints.years]
    if ended:
        return all(ended)
    return only_looks_back(fold_letters(query[:MAX_INPUT]))


def past_states(
    reader: Transaction, namespace: str, rows: Sequence[Candidate], known_at: int
) -> dict[str, PastState]:
    """What each memory was at a moment, as far as that differs from what it is.

    A memory counts as superseded from when its successor was said, or from when the ledger noted it
    if that was earlier; every other change counts from when it was noted.
    """
    tables = reader.at(namespace)
    turning_points = tables.history.turning_points([row.id for row in rows])
    successor_ids = {row.superseded_by for row in rows if row.superseded_by is not None}
    successors = tables.memories.candidates(sorted(successor_ids))
    states = {}
    for row in rows:
        successor = None
        if row.state == "superseded":
            successor = successors.get(row.superseded_by or "")
        if successor is not None and successor.recorded_at <= known_at:
            continue
        entries = turning_points.get(row.id, ())
        later = [entry for entry in entries if (encode_time(entry.at) or 0) > known_at]
        if later:
            states[row.id] = _state_before(row, later)
    return states


def _state_before(row: Candidate, entries: Sequence[JournalEntry]) -> PastState:
    """What a memory was before these changes, oldest first."""
    # A field that the first of these changes left alone was perhaps changed by a later one.
    fields: dict[str, object] = {}
    for entry in reversed(entries):
        fields.update(entry.before)
    default = "active" if entries[0].kind == "retire" else row.state
    name = fields.get("state", default)
    state: State = next((state for state in STATES if state == name), "active")
    until = fields.get("valid_until", row.valid_until)
    if isinstance(until, datetime):
        return PastState(state, encode_time(until))
    return PastState(state, until)  # type: ignore[arg-type]
