"""Time zones by name: what "today" meant to the person who said it."""

from datetime import datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogmem_core.text.time.zones import zone_named, zone_of, zone_or_utc
from helpers.tables import each_row

NOON = datetime(2026, 6, 1, 12)  # noqa: DTZ001 - the zone is added below


@each_row(
    ("zone", "name"),
    [
        (timezone.utc, ""),
        (ZoneInfo("UTC"), ""),
        (ZoneInfo("Etc/UTC"), ""),
        (ZoneInfo("Europe/Istanbul"), "Europe/Istanbul"),
        (timezone(timedelta(hours=3)), "+180"),
        (timezone(timedelta(hours=-3, minutes=-30)), "-210"),
        (timezone(timedelta(hours=5, minutes=45)), "+345"),
    ],
)
def test_a_zone_has_a_name_that_leads_back_to_it(zone: tzinfo, name: str) -> None:
    """A named zone keeps its name, because its offset changes with the seasons; others are minutes from UTC."""
    moment = NOON.replace(tzinfo=zone)
    assert zone_of(moment) == name
    assert moment.astimezone(zone_named(name)).utcoffset() == moment.utcoffset()


def test_a_named_zone_follows_the_clocks() -> None:
    """Berlin is at +2 in June and at +1 in December."""
    zone = zone_named("Europe/Berlin")
    assert [datetime(2026, month, 1, tzinfo=zone).utcoffset() for month in (6, 12)] == [
        timedelta(hours=2),
        timedelta(hours=1),
    ]


@pytest.mark.parametrize("name", ["", "UTC"])
def test_no_name_is_utc(name: str) -> None:
    """What nobody told is UTC."""
    assert zone_named(name) is timezone.utc


@each_row(
    "name", ["Mars/Olympus", "Europe/", "../etc/passwd", "+abc", "+1500", "-", "a\0b", "x" * 300]
)
def test_an_unknown_zone_is_an_error_with_its_name(name: str) -> None:
    """Never another zone, never a file of this machine."""
    with pytest.raises(ValueError, match=r".+"):
        zone_named(name)


def test_where_a_zone_is_not_known_it_is_utc() -> None:
    """A machine without tables of zones still reads what was said."""
    assert zone_or_utc("Mars/Olympus") is timezone.utc
    assert zone_or_utc("Europe/Berlin") == ZoneInfo("Europe/Berlin")


@given(st.integers(-1_439, 1_439))
def test_every_offset_of_whole_minutes_survives(minutes: int) -> None:
    """`zone_named` is the inverse of `zone_of`."""
    moment = NOON.replace(tzinfo=timezone(timedelta(minutes=minutes)))
    assert zone_named(zone_of(moment)).utcoffset(None) == timedelta(minutes=minutes)
