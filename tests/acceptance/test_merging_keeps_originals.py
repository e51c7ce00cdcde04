"""Cognitive-memory, the whole document, with its preset; see `test_cognitive_memory_deep_recall`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

import cogmem_core
from cogmem_core.config import FadingConfig
from cogmem_core.embedders import MiniLM, weights
from cogmem_core.llm import LLMUnavailable
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

    def test_before(self, five: Home) -> None:
        """ "Before consolidation": 0.18, 0.15, 0.12, 0.14, 0.11, all episodic."""
        ids = example(five)
        assert [five.retention(memory_id) for memory_id in ids] == pytest.approx(LEFT)
        assert {five.get(memory_id).tier for memory_id in ids} == {"episodic"}

    def test_after(self) -> None:
        """ "After consolidation: [HOT] "In March 2024, User was very active outdoors: ..."", all else superseded."""
        with home(COGNITIVE, vectors=SPORT, llm=ScriptedLLM({"text": SUMMARY})) as one:
            ids = example(one)
            report = one.bank.tick()
            assert [memory.content for memory in one.bank.list()] == [SUMMARY]
            assert one.states(*ids) == ["superseded"] * 5
        assert (report.consolidated, report.total("summaries"), report.llm_calls) == (5, 1, 1)

    def test_what_the_model_is_asked(self) -> None:
        """ "Compress these related memories into a single concise summary that preserves all key facts"."""
        model = ScriptedLLM({"text": SUMMARY})
        with home(COGNITIVE, vectors=SPORT, llm=model) as one:
            example(one)
            one.bank.tick()
        task, data = (str(message["content"]) for message in model.calls[0].messages)
        for wanted in (
            "Compress these related memories into a single concise summary that preserves all key facts",
            "Write one clear paragraph",
            "Preserve specific names, dates, numbers, and preferences",
        ):
            assert wanted in task
        assert [text for text in ORIGINALS if text not in data] == []

    def test_without_a_model_they_are_strung_together(self, five: Home) -> None:
        """ "falls back to simple concatenation: "Summary: " + " | ".join(contents)"."""
        example(five)
        five.bank.tick()
        (summary,) = five.derived("summary")
        assert summary.content == "Summary: " + " | ".join(ORIGINALS)

    @pytest.mark.parametrize(
        "answer", [LLMUnavailable("no network"), {"text": ""}, {"text": "User likes sports"}]
    )
    def test_so_they_are_if_the_model_fails_or_forgets(self, answer: Any) -> None:
        """ "preserves all key facts": a text that drops names and numbers does not stand for five memories."""
        with home(COGNITIVE, vectors=SPORT, llm=ScriptedLLM(answer)) as one:
            example(one)
            one.bank.tick()
            assert [memory.content for memory in one.bank.list()] == [
                "Summary: " + " | ".join(ORIGINALS)
            ]


class TestWhenItRuns:
    """ "When consolidation runs"."""

    def test_every_five_ingestions(self) -> None:
        """ "By default, it triggers every 5 ingestion cycles", and what it triggers is a tick."""
        with home(cogmem_core.preset("cognitive-memory")) as one:
            found = []
            for number in range(5):
                one.clock.advance(minutes=1)
                one.bank.remember(f"I read chapter {number} of the book about Lisbon")
                found.append(one.engine.health()["consolidation"]["due"])
        assert (found, one.engine.services.config.consolidation.automatic) == (
            [0, 0, 0, 0, 1],
            "tick",
        )

    def test_a_tick_lets_go_of_what_is_over(self, five: Home) -> None:
        """ "await mem.tick() # runs cold migration, TTL expiry, and consolidation"."""
        plan = five.know("Book a table", days=2, valid_until=five.clock() - timedelta(days=1))
        ids = example(five)
        report = five.bank.tick()
        assert (report.expired, report.consolidated) == (1, 5)
        assert five.states(plan, *ids) == ["superseded"] * 6

    async def test_it_can_be_awaited(self, five: Home) -> None:
        """ "await mem.tick()"."""
        example(five)
        assert (await five.bank.atick()).consolidated == 5


class TestFadingMemories:
    """ "1. Find fading memories"."""

    @pytest.mark.parametrize(("left", "consolidated"), [(0.199, 5), (0.201, 0)])
    def test_below_the_threshold(self, five: Home, left: float, consolidated: int) -> None:
        """ "Retention < consolidation_retention_threshold (default: 0.20)"."""
        for text in ORIGINALS:
            faded(five, text, left)
        assert five.bank.tick().consolidated == consolidated

    def test_what_is_superseded_does_not_count(self, five: Home) -> None:
        """ "Not already superseded": four are left, and four are too few."""
        ids = example(five)
        five.retire(ids[0], "superseded")
        assert five.bank.tick().consolidated == 0

    @pytest.mark.parametrize(
        ("flags", "consolidated"), [({"pinned": True}, 0), ({"immutable": True}, 0), ({}, 5)]
    )
    def test_core_memories_are_exempt(
        self, five: Home, flags: dict[str, bool], consolidated: int
    ) -> None:
        """ "Not a core memory (core is exempt)": what a person pinned or the system fixed makes no fifth."""
        core = faded(five, ORIGINALS[0], 0.1, **flags)
        for text in ORIGINALS[1:]:
            faded(five, text, 0.1)
        assert five.bank.tick().consolidated == consolidated
        assert five.states(core) == ["superseded" if consolidated else "active"]

    def test_no_other_kind_is_exempt(self, five: Home) -> None:
        """Preferences fade here like everything else; specification 2's permanent categories are the default's."""
        example(five, category="preference")
        assert five.bank.tick().consolidated == 5


class TestGroups:
    """ "2. Group by category", "3. Cluster by similarity"."""

    @pytest.mark.parametrize(("tier", "consolidated"), [("episodic", 5), ("semantic", 0)])
    def test_episodic_with_episodic(self, five: Home, tier: str, consolidated: int) -> None:
        """ "Episodic memories consolidate with episodic, semantic with semantic"."""
        for text in ORIGINALS[:4]:
            faded(five, text, 0.1)
        faded(five, ORIGINALS[4], 0.1, tier=tier)
        assert five.bank.tick().consolidated == consolidated

    @pytest.mark.parametrize(("category", "consolidated"), [("fact", 5), ("plan", 0)])
    def test_one_category(self, five: Home, category: str, consolidated: int) -> None:
        """ "Only memories of the same category are consolidated together"."""
        for text in ORIGINALS[:4]:
            faded(five, text, 0.1)
        faded(five, ORIGINALS[4], 0.1, category=category)
        assert five.bank.tick().consolidated == consolidated

    @pytest.mark.parametrize(("cosine", "consolidated"), [(0.71, 5), (0.69, 0)])
    def test_similar_to_the_first_one(self, cosine: float, consolidated: int) -> None:
        """ "if sim >= consolidation_similarity_threshold: # default: 0.70"."""
        vectors = {"sunny": (cosine, math.sqrt(1 - cosine**2)), "User": (1.0, 0.0)}
        with home(COGNITIVE, vectors=vectors) as one:
            faded(one, "User slept", 0.1)
            for number in range(4):
                faded(one, f"it was sunny {number}", 0.1)
            assert one.bank.tick().consolidated == consolidated

    @each_row(("count", "sizes"), [(4, []), (5, [5]), (9, [5]), (10, [5, 5])])
    def test_groups_of_five(self, count: int, sizes: list[int]) -> None:
        """ "if len(group) >= group_size: # default: 5 break"; "must have at least consolidation_group_size"."""
        with home(COGNITIVE, vectors=SPORT) as one:
            for number in range(count):
                faded(one, f"User walked {number} miles", 0.1)
            one.bank.tick()
            assert [len(memory.support) for memory in one.derived("summary")] == sizes


class TestTheSummary:
    """ "5. Create summary and supersede originals"."""

    def test_it_inherits(self, five: Home) -> None:
        """ "maximum importance", "average stability", "maximum access count"."""
        ids = example(five)
        for memory_id, number in zip(ids, range(5), strict=True):
            fields = {
                "importance": 0.1 * number,
                "stability": 3.0 + number,
                "access_count": 7 - number,
            }
            five.change(cogmem_core.changes.Touch(memory_id, fields, "as the test needs it"))
        five.clock.advance(days=10)
        five.bank.tick()
        (summary,) = five.derived("summary")
        assert (summary.importance, summary.stability, summary.access_count) == (
            pytest.approx(0.4),
            5.0,
            7,
        )

    def test_it_is_embedded_afresh(self) -> None:
        """ "Is embedded fresh": by its own words."""
        vectors = {"outdoors": (0.0, 1.0), **SPORT}
        with home(COGNITIVE, vectors=vectors, llm=ScriptedLLM({"text": SUMMARY})) as one:
            example(one)
            one.bank.tick()
            (summary,) = one.derived("summary")
            assert one.item("outdoors", summary.id).signals["similarity"] == pytest.approx(1.0)

    def test_links_and_pointers(self, five: Home) -> None:
        """ "association links (weight 0.8) to each original"; "superseded_by set to the summary's ID"."""
        ids = example(five)
        five.bank.tick()
        (summary,) = five.derived("summary")
        links = {
            (link.type, link.source_id, link.target_id, link.weight)
            for link in five.bank.relations(summary.id)
        }
        assert links == {("summarizes", summary.id, memory_id, 0.8) for memory_id in ids}
        assert {five.get(memory_id).superseded_by for memory_id in ids} == {summary.id}

    def test_it_takes_their_place(self, five: Home) -> None:
        """ "the summary takes their place in the hot tier"; "cold storage (accessible via deep recall)"."""
        example(five)
        five.bank.tick()
        (summary,) = five.derived("summary")
        assert five.texts("Where was User?") == [summary.content]
        assert set(five.texts("Where was User?", deep=True)) == {summary.content, *ORIGINALS}


class TestReversibility:
    """ "Consolidation is not destructive"."""

    def test_each_original_by_its_id(self, five: Home) -> None:
        """ "Direct ID lookup via adapter.get()": word for word."""
        ids = example(five)
        five.bank.tick()
        assert tuple(five.get(memory_id).content for memory_id in ids) == ORIGINALS

    def test_migrating_them_back_undoes_it(self, five: Home) -> None:
        """ "effectively "undone" by migrating originals back to hot storage": then the summary goes by itself."""
        ids = example(five)
        five.bank.tick()
        for memory_id in ids:
            five.bank.restore(memory_id)
        five.bank.tick()
        assert (five.states(*ids), five.derived("summary")) == (["active"] * 5, [])
        assert set(five.texts("Where was User?")) == set(ORIGINALS)

    def test_undoing_the_cycle(self, five: Home) -> None:
        """All at once: everything is as it was, and the next tick leaves it so."""
        ids = example(five)
        before = [replace(five.get(memory_id), seq=0) for memory_id in ids]
        five.bank.undo(five.bank.tick().run_id)
        assert [replace(five.get(memory_id), seq=0) for memory_id in ids] == before
        assert (five.bank.tick().consolidated, five.bank.count()) == (0, 5)


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
