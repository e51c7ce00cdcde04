"""Days that were named are the same days for every reader; moments are not."""

from datetime import date, datetime, time, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from cogmem_core.text.time.days import in_zone, kept_day, kept_end, kept_moment, seen_in
from helpers.tables import each_row

UTC = timezone.utc
EIGHTH = date(2026, 5, 8)
ISTANBUL, NEW_YORK, AUCKLAND, HONOLULU = map(
    ZoneInfo, ("Europe/Istanbul", "America/New_York", "Pacific/Auckland", "Pacific/Honolulu")
)
ZONES = (
    UTC,
    ISTANBUL,
    NEW_YORK,
    AUCKLAND,
    HONOLULU,
    ZoneInfo("Asia/Kathmandu"),
    ZoneInfo("Asia/Kolkata"),
)


def test_a_day_is_kept_as_its_midnight_utc() -> None:
    """Whoever named it, and wherever."""
    assert kept_day(EIGHTH) == datetime(2026, 5, 8, tzinfo=UTC)


@each_row("zone", ZONES)
def test_a_day_is_the_same_day_for_every_reader(zone: tzinfo) -> None:
    """8 May is 8 May in New York, though midnight UTC is 20:00 of the 7th there."""
    assert seen_in(kept_day(EIGHTH), zone) == datetime(2026, 5, 8, tzinfo=zone)


@each_row("reader", ZONES)
@each_row("speaker", ZONES)
def test_the_end_of_a_day_is_seen_as_that_day(speaker: tzinfo, reader: tzinfo) -> None:
    """It ends where the speaker is, to the microsecond; the reader sees the speaker's day."""
    last = datetime.combine(EIGHTH, time.max, tzinfo=speaker)
    assert kept_end(last) == last
    assert seen_in(kept_end(last), reader).date() == EIGHTH


def test_the_end_of_a_part_of_a_day_is_a_moment() -> None:
    """A morning ends at 11:59:59; with the microseconds it would look like the end of a day."""
    morning = datetime(2026, 5, 8, 11, 59, 59, 999_999, tzinfo=ISTANBUL)
    assert kept_end(morning) == datetime(2026, 5, 8, 8, 59, 59, tzinfo=UTC)
    assert seen_in(kept_end(morning), UTC) == datetime(2026, 5, 8, 8, 59, 59, tzinfo=UTC)


def test_a_moment_is_seen_by_the_clock_of_the_reader() -> None:
    """22:30 UTC is half past one of the next day in Istanbul."""
    moment = datetime(2026, 5, 8, 22, 30, tzinfo=UTC)
    assert (kept_moment(moment), kept_end(moment)) == (moment, moment)
    assert f"{seen_in(moment, ISTANBUL):%Y-%m-%d %H:%M}" == "2026-05-09 01:30"


def test_a_moment_at_midnight_utc_is_no_day() -> None:
    """Eight in the evening of 7 May in New York stays the 7th there."""
    kept = kept_moment(datetime(2026, 5, 7, 20, tzinfo=NEW_YORK))
    assert kept == datetime(2026, 5, 8, 0, 0, 0, 1, tzinfo=UTC)
    assert f"{seen_in(kept, NEW_YORK):%Y-%m-%d %H:%M}" == "2026-05-07 20:00"


def test_where_the_calendar_ends_nothing_fails() -> None:
    """What lies beyond its ends in another zone is its end, or stays as it is."""
    first, last = datetime.min.replace(tzinfo=ISTANBUL), datetime.max.replace(tzinfo=NEW_YORK)
    assert kept_end(last) == datetime.max.replace(tzinfo=UTC)
    assert kept_moment(first) == datetime(1, 1, 1, 0, 0, 0, 1, tzinfo=UTC)
    assert in_zone(first, UTC) is first


@given(st.datetimes(timezones=st.sampled_from(ZONES)), st.sampled_from(ZONES))
def test_every_moment_is_kept_and_seen(moment: datetime, zone: tzinfo) -> None:
    """Any moment anywhere: what is kept is in UTC; what is seen is a time."""
    for kept in (kept_moment(moment), kept_end(moment)):
        assert kept.utcoffset() == timedelta(0)
        assert seen_in(kept, zone).utcoffset() is not None
