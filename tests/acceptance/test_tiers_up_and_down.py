"""V9, "Memory Tier System": decay by tier, promotion, demotion, cold storage, the hot tier, with the preset."""

from collections.abc import Iterator

import pytest

from helpers.dreaming_bank import Home, document, home

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


class TestPromotion:
    """ "Promotion Logic (Episodic → Semantic)": "Three independent rules — any match triggers promotion"."""

    def test_nothing_of_it_is_not_enough(self, v9: Home) -> None:
        """No rule matches: two accesses, useful but new, and one of two that share an entity."""
        ids = [
            v9.know(BOAT, days=6, access_count=2, utility=0.9, entities=(HARBOUR,)),
            v9.know("the harbour is busy", entities=(HARBOUR,)),
        ]
        assert v9.dream("promotion").promoted == 0
        assert {v9.get(memory_id).tier for memory_id in ids} == {"episodic"}


class TestDemotion:
    """ "Demotion Logic (Semantic → Dormant)"."""

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
