"""Documents beside the memories: what each text becomes, and what fading and forgetting leave of it."""

from collections.abc import Callable
from dataclasses import replace

import pytest

import cogmem_core
from cogmem_core import Engine, InvalidInput, Items, MemoryBank, Protected
from cogmem_core.changes import Actor, Rewrite, apply
from cogmem_core.config import ForgettingConfig
from cogmem_core.testing import MANUAL, CountingEmbedder, FrozenClock, GivenVectors, ScriptedLLM
from helpers.documents import HOME, SOUP, put, states
from helpers.model_answers import decided, formed
from helpers.tables import each_case_of

ENGINE = {"folder": True}


class TestMemories:
    """Each text of a document is a memory, as long as the document says it."""

    def test_a_text_becomes_a_memory_of_its_own_category(
        self, items: Items, bank: MemoryBank
    ) -> None:
        """It tells where it stands; nobody said it, so it has no voice of a person."""
        (memory_id,) = put(items, SOUP)
        memory = bank.get(memory_id)
        assert (memory.content, memory.category, memory.tier, memory.data_source) == (
            SOUP,
            "item",
            "semantic",
            "system",
        )
        assert memory.metadata == {"item": {"path": ["people", "alice"], "key": "k"}}
        assert bank.recall("mint soup", categories=["item"]).results[0].memory.id == memory_id
        assert bank.health()["by_category"] == {"item": 1}

    def test_a_replaced_text_leaves_recall_for_the_new_one(
        self, items: Items, bank: MemoryBank, clock: FrozenClock
    ) -> None:
        """It is superseded: `known_at` and `deep` still find it, as anything that changed."""
        (old,) = put(items, "Alice likes lentil soup")
        before = clock.now
        clock.advance(days=3)
        (new,) = put(items, "Alice likes onion soup")
        former = bank.get(old)
        assert (former.state, former.superseded_by, former.valid_until) == (
            "superseded",
            new,
            clock.now,
        )
        assert [found.memory.id for found in bank.recall("soup", floor=0.0).results] == [new]
        assert [
            found.memory.id for found in bank.recall("soup", known_at=before, floor=0.0).results
        ] == [old]
        assert {found.memory.id for found in bank.recall("soup", deep=True, floor=0.0).results} == {
            old,
            new,
        }

    def test_a_text_that_stays_keeps_its_memory(
        self, items: Items, bank: MemoryBank, embedder: CountingEmbedder
    ) -> None:
        """With its strength and its vector: it is not embedded again."""
        first = put(items, SOUP, "Alice sings")[0]
        assert put(items, "Alice dances", SOUP, n=2)[1] == first
        assert embedder.texts == [SOUP, "Alice sings", "Alice dances"]
        assert states(bank) == {
            SOUP: "active",
            "Alice sings": "superseded",
            "Alice dances": "active",
        }
        assert bank.get(first).version == 1
        assert put(items, SOUP) == (first,)
        assert states(bank)["Alice dances"] == "forgotten"

    def test_the_texts_of_a_deleted_document_are_forgotten(
        self, items: Items, bank: MemoryBank
    ) -> None:
        """What is put anew afterwards is new."""
        (old,) = put(items, SOUP)
        items.delete(HOME, "k")
        assert (items.get(HOME, "k"), bank.get(old).state, bank.count()) == (None, "forgotten", 0)
        assert bank.recall("soup", deep=True, floor=0.0).results == ()
        assert put(items, SOUP) != (old,)

    def test_a_text_said_twice_is_one_memory(self, items: Items, bank: MemoryBank) -> None:
        """Within a document; another document has its own."""
        assert len(put(items, SOUP, SOUP)) == 1
        put(items, SOUP, key="k2")
        items.delete(HOME, "k")
        assert [memory.id for memory in bank.list()] == list(items.get(HOME, "k2").memory_ids)

    def test_it_cannot_be_edited_by_itself(self, items: Items, bank: MemoryBank) -> None:
        """Else the document would be found by what it does not say; nor is there an item without a document."""
        (memory_id,) = put(items, SOUP)
        with pytest.raises(Protected, match=r"change the document, with bank\.items\(\)\.put"):
            bank.edit(memory_id, "Onion soup")
        with pytest.raises(InvalidInput, match="category is 'item'; use one of preference, fact"):
            bank.add("Onion soup", category="item")
        assert bank.get(memory_id).content == SOUP

    @pytest.mark.parametrize(
        "said", ["I live in Porto now", "I live in Lisbon with my sister", "I live in Lisbon"]
    )
    def test_rules_never_change_it(self, items: Items, bank: MemoryBank, said: str) -> None:
        """It is no person's word, so what a person says stands beside it."""
        (memory_id,) = put(items, "I live in Lisbon and I have a dog")
        before = bank.get(memory_id)
        bank.remember(said, mode="semantic")
        assert bank.get(memory_id) == before
        assert bank.count() == 2

    @each_case_of("items/nor_does_a_model")
    def test_nor_does_a_model(
        self, clock: FrozenClock, action: str, relation: str, text: str | None
    ) -> None:
        """Whatever it decides about a document's text: a document changes by being put."""
        decision = decided(action, "m1", relation=relation, text=text)
        llm = ScriptedLLM(formed("User has a dog and a cat"), decision)
        vectors = GivenVectors({"has": (1.0, 0.0)})
        with cogmem_core.open(embedder=vectors, llm=llm, clock=clock, config=MANUAL) as engine:
            bank = engine.bank("alice")
            (memory_id,) = put(bank.items(), "User has a dog")
            before = bank.get(memory_id)
            report = bank.remember("I have a dog and a cat")
            assert (len(llm.calls), bank.get(memory_id)) == (2, before)
            assert report.receipts[0].facts[0].reason == "the memory is protected"
            assert [memory.content for memory in bank.list()] == [
                "User has a dog",
                "User has a dog and a cat",
            ]

    def test_nor_does_any_change(self, items: Items, bank: MemoryBank, engine: Engine) -> None:
        """The one writer path refuses a new text, whoever proposes it."""
        (memory_id,), now = put(items, SOUP), engine.services.runtime.now()
        with engine.services.ledger.writing() as writer:
            stored = writer.at("alice").memories.stored([memory_id])[memory_id]
            other = replace(stored, memory=replace(stored.memory, content="Onion soup"))
            for name in ("user", "dream"):
                done = apply(
                    writer, "alice", [Rewrite(other, "why not")], now=now, actor=Actor(name)
                )
                assert [refusal.reason for refusal in done.refused] == ["the text of a document"]
        assert bank.get(memory_id).content == SOUP

    def test_what_somebody_said_as_well_outlives_the_document(
        self, items: Items, bank: MemoryBank
    ) -> None:
        """A repetition reinforces the memory that is there; then it does not hang on the document alone."""
        (memory_id,) = put(items, "My cat is called Mochi")
        report = bank.remember("My cat is called Mochi", mode="raw", role="system", ref="turn-1")
        assert report.receipts[0].memory_ids == (memory_id,)
        items.delete(HOME, "k")
        memory = bank.get(memory_id)
        assert (memory.state, memory.category, dict(memory.metadata), memory.refs) == (
            "active",
            "fact",
            {},
            ("turn-1",),
        )
        assert bank.edit(memory_id, "My cat is called Miso").version == 2


class TestOblivion:
    """A document never vanishes because its memories faded."""

    def test_a_dream_cycle_puts_the_memory_away_and_not_the_document(
        self, reopen: Callable[..., Engine], clock: FrozenClock
    ) -> None:
        """Search finds it all the same; writing it again wakes the memory. There is no room here."""
        crowded = replace(MANUAL.consolidation, forgetting=ForgettingConfig(roomy=0))
        with reopen(replace(MANUAL, consolidation=crowded)) as engine:
            bank = engine.bank("alice")
            items = bank.items()
            (memory_id,) = put(items, SOUP)
            clock.advance(days=2_000)
            assert bank.consolidate().pruned == 1
            assert bank.get(memory_id).state == "dormant"
            (found,) = items.search(query=SOUP)
            assert (found.value, found.score) == ({"texts": [SOUP]}, pytest.approx(1.0))
            assert put(items, SOUP, n=2) == (memory_id,)
            woken = bank.get(memory_id)
            assert (woken.state, woken.last_reinforced_at) == ("active", clock.now)

    def test_where_there_is_room_the_memory_stays(
        self, items: Items, bank: MemoryBank, clock: FrozenClock
    ) -> None:
        """Forgetting is for room: nothing goes for disuse below `forgetting.roomy`."""
        (memory_id,) = put(items, SOUP)
        clock.advance(days=2_000)
        assert bank.consolidate().pruned == 0
        assert bank.get(memory_id).state == "active"

    def test_documents_crowd_nothing_out(
        self, reopen: Callable[..., Engine], clock: FrozenClock
    ) -> None:
        """A handbook in a person's bank takes no room from what the person said, and stays itself."""
        narrow = replace(MANUAL.consolidation, forgetting=ForgettingConfig(roomy=4))
        with reopen(replace(MANUAL, consolidation=narrow)) as engine:
            bank = engine.bank("alice")
            for number in range(3):
                bank.add(f"On trip {number} we ate cake at the harbour", category="other")
            for number in range(20):
                put(bank.items(), f"Chapter {number}: oil the pump", key=str(number))
            clock.advance(days=2_000)
            assert bank.consolidate(steps=["forgetting"]).pruned == 0
            for number in range(3, 6):
                bank.add(f"On trip {number} we ate cake at the harbour", category="other")
            clock.advance(days=2_000)
            assert bank.consolidate(steps=["forgetting"]).pruned == 2
            assert (bank.count(category="item"), bank.count(category="other")) == (20, 4)

    def test_capacity_trims_memories_and_not_documents(self, reopen: Callable[..., Engine]) -> None:
        """Whatever is trimmed, every document is found by its text, exactly."""
        trimmed = replace(
            MANUAL.consolidation, forgetting=ForgettingConfig(capacity=10, rules=("capacity",))
        )
        with reopen(replace(MANUAL, consolidation=trimmed)) as engine:
            bank = engine.bank("alice")
            items = bank.items()
            for number in range(30):
                put(items, f"recipe number {number}", key=str(number))
            assert bank.consolidate(steps=["forgetting"]).pruned == 21
            assert (bank.count(), len(items.search(limit=100))) == (9, 30)
            for number in range(30):
                assert items.search(query=f"recipe number {number}", limit=1)[0].key == str(number)

    def test_forgetting_that_can_be_undone_leaves_the_document(
        self, items: Items, bank: MemoryBank
    ) -> None:
        """`forget` takes memories out of recall; only `hard=True` takes the document, too."""
        put(items, SOUP)
        bank.forget("soup")
        bank.forget_all(confirm="alice")
        assert (bank.count(), items.search(query="soup")[0].key) == (0, "k")


def test_the_memories_of_documents_are_what_audit_and_forecast_know(
    items: Items, bank: MemoryBank
) -> None:
    """Documents are no special case for what looks memories over."""
    put(items, SOUP)
    put(items, SOUP, key="k2")
    audit = bank.audit()
    assert (audit.duplicates.count, audit.orphans.count, audit.secrets.count) == (1, 0, 0)
    assert {event.memory_id for event in bank.forecast(2_000).events} == {
        memory.id for memory in bank.list()
    }
