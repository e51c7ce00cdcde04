"""Days that somebody named, stored as moments in UTC, and moments as a time zone sees them. Pure.

"On 8 May" is a day of the speaker's calendar and 8 May for every reader: it is stored as midnight
UTC, wherever it was named. What holds until the end of a day holds until it ends where the speaker
is: that moment is stored as it is, a microsecond before a midnight, and the day can be read from
it.
"""

from __future__ import annotations

from datetime import MINYEAR, date, datetime, time, timedelta, timezone, tzinfo

_FIRST = datetime.min.replace(tzinfo=timezone.utc)
_TICK = timedelta(microseconds=1)
_LAST = 999_999  # microseconds: of the last moment of a day, and of nothing else that is stored
# A day ends up to 10 hours later than in UTC (Hawaii) and up to 13 earlier (New Zealand): 10 hours
# back it is that day.
_WEST = timedelta(hours=10)


def kept_day(day: date) -> datetime:
    """A day that was named: midnight UTC."""
    return datetime.combine(day, time(), tzinfo=timezone.utc)


def kept_moment(moment: datetime) -> datetime:
    """A moment that was named, UTC.

    Instead of midnight, which would be a day, it is a microsecond later.
    """
    stored = utc(moment)
    return stored + _TICK if stored.time() == time() else stored


def kept_end(last: datetime) -> datetime:
    """Until when something holds, UTC.

    The last moment of a local day is exact to the microsecond. Where any other moment would look
    like one, it is exact to the second.
    """
    if last.microsecond == _LAST and last.time() != time.max:
        last = last.replace(microsecond=0)
    return utc(last)


def seen_in(stored: datetime, zone: tzinfo) -> datetime:
    """A stored day or moment as a local time.

    A day that was named is the same day in every zone, a moment is not.

    Args:
        stored: as `kept_day`, `kept_moment` or `kept_end` return it, or any other moment.
        zone: of who reads it.

    Returns:
        The first or the last moment of the local day; for a moment, that moment. Ends of days west
        of UTC-10 and east of UTC+13 are seen a day off.
    """
    moment = utc(stored)
    if moment.time() == time():
        return moment.replace(tzinfo=zone)
    if moment.second == 59 and moment.microsecond == _LAST and moment - _FIRST > _WEST:
        return datetime.combine((moment - _WEST).date(), time.max, tzinfo=zone)
    return in_zone(moment, zone)


def in_zone(moment: datetime, zone: tzinfo) -> datetime:
    """A moment in a time zone; where the calendar ends before, as it is."""
    try:
        return moment.astimezone(zone)
    except OverflowError:
        return moment


def utc(moment: datetime) -> datetime:
    """In UTC; where the calendar ends before, its first or last moment."""
    try:
        return moment.astimezone(timezone.utc)
    except OverflowError:
        return _FIRST if moment.year == MINYEAR else datetime.max.replace(tzinfo=timezone.utc)
