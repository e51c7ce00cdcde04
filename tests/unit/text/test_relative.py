"""Relative time labels: every unit, both directions, the user's midnight."""

import re
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogmem_core.errors import InvalidInput
from cogmem_core.text.time.relative import relative_time_label
from helpers.tables import each_row_of

UTC = timezone.utc
NOW = datetime(2024, 6, 14, 15, 0, tzinfo=UTC)  # a Friday
ISTANBUL = ZoneInfo("Europe/Istanbul")


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@each_row_of("relative/the_past")
def test_the_past(then: str, label: str) -> None:
    """Minutes within the hour, then calendar days, weeks, months and years."""
    assert relative_time_label(at(then), NOW) == label


@each_row_of("relative/the_future")
def test_the_future(then: str, label: str) -> None:
    """The same units, seen forward."""
    assert relative_time_label(at(then), NOW) == label


@each_row_of("relative/last_month_and_last_year_name_the_one_before_this")
def test_last_month_and_last_year_name_the_one_before_this(then: str, now: str, label: str) -> None:
    """January is not the month before March, and 2022 not the year before 2024."""
    assert relative_time_label(at(then), at(now)) == label


def test_minutes_cross_midnight() -> None:
    """Twenty minutes are twenty minutes, even if the day changed in between."""
    assert relative_time_label(at("2024-06-13 23:50"), at("2024-06-14 00:10")) == "20 minutes ago"


def test_the_users_midnight_decides() -> None:
    """22:30 UTC is the next day in Istanbul, where `now` is."""
    then, now = at("2024-06-13 22:30"), at("2024-06-14 09:00")
    assert relative_time_label(then, now) == "yesterday"
    assert relative_time_label(then, now.astimezone(ISTANBUL)) == "earlier today"


def test_the_night_the_clocks_change_has_real_minutes() -> None:
    """At 3:10 summer time it is 20 minutes since 1:50, though the clock shows 80."""
    berlin = ZoneInfo("Europe/Berlin")
    then, now = (
        datetime(2024, 3, 31, 1, 50, tzinfo=berlin),
        datetime(2024, 3, 31, 3, 10, tzinfo=berlin),
    )
    assert relative_time_label(then, now) == "20 minutes ago"


def test_where_the_calendar_ends_there_is_a_label() -> None:
    """The first moment UTC is a moment of the year 0 in New York."""
    first = datetime.min.replace(tzinfo=UTC)
    assert (
        relative_time_label(first, NOW.astimezone(ZoneInfo("America/New_York"))) == "2023 years ago"
    )


def test_a_moment_without_a_time_zone_is_refused() -> None:
    """Guessing a zone would move midnight."""
    with pytest.raises(InvalidInput, match="then is"):
        relative_time_label(datetime(2024, 6, 14), NOW)  # noqa: DTZ001


@given(st.integers(-(10**9), 10**9), st.integers(-12, 14))
def test_every_moment_has_a_well_formed_label(seconds: int, hours: int) -> None:
    """Never "0 …", never "1 weeks", never a past word for the future."""
    zone = timezone(timedelta(hours=hours))
    label = relative_time_label(NOW - timedelta(seconds=seconds), NOW.astimezone(zone))
    number = re.search(r"(\d+) [a-z]+?(s?)(?: ago)?$", label)
    assert number is None or (int(number[1]) >= 1 and (number[2] == "s") == (int(number[1]) > 1))
    future = ("in ", "later", "tomorrow", "next")
    assert label.startswith(future) == (seconds < 0)
