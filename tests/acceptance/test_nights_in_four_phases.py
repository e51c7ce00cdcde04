"""V9, the dream cycle: eight steps, four phases, category summaries, with the preset of the document.

Forgetting, redundancy and BCM are in `test_v9_forgetting`, promotion and demotion in `test_v9_tiers`,
utility in `test_v9_utility_and_strength`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

import pytest

import cogmem_core
from cogmem_core.llm import LLMUnavailable
from cogmem_core.testing import ScriptedLLM
from helpers.dreaming_bank import Home, document, home
from helpers.tables import each_row

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

    def test_it_runs_daily(self) -> None:
        """ "Dream Cycle: Periodic consolidation via dream command (recommended: daily)"."""
        with home(cogmem_core.preset("v9")) as one:
            one.know("the boats leave at noon")
            found = []
            for hours in (23.9, 0.1):
                one.clock.advance(hours=hours)
                found.append(one.engine.health()["consolidation"]["due"])
        assert found == [0, 1]

    def test_a_second_cycle_at_once_finds_nothing(self) -> None:
        """ "each idempotent": not even with a model that always has something to say."""
        with home(V9, llm=ScriptedLLM(default={"text": THEME})) as one:
            fleet(one, (5, 4, 3))
            first, second = one.dream(), one.dream()
        assert (first.derived > 0, second.changes) == (True, ())

    def test_without_a_model_everything_else_is_done(self, v9: Home) -> None:
        """ "LLM optional everywhere": what needs one says so."""
        boats(v9, 3)
        report = v9.dream()
        skipped = {
            name for name, step in report.steps.items() if step.note == "skipped: no language model"
        }
        assert skipped == {"themes", "abstraction", "category_summaries"}

    def test_a_batch_has_500_memories_at_most(self) -> None:
        """ "B4: Dream cycle OOM | 500 memory cap enforced per consolidation batch"."""
        dream = V9.consolidation
        caps = (
            dream.themes.candidates,
            dream.duplicates.lookups,
            dream.forgetting.limit,
            dream.promotion.limit,
        )
        assert caps == (500, 500, 500, 500)


class TestRehearsal:
    """ "Rehearsal: Endangered memories" and "Testing Effect Cron"."""

    @pytest.mark.parametrize(("days", "stability"), [(12.38, 5.0), (12.39, 7.5)])
    def test_endangered_memories_get_a_boost(self, v9: Home, days: float, stability: float) -> None:
        """ "FSRS R < 0.3 get stability boost (x1.5)": (1 + 3·12.387/45)^-2 = 0.3 for an episodic fact of 5 days."""
        boat = v9.know("the boat leaves at noon", days=days)
        v9.dream()
        assert v9.get(boat).stability == pytest.approx(stability)

    def test_every_endangered_memory_counts(self, v9: Home) -> None:
        """ "Target: Memories with FSRS retention < 0.3": neither importance nor utility is asked for."""
        boat = v9.know(
            "the boat leaves at noon", days=13, stability=5.0, importance=0.0, utility=0.0
        )
        v9.dream("rehearsal")
        assert v9.get(boat).stability == pytest.approx(7.5)

    def test_at_most_fifty_per_cycle(self, v9: Home) -> None:
        """ "Cap: Max 50 memories per cycle to bound compute": of 60 the 50 most endangered ones."""
        v9.clock.advance(days=-20)
        ids = [v9.bank.add(f"note {n}").id for n in range(60)]
        v9.clock.advance(days=20)
        report = v9.dream("rehearsal")
        boosted = [memory_id for memory_id in ids if v9.get(memory_id).stability > 5.0]
        assert (report.total("rehearsed"), len(boosted)) == (50, 50)

    def test_it_is_done_daily(self, v9: Home) -> None:
        """ "Trigger: Cron schedule (configurable, default daily)"."""
        boat, found = v9.know("the boat leaves at noon", days=60), []
        for hours in (0.0, 12.0, 11.9, 0.1):
            v9.clock.advance(hours=hours)
            v9.dream("rehearsal")
            found.append(v9.get(boat).stability)
        assert found == pytest.approx([7.5, 7.5, 7.5, 11.25])


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

    def test_a_passing_fact_is_no_exception(self) -> None:
        """What was only true for the moment is over after two days; the turn in which it was said stays."""
        with home(V9) as one:
            one.bank.remember("I'm at the airport in Lisbon right now", mode="semantic")
            one.clock.advance(hours=47.9)
            assert one.dream().expired == 0
            one.clock.advance(hours=0.1)
            assert one.dream().expired == 1
            assert [(m.content, m.valid_until) for m in one.bank.list()] == [
                ("I'm at the airport in Lisbon right now", None)
            ]


class TestClusteringAndThemes:
    """ "Clustering" and "LLM Consolidation"."""

    @pytest.mark.parametrize(("size", "themes"), [(2, 0), (3, 1)])
    def test_a_cluster_has_three_members_at_least(self, size: int, themes: int) -> None:
        """ "Min 3 memories/cluster"."""
        with home(V9, llm=ScriptedLLM(default={"text": THEME})) as one:
            boats(one, size)
            assert one.dream("themes").total("themes") == themes

    @each_row(
        ("fields", "themes"),
        [
            # (entity, category, importance) of three memories
            ((("a", "fact", 0.1), ("a", "decision", 0.5), ("a", "plan", 0.9)), 1),
            ((("a", "fact", 0.1), ("b", "fact", 0.2), ("c", "fact", 0.3)), 1),
            ((("a", "fact", 0.1), ("b", "fact", 0.5), ("c", "fact", 0.9)), 0),
            ((("a", "fact", 0.1), ("b", "decision", 0.1), ("c", "plan", 0.1)), 0),
        ],
    )
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

    def test_a_theme_takes_the_place_of_its_members(self) -> None:
        """ "create theme-level memories (importance 0.8), mark originals superseded"."""
        with home(V9, llm=ScriptedLLM({"text": THEME})) as one:
            ids = boats(one, 3, importance=0.2)
            one.dream("themes")
            (theme,) = one.derived("theme")
            assert (theme.content, theme.importance) == (THEME, 0.8)
            assert one.states(*ids) == ["superseded"] * 3
            assert {one.get(memory_id).superseded_by for memory_id in ids} == {theme.id}

    def test_five_calls_per_cycle(self) -> None:
        """ "max 5 calls/cycle": of six clusters the sixth waits."""
        with home(V9, llm=ScriptedLLM(default={"text": THEME})) as one:
            fleet(one, (3, 3, 3, 3, 3, 3))
            assert [one.dream("themes").llm_calls for _ in range(3)] == [5, 1, 0]

    def test_immutable_memories_are_not_consolidated(self) -> None:
        """ "immutable: System-protected — cannot be edited, consolidated, or demoted"; a pinned one stays active."""
        with home(V9, llm=ScriptedLLM(default={"text": THEME})) as one:
            loose = boats(one, 3)
            held = [
                one.know("the boats of the harbour stay", **{flag: True})
                for flag in ("pinned", "immutable")
            ]
            one.dream("themes")
            (theme,) = one.derived("theme")
            assert (set(theme.support), one.states(*held)) == (set(loose), ["active", "active"])

    def test_a_model_that_fails_costs_nothing(self) -> None:
        """ "Fire-and-forget ... errors": the rest of the night goes on, the originals stay."""
        with home(V9, llm=ScriptedLLM(default=LLMUnavailable("no network"))) as one:
            ids = boats(one, 3)
            faded = one.know("the gull", days=20, utility=0.5)
            report = one.dream()
            assert (report.derived, one.states(*ids)) == (0, ["active"] * 3)
            assert report.steps["themes"].note == "the language model did not answer"
            assert one.get(faded).stability > 5.0


class TestDeepAbstraction:
    """ "Deep Abstraction"."""

    def test_patterns_of_the_top_three_clusters(self) -> None:
        """ "Extract behavioral patterns from top 3 clusters via LLM. Pattern-level memories at importance 0.85"."""
        with home(V9, llm=ScriptedLLM(default={"text": PATTERN})) as one:
            clusters = fleet(one, (3, 6, 4, 5))
            report = one.dream("abstraction")
            patterns = one.derived("pattern")
        assert (report.total("patterns"), report.llm_calls) == (3, 3)
        assert {(memory.category, memory.importance) for memory in patterns} == {("pattern", 0.85)}
        assert {memory.support for memory in patterns} == {tuple(clusters[n]) for n in (1, 2, 3)}

    def test_clusters_that_became_themes_have_patterns_too(self) -> None:
        """The eighth step follows the sixth: what that superseded is what this looks at."""
        with home(V9, llm=ScriptedLLM({"text": THEME}, {"text": PATTERN})) as one:
            ids = boats(one, 3)
            one.dream("themes", "abstraction")
            (pattern,) = one.derived("pattern")
            assert pattern.support == tuple(ids)


class TestEmotionalConsolidation:
    """ "Emotional Consolidation: Flashbulb memories get stability boost, emotional tags consolidated"."""

    def test_a_flashbulb_lasts_longer_with_every_night(self, v9: Home) -> None:
        """ "flashbulb S x 1.05", once a day; others are left as they are."""
        fire = v9.know("the boat is on fire", flashbulb=True, stability=100.0)
        noon = v9.know("the boat leaves at noon", stability=100.0)
        found = []
        for hours in (0, 1, 23):
            v9.clock.advance(hours=hours)
            v9.dream("emotional")
            found.append((v9.get(fire).stability, v9.get(noon).stability))
        assert found == [(105.0, 100.0), (105.0, 100.0), (pytest.approx(110.25), 100.0)]


class TestSynapticReplay:
    """ "Synaptic Replay: Co-activated memory pairs get strengthened, expired tags cleaned up"."""

    def test_pairs_that_the_day_had_no_room_for_are_strengthened(self, v9: Home) -> None:
        """Nine memories used together are 36 pairs; an answer binds 28 at once, the night the other 8."""
        v9.use(*boats(v9, 9))
        assert len(v9.links("co_activated")) == 28
        assert v9.dream("synaptic_replay").strengthened == 8
        assert {round(edge.weight, 6) for edge in v9.links("co_activated")} == {0.1}
        assert (len(v9.links("co_activated")), v9.dream("synaptic_replay").strengthened) == (36, 0)

    @pytest.mark.parametrize(("hours", "tagged"), [(3.9, True), (4.0, False)])
    def test_expired_tags_are_cleaned_up(self, v9: Home, hours: float, tagged: bool) -> None:
        """ "ttlMs: 4 hours default"; the memory stays as it is."""
        boat = v9.know("the boat leaves at noon")
        v9.tag(boat)
        v9.clock.advance(hours=hours)
        v9.dream("synaptic_replay")
        assert (boat in v9.tags(), v9.states(boat)) == (tagged, ["active"])


class TestCategorySummaries:
    """ "Auto-generates and maintains per-category summary memories"."""

    @pytest.mark.parametrize(("size", "made"), [(9, 0), (10, 1)])
    def test_ten_active_memories_have_one(self, size: int, made: int) -> None:
        """ "Triggered when a category accumulates 10+ active memories"."""
        with home(V9, llm=ScriptedLLM(default={"text": SUMMARY})) as one:
            boats(one, size)
            assert one.dream("category_summaries").total("category_summaries") == made

    def test_it_is_semantic_and_important(self) -> None:
        """ "Summary stored as a semantic-tier memory with importance 0.8"; the memories stay."""
        with home(V9, llm=ScriptedLLM({"text": SUMMARY})) as one:
            ids = boats(one, 10)
            one.dream("category_summaries")
            (summary,) = one.derived("category_summary")
            assert (summary.content, summary.tier, summary.importance) == (SUMMARY, "semantic", 0.8)
            assert one.states(*ids) == ["active"] * 10

    def test_it_is_updated_not_duplicated(self) -> None:
        """ "Summaries are updated (not duplicated) on subsequent triggers"."""
        with home(
            V9, llm=ScriptedLLM({"text": SUMMARY}, {"text": "boats, and boats in the harbour"})
        ) as one:
            boats(one, 10)
            one.dream("category_summaries")
            (first,) = one.derived("category_summary")
            one.know("the boats have a new captain")
            one.clock.advance(seconds=60)
            one.dream("category_summaries")
            (second,) = one.derived("category_summary")
            assert (second.id, second.content) == (first.id, "boats, and boats in the harbour")
            assert [former.content for former in one.bank.history(first.id).versions] == [SUMMARY]

    @pytest.mark.parametrize(("seconds", "calls"), [(59.0, 0), (60.0, 1)])
    def test_it_is_debounced(self, seconds: float, calls: int) -> None:
        """ "Debounced: 60-second cooldown per category to prevent LLM call storms"."""
        with home(V9, llm=ScriptedLLM(default={"text": SUMMARY})) as one:
            boats(one, 10)
            one.dream("category_summaries")
            one.know("the boats have a new captain")
            one.clock.advance(seconds=seconds)
            assert one.dream("category_summaries").llm_calls == calls

    def test_errors_do_not_interrupt(self) -> None:
        """ "Fire-and-forget: non-blocking, errors logged but don't interrupt main flow"."""
        with home(V9, llm=ScriptedLLM(default=LLMUnavailable("no network"))) as one:
            boats(one, 10)
            report = one.dream("category_summaries", "promotion")
            failures = [record for record in one.engine.log() if record.get("success") is False]
        assert (report.derived, list(report.steps)) == (0, ["category_summaries", "promotion"])
        assert failures != []
