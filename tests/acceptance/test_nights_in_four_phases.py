"""V9, the dream cycle: eight steps, four phases, category summaries, with the preset of the document.

Forgetting, redundancy and BCM are in `test_v9_forgetting`, promotion and demotion in `test_v9_tiers`,
utility in `test_v9_utility_and_strength`.
"""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

import pytest

from cogmem_core.llm import LLMUnavailable
from cogmem_core.testing import ScriptedLLM
from helpers.dreaming_bank import Home, document, home
from helpers.tables import each_row_of

V9 = document("v9")
THEME, PATTERN, SUMMARY = (
    "the boats belong to the harbour",
    "the boats usually leave at noon",
    "boats, all in the harbour",
)


@pytest.fixture
def v9() -> Iterator[Home]:
    """The document's configuration, without a language model."""
    with home(V9) as one:
        yield one


def boats(one: Home, count: int, *, entity: str = "", **fields: Any) -> list[str]:
    """Memories about one thing, by default of one category and importance."""
    marks = {"entities": (entity,)} if entity else {}
    return [
        one.know(f"the boats of the {entity} harbour leave at noon {n}", **marks, **fields)
        for n in range(count)
    ]


def fleet(one: Home, sizes: Sequence[int]) -> list[list[str]]:
    """Clusters that have nothing in common with each other: neither entity, nor category, nor importance."""
    kinds = [
        ("fact", 0.1),
        ("fact", 0.5),
        ("decision", 0.1),
        ("decision", 0.5),
        ("plan", 0.1),
        ("plan", 0.5),
    ]
    return [
        boats(one, size, entity=f"entity://org/{place}", category=category, importance=importance)
        for place, (size, (category, importance)) in enumerate(zip(sizes, kinds, strict=False))
    ]


class TestTheCycle:
    """ "Periodic memory lifecycle management — 8-step dream cycle", "Extended ... to include" four phases."""

    def test_all_steps_and_phases_are_there(self, v9: Home) -> None:
        """Every one of the document's twelve has its step; specification 6 has the order."""
        named = {
            "Utility Decay": "utility_drift",
            "Rehearsal": "rehearsal",
            "Foresight Expiry": "expiry",
            "Strategic Forgetting": "forgetting",
            "Clustering, LLM Consolidation": "themes",
            "Redundancy Detection": "redundancy",
            "Deep Abstraction": "abstraction",
            "Emotional Consolidation": "emotional",
            "Synaptic Replay": "synaptic_replay",
            "Promotion/Demotion Evaluation": "promotion",
            "Contradiction cleanup": "conflicts",
            "Category Summary System": "category_summaries",
        }
        assert set(named.values()) <= v9.dream().steps.keys()

    def test_a_second_cycle_at_once_finds_nothing(self) -> None:
        """ "each idempotent": not even with a model that always has something to say."""
        with home(V9, llm=ScriptedLLM(default={"text": THEME})) as one:
            fleet(one, (5, 4, 3))
            first, second = one.dream(), one.dream()
        assert (first.derived > 0, second.changes) == (True, ())


class TestRehearsal:
    """ "Rehearsal: Endangered memories" and "Testing Effect Cron"."""

    def test_at_most_fifty_per_cycle(self, v9: Home) -> None:
        """ "Cap: Max 50 memories per cycle to bound compute": of 60 the 50 most endangered ones."""
        v9.clock.advance(days=-20)
        ids = [v9.bank.add(f"note {n}").id for n in range(60)]
        v9.clock.advance(days=20)
        report = v9.dream("rehearsal")
        boosted = [memory_id for memory_id in ids if v9.get(memory_id).stability > 5.0]
        assert (report.total("rehearsed"), len(boosted)) == (50, 50)


class TestForesightExpiry:
    """ "Foresight Expiry: Time-bounded memories past validUntil → superseded"."""

    @pytest.mark.parametrize(
        ("hours", "state"), [(-1, "superseded"), (0, "superseded"), (1, "active")]
    )
    def test_what_is_over_is_superseded(self, v9: Home, hours: int, state: str) -> None:
        """By the engine's clock, also at its last moment."""
        until = v9.clock() + timedelta(hours=hours)
        plan = v9.know("the boat leaves at noon", days=1, category="plan", valid_until=until)
        report = v9.dream()
        assert (v9.states(plan), report.expired) == ([state], int(state == "superseded"))


class TestClusteringAndThemes:
    """ "Clustering" and "LLM Consolidation"."""

    @each_row_of("nights_in_four_phases/by_entity_or_by_category_and_importance")
    def test_by_entity_or_by_category_and_importance(
        self, fields: Sequence[tuple[str, str, float]], themes: int
    ) -> None:
        """ "Group by entity overlap (>=1) or category match + importance proximity (<0.3)", however unlike."""
        apart = {"org/a": (1.0, 0.0, 0.0), "org/b": (0.0, 1.0, 0.0), "org/c": (0.0, 0.0, 1.0)}
        with home(V9, vectors=apart, llm=ScriptedLLM(default={"text": THEME})) as one:
            for name, category, importance in fields:
                boats(
                    one, 1, entity=f"entity://org/{name}", category=category, importance=importance
                )
            assert one.dream("themes").total("themes") == themes


class TestCategorySummaries:
    """ "Auto-generates and maintains per-category summary memories"."""

    def test_errors_do_not_interrupt(self) -> None:
        """ "Fire-and-forget: non-blocking, errors logged but don't interrupt main flow"."""
        with home(V9, llm=ScriptedLLM(default=LLMUnavailable("no network"))) as one:
            boats(one, 10)
            report = one.dream("category_summaries", "promotion")
            failures = [record for record in one.engine.log() if record.get("success") is False]
        assert (report.derived, list(report.steps)) == (0, ["category_summaries", "promotion"])
        assert failures != []
