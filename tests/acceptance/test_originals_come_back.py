"""Cognitive-memory, "Reversibility": the originals of a summary, by links, by deep recall, by ids; and undone."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

import cogmem_core
from cogmem_core import Config
from cogmem_core.embedders import MiniLM, weights
from cogmem_core.testing import FrozenClock
from helpers.exact_memories import Shelf, retrieval, shelf

HIKED = "User went hiking at Mount Rainier on March 12"
ORIGINALS = (
    HIKED,
    "User went kayaking at Lake Washington on March 15",
    "User ran a 5K in Fremont on March 20",
    "User went rock climbing at Stone Gardens on March 25",
    "User joined a cycling club on March 28",
)
SUMMARY = "In March User was very active outdoors: hiking, kayaking, running, climbing, cycling"
AXES = {
    "outdoors": (1.0, 0.0, 0.0),
    "went": (0.8, 0.6, 0.0),
    "sport": (1.0, 0.0, 0.0),
    "Lisbon": (0.0, 0.0, 1.0),
}


@dataclass(frozen=True)
class Consolidated:
    """Five originals in cold storage, and the summary that took their place."""

    shelf: Shelf
    summary: str
    originals: tuple[str, ...]

    def found(self, query: str, **more: Any) -> set[str]:
        """The ids of what a question finds."""
        return {item.memory.id for item in self.shelf.ask(query, **more).results}


def consolidate(one: Shelf) -> Consolidated:
    """What consolidation leaves: "marked superseded, superseded_by, moved to cold storage", links of weight 0.8."""
    originals = tuple(one.know(text) for text in ORIGINALS)
    summary = one.know(SUMMARY, category="summary", tier="semantic", support=originals)
    for original in originals:
        one.retire(original, "superseded", superseded_by=summary)
        one.link(summary, original, "summarizes", 0.8)
    return Consolidated(one, summary, originals)


@pytest.fixture
def march() -> Iterator[Consolidated]:
    """By meaning and by words."""
    with shelf(retrieval(Config(), mmr_lambda=1.0), AXES) as one:
        yield consolidate(one)


class TestInPlaceOfTheOriginals:
    """ "the summary takes their place"."""

    def test_normal_recall_finds_the_summary_alone(self, march: Consolidated) -> None:
        """Five fading memories are one."""
        for query in ("sport", "Where did User go hiking?", "notes on what User went for"):
            assert march.found(query) == {march.summary}


class TestByLinks:
    """ "Association links from the summary (weight 0.8)"."""

    def test_deep_recall_follows_them(self) -> None:
        """What neither words nor meaning find is reached from the summary."""
        with shelf(retrieval(Config(), mmr_lambda=1.0, pool=1), AXES) as one:
            for number in range(20):
                one.know(f"Lisbon {number}")
            made = consolidate(one)
            told = one.ask("outdoors", k=3, deep=True).missed(made.originals[2])
        assert "no list brought it in" not in told


class TestDeepRecall:
    """ "Deep recall mode during search"."""

    def test_it_finds_the_originals_beside_the_summary(self, march: Consolidated) -> None:
        """ "accessible via deep recall"."""
        assert march.found("sport", deep=True) == {march.summary, *march.originals}

    def test_by_their_words(self, march: Consolidated) -> None:
        """A question without a vector of its own: "Fremont" stands in one of them."""
        item = march.shelf.item("Fremont", march.originals[2], deep=True)
        assert (item.content, item.found_by) == (
            "User ran a 5K in Fremont on March 20",
            {"lexical": 1},
        )

    @pytest.mark.parametrize("state", ["forgotten", "quarantined"])
    def test_what_was_forgotten_or_locked_away_is_not(
        self, march: Consolidated, state: str
    ) -> None:
        """Deep is not everything: a person's `forget` holds."""
        gone = march.shelf.know("User went sailing")
        march.shelf.retire(gone, state)
        assert gone not in march.found("sport sailing", deep=True)

    def test_filters_hold_there_as_well(self, march: Consolidated) -> None:
        """Only facts, only of one tag: the cold ones are no exception."""
        assert march.found("sport", deep=True, categories=["summary"]) == {march.summary}
        assert march.found("sport", deep=True, categories=["fact"]) == set(march.originals)

    def test_a_detail_that_the_summary_lost_is_found(self) -> None:
        """What deep recall is for, with words alone and the default floor."""
        with shelf() as one:
            consolidate(one)
            assert (
                one.bank.recall("User joined a cycling club on March 28").results[0].content
                == SUMMARY
            )
            found = one.bank.recall("User joined a cycling club on March 28", deep=True)
        assert "User joined a cycling club on March 28" in [item.content for item in found.results]


class TestById:
    """ "Direct ID lookup via adapter.get()"."""

    def test_why_it_is_not_in_an_answer_is_told(self, march: Consolidated) -> None:
        """With the way to it."""
        told = march.shelf.ask("sport").missed(march.originals[0])
        assert (
            f"it was superseded by {march.summary}; deep recall or mode='timeline' shows it" in told
        )


class TestUndone:
    """ "consolidation can be effectively "undone" by migrating originals back to hot storage"."""

    def test_a_restored_original_is_recalled_as_before(self, march: Consolidated) -> None:
        """By words and by meaning, at full score, without a successor."""
        original = march.originals[0]
        memory = march.shelf.bank.restore(original)
        assert (memory.state, memory.superseded_by, memory.content) == ("active", None, HIKED)
        assert march.found("sport") == {march.summary, original}
        assert "cold" not in march.shelf.item("Mount Rainier", original).signals

    def test_all_of_them(self, march: Consolidated) -> None:
        """And the summary is there as long as nobody forgets it."""
        for original in march.originals:
            march.shelf.bank.restore(original)
        assert march.found("sport") == {march.summary, *march.originals}
        march.shelf.bank.forget(march.summary)
        assert march.found("sport") == set(march.originals)

    def test_it_needs_no_embedding(self) -> None:
        """The vector was kept: nothing about the memory changed but its state."""
        with shelf(Config(), AXES) as one:
            made = consolidate(one)
            before = one.bank.get(made.originals[0])
            after = one.bank.restore(made.originals[0])
            assert (after.version, after.stability, after.importance) == (
                before.version,
                before.stability,
                before.importance,
            )
            assert one.item("sport", made.originals[0]).signals["similarity"] == pytest.approx(0.8)


class TestMeaning:
    """With a model that knows what words mean."""

    @pytest.fixture
    def minilm(self) -> MiniLM:
        return MiniLM(weights.fetch("minilm"))

    def test_a_faded_detail_is_found_in_other_words(self, minilm: MiniLM) -> None:
        """ "accessible via deep recall": neither the paddle nor the boat stands in any memory."""
        with cogmem_core.open(embedder=minilm, clock=FrozenClock()) as engine:
            engine.pause()
            one = Shelf(engine, engine.bank("alice"), FrozenClock())
            consolidate(one)
            one.know("User prefers tea over coffee")
            query = "paddling a small boat"
            plain, deep = one.texts(query), one.texts(query, deep=True)
        assert "User went kayaking at Lake Washington on March 15" not in plain
        assert deep.index("User went kayaking at Lake Washington on March 15") < deep.index(
            ORIGINALS[2]
        )
