"""Step 7 of the dream cycle: of two memories that contradict each other one leaves recall."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from datetime import timedelta
from typing import Any

import pytest

import cogmem_core
from cogmem_core import Config, ConsolidationReport, Memory, MemoryBank
from cogmem_core.changes import Link, Touch
from cogmem_core.config import ConsolidationConfig, ObservationConfig
from cogmem_core.models import Relation
from cogmem_core.testing import FrozenClock
from helpers.store_kinds import change, states
from helpers.tables import each_case_of, each_row_of

Opener = Callable[..., MemoryBank]


@pytest.fixture
def opened(clock: FrozenClock) -> Iterator[Opener]:
    with ExitStack() as engines:

        def opener(conflict: str = "personality", **traits: float) -> MemoryBank:
            dream = ConsolidationConfig(trigger="manual", conflict=conflict)
            config = Config(consolidation=dream, observation=ObservationConfig(personality=traits))
            engine = cogmem_core.open(None, embedder="hashing", clock=clock, config=config)
            return engines.enter_context(engine).bank("alice")

        yield opener


def related(bank: MemoryBank, source: Memory, target: Memory, kind: Any = "contradicts") -> None:
    change(bank, Link(Relation(bank.namespace, source.id, target.id, kind), "said"))


def told(bank: MemoryBank, clock: FrozenClock, *texts: str) -> list[Memory]:
    """Memories, a day apart."""
    found = []
    for text in texts:
        found.append(bank.add(text))
        clock.advance(days=1)
    return found


def dream(bank: MemoryBank, *, dry_run: bool = False) -> ConsolidationReport:
    return bank.consolidate(steps=["conflicts"], dry_run=dry_run)


def counted(report: ConsolidationReport) -> Mapping[str, int]:
    return report.steps["conflicts"].counts


def test_the_older_side_of_a_contradiction_goes_dormant(opened: Opener, clock: FrozenClock) -> None:
    """V9, rule 1 "Contradiction cleanup": "Has contradicts relation → Older side → dormant"."""
    bank = opened()
    old, new = told(bank, clock, "I use a standing desk", "I sit at a low desk")
    related(bank, new, old)

    report = dream(bank)

    assert counted(report) == {"resolved": 1}
    assert states(bank, old, new) == ["dormant", "active"]
    assert bank.get(old.id).superseded_by == new.id
    assert any("contradicted by what was said later" in line for line in bank.explain(old.id).story)


@pytest.mark.parametrize(
    ("both", "newer"),
    [
        ("I live in Leeds and work at Acme.", "I moved to Otley."),
        ("Wir wohnen in Köln und arbeiten bei Bosch.", "Wir sind nach Bonn gezogen."),
        ("My dog is called Rex. Standup is at nine.", "Standup moved to ten."),
    ],
)
def test_what_is_left_of_a_memory_of_which_a_part_was_withdrawn_stays(
    opened: Opener, clock: FrozenClock, both: str, newer: str
) -> None:
    """The contradiction is settled: what a night does, and would do, spares the other part."""
    bank = opened()
    (memory,) = bank.remember(both).memories
    clock.advance(days=1)
    bank.remember(newer)
    assert len(bank.get(memory.id).clause_states) == 1
    assert bank.audit().contradictions.count == 0
    assert dream(bank, dry_run=True).changes == ()
    assert (counted(dream(bank)), bank.get(memory.id).state) == ({}, "active")
    bank.restore(memory.id)
    assert bank.get(memory.id).clause_states == ()
    clock.advance(days=400)
    assert (counted(dream(bank)), bank.get(memory.id).state) == ({}, "active")


def test_what_is_left_of_a_memory_ends_when_its_time_is_over(
    opened: Opener, clock: FrozenClock
) -> None:
    """As any other does, and as a dry run says."""
    bank = opened()
    memory = bank.add("I live in Leeds and work at Acme.", valid_until=clock() + timedelta(days=30))
    bank.remember("I moved to Otley.")
    assert len(bank.get(memory.id).clause_states) == 1
    clock.advance(days=60)
    for dry_run in (True, False):
        report = bank.consolidate(steps=["expiry"], dry_run=dry_run)
        assert report.steps["expiry"].counts == {"expired": 1}
    assert bank.get(memory.id).state == "superseded"


def test_the_older_side_is_the_one_that_was_said_earlier(
    opened: Opener, clock: FrozenClock
) -> None:
    """ "older side"; of an imported conversation that is the time of saying, not of storing."""
    bank = opened()
    stored_first = bank.add("I use a standing desk", at=clock())
    stored_last = bank.add("I sit at a low desk", at=clock.advance(days=-400))
    clock.advance(days=401)
    related(bank, stored_last, stored_first)
    dream(bank)
    assert states(bank, stored_first, stored_last) == ["active", "dormant"]


def test_a_chain_never_loses_both_sides_of_a_contradiction(
    opened: Opener, clock: FrozenClock
) -> None:
    """ "older side dormant": a memory that is gone contradicts nobody any more."""
    bank = opened()
    lisbon, porto, berlin = told(
        bank, clock, "I live in Lisbon", "I live in Porto", "I live in Berlin"
    )
    related(bank, porto, lisbon)
    related(bank, berlin, porto)
    assert counted(dream(bank)) == {"resolved": 1}
    assert states(bank, lisbon, porto, berlin) == ["active", "dormant", "active"]


def test_of_a_circle_the_newest_stays(opened: Opener, clock: FrozenClock) -> None:
    """Every pair of three contradicts, so one of the three is left, and both others point to it."""
    bank = opened()
    lisbon, porto, berlin = told(
        bank, clock, "I live in Lisbon", "I live in Porto", "I live in Berlin"
    )
    for source, target in ((porto, lisbon), (berlin, porto), (lisbon, berlin)):
        related(bank, source, target)
    assert counted(dream(bank)) == {"resolved": 2}
    assert states(bank, lisbon, porto, berlin) == ["dormant", "dormant", "active"]
    assert [bank.get(one.id).superseded_by for one in (lisbon, porto)] == [berlin.id, berlin.id]


@pytest.mark.parametrize("flag", ["pinned", "immutable"])
def test_a_protected_loser_stays_and_so_does_the_other_side(
    opened: Opener, clock: FrozenClock, flag: str
) -> None:
    """V9, truth anchors: "override all forgetting and consolidation logic"."""
    bank = opened()
    old = bank.add("I use a standing desk", **{flag: True})
    clock.advance(days=1)
    new = bank.add("I sit at a low desk")
    related(bank, new, old)

    step = dream(bank).steps["conflicts"]

    assert step.counts == {}
    assert step.note == "left as they are, because the losing side is protected: 1"
    assert states(bank, old, new) == ["active", "active"]


def test_a_protected_winner_wins(opened: Opener, clock: FrozenClock) -> None:
    """V9: a pin keeps a memory, it does not keep what it contradicts."""
    bank = opened()
    old = bank.add("I use a standing desk")
    clock.advance(days=1)
    new = bank.add("I sit at a low desk", pinned=True, immutable=True)
    related(bank, new, old)
    dream(bank)
    assert states(bank, old, new) == ["dormant", "active"]


@each_case_of("dream_conflicts/a_personality_decides_who_wins")
def test_a_personality_decides_who_wins(
    opened: Opener,
    clock: FrozenClock,
    traits: dict[str, float],
    confidences: tuple[float, float],
    expected: list[str],
) -> None:
    """Agentos: honesty prefers newer, agreeableness keeps both, else the surer side if they differ by over 0.2."""
    bank = opened(**traits)
    old, new = told(bank, clock, "I use a standing desk", "I sit at a low desk")
    for memory, confidence in zip((old, new), confidences, strict=True):
        change(bank, Touch(memory.id, {"source_confidence": confidence}, "by hand"))
    related(bank, new, old)
    dream(bank)
    assert states(bank, old, new) == expected


def test_a_surer_winner_is_not_retired_for_a_third_one(opened: Opener, clock: FrozenClock) -> None:
    """Agentos, higher confidence: 0.9 beats 0.5 and 0.5 beats 0.1, but what 0.5 beat stays once 0.5 is gone."""
    bank = opened(openness=0.9)
    sure, unsure, doubtful = told(
        bank, clock, "I live in Lisbon", "I live in Porto", "I live in Berlin"
    )
    for memory, confidence in ((sure, 0.9), (unsure, 0.5), (doubtful, 0.1)):
        change(bank, Touch(memory.id, {"source_confidence": confidence}, "by hand"))
    related(bank, unsure, sure)
    related(bank, doubtful, unsure)
    dream(bank)
    assert states(bank, sure, unsure, doubtful) == ["active", "dormant", "active"]
    assert any("contradicted by what is surer" in line for line in bank.explain(unsure.id).story)


def test_the_newer_side_wins_against_any_personality_if_it_is_configured_so(
    opened: Opener, clock: FrozenClock
) -> None:
    """V9 knows no personality: `conflict="newer"` is its rule."""
    bank = opened(conflict="newer", agreeableness=0.9)
    old, new = told(bank, clock, "I use a standing desk", "I sit at a low desk")
    related(bank, new, old)
    dream(bank)
    assert states(bank, old, new) == ["dormant", "active"]


def test_what_an_assistant_says_retires_nothing_that_a_person_said(
    opened: Opener, clock: FrozenClock
) -> None:
    """The write path keeps both for that reason, and the dream must not undo it."""
    bank = opened()
    person, assistant = told(bank, clock, "I use a standing desk", "You sit at a low desk")
    change(bank, Touch(assistant.id, {"data_source": "assistant_message"}, "by hand"))
    related(bank, assistant, person)
    assert counted(dream(bank)) == {}
    assert states(bank, person, assistant) == ["active", "active"]


@each_row_of("dream_conflicts/later_words_make_an_earlier_version", "en tr")
def test_later_words_make_an_earlier_version(
    opened: Opener, clock: FrozenClock, old: str, new: str
) -> None:
    """The value is named and given up, or given anew; nothing compared the two, and both stay."""
    bank = opened()
    older, newer = told(bank, clock, old, new)
    report = dream(bank)
    assert states(bank, older, newer) == ["active", "active"]
    assert counted(report) == {"chained": 1}
    assert [one.id for one in bank.versions(older.id)] == [newer.id, older.id]
    assert dream(bank).changes == ()
    assert bank.undo(report.run_id)
    assert [one.id for one in bank.versions(older.id)] == [older.id]


@each_row_of("dream_conflicts/what_ends_nothing_makes_no_version")
def test_what_ends_nothing_makes_no_version(
    opened: Opener, clock: FrozenClock, old: str, new: str
) -> None:
    """Another thing, the subject and not the value, the past, a condition, the other order."""
    bank = opened()
    older, newer = told(bank, clock, old, new)
    dream(bank)
    assert [one.id for one in bank.versions(older.id)] == [older.id]
    assert states(bank, older, newer) == ["active", "active"]


def test_what_one_cycle_does_not_lay_side_by_side_the_next_ones_do(
    opened: Opener, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One pair a cycle here: nothing is passed over, and there is an end."""
    monkeypatch.setattr("cogmem_core.consolidation.later_statements.PAIRS", 1)
    bank = opened()
    told(bank, clock, "Code review needs two approvals", "Code review needs only one approval now")
    told(
        bank, clock, "The night shift needs two nurses", "The night shift needs only one nurse now"
    )
    chained = [counted(dream(bank)).get("chained", 0) for _ in range(6)]
    assert (sum(chained), max(chained), chained[-1]) == (2, 1, 0)
