"""What was true at a moment, what was known by a moment: by example."""

from datetime import datetime, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from cogmem_core import MemoryBank
from cogmem_core.testing import FrozenClock
from helpers.time_travel import CONFIG, FIRST, day, let_go

HOME = "Where do I live?"


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(FIRST)


ENGINE = {"config": CONFIG, "paused": True}


def told(bank: MemoryBank, query: str = HOME, **asked: Any) -> list[str]:
    return [item.content for item in bank.recall(query, **asked).results]


LISBON, PORTO = "User lives in Lisbon", "User lives in Porto now"


def test_an_edited_text_is_told_as_it_was(bank: MemoryBank, clock: FrozenClock) -> None:
    """Bank: "what had been said by then, in the words of then"; it is found by its former words, too."""
    memory = bank.add("The dentist is on Monday")
    clock.advance(days=1)
    bank.edit(memory.id, "The dentist is on Thursday")
    clock.advance(days=1)
    bank.edit(memory.id, "The optician is on Friday")

    asked = [
        told(bank, "dentist Monday", known_at=day(number), floor=0) for number in (-1, 0, 1, 2, 9)
    ]
    monday, thursday, friday = (
        "The dentist is on Monday",
        "The dentist is on Thursday",
        "The optician is on Friday",
    )
    assert asked == [[], [monday], [thursday], [friday], [friday]]
    assert told(bank, "dentist Monday", as_of=day(0), floor=0) == [monday, friday]
    first = bank.recall("dentist Monday", known_at=day(0)).results[0]
    now = bank.recall("dentist Monday", floor=0).results[0]
    assert (first.memory.id, now.memory.id) == (memory.id, memory.id)
    assert first.signals["similarity"] > 0.4  # measured by the vector of then
    assert now.signals["similarity"] < 0.1
    assert (first.memory.version, bank.get(memory.id).version) == (1, 3)


def test_an_imported_history_is_known_from_when_it_was_said(
    bank: MemoryBank, clock: FrozenClock
) -> None:
    """A move told in 2019 and 2021, but read in only today: superseded from when its successor was said."""
    years = [datetime(year, 3, 1, tzinfo=timezone.utc) for year in (2019, 2021)]
    bank.remember("I live in Lisbon", mode="semantic", at=years[0])
    bank.remember("I live in Porto now", mode="semantic", at=years[1])
    for asked in ("known_at", "as_of"):
        found = [
            told(bank, HOME, **{asked: datetime(year, 6, 1, tzinfo=timezone.utc)})
            for year in (2018, 2019, 2020, 2021, 2026)
        ]
        assert found == [[], [LISBON], [LISBON], [PORTO], [PORTO]]
    assert told(bank, mode="timeline") == [PORTO, LISBON]


@pytest.mark.parametrize("zone", ["Pacific/Auckland", "America/New_York", "UTC"])
def test_a_day_begins_where_the_speaker_is(bank: MemoryBank, zone: str) -> None:
    """As of nine in the morning of that day he lives in Porto, and the night before he did not."""
    here = ZoneInfo(zone)
    bank.remember("I live in Lisbon", mode="semantic", at=datetime(2023, 3, 1, 12, tzinfo=here))
    bank.remember(
        "I live in Porto now, since 6 May 2024",
        mode="semantic",
        at=datetime(2024, 5, 20, 12, tzinfo=here),
    )
    found = [
        told(bank, HOME, as_of=datetime(2024, 5, day, hour, tzinfo=here))
        for day, hour in ((5, 23), (6, 1), (6, 9))
    ]
    assert [[("Porto" in text) for text in texts] for texts in found] == [[False], [True], [True]]


def test_a_later_end_does_not_reach_back_behind_an_earlier_forgetting(
    bank: MemoryBank, clock: FrozenClock
) -> None:
    """Bank: "what had been said by then": an end that was noted on day 3 is not known on day 0."""
    memory = bank.add("Anna works in the bakery")
    clock.advance(days=1)
    bank.forget(memory.id)
    clock.advance(days=1)
    bank.restore(memory.id)
    clock.advance(days=1)
    new = bank.add("Anna works in the library")
    let_go(bank, memory.id, "superseded", superseded_by=new.id, valid_until=day(3))

    bakery, query = ["Anna works in the bakery"], "Where does Anna work?"
    assert [told(bank, query, known_at=day(number), as_of=day(9)) for number in (0, 1, 2)] == [
        bakery,
        [],
        bakery,
    ]
    assert told(bank, query, known_at=day(3), as_of=day(9)) == ["Anna works in the library"]


def test_what_faded_had_not_faded_when_its_former_successor_was_said(
    bank: MemoryBank, clock: FrozenClock
) -> None:
    """Horizon: only being superseded counts from when the successor was said, every other change from its own day."""
    memory = bank.add("Anna works in the bakery")
    new = bank.add("Anna works in the library", at=day(-1))
    let_go(bank, memory.id, "superseded", superseded_by=new.id)
    bank.forget(memory.id)
    bank.restore(memory.id)
    clock.advance(days=1)
    let_go(bank, memory.id, "dormant")

    assert "Anna works in the bakery" in told(bank, "Where does Anna work?", known_at=day(0))
    assert told(bank, "Where does Anna work?", known_at=day(1)) == ["Anna works in the library"]


def test_what_was_forgotten_is_shown_of_no_moment(bank: MemoryBank, clock: FrozenClock) -> None:
    """A person's `forget` holds whatever moment is asked for; `restore` undoes it."""
    memory = bank.add("The safe opens with 4711")
    clock.advance(days=1)
    bank.forget(memory.id)
    for asked in ({"known_at": day(0)}, {"as_of": day(0)}, {"deep": True}, {"mode": "timeline"}):
        assert told(bank, "safe", floor=0, **asked) == []
    bank.restore(memory.id)
    assert told(bank, "safe", floor=0, known_at=day(0)) == ["The safe opens with 4711"]
