"""Until when a clause holds: a plan expires with its day, or after a week. Pure.

Questions and plans that were given up do not count, nor does what lasts ("from now on"). A text has an
end only if each clause that tells something has one: "I'm vegan, so on Monday I eat out" has none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

from cogmem_core.languages import LANGUAGES
from cogmem_core.languages.merged import AnyPattern
from cogmem_core.languages.reading import in_its_language
from cogmem_core.reading import of
from cogmem_core.reading.model import TELLING, Clause, Reading
from cogmem_core.reading.pack import Pack, pack_of
from cogmem_core.reading.said import lists_of
from cogmem_core.text.folding import MAX_INPUT, fold_beginning, fold_letters
from cogmem_core.text.time.expressions import FUTURE
from cogmem_core.text.time.find import TimeMention, find_times, first_time
from cogmem_core.text.time.periods import later
from cogmem_core.text.time.spells import spell_of
from cogmem_core.text.time.tense import lean
from cogmem_core.text.vocabulary import WEEKDAYS

_APPOINTMENTS = ("day", "part", "time", "weekend", "week")
_STRETCHES = ("week", "weekend", "month")
_LIVING = ("home", "work", "job", "diet")
"""Slots of what people do for a while: "I work nights this month"."""
_PLAN_DAYS = 7  # how long a plan without a date holds
_PASSING_DAYS = 300
"""How long a condition that passes by itself is taken to last: a pregnancy."""
_NEARER = timedelta(days=183)
"""A day without a year that is further ahead was nearer, half a year or less ago: it may be that one."""
_JOINT = 5  # characters between two days: ", ", " and "
_YEAR = re.compile(r"\d{4}")
_EVERY_WEEK_APART = ("fr",)
"""Languages in which an article makes a weekday that of every week: "le jeudi"."""
_DAY_NUMBER = re.compile(r",? (?:(?:den|el|le|the) )?(\d{1,2})(?!\d|:)")
_LASTING = AnyPattern(lambda language: language.time.ends.lasting)
_GENERAL = AnyPattern(lambda language: language.time.ends.general)
_BEGINS = AnyPattern(lambda language: language.time.ends.begins)
_YEARLY = AnyPattern(lambda language: language.time.ends.yearly)
_APPOINTED = AnyPattern(lambda language: language.time.ends.appointments)


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


def foresees(reading: Reading, said_at: datetime) -> bool:
    """Whether a clause tells a plan or an appointment.

    Args:
        reading: of a message.
        said_at: when it was said, in the time zone of the speaker.

    Raises:
        InvalidInput: `said_at` has no time zone.
    """
    return any(ending.planned for _, ending in endings(reading, said_at))


def ending_of(reading: Reading, said_at: datetime, *, default_days: int = _PLAN_DAYS) -> Ending:
    """From when and until when a text holds: as long as the last of its clauses.

    Args:
        reading: of a text.
        said_at: when it was said, in the time zone of the speaker.
        default_days: how long a plan without a date holds, in days.

    Raises:
        InvalidInput: `said_at` has no time zone.
    """
    found = [ending for _, ending in endings(reading, said_at, default_days=default_days)]
    ends = [ending.end for ending in found if ending.end is not None]
    if not found or len(ends) < len(found):
        return Ending(found[0].begin) if len(found) == 1 else LASTS
    return Ending(found[0].begin, max(ends), all(ending.planned for ending in found))


def endings(
    reading: Reading, said_at: datetime, *, default_days: int = _PLAN_DAYS
) -> list[tuple[Clause, Ending]]:
    """The clauses that tell something, each with from when and until when it holds; see `ending_of`."""
    telling = [clause for clause in reading.clauses if clause.kind in TELLING]
    text = reading.text[:MAX_INPUT]
    pack = pack_of(reading.language)
    folded = pack.fold(text)
    found: list[tuple[Clause, Ending]] = []
    for clause, ending in _endings(text, telling, said_at, default_days, pack):
        # "I take warfarin and amoxicillin until Friday": the end may be that of one of them.
        lists = clause.guards and lists_of(reading.text, clause, pack)
        end = None if lists or _denies_besides(reading, clause, pack) else ending.end
        place = clause.start, clause.end
        conditions = set(pack.guards["condition"].places(folded, *place))
        passes = conditions <= set(pack.guards["passing"].places(folded, *place))
        if end is None and conditions and passes and clause.guards == "condition":
            end = later(said_at, _PASSING_DAYS)
        found.append((clause, ending if end == ending.end else Ending(ending.begin, end)))
    return found


def _denies_besides(reading: Reading, clause: Clause, pack: Pack) -> bool:
    """Whether what stands round a claim denies something by itself: "no dairy for me, but ..."."""
    (begin, end), text = clause.core, reading.text
    return pack.says("negations", f"{text[clause.start : begin]} {text[end : clause.end]}")


@in_its_language
def _endings(
    text: str, clauses: Sequence[Clause], said_at: datetime, default_days: int, pack: Pack
) -> list[tuple[Clause, Ending]]:
    times = find_times(text, said_at)
    folded = fold_letters(text)
    return [
        (clause, _ending(clause, folded, times, said_at, days=default_days, pack=pack))
        for clause in clauses
    ]


def day_of(text: str, said_at: datetime) -> datetime | None:
    """The first time that a text speaks of, see `first_time`, apart from days that are refused.

    "3 November is bad, so the dentist is on 17 November": where another thing has its day in the
    text, that one counts.

    Args:
        text: its first 5,000 characters are read.
        said_at: when it was said, in the time zone of the speaker.
    """
    times = find_times(text, said_at)
    days = [set(fold_letters(time.text).split()) for time in times]
    clauses = of(text).clauses
    refused = [clause for clause in clauses if _refuses_day(clause, days)]
    others = [time.start for time in times if time.day != said_at.date()]
    dated = any(
        clause.framed
        and clause not in refused
        and any(clause.start <= start < clause.end for start in others)
        for clause in clauses
    )
    return first_time(text, said_at, [(each.start, each.end) for each in refused if dated])


def _refuses_day(clause: Clause, days: list[set[str]]) -> bool:
    """Whether a clause says of a day that it does not suit: "I can't do Friday", "Friday is full"."""
    if clause.negative:
        return clause.mood != "wished"
    about = set(clause.subject.split())
    no_thing = clause.type in ("", "word") and " " not in clause.value
    return bool(about) and no_thing and any(map(about.issubset, days))


@in_its_language
def is_appointment(text: str) -> bool:
    """Whether a plan is over with its day, and leaves nothing to know: a flight, but not a move.

    Args:
        text: a plan that has a day; its first 5,000 characters are read.
    """
    return _APPOINTED.search(fold_beginning(text)) is not None


def _ending(
    clause: Clause,
    folded: str,
    times: Sequence[TimeMention],
    said_at: datetime,
    *,
    days: int,
    pack: Pack,
) -> Ending:
    """How long one clause holds."""
    words = " " * clause.start + folded[clause.start : clause.end]
    named = [time for time in times if clause.start <= time.start < clause.end]
    spell = spell_of(words, named, said_at)
    if clause.more or _LASTING.search(words):
        return Ending(spell.begin)
    planned = clause.mood == "planned" and clause.meant
    dates = [
        time
        for time in named
        if time not in spell.used and _ahead(time, said_at) and not _is_other_day(time, folded)
    ]
    if spell.end is not None:
        return Ending(spell.begin, spell.end, planned and spell.end >= said_at)
    otherwise = clause.changes or clause.ends or clause.now or clause.guards
    lives = clause.slot in _LIVING and clause.tense == "present" and not otherwise
    for time in dates if lives else ():
        running = time.kind in _STRETCHES and time.first <= said_at
        if running and {clause.scope, clause.doubt} <= {"", time.text}:
            return Ending(None, time.last)
    lasting = clause.tense == "past" or _comes_back(words, dates, pack)
    lasting = lasting or _may_be_weekly(clause, words, dates, pack)
    if dates and (planned or (not lasting and _appointed(words, dates, said_at))):
        return Ending(spell.begin, max(time.last for time in dates), planned=True)
    lasts = spell.used or _GENERAL.search(words) or _BEGINS.search(words)
    if planned and not lasts:
        return Ending(None, later(said_at, days), planned=True)
    return Ending(spell.begin)


def _ahead(time: TimeMention, said_at: datetime) -> bool:
    """Whether a time is, or may be, still to come."""
    return time.last >= said_at and (time.first > said_at or time.relative)


def _appointed(words: str, times: list[TimeMention], said_at: datetime) -> bool:
    """Whether a clause, without looking back, names a day to come: "my flight is on Friday".

    What begins on that day goes on after it, and a birthday comes back.
    """
    if _BEGINS.search(words) or _YEARLY.search(words) or _may_come_back(times):
        return False
    for time in times:
        # An hour without a day is that of every day: "the pool is open until 9 pm".
        every_day = time.kind == "time" and not time.relative and time.day == said_at.date()
        if time.first <= said_at or time.kind not in _APPOINTMENTS or every_day:
            continue
        if time.first > said_at + _NEARER and not _YEAR.search(time.text):
            continue
        if lean(words, time.start, time.end, time.language) >= 0:
            return True
    return False


def _is_other_day(time: TimeMention, folded: str) -> bool:
    """Whether a day of the month follows a weekday, and is not that of the week: "Friday, 13.3."."""
    number = _DAY_NUMBER.match(folded, time.end)
    return number is not None and _is_weekday(time) and int(number[1]) != time.day.day


def _comes_back(words: str, dates: Sequence[TimeMention], pack: Pack) -> bool:
    """Whether a clause tells of every week or day: "open on weekdays, on Saturday by mail"."""
    for time in dates:
        words = f"{words[: time.start]}{' ' * (time.end - time.start)}{words[time.end :]}"
    return any(pack.has("habits", word.strip(".,;:")) for word in words.split())


def _may_be_weekly(clause: Clause, words: str, dates: Sequence[TimeMention], pack: Pack) -> bool:
    """Whether a weekday may be that of every week: "backups run on Sunday", not "the flight is" or "is coming"."""
    if FUTURE.search(words) or (clause.tense == "future" and not clause.negative):
        return False
    verb = clause.slot.partition(" ")[0]
    arranged = _APPOINTED.search(words) or any(
        form.verb == verb
        for word in words.split()
        if pack.patterns["progressive"].search(word)
        for form in pack.forms[word]
    )
    whose = clause.subject.partition(" ")[0]
    is_on = len(clause.slot.split()) < 3 and pack.has("copulas", verb)  # "My shift is on Friday"
    own = whose in ("i", "he", "she", "my") and not is_on
    denied = clause.now or clause.negative or pack.says("negations", words)
    once = (arranged or own) and not denied
    return not once and all(
        _is_weekday(time) and time.language not in _EVERY_WEEK_APART for time in dates
    )


def _may_come_back(times: list[TimeMention]) -> bool:
    """Whether weekdays stand side by side: "my course is Tuesday and Thursday" may be every week."""
    return any(
        _is_weekday(first) and _is_weekday(last) and last.start - first.end <= _JOINT
        for first, last in pairwise(times)
    )


def _is_weekday(time: TimeMention) -> bool:
    """Whether a time is a day of some week, perhaps with its hours, and nothing says of which one."""
    named = [word.strip(",") for word in fold_letters(time.text).split()]
    directions = LANGUAGES[time.language].time.directions
    dated = not time.relative or (time.kind == "day" and any(map(str.isdigit, time.text)))
    return (
        any(map(WEEKDAYS.__contains__, named)) and not dated and directions.keys().isdisjoint(named)
    )
