"""Calendar arithmetic: days, weeks, months, seasons and years around a day, and their bounds in a time zone. Pure.

Weeks begin on Monday. The arithmetic is dateutil's: a month after 31 January is the last day of
February.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time, timedelta, timezone, tzinfo
from typing import Literal, NamedTuple

from dateutil.easter import easter
from dateutil.relativedelta import relativedelta
from dateutil.relativedelta import weekday as weekday_of
from dateutil.tz import resolve_imaginary

Kind = Literal["day", "part", "time", "week", "weekend", "month", "season", "year", "range"]
_YEARS_AROUND = 8  # 29 February may be eight years away (1896 to 1904)


class Period(NamedTuple):
    """Days from first to last, both included.

    Attributes:
        first: the first local day.
        last: the last local day.
        kind: what was named: a day, a week, a month, ...
        start: where the period is narrower than its days (a `part` of the day, or one moment, a
            `time`), when it starts on the first day; else None.
        end: in the same way, when it ends on the last day.
        counted: the very day that was counted to, where a longer period is meant ("2 weeks ago");
            else None.
    """

    first: date
    last: date
    kind: Kind
    start: time | None = None
    end: time | None = None
    counted: date | None = None


def shifted(day: date, units: str, number: int) -> date:
    """The day that many `days`, `weeks`, `fortnights`, `months` or `years` later; earlier if negative.

    Raises:
        ValueError: the day is outside of the years 1 to 9999.
        OverflowError: it is far outside of them.
    """
    if units == "fortnights":
        units = "weeks"
        number = 2 * number
    moved: date = day + relativedelta(**{units: number})  # type: ignore[arg-type, unused-ignore]
    return moved


def unit(day: date, units: str) -> Period:
    """The calendar day, week (Monday to Sunday), weekend (Saturday and Sunday), month or year that holds the day."""
    monday = day - timedelta(days=day.weekday())
    if units in ("weeks", "fortnights"):
        return Period(monday, monday + timedelta(days=6), "week")
    if units == "weekends":
        return Period(monday + timedelta(days=5), monday + timedelta(days=6), "weekend")
    if units == "months":
        return month(day.year, day.month)
    if units == "years":
        return Period(date(day.year, 1, 1), date(day.year, 12, 31), "year")
    return Period(day, day, "day")


def month(year: int, number: int) -> Period:
    """A calendar month, number 1 to 12."""
    first = date(year, number, 1)
    last: date = first + relativedelta(day=31)
    return Period(first, last, "month")


def season(year: int, first_month: int) -> Period:
    """Three months; the winter of a year begins in its December."""
    first = date(year, first_month, 1)
    last: date = first + relativedelta(months=2, day=31)
    return Period(first, last, "season")


def nearest_weekday(today: date, weekday: int, direction: int) -> date:
    """The nearest such weekday before (direction -1) or after (+1) today, never today itself.

    Monday is 0.
    """
    distance = (weekday - today.weekday()) * direction % 7 or 7
    return today + timedelta(days=direction * distance)


def nth_day(whole: Period, weekday: int, number: int) -> date:
    """The nth such weekday of a period, Monday is 0; -1 is the last one.

    Raises:
        ValueError: it has not so many.
    """
    start = whole.first if number > 0 else whole.last
    day: date = start + relativedelta(weekday=weekday_of(weekday, number))
    if not whole.first <= day <= whole.last:
        raise ValueError(f"no weekday {weekday} number {number}")
    return day


def nth_week(whole: Period, number: int, units: str) -> Period:
    """The nth calendar week of a year, seven days of a month, or weekend of either; -1 is the last one.

    Raises:
        ValueError: it has not so many.
    """
    if units == "weekends":
        return unit(nth_day(whole, 5, number), units)
    if whole.kind == "year" and number > 0:
        return unit(date.fromisocalendar(whole.first.year, number, 1), units)
    first = whole.first if number > 0 else shifted(whole.last, "days", 1)
    first = shifted(first, units, number - (number > 0))
    return Period(first, first + timedelta(days=6), "range")


def feast(year: int, days: str) -> Period:
    """The days of a feast in a year: "12-31" is the 31st of December, "easter+49/easter+50" the days after Easter.

    Raises:
        ValueError: the year has no such day, or no Easter (1583 to 4099).
    """
    first, _, last = days.partition("/")
    return Period(
        _feast_day(year, first), _feast_day(year, last or first), "range" if last else "day"
    )


def _feast_day(year: int, day: str) -> date:
    if not day.startswith("easter"):
        return date.fromisoformat(f"{year:04}-{day}")
    sunday: date = easter(year)
    return sunday + timedelta(days=int(day.removeprefix("easter") or 0))


def yearly(
    make: Callable[[int], Period], today: date, direction: int, *, whole: bool
) -> Period | None:
    """Which year's period is meant by a month, a season or a date without its year.

    Args:
        make: builds the period of a year; ValueError where the year has none (29 February).
        today: the local day on which it was said.
        direction: -1 looks back, +1 ahead.
        whole: the period lies wholly before or after today ("last May"); otherwise it may be
            running ("in May").
    """
    periods = []
    for year in range(
        max(1, today.year - _YEARS_AROUND), min(9998, today.year + _YEARS_AROUND) + 1
    ):
        try:
            periods.append(make(year))
        except ValueError:
            continue
    if direction < 0:
        periods.reverse()
    for period in periods:
        if _lies(period, today, direction, whole=whole):
            return period
    return None


def _lies(period: Period, today: date, direction: int, *, whole: bool) -> bool:
    """Whether a period lies on that side of today, wholly or in part."""
    if direction < 0:
        return period.last < today if whole else period.first <= today
    return period.first > today if whole else period.last >= today


def _moment(day: date, clock: time, zone: tzinfo) -> datetime:
    """A local wall-clock time.

    A time that a change of clocks skips is moved on by the gap; of two the first counts.
    """
    resolved: datetime = resolve_imaginary(datetime.combine(day, clock, tzinfo=zone))
    return resolved


def later(start: datetime, days: float) -> datetime:
    """The moment so many days after another one, in its time zone.

    Where the calendar ends before, its last moment, in UTC.
    """
    try:
        end = start + timedelta(days=days)
        end.astimezone(timezone.utc)
    except OverflowError:
        return datetime.max.replace(tzinfo=timezone.utc)
    return end


def bounds(period: Period, zone: tzinfo) -> tuple[datetime, datetime]:
    """First and last moment of a period, in its time zone.

    The last is a microsecond before the next day.
    """
    first = _moment(period.first, period.start or time.min, zone)
    if period.kind == "time":
        return first, first
    return first, _moment(period.last, period.end or time.max, zone)
