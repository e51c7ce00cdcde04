"""The dates that a question names, part by part: "in May", "on 8 May", "in 2023", "last week". Pure.

A question about a conversation of years ago says "in May" and means that conversation's May, so
parts are matched one by one; only relative times ("yesterday", "last week") are resolved against
the moment of asking.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone, tzinfo
from typing import NamedTuple

from cogmem_core.languages.merged import (
    Kept,
    MergedPattern,
    all_entries,
    all_patterns,
    all_words,
    any_word,
    mark,
)
from cogmem_core.languages.reading import in_its_language
from cogmem_core.languages.tables import any_of
from cogmem_core.text.folding import MAX_INPUT, fold_beginning, single_spaced
from cogmem_core.text.time.days import seen_in
from cogmem_core.text.time.find import TimeMention, find_times
from cogmem_core.text.vocabulary import MONTHS

_YEAR = re.compile(r"\b(?:19|20)[0-9]{2}\b")
# "may" is a verb far more often than a month, unless something dates it.
_DATED_NAMES = all_entries("time.dated_months")
_DATED_MONTHS = Kept(
    lambda: {MONTHS[name]: re.compile(pattern) for name, pattern in _DATED_NAMES.items()}
)
_ANY_MONTH = any_word(MONTHS)
_MONTH = MergedPattern(
    rf"\b(?P<month>{mark(lambda: any_of(MONTHS.keys() - _DATED_NAMES.keys()))})\b"
)
_ORDINAL = any_word(all_words("time.ordinal_endings"))
_LINK = any_word(all_words("time.day_links"))
_DAY = MergedPattern(
    rf"\b(?P<leading>[0-9]{{1,2}}){_ORDINAL}?\s(?:{_LINK}\s)?{_ANY_MONTH}\b"
    rf"|\b{_ANY_MONTH}\s(?P<trailing>[0-9]{{1,2}}){_ORDINAL}?\b(?![:.][0-9])"
)
_WHEN = MergedPattern(rf"(?<![\w'])(?:{all_patterns('query.asks_when')})(?!\w)")
TWO_READINGS = re.compile(
    r"(?<![\d/.-])(?P<one>\d{1,2})(?P<mark>[/-])(?P<two>\d{1,2})(?P=mark)(?P<year>(?:19|20)\d\d)(?![\d/-])"
)
"""A date of which nobody can tell the day from the month."""
_ABOUT = timedelta(hours=2)  # how far an hour that is named reaches
_ONE_DAY = timedelta(days=1)
_TICK = timedelta(microseconds=1)

Stretch = tuple[datetime, datetime]


class DateHints(NamedTuple):
    """What a question says about the date.

    Attributes:
        years: years that it names; any of them fits.
        months: months that it names; any of them fits.
        days: days of the month that it names; any of them fits.
        periods: relative times as (first moment, last moment); any of them fits.
        dates: days that it names with their year, in the same way.
        hours: of those that name an hour, the hours around it.
        zone: of who asks, where something is named: there the days begin and end. None = UTC.
    """

    years: frozenset[int] = frozenset()
    months: frozenset[int] = frozenset()
    days: frozenset[int] = frozenset()
    periods: tuple[Stretch, ...] = ()
    dates: tuple[Stretch, ...] = ()
    hours: tuple[Stretch, ...] = ()
    zone: tzinfo | None = None

    def share(self, moment: datetime) -> float:
        """How much of what is named fits a moment, or a day as `text.time.days` stores it.

        Returns:
            0..1; 0 if nothing is named.
        """
        if self.zone:
            moment = seen_in(moment, self.zone)
        numbers = ((moment.year, self.years), (moment.month, self.months), (moment.day, self.days))
        fits = [number in named for number, named in numbers if named]
        parts_named = filter(None, (self.periods, self.dates, self.hours))
        fits += [any(first <= moment <= last for first, last in each) for each in parts_named]
        return sum(fits) / max(1, len(fits))


@in_its_language
def date_hints(
    question: str, now: datetime, times: Sequence[TimeMention] | None = None
) -> DateHints:
    """Read the dates of a question.

    Args:
        question: its first 5,000 characters are read.
        now: when it is asked, in the time zone of who asks.
        times: that it speaks of, see `find_times`; None = they are looked for.
    """
    folded = fold_beginning(question)
    months = {MONTHS[match["month"]] for match in _MONTH.finditer(folded)}
    months.update(month for month, dated in _DATED_MONTHS().items() if dated.search(folded))
    mentions = find_times(question, now) if times is None else times
    periods, dates, hours = _resolved(question, mentions, now.tzinfo or timezone.utc)
    hints = DateHints(
        years=frozenset(map(int, _YEAR.findall(folded))),
        months=frozenset(months),
        days=_days(folded) if months else frozenset(),
        periods=tuple(periods),
        dates=tuple(dates),
        hours=tuple(hours),
    )
    local = any(hints) and now.tzinfo is not timezone.utc
    return hints._replace(zone=now.tzinfo) if local else hints


def _resolved(
    question: str, times: Sequence[TimeMention], zone: tzinfo
) -> tuple[list[Stretch], list[Stretch], list[Stretch]]:
    """The periods and the whole dates that a question names, and the hours in them."""
    periods: list[Stretch] = []
    dates: list[Stretch] = []
    hours: list[Stretch] = []
    for time in times:
        dated = time.kind == "day" and _YEAR.search(time.text) is not None
        if not (time.relative or dated):
            continue
        first = time.first
        last = time.last
        if time.kind in ("time", "part"):
            hours.append((first - _ABOUT, last + _ABOUT))
            first = first.replace(hour=0, minute=0, second=0, microsecond=0)
            last = first + _ONE_DAY - _TICK
        (periods if time.relative else dates).append((first, last))
    for match in TWO_READINGS.finditer(question[:MAX_INPUT]):
        one = int(match["one"])
        two = int(match["two"])
        year = int(match["year"])
        if one != two and 1 <= one <= 12 and 1 <= two <= 12:
            for month, day in ((one, two), (two, one)):
                first = datetime(year, month, day, tzinfo=zone)
                dates.append((first, first + _ONE_DAY - _TICK))
    return periods, dates, hours


def _days(folded: str) -> frozenset[int]:
    """The days of the month that stand beside a month."""
    numbers = (int(match["leading"] or match["trailing"]) for match in _DAY.finditer(folded))
    return frozenset(number for number in numbers if 1 <= number <= 31)


@in_its_language
def asks_when(question: str) -> bool:
    """Whether the answer is a date."""
    return _WHEN.search(single_spaced(fold_beginning(question))) is not None
