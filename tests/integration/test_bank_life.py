"""The memories of a bank: listed and counted, edited, pinned, forgotten, restored, explained."""

import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import cogmem_core
from cogmem_core import EmbedderUnavailable, Engine, MemoryBank
from cogmem_core.config import Config, StorageConfig
from cogmem_core.testing import CountingEmbedder, FrozenClock
from helpers.bank_contents import contents, lines


class TestListAndCount:
    def test_a_page_survives_the_removal_of_its_last_memory(self, bank: MemoryBank) -> None:
        """A cursor is a place, not a memory."""
        bank.remember([f"item {i}" for i in range(4)])
        page = bank.list(limit=2)
        bank.forget(page[1].id, hard=True)
        assert contents(bank.list(limit=2, cursor=page.cursor)) == ["item 2", "item 3"]


class TestLifeOfAMemory:
    def test_an_edit_to_the_same_text_is_no_change(
        self, bank: MemoryBank, embedder: CountingEmbedder
    ) -> None:
        """No version, no journal entry, no embedding."""
        memory = bank.add("Tea")
        assert bank.edit(memory.id, "Tea") == memory
        assert (len(bank.history(memory.id).changes), len(embedder.texts)) == (1, 1)

    def test_an_edit_whose_vector_cannot_be_had_changes_nothing(
        self, bank: MemoryBank, embedder: CountingEmbedder, tmp_path: Path
    ) -> None:
        """All or nothing."""
        memory = bank.add("Tea")
        before = lines(bank, tmp_path / "x")
        embedder.failure = RuntimeError("down")
        with pytest.raises(EmbedderUnavailable):
            bank.edit(memory.id, "Coffee")
        assert lines(bank, tmp_path / "x") == before

    def test_an_edit_keeps_what_changed_while_its_text_was_embedded(
        self, bank: MemoryBank, embedder: CountingEmbedder
    ) -> None:
        """A pin that comes in between is not taken back."""
        memory, inner = bank.add("Tea"), embedder.embed_documents

        def meanwhile(texts: Any) -> Any:
            bank.pin(memory.id)
            return inner(texts)

        embedder.embed_documents = meanwhile  # type: ignore[method-assign]
        edited = bank.edit(memory.id, "Coffee")
        assert (edited.content, edited.pinned, edited.version) == ("Coffee", True, 2)

    def test_what_was_outdated_and_then_forgotten_is_recalled_once_restored(
        self, bank: MemoryBank, clock: FrozenClock
    ) -> None:
        """Each of the two had ended it; restoring takes both back."""
        plan = bank.add("The concert is on Friday", valid_until=clock() + timedelta(days=4))
        clock.advance(days=5)
        bank.consolidate(steps=["expiry"])
        assert bank.get(plan.id).state == "superseded"
        bank.edit(plan.id, "The concert is in June")
        bank.forget("concert")
        assert bank.restore(plan.id).state == "active"
        assert bank.restore(plan.id).superseded_by is None

    def test_forgetting_wakes_who_keeps_the_indexes(self, engine: Engine, bank: MemoryBank) -> None:
        """As every other change does."""
        memory = bank.add("Wednesday is chess night")
        engine.sync()
        engine.resume()
        bank.forget(memory.id)
        engine.flush()
        assert engine.health()["index"]["lag"] == 0

    def test_forgetting_by_words_takes_all_that_hold_every_word(self, bank: MemoryBank) -> None:
        """And only those; what is forgotten already is not reported again."""
        bank.remember(
            ["The red bicycle is broken", "A bicycle, red as wine", "The blue bicycle", "Red wine"]
        )
        receipt = bank.forget("red bicycles")

        assert sorted(bank.get(i).content for i in receipt.memory_ids) == [
            "A bicycle, red as wine",
            "The red bicycle is broken",
        ]
        assert contents(bank.list()) == ["The blue bicycle", "Red wine"]
        assert bank.forget(receipt.memory_ids[0]).memory_ids == ()

    def test_a_life_is_told_in_sentences(self, bank: MemoryBank, clock: FrozenClock) -> None:
        """explain() says where it comes from, what happened, how it stands."""
        memory = bank.remember("I live in Rome", speaker="Ana").memories[0]
        clock.advance(days=1)
        bank.edit(memory.id, "I live in Milan")
        bank.pin(memory.id)
        story = bank.explain(memory.id)

        assert (
            story.story[0]
            == "2026-06-01 12:00: stored by observer (Ana, said 2026-06-01 12:00, from 1 turn(s))."
        )
        assert "2026-06-02 12:00: edited (by user; changed version)." in story.story
        assert "Version 1, until 2026-06-02 12:00: I live in Rome" in story.story
        assert story.story[-1].startswith("Today: active, pinned, episodic fact, retention 1.00")
        assert re.search(r"importance 0\.[45]\d \(normal\)", story.story[-1])
        assert (story.retention, story.relations, str(story)) == (1.0, (), "\n".join(story.story))
        assert [turn.content for turn in story.sources] == ["I live in Rome"]

    def test_a_life_looks_ahead_to_how_it_fades(self, bank: MemoryBank) -> None:
        """Days from now, and what is left then; what is pinned does not fade."""
        memory = bank.add("The tram to Foz leaves from the river")
        days = [day for day, _ in bank.explain(memory.id).outlook]
        left = [retention for _, retention in bank.explain(memory.id).outlook]
        assert (days[0], days[-1]) == (0.0, 90.0)
        assert left[0] == 1.0
        assert left == sorted(left, reverse=True)
        assert left[-1] < 0.9
        bank.pin(memory.id)
        assert {left for _, left in bank.explain(memory.id).outlook} == {1.0}

    def test_relations_are_shown_from_both_ends(
        self, engine: Engine, bank: MemoryBank, tmp_path: Path
    ) -> None:
        """A link that comes with an import belongs to both memories, and to no other namespace."""
        first, second, other = (bank.add(text).id for text in ("cause", "effect", "bystander"))
        path = tmp_path / "bank.jsonl"
        bank.export(path)
        records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        link = {
            "source_id": first,
            "target_id": second,
            "type": "causes",
            "weight": 0.5,
            "confidence": 1.0,
        }
        records[-1:] = [{"kind": "relation", **link}, {"kind": "end", "lines": len(records)}]
        path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
        bank.import_(path)

        expected = [(first, second, "causes", 0.5)]
        for memory_id in (first, second):
            found = bank.relations(memory_id)
            assert [(r.source_id, r.target_id, r.type, r.weight) for r in found] == expected
        assert bank.relations(other) == ()
        assert f"Related (causes) {first} → {second}." in bank.explain(first).story


class TestHealth:
    def test_health_counts_and_is_json(
        self, engine: Engine, bank: MemoryBank, clock: FrozenClock
    ) -> None:
        """Counts by state, tier and category, the retention histogram, queue and index."""
        bank.add("a", category="preference")
        bank.add("b", category="other", importance=0.0)
        bank.forget(bank.add("c", tier="semantic").id)
        clock.advance(days=10)
        health = json.loads(json.dumps(bank.health()))

        assert (health["namespace"], health["memories"], health["queue_length"]) == ("alice", 3, 0)
        assert health["by_state"] == {"active": 2, "forgotten": 1}
        assert (health["by_tier"], health["by_category"]) == (
            {"episodic": 2},
            {"other": 1, "preference": 1},
        )
        assert sum(health["retention_histogram"].values()) == 2
        assert health["retention_histogram"]["0.9"] == 1
        assert json.loads(json.dumps(engine.health()))["namespaces"] == 1
        assert engine.health()["warnings"] == []

    def test_health_says_which_search_finds_the_nearest(self, tmp_path: Path) -> None:
        """Exact up to `storage.index_above` active memories, and above it until Chroma holds them; then Chroma."""
        config = Config(storage=StorageConfig(index_above=1, index_linger_seconds=0.0))
        with cogmem_core.open(tmp_path, config=config, embedder="hashing") as engine:
            bank = engine.bank("alice")
            bank.add("I moved to Lisbon")
            engine.sync()
            few = bank.health()["vector_search"]
            bank.add("Rex is a dog")
            engine.sync()

            assert (few, bank.health()["vector_search"]) == ("exact", "chroma")
