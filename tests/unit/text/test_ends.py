"""From when and until when a statement holds, as its words say."""

import json
from datetime import datetime
from itertools import product
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from cogmem_core.config import Config
from cogmem_core.encoding.facts import ObservedTurn
from cogmem_core.encoding.formation import FactBuilder
from cogmem_core.models import Episode
from cogmem_core.reading import of
from cogmem_core.reading.ends import day_of, ending_of, foresees
from cogmem_core.text.time.expressions import tells_habit
from cogmem_core.text.time.find import find_times, first_time, normalise
from cogmem_core.text.time.tense import only_looks_back
from helpers.tables import each_row_of

NOW = datetime(2026, 5, 13, 10, tzinfo=ZoneInfo("Europe/London"))
"""A Wednesday."""
TABLE = json.loads(
    (Path(__file__).parents[2] / "data" / "facts_beside_plans.json").read_text(encoding="utf-8")
)


def ends(text: str) -> tuple[str | None, str | None, bool]:
    """The first and the last day, and whether it is a plan."""
    begin, end, planned = ending_of(of(text), NOW)
    return (begin and f"{begin:%Y-%m-%d}", end and f"{end:%Y-%m-%d}", planned)


@each_row_of("ends/a_period_begins_and_ends", "de en es tr")
def test_a_period_begins_and_ends(text: str, expected: tuple[str | None, str | None, bool]) -> None:
    """Until, till and before close it, since and from open it, from-to does both."""
    assert ends(text) == expected


@each_row_of("ends/what_only_looks_like_an_end_is_none", "de en es fr tr")
def test_what_only_looks_like_an_end_is_none(text: str) -> None:
    """Hours, days that come back, what has been so since, and what holds now: it lasts."""
    assert ends(text)[1] is None


@each_row_of("ends/a_plan_ends_at_its_date", "en es fr tr")
def test_a_plan_ends_at_its_date(text: str, day: str) -> None:
    """Or after a week, if it has none; blank lines before it are no plans."""
    assert ends(text)[1:] == (day, True)
    assert foresees(of(f"  \n\n {text}"), NOW)


@each_row_of("ends/what_lasts_has_no_end", "en tr")
def test_what_lasts_has_no_end(text: str) -> None:
    """Though it speaks of the future."""
    assert ends(text)[1] is None
    assert not foresees(of(text), NOW)


@each_row_of("ends/the_day_that_is_meant", "de en es fr tr")
def test_the_day_that_is_meant(text: str, day: str | None) -> None:
    """Names are none, nor is one that is refused; what comes back has none of its own."""
    moment = day_of(text, NOW)
    assert (moment and f"{moment:%Y-%m-%d}") == day


@each_row_of("ends/what_is_no_date_stays_as_it_was_said", "en tr")
def test_what_is_no_date_stays_as_it_was_said(text: str) -> None:
    """No date is written in the place of a name, a duration or what comes back."""
    assert normalise(text, NOW) == text


def test_what_comes_back_is_no_event() -> None:
    """Said twice it is the same, whenever it is said."""
    habits = ("Rent is due on the 3rd.", "My birthday is 3 May.", "I work Monday to Friday.")
    assert all(map(tells_habit, (*habits, "I usually call in May.")))
    assert not tells_habit("We met on 3 May.")


def test_a_question_about_the_past() -> None:
    """Words of the past alone; one of the present is enough to ask about the present."""
    assert only_looks_back("where was i flying last week?")
    assert not only_looks_back("what did i say my number is?")
    assert not only_looks_back("naples")


def test_an_end_in_words_of_others_is_none() -> None:
    """Within quotation marks nothing ends."""
    assert ends('My motto is "dance until 2030".') == (None, None, False)


def test_the_days_of_a_month_stand_for_themselves() -> None:
    """Two days of one month are one period, with its year or the nearest one."""
    found = find_times("from 3 to 7 June 2024 and 8-9 July", NOW)
    assert [(f"{time.first:%Y-%m-%d}", f"{time.last:%Y-%m-%d}") for time in found] == [
        ("2024-06-03", "2024-06-07"),
        ("2026-07-08", "2026-07-09"),
    ]


BUILDER = FactBuilder(Config(), lambda: "m")


def has_end(text: str) -> bool:
    """Whether the memory of a turn has an end."""
    episode = Episode(
        id="e", namespace="n", role="user", content=text, at=NOW, speaker=None, recorded_at=NOW
    )
    fact = BUILDER.whole_turn(ObservedTurn(episode, text), exact=False)
    return fact.valid_until is not None


def combined(row: dict[str, list[str]]) -> list[str]:
    """Each fact that holds, beside each plan, in each way."""
    texts = []
    for fact, plan, join in product(row["facts"], row["plans"], row["joins"]):
        words = {"f": fact, "p": plan, "F": fact[0].upper() + fact[1:]}
        text = join.format(**words, P=plan[0].upper() + plan[1:])
        texts.append(text[0].upper() + text[1:] + ".")
    return texts


@pytest.mark.parametrize("every", [11, pytest.param(1, marks=pytest.mark.thorough)])
def test_what_holds_has_no_end_beside_a_plan(every: int) -> None:
    """Whatever joins the two: an end belongs to a clause."""
    texts = [text for row in TABLE["combined"] for text in combined(row)[::every]]
    assert [text for text in texts if has_end(text)] == []


def test_the_table_has_all_that_is_claimed() -> None:
    """480 combinations in English, and siblings in further languages."""
    assert len(combined(TABLE["combined"][0])) == 480
    assert sum(len(combined(row)) for row in TABLE["combined"]) == 2032
    assert {row["language"] for row in TABLE["combined"]} == {"en", "de", "tr", "fr", "es"}


def test_what_is_only_a_plan_still_ends() -> None:
    """However many places, people and hours it names; in doubt it holds on."""
    for ends_, texts in ((True, TABLE["plans"]["ending"]), (False, TABLE["plans"]["unsure"])):
        assert [text for text in texts if has_end(text) != ends_] == []
    assert len(TABLE["plans"]["ending"]) == 50
    assert len(TABLE["plans"]["unsure"]) == 3


@each_row_of("ends/a_morning_is_no_tomorrow")
def test_a_morning_is_no_tomorrow(text: str) -> None:
    """What happens each morning names no day, and is not over the day after."""
    assert first_time(text, NOW) is None
