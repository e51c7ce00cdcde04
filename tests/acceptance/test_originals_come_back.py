"""Cognitive-memory, "Reversibility": the originals of a summary, by links, by deep recall, by ids; and undone."""

from __future__ import annotations

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

    def test_a_user_gets_the_summary_too(self) -> None:
        """With the default floor, by the words of a question."""
        with shelf() as one:
            made = consolidate(one)
            found = one.bank.recall("Was User active outdoors in March?")
        assert [item.memory.id for item in found.results] == [made.summary]


class TestByLinks:
    """ "Association links from the summary (weight 0.8)"."""

    def test_the_summary_is_linked_to_each_original(self, march: Consolidated) -> None:
        """ "Has association links (weight 0.8) to each original"."""
        links = march.shelf.bank.relations(march.summary)
        assert {(link.type, link.source_id, link.weight) for link in links} == {
            ("summarizes", march.summary, 0.8)
        }
        assert {link.target_id for link in links} == set(march.originals)

    def test_each_original_leads_to_the_summary(self, march: Consolidated) -> None:
        """ "Has superseded_by set to the summary's ID"; the link is read from both ends."""
        for original in march.originals:
            assert march.shelf.bank.get(original).superseded_by == march.summary
            assert [link.source_id for link in march.shelf.bank.relations(original)] == [
                march.summary
            ]

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

    def test_by_their_meaning(self, march: Consolidated) -> None:
        """Three of them lie near the question and share no word with it."""
        items = march.shelf.ask("sport", deep=True).results
        near = {item.content for item in items if item.signals["similarity"] > 0.7}
        assert near == {SUMMARY, *(text for text in ORIGINALS if " went " in text)}
        assert all("lexical" not in item.found_by for item in items)

    def test_by_their_words(self, march: Consolidated) -> None:
        """A question without a vector of its own: "Fremont" stands in one of them."""
        item = march.shelf.item("Fremont", march.originals[2], deep=True)
        assert (item.content, item.found_by) == (
            "User ran a 5K in Fremont on March 20",
            {"lexical": 1},
        )

    def test_their_score_counts_half(self, march: Consolidated) -> None:
        """ "Deep recall also searches dormant and superseded, score x 0.5": as much is taken as is left."""
        found = {item.memory.id: item for item in march.shelf.ask("sport", deep=True).results}
        assert "cold" not in found[march.summary].signals
        for original in march.originals:
            assert found[original].signals["cold"] == 0.5
            assert found[original].contributions["cold"] == pytest.approx(-found[original].score)

    def test_half_of_what_it_would_have_active(self) -> None:
        """The same memory, the same question, once in cold storage and once not."""
        scores = []
        for state in ("active", "dormant"):
            with shelf(retrieval(Config(), mmr_lambda=1.0), AXES) as one:
                memory_id, _ = one.know("User went hiking"), one.know("Lisbon")
                if state == "dormant":
                    one.retire(memory_id, "dormant")
                scores.append(one.item("sport", memory_id, deep=True).score)
        assert scores[1] == pytest.approx(scores[0] / 2)

    def test_the_factor_is_configured(self) -> None:
        """ "A number given here is a default in the configuration"."""
        assert (
            Config().retrieval.boosts.cold == cogmem_core.preset("v9").retrieval.boosts.cold == 0.5
        )

    def test_dormant_memories_are_found_too(self) -> None:
        """What faded without a summary. (By default ordinary recall looks twice where it found nothing sure.)"""
        with shelf(retrieval(Config(), mmr_lambda=1.0, second_look=0.0), AXES) as one:
            march = consolidate(one)
            faded = one.know("User went sailing")
            one.retire(faded, "dormant")
            assert faded not in march.found("sport")
            assert faded in march.found("sport", deep=True)

    @pytest.mark.parametrize("state", ["forgotten", "quarantined"])
    def test_what_was_forgotten_or_locked_away_is_not(
        self, march: Consolidated, state: str
    ) -> None:
        """Deep is not everything: a person's `forget` holds."""
        gone = march.shelf.know("User went sailing")
        march.shelf.retire(gone, state)
        assert gone not in march.found("sport sailing", deep=True)

    def test_it_stays_inside_its_namespace(self, march: Consolidated) -> None:
        """ "One namespace never sees another", also in cold storage."""
        other = march.shelf.engine.bank("bob")
        other.add("Lisbon")
        found = {
            item.content for item in other.recall("sport Fremont", deep=True, floor=0.0).results
        }
        assert found <= {"Lisbon"}

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

    def test_an_original_is_whole(self, march: Consolidated) -> None:
        """Its text, its state, its successor."""
        memory = march.shelf.bank.get(march.originals[0])
        assert (memory.content, memory.state, memory.superseded_by) == (
            HIKED,
            "superseded",
            march.summary,
        )

    def test_they_can_be_listed(self, march: Consolidated) -> None:
        """By their state."""
        assert (
            tuple(memory.id for memory in march.shelf.bank.list(state="superseded"))
            == march.originals
        )

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

    def test_both_acts_are_in_its_history(self, march: Consolidated) -> None:
        """ "each such act is logged with its reason and can be undone"."""
        march.shelf.bank.restore(march.originals[0])
        kinds = [change.kind for change in march.shelf.bank.history(march.originals[0]).changes]
        assert kinds == ["put", "retire", "revive"]


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
