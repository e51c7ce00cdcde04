"""Time zones by name: what "today" meant to the person who said it."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo


def zone_of(moment: datetime) -> str:
    """The name of the zone of an aware datetime.

    Returns:
        `Europe/Istanbul` where the zone has a name, else minutes from UTC (`+180`); "" for UTC.
    """
    if isinstance(moment.tzinfo, ZoneInfo) and moment.tzinfo.key not in ("UTC", "Etc/UTC"):
        return moment.tzinfo.key
    minutes = (moment.utcoffset() or timedelta()) // timedelta(minutes=1)
    return f"{minutes:+d}" if minutes else ""


def zone_named(name: str) -> tzinfo:
    """The inverse of `zone_of`.

    Raises:
        ValueError: this machine knows no such zone.
    """
    if name in ("", "UTC"):
        return timezone.utc
    if name[0] in "+-":
        return timezone(timedelta(minutes=int(name)))
    try:
        return ZoneInfo(name)
    except (OSError, KeyError, ValueError) as error:
        raise ValueError(f"{name!r} is not a time zone that this machine knows") from error


@lru_cache(maxsize=64)
def zone_or_utc(name: str) -> tzinfo:
    """As `zone_named`; UTC where this machine knows no such zone.

    Cached, a name that is unknown as well.
    """
    try:
        return zone_named(name)
    except ValueError:
        return timezone.utc
