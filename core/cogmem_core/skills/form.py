"""Formation: from turns to atomic facts that stand alone, in one call per batch.

Each fact names its turn and quotes the span it came from; if the turn does not hold the quote, the
whole turn is the span. A fact that says what was not said is dropped, see `skills.grounding`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timezone
from typing import Annotated, Any, NamedTuple

from pydantic import BeforeValidator, Field

from cogmem_core.skills.grounding import Lack, Said, lack_of
from cogmem_core.skills.run import Message, Skill, StrictModel, ask, cut, one_line
from cogmem_core.text.time.days import kept_day, kept_end
from cogmem_core.text.time.periods import later
from cogmem_core.values.models import Category, Stated

_TASK = """\
Turn what was said into facts for a long-term memory. For every turn of `turns` list the facts \
worth remembering; a turn may have none. `earlier` is context only: take no facts from it. What a \
turn `answers` was asked by somebody else and is no fact by itself; a short answer is one together \
with it: yes or no to what was asked about a person says how it is with that person.

Each fact:
- turn: the index of the turn; quote: the words of that turn it comes from, copied exactly.
- text: one fact, one sentence that stands alone, in the language of the turn, at most 500 \
characters. Replace every pronoun by the name it stands for ("I" by the speaker). Keep names, \
numbers, units, negations and doubts as they were said. Replace relative dates by absolute ones, seen \
from the turn's own date. Add nothing.
- category: preference, fact, decision, correction, entity, plan, pattern, procedure, summary or \
other.
- entities: people, places, organisations, products and titles in the fact, as they are written.
- about: the day the fact speaks of, YYYY-MM-DD (a period: its first day), or null.
- until: the last day on which it holds, YYYY-MM-DD, or null if it is open.
- foresight: true if it tells of something planned or expected.
- passing: true if it will be of no use after a few hours or days: where somebody is right now, a \
mood, today's weather, today's errand."""
_MAX_ENTITIES = 8
_ENTITY_CHARACTERS = 80
_FACTS_PER_TURN = 20
_EARLIER_CHARACTERS = 1_000  # of each turn before, that names may come from
_EARLIER_TURNS = 6
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True, slots=True)
class FormTurn:
    """A turn to take facts from.

    Attributes:
        text: what was said.
        at: when it was said, in the speaker's time zone: it decides what "tomorrow" is.
        role: who said it, as chat models name it.
        speaker: the person's name, if known.
        asked: the question that it answers; empty if it says enough by itself.
    """

    text: str
    at: datetime
    role: str = "user"
    speaker: str | None = None
    asked: str = ""


@dataclass(frozen=True, slots=True)
class FormInput:
    """A batch of turns.

    Attributes:
        turns: the turns to take facts from.
        earlier: the turns before them, for pronouns.
        foresight_days: how long an expectation without a date holds (default 7).
        max_characters: of one fact; longer ones are cut between words.
    """

    turns: tuple[FormTurn, ...]
    earlier: tuple[FormTurn, ...] = ()
    foresight_days: int = 7
    max_characters: int = 500


@dataclass(frozen=True, slots=True)
class Formed:
    """A fact.

    Attributes:
        turn: index of its turn in the batch.
        text: one sentence.
        start: first character of the span it came from.
        end: the character after the span; 0, as is `start`, for the whole turn.
        entities: names as they are written, at most 8.
        category: the kind of fact.
        referenced_at: the time it speaks of, UTC; a day is its midnight UTC.
        valid_from: from when it holds, UTC, if it says so.
        valid_until: end of the last day it holds, where the speaker is, UTC; None = open.
        passing: it will be of no use after a few hours or days.
    """

    turn: int
    text: str
    start: int = 0
    end: int = 0
    category: Category = "fact"
    entities: tuple[str, ...] = ()
    referenced_at: datetime | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    passing: bool = False


class DroppedFact(NamedTuple):
    """A fact that the model formed and nobody said.

    Attributes:
        turn: index of its turn in the batch.
        text: what the model wrote.
        lack: what of it was not said.
    """

    turn: int
    text: str
    lack: Lack


class FormedFacts(tuple[Formed, ...]):
    """The facts of a batch in the order of their turns, and in `dropped` those that nobody said."""

    dropped: tuple[DroppedFact, ...]

    def __new__(cls, facts: Iterable[Formed], dropped: Iterable[DroppedFact]) -> FormedFacts:
        """Make it of both."""
        self = super().__new__(cls, facts)
        self.dropped = tuple(dropped)
        return self


def tell_dropped(dropped: Sequence[DroppedFact]) -> str:
    """How many facts were dropped, and for what, as a report says it."""
    kinds = Counter(fact.lack for fact in dropped)
    listed = ", ".join(f"{lack} {count}" for lack, count in sorted(kinds.items()))
    noun = "fact was" if len(dropped) == 1 else "facts were"
    return f"{len(dropped)} {noun} dropped, which nobody said ({listed})"


def _number(value: object) -> object:
    """A number that was written as a text."""
    return int(value) if isinstance(value, str) and value.strip().isdigit() else value


def _flag(value: object) -> object:
    """Yes or no that was written as a text; nothing at all means no."""
    if value is None:
        return False
    words = {"true": True, "false": False}
    return words.get(value.strip().lower(), value) if isinstance(value, str) else value


def _items(value: object) -> object:
    """A list; nothing at all is an empty one, and what is no text in a list of names is no name."""
    return [] if value is None else value


def _string(value: object) -> object:
    return "" if value is None else value


class FactAnswer(StrictModel):
    """One fact as the model writes it."""

    turn: Annotated[int, BeforeValidator(_number)]
    quote: Annotated[str, BeforeValidator(_string)]
    text: str
    category: Stated
    entities: Annotated[list[str], BeforeValidator(_items)] = Field([])
    about: str | None = None
    until: str | None = None
    foresight: Annotated[bool, BeforeValidator(_flag)] = False
    passing: Annotated[bool, BeforeValidator(_flag)] = False


class FormAnswer(StrictModel):
    """The facts of a batch."""

    facts: Annotated[list[FactAnswer], BeforeValidator(_items)]


def forming(
    fallback: Callable[[FormInput], tuple[Formed, ...]],
) -> Skill[FormInput, FormAnswer, tuple[Formed, ...]]:
    """The step with its heuristic."""

    def parse(answer: FormAnswer, inputs: FormInput) -> tuple[Formed, ...]:
        if not answer.facts and fallback(inputs):
            raise ValueError("the model took no fact from turns that state something")
        return _parse(answer, inputs)

    return Skill("form", _prompt, FormAnswer, parse, fallback)


def _prompt(inputs: FormInput) -> list[Message]:
    earlier = list(map(_as_data, inputs.earlier))
    turns = [{"turn": index, **_as_data(turn)} for index, turn in enumerate(inputs.turns)]
    return ask(_TASK, {"earlier": earlier, "turns": turns})


def _as_data(turn: FormTurn) -> dict[str, Any]:
    data = {
        "speaker": turn.speaker or turn.role,
        "date": f"{turn.at:%A} {turn.at.isoformat(timespec='minutes')}",
    }
    if turn.asked:
        data["answers"] = turn.asked
    data["text"] = turn.text
    return data


def _parse(answer: FormAnswer, inputs: FormInput) -> tuple[Formed, ...]:
    if len(answer.facts) > _FACTS_PER_TURN * len(inputs.turns):
        raise ValueError(f"{len(answer.facts)} facts from {len(inputs.turns)} turns")
    for fact in answer.facts:
        if not 0 <= fact.turn < len(inputs.turns):
            raise ValueError(f"turn {fact.turn} was not given")
    facts: dict[tuple[int, str], Formed] = {}
    dropped: dict[tuple[int, str], DroppedFact] = {}
    for fact in answer.facts:
        text = cut(one_line(fact.text), inputs.max_characters)
        key = (fact.turn, text.casefold())
        if not text or key in facts or key in dropped:
            continue
        # What of a fact nobody said, in its turn or in those before it.
        before = (*inputs.earlier, *inputs.turns[: fact.turn])[-_EARLIER_TURNS:]
        earlier = [_said(turn, turn.text[-_EARLIER_CHARACTERS:]) for turn in before]
        turn = inputs.turns[fact.turn]
        lack = lack_of(text, _said(turn, turn.text), earlier)
        if lack is None:
            facts[key] = _formed(fact, text, turn, inputs)
        else:
            dropped[key] = DroppedFact(fact.turn, text, lack)
    if dropped and not facts:
        raise ValueError(tell_dropped(list(dropped.values())))
    ordered = sorted(facts.values(), key=lambda fact: fact.turn)
    return FormedFacts(ordered, dropped.values())


def _said(turn: FormTurn, text: str) -> Said:
    speaker = turn.speaker or ("Assistant" if turn.role == "assistant" else "")
    return Said(text, turn.at, speaker, turn.asked)


def _formed(fact: FactAnswer, text: str, turn: FormTurn, inputs: FormInput) -> Formed:
    start, end = _span(fact.quote, turn.text)
    about = _day(fact.about)
    return Formed(
        turn=fact.turn,
        text=text,
        start=start,
        end=end,
        category=fact.category,
        entities=_entities(fact.entities, f"{text} {turn.text}"),
        referenced_at=kept_day(about) if about else None,
        valid_until=_valid_until(fact, turn, inputs.foresight_days),
        passing=fact.passing,
    )


def _valid_until(fact: FactAnswer, turn: FormTurn, foresight_days: int) -> datetime | None:
    last_day = _day(fact.until)
    end = None
    if last_day:
        end = kept_end(datetime.combine(last_day, time.max, tzinfo=turn.at.tzinfo))
    if end is None and fact.foresight:
        end = later(turn.at.astimezone(timezone.utc), foresight_days)
    return end


def _span(quote: str, text: str) -> tuple[int, int]:
    words = quote.split()
    if not words:
        return 0, 0
    match = re.search(r"\s+".join(map(re.escape, words)), text)
    return match.span() if match else (0, 0)


def _entities(names: Sequence[str], source: str) -> tuple[str, ...]:
    """The names that the source holds, each once."""
    folded_source = source.casefold()
    entities: dict[str, None] = {}
    for name in names:
        cleaned = one_line(name)
        if cleaned and len(cleaned) <= _ENTITY_CHARACTERS and cleaned.casefold() in folded_source:
            entities[cleaned] = None
    return tuple(entities)[:_MAX_ENTITIES]


def _day(text: str | None) -> date | None:
    """The day that a text begins with; None if it begins with no date."""
    match = _DAY.match(text.strip()) if text else None
    if match is None:
        return None
    try:
        return date.fromisoformat(match.group())
    except ValueError:
        return None
