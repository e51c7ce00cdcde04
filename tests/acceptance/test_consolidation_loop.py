"""Agentos, "ConsolidationLoop", sentence by sentence, with the preset of the document."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

import cogmem_core
from cogmem_core import ConsolidationReport
from cogmem_core.testing import ScriptedLLM
from helpers.dreaming_bank import Home, document, home
from helpers.tables import each_row_of

AGENTOS = document("agentos")
HERON, ROBIN = "the heron nests by the lake", "the robin nests in the old oak"
BIRDS = ("heron", "robin", "stork", "crane", "egret", "eagle", "raven", "finch")
INSIGHT = "the birds all nest near the lake"


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
        "category", ["fact", "preference", "entity", "correction", "procedure"]
    )
    def test_no_category_is_spared(self, agentos: Home, category: str) -> None:
        """The document knows no permanent categories; after 30 days at a stability of 5 the strength is 0.0025."""
        heron = agentos.know(HERON, days=30, category=category, stability=5.0)
        agentos.dream()
        assert agentos.states(heron) == ["dormant"]


class TestMerge:
    """ "Step 2: Merge"."""

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


class TestCompact:
    """ "Step 5: Compact"."""

    def test_nothing_is_demoted_again(self, agentos: Home) -> None:
        """The document knows one direction only: a semantic trace of no use that is strong enough stays."""
        heron = agentos.know(HERON, days=90, tier="semantic", utility=0.0, stability=365.0)
        assert (agentos.dream().demoted, agentos.states(heron)) == (0, ["active"])


@each_row_of("consolidation_loop/configuration_reference")
def test_configuration_reference(option: str, default: Any) -> None:
    """ "Configuration Reference"; of maxDerivedPerCycle, 5 in the text and 10 in the table, the text holds."""
    found: Any = cogmem_core.preset("agentos").consolidation
    for name in option.split("."):
        found = getattr(found, name)
    assert found == default
