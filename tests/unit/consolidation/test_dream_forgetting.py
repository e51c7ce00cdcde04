"""Step 10 of the dream cycle: what faded, was never of use, is seldom used or is too much goes dormant."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from datetime import timedelta
from typing import Any

import pytest

import cogmem_core
from cogmem_core import Config, Memory, MemoryBank
from cogmem_core.config import ConsolidationConfig, ForgettingConfig, StrengthConfig
from cogmem_core.models import ShortTerm
from cogmem_core.testing import FrozenClock
from helpers.bank_contents import contents
from helpers.store_kinds import states, touched
from helpers.tables import each_case_of

Opener = Callable[..., MemoryBank]
EBBINGHAUS = StrengthConfig(curve="exponential", episodic_multiplier=1.0)


@pytest.fixture
def opened(clock: FrozenClock) -> Iterator[Opener]:
    with ExitStack() as engines:

        def opener(
            *rules: str, strength: StrengthConfig | None = None, **numbers: Any
        ) -> MemoryBank:
            given = {"roomy": 0, "idle_days": 0.0, "used_days": 0.0, "standing": False, **numbers}
            dream = ConsolidationConfig(
                trigger="manual",
                spare_used=False,
                forgetting=ForgettingConfig(rules=rules, **given),
            )
            config = Config(consolidation=dream, strength=strength or StrengthConfig())
            engine = cogmem_core.open(None, embedder="hashing", clock=clock, config=config)
            return engines.enter_context(engine).bank("alice")

        yield opener


def counted(bank: MemoryBank) -> Mapping[str, int]:
    step = bank.consolidate(steps=["forgetting"]).steps["forgetting"]
    assert step.error == ""
    return step.counts


def reasons(bank: MemoryBank, *memories: Memory) -> list[str]:
    return [bank.history(memory.id).changes[-1].reason for memory in memories]


def test_what_faded_goes_dormant(opened: Opener, clock: FrozenClock) -> None:
    """Agentos, step 1 "Prune": strength e^(-dt / stability) below 0.05; e^(-14.9/5) = 0.0508, e^(-15/5) = 0.0498."""
    bank = opened("retention", strength=EBBINGHAUS)
    memory = bank.add("the bakery is closed on Mondays")
    clock.advance(days=14.9)
    assert counted(bank) == {}
    clock.advance(days=0.1)
    report = bank.consolidate(steps=["forgetting"])
    assert (report.pruned, report.steps["forgetting"].counts) == (1, {"pruned": 1, "retention": 1})
    assert states(bank, memory) == ["dormant"]
    assert any("faded: retention 0.05" in line for line in bank.explain(memory.id).story)


def test_the_default_curve_has_a_threshold_of_its_own(opened: Opener, clock: FrozenClock) -> None:
    """With fsrs6 forgotten below 0.50; an episodic fact of 5 days, fading 3 times faster, is there after 151 days."""
    bank = opened("retention")
    memory = bank.add("the bakery is closed on Mondays")
    clock.advance(days=150)
    assert counted(bank) == {}
    clock.advance(days=2)
    assert counted(bank) == {"pruned": 1, "retention": 1}
    assert reasons(bank, memory) == ["faded: retention 0.50"]


def test_a_given_threshold_goes_before_that_of_the_curve(
    opened: Opener, clock: FrozenClock
) -> None:
    """Agentos, `consolidation.pruneThreshold`: e^(-5/5) = 0.37 is below 0.5."""
    bank = opened("retention", strength=EBBINGHAUS, below=0.5)
    bank.add("the bakery is closed on Mondays")
    clock.advance(days=5)
    assert counted(bank) == {"pruned": 1, "retention": 1}


@pytest.mark.parametrize(("intensity", "expected"), [(0.3, ["dormant"]), (0.31, ["active"])])
def test_emotional_memories_do_not_fade_away(
    opened: Opener, clock: FrozenClock, intensity: float, expected: list[str]
) -> None:
    """Agentos, step 1: "Emotional memories (intensity > 0.3) are protected from pruning regardless of strength"."""
    bank = opened("retention", strength=EBBINGHAUS)
    memory = bank.add("the bakery is closed on Mondays")
    touched(bank, memory, intensity=intensity)
    clock.advance(days=100)
    counted(bank)
    assert states(bank, memory) == expected


@each_case_of("dream_forgetting/what_was_of_no_use_and_is_unused_goes_dormant")
def test_what_was_of_no_use_and_is_unused_goes_dormant(
    opened: Opener, clock: FrozenClock, utility: float, days: float, expected: str
) -> None:
    """V9, "Utility floor": "utility < 0.15 AND 30+ days unused"."""
    bank = opened("utility")
    memory = bank.add("the bakery is closed on Mondays")
    touched(bank, memory, utility=utility)
    clock.advance(days=days)
    counted(bank)
    assert states(bank, memory) == [expected]


def test_use_counts_from_the_last_time(opened: Opener, clock: FrozenClock) -> None:
    """V9: "30+ days unused"; a use starts the days anew, a retrieval that was ignored does not."""
    bank = opened("utility")
    used, ignored = (
        bank.add("the bakery is closed on Mondays"),
        bank.add("the market opens at nine"),
    )
    clock.advance(days=20)
    touched(bank, used, utility=0.08, last_reinforced_at=clock())
    touched(bank, ignored, utility=0.08, last_retrieved_at=clock())
    clock.advance(days=21)
    assert counted(bank) == {"pruned": 1, "utility": 1}
    assert states(bank, used, ignored) == ["active", "dormant"]
    assert reasons(bank, ignored) == ["never useful: utility 0.08, unused for 41 days"]


@pytest.mark.parametrize(
    ("category", "days"), [("decision", 45), ("fact", 14), ("plan", 7), ("other", 7)]
)
def test_what_is_used_less_than_the_mean_goes_dormant_at_its_age(
    opened: Opener, clock: FrozenClock, category: str, days: int
) -> None:
    """V9: "threshold = average(access_count across all memories)"; decisions 45, facts 14, other 7 days."""
    bank = opened("bcm")
    rare, average = (
        bank.add("the bakery", category=category),
        bank.add("the market", category=category),
    )
    often = bank.add("the harbour", category=category)
    for memory, count in ((rare, 1), (average, 2), (often, 3)):
        touched(bank, memory, access_count=count)
    clock.advance(days=days - 0.1)
    assert counted(bank) == {}
    clock.advance(days=0.1)
    assert counted(bank) == {"pruned": 1, "bcm": 1}
    assert states(bank, rare, average, often) == ["dormant", "active", "active"]
    assert reasons(bank, rare) == [f"seldom used: 1 times in {days} days, 2.00 on average"]


@pytest.mark.parametrize(
    "category", ["preference", "entity", "correction", "pattern", "procedure", "summary"]
)
def test_permanent_and_unnamed_categories_are_never_seldom_used(
    opened: Opener, clock: FrozenClock, category: str
) -> None:
    """V9, minimum retention: corrections, preferences and entities are permanent; so is what no rule names."""
    bank = opened("bcm")
    rare, often = bank.add("the bakery", category=category), bank.add("the market")
    touched(bank, often, access_count=9)
    clock.advance(days=1_000)
    assert counted(bank) == {}
    assert states(bank, rare) == ["active"]


def test_the_mean_does_not_rise_because_of_what_it_put_away(
    opened: Opener, clock: FrozenClock
) -> None:
    """V9, "across all memories": else each cycle would take the next ones, until one is left."""
    bank = opened("bcm")
    memories = [bank.add(f"place number {number}") for number in range(4)]
    for count, memory in zip((0, 2, 3, 3), memories, strict=True):
        touched(bank, memory, access_count=count)
    clock.advance(days=20)
    assert counted(bank) == {"pruned": 1, "bcm": 1}
    assert [counted(bank) for _ in range(3)] == [{}, {}, {}]
    assert states(bank, *memories) == ["dormant", "active", "active", "active"]


def test_over_capacity_the_least_useful_go(opened: Opener) -> None:
    """V9, "Capacity trim": "active count > 500 → Trim lowest-utility to 450", here 10 and 9."""
    bank = opened("capacity", capacity=10)
    memories = [bank.add(f"place number {number}") for number in range(10)]
    assert counted(bank) == {}
    memories.append(bank.add("place number 10"))
    for number, memory in enumerate(memories):
        touched(bank, memory, utility=abs(number - 5) / 10)

    assert counted(bank) == {"pruned": 2, "capacity": 2}
    assert [
        number for number, memory in enumerate(memories) if bank.get(memory.id).state == "dormant"
    ] == [4, 5]
    assert reasons(bank, memories[5]) == [
        "over capacity: 11 active memories, 10 allowed, utility 0.00"
    ]


def test_of_equally_useful_ones_the_more_faded_less_important_older_go(
    opened: Opener, clock: FrozenClock
) -> None:
    """ "lowest utility first"; then retention, importance and age decide, in this order."""
    bank = opened("capacity", capacity=4, trimmed_to=0.25)
    important, plain = (
        bank.add("the bakery", importance=0.9),
        bank.add("the market", importance=0.1),
    )
    clock.advance(days=9)
    fresh, newest = bank.add("the harbour", importance=0.1), bank.add("the station", importance=0.1)
    for memory in (important, plain, fresh, newest):
        touched(bank, memory, stability=5.0)
    useless = bank.add("the theatre", importance=0.9)
    touched(bank, useless, utility=0.1)

    gone = bank.consolidate(steps=["forgetting"]).changes
    assert [change.memory_id for change in gone] == [useless.id, plain.id, important.id, fresh.id]
    assert states(bank, newest) == ["active"]


def test_permanent_categories_go_last(opened: Opener) -> None:
    """Preferences are permanent, but a capacity is a capacity."""
    bank = opened("capacity", capacity=2, trimmed_to=0.5)
    liked, other = bank.add("likes tea", category="preference"), bank.add("the bakery")
    third = bank.add("likes rain", category="preference", importance=0.9)
    touched(bank, liked, utility=0.0)
    touched(bank, other, utility=1.0)
    assert counted(bank) == {"pruned": 2, "capacity": 2}
    assert states(bank, liked, other, third) == ["dormant", "dormant", "active"]


@pytest.mark.parametrize("flag", ["pinned", "immutable", "flashbulb"])
def test_protected_memories_survive_every_rule(
    opened: Opener, clock: FrozenClock, flag: str
) -> None:
    """V9, truth anchors: "Pinned memories survive strategic forgetting, capacity trim, and demotion"."""
    bank = opened(
        "retention", "utility", "bcm", "capacity", strength=EBBINGHAUS, capacity=1, trimmed_to=0.0
    )
    kept, gone = bank.add("the bakery"), bank.add("the market")
    touched(bank, kept, utility=0.0, **{flag: True})
    clock.advance(days=1_000)
    assert counted(bank) == {"pruned": 1, "retention": 1}
    assert states(bank, kept, gone) == ["active", "dormant"]


@each_case_of("dream_forgetting/a_denial_stays")
def test_a_denial_stays(opened: Opener, clock: FrozenClock, told: list[str], other: str) -> None:
    """Beside the guardian fact that it is about: told alone that would be untrue."""
    bank = opened("retention", strength=EBBINGHAUS)
    bank.remember([*told, other])
    clock.advance(days=1_000)
    counted(bank)
    assert contents(bank) == told


def test_protected_memories_survive_being_too_many(opened: Opener) -> None:
    """V9: a capacity below what is pinned is simply not reached, now or in the next cycle."""
    bank = opened("capacity", capacity=1, trimmed_to=0.0)
    memories = [bank.add(f"place number {number}", pinned=number < 3) for number in range(5)]
    assert counted(bank) == {"pruned": 2, "capacity": 2}
    assert counted(bank) == {}
    assert states(bank, *memories) == ["active", "active", "active", "dormant", "dormant"]


def test_what_is_on_probation_is_left_to_its_own_end(opened: Opener, clock: FrozenClock) -> None:
    """Unified-update: short-term facts live by their expiry."""
    bank = opened("retention", strength=EBBINGHAUS)
    memory = bank.add("the bakery")
    with bank._engine.services.ledger.writing() as writer:
        writer.at(bank.namespace).synaptic_tags.add_short_term(
            [ShortTerm(memory.id, clock(), clock() + timedelta(days=365))]
        )
    clock.advance(days=100)
    assert counted(bank) == {}


def test_permanent_categories_neither_fade_nor_become_useless(
    opened: Opener, clock: FrozenClock
) -> None:
    """ "permanent categories never age out"."""
    bank = opened("retention", "utility")
    memory = bank.add("likes tea", category="preference")
    touched(bank, memory, utility=0.0)
    clock.advance(days=1_000)
    assert counted(bank) == {}


def test_a_rule_that_is_switched_off_takes_nothing(opened: Opener, clock: FrozenClock) -> None:
    """`ForgettingConfig.rules`: the other rules would take it: it is faded, useless, seldom used and one too many."""
    bank = opened(strength=EBBINGHAUS, capacity=1)
    memory, other = bank.add("the bakery"), bank.add("the market")
    touched(bank, memory, utility=0.0)
    touched(bank, other, access_count=9)
    clock.advance(days=1_000)
    assert counted(bank) == {}
    assert states(bank, memory, other) == ["active", "active"]


def test_a_cycle_forgets_a_bounded_number_the_most_faded_first(
    opened: Opener, clock: FrozenClock
) -> None:
    """ "a bound on rows"; agentos, `maxTracesPerCycle`."""
    bank = opened("retention", strength=EBBINGHAUS, limit=2)
    memories = [bank.add(f"place number {number}") for number in range(3)]
    for memory, days in zip(memories, (5.0, 4.0, 3.0), strict=True):
        touched(bank, memory, stability=days)
    clock.advance(days=100)
    step = bank.consolidate(steps=["forgetting"]).steps["forgetting"]
    assert (step.counts, step.note) == ({"pruned": 2, "retention": 2}, "left for the next cycle: 1")
    assert states(bank, *memories) == ["active", "dormant", "dormant"]
    assert counted(bank) == {"pruned": 1, "retention": 1}


def test_the_capacity_does_not_count_what_just_left(opened: Opener, clock: FrozenClock) -> None:
    """V9, "5 ordered rules": the trim comes last and looks at what the others left."""
    bank = opened("retention", "capacity", strength=EBBINGHAUS, capacity=2, trimmed_to=0.5)
    faded = [bank.add(f"place number {number}") for number in range(2)]
    clock.advance(days=100)
    fresh = [bank.add(f"street number {number}") for number in range(2)]
    assert counted(bank) == {"pruned": 2, "retention": 2}
    assert states(bank, *faded, *fresh) == ["dormant", "dormant", "active", "active"]


def test_where_there_is_room_nothing_fades_away_but_small_talk(
    opened: Opener, clock: FrozenClock
) -> None:
    """`roomy`: three active memories, room for three; "ok, thanks!" is in nobody's way, but of no use either."""
    bank = opened("retention", "utility", roomy=3)
    memories = [bank.add("the bakery is closed"), bank.add("the market opens at nine")]
    small_talk = bank.add("ok, thanks!")
    for memory in memories:
        touched(bank, memory, utility=0.0)
    clock.advance(days=2_000)
    assert counted(bank) == {"pruned": 1, "retention": 1}
    assert states(bank, *memories, small_talk) == ["active", "active", "dormant"]


def test_above_the_mark_the_least_valuable_go_down_to_it(
    opened: Opener, clock: FrozenClock
) -> None:
    """All eight have faded; five stay, and those are the most useful ones, not the least faded."""
    bank = opened("retention", roomy=5)
    memories = [bank.add(f"place number {number}") for number in range(8)]
    for number, memory in enumerate(memories):
        touched(bank, memory, utility=number / 10, stability=5.0 - number / 10)
    clock.advance(days=2_000)
    assert counted(bank) == {"pruned": 3, "retention": 3}
    assert states(bank, *memories) == ["dormant"] * 3 + ["active"] * 5
    assert counted(bank) == {}
