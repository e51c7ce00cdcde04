"""Agentos, "ConsolidationLoop", sentence by sentence, with the preset of the document."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest

import cogmem_core
from cogmem_core import ConsolidationReport
from cogmem_core.testing import ScriptedLLM
from helpers.dreaming_bank import Home, document, home
from helpers.tables import each_case_of, each_row_of

AGENTOS = document("agentos")
HERON, ROBIN = "the heron nests by the lake", "the robin nests in the old oak"
BIRDS = ("heron", "robin", "stork", "crane", "egret", "eagle", "raven", "finch")
INSIGHT = "the birds all nest near the lake"
NEAR = {"by the lake": (1.0, 0.0), "at the lake": (0.96, 0.28), "near the lake": (0.94, 0.341174)}


@pytest.fixture
def agentos() -> Iterator[Home]:
    """The document's configuration, without a language model."""
    with home(AGENTOS) as one:
        yield one


def flock(one: Home, size: int, offset: int = 0) -> list[str]:
    """Memories of which each was used three times together with the next one."""
    ids = [one.know(f"the {BIRDS[n]} number {n + offset} nests near the lake") for n in range(size)]
    for first, second in pairwise(ids):
        one.link(first, second, "co_activated", 0.3)
    return ids


def counts(report: ConsolidationReport) -> dict[str, int]:
    """The document's `ConsolidationResult`, without the duration."""
    return {name: getattr(report, name) for name in ("pruned", "merged", "derived", "compacted")}


class TestTheCycle:
    """ "The consolidation pipeline runs 6 ordered steps in a single cycle"."""

    def test_the_steps_run_in_one_cycle(self, agentos: Home) -> None:
        """Strengthen, merge, prune, derive, compact, re-index: specification 6 has the order."""
        report = agentos.dream()
        own = [name for name in report.steps if name not in ("short_term", "cascade")]
        assert own == [
            "synaptic_replay",
            "duplicates",
            "forgetting",
            "insights",
            "promotion",
            "reindex",
        ]

    def test_the_result_counts_what_was_done(self) -> None:
        """ "interface ConsolidationResult": one trace pruned, one merged, one derived, one compacted, and how long."""
        with home(AGENTOS, llm=ScriptedLLM({"text": INSIGHT})) as one:
            flock(one, 5)
            one.know("the door is green", days=30)
            one.know("the pot is full")
            one.know("the pot is full")
            one.know("the owl sleeps all day", days=8, retrieval_count=3)
            report = one.dream()
        assert counts(report) == {"pruned": 1, "merged": 1, "derived": 1, "compacted": 1}
        assert report.duration_ms > 0.0

    def test_a_second_run_during_a_cycle_returns_zero_counts(self, agentos: Home) -> None:
        """ "if run() is called while a cycle is in progress, it returns immediately with zero counts"."""
        gone = agentos.know(HERON, days=30)
        inner: list[ConsolidationReport] = []

        def call_again(_step: str, done: int, _total: int) -> None:
            if done == 0:
                inner.append(agentos.bank.consolidate())

        report = agentos.bank.consolidate(progress=call_again)
        assert counts(inner[0]) == {"pruned": 0, "merged": 0, "derived": 0, "compacted": 0}
        assert (inner[0].run_id, inner[0].reason) == (
            "",
            "another cycle is running on this namespace",
        )
        assert (report.pruned, agentos.states(gone)) == (1, ["dormant"])

    def test_only_the_derive_step_needs_a_model(self, agentos: Home) -> None:
        """ "LLM Required: Only for the derive step": without one it is the only step that says so."""
        flock(agentos, 5)
        agentos.know(HERON, days=30)
        report = agentos.dream()
        unable = {
            n for n, step in report.steps.items() if step.note == "skipped: no language model"
        }
        assert unable == {"insights"}
        assert report.pruned == 1

    def test_a_cycle_takes_500_traces_at_most(self, agentos: Home) -> None:
        """ "maxTracesPerCycle | 500 | Max traces processed per cycle": the 501st waits for the next one."""
        agentos.clock.advance(days=-30)
        for number in range(501):
            agentos.bank.add(f"note {number}")
        agentos.clock.advance(days=30)
        assert [agentos.dream("forgetting").pruned for _ in range(3)] == [500, 1, 0]


class TestPrune:
    """ "Step 1: Prune"."""

    @pytest.mark.parametrize(
        ("days", "left"), [(0.0, 1.0), (5.0, 0.3679), (10.0, 0.1353), (14.979, 0.05)]
    )
    def test_strength_decays_by_ebbinghaus(self, agentos: Home, days: float, left: float) -> None:
        """ "S(t) = S0 * e^(-dt / stability)": a fact of importance 0.5 has a stability of 5 days."""
        assert agentos.retention(agentos.know(HERON, days=days)) == pytest.approx(left, abs=5e-5)

    @pytest.mark.parametrize(("days", "state"), [(14.97, "active"), (14.99, "dormant")])
    def test_what_has_decayed_below_the_threshold_goes(
        self, agentos: Home, days: float, state: str
    ) -> None:
        """ "If S(t) < pruneThreshold", "default: 0.05"."""
        heron = agentos.know(HERON, days=days)
        agentos.dream()
        assert agentos.states(heron) == [state]

    @pytest.mark.parametrize(
        "category", ["fact", "preference", "entity", "correction", "procedure"]
    )
    def test_no_category_is_spared(self, agentos: Home, category: str) -> None:
        """The document knows no permanent categories; after 30 days at a stability of 5 the strength is 0.0025."""
        heron = agentos.know(HERON, days=30, category=category, stability=5.0)
        agentos.dream()
        assert agentos.states(heron) == ["dormant"]

    def test_pruning_is_a_soft_delete(self, agentos: Home) -> None:
        """ "Soft-delete traces": out of recall, and restored with all that it was."""
        heron = agentos.know(HERON, days=30, tags=("birds",))
        agentos.dream()
        assert (agentos.texts("heron"), agentos.texts("heron", deep=True)) == ([], [HERON])
        restored = agentos.bank.restore(heron)
        assert (restored.state, restored.content, restored.tags) == ("active", HERON, ("birds",))

    @pytest.mark.parametrize(
        ("intensity", "state"), [(0.3, "dormant"), (0.31, "active"), (1.0, "active")]
    )
    def test_emotional_memories_are_protected(
        self, agentos: Home, intensity: float, state: str
    ) -> None:
        """ "Emotional memories (intensity > 0.3) are protected from pruning regardless of strength"."""
        heron = agentos.know(HERON, days=1_000, intensity=intensity)
        agentos.dream()
        assert agentos.states(heron) == [state]

    def test_the_threshold_is_an_option(self) -> None:
        """ "consolidation.pruneThreshold": at 0.2 a memory goes that is 8.1 days old, e^(-8.1/5) = 0.198."""
        for below, state in ((0.05, "active"), (0.2, "dormant")):
            rules = replace(AGENTOS.consolidation.forgetting, below=below)
            with home(document("agentos", forgetting=rules)) as one:
                heron = one.know(HERON, days=8.1)
                one.dream()
                assert one.states(heron) == [state]


class TestMerge:
    """ "Step 2: Merge"."""

    @pytest.mark.parametrize(("place", "merged"), [("at the lake", 1), ("near the lake", 0)])
    def test_near_identical_traces_are_merged(self, place: str, merged: int) -> None:
        """ "Embedding cosine similarity | Default 0.95": 0.96 is enough, 0.94 is not."""
        with home(AGENTOS, vectors=NEAR) as one:
            one.know("the heron nests by the lake", days=1)
            one.know(f"the heron nests {place}")
            assert one.dream().merged == merged

    def test_the_newer_content_is_kept_and_the_older_refers_to_it(self) -> None:
        """ "The newer trace's content is kept"; "soft-deleted with a reference to the survivor"."""
        with home(AGENTOS, vectors=NEAR) as one:
            older = one.know("the heron nests by the lake", days=1)
            newer = one.know("the heron nests at the lake")
            one.dream()
            assert (one.get(newer).state, one.get(newer).content) == (
                "active",
                "the heron nests at the lake",
            )
            gone = one.get(older)
        assert (gone.state, gone.superseded_by) == ("superseded", newer)
        assert gone.content == "the heron nests by the lake"

    def test_tags_are_united(self) -> None:
        """ "Tags from both traces are unioned"."""
        with home(AGENTOS, vectors=NEAR) as one:
            one.know("the heron nests by the lake", days=1, tags=("birds", "lake"))
            newer = one.know("the heron nests at the lake", tags=("lake", "summer"))
            one.dream()
            assert set(one.get(newer).tags) == {"birds", "lake", "summer"}

    def test_without_embeddings_hashes_are_compared(self) -> None:
        """ "Exact content-hash comparison | Fallback when no embeddings | SHA-256 match"."""
        with home(AGENTOS, vectors={"no text has this": (1.0, 0.0)}) as one:
            same = [
                one.know("The heron nests by the lake", days=1),
                one.know("the heron  nests by the lake"),
            ]
            other = one.know("the heron nests at the lake")
            report = one.dream()
            assert (report.merged, one.states(*same, other)) == (
                1,
                ["superseded", "active", "active"],
            )


class TestStrengthen:
    """ "Step 3: Strengthen"."""

    def test_the_night_records_what_was_used_together(self, agentos: Home) -> None:
        """ "Read retrieval-feedback co-usage signals ... and record Hebbian co-activation edges"."""
        heron, robin = agentos.know(HERON), agentos.know(ROBIN)
        agentos.use(heron, robin)
        assert agentos.links("co_activated") == []
        assert agentos.dream().strengthened == 1
        (edge,) = agentos.links("co_activated")
        assert ({edge.source_id, edge.target_id}, edge.weight) == (
            {heron, robin},
            pytest.approx(0.1),
        )

    @pytest.mark.parametrize(("times", "weight"), [(3, 0.3), (12, 1.0)])
    def test_the_learning_rate_tells_how_quickly_edges_grow(
        self, times: int, weight: float
    ) -> None:
        """ "The learning rate (default 0.1) controls how quickly edge weights grow": each common use, at most 1."""
        learning = cogmem_core.config.FeedbackConfig(bind_at_once=False)
        with home(
            cogmem_core.Config(
                strength=AGENTOS.strength, feedback=learning, consolidation=AGENTOS.consolidation
            )
        ) as one:
            one.use(one.know(HERON), one.know(ROBIN), times=times)
            one.dream()
            assert [edge.weight for edge in one.links("co_activated")] == pytest.approx([weight])

    def test_feedback_strengthens_once(self, agentos: Home) -> None:
        """One use is one firing, however many nights follow."""
        agentos.use(agentos.know(HERON), agentos.know(ROBIN))
        assert [agentos.dream().strengthened for _ in range(3)] == [1, 0, 0]


class TestDerive:
    """ "Step 4: Derive (LLM-backed)"."""

    @pytest.mark.parametrize(("size", "derived"), [(4, 0), (5, 1)])
    def test_a_cluster_has_five_members_at_least(self, size: int, derived: int) -> None:
        """ "minimum cluster size: 5"; "For each cluster, invoke an LLM to synthesise a higher-level insight trace"."""
        with home(AGENTOS, llm=ScriptedLLM({"text": INSIGHT})) as one:
            flock(one, size)
            report = one.dream()
            assert (report.derived, report.llm_calls) == (derived, derived)
            assert [memory.content for memory in one.derived("insight")] == [INSIGHT] * derived

    def test_the_insight_is_semantic_and_its_originals_lead_to_it(self) -> None:
        """ "The derived trace has type: 'semantic'"; "SCHEMA_INSTANCE edges connect the original traces to" it."""
        with home(AGENTOS, llm=ScriptedLLM({"text": INSIGHT})) as one:
            ids = flock(one, 5)
            one.dream()
            (insight,) = one.derived("insight")
            assert insight.tier == "semantic"
            edges = {(edge.source_id, edge.target_id) for edge in one.links("schema_instance")}
            assert edges == {(memory_id, insight.id) for memory_id in ids}
            assert one.states(*ids) == ["active"] * 5

    def test_five_are_derived_per_cycle(self) -> None:
        """ "Guarded by maxDerivedPerCycle (default: 5) to prevent unbounded graph growth": of six clusters five."""
        with home(AGENTOS, llm=ScriptedLLM(default={"text": INSIGHT})) as one:
            for cluster in range(6):
                flock(one, 5, offset=100 * cluster)
            assert [one.dream().derived for _ in range(3)] == [5, 1, 0]

    def test_it_is_skipped_without_a_model(self, agentos: Home) -> None:
        """ "Skipped entirely when no llmInvoker function is provided"."""
        flock(agentos, 5)
        report = agentos.dream()
        assert (report.derived, report.steps["insights"].note) == (0, "skipped: no language model")

    def test_it_can_be_switched_off(self) -> None:
        """ "consolidation.deriveInsights | Whether to synthesise insight traces from clusters"."""
        steps = tuple(name for name in AGENTOS.consolidation.steps if name != "insights")
        with home(
            document("agentos", steps=steps), llm=ScriptedLLM(default={"text": INSIGHT})
        ) as one:
            flock(one, 5)
            report = one.dream()
        assert (report.derived, report.llm_calls) == (0, 0)


class TestCompact:
    """ "Step 5: Compact"."""

    @each_case_of("consolidation_loop/old_and_often_retrieved_traces_become_semantic")
    def test_old_and_often_retrieved_traces_become_semantic(
        self, agentos: Home, days: float, retrievals: int, tier: str
    ) -> None:
        """ "Age | > 7 days (604,800,000 ms)"; "Retrieval count | >= 3"."""
        heron = agentos.know(HERON, days=days, retrieval_count=retrievals)
        report = agentos.dream()
        assert (agentos.get(heron).tier, report.compacted) == (tier, int(tier == "semantic"))

    def test_content_is_kept(self, agentos: Home) -> None:
        """ "Compacted traces keep their content but change type from episodic to semantic"."""
        heron = agentos.know(HERON, days=8, retrieval_count=3)
        before = agentos.get(heron)
        agentos.dream()
        after = agentos.get(heron)
        assert (before.tier, after.tier) == ("episodic", "semantic")
        assert (after.content, after.version, after.stability) == (
            before.content,
            before.version,
            before.stability,
        )

    def test_nothing_is_demoted_again(self, agentos: Home) -> None:
        """The document knows one direction only: a semantic trace of no use that is strong enough stays."""
        heron = agentos.know(HERON, days=90, tier="semantic", utility=0.0, stability=365.0)
        assert (agentos.dream().demoted, agentos.states(heron)) == (0, ["active"])


class TestReindex:
    """ "Step 6: Re-index"."""

    def test_words_find_what_is_left_and_nothing_else(self, agentos: Home) -> None:
        """ "Rebuild the FTS5 full-text search index": as the table is after the cycle."""
        agentos.know(HERON, days=30)
        agentos.know(ROBIN)
        assert set(agentos.texts("heron robin")) == {HERON, ROBIN}
        agentos.dream()
        assert agentos.texts("heron robin") == [ROBIN]

    def test_the_run_is_logged_with_counts_and_duration(self, agentos: Home) -> None:
        """ "log the consolidation run to the consolidation_log table with counts and duration"."""
        agentos.know(HERON, days=30)
        report = agentos.dream()
        (run,) = agentos.bank.consolidation_runs()
        assert (run.id, run.cause, run.state) == (report.run_id, "manual", "done")
        assert run.report["steps"]["forgetting"]["counts"] == {"pruned": 1, "retention": 1}
        assert run.report["duration_ms"] == report.duration_ms

    def test_health_shows_the_last_run(self, agentos: Home) -> None:
        """ "health # Shows last consolidation timestamp + stats"."""
        agentos.know(HERON, days=30)
        agentos.dream()
        last = agentos.bank.health()["last_run"]
        assert (last["started_at"], last["counts"]) == (
            "2026-06-01T12:00:00+00:00",
            {"pruned": 1, "retention": 1},
        )


class TestTriggers:
    """ "Trigger Modes"."""

    def due(self, one: Home) -> int:
        found: int = one.engine.health()["consolidation"]["due"]
        return found

    def test_timer(self) -> None:
        """ "'interval' | Runs on a wall-clock interval (default: 1 hour)"; "every: 3_600_000"."""
        with home(cogmem_core.preset("agentos")) as one:
            one.know(HERON)
            one.clock.now += timedelta(milliseconds=3_599_999)
            assert self.due(one) == 0
            one.clock.now += timedelta(milliseconds=1)
            assert self.due(one) == 1

    def test_turns(self) -> None:
        """ "'turns' | Runs after every N conversation turns": 50, as in the example."""
        with home(document("agentos", trigger="turns", every=50)) as one:
            one.bank.remember([f"The heron number {n} nests by the lake" for n in range(49)])
            assert self.due(one) == 0
            one.bank.remember("The robin nests in the old oak")
            assert self.due(one) == 1

    def test_manual(self) -> None:
        """ "'manual' | Only runs when consolidate() is called explicitly"."""
        with home(document("agentos", trigger="manual")) as one:
            heron = one.know(HERON)
            one.clock.advance(days=30)
            assert (self.due(one), one.states(heron)) == (0, ["active"])
            one.dream()
            assert one.states(heron) == ["dormant"]


@each_row_of("consolidation_loop/configuration_reference")
def test_configuration_reference(option: str, default: Any) -> None:
    """ "Configuration Reference"; of maxDerivedPerCycle, 5 in the text and 10 in the table, the text holds."""
    found: Any = cogmem_core.preset("agentos").consolidation
    for name in option.split("."):
        found = getattr(found, name)
    assert found == default
