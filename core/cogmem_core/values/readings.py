"""What a text says, taken apart once: clauses in the order of the text. Values without I/O.

A clause is the smallest part that is kept, changed, expired or forgotten by itself. Everything that
decides on words looks at clauses, never at the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from textwrap import shorten
from typing import Any, Literal, get_args

VERSION = 2
"""Of the reader: what an older one read is read anew in the background."""

Kind = Literal[
    "statement",
    "question",
    "request",
    "instruction",
    "wish_to_forget",
    "wish_to_keep",
    "fragment",
    "filler",
    "quoted",
    "pasted",
]
Holder = Literal["speaker", "other", "fiction"]
Mood = Literal[
    "asserted", "planned", "hypothetical", "wished", "able", "reported", "joke", "denied"
]
Tense = Literal["", "past", "present", "future"]
Guard = Literal["allergy", "medicine", "condition", "access", "never", "address"]
"""What a guardian fact is: one whose loss may harm somebody; the most dangerous first."""
GUARDS: tuple[Guard, ...] = get_args(Guard)
Span = tuple[int, int]
ClauseStanding = Literal["holds", "doubted", "ended", "retracted", "expired", "forgotten"]
"""How a clause stands: it holds; something newer may say otherwise; it was true and is over; it never
was true; it was a plan whose day has passed; a person wanted it forgotten."""
STANDINGS: tuple[ClauseStanding, ...] = get_args(ClauseStanding)
LEFT: tuple[ClauseStanding, ...] = ("holds", "doubted")
"""How what a memory still says stands."""
KINDS: tuple[Kind, ...] = get_args(Kind)
_ENDS = ".!?\u2026\u3002\uff01\u0964"
TELLING: tuple[Kind, ...] = ("statement", "fragment", "wish_to_keep")
"""Kinds that make a claim."""
KEPT: tuple[Kind, ...] = (*TELLING, "instruction")
"""Kinds that may be worth keeping."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One part of a text.

    Attributes:
        start: where it begins in the text.
        end: where it ends.
        kind: what it is.
        core: the words that carry the claim: "I live in Berlin" of "I live in Berlin with Rex".
        beside: what is told with it.
        holder: whose claim it is.
        mood: how it is meant.
        scope: the words that limit it, as they stand; "" = none.
        doubt: the words that nobody understood, as they stand; "" = none.
        subject: what it is about, as folded words: "i", "my rent", "ana number".
        slot: what it says of that: a name such as "home", else a verb and its preposition: "run on".
        value: the value, as it stands.
        type: of the value: "clock", "date", "weekday", "number:kg", "version", "name", "word".
        negative: whether the claim is denied.
        tense: when it holds.
        denies: a value that is named wrong: "Porto" of "Braga, not Porto".
        changes: whether its verb says that something became otherwise: "moved to".
        ends: whether its verb says that something is over: "sold", "quit".
        correcting: whether it announces a correction.
        now: whether it says that it holds from now on: "now", "these days".
        target: what is to be kept, or forgotten; "" = what is said here is not to be kept.
        times: the times that it names.
        more: whether another statement stands in it that was not taken apart.
        guards: what guardian fact it tells: "allergy", "medicine"; "" = none.
    """

    start: int
    end: int
    kind: Kind
    core: Span = (0, 0)
    beside: tuple[Span, ...] = ()
    holder: Holder = "speaker"
    mood: Mood = "asserted"
    scope: str = ""
    doubt: str = ""
    subject: str = ""
    slot: str = ""
    value: str = ""
    type: str = ""
    negative: bool = False
    tense: Tense = ""
    denies: str = ""
    changes: bool = False
    ends: bool = False
    correcting: bool = False
    now: bool = False
    target: str = ""
    times: tuple[Span, ...] = ()
    more: bool = False
    guards: Guard | Literal[""] = ""

    @property
    def claim(self) -> Span:
        """What of it ceases to hold with it: what is told beside stays."""
        return self.core if self.beside else (self.start, self.end)

    @property
    def framed(self) -> bool:
        """Whether subject, verb and value were found."""
        return bool(self.subject and self.slot and self.value)

    @property
    def plain(self) -> bool:
        """Whether it is a plain assertion of the speaker: only such a clause changes another (I1)."""
        return (
            self.kind in ("statement", "wish_to_keep")
            and self.holder == "speaker"
            and self.mood == "asserted"
            and not self.scope
            and not self.doubt
        )

    @property
    def meant(self) -> bool:
        """Whether the speaker means it: no joke, no story."""
        return self.holder != "fiction" and self.mood != "joke"


@dataclass(frozen=True, slots=True)
class Reading:
    """A text taken apart.

    Attributes:
        language: the code of the pack that it was read with; "" = none is known.
        clauses: they do not overlap; what belongs to none is white space and joints.
        version: of the reader.
        text: what was read; it is stored beside the reading.
    """

    language: str = ""
    clauses: tuple[Clause, ...] = ()
    version: int = VERSION
    text: str = field(default="", repr=False, compare=False)

    def words(self, clause: Clause) -> str:
        """What a clause says, as it stands."""
        return self.text[clause.start : clause.end]

    def of_kind(self, *kinds: Kind) -> tuple[Clause, ...]:
        """The clauses of these kinds."""
        return tuple(clause for clause in self.clauses if clause.kind in kinds)

    def told(self) -> str:
        """The text without what is not the speaker's, and without what is not to be kept.

        A question beside a statement stays: it says what the statement is about.
        """
        if not self.of_kind("pasted", "wish_to_forget"):
            return self.text
        parts: list[list[Clause]] = []
        before: Clause | None = None
        for clause in self.clauses:
            if clause.kind in KEPT and before is not None and before.kind in KEPT:
                parts[-1].append(clause)
            elif clause.kind in KEPT:
                parts.append([clause])
            before = clause if clause.kind != "filler" else before
        texts = [self.text[part[0].start : part[-1].end].strip(" \n\t:") for part in parts]
        return " ".join(text if text[-1:] in _ENDS else f"{text}." for text in texts)

    @property
    def statements(self) -> str:
        """The clauses that tell something, without those that ask."""
        return " ".join(map(self.words, self.of_kind(*KEPT)))

    @property
    def meant(self) -> bool:
        """Whether nothing in it says that it is a joke or a story."""
        return all(clause.meant for clause in self.clauses)

    @property
    def tells_a_story(self) -> bool:
        """Whether a story or a game begins in it, which goes on."""
        return any(clause.holder == "fiction" for clause in self.clauses)

    @property
    def puts_off(self) -> bool:
        """Whether the day before a verb is not the one that counts: "Friday's call is cancelled"."""
        return any(
            clause.type in ("weekday", "date", "clock")
            if clause.changes
            else clause.ends and not clause.value and clause.core[1] == clause.end
            for clause in self.clauses
        )

    @property
    def is_idle(self) -> bool:
        """Whether there is nothing in it but courtesies and signs."""
        return all(clause.kind == "filler" for clause in self.clauses)

    @property
    def tells(self) -> bool:
        """Whether a clause of it tells something."""
        return any(clause.kind in KEPT for clause in self.clauses)


@dataclass(frozen=True, slots=True)
class ClauseState:
    """How one clause of a memory stands; of a clause that simply holds there is none.

    Attributes:
        number: of the clause, counted from 0 in the order of the text.
        state: how it stands.
        since: when that was noted.
        until: until when the clause was true; None = it never was, or nobody knows.
        by: the id of the memory that says so; "" = a person, or a cycle.
        reason: why, in a few words.
    """

    number: int
    state: ClauseStanding
    since: datetime | None = None
    until: datetime | None = None
    by: str = ""
    reason: str = ""

    @property
    def withdrawn(self) -> bool:
        """Whether the clause holds no more."""
        return self.state not in LEFT

    def in_words(self, year: int = 0) -> str:
        """How it stands: "until 12 May 2026"; without the year if it is that one."""
        if self.state == "ended" and self.until is None:
            return "no longer"
        day = ""
        if self.until is not None:
            day = f" {self.until.day} {self.until:%B}"
            day += "" if self.until.year == year else f" {self.until.year}"
        return _STANDS[self.state] + (day if self.state in ("ended", "expired") else "")


_STANDS: Mapping[ClauseStanding, str] = {
    "holds": "holds",
    "doubted": "perhaps no longer",
    "ended": "until",
    "retracted": "never so",
    "expired": "planned until",
    "forgotten": "forgotten",
}


def marked(
    text: str, clauses: Sequence[Clause], states: Iterable[ClauseState], *, year: int = 0
) -> str:
    """A text that says what holds no more, as in "[until 12 May: I live in Berlin] with my dog".

    Args:
        text: as it was said.
        clauses: of it.
        states: of the clauses, by number.
        year: whose days are told without it.
    """
    shown = ""
    place = 0
    for state in states:
        if state.withdrawn and state.number < len(clauses):
            start, end = clauses[state.number].claim
            words = "" if state.state == "forgotten" else f": {text[start:end]}"
            shown += f"{text[place:start]}[{state.in_words(year)}{words}]"
            place = end
    return shown + text[place:]


_DEFAULTS: Mapping[str, Any] = {each.name: each.default for each in fields(Clause)}
_APART = ("start", "end", "core", "kind")
"""Fields that a row holds in a form of their own."""


def to_json(reading: Reading) -> dict[str, Any]:
    """A reading as JSON values: of a clause only what differs from a plain assertion."""
    rows: list[dict[str, Any]] = []
    for clause in reading.clauses:
        row: dict[str, Any] = {"at": [clause.start, clause.end]}
        for name, default in _DEFAULTS.items():
            value = getattr(clause, name)
            if name not in _APART and value != default:
                row[name] = value
        if clause.core != (clause.start, clause.end):
            row["core"] = clause.core
        if clause.kind != "statement":
            row["kind"] = clause.kind
        rows.append(row)
    return {"v": reading.version, "l": reading.language, "c": rows}


def from_json(stored: Mapping[str, Any], text: str = "") -> Reading:
    """The reading of what `to_json` gave, and of the text beside it.

    Raises:
        KeyError, TypeError, ValueError: it is no reading.
    """
    return Reading(str(stored["l"]), tuple(map(_clause, stored["c"])), int(stored["v"]), text)


def _clause(row: Mapping[str, Any]) -> Clause:
    start, end = row["at"]
    values: dict[str, Any] = {"kind": "statement", "core": (start, end)}
    values |= {name: value for name, value in row.items() if name in _DEFAULTS}
    values["core"] = tuple(values["core"])
    for name in ("beside", "times"):
        values[name] = tuple((begin, stop) for begin, stop in values.get(name, ()))
    return Clause(**{**values, "start": int(start), "end": int(end)})


def shown(text: str, clauses: Iterable[Clause], *, kept: bool = True) -> str:
    """What was understood, in words: "kept: I live in Lisbon (home); not kept: a question".

    Args:
        text: what was said.
        clauses: of it; of many only the first are told.
        kept: whether what it tells was kept.
    """
    parts = [_shown(text, clause, kept=kept) for clause in clauses if clause.kind != "filler"]
    told = list(dict.fromkeys(parts))
    more = [f"and {len(told) - _LISTED} more"] if len(told) > _LISTED else []
    return "; ".join([*told[:_LISTED], *more])


_LISTED = 8
_LONGEST = 80  # characters
_NAMES: Mapping[Kind, str] = {
    "question": "a question",
    "request": "a request",
    "instruction": "how to answer",
    "wish_to_forget": "a wish to forget",
    "wish_to_keep": "a wish to remember",
    "quoted": "a quotation",
    "pasted": "pasted text",
}


def _shown(text: str, clause: Clause, *, kept: bool) -> str:
    if clause.kind not in TELLING:
        name = _NAMES.get(clause.kind, clause.kind)
        return f"not kept: {name}" if clause.kind in ("question", "request") else name
    span = clause.core if any(clause.core) else (clause.start, clause.end)
    words = shorten(text[slice(*span)], _LONGEST, placeholder="\u2026")
    notes = [clause.slot] if clause.slot else []
    if clause.mood != "asserted":
        notes.append(clause.mood)
    if clause.holder != "speaker":
        notes.append("somebody else's" if clause.holder == "other" else "a story")
    if clause.scope:
        notes.append(f"only {clause.scope!r}")
    if clause.doubt:
        notes.append(f"not understood: {clause.doubt!r}")
    return f"{'kept' if kept else 'not kept'}: {words}" + (
        f" ({', '.join(notes)})" if notes else ""
    )
