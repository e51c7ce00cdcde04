"""Formation: from turns to atomic facts that stand alone, in one call per batch.

Each fact names its turn and quotes the span it came from; a quote that the turn does not hold makes
the whole turn the span. A fact that shares no word with what was said is dropped: it is an
invention or a translation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timezone
from typing import Any

from pydantic import BaseModel, ConfigDict

from cogmem_core.models import Category, Stated
from cogmem_core.skills.run import Message, Skill, ask
from cogmem_core.text.time.days import kept_day, kept_end
from cogmem_core.text.time.periods import later
from cogmem_core.text.tokens import tokens

__all__ = ["FormAnswer", "FormInput", "Formed", "Said", "forming"]

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
class Said:
    """A turn to take facts from.

    Attributes:
        at: when it was said, in the speaker's time zone: it decides what "tomorrow" is.
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
        earlier: the turns before them, for pronouns.
        foresight_days: how long an expectation without a date holds (default 7).
        max_characters: of one fact; longer ones are cut between words.
    """

    turns: tuple[Said, ...]
    earlier: tuple[Said, ...] = ()
    foresight_days: int = 7
    max_characters: int = 500


@dataclass(frozen=True, slots=True)
class Formed:
    """A fact.

    Attributes:
        turn: index of its turn in the batch.
        start, end: the span it came from; the whole turn if both are 0.
        entities: names as they are written, at most 8.
        referenced_at: the time it speaks of, UTC; a day is its midnight UTC, see `text.days`.
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
    """The step with its heuristic twin."""
    return Skill("form", _prompt, FormAnswer, _parse, fallback)


def _prompt(given: FormInput) -> list[Message]:
    turns = [{"turn": index, **_shown(said)} for index, said in enumerate(given.turns)]
    return ask(_TASK, {"earlier": [_shown(said) for said in given.earlier], "turns": turns})


def _shown(said: Said) -> dict[str, Any]:
    when = f"{said.at:%A} {said.at.isoformat(timespec='minutes')}"
    answers = {"answers": said.asked} if said.asked else {}
    return {"speaker": said.speaker or said.role, "date": when, **answers, "text": said.text}


def _parse(answer: FormAnswer, given: FormInput) -> tuple[Formed, ...]:
    if len(answer.facts) > _FACTS_PER_TURN * len(given.turns):
        raise ValueError(f"{len(answer.facts)} facts from {len(given.turns)} turns")
    unknown = [fact.turn for fact in answer.facts if not 0 <= fact.turn < len(given.turns)]
    if unknown:
        raise ValueError(f"turn {unknown[0]} was not given")
    context = {token for said in given.earlier for token in tokens(said.text)}
    formed: dict[tuple[int, str], Formed] = {}
    for fact in answer.facts:
        said = given.turns[fact.turn]
        text = _cut(" ".join(fact.text.split()), given.max_characters)
        if text and _grounded(text, said, context):
            formed.setdefault((fact.turn, text.casefold()), _formed(fact, text, said, given))
    if answer.facts and not formed:
        raise ValueError("no fact shares a word with what was said")
    return tuple(sorted(formed.values(), key=lambda fact: fact.turn))


def _formed(fact: FactAnswer, text: str, said: Said, given: FormInput) -> Formed:
    start, end = _span(fact.quote, said.text)
    about = _day(fact.about)
    last = _day(fact.until)
    until = kept_end(datetime.combine(last, time.max, tzinfo=said.at.tzinfo)) if last else None
    if until is None and fact.foresight:
        until = later(said.at.astimezone(timezone.utc), given.foresight_days)
    return Formed(
        turn=fact.turn,
        text=text,
        start=start,
        end=end,
        category=fact.category,
        entities=_entities(fact.entities, f"{text} {said.text}"),
        referenced_at=kept_day(about) if about else None,
        valid_until=until,
        foresight=fact.foresight,
        passing=fact.passing,
    )


def _grounded(text: str, said: Said, context: set[str]) -> bool:
    """Whether the fact says something of its turn.

    What cannot be tokenised is given the benefit of the doubt.
    """
    source = set(tokens(f"{said.asked}\n{said.text}"))
    stated = set(tokens(text)) - set(tokens(said.speaker or ""))
    return (
        not source
        or not stated
        or bool(stated & source)
        or len(stated & context) * 2 >= len(stated)
    )


def _span(quote: str, text: str) -> tuple[int, int]:
    words = quote.split()
    if not words:
        return 0, 0
    found = re.search(r"\s+".join(map(re.escape, words)), text)
    return found.span() if found else (0, 0)


def _entities(named: Sequence[str], source: str) -> tuple[str, ...]:
    known = source.casefold()
    cleaned = (" ".join(name.split()) for name in named)
    kept = (
        name
        for name in cleaned
        if name and len(name) <= _ENTITY_CHARACTERS and name.casefold() in known
    )
    return tuple(dict.fromkeys(kept))[:_MAX_ENTITIES]


def _day(written: str | None) -> date | None:
    """The day that a date begins with; None for what is no date."""
    match = _DAY.match(written.strip()) if written else None
    try:
        return date.fromisoformat(match.group()) if match else None
    except ValueError:
        return None


def _cut(text: str, characters: int) -> str:
    if len(text) <= characters:
        return text
    head = text[: characters - 1]
    return (head.rsplit(" ", 1)[0] if " " in head else head) + "…"
