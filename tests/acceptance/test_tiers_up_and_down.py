"""V9, "Memory Tier System": decay by tier, promotion, demotion, cold storage, the hot tier, with the preset."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from helpers.dreaming_bank import Home, document, home
from helpers.tables import each_case_of

V9 = document("v9")
BOAT = "the boat leaves at noon"
HARBOUR = "entity://org/harbour"


@pytest.fixture
def v9() -> Iterator[Home]:
    """The document's configuration."""
    with home(V9) as one:
        yield one


class TestDecayByTier:
    """ "PAHF Tier-Based Decay": "The multiplier scales the base decay rate"."""

    @pytest.mark.parametrize(("tier", "left"), [("episodic", 0.5625), ("semantic", 0.81)])
    def test_episodic_memories_decay_three_times_as_fast(
        self, v9: Home, tier: str, left: float
    ) -> None:
        """ "Episodic | 3x", "Semantic | 1x": after S = 5 days (1 + 3/9)^-2 and (1 + 1/9)^-2."""
        assert v9.retention(v9.know(BOAT, days=5, tier=tier)) == pytest.approx(left)

    def test_three_times_the_days_are_one_third_of_the_pace(self, v9: Home) -> None:
        """What an episodic memory loses in 4 days a semantic one loses in 12."""
        fast, slow = v9.know(BOAT, days=4), v9.know(BOAT, days=12, tier="semantic")
        assert v9.retention(fast) == pytest.approx(v9.retention(slow))

    def test_dormant_memories_are_frozen(self, v9: Home) -> None:
        """ "Dormant | N/A | No decay — frozen in cold storage": a year there costs nothing."""
        boat = v9.know(BOAT, days=40, utility=0.1)
        v9.dream("forgetting")
        before = v9.retention(boat)
        v9.clock.advance(days=365)
        v9.dream()
        assert (v9.states(boat), v9.retention(boat)) == (["dormant"], before)

    def test_new_memories_are_episodic(self, v9: Home) -> None:
        """ "Episodic: Default tier for captures"."""
        v9.bank.remember("My boat is called Miso and lies in Lisbon")
        assert {memory.tier for memory in v9.bank.list()} == {"episodic"}

    def test_knowledge_persists(self, v9: Home) -> None:
        """ "Semantic | 1x | Slow decay — proven knowledge persists": from the night of its promotion on."""
        boat, quay = v9.know(BOAT, access_count=3), v9.know("the quay is old")
        v9.dream("promotion")
        v9.clock.advance(days=10)
        assert v9.retention(boat) == pytest.approx(0.6694, abs=5e-5)
        assert v9.retention(quay) == pytest.approx(0.36)


class TestPromotion:
    """ "Promotion Logic (Episodic → Semantic)": "Three independent rules — any match triggers promotion"."""

    @pytest.mark.parametrize(
        ("accesses", "tier"), [(2, "episodic"), (3, "semantic"), (9, "semantic")]
    )
    def test_access_frequency(self, v9: Home, accesses: int, tier: str) -> None:
        """ "Access frequency | accessCount >= 3": at any age."""
        boat = v9.know(BOAT, access_count=accesses)
        assert v9.dream("promotion").promoted == int(tier == "semantic")
        assert v9.get(boat).tier == tier

    @each_case_of("tiers_up_and_down/sustained_utility")
    def test_sustained_utility(self, v9: Home, utility: float, days: float, tier: str) -> None:
        """ "Sustained utility | utility >= 0.7 AND age >= 7 days"."""
        boat = v9.know(BOAT, days=days, utility=utility)
        v9.dream("promotion")
        assert v9.get(boat).tier == tier

    @pytest.mark.parametrize(("count", "tier"), [(2, "episodic"), (3, "semantic")])
    def test_entity_co_occurrence(self, v9: Home, count: int, tier: str) -> None:
        """ "Entity co-occurrence | >= 3 episodic memories share an entity": all of those that share it."""
        ids = [
            v9.know(f"{BOAT} {n}", entities=(HARBOUR, f"entity://org/pier-{n}"))
            for n in range(count)
        ]
        other = v9.know("the quay is old", entities=("entity://org/quay",))
        v9.dream("promotion")
        assert {v9.get(memory_id).tier for memory_id in ids} == {tier}
        assert v9.get(other).tier == "episodic"

    def test_nothing_of_it_is_not_enough(self, v9: Home) -> None:
        """No rule matches: two accesses, useful but new, and one of two that share an entity."""
        ids = [
            v9.know(BOAT, days=6, access_count=2, utility=0.9, entities=(HARBOUR,)),
            v9.know("the harbour is busy", entities=(HARBOUR,)),
        ]
        assert v9.dream("promotion").promoted == 0
        assert {v9.get(memory_id).tier for memory_id in ids} == {"episodic"}

    @pytest.mark.parametrize("flag", ["pinned", "immutable"])
    def test_anchors_stay_where_they_are(self, v9: Home, flag: str) -> None:
        """ "Exemptions: pinned and immutable memories are never promoted (they stay where they are by design)"."""
        marked: dict[str, Any] = {flag: True}
        boat = v9.know(BOAT, days=30, access_count=20, utility=0.9, **marked)
        assert v9.dream("promotion").promoted == 0
        assert v9.get(boat).tier == "episodic"

    def test_promotion_changes_the_tier_alone(self, v9: Home) -> None:
        """The text, its strength and its worth are as they were; the history tells why."""
        boat = v9.know(BOAT, access_count=3)
        before = v9.get(boat)
        v9.dream("promotion")
        after = v9.get(boat)
        assert (after.content, after.stability, after.utility) == (
            before.content,
            before.stability,
            before.utility,
        )
        assert v9.reasons(boat)[-1] == "used or said 3 times or more"


class TestDemotion:
    """ "Demotion Logic (Semantic → Dormant)"."""

    @each_case_of("tiers_up_and_down/idle_and_of_low_utility")
    def test_idle_and_of_low_utility(
        self, v9: Home, idle: float, utility: float, state: str
    ) -> None:
        """ "Idle period >= 60 days since last access"; "< 0.2 utility score"; "Both required"."""
        boat = v9.know(BOAT, days=idle, tier="semantic", utility=utility)
        report = v9.dream("promotion")
        assert (v9.states(boat), report.demoted) == ([state], int(state == "dormant"))

    def test_idle_counts_from_the_last_access(self, v9: Home) -> None:
        """ "since last access": a year old, used last month."""
        used = v9.clock() - timedelta(days=30)
        boat = v9.know(BOAT, days=365, tier="semantic", utility=0.1, last_reinforced_at=used)
        v9.dream("promotion")
        assert v9.states(boat) == ["active"]

    @pytest.mark.parametrize("flag", ["pinned", "immutable", "flashbulb"])
    def test_exemptions(self, v9: Home, flag: str) -> None:
        """ "pinned, immutable, and flashbulb memories are immune to demotion"."""
        marked: dict[str, Any] = {flag: True}
        boat = v9.know(BOAT, days=365, tier="semantic", utility=0.0, **marked)
        assert (v9.dream("promotion").demoted, v9.states(boat)) == (0, ["active"])

    def test_episodic_memories_are_not_demoted(self, v9: Home) -> None:
        """ "Semantic → Dormant": what is episodic is left to strategic forgetting."""
        boat = v9.know(BOAT, days=365, utility=0.1)
        v9.dream("promotion")
        assert v9.states(boat) == ["active"]

    def test_it_can_be_reactivated(self, v9: Home) -> None:
        """ "Dormant (cold storage, reactivatable)"; still knowledge, and found by deep recall until then."""
        boat = v9.know(BOAT, days=60, tier="semantic", utility=0.1)
        v9.dream("promotion")
        assert (v9.texts("boat"), v9.texts("boat", deep=True)) == ([], [BOAT])
        restored = v9.bank.restore(boat)
        assert (restored.state, restored.tier) == ("active", "semantic")


class TestALife:
    """ "organizes knowledge into tiers": one memory through all of them, by use and time alone."""

    def test_from_capture_to_cold_storage(self, v9: Home) -> None:
        """Captured, used three times, promoted, ignored for good, demoted after 60 days."""
        boat = v9.know(BOAT)
        found = [(v9.get(boat).tier, v9.states(boat))]
        for _ in range(3):
            v9.clock.advance(days=1)
            v9.use(boat)
        v9.dream("promotion")
        found.append((v9.get(boat).tier, v9.states(boat)))
        v9.ignore(boat, times=12)
        v9.clock.advance(days=59)
        v9.dream("promotion")
        found.append((v9.get(boat).tier, v9.states(boat)))
        v9.clock.advance(days=1)
        v9.dream("promotion")
        found.append((v9.get(boat).tier, v9.states(boat)))
        assert v9.get(boat).utility < 0.2
        assert found == [
            ("episodic", ["active"]),
            ("semantic", ["active"]),
            ("semantic", ["active"]),
            ("semantic", ["dormant"]),
        ]


class TestHotTier:
    """ "the top semantic memories that are always injected"; each filter is in `test_v9_injection`."""

    def test_use_alone_leads_there(self, v9: Home) -> None:
        """ "Utility >= 0.8, Access count >= 10": ten uses promote a memory and lift its utility to 0.826."""
        boat = v9.know(BOAT)
        v9.know("the quay is old")
        for _ in range(10):
            v9.use(boat)
        v9.dream()
        v9.engine.services.hot.forget(
            "alice"
        )  # as after the five minutes for which a choice is kept
        memory = v9.get(boat)
        assert (memory.tier, memory.access_count) == ("semantic", 10)
        assert memory.utility == pytest.approx(0.8257, abs=5e-5)
        assert [one.id for one in v9.ask("quay").hot] == [boat]

    def test_what_the_night_put_away_is_hot_no_more(self, v9: Home) -> None:
        """ "State | active": not even within the five minutes that the choice is kept."""
        boat = v9.know(BOAT, days=2, utility=0.9, access_count=20)
        newer = v9.know("the boat leaves at dusk")
        assert [one.id for one in v9.ask("quay").hot] == [boat]
        v9.link(newer, boat, "contradicts")
        v9.dream("conflicts")
        assert v9.ask("quay").hot == ()
