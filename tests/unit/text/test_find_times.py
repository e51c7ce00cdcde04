"""Times in texts: what they mean depends on when they were said; English and Turkish."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogmem_core.errors import InvalidInput
from cogmem_core.text.rewrite.foresight import foresee
from cogmem_core.text.time.find import find_times, first_time, normalise
from helpers.tables import each_row

UTC = timezone.utc
SAID = datetime(2023, 5, 8, 14, 0, tzinfo=UTC)  # a Monday
ISTANBUL, NEW_YORK = ZoneInfo("Europe/Istanbul"), ZoneInfo("America/New_York")


def only(text: str, said: datetime = SAID) -> tuple[str, str, str, str]:
    """Text, kind, first and last day of the one mention in a text."""
    (found,) = find_times(text, said)
    return found.text, found.kind, f"{found.first:%Y-%m-%d}", f"{found.last:%Y-%m-%d}"


@each_row(
    ("text", "words", "day"),
    [
        ("I walk today", "today", "2023-05-08"),
        ("I went there yesterday.", "yesterday", "2023-05-07"),
        ("Tomorrow is my birthday", "Tomorrow", "2023-05-09"),
        ("the day before yesterday it rained", "the day before yesterday", "2023-05-06"),
        ("I met Ana last Tuesday", "last Tuesday", "2023-05-02"),
        ("Next Friday we fly", "Next Friday", "2023-05-12"),
        ("On Friday I went to Rome", "Friday", "2023-05-05"),
        ("I am going on Friday", "Friday", "2023-05-12"),
        ("I'll see her Thursday", "Thursday", "2023-05-11"),
        ("Tuesday next week works", "Tuesday next week", "2023-05-16"),
        ("It ships in 3 days", "in 3 days", "2023-05-11"),
        ("It ships in two weeks", "in two weeks", "2023-05-22"),
        ("That was 10 days ago", "10 days ago", "2023-04-28"),
        ("on the 31st I paid", "31st", "2023-03-31"),
        ("8 May 2023 was cold", "8 May 2023", "2023-05-08"),
        ("It was on May 8th, 2022", "May 8th, 2022", "2022-05-08"),
        ("May 8 2023", "May 8 2023", "2023-05-08"),
        ("due 2023-06-01", "2023-06-01", "2023-06-01"),
        ("am 8.5.2023", "8.5.2023", "2023-05-08"),
        ("It closed on 15/4/2023", "15/4/2023", "2023-04-15"),
        ("We met on 9 May", "9 May", "2022-05-09"),
        ("We will meet on 9 May", "9 May", "2023-05-09"),
        ("We're getting married on 2 June", "2 June", "2023-06-02"),
        ("We got married on 2 June", "2 June", "2022-06-02"),
        ("J'ai un examen le 2 juin", "2 juin", "2023-06-02"),
        ("J'ai vu Paul le 2 juin", "2 juin", "2022-06-02"),
        ("We've been together since 2 June", "2 June", "2022-06-02"),
        ("I'm working at Siemens since 2 June", "2 June", "2022-06-02"),
        ("Since we fly on 2 June, I need a visa", "2 June", "2023-06-02"),
        ("Je suis chez Renault depuis le 2 juin", "2 juin", "2022-06-02"),
        ("2 Haziran'dan beri Siemens'teyim", "2 Haziran'dan", "2022-06-02"),
        ("bugün gidiyorum", "bugün", "2023-05-08"),
        ("YARIN GELİYORUM", "YARIN", "2023-05-09"),
        ("dün geldim", "dün", "2023-05-07"),
        ("önümüzdeki salı görüşelim", "önümüzdeki salı", "2023-05-09"),
        ("Cuma günü Ali ile buluştum", "Cuma günü", "2023-05-05"),
        ("Cuma günü Ali ile buluşacağım", "Cuma günü", "2023-05-12"),
        ("haftaya salı doktora gidiyorum", "haftaya salı", "2023-05-16"),
        ("3 gün önce geldi", "3 gün önce", "2023-05-05"),
        ("üç gün sonra dönecek", "üç gün sonra", "2023-05-11"),
        ("8 Mayıs'ta doğdum", "8 Mayıs'ta", "2023-05-08"),
        ("8 Mayıs 2022 günü", "8 Mayıs 2022", "2022-05-08"),
    ],
)
def test_a_day(text: str, words: str, day: str) -> None:
    """Each way to name a day, seen from Monday, 8 May 2023."""
    assert only(text) == (words, "day", day, day)


@each_row(
    ("text", "kind", "first", "last"),
    [
        ("last week was long", "week", "2023-05-01", "2023-05-07"),
        ("next week", "week", "2023-05-15", "2023-05-21"),
        ("two weeks ago we moved", "week", "2023-04-24", "2023-04-30"),
        ("last weekend we hiked", "weekend", "2023-05-06", "2023-05-07"),
        ("over the weekend I slept", "weekend", "2023-05-06", "2023-05-07"),
        ("next month", "month", "2023-06-01", "2023-06-30"),
        ("a couple of months ago", "month", "2023-03-01", "2023-03-31"),
        ("What did Caroline do in April?", "month", "2023-04-01", "2023-04-30"),
        ("in June we will marry", "month", "2023-06-01", "2023-06-30"),
        ("last May", "month", "2022-05-01", "2022-05-31"),
        ("It was in February 2024", "month", "2024-02-01", "2024-02-29"),
        ("last summer I was in Gotland", "season", "2022-06-01", "2022-08-31"),
        ("next summer", "season", "2023-06-01", "2023-08-31"),
        ("winter 2023", "season", "2023-12-01", "2024-02-29"),
        ("next year", "year", "2024-01-01", "2024-12-31"),
        ("10 years ago", "year", "2013-01-01", "2013-12-31"),
        ("since 2019", "year", "2019-01-01", "2019-12-31"),
        ("the last two weeks were hard", "range", "2023-04-24", "2023-05-08"),
        ("geçen hafta taşındık", "week", "2023-05-01", "2023-05-07"),
        ("haftaya geliyor", "week", "2023-05-15", "2023-05-21"),
        ("geçen ay başladım", "month", "2023-04-01", "2023-04-30"),
        ("mayıs ayında evlendik", "month", "2023-05-01", "2023-05-31"),
        ("geçen yaz Bodrum'daydık", "season", "2022-06-01", "2022-08-31"),
        ("seneye evleneceğim", "year", "2024-01-01", "2024-12-31"),
        ("2019'da mezun oldum", "year", "2019-01-01", "2019-12-31"),
        ("hafta sonu gideceğiz", "weekend", "2023-05-13", "2023-05-14"),
    ],
)
def test_a_period_runs_from_its_first_day_to_its_last(
    text: str, kind: str, first: str, last: str
) -> None:
    """Weeks begin on Monday; a winter belongs to the year of its December."""
    assert only(text)[1:] == (kind, first, last)


@each_row(
    ("text", "kind", "first", "last"),
    [
        ("I will come tomorrow at 5 pm", "time", "2023-05-09 17:00", "2023-05-09 17:00"),
        ("See you at 5pm tomorrow", "time", "2023-05-09 17:00", "2023-05-09 17:00"),
        ("We meet at 3 on Friday", "time", "2023-05-12 15:00", "2023-05-12 15:00"),
        ("tomorrow morning at 9", "time", "2023-05-09 09:00", "2023-05-09 09:00"),
        ("It was 2 hours ago", "time", "2023-05-08 12:00", "2023-05-08 12:00"),
        ("this morning I ran", "part", "2023-05-08 06:00", "2023-05-08 11:59"),
        ("last night I slept badly", "part", "2023-05-07 18:00", "2023-05-07 23:59"),
        ("yarın akşam 8'de buluşuyoruz", "time", "2023-05-09 20:00", "2023-05-09 20:00"),
        ("dün gece uyuyamadım", "part", "2023-05-07 18:00", "2023-05-07 23:59"),
        ("saat 17:30'da toplantı var", "time", "2023-05-08 17:30", "2023-05-08 17:30"),
    ],
)
def test_hours_of_the_day(text: str, kind: str, first: str, last: str) -> None:
    """An hour belongs to the day beside it; an hour alone is today's."""
    (found,) = find_times(text, SAID)
    assert (found.kind, f"{found.first:%Y-%m-%d %H:%M}", f"{found.last:%Y-%m-%d %H:%M}") == (
        kind,
        first,
        last,
    )


@each_row(
    "text",
    [
        "I finished it in 3 days",
        "every Friday we swim",
        "it may rain and we march on",
        "on 31 June",
        "3/4/2023",
        "version 2.5.1",
        "in the summer we swim",
        "Pazara gittim",
        "her cuma yüzerim",
        "gelecek güzel olacak",
        "in 9999 years",
        "",
    ],
)
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


@each_row(
    ("said", "text", "day"),
    [
        ("2023-01-31", "in a month", "2023-02-28"),
        ("2024-01-31", "in a month", "2024-02-29"),
        ("2024-02-29", "in 12 months", "2025-02-28"),
        ("2023-12-31", "tomorrow", "2024-01-01"),
        ("2024-02-28", "tomorrow", "2024-02-29"),
        ("2023-06-01", "29 February", "2024-02-29"),
    ],
)
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
    @pytest.mark.parametrize(
        ("text", "first"),
        [
            ("I had ramen yesterday", "2023-05-07 00:00"),
            ("I moved here in 2022", "2022-01-01 00:00"),
            ("We met last week and on 3 May", "2023-05-01 00:00"),
            ("I fly next month", "2023-06-01 00:00"),
        ],
    )
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


@each_row(
    ("text", "expected"),
    [
        ("Yesterday I went to Rome", "On 2023-05-07 I went to Rome"),
        ("I went there yesterday.", "I went there on 2023-05-07."),
        ("Tomorrow is my birthday", "2023-05-09 is my birthday"),
        ("I will come tomorrow at 5 pm", "I will come on 2023-05-09 at 17:00"),
        ("On Friday I went to Rome", "On 2023-05-05 I went to Rome"),
        ("ill since last week", "ill since the week of 2023-05-01"),
        ("We moved last year", "We moved in 2022"),
        ("We moved last month", "We moved in April 2023"),
        ("My birthday is 8 May", "My birthday is 8 May"),
        ('He said "I\'ll come tomorrow"', 'He said "I\'ll come tomorrow"'),
        ("Dün sinemaya gittim", "2023-05-07 tarihinde sinemaya gittim"),
        ("yarına kadar bitecek", "2023-05-09 tarihine kadar bitecek"),
        ("dünden beri hastayım", "2023-05-07 tarihinden beri hastayım"),
        ("dünkü toplantı uzundu", "2023-05-07 tarihindeki toplantı uzundu"),
        ("geçen hafta taşındık", "2023-05-01 haftasında taşındık"),
        ("seneye evleneceğim", "2024 yılında evleneceğim"),
    ],
)
def test_relative_times_become_dates_in_the_same_language(text: str, expected: str) -> None:
    """What depends on the day it was said is replaced, once; the rest stays."""
    assert normalise(text, SAID) == expected
    assert normalise(expected, SAID) == expected


@each_row(
    ("text", "until"),
    [
        ("I plan to move to Porto", "2023-05-15 14:00"),
        ("I'm going to learn Rust", "2023-05-15 14:00"),
        ("I will visit Rome on Friday", "2023-05-12 23:59"),
        ("I'll move next month.", "2023-06-30 23:59"),
        ("I have a dentist appointment next Tuesday", "2023-05-09 23:59"),
        ("Yarın Ankara'ya gideceğim", "2023-05-09 23:59"),
        ("Ali gelecek.", "2023-05-15 14:00"),
        ("Portekizce öğrenmeyi planlıyorum", "2023-05-15 14:00"),
    ],
)
def test_a_plan_holds_until_its_date_or_for_a_week(text: str, until: str) -> None:
    """The last moment of the day or period that it names; without one, seven days from then."""
    (found,) = foresee(text, SAID)
    assert (f"{found.valid_until:%Y-%m-%d %H:%M}", found.text) == (until, text)


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
    (found,) = foresee("I plan to move to Porto", said)
    assert found.valid_until == datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)
    assert found.valid_until.astimezone(UTC) == found.valid_until


@each_row(
    "text",
    [
        "I'm going to the gym",
        "I was going to call",
        "Will Smith is great",
        "Will you come?",
        "It is my will",
        "I went on Friday",
    ],
)
def test_what_is_no_plan(text: str) -> None:
    """Places to go to, abandoned plans, names, questions, nouns and the past."""
    assert foresee(text, SAID) == ()


def test_only_the_sentence_with_the_plan_is_one() -> None:
    """The other sentences of a message stay persistent."""
    (found,) = foresee("I live in Rome. I'll move next month. Bye.", SAID)
    assert (found.text, found.start, found.end) == ("I'll move next month.", 16, 37)


@given(st.text(max_size=200), st.datetimes(timezones=st.just(UTC)))
def test_any_text_at_any_time_gives_ordered_spans(text: str, said: datetime) -> None:
    """No text and no date makes it fail; spans are apart, in order and say what stands there."""
    position = 0
    for found in find_times(text, said):
        assert position <= found.start < found.end
        assert text[found.start : found.end] == found.text
        assert found.first <= found.last
        position = found.end
