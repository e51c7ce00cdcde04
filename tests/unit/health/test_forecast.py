"""Looking ahead: what becomes of memories that nobody uses, and when."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

import cogmem_core
from cogmem_core import Config, Engine, InvalidInput, MemoryBank
from cogmem_core.config import ConsolidationConfig, FadingConfig, ForgettingConfig, StrengthConfig
from cogmem_core.config.consolidation import STEP_NAMES
from cogmem_core.edge.strength import retention_of
from cogmem_core.models import ShortTerm
from cogmem_core.testing import FrozenClock
from helpers.store_kinds import touched
from helpers.tables import each_row

START = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)
PLAIN = ForgettingConfig(roomy=0, idle_days=0.0, used_days=0.0, standing=False)
MANUAL = ConsolidationConfig(
    trigger="manual",
    steps=STEP_NAMES,
    forgetting=PLAIN,
    fading=FadingConfig(standing=False, rules=True),
)
SECOND = timedelta(seconds=1)
Open = Callable[..., MemoryBank]


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(START)


@pytest.fixture
def opened(clock: FrozenClock) -> Iterator[Open]:
    engines: list[Engine] = []

    def make(**sections: Any) -> MemoryBank:
        config = Config(**{"consolidation": MANUAL, **sections})
        engines.append(cogmem_core.open(None, embedder="hashing", clock=clock, config=config))
        return engines[-1].bank("alice")

    yield make
    for engine in engines:
        engine.close()


@pytest.fixture
def bank(opened: Open) -> MemoryBank:
    return opened()


def ahead(bank: MemoryBank, days: float = 3_650) -> list[tuple[str, int]]:
    """What will happen, and in how many whole days."""
    found = bank.forecast(days)
    return [(event.what, (event.when - found.since).days) for event in found.events]


class TestFading:
    """Retention crosses the thresholds of its curve."""

    def test_a_fact_fades_by_fsrs6(self, bank: MemoryBank) -> None:
        """S = 5, episodic 3x: 0.7 after 46.4/3 days, 0.6 after 134.9/3, 0.5 after 451.7/3."""
        memory = bank.add("Noah plays the cello")
        found = bank.forecast(3_650)
        assert [(event.what, event.memory_id, event.content) for event in found.events] == [
            ("endangered", memory.id, "Noah plays the cello"),
            ("fading", memory.id, "Noah plays the cello"),
            ("dormant", memory.id, "Noah plays the cello"),
        ]
        assert ahead(bank) == [("endangered", 15), ("fading", 44), ("dormant", 150)]
        assert found.events[0].why == "its retention falls below 0.7"
        assert (found.since, found.until, found.more) == (START, START + timedelta(days=3_650), 0)

    @pytest.mark.parametrize("curve", ["fsrs6", "exponential", "power_v9"])
    @pytest.mark.parametrize("tier", ["episodic", "semantic"])
    def test_the_moments_are_those_of_the_curve(self, opened: Open, curve: str, tier: str) -> None:
        """A second before, retention is above the threshold, a second after it is below."""
        strength = StrengthConfig(curve=curve)
        bank = opened(strength=strength)
        memory = bank.add("Noah plays the cello", tier=tier, importance=0.7)
        levels = {"endangered": 0.7, "fading": 0.6, "dormant": 0.5}
        levels = levels if curve == "fsrs6" else {"endangered": 0.3, "fading": 0.2, "dormant": 0.05}
        events = bank.forecast(36_500).events
        assert [event.what for event in events] == list(levels)
        for event in events:
            before, after = (
                retention_of(memory, event.when + step, strength) for step in (-SECOND, SECOND)
            )
            assert before > levels[event.what] > after

    def test_only_what_lies_within_the_days(self, bank: MemoryBank) -> None:
        """The last day counts, the one after it does not."""
        bank.add("Noah plays the cello")
        assert ahead(bank, 15) == []
        assert ahead(bank, 16) == [("endangered", 15)]

    def test_what_waits_for_the_next_cycle_is_due_now(
        self, bank: MemoryBank, clock: FrozenClock
    ) -> None:
        """Retention is below 0.5 since 50 days, and no cycle ran."""
        bank.add("Noah plays the cello")
        clock.advance(days=200)
        assert [(event.what, event.when) for event in bank.forecast(1).events] == [
            ("dormant", clock())
        ]

    def test_use_puts_it_off(self, bank: MemoryBank, clock: FrozenClock) -> None:
        """Time counts from the last reinforcement."""
        memory = bank.add("Noah plays the cello")
        clock.advance(days=10)
        touched(bank, memory, last_reinforced_at=clock())
        assert ahead(bank)[0] == ("endangered", 15)

    @pytest.mark.parametrize(
        "fields", [{"pinned": True}, {"category": "preference"}, {"category": "correction"}]
    )
    def test_pinned_and_permanent_memories_do_not_fade(
        self, bank: MemoryBank, fields: dict[str, Any]
    ) -> None:
        """ "Permanent categories, pinned ... keep retention 1"; however useless."""
        touched(bank, bank.add("Prefers green tea", tier="semantic", **fields), utility=0.0)
        assert ahead(bank) == []

    def test_a_floor_stops_it(self, opened: Open) -> None:
        """ "A retention floor can be set per category": 0.65 is endangered and never fading."""
        bank = opened(strength=StrengthConfig(retention_floors={"fact": 0.65}))
        bank.add("Noah plays the cello")
        assert ahead(bank) == [("endangered", 15)]

    def test_time_that_stands_still_ends_nothing(self, opened: Open) -> None:
        """A multiplier of 0 is a frozen tier."""
        bank = opened(strength=StrengthConfig(episodic_multiplier=0.0))
        bank.add("Noah plays the cello")
        assert ahead(bank) == []

    def test_immutable_memories_fade_but_stay(self, bank: MemoryBank) -> None:
        """They are neither consolidated nor forgotten."""
        bank.add("Noah plays the cello", immutable=True)
        assert ahead(bank) == [("endangered", 15)]

    def test_steps_that_are_off_do_nothing(self, opened: Open) -> None:
        """Without forgetting and fading a memory is endangered for ever."""
        bank = opened(
            consolidation=ConsolidationConfig(trigger="manual", steps=("expiry",), tick=("expiry",))
        )
        touched(bank, bank.add("Noah plays the cello", tier="semantic"), utility=0.0)
        assert [what for what, _ in ahead(bank)] == ["endangered"]

    def test_without_anything_to_write_summaries_with_nothing_fades(self, opened: Open) -> None:
        """`fading.rules` is off by default, and there is no language model: it is put away unsummarised."""
        dream = replace(MANUAL, fading=FadingConfig(standing=False))
        bank = opened(consolidation=dream)
        bank.add("Noah plays the cello")
        assert ahead(bank) == [("endangered", 15), ("dormant", 150)]

    def test_thresholds_of_the_configuration_win(self, opened: Open) -> None:
        """`forgetting.below` instead of what the curve says: exponential, S = 5, 3x: -5·ln(0.5)/3 = 1.2 days."""
        forgetting = ForgettingConfig(
            roomy=0, below=0.5, idle_days=0.0, used_days=0.0, standing=False
        )
        consolidation = ConsolidationConfig(trigger="manual", forgetting=forgetting)
        bank = opened(consolidation=consolidation, strength=StrengthConfig(curve="exponential"))
        bank.add("Noah plays the cello")
        assert ahead(bank) == [("dormant", 1)]


class TestUselessness:
    """What is of no use leaves recall, however fresh its retention would be."""

    def test_useless_memories_go_dormant_after_thirty_days(self, bank: MemoryBank) -> None:
        """V9: "utility < 0.15 AND 30+ days unused"; what would come later does not happen any more."""
        touched(bank, bank.add("Noah plays the cello"), utility=0.14)
        assert ahead(bank) == [("endangered", 15), ("dormant", 30)]
        assert (
            bank.forecast(3_650).events[1].why == "of little use: utility 0.14, unused for 30 days"
        )

    def test_semantic_memories_are_demoted_after_sixty_days(self, bank: MemoryBank) -> None:
        """V9: idle >= 60 days and utility < 0.2."""
        touched(bank, bank.add("Noah plays the cello", tier="semantic"), utility=0.19)
        assert ahead(bank) == [("endangered", 46), ("demoted", 60)]

    @pytest.mark.parametrize("flag", ["pinned", "immutable", "flashbulb"])
    def test_protected_memories_stay(self, bank: MemoryBank, flag: str) -> None:
        """V9: "pinned, immutable, and flashbulb memories are immune to demotion"."""
        touched(
            bank, bank.add("Noah plays the cello", tier="semantic"), utility=0.0, **{flag: True}
        )
        assert {what for what, _ in ahead(bank)} <= {"endangered", "fading"}


class TestValidity:
    def test_what_is_true_for_a_time_ends(self, bank: MemoryBank) -> None:
        """Foresight: a plan expires, and nothing happens to it afterwards."""
        bank.add("Flies to Rome on Friday", category="plan", valid_until=START + timedelta(days=4))
        assert [(e.what, e.when, e.why) for e in bank.forecast(90).events] == [
            ("expires", START + timedelta(days=4), "its time is over")
        ]

    @pytest.mark.parametrize(
        ("importance", "first"), [(0.5, ("expires", 2)), (0.6, ("endangered", 17))]
    )
    def test_short_term_facts_expire_unless_they_proved_their_worth(
        self, bank: MemoryBank, importance: float, first: tuple[str, int]
    ) -> None:
        """Short-term facts are promoted through the dream cycle, or expire."""
        until = START + timedelta(days=2)
        memory = bank.add("Sits in the second row", importance=importance, valid_until=until)
        with bank._engine.services.ledger.writing() as writer:
            writer.at("alice").synaptic_tags.add_short_term([ShortTerm(memory.id, START, until)])
        assert ahead(bank)[0] == first
        assert "dormant" not in dict(ahead(bank))


class TestForecast:
    def test_the_earliest_first_over_all_memories(self, bank: MemoryBank) -> None:
        """One list, by time."""
        bank.add("Noah plays the cello")
        bank.add("It rained on the way home", category="other", importance=0.1)
        bank.add("Flies to Rome", category="plan", valid_until=START + timedelta(days=3))
        whens = [event.when for event in bank.forecast(365).events]
        assert len(whens) == 7
        assert whens == sorted(whens)

    def test_a_limit_keeps_the_earliest_and_counts_the_rest(self, bank: MemoryBank) -> None:
        """`more` says how many are left out."""
        bank.add("Noah plays the cello")
        found = bank.forecast(365, limit=1)
        assert ([event.what for event in found.events], found.more) == (["endangered"], 2)

    def test_the_longest_forecast(self, opened: Open) -> None:
        """A century on a curve with a heavy tail, at the largest stability: no date overflows."""
        bank = opened()
        touched(bank, bank.add("Noah plays the cello", tier="semantic"), stability=36_500.0)
        assert bank.forecast(36_500).events == ()

    @each_row("days", [0, -1, 36_501, float("nan"), float("inf"), "90", None, True])
    def test_bad_days(self, bank: MemoryBank, days: Any) -> None:
        """A number above 0, at most a century."""
        with pytest.raises(InvalidInput, match="give days, a number above 0 and at most 36,500"):
            bank.forecast(days)

    @each_row("limit", [0, -1, 1.5, "3", None, True])
    def test_bad_limits(self, bank: MemoryBank, limit: Any) -> None:
        """An integer of at least 1."""
        with pytest.raises(InvalidInput, match="limit is"):
            bank.forecast(limit=limit)


def test_nothing_is_changed(bank: MemoryBank, tmp_path: Any) -> None:
    """Reading is free of side effects."""
    bank.add("Noah plays the cello")
    bank.export(tmp_path / "before.jsonl")
    bank.forecast()
    bank.audit()
    bank.tip_of_tongue("cello")
    bank.export(tmp_path / "after.jsonl")
    assert (tmp_path / "before.jsonl").read_text() == (tmp_path / "after.jsonl").read_text()
