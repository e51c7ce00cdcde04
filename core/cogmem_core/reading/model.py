"""What a text says, taken apart: the values are those of `values.readings`, which memories hold."""

from cogmem_core.values.readings import (
    KINDS,
    TELLING,
    VERSION,
    Clause,
    Holder,
    Kind,
    Mood,
    Reading,
    Span,
    Tense,
    from_json,
    shown,
    to_json,
)

__all__ = [
    "KINDS",
    "TELLING",
    "VERSION",
    "Clause",
    "Holder",
    "Kind",
    "Mood",
    "Reading",
    "Span",
    "Tense",
    "from_json",
    "shown",
    "to_json",
]
<<<<<<< HEAD
Holder = Literal["speaker", "other", "fiction"]
Mood = Literal[
    "asserted", "planned", "hypothetical", "wished", "able", "reported", "joke", "denied"
]
Tense = Literal["", "past", "present", "future"]
Span = tuple[int, int]
KINDS: tuple[Kind, ...] = get_args(Kind)
TELLING: tuple[Kind, ...] = ("statement", "fragment")
"""Kinds that may tell something worth keeping."""


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
        target: what is to be forgotten or kept.
        times: the times that it names.
        more: whether another statement stands in it that was not taken apart.
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
    target: str = ""
    times: tuple[Span, ...] = ()
    more: bool = False

    @property
    def framed(self) -> bool:
        """Whether subject, verb and value were found."""
        return bool(self.subject and self.slot and self.value)

    @property
    def plain(self) -> bool:
        """Whether it is a plain assertion of the speaker: only such a clause changes another (I1)."""
        return (
            self.kind == "statement"
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
    """

    language: str = ""
    clauses: tuple[Clause, ...] = ()
    version: int = VERSION

    def of_kind(self, *kinds: Kind) -> tuple[Clause, ...]:
        """The clauses of these kinds."""
        return tuple(clause for clause in self.clauses if clause.kind in kinds)

    @property
    def tells(self) -> bool:
        """Whether a clause of it tells something."""
        return any(clause.kind in TELLING for clause in self.clauses)


@lru_cache(maxsize=1)
def _defaults() -> Mapping[str, Any]:
    return {field.name: field.default for field in fields(Clause)}


def to_json(reading: Reading) -> dict[str, Any]:
    """A reading as JSON values: of a clause only what differs from a plain assertion."""
    rows: list[dict[str, Any]] = []
    for clause in reading.clauses:
        row: dict[str, Any] = {"at": [clause.start, clause.end]}
        for name, default in _defaults().items():
            value = getattr(clause, name)
            if name not in ("start", "end") and value != default:
                row[name] = value
        if clause.core == (clause.start, clause.end):
            del row["core"]
        if clause.kind == "statement":
            del row["kind"]
        rows.append(row)
    return {"v": reading.version, "l": reading.language, "c": rows}


def from_json(stored: Mapping[str, Any]) -> Reading:
    """The reading of what `to_json` gave.

    Raises:
        KeyError, TypeError, ValueError: it is no reading.
    """
    return Reading(str(stored["l"]), tuple(map(_clause, stored["c"])), int(stored["v"]))


def _clause(row: Mapping[str, Any]) -> Clause:
    start, end = row["at"]
    values: dict[str, Any] = {"kind": "statement", "core": (start, end)}
    values |= {name: value for name, value in row.items() if name in _defaults()}
    values["core"] = tuple(values["core"])
    for name in ("beside", "times"):
        values[name] = tuple((begin, stop) for begin, stop in values.get(name, ()))
    return Clause(**{**values, "start": int(start), "end": int(end)})


def shown(text: str, clauses: Iterable[Clause]) -> str:
    """What was understood, in words: "kept: I live in Lisbon (home); not kept: a question"."""
    parts = [_shown(text, clause) for clause in clauses if clause.kind != "filler"]
    return "; ".join(dict.fromkeys(parts))


_NAMES: Mapping[Kind, str] = {
    "question": "a question",
    "request": "a request",
    "instruction": "how to answer",
    "wish_to_forget": "a wish to forget",
    "wish_to_keep": "a wish to remember",
    "quoted": "a quotation",
    "pasted": "pasted text",
}


def _shown(text: str, clause: Clause) -> str:
    if clause.kind not in TELLING:
        name = _NAMES.get(clause.kind, clause.kind)
        return f"not kept: {name}" if clause.kind in ("question", "request") else name
    words = " ".join(
        text[slice(*(clause.core if any(clause.core) else (clause.start, clause.end)))].split()
    )
    notes = [clause.slot] if clause.slot else []
    if clause.mood != "asserted":
        notes.append(clause.mood)
    if clause.holder != "speaker":
        notes.append("somebody else's" if clause.holder == "other" else "a story")
    if clause.scope:
        notes.append(f"only {clause.scope!r}")
    if clause.doubt:
        notes.append(f"not understood: {clause.doubt!r}")
    return f"kept: {words}" + (f" ({', '.join(notes)})" if notes else "")
=======
>>>>>>> 71a9297f (Store what a text says beside it, and read older texts anew)
