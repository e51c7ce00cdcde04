"""When something was, in English words that a person would use. Pure: the caller passes the time.

Within the hour the minutes count, after that the calendar days in the user's time zone, then weeks,
months and years. "last month" and "last year" always name the calendar month and year before this
one.
"""

from __future__ import annotations

from datetime import date, datetime, timezone

from cogmem_core.errors import InvalidInput
from cogmem_core.text.plural import counted
from cogmem_core.text.time.days import in_zone

_NEAR_DAYS = {0: ("earlier today", "later today"), 1: ("yesterday", "tomorrow")}
_DAYS_OF_A_MONTH = 30.44
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def relative_time_label(then: datetime, now: datetime) -> str:
    """Say when `then` was or will be, seen from `now`: "yesterday", "last Tuesday", "in 3 weeks".

    Args:
        then: the moment to name, with a time zone.
        now: the present, in the user's time zone, which decides where a day ends.

    Returns:
        An English label. Past: just now (under a minute), N minutes ago (under an hour), earlier
            today, yesterday,
        last <weekday> (2 to 6 days), last week (of 7 to 13 days), N weeks ago, last month, N months
        ago, last year, N years ago. Future: in a moment, in N minutes, later today, tomorrow, next
        <weekday>, next week, in N weeks, next month, in N months, next year, in N years.

    Raises:
        InvalidInput: a moment has no time zone.
    """
    for name, moment in (("then", then), ("now", now)):
        if moment.utcoffset() is None:
            raise InvalidInput(
                f"{name} is {moment!r}, without a time zone; pass an aware datetime such as UTC"
            )
    # Within one zone Python subtracts what the clocks show, also where they were changed in
    # between.
    ahead = (in_zone(then, timezone.utc) - in_zone(now, timezone.utc)).total_seconds()
    future = ahead > 0
    seconds = abs(ahead)
    if seconds < 60:
        return "in a moment" if future else "just now"
    if seconds < 3600:
        return _counted(int(seconds // 60), "minute", future=future)
    local = in_zone(then, now.tzinfo or timezone.utc)
    return _day_label(local.date(), now.date(), future=future)


def _day_label(day: date, today: date, *, future: bool) -> str:
    days = abs((today - day).days)
    if days in _NEAR_DAYS:
        return _NEAR_DAYS[days][future]
    if days < 7:
        return _neighboring(_WEEKDAYS[day.weekday()], future=future)
    if days < 14 and abs(_week(day) - _week(today)) == 1:
        return _neighboring("week", future=future)
    years = abs(today.year - day.year)
    months = abs((today.year - day.year) * 12 + today.month - day.month)
    return _long_label(days, months, years, future=future)


def _long_label(days: int, months: int, years: int, *, future: bool) -> str:
    """A label in weeks, months or years.

    "Last" is the calendar month or year before; what is counted is time that went by.
    """
    weeks, by_length = round(days / 7), round(days / _DAYS_OF_A_MONTH)
    if days < 28 or months == 0:
        return _counted(weeks, "week", future=future)
    if months == 1:
        return _neighboring("month", future=future)
    if days < 45:
        return _counted(weeks, "week", future=future)
    if months < 12 or (years > 1 and months < 18):
        return _counted(max(2, by_length), "month", future=future)
    if years == 1:
        return _neighboring("year", future=future)
    return _counted((months + 6) // 12, "year", future=future)


def _week(day: date) -> int:
    """Counts weeks; each begins on a Monday."""
    return (day.toordinal() - 1) // 7


def _neighboring(unit: str, *, future: bool) -> str:
    return f"next {unit}" if future else f"last {unit}"


def _counted(number: int, unit: str, *, future: bool) -> str:
    phrase = counted(number, unit, f"{unit}s")
    return f"in {phrase}" if future else f"{phrase} ago"
