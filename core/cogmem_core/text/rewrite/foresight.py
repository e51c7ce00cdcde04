"""Notice what a text says about the future, and until when a statement holds. Pure.

A plan expires: it holds until the last moment it speaks of, or for a week. Questions and plans that
were given up ("I was going to") do not count, nor does what lasts ("from now on"). An end belongs to
a clause: "I'm vegan, so on Monday I eat out" has none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise, repeat
from typing import NamedTuple

from cogmem_core.languages import LANGUAGES
from cogmem_core.languages.merged import AnyPattern, MergedPattern, all_patterns, languages_read
from cogmem_core.languages.reading import in_its_language
from cogmem_core.text.folding import MAX_INPUT, fold_letters, inside, quoted_spans
from cogmem_core.text.observe.small_talk import is_trivial
from cogmem_core.text.query.understand import in_first_person
from cogmem_core.text.sentences import is_verb
from cogmem_core.text.time.find import TimeMention, find_times
from cogmem_core.text.time.periods import later
from cogmem_core.text.time.spells import Spell, spell_of
from cogmem_core.text.time.tense import lean
from cogmem_core.text.vocabulary import WEEKDAYS

_APPOINTMENTS = ("day", "part", "time", "weekend", "week")
_PLAN_DAYS = 7  # how long a plan without a date holds
_JOINT = 5  # characters between two days: ", ", " and "
_SENTENCE = re.compile(r"[^.!?\n;]+(?:[.](?=\S)[^.!?\n;]+)*[.!?;]?")
_LASTING = AnyPattern(lambda language: language.time.ends.lasting)
_GENERAL = AnyPattern(lambda language: language.time.ends.general)
_BEGINS = AnyPattern(lambda language: language.time.ends.begins)
_YEARLY = AnyPattern(lambda language: language.time.ends.yearly)
_APPOINTED = AnyPattern(lambda language: language.time.ends.appointments)
_CLAUSE_END = MergedPattern(
    r"[;()\[\]]|[,:](?!\d)|\s[-\u2013\u2014]\s"
    rf"|\b(?:{all_patterns(lambda language: language.compare.slots.joints)})\b"
)
_OWN = MergedPattern(rf"\b(?:{all_patterns(lambda language: language.observe.durations.own)})\b")
_LEAST_WORDS = 3  # behind the first one of a clause in whose language no verb is known


class Ending(NamedTuple):
    """From when and until when a statement holds.

    Attributes:
        begin: from when, where it says so; None otherwise.
        end: its last moment; None = it lasts.
        planned: whether it is a plan or an appointment.
    """

    begin: datetime | None = None
    end: datetime | None = None
    planned: bool = False


LASTS = Ending()
"""A statement without beginning or end."""


class Foresight(NamedTuple):
    """A sentence about the future.

    Attributes:
        text: the sentence as it stands.
        start: where it begins in the message.
        end: where it ends.
        valid_until: when it stops being of use: the end of the time it names, else so many days
            later.
    """

    text: str
    start: int
    end: int
    valid_until: datetime


@in_its_language
def foresee(text: str, said_at: datetime) -> tuple[Foresight, ...]:
    """List the sentences that tell a plan or an appointment.

    Args:
        text: a message; its first 5,000 characters are read.
        said_at: when it was said, in the time zone of the speaker; a plan without a date holds for
            a week.

    Raises:
        InvalidInput: `said_at` has no time zone.
    """
    text = text[:MAX_INPUT]
    quotes = quoted_spans(text)
    times = find_times(text, said_at)
    plans = []
    for sentence in _SENTENCE.finditer(text):
        start, end = _trimmed(text, *sentence.span())
        if start >= end:  # blank
            continue
        statement = _Statement(text, fold_letters(text), (start, end), quotes)
        ending = _ending(statement, times, said_at, _PLAN_DAYS)
        if ending.planned and ending.end is not None:
            plans.append(Foresight(text[start:end], start, end, ending.end))
    return tuple(plans)


@in_its_language
def ending_of(text: str, said_at: datetime, *, default_days: int = _PLAN_DAYS) -> Ending:
    """From when and until when one statement holds.

    Args:
        text: one statement, as `split_facts` cuts it; its first 5,000 characters are read.
        said_at: when it was said, in the time zone of the speaker.
        default_days: how long a plan without a date holds, in days.

    Raises:
        InvalidInput: `said_at` has no time zone.
    """
    text = text[:MAX_INPUT]
    times = find_times(text, said_at)
    statement = _Statement(
        text, fold_letters(text), _trimmed(text, 0, len(text)), quoted_spans(text)
    )
    return _ending(statement, times, said_at, default_days)


@in_its_language
def is_appointment(text: str) -> bool:
    """Whether a plan is over with its day, and leaves nothing to know: a flight, but not a move.

    Args:
        text: a plan that has a day; its first 5,000 characters are read.
    """
    return _APPOINTED.search(fold_letters(text[:MAX_INPUT])) is not None


class _Statement(NamedTuple):
    """A statement within its message, which is given as it stands and folded."""

    text: str
    folded: str
    span: tuple[int, int]
    quotes: Sequence[tuple[int, int]]

    @property
    def words(self) -> str:
        """The folded statement; what stands around it is blank, so that places stay."""
        start, end = self.span
        return " " * start + self.folded[start:end]


def _ending(
    statement: _Statement, times: Sequence[TimeMention], said_at: datetime, default_days: int
) -> Ending:
    """How long a statement holds; it has an end only if each of its clauses has one by itself."""
    whole = _ending_of_clause(statement, times, said_at, default_days)
    if whole.end is None:
        return whole
    clauses = _clauses(statement, times)
    for clause in clauses:
        alone = statement._replace(span=clause)
        if _ending_of_clause(alone, times, said_at, default_days).end is None:
            return Ending(whole.begin)
    return whole


def _clauses(statement: _Statement, times: Sequence[TimeMention]) -> list[tuple[int, int]]:
    """Those clauses of a statement that tell something; other words belong to the one before."""
    low, high = statement.span
    words = statement.words
    knows_verbs = any(map(is_verb, words.split()))
    between = [
        (first.end, last.start)
        for first, last in pairwise(times)
        if last.start - first.end <= _JOINT  # "between 2003 and 2008"
    ]
    whole = [*statement.quotes, *between]
    joints = [m for m in _CLAUSE_END.finditer(words) if not inside(m.start(), whole)]
    begins = [low, *(joint.end() for joint in joints)]
    ends = [*(joint.start() for joint in joints), high]
    clauses: list[tuple[int, int, bool]] = []
    for begin, end in map(_trimmed, repeat(words), begins, ends):
        part = words[begin:end]
        further = part.split()[1:]
        tells = any(map(is_verb, further)) or bool(_OWN.search(part))
        tells = tells or in_first_person(part, statement.text)
        unknown = not knows_verbs and len(further) >= _LEAST_WORDS
        if not clauses:
            clauses.append((begin, end, tells or (bool(further) and not is_trivial(part))))
        elif tells or unknown:
            dated = any(begin <= time.start < end for time in times)
            clauses.append((begin, end, tells or not dated))
        else:
            clauses[-1] = (clauses[-1][0], end, clauses[-1][2])
    return [(begin, end) for begin, end, tells in clauses if tells]


def _ending_of_clause(
    statement: _Statement, times: Sequence[TimeMention], said_at: datetime, default_days: int
) -> Ending:
    start, end = statement.span
    if start == end or statement.text[end - 1] == "?":
        return LASTS
    words = statement.words
    named_times = [
        time
        for time in times
        if start <= time.start < end and not inside(time.start, statement.quotes)
    ]
    spell = spell_of(words, named_times, said_at)
    if _LASTING.search(words):
        return Ending(spell.begin)
    planned = _planned(statement)
    dates = [time for time in named_times if time not in spell.used and _ahead(time, said_at)]
    if spell.end is not None:
        ahead = spell.end >= said_at
        return Ending(spell.begin, spell.end, planned and ahead)
    if planned:
        return _plan(words, spell, dates, said_at, default_days)
    if _appointed(words, dates, said_at):
        return Ending(spell.begin, max(time.last for time in dates), planned=True)
    return Ending(spell.begin)


def _plan(
    words: str, spell: Spell, dates: list[TimeMention], said_at: datetime, default_days: int
) -> Ending:
    """The end of a plan; what begins on a day and goes on has none."""
    if dates:
        return Ending(spell.begin, max(time.last for time in dates), planned=True)
    if spell.used or _GENERAL.search(words):
        return Ending(spell.begin)
    return Ending(None, later(said_at, default_days), planned=True)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


def _ahead(time: TimeMention, said_at: datetime) -> bool:
    """Whether a time is, or may be, still to come."""
    return time.last >= said_at and (time.first > said_at or time.relative)


def _planned(statement: _Statement) -> bool:
    """Whether a word of the statement says that something will be."""
    text, folded, span, quotes = statement
    return any(language.rewrite.plans(text, folded, span, quotes) for language in languages_read())


def _appointed(words: str, times: list[TimeMention], said_at: datetime) -> bool:
    """Whether a statement, without looking back, names a day to come: "my flight is on Friday".

    What begins on that day goes on after it, and a birthday comes back.
    """
    if _BEGINS.search(words) or _YEARLY.search(words) or _may_come_back(times):
        return False
    for time in times:
        # An hour without a day is that of every day: "the pool is open until 9 pm".
        every_day = time.kind == "time" and not time.relative and time.day == said_at.date()
        if time.first <= said_at or time.kind not in _APPOINTMENTS or every_day:
            continue
        if lean(words, time.start, time.end, time.language) >= 0:
            return True
    return False


def _may_come_back(times: list[TimeMention]) -> bool:
    """Whether weekdays stand side by side: "my course is Tuesday and Thursday" may be every week."""
    return any(
        _is_weekday(first) and _is_weekday(last) and last.start - first.end <= _JOINT
        for first, last in pairwise(times)
    )


def _is_weekday(time: TimeMention) -> bool:
    """Whether a time is a day of some week, and nothing says of which one."""
    named = fold_letters(time.text).split()
    directions = LANGUAGES[time.language].time.directions
    return named[0] in WEEKDAYS and directions.keys().isdisjoint(named)
