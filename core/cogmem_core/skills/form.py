"""Formation: from turns to atomic facts that stand alone, in one call per batch.

Each fact names its turn and quotes the span it came from; if the turn does not hold the quote, the
whole turn is the span. A fact that shares no word with its turn is dropped: it is an invention or a
translation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timezone
from itertools import chain
from typing import Any

from pydantic import BaseModel, ConfigDict

from cogmem_core.models import Category, Stated
from cogmem_core.skills.run import Message, Skill, ask
from cogmem_core.text.time.days import kept_day, kept_end
from cogmem_core.text.time.periods import later
from cogmem_core.text.tokens import tokens

__all__ = ["FormAnswer", "FormInput", "FormTurn", "Formed", "forming"]

_TASK = """\
Turn what was said into facts for a long-term memory. For every turn of `turns` list the facts \
worth remembering; a turn may have none. `earlier` is context only: take no facts from it. What a \
turn `answers` was asked by somebody else and is no fact by itself; a short answer is one together \
with it ("Yes." to "Are you vegan?" says who is vegan).

Each fact:
- turn: the index of the turn; quote: the words of that turn it comes from, copied exactly.
- text: one fact, one sentence that stands alone, in the language of the turn, at most 500 \
characters. Replace every pronoun by the name it stands for ("I" by the speaker). Keep names, \
numbers, negations and doubts as they were said. Replace relative dates by absolute ones, seen \
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
        foresight: it tells of something planned or expected, hence it is time-bounded.
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
    foresight: bool = False
    passing: bool = False


class FactAnswer(BaseModel):
    """One fact as the model writes it."""

    model_config = ConfigDict(strict=True)

    turn: int
    quote: str
    text: str
    category: Stated
    entities: list[str]
    about: str | None
    until: str | None
    foresight: bool
    passing: bool = False


class FormAnswer(BaseModel):
    """The facts of a batch."""

    model_config = ConfigDict(strict=True)

    facts: list[FactAnswer]


def forming(
    fallback: Callable[[FormInput], tuple[Formed, ...]],
) -> Skill[FormInput, FormAnswer, tuple[Formed, ...]]:
    """The step with its heuristic."""
    return Skill("form", _prompt, FormAnswer, _parse, fallback)


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
    context = set(chain.from_iterable(tokens(turn.text) for turn in inputs.earlier))
    facts: dict[tuple[int, str], Formed] = {}
    for fact in answer.facts:
        turn = inputs.turns[fact.turn]
        text = _cut(" ".join(fact.text.split()), inputs.max_characters)
        if text and _is_grounded(text, turn, context):
            facts.setdefault((fact.turn, text.casefold()), _formed(fact, text, turn, inputs))
    if answer.facts and not facts:
        raise ValueError("no fact shares a word with what was said")
    return tuple(sorted(facts.values(), key=lambda fact: fact.turn))


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
        foresight=fact.foresight,
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


def _is_grounded(text: str, turn: FormTurn, context: set[str]) -> bool:
    """Whether the fact says something of its turn; true for a text without tokens."""
    source = set(tokens(f"{turn.asked}\n{turn.text}"))
    stated = set(tokens(text)) - set(tokens(turn.speaker or ""))
    if not source or not stated or stated & source:
        return True
    return len(stated & context) * 2 >= len(stated)


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
        cleaned = " ".join(name.split())
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


def _cut(text: str, characters: int) -> str:
    if len(text) <= characters:
        return text
    head = text[: characters - 1]
    return (head.rsplit(" ", 1)[0] if " " in head else head) + "…"
