"""Times in texts: what they mean depends on when they were said; English and Turkish."""

from datetime import datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogmem_core.errors import InvalidInput
from cogmem_core.reading import of
from cogmem_core.reading.ends import ending_of, endings, foresees
from cogmem_core.text.time.find import find_times, first_time, normalise
from helpers.tables import each_case_of, each_row, each_row_of

UTC = timezone.utc
SAID = datetime(2023, 5, 8, 14, 0, tzinfo=UTC)  # a Monday
ISTANBUL, NEW_YORK = ZoneInfo("Europe/Istanbul"), ZoneInfo("America/New_York")


def only(text: str, said: datetime = SAID) -> tuple[str, str, str, str]:
    """Text, kind, first and last day of the one mention in a text."""
    (found,) = find_times(text, said)
    return found.text, found.kind, f"{found.first:%Y-%m-%d}", f"{found.last:%Y-%m-%d}"


@each_row_of("find_times/a_day", "de en es fr tr")
def test_a_day(text: str, words: str, day: str) -> None:
    """Each way to name a day, seen from Monday, 8 May 2023."""
    assert only(text) == (words, "day", day, day)


@each_row_of("find_times/a_period_runs_from_its_first_day_to_its_last", "de en es fr tr")
def test_a_period_runs_from_its_first_day_to_its_last(
    text: str, kind: str, first: str, last: str
) -> None:
    """Weeks begin on Monday; a winter belongs to the year of its December."""
    assert only(text)[1:] == (kind, first, last)


@each_row_of("find_times/hours_of_the_day", "en tr")
def test_hours_of_the_day(text: str, kind: str, first: str, last: str) -> None:
    """An hour belongs to the day beside it; an hour alone is today's."""
    (found,) = find_times(text, SAID)
    assert (found.kind, f"{found.first:%Y-%m-%d %H:%M}", f"{found.last:%Y-%m-%d %H:%M}") == (
        kind,
        first,
        last,
    )


@each_row_of("find_times/what_names_no_time", "de en es fr tr")
def test_what_names_no_time(text: str) -> None:
    """Durations, habits, modal verbs, days that do not exist and dates with two readings are left alone."""
    assert find_times(text, SAID) == ()


@each_row("weekday", ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"])
@each_row("day", range(8, 15))
def test_a_weekday_is_the_nearest_in_its_direction_never_the_day_itself(
    weekday: str, day: int
) -> None:
    """Between one and seven days away, whatever day it is."""
    said = datetime(2023, 5, day, 12, tzinfo=UTC)
    last, following = find_times(f"last {weekday}", said)[0], find_times(f"next {weekday}", said)[0]
    assert f"{last.first:%A}" == f"{following.first:%A}" == weekday
    assert 1 <= (said.date() - last.first.date()).days <= 7
    assert 1 <= (following.first.date() - said.date()).days <= 7


@each_row_of("find_times/month_ends_and_leap_days")
def test_month_ends_and_leap_days(said: str, text: str, day: str) -> None:
    """A month after 31 January is the last day of February."""
    assert only(text, datetime.fromisoformat(said).replace(tzinfo=UTC))[2] == day


class TestTimeZones:
    """The speaker's time zone decides what a day is."""

    def test_today_is_the_speakers_today(self) -> None:
        """At 23:00 UTC it is tomorrow in Istanbul already."""
        late = datetime(2023, 5, 8, 23, 0, tzinfo=UTC)
        (here,), (there,) = (
            find_times("today", late),
            find_times("today", late.astimezone(ISTANBUL)),
        )
        assert (f"{here.first:%d}", f"{there.first:%d}") == ("08", "09")

    @pytest.mark.parametrize("zone", [UTC, ISTANBUL, NEW_YORK], ids=str)
    @each_case_of("find_times/the_first_day_that_is_named_keeps_its_date")
    def test_the_first_day_that_is_named_keeps_its_date(
        self, zone: tzinfo, text: str, first: str
    ) -> None:
        """Midnight UTC of the local day, wherever it is said: its date is the one that the speaker meant."""
        found = first_time(text, datetime(2023, 5, 8, 13, tzinfo=zone))
        assert found is not None
        assert (f"{found:%Y-%m-%d %H:%M}", found.utcoffset()) == (first, timedelta(0))

    def test_an_hour_that_is_named_is_that_moment(self) -> None:
        """Five in the afternoon of Istanbul is two in the afternoon UTC; a morning begins at six."""
        said = datetime(2023, 5, 8, 13, tzinfo=ISTANBUL)
        assert first_time("We met yesterday at 5 pm", said) == datetime(2023, 5, 7, 14, tzinfo=UTC)
        assert first_time("We met yesterday morning", said) == datetime(2023, 5, 7, 3, tzinfo=UTC)

    def test_an_hour_that_is_midnight_utc_is_no_day(self) -> None:
        """Eight in the evening of New York, a microsecond late, so that it does not pass for 8 May."""
        said = datetime(2023, 5, 8, 13, tzinfo=NEW_YORK)
        assert first_time("We met yesterday at 8 pm", said) == datetime(
            2023, 5, 8, 0, 0, 0, 1, tzinfo=UTC
        )

    def test_a_text_without_a_time_has_no_first_one(self) -> None:
        """Most have none."""
        assert first_time("I like tea", SAID) is None

    def test_a_day_of_23_hours(self) -> None:
        """On 26 March 2023 clocks in Lisbon went forward, so the day began and ended an hour less apart."""
        said = datetime(2023, 3, 27, 12, 0, tzinfo=ZoneInfo("Europe/Lisbon"))
        (found,) = find_times("yesterday", said)
        length = found.last.astimezone(UTC) - found.first.astimezone(UTC)
        assert length == timedelta(hours=23) - timedelta(microseconds=1)

    def test_an_hour_that_does_not_exist_is_moved_by_the_gap(self) -> None:
        """1:30 on that night never was; the clock showed 2:30."""
        said = datetime(2023, 3, 25, 12, 0, tzinfo=ZoneInfo("Europe/Lisbon"))
        (found,) = find_times("tomorrow at 1:30 am", said)
        assert found.first.astimezone(UTC) == datetime(2023, 3, 26, 1, 30, tzinfo=UTC)

    def test_hours_ago_count_real_hours(self) -> None:
        """Three hours before 4:00 summer time it was midnight."""
        said = datetime(2023, 3, 26, 4, 0, tzinfo=ZoneInfo("Europe/Lisbon"))
        (found,) = find_times("3 hours ago", said)
        assert f"{found.first:%H:%M}" == "00:00"

    def test_a_moment_without_a_zone_is_refused(self) -> None:
        """Nobody can tell which day it is then."""
        with pytest.raises(InvalidInput):
            find_times("today", datetime(2023, 5, 8))  # noqa: DTZ001


@each_row_of("find_times/relative_times_become_dates_in_the_same_language", "en tr")
def test_relative_times_become_dates_in_the_same_language(text: str, expected: str) -> None:
    """What depends on the day it was said is replaced, once; the rest stays."""
    assert normalise(text, SAID) == expected
    assert normalise(expected, SAID) == expected


@each_row_of("find_times/a_plan_holds_until_its_date_or_for_a_week", "en tr")
def test_a_plan_holds_until_its_date_or_for_a_week(text: str, until: str) -> None:
    """The last moment of the day or period that it names; without one, seven days from then."""
    assert f"{ending_of(of(text), SAID).end:%Y-%m-%d %H:%M}" == until


@pytest.mark.parametrize(
    "said",
    [
        datetime(9999, 12, 25, tzinfo=UTC),
        datetime(9999, 12, 24, 23, tzinfo=timezone(timedelta(hours=-12))),
        datetime.max.replace(tzinfo=UTC),
    ],
    ids=str,
)
def test_where_the_calendar_ends_within_a_week_a_plan_holds_until_its_last_moment(
    said: datetime,
) -> None:
    """Its last moment in UTC, in which it is stored."""
    end = ending_of(of("I plan to move to Porto"), said).end
    assert end == datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)
    assert end.astimezone(UTC) == end


@each_row_of("find_times/what_is_no_plan")
def test_what_is_no_plan(text: str) -> None:
    """Places to go to, abandoned plans, names, questions, nouns and the past."""
    assert not foresees(of(text), SAID)


def test_only_the_sentence_with_the_plan_is_one() -> None:
    """The other sentences of a message stay persistent."""
    reading = of("I live in Rome. I'll move next month. Bye.")
    plans = [reading.words(clause) for clause, end in endings(reading, SAID) if end.planned]
    assert plans == ["I'll move next month"]


@given(st.text(max_size=200), st.datetimes(timezones=st.just(UTC)))
def test_any_text_at_any_time_gives_ordered_spans(text: str, said: datetime) -> None:
    """No text and no date makes it fail; spans are apart, in order and say what stands there."""
    position = 0
    for found in find_times(text, said):
        assert position <= found.start < found.end
        assert text[found.start : found.end] == found.text
        assert found.first <= found.last
        position = found.end
