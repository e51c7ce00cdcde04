"""The portrait: what is known of a person, a thing, at a moment; each line with its words, and what puts it right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from starlette.responses import Response

from cogmem_core.errors import InvalidInput
from cogmem_core.results import Profile, ProfileLine
from cogmem_serve.pages.lines import Told, compared, names, stands_alone, told
from cogmem_serve.pages.moments import day_of, end_of
from cogmem_serve.pages.page import Page

_LEDE = ("home", "work", "job", "employment")
"""Slots of which the heading is made, in this order."""
_TOLD_FIRST = 3
_HOMES = ("home", "work")
_PLACES = 2
_HEIGHT = 24
_STEP = 6


@dataclass(frozen=True, slots=True)
class Part:
    """A section of a portrait.

    Attributes:
        name: of the section.
        lines: what stands open.
        others: who has a page of their own: how lines name them, how they are written, and the line
            that tells most of them.
        more: what is folded away.
    """

    name: str
    lines: Sequence[Told]
    others: Sequence[tuple[str, str, Told]]
    more: Sequence[Told]


@dataclass(frozen=True, slots=True)
class Slider:
    """The way through time, in months from the first memory on.

    Attributes:
        months: how many there are behind the first one.
        at: the month that is shown.
        marks: of the months in which something changed: where they stand, 0..months, and how high.
        moments: days to go to, and what they are: a key of the catalogue, and a value.
    """

    months: int
    at: int
    marks: Sequence[tuple[int, int]]
    moments: Sequence[tuple[date, str, str]]


def show(page: Page) -> Response:
    """What is known of whoever speaks; today, or on another day."""
    return _portrait(page, None)


def show_other(page: Page) -> Response:
    """What is known of somebody or something else."""
    who = page.asked("who")
    if who is None:
        raise InvalidInput("who is missing; give a name such as Lena")
    return _portrait(page, who)


def _portrait(page: Page, who: str | None) -> Response:
    bank = page.bank
    today = page.today
    first = _first(page, today)
    if (month := page.asked("m")) is not None:
        return _moved(page, first, today, month)
    day = page.asked_day("as_of")
    known_day = page.asked_day("known_at")
    now = bank.profile(who)
    found = now
    if day or known_day:
        found = bank.profile(
            who,
            as_of=end_of(day, page.zone) if day else None,
            known_at=end_of(known_day, page.zone) if known_day else None,
        )
    lines = found.lines
    all_told = told(bank, lines)
    others = {} if who else names(found, lines)
    if found is not now:
        all_told = list(compared(all_told, now.lines))
    in_mind = [each for each in all_told if each.line.guards or each.pinned]
    parts = _parts([each for each in all_told if each not in in_mind], others, who)
    always = list({each.whole: each for each in in_mind}.values())
    open_lines = [*always, *(each for part in parts for each in part.lines)]
    words = {each.text for each in lines}
    doubts = [] if who or found is not now or not page.may("review") else bank.doubts()
    doubts = sorted(doubts, key=lambda ask: len(ask.question))
    return page.show(
        "portrait.html",
        who=_written(who, lines),
        near=_near(found, all_told) if who else (),
        lede=_lede(open_lines) if not who else (),
        total=bank.count(state="active"),
        always=always,
        parts=parts,
        doubt=doubts[0] if doubts else None,
        doubts=len(doubts),
        day=day or known_day,
        known_day=known_day,
        first=first,
        slider=_slider(page, now, first, today, day or today),
        differing=sum(each.differs for each in open_lines),
        lines=len(open_lines),
        later=[
            each
            for each in told(bank, [line for line in now.lines if line.text not in words])
            if _is_open(each, who)
        ]
        if found is not now
        else [],
        only_differing=page.asked("only") == "differs",
        runs=bank.consolidation_runs(limit=1),
        never_kept=bank.seals(),
    )


def _is_open(each: Told, who: str | None) -> bool:
    """Whether a line is shown without being asked for: on somebody's own page all of them are."""
    return bool(who) or stands_alone(each.line)


def _parts(lines: Sequence[Told], others: dict[str, str], who: str | None) -> list[Part]:
    parts = []
    seen: set[str] = set()
    for name in dict.fromkeys(each.line.section for each in lines):
        of_it = [each for each in lines if each.line.section == name]
        apart: dict[str, Told] = {}
        for each in sorted(of_it, key=lambda one: not stands_alone(one.line)):
            if each.line.of in others and each.line.of not in seen:
                apart.setdefault(each.line.of, each)
        seen |= apart.keys()
        rest = [each for each in of_it if each.line.of not in others]
        parts.append(
            Part(
                name,
                [each for each in rest if _is_open(each, who)],
                [(of, others[of], each) for of, each in apart.items()],
                [each for each in rest if not _is_open(each, who)],
            )
        )
    return parts


def _lede(lines: Sequence[Told]) -> Sequence[Told]:
    """The clauses of the heading: certain ones, two at least, in the words in which they were said."""
    certain = [
        each
        for slot in _LEDE
        for each in lines
        if each.line.slot == slot and not (each.line.of or each.line.doubts or each.line.whose)
    ]
    return certain[:_TOLD_FIRST] if len(certain) >= _PLACES else ()


def _near(found: Profile, lines: Sequence[Told]) -> list[tuple[str, str, int]]:
    """Who and what else has a portrait and stands in these lines: their key, their name, in how many."""
    words = [each.line.text for each in lines]
    near = [
        (of, name, sum(name in text for text in words))
        for of, name in names(found, [each.line for each in lines]).items()
        if of != found.of
    ]
    return sorted(near, key=lambda one: -one[2])


def _written(who: str | None, lines: Sequence[ProfileLine]) -> str:
    """A name with its capital letters, if a line has it so."""
    if who is None or who != who.lower():
        return who or ""
    written = next(
        (word for line in lines for word in line.text.split() if word.lower() == who), who
    )
    return written[:1].upper() + written[1:]


def _first(page: Page, today: date) -> date:
    """The month of the first memory."""
    oldest = page.bank.list(limit=1).memories
    day = day_of(oldest[0].recorded_at, page.zone) if oldest else today
    return day.replace(day=1)


def _moved(page: Page, first: date, today: date, text: str) -> Response:
    """The address of a day to which the slider was moved."""
    last = _months(first, today)
    if not text.isdecimal() or int(text[:6]) > last:
        raise InvalidInput(f"m is not a month; give a number from 0 to {last}")
    who = page.asked("who")
    path = "/ui/of" if who else "/ui"
    number = first.year * 12 + first.month - 1 + int(text)
    day = date(number // 12, number % 12 + 1, 1)
    if int(text) == last:
        return page.go(path, who=who)
    known_day = day if page.asked("known") else None
    return page.go(path, who=who, as_of=day, known_at=known_day)


def _months(first: date, day: date) -> int:
    return (day.year - first.year) * 12 + day.month - first.month


def _slider(page: Page, now: Profile, first: date, today: date, day: date) -> Slider | None:
    """None where there is no way to go: everything was said in one month."""
    months = _months(first, today)
    if months < 1:
        return None
    heights: dict[int, int] = {}
    for line in now.lines:
        changed: list[datetime | None] = [
            line.since or line.said[0],
            *(one.since for one in line.former),
        ]
        for moment in filter(None, changed):
            place = _months(first, day_of(moment, page.zone))
            if 0 <= place <= months:
                heights[place] = heights.get(place, 0) + 1
    moments = [(today, "today", "")]
    year_ago = today.replace(year=today.year - 1) if (today.month, today.day) != (2, 29) else None
    if year_ago and year_ago > first:
        moments.append((year_ago, "a year ago", ""))
    for line in now.lines:
        if line.slot in _HOMES and not line.of and line.since and line.value and line.former:
            before = day_of(line.since, page.zone) - timedelta(days=1)
            moments.append((before, "before {value}", line.value))
    if day not in [one for one, _, _ in moments]:
        moments.append((day, "", ""))
    return Slider(
        months,
        max(0, min(months, _months(first, day))),
        [(place, min(_HEIGHT, 4 + _STEP * count // 2)) for place, count in sorted(heights.items())],
        moments,
    )
