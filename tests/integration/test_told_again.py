"""What was said twice has two tellings: filters and erasures ask each, and it goes with its last one."""

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

import cogmem_core
from cogmem_core import MemoryBank, NotFound, Turn
from cogmem_core.testing import MANUAL, FrozenClock
from helpers.bank_contents import contents, files_holding
from helpers.tables import each_row

TOLD = "The office moves to Quendrith in May."
FIRST = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)
FILTERS: list[tuple[dict[str, Any], bool]] = [
    ({"speaker": "Ann"}, True),
    ({"speaker": "Bob"}, True),
    ({"speaker": "Cem"}, False),
    ({"session_id": "monday"}, True),
    ({"session_id": "friday"}, True),
    ({"since": FIRST + timedelta(days=1)}, True),
    ({"since": FIRST + timedelta(days=9)}, False),
    ({"until": FIRST}, True),
    ({"where": {"room": "north"}}, True),
    ({"where": {"room": "south"}}, True),
    ({"where": {"room": "east"}}, False),
    ({"speaker": "Bob", "session_id": "friday"}, True),
    ({"speaker": "Ann", "session_id": "friday"}, False),
    ({"speaker": "Bob", "until": FIRST}, False),
    ({"speaker": "Bob", "where": {"room": "south"}, "tags": ["none"]}, False),
]


@pytest.fixture
def bank(folder: Path, clock: FrozenClock) -> Iterator[MemoryBank]:
    with cogmem_core.open(folder, embedder="hashing", clock=clock, config=MANUAL) as engine:
        bank = engine.bank("alice")
        bank.remember(
            Turn(TOLD, speaker="Ann", session_id="monday", metadata={"room": "north"}, at=FIRST)
        )
        clock.advance(days=4)
        bank.remember(Turn(TOLD, speaker="Bob", session_id="friday", metadata={"room": "south"}))
        yield bank


@each_row("filters, found", FILTERS)
def test_a_filter_asks_each_telling(bank: MemoryBank, filters: dict[str, Any], found: bool) -> None:
    """One telling has to match all that is asked; listing, counting and exporting agree."""
    assert bank.count() == 1
    assert bank.count(**filters) == found
    assert contents(bank.list(**filters)) == [TOLD] * found


@each_row("filters, found", FILTERS)
def test_a_recall_asks_each_telling(bank: MemoryBank, filters: dict[str, Any], found: bool) -> None:
    """As `list` does."""
    names = {"session_id": "only_session"}
    asked = {names.get(name, name): value for name, value in filters.items()}
    recalled = bank.recall("When does the office move?", floor=0, **asked)
    assert contents(recalled) == [TOLD] * found


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"speaker": "Ann"}, {"speaker": "Bob"}),
        ({"session_id": "friday"}, {"session_id": "monday"}),
        ({"until": FIRST}, {"since": FIRST}),
        ({"where": {"room": "south"}}, {"where": {"room": "north"}}),
    ],
)
def test_a_memory_goes_with_its_last_telling(
    folder: Path, bank: MemoryBank, first: dict[str, Any], second: dict[str, Any], hard: bool
) -> None:
    """Until then it is the other one's: its session, speaker, time and metadata."""
    memory = bank.list()[0]
    receipt = bank.forget(hard=hard, **first)
    assert (receipt.memory_ids, receipt.episodes, receipt.remaining) == ((), int(hard), ())
    assert contents(bank) == [TOLD]
    assert (bank.count(**first), bank.count(**second)) == (0, 1)
    assert contents(bank.recall("When does the office move?", floor=0)) == [TOLD]

    assert bank.forget(hard=hard, **second).memory_ids == (memory.id,)
    assert contents(bank) == []
    if hard:
        assert files_holding(folder, "Quendrith") == []
        with pytest.raises(NotFound):
            bank.forget(hard=True, **second)


def test_what_is_left_is_the_other_ones(bank: MemoryBank) -> None:
    """Who said it, when and where are those of the telling that stays."""
    bank.forget(speaker="Ann", hard=True)
    (memory,) = bank.list()
    told = (memory.speaker, memory.session_id, memory.metadata["room"])
    assert told == ("Bob", "friday", "south")
    assert memory.recorded_at == FIRST + timedelta(days=4)
    assert bank.engine.verify_audit()["alice"].ok


def test_a_word_erases_all_tellings(folder: Path, bank: MemoryBank) -> None:
    """Whoever said it, and wherever."""
    assert bank.forget("Quendrith", hard=True).episodes == 2
    assert files_holding(folder, "Quendrith") == []


def test_a_word_of_one_speaker_leaves_the_others(bank: MemoryBank) -> None:
    """Words and a filter have to hold of one telling; a fragment is about whoever says it."""
    assert bank.forget("Quendrith", speaker="Ann", hard=True).episodes == 1
    assert (contents(bank), bank.list()[0].speaker) == ([TOLD], "Bob")
    terse = (("Ann", "allergic to nuts"), ("Bob", "Allergic to nuts."))
    bank.remember([Turn(text, speaker=name) for name, text in terse])
    assert (bank.count(speaker="Ann"), bank.count(speaker="Bob")) == (1, 2)


def test_skipped_turns_of_another_person_stay(bank: MemoryBank) -> None:
    """Also where no memory came of them."""
    bank.remember([Turn("Who is Quendrith?", speaker=name) for name in ("Ann", "Bob")])
    before = sum(bank.health()["turns"].values())
    bank.forget(speaker="Ann", hard=True)
    assert sum(bank.health()["turns"].values()) == before - 2


def test_tellings_survive_an_export(bank: MemoryBank, tmp_path: Path) -> None:
    """The turns travel with the memory."""
    bank.export(tmp_path / "bank.jsonl")
    other = bank.engine.bank("other")
    other.import_(tmp_path / "bank.jsonl")
    assert (other.count(speaker="Ann"), other.count(speaker="Bob")) == (1, 1)
