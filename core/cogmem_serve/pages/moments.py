"""Moments as a person reads and types them: in a zone, in the words of a language."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from cogmem_core.errors import InvalidInput
from cogmem_core.text.time.days import in_zone, utc

ZONE_COOKIE = "cogm_zone"
Translate = Callable[..., str]


def zone_named(name: str) -> tzinfo:
    """The zone of that name; UTC if there is none."""
    try:
        return ZoneInfo(name) if name else timezone.utc
    except (ValueError, KeyError, OSError):
        return timezone.utc


def day_of(moment: datetime | str, zone: tzinfo) -> date:
    """The day on which something was, there."""
    return _there(moment, zone).date()


def _there(moment: datetime | str, zone: tzinfo) -> datetime:
    value = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    return in_zone(value, zone)


def day_text(day: date, translate: Translate) -> str:
    """A day in words: "16 May 2026"."""
    month = translate("months").split()[day.month - 1]
    return translate("date: day", day=day.day, month=month, year=day.year)


def month_text(day: date, translate: Translate) -> str:
    """A month in words: "May 2026"."""
    return translate("date: month", month=translate("months").split()[day.month - 1], year=day.year)


def minute_text(moment: datetime | str, zone: tzinfo, translate: Translate) -> str:
    """A moment in words: "16 May 2026, 18:22"."""
    local = _there(moment, zone)
    return f"{day_text(local.date(), translate)}, {local:%H:%M}"


def day_typed(name: str, text: str) -> date:
    """A day as a form gives it.

    Raises:
        InvalidInput: it is none.
    """
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InvalidInput(f"{name} is not a day; give one such as 2026-03-01") from None


def start_of(day: date, zone: tzinfo) -> datetime:
    """The first moment of a day, there."""
    return utc(datetime(day.year, day.month, day.day, tzinfo=zone))


def end_of(day: date, zone: tzinfo) -> datetime:
    """The last moment of a day, there."""
    if day == date.max:
        return start_of(day, timezone.utc)
    return start_of(day + timedelta(days=1), zone) - timedelta(microseconds=1)
