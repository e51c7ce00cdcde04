"""Step 13 of the dream cycle: insights from what is used together (agentos, derive)."""

from itertools import pairwise
from typing import Any

import pytest

from cogmem_core import Memory, MemoryBank
from cogmem_core.testing import FrozenClock, ScriptedLLM
from unit.helpers.derived_memories import Opener, alive, derived, linked, ran

INSIGHT = "User plans every trail around the weather and the tea afterwards."


def told(text: str = INSIGHT) -> ScriptedLLM:
    return ScriptedLLM(default={"text": text})


def chained(bank: MemoryBank, count: int, *, weight: float = 0.5, **more: Any) -> list[Memory]:
    """Memories of which each was used together with the next one."""
    found = [
        bank.add(f"User plans trail {number} by the weather, then has tea", **more)
        for number in range(count)
    ]
    for one, other in pairwise(found):
        linked(bank, one, other, "co_activated", weight)
    return found


class TestInsights:
    def test_five_memories_used_together_give_an_insight(self, opened: Opener) -> None:
        """Agentos, step 4: "The derived trace has type: semantic and contains the cluster's distilled knowledge"."""
        llm = told()
        bank = opened(llm)
        members = chained(bank, 5)
        report = ran(bank, "insights")
        (insight,) = derived(bank, "insight")

        assert report.steps["insights"].counts == {"derived": 1, "insights": 1}
        assert (insight.content, insight.tier, insight.category, insight.importance) == (
            INSIGHT,
            "semantic",
            "summary",
            0.8,
        )
        assert insight.support == tuple(memory.id for memory in members)
        assert "distilled knowledge" in llm.calls[0].messages[0]["content"]

    def test_schema_instance_edges_lead_to_it(self, opened: Opener) -> None:
        """Agentos, step 4: "SCHEMA_INSTANCE edges connect the original traces to the derived insight"."""
        bank = opened(told())
        members = chained(bank, 5)
        ran(bank, "insights")
        (insight,) = derived(bank, "insight")

        assert {(link.source_id, link.type) for link in bank.relations(insight.id)} == {
            (memory.id, "schema_instance") for memory in members
        }
        assert len(alive(bank)) == 5

    def test_weak_relations_do_not_count(self, opened: Opener) -> None:
        """From 0.2 on: three common uses within a month or so; 0.3 is never reached by three, as the first fades."""
        weak, strong = opened(told()), opened(told())
        chained(weak, 5, weight=0.19)
        chained(strong, 5, weight=0.2)

        assert (ran(weak, "insights").derived, ran(strong, "insights").derived) == (0, 1)

    def test_the_weight_is_that_of_today(self, opened: Opener, clock: FrozenClock) -> None:
        """Co-activation decays lazily, w·exp(-days/90): 0.5 is 0.2012 after 82 days, 0.1990 after 83."""
        bank = opened(told())
        chained(bank, 5)
        clock.advance(days=83)
        assert ran(bank, "insights").changes == ()
        clock.advance(days=-1)

        assert ran(bank, "insights").derived == 1

    def test_a_cluster_has_at_most_twenty(self, opened: Opener) -> None:
        """ "≥ 5 members, ≤ 20": of 21 in a row the first 20, because equal edges come in their order."""
        bank = opened(told())
        chained(bank, 21)
        ran(bank, "insights")

        assert len(derived(bank, "insight")[0].support) == 20

    def test_insights_per_cycle_are_bounded(
        self, opened: Opener, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Agentos: "Guarded by maxDerivedPerCycle (default: 5)"."""
        monkeypatch.setattr("cogmem_core.consolidation.clusters.LEAST_INSIGHT", 2)
        monkeypatch.setattr("cogmem_core.consolidation.clusters.MOST_INSIGHT", 2)
        llm = told()
        bank = opened(llm)
        for _ in range(6):
            chained(bank, 2)

        assert [ran(bank, "insights").derived for _ in range(3)] == [5, 1, 0]
        assert len(llm.calls) == 6

    def test_immutable_members_are_left_out(self, opened: Opener) -> None:
        """Immutable memories are never summarised."""
        bank = opened(told())
        chained(bank, 5, immutable=True)

        assert ran(bank, "insights").changes == ()

    def test_what_has_left_recall_is_left_out(self, opened: Opener) -> None:
        """A forgotten memory in the middle tears the cluster apart."""
        bank = opened(told())
        bank.forget(chained(bank, 7)[3].id)

        assert ran(bank, "insights").changes == ()

    def test_pinned_members_are_welcome(self, opened: Opener) -> None:
        """They stay as they are."""
        bank = opened(told())
        before = chained(bank, 5, pinned=True)
        ran(bank, "insights")

        assert [memory for memory in bank.list() if not memory.support] == before


class TestCycle:
    def test_a_cluster_that_shrank_keeps_its_insight(
        self, opened: Opener, clock: FrozenClock
    ) -> None:
        """Six members, of which the last relation has faded: what is left is part of it."""
        llm = told()
        bank = opened(llm)
        members = chained(bank, 5)
        linked(
            bank, members[-1], bank.add("User plans a trail by the weather"), "co_activated", 0.3
        )
        ran(bank, "insights")
        clock.advance(days=10)

        assert (ran(bank, "insights").changes, len(llm.calls)) == ((), 1)

    def test_insights_of_summaries(
        self, opened: Opener, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """What fading memories were condensed to is used like any other; insights of insights there are none."""
        monkeypatch.setattr("cogmem_core.consolidation.clusters.LEAST_INSIGHT", 2)
        bank = opened(told("User plans trails."))
        for number in range(10):
            bank.add(f"User plans trail {number}")
        clock.advance(days=100)
        ran(bank, "fading")
        linked(bank, *derived(bank, "summary"), "co_activated")
        ran(bank, "insights")
        (insight,) = derived(bank, "insight")
        linked(bank, insight, bank.add("User plans a trail"), "co_activated")

        assert insight.support == tuple(memory.id for memory in derived(bank, "summary"))
        assert ran(bank, "insights").changes == ()
