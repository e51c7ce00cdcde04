"""What has an end: it ranks behind what holds once it is over, and is never lost."""

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

import cogmem_core
from cogmem_core import Config, MemoryBank
from cogmem_core.config import EncodingConfig
from cogmem_core.testing import FrozenClock, ScriptedLLM
from helpers.tables import each_row, each_row_of

MONDAY = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)


class Days:
    """A bank whose days pass."""

    def __init__(self, bank: MemoryBank, clock: FrozenClock) -> None:
        self.bank = bank
        self.clock = clock

    def texts(self, query: str, **more: Any) -> list[str]:
        return [found.memory.content for found in self.bank.recall(query, floor=0, **more).results]


@pytest.fixture
def days() -> Iterator[Days]:
    clock = FrozenClock(MONDAY)
    with cogmem_core.open(embedder="hashing", clock=clock) as engine:
        yield Days(engine.bank("alice"), clock)


def test_a_plan_that_is_over_stands_behind(days: Days) -> None:
    """It is still found, and says for when it was planned."""
    days.bank.remember("I'm flying to Naples on Saturday.")
    days.bank.remember("A cousin of mine was born in Naples, long ago.")
    assert days.texts("flying to Naples")[0] == "I'm flying to Naples on Saturday."
    days.clock.advance(days=10)
    assert days.texts("Naples") == [
        "A cousin of mine was born in Naples, long ago.",
        "I'm flying to Naples on Saturday.",
    ]
    block = days.bank.recall("Naples", floor=0).context()
    assert "was planned for 6 June) I'm flying to Naples on Saturday." in block
    days.clock.advance(days=365)
    assert "was planned for 6 June 2026)" in days.bank.recall("Naples", floor=0).context()


def test_it_comes_up_fully_where_the_past_is_asked_about(days: Days) -> None:
    """By a question in the past tense, by the timeline, and as of a day before its end."""
    days.bank.remember("I'm flying to Naples on Saturday.")
    days.clock.advance(days=10)
    past = days.bank.recall("Where was I flying last week?", floor=0).results[0]
    present = days.bank.recall("Where am I flying now?", floor=0).results[0]
    assert past.score > present.score
    assert days.texts("Naples", mode="timeline") == ["I'm flying to Naples on Saturday."]
    assert days.texts("Naples", as_of=MONDAY + timedelta(days=1)) == [
        "I'm flying to Naples on Saturday."
    ]
    assert days.texts("Naples", as_of=MONDAY + timedelta(days=9)) == []


def test_what_a_cycle_put_away_as_over_is_found_by_a_question_about_the_past(days: Days) -> None:
    """At a second look, where the first one finds nothing sure; by no question about the present."""
    days.bank.remember("I'm flying to Naples on Saturday.")
    days.clock.advance(days=10)
    assert days.bank.consolidate(steps=["expiry"]).expired == 1
    for question in ("Did I fly to Naples?", "Have I been to Naples?", "What did I do in Naples?"):
        assert days.texts(question) == ["I'm flying to Naples on Saturday."]
    assert days.texts("What will I do in Naples?") == []


def test_a_plan_without_a_date_was_planned(days: Days) -> None:
    """A week long it holds."""
    days.bank.remember("I'm going to restore the canoe.")
    assert "planned" not in days.bank.recall("canoe", floor=0).context()
    days.clock.advance(days=8)
    assert "was planned) I'm going to restore" in days.bank.recall("canoe", floor=0).context()


def test_what_held_for_a_time_never_comes_first_after_it(days: Days) -> None:
    """The older version holds again: it is first, and no longer the earlier one."""
    days.bank.remember("My office phone is 555 0101.")
    days.bank.remember("Until Friday my office phone is 555 0999.")
    question = "What is my office phone?"
    assert days.texts(question) == [
        "Until Friday my office phone is 555 0999.",
        "My office phone is 555 0101.",
    ]
    days.clock.advance(days=6)
    assert days.texts(question) == [
        "My office phone is 555 0101.",
        "Until Friday my office phone is 555 0999.",
    ]
    assert not any(found.earlier for found in days.bank.recall(question, floor=0).results)


def test_what_is_yet_to_begin_retires_nothing(days: Days) -> None:
    """It comes first once it has begun."""
    days.bank.remember("My office phone is 555 0101.")
    receipt = days.bank.remember("From 1 July my office phone is 555 0999.").receipts[0]
    begin = days.bank.get(receipt.memory_ids[0]).valid_from
    assert begin == datetime(2026, 7, 1, tzinfo=timezone.utc)
    question = "What is my office phone?"
    first = [days.texts(question)[0]]
    days.clock.advance(days=31)
    first.append(days.texts(question)[0])
    assert first == ["My office phone is 555 0101.", "From 1 July my office phone is 555 0999."]


def test_what_was_over_when_it_was_said_stays(days: Days) -> None:
    """A dream retires a plan whose time is over, and never what tells of the past."""
    past = days.bank.remember("I had a parrot until 2021.").receipts[0].memory_ids[0]
    plan = days.bank.remember("I'm flying to Naples on Saturday.").receipts[0].memory_ids[0]
    days.clock.advance(days=10)
    days.bank.consolidate()
    assert [days.bank.get(name).state for name in (past, plan)] == ["active", "superseded"]
    assert days.texts("When did I fly to Naples?")[0] == "I'm flying to Naples on Saturday."


@each_row_of("ends/what_comes_back_is_one_memory_without_end", "en tr")
def test_what_comes_back_is_one_memory_without_end(text: str) -> None:
    """Said again in another month it is no second one."""
    clock = FrozenClock(MONDAY)
    with cogmem_core.open(embedder="hashing", clock=clock) as engine:
        bank = engine.bank("alice")
        for _ in range(3):
            bank.remember(text)
            clock.advance(days=40)
        assert [(memory.content, memory.valid_until) for memory in bank.list()] == [(text, None)]


def test_a_turn_ends_only_as_a_whole(days: Days) -> None:
    """What lasts keeps the turn; where each sentence has an end, the last one counts."""
    days.bank.remember("Plums are my thing. I'm flying to Naples on Saturday.")
    days.bank.remember("I live in Porto. I'll visit Rosa tomorrow.")
    days.bank.remember("I'm going to call Rosa tomorrow. I'll visit her on Friday.")
    ends = {m.content: m.valid_until and f"{m.valid_until:%d %B}" for m in days.bank.list()}
    assert ends == {
        "Plums are my thing. I'm flying to Naples on Saturday.": None,
        "I live in Porto. I'll visit Rosa tomorrow.": None,
        "I'm going to call Rosa tomorrow. I'll visit her on Friday.": "05 June",
    }


def test_a_clause_that_lasts_keeps_no_end_of_its_neighbour() -> None:
    """Where facts are formed, each has its own; a plan is formed however little else it says."""
    config = Config(encoding=EncodingConfig(mode="semantic"))
    with cogmem_core.open(embedder="hashing", clock=FrozenClock(MONDAY), config=config) as engine:
        bank = engine.bank("alice")
        bank.remember("I live in Porto and I'm flying to Naples on Saturday.")
        bank.remember("I'll call them tomorrow.")
        ends = {m.content: m.valid_until and m.valid_until.isoformat() for m in bank.list()}
    assert ends["User lives in Porto"] is None
    assert ends["User is flying to Naples on 2026-06-06."] == "2026-06-06T23:59:59.999999+00:00"
    assert ends["User will call them on 2026-06-02."] == "2026-06-02T23:59:59.999999+00:00"


@each_row(("until", "day"), [("2026-06-05", 5), (None, None)])
def test_what_a_model_forms_ends_as_the_model_says(until: str | None, day: int | None) -> None:
    """Whatever day its sentence names: that may be of another clause."""
    said = "I'm vegan, so on Friday I'll visit Rosa in Graz."
    fact = {"turn": 0, "quote": said, "text": "User is vegan", "category": "preference"}
    rest = {"entities": [], "about": None, "until": until, "foresight": False}
    llm = ScriptedLLM({"facts": [{**fact, **rest, "passing": False}]})
    with cogmem_core.open(embedder="hashing", clock=FrozenClock(MONDAY), llm=llm) as engine:
        bank = engine.bank("alice")
        bank.remember(said)
        ends = {m.content: m.valid_until and m.valid_until.day for m in bank.list()}
    assert ends["User is vegan"] == day


@each_row_of("ends/what_holds_is_found_when_the_plan_beside_it_is_over", "de en es fr tr")
def test_what_holds_is_found_when_the_plan_beside_it_is_over(
    said: str, question: str, left: list[str], always: bool
) -> None:
    """After weeks, and a cycle that puts away what is over; a profile tells what is left, and only that."""
    clock = FrozenClock(MONDAY)
    with cogmem_core.open(embedder="hashing", clock=clock) as engine:
        bank = engine.bank("alice")
        bank.remember(said)
        clock.advance(days=30)
        assert bank.consolidate(steps=["expiry"]).expired == 0
        found = bank.recall(question, floor=0)
        assert said in [each.memory.content for each in found.results]
        assert [line.text for line in bank.profile().lines] == left
        assert (said in found.context(stable=True)) is always
