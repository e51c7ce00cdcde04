"""Relative time labels: every unit, both directions, the user's midnight."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogmem_core.errors import InvalidInput
from cogmem_core.text.time.relative import relative_time_label
from helpers.tables import each_row

UTC = timezone.utc
NOW = datetime(2024, 6, 14, 15, 0, tzinfo=UTC)  # a Friday
ISTANBUL = ZoneInfo("Europe/Istanbul")


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@each_row(
    ("then", "label"),
    [
        ("2024-06-14 15:00:00", "just now"),
        ("2024-06-14 14:59:01", "just now"),
        ("2024-06-14 14:59:00", "1 minute ago"),
        ("2024-06-14 14:15:00", "45 minutes ago"),
        ("2024-06-14 14:00:00", "earlier today"),
        ("2024-06-14 00:00:00", "earlier today"),
        ("2024-06-13 23:59:59", "yesterday"),
        ("2024-06-12 15:00:00", "last Wednesday"),
        ("2024-06-08 00:00:00", "last Saturday"),
        ("2024-06-07 23:00:00", "last week"),
        ("2024-06-01 12:00:00", "last week"),
        ("2024-05-31 12:00:00", "2 weeks ago"),
        ("2024-05-18 12:00:00", "3 weeks ago"),
        ("2024-05-14 12:00:00", "last month"),
        ("2024-05-01 12:00:00", "last month"),
        ("2024-04-30 12:00:00", "2 months ago"),
        ("2023-12-24 12:00:00", "6 months ago"),
        ("2023-07-01 12:00:00", "11 months ago"),
        ("2023-06-30 12:00:00", "last year"),
        ("2023-01-01 12:00:00", "last year"),
        ("2022-06-14 12:00:00", "2 years ago"),
        ("2014-06-14 12:00:00", "10 years ago"),
    ],
)
def test_the_past(then: str, label: str) -> None:
    """Minutes within the hour, then calendar days, weeks, months and years."""
    assert relative_time_label(at(then), NOW) == label


@each_row(
    ("then", "label"),
    [
        ("2024-06-14 15:00:30", "in a moment"),
        ("2024-06-14 15:01:00", "in 1 minute"),
        ("2024-06-14 15:30:00", "in 30 minutes"),
        ("2024-06-14 18:00:00", "later today"),
        ("2024-06-15 00:00:00", "tomorrow"),
        ("2024-06-18 09:00:00", "next Tuesday"),
        ("2024-06-21 09:00:00", "next week"),
        ("2024-06-28 09:00:00", "in 2 weeks"),
        ("2024-07-20 09:00:00", "next month"),
        ("2024-09-01 09:00:00", "in 3 months"),
        ("2025-08-01 09:00:00", "next year"),
        ("2026-06-14 09:00:00", "in 2 years"),
    ],
)
def test_the_future(then: str, label: str) -> None:
    """The same units, seen forward."""
    assert relative_time_label(at(then), NOW) == label


@each_row(
    ("then", "now", "label"),
    [
        ("2024-01-30 12:00", "2024-03-01 12:00", "4 weeks ago"),
        ("2024-05-01 12:00", "2024-05-31 12:00", "4 weeks ago"),
        ("2022-12-20 12:00", "2024-01-10 12:00", "13 months ago"),
        ("2021-12-31 12:00", "2024-01-01 12:00", "2 years ago"),
    ],
)
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
