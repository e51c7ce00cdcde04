"""The dates that a question names, part by part: "in May", "on 8 May", "in 2023", "last week". EN and TR; pure.

A question about a conversation of years ago says "in May" and means that conversation's May, so parts are matched one
by one; only relative times ("yesterday", "last week") are resolved against the moment of asking.
"""

from __future__ import annotations

import re
from datetime import datetime, timezone, tzinfo
from typing import NamedTuple

from cogmem_core.text.folding import MAX_INPUT, fold_letters
from cogmem_core.text.lexicon.calendar import MONTHS, any_of
from cogmem_core.text.lexicon.intents import ASKS_WHEN
from cogmem_core.text.time.days import seen_in
from cogmem_core.text.time.find import find_times

__all__ = ["DateHints", "asks_when", "date_hints"]

_YEAR = re.compile(r"\b(?:19|20)[0-9]{2}\b")
# "may" is a verb far more often than a month, unless something dates it.
_MONTH = re.compile(rf"\b(?P<month>{any_of(name for name in MONTHS if name != 'may')})\b")
_MAY = re.compile(
    r"\b(?:in|on|of|since|until|till|before|after|during|by|last|this|next|early|late|mid)[ -]may\b"
    r"|\bmay\s(?:[0-9]{1,2}\b|[0-9]{4}\b)|\b[0-9]{1,2}(?:st|nd|rd|th)?\s(?:of\s)?may\b"
)
_DAY = re.compile(
    rf"\b(?P<before>[0-9]{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?(?:{any_of(MONTHS)})\b"
    rf"|\b(?:{any_of(MONTHS)})\s(?P<after>[0-9]{{1,2}})(?:st|nd|rd|th)?\b(?![:.][0-9])"
)
_WHEN = re.compile("|".join(rf"(?<![\w'])(?:{pattern})(?!\w)" for pattern in ASKS_WHEN))


class DateHints(NamedTuple):
    """What a question says about the date.

    Attributes:
        years, months, days: named ones; any of each kind fits.
        periods: relative times as (first, last).
        zone: of who asks, where something is named: there the days begin and end. None = UTC.
    """

    years: frozenset[int] = frozenset()
    months: frozenset[int] = frozenset()
    days: frozenset[int] = frozenset()
    periods: tuple[tuple[datetime, datetime], ...] = ()
    zone: tzinfo | None = None

    def share(self, moment: datetime) -> float:
        """How much of what is named fits a moment, or a day as `text.days` keeps it: 0..1; 0 if nothing is named."""
        moment = seen_in(moment, self.zone) if self.zone else moment
        parts = [moment.year in self.years] if self.years else []
        parts += [moment.month in self.months] if self.months else []
        parts += [moment.day in self.days] if self.days else []
        parts += [any(first <= moment <= last for first, last in self.periods)] if self.periods else []
        return sum(parts) / len(parts) if parts else 0.0


def date_hints(question: str, now: datetime) -> DateHints:
    """Read the dates of a question.

    Args:
        question: its first 5,000 characters are read.
        now: when it is asked, in the time zone of who asks.
    """
    folded = fold_letters(question[:MAX_INPUT])
    months = {MONTHS[match["month"]] for match in _MONTH.finditer(folded)}
    months |= {5} if _MAY.search(folded) else set()
    days = {int(match["before"] or match["after"]) for match in _DAY.finditer(folded)} if months else set()
    relative = tuple((one.first, one.last) for one in find_times(question, now) if one.relative)
    years = {int(year) for year in _YEAR.findall(folded)}
    named = (frozenset(years), frozenset(months), frozenset(day for day in days if 1 <= day <= 31), relative)
    return DateHints(*named, now.tzinfo if any(named) and now.tzinfo is not timezone.utc else None)


def asks_when(question: str) -> bool:
    """Whether the answer is a date."""
    return _WHEN.search(" ".join(fold_letters(question[:MAX_INPUT]).split())) is not None
