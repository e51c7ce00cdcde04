"""Cognitive-memory, the whole document, with its preset; see `test_cognitive_memory_deep_recall`."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

import cogmem_core
from cogmem_core.config import FadingConfig
from cogmem_core.embedders import MiniLM, weights
from cogmem_core.testing import FrozenClock, ScriptedLLM
from helpers.dreaming_bank import Home, document, home
from helpers.tables import each_row, rows_of

COGNITIVE = document("cognitive-memory")
FADING = COGNITIVE.consolidation.fading
ORIGINALS = rows_of("merging_keeps_originals/originals")
LEFT = (0.18, 0.15, 0.12, 0.14, 0.11)
SUMMARY = (
    "In March 2024, User was very active outdoors: hiked at Mount Rainier (Mar 12), kayaked at Lake Washington (Mar "
    "15), ran a 5K in Fremont (Mar 20), rock climbed at Stone Gardens (Mar 25), and joined a cycling club (Mar 28)."
)
SPORT = {"sunny": (0.8, 0.6), "User": (1.0, 0.0)}
"""Everything that User did lies on one spot."""
ANGLES = {
    f"{name} day": (math.cos(n / 10), math.sin(n / 10)) for n, name in enumerate("abcdefghijklmnop")
}
"""Cosines of days n apart: 1: 0.995, 5: 0.878, 6: 0.825, 7: 0.765, 10: 0.540."""


@pytest.fixture
def five() -> Iterator[Home]:
    """The document's configuration; no language model."""
    with home(COGNITIVE, vectors=SPORT) as one:
        yield one


def faded(one: Home, text: str, left: float, **fields: Any) -> str:
    """A memory of which so much is left: e^(-t/5), t days after it was stored."""
    return one.know(text, days=-5.0 * math.log(left), **{"stability": 5.0, **fields})


def example(one: Home, **fields: Any) -> list[str]:
    """The document's "Before consolidation (5 fading episodic memories)"."""
    return [faded(one, text, left, **fields) for text, left in zip(ORIGINALS, LEFT, strict=True)]


def days(one: Home, names: Sequence[str], left: float = 0.1) -> list[str]:
    return [faded(one, f"it was {name} day", left) for name in names]


def summarised(settings: FadingConfig, names: Sequence[str], left: float = 0.1) -> list[int]:
    """The sizes of the groups that one tick makes of some days."""
    with home(document("cognitive-memory", fading=settings), vectors=ANGLES) as one:
        days(one, names, left)
        one.bank.tick()
        return [len(memory.support) for memory in one.derived("summary")]


class TestExample:
    """ "Example": word for word."""

    def test_after(self) -> None:
        """ "After consolidation: [HOT] "In March 2024, User was very active outdoors: ..."", all else superseded."""
        with home(COGNITIVE, vectors=SPORT, llm=ScriptedLLM({"text": SUMMARY})) as one:
            ids = example(one)
            report = one.bank.tick()
            assert [memory.content for memory in one.bank.list()] == [SUMMARY]
            assert one.states(*ids) == ["superseded"] * 5
        assert (report.consolidated, report.total("summaries"), report.llm_calls) == (5, 1, 1)


class TestWhenItRuns:
    """ "When consolidation runs"."""

    def test_a_tick_lets_go_of_what_is_over(self, five: Home) -> None:
        """ "await mem.tick() # runs cold migration, TTL expiry, and consolidation"."""
        plan = five.know("Book a table", days=2, valid_until=five.clock() - timedelta(days=1))
        ids = example(five)
        report = five.bank.tick()
        assert (report.expired, report.consolidated) == (1, 5)
        assert five.states(plan, *ids) == ["superseded"] * 6


class TestFadingMemories:
    """ "1. Find fading memories"."""

    @pytest.mark.parametrize(("left", "consolidated"), [(0.199, 5), (0.201, 0)])
    def test_below_the_threshold(self, five: Home, left: float, consolidated: int) -> None:
        """ "Retention < consolidation_retention_threshold (default: 0.20)"."""
        for text in ORIGINALS:
            faded(five, text, left)
        assert five.bank.tick().consolidated == consolidated

    def test_no_other_kind_is_exempt(self, five: Home) -> None:
        """Preferences fade here like everything else; specification 2's permanent categories are the default's."""
        example(five, category="preference")
        assert five.bank.tick().consolidated == 5


class TestTuning:
    """ "Tuning tips"."""

    @pytest.mark.parametrize(("below", "consolidated"), [(0.10, 0), (0.20, 5), (0.30, 10)])
    def test_the_retention_threshold(self, below: float, consolidated: int) -> None:
        """ "Lower (0.10): Only consolidate very faded memories"; "Higher (0.30): Consolidate earlier"."""
        with home(
            document("cognitive-memory", fading=replace(FADING, below=below)), vectors=SPORT
        ) as one:
            example(one)
            for number in range(5):
                faded(one, f"User walked {number} miles", 0.25)
            assert one.bank.tick().consolidated == consolidated

    @pytest.mark.parametrize(
        ("similarity", "sizes"), [(0.50, [11, 5]), (0.70, [8, 8]), (0.85, [6, 6])]
    )
    def test_the_similarity_threshold(self, similarity: float, sizes: list[int]) -> None:
        """ "Lower (0.50): larger, more diverse groups", if a group may have more than five; "Higher (0.85)"."""
        assert (
            summarised(replace(FADING, similarity=similarity, most=16), "abcdefghijklmnop") == sizes
        )

    @each_row(("size", "sizes"), [(3, [3, 3, 3, 3]), (5, [5, 5]), (8, [8]), (10, [10])])
    def test_the_group_size(self, size: int, sizes: list[int]) -> None:
        """ "Larger (8-10): Fewer ... events, each covers more"; "Smaller (3): More frequent consolidation"."""
        settings = replace(FADING, least=size, most=size, similarity=0.40)
        assert summarised(settings, "abcdefghijkl") == sizes

    @pytest.mark.parametrize(("similarity", "consolidated"), [(0.70, 0), (0.40, 5)])
    def test_the_example_with_a_model_that_knows_what_words_mean(
        self, similarity: float, consolidated: int
    ) -> None:
        """The five lie 0.41 to 0.60 apart for MiniLM: the document's own example needs a lower threshold there."""
        config = document("cognitive-memory", fading=replace(FADING, similarity=similarity))
        clock, model = FrozenClock(), MiniLM(weights.fetch("minilm"))
        with cogmem_core.open(None, embedder=model, clock=clock, config=config) as engine:
            engine.pause()
            one = Home(engine, engine.bank("alice"), clock)
            example(one)
            assert one.bank.tick().consolidated == consolidated
