"""Reads dated lives: what somebody said, what was asked, and what must be recalled when.

A file is one JSON object. Times are ISO 8601 with an offset; lists may stand in any order.

    name        what reports call the life
    language    of the texts, such as "en"; optional, only told
    turns       {"at", "text", and, optional, "role" ("user" if not given), "session", "ref", and
                "mode", what `remember` makes of it ("auto" if not given)}
    questions   {"at", "text", "answer", "needs"}: asked and answered as life goes by; the answer
                rests on `needs`, refs or texts of turns before
    probes      {"at", "question", "expected", "former"}: what recall must find at that moment,
                and, optional, what was true before; parts of texts of turns before
    vital       parts of turns that a current memory must hold at the end
    end         when the life ends; optional, the last moment that the file names if not given

Letters' case and blanks make no difference between two texts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from cogmem_core.models import Role
from cogmem_core.text.folding import fold_letters
from cogmem_core.values.messages import from_iso
from cogmem_eval.reading import Spot, read_json, shortened

MOST_DAYS = 3_660
_DATE = 'an ISO time with its offset, such as "2025-01-06T19:30:00+00:00"'
_FIELDS = ("name", "language", "turns", "questions", "probes", "vital", "end")
_PROBE = ("at", "question", "expected", "former")

Item = TypeVar("Item")
Mode = Literal["auto", "semantic", "raw", "hybrid"]
_time_of = attrgetter("at")


@dataclass(frozen=True, slots=True)
class LifeTurn:
    """Something that was said."""

    at: datetime
    text: str
    role: Role
    session: str | None
    ref: str | None
    mode: Mode | None


@dataclass(frozen=True, slots=True)
class LifeQuestion:
    """A question that was answered in life; the answer rests on `needs`, refs or texts."""

    at: datetime
    text: str
    answer: str
    needs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LifeProbe:
    """A question at a checkpoint: texts that must be found, and texts that are no longer true."""

    at: datetime
    text: str
    expected: tuple[str, ...]
    former: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Life:
    """A file's content; turns, questions and probes in the order of their times."""

    name: str
    language: str
    turns: tuple[LifeTurn, ...]
    questions: tuple[LifeQuestion, ...]
    probes: tuple[LifeProbe, ...]
    vital: tuple[str, ...]
    start: datetime
    end: datetime


def folded(text: str) -> str:
    """The text without differences of case and blanks."""
    return " ".join(fold_letters(text).split())


def load_life(path: str | Path) -> Life:
    """Read a life.

    Raises:
        InvalidInput: the file cannot be read or has another form, or something is asked for that
            was not said before; the message names file, place and what is expected there.
    """
    spot = Spot(str(path))
    data = spot.table(read_json(path, "JSON file of a life"), _FIELDS)
    turns = sorted(_items(data, "turns", _turn, spot), key=_time_of)
    if not turns:
        spot.fail("'turns' is missing or empty; it must be a list of at least one turn")
    turns_said = _Said(turns)
    questions = _items(data, "questions", turns_said.question, spot)
    probes = _items(data, "probes", turns_said.probe, spot)
    vital = spot.texts(data.get("vital", []), "'vital'")
    turns_said.check(vital, "'vital'", spot)
    if not probes and not vital:
        spot.fail("there is neither a probe nor a vital fact; add 'probes' or 'vital'")
    start = turns[0].at
    items: list[LifeTurn | LifeQuestion | LifeProbe] = [*turns, *questions, *probes]
    last = max(map(_time_of, items))
    end = _time(data, "end", spot) if "end" in data else last
    if end < last:
        spot.fail(f"'end' is {end.isoformat()}; it must not be before {last.isoformat()}")
    if (end - start).days > MOST_DAYS:
        spot.fail(f"the life has {(end - start).days:,} days; it must have at most {MOST_DAYS:,}")
    return Life(
        name=spot.text(data, "name", "what the life is called"),
        language=(
            spot.text(data, "language", 'a language, such as "en"') if "language" in data else ""
        ),
        turns=tuple(turns),
        questions=tuple(sorted(questions, key=_time_of)),
        probes=tuple(sorted(probes, key=_time_of)),
        vital=vital,
        start=start,
        end=end,
    )


class _Said:
    """What was said by when."""

    def __init__(self, turns: Sequence[LifeTurn]) -> None:
        self._turns = [(turn.at, turn.ref, folded(turn.text)) for turn in turns]

    def question(self, row: Any, spot: Spot) -> LifeQuestion:
        """A question whose answer rests on what was said before."""
        table = spot.table(row, LifeQuestion.__slots__)
        at = _time(table, "at", spot)
        needs = spot.texts(table.get("needs"), "'needs'")
        self.check(needs, "'needs'", spot, by=at, refs=True)
        text = spot.text(table, "text", "the question")
        return LifeQuestion(at, text, spot.text(table, "answer", "what was answered"), needs)

    def probe(self, row: Any, spot: Spot) -> LifeProbe:
        """A probe for what was said before."""
        table = spot.table(row, _PROBE)
        at = _time(table, "at", spot)
        expected = spot.texts(table.get("expected"), "'expected'")
        if not expected:
            spot.fail("'expected' is empty; it must hold at least one text")
        former = spot.texts(table.get("former", []), "'former'")
        self.check(expected, "'expected'", spot, by=at)
        self.check(former, "'former'", spot, by=at)
        return LifeProbe(at, spot.text(table, "question", "the question"), expected, former)

    def check(
        self,
        texts: Sequence[str],
        field: str,
        spot: Spot,
        *,
        by: datetime | None = None,
        refs: bool = False,
    ) -> None:
        """Refuse what no turn says by then; a typing error would look like a loss."""
        turns = [turn for turn in self._turns if by is None or turn[0] <= by]
        for index, text in enumerate(texts):
            words = folded(text)
            is_named = refs and any(text == ref for _, ref, _ in turns)
            if not is_named and not any(words in content for _, _, content in turns):
                kind = "the ref or words" if refs else "words"
                spot.fail(
                    f"{field}[{index}] is {shortened(text)}, which was not said before; it must "
                    f"be {kind} of a turn{' by that time' if by else ''}"
                )


def _items(
    data: Mapping[str, Any], key: str, read: Callable[[Any, Spot], Item], spot: Spot
) -> list[Item]:
    rows = data.get(key, [])
    if not isinstance(rows, list):
        spot.fail(f"{key!r} is {shortened(rows)}; it must be a list")
    return [read(row, spot.at(f"{key}[{index}]")) for index, row in enumerate(rows)]


def _turn(row: Any, spot: Spot) -> LifeTurn:
    table = spot.table(row, LifeTurn.__slots__)
    return LifeTurn(
        _time(table, "at", spot),
        spot.text(table, "text", "what was said"),
        _choice(table, "role", get_args(Role), "user", spot),
        spot.text(table, "session", "the conversation's id") if "session" in table else None,
        spot.text(table, "ref", "your id of the turn") if "ref" in table else None,
        _choice(table, "mode", get_args(Mode), None, spot),
    )


def _choice(
    table: Mapping[str, Any], key: str, names: Sequence[str], default: str | None, spot: Spot
) -> Any:
    value = table.get(key, default)
    if value not in (*names, default):
        spot.fail(f"{key!r} is {shortened(value)}; it must be one of {', '.join(names)}")
    return value


def _time(table: Mapping[str, Any], key: str, spot: Spot) -> datetime:
    text: str = spot.get(table, key, str, _DATE)
    try:
        at = from_iso(text)
    except ValueError:
        spot.fail(f"{key!r} is {shortened(text)}; it must be {_DATE}")
    if at.utcoffset() is None:
        spot.fail(f"{key!r} is {shortened(text)}, without an offset; it must be {_DATE}")
    return at
