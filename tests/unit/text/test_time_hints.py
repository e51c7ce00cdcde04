"""The dates of a question, part by part, in English and Turkish."""

from datetime import datetime, timezone
from zoneinfo import ZoneInfo

import pytest

from cogmem_core.text.time.hints import DateHints, asks_when, date_hints
from helpers.tables import each_row, each_row_of

NOW = datetime(2026, 11, 20, 12, tzinfo=timezone.utc)
SAID = datetime(2023, 5, 8, 13, 56, tzinfo=timezone.utc)


@each_row_of("time_hints/years_months_and_days_are_read", "en tr")
def test_years_months_and_days_are_read(
    question: str, years: tuple[int, ...], months: tuple[int, ...], days: tuple[int, ...]
) -> None:
    """ "in May", "when did ..." against referenced_at/recorded_at."""
    hints = date_hints(question, NOW)

    assert (hints.years, hints.months, hints.days) == (
        frozenset(years),
        frozenset(months),
        frozenset(days),
    )


def test_relative_times_are_resolved_against_the_moment_of_asking() -> None:
    """ "Last week" is a period, not a name."""
    (period,) = date_hints("What did we decide last week?", NOW).periods

    assert (period[0].date().isoformat(), period[1].date().isoformat()) == (
        "2026-11-09",
        "2026-11-15",
    )


@each_row(
    ("hints", "share"),
    [
        (DateHints(), 0.0),
        (DateHints(months=frozenset({5})), 1.0),
        (DateHints(years=frozenset({2024}), months=frozenset({5})), 0.5),
        (DateHints(frozenset({2023}), frozenset({5}), frozenset({8})), 1.0),
        (DateHints(frozenset({2023}), frozenset({5}), frozenset({9})), 2 / 3),
        (DateHints(periods=((NOW, NOW),)), 0.0),
        (DateHints(periods=((datetime(2023, 5, 8, tzinfo=timezone.utc), NOW),)), 1.0),
    ],
)
def test_the_share_counts_the_parts_that_fit(hints: DateHints, share: float) -> None:
    """A month without a year fits every year."""
    assert hints.share(SAID) == pytest.approx(share)


def test_parts_are_read_in_the_time_zone_of_who_asks() -> None:
    """22:30 UTC of 7 May is 8 May in Istanbul; a day that was named is itself everywhere."""
    here = NOW.astimezone(ZoneInfo("Europe/Istanbul"))
    late, named = (
        datetime(2023, 5, 7, 22, 30, tzinfo=timezone.utc),
        datetime(2023, 5, 8, tzinfo=timezone.utc),
    )
    for zone in ("Europe/Istanbul", "America/New_York"):
        assert (
            date_hints("What happened on 8 May 2023?", NOW.astimezone(ZoneInfo(zone))).share(named)
            == 1.0
        )
    assert date_hints("What happened on 8 May 2023?", here).share(late) == 1.0
    assert date_hints("What happened on 8 May 2023?", NOW).share(late) == pytest.approx(2 / 4)


def test_a_day_that_was_named_lies_in_the_local_period() -> None:
    """ "Yesterday" of New York ends at 4:00 UTC; the day after it was kept as 0:00 UTC and is no part of it."""
    here = datetime(2026, 5, 9, 12, tzinfo=ZoneInfo("America/New_York"))
    hints = date_hints("What did I eat yesterday?", here)
    assert [hints.share(datetime(2026, 5, day, tzinfo=timezone.utc)) for day in (7, 8, 9)] == [
        0.0,
        1.0,
        0.0,
    ]


def test_a_question_without_dates_has_no_hints_in_any_zone() -> None:
    """Nothing is named, so nothing is true."""
    assert not any(date_hints("Where does she live?", NOW.astimezone(ZoneInfo("Europe/Istanbul"))))


@each_row_of("time_hints/questions_for_a_date_are_known", "en tr")
def test_questions_for_a_date_are_known(question: str, expected: bool) -> None:
    """Words of time count for those questions only."""
    assert asks_when(question) is expected


@each_row_of("time_hints/whole_dates_are_days")
def test_whole_dates_are_days(question: str, dates: tuple[str, ...]) -> None:
    """A date with its year is a day; one that may be read in two ways is both."""
    found = date_hints(question, NOW).dates
    assert tuple(first.date().isoformat() for first, _ in found) == dates


def test_an_hour_is_looked_for_on_its_day() -> None:
    """ "yesterday at 5 pm" is the day, and better the two hours before and after."""
    hints = date_hints("What did I do yesterday at 5 pm?", NOW)
    day = datetime(2026, 11, 19, tzinfo=timezone.utc)
    shares = [hints.share(day.replace(hour=hour)) for hour in (9, 16, 18)]
    assert shares == [0.5, 1.0, 1.0]
    assert hints.share(NOW) == 0.0
