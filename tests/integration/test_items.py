"""Documents beside the memories: written with their memories, found by them, erased and carried with them."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from stores import edit

import cogmem
from cogmem import (
    BankClosed,
    EmbedderUnavailable,
    Engine,
    ForgettingConfig,
    InvalidInput,
    Items,
    ItemWrite,
    MemoryBank,
    Protected,
    StoreError,
)
from cogmem.changes import Actor, Rewrite, Touch, apply
from cogmem.storage.migrations import SCHEMA_VERSION
from cogmem.testing import MANUAL, CountingEmbedder, FrozenClock, GivenVectors, ScriptedLLM

HOME, SOUP = ("people", "alice"), "Lentil soup with mint"
CARD = "4111 1111 1111 1111"


@pytest.fixture
def embedder() -> CountingEmbedder:
    return CountingEmbedder()


@pytest.fixture
def reopen(folder: Path, clock: FrozenClock, embedder: CountingEmbedder) -> Callable[..., Engine]:
    return lambda config=MANUAL: cogmem.open(folder, embedder=embedder, clock=clock, config=config)


@pytest.fixture
def engine(reopen: Callable[[], Engine]) -> Iterator[Engine]:
    with reopen() as engine:
        yield engine


@pytest.fixture
def items(bank: MemoryBank) -> Items:
    return bank.items()


def put(items: Items, *texts: str, key: str = "k", **more: Any) -> tuple[str, ...]:
    """A document that says these texts; returns the ids of its memories."""
    return items.put(HOME, key, {"texts": list(texts), **more}, texts=texts).memory_ids


def states(bank: MemoryBank) -> dict[str, str]:
    return {memory.content: memory.state for memory in bank.list(state="any")}


def holding(folder: Path, *words: str) -> list[str]:
    """Files that hold one of the words."""
    read = {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return sorted(name for name, held in read.items() if any(word.encode() in held for word in words))


class TestMemories:
    """Each text of a document is a memory, as long as the document says it."""

    def test_a_text_becomes_a_memory_of_its_own_category(self, items: Items, bank: MemoryBank) -> None:
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
        assert (former.state, former.superseded_by, former.valid_until) == ("superseded", new, clock.now)
        assert [found.memory.id for found in bank.recall("soup", floor=0.0).results] == [new]
        assert [found.memory.id for found in bank.recall("soup", known_at=before, floor=0.0).results] == [old]
        assert {found.memory.id for found in bank.recall("soup", deep=True, floor=0.0).results} == {old, new}

    def test_a_text_that_stays_keeps_its_memory(
        self, items: Items, bank: MemoryBank, embedder: CountingEmbedder
    ) -> None:
        """With its strength and its vector: it is not embedded again."""
        first = put(items, SOUP, "Alice sings")[0]
        assert put(items, "Alice dances", SOUP, n=2)[1] == first
        assert embedder.texts == [SOUP, "Alice sings", "Alice dances"]
        assert states(bank) == {SOUP: "active", "Alice sings": "superseded", "Alice dances": "active"}
        assert bank.get(first).version == 1
        assert put(items, SOUP) == (first,)
        assert states(bank)["Alice dances"] == "forgotten"

    def test_the_texts_of_a_deleted_document_are_forgotten(self, items: Items, bank: MemoryBank) -> None:
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

    @pytest.mark.parametrize("said", ["I live in Porto now", "I live in Lisbon with my sister", "I live in Lisbon"])
    def test_rules_never_change_it(self, items: Items, bank: MemoryBank, said: str) -> None:
        """It is no person's word, so what a person says stands beside it."""
        (memory_id,) = put(items, "I live in Lisbon and I have a dog")
        before = bank.get(memory_id)
        bank.remember(said, mode="semantic")
        assert bank.get(memory_id) == before
        assert bank.count() == 2

    @pytest.mark.parametrize(
        ("action", "relation", "text"),
        [("UPDATE", "subsumes", "User has a dog and a cat"), ("DELETE", "contradictory", None)],
    )
    def test_nor_does_a_model(self, clock: FrozenClock, action: str, relation: str, text: str | None) -> None:
        """Whatever it decides about a document's text: a document changes by being put."""
        fact = {"turn": 0, "quote": "", "text": "User has a dog and a cat", "category": "fact", "entities": []}
        fact |= {"about": None, "until": None, "foresight": False, "passing": False}
        decision = {"fact": 0, "action": action, "id": "m1", "relation": relation, "text": text, "links": []}
        llm = ScriptedLLM({"facts": [fact]}, {"decisions": [decision]})
        vectors = GivenVectors({"has": (1.0, 0.0)})
        with cogmem.open(embedder=vectors, llm=llm, clock=clock, config=MANUAL) as engine:
            bank = engine.bank("alice")
            (memory_id,) = put(bank.items(), "User has a dog")
            before = bank.get(memory_id)
            report = bank.remember("I have a dog and a cat")
            assert (len(llm.calls), bank.get(memory_id)) == (2, before)
            assert report.receipts[0].facts[0].reason == "the memory is protected"
            assert [memory.content for memory in bank.list()] == ["User has a dog", "User has a dog and a cat"]

    def test_nor_does_any_change(self, items: Items, bank: MemoryBank, engine: Engine) -> None:
        """The one writer path refuses a new text, whoever proposes it."""
        (memory_id,), now = put(items, SOUP), engine.services.runtime.now()
        with engine.services.ledger.writing() as writer:
            stored = writer.stored("alice", [memory_id])[memory_id]
            other = replace(stored, memory=replace(stored.memory, content="Onion soup"))
            for name in ("user", "dream"):
                done = apply(writer, "alice", [Rewrite(other, "why not")], now=now, actor=Actor(name))
                assert [refusal.reason for refusal in done.refused] == ["the text of a document"]
        assert bank.get(memory_id).content == SOUP

    def test_what_somebody_said_as_well_outlives_the_document(self, items: Items, bank: MemoryBank) -> None:
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
        self, items: Items, bank: MemoryBank, clock: FrozenClock
    ) -> None:
        """Search finds it all the same; writing it again wakes the memory."""
        (memory_id,) = put(items, SOUP)
        clock.advance(days=2_000)
        assert bank.consolidate().pruned == 1
        assert bank.get(memory_id).state == "dormant"
        (found,) = items.search(query=SOUP)
        assert (found.value, found.score) == ({"texts": [SOUP]}, pytest.approx(1.0))
        assert put(items, SOUP, n=2) == (memory_id,)
        assert (bank.get(memory_id).state, bank.get(memory_id).last_reinforced_at) == ("active", clock.now)

    def test_capacity_trims_memories_and_not_documents(self, reopen: Callable[..., Engine]) -> None:
        """Whatever is trimmed, every document is found by its text, exactly."""
        trimmed = replace(MANUAL.consolidation, forgetting=ForgettingConfig(capacity=10, rules=("capacity",)))
        with reopen(replace(MANUAL, consolidation=trimmed)) as engine:
            bank = engine.bank("alice")
            items = bank.items()
            for number in range(30):
                put(items, f"recipe number {number}", key=str(number))
            assert bank.consolidate(steps=["forgetting"]).pruned == 21
            assert (bank.count(), len(items.search(limit=100))) == (9, 30)
            for number in range(30):
                assert items.search(query=f"recipe number {number}", limit=1)[0].key == str(number)

    def test_forgetting_that_can_be_undone_leaves_the_document(self, items: Items, bank: MemoryBank) -> None:
        """`forget` takes memories out of recall; only `hard=True` takes the document, too."""
        put(items, SOUP)
        bank.forget("soup")
        bank.forget_all(confirm="alice")
        assert (bank.count(), items.search(query="soup")[0].key) == (0, "k")


class TestErasure:
    """`hard=True`: no file holds anything of the document any more."""

    WORDS = ("Zanzibar7741", "Palmtree9213", "Lagoon5520", "Coconut1187")

    @pytest.fixture
    def memory_id(self, items: Items, bank: MemoryBank) -> str:
        """A document that said something else before, with texts and with what is not indexed; and a note beside it."""
        put(items, "The treasure once lay in Lagoon5520", n=1)
        put(items, "The gold lies in Zanzibar7741", "Ask for Coconut1187", hint="It is under Palmtree9213 by the sea")
        put(items, SOUP, key="other")
        bank.observe("Ask for Coconut1187, she said at the harbour of Lisbon.")
        return items.get(HOME, "k").memory_ids[0]

    def test_one_of_its_texts_takes_the_document(
        self, items: Items, bank: MemoryBank, folder: Path, memory_id: str
    ) -> None:
        """With all it says, and all it ever said; the receipt names the memories, the one that was named first."""
        receipt = bank.forget(memory_id, hard=True)
        assert (receipt.memory_ids[0], len(receipt.memory_ids), receipt.remaining) == (memory_id, 3, ())
        assert items.get(HOME, "k") is None
        assert [(item.key, item.score) for item in items.search(query=SOUP)] == [("other", 1.0)]
        assert (states(bank), holding(folder, *self.WORDS)) == ({SOUP: "active"}, [])

    def test_so_does_a_former_text(self, items: Items, bank: MemoryBank, folder: Path, memory_id: str) -> None:
        """A superseded memory leads to its document, too."""
        (former,) = [memory for memory in bank.list(state="superseded") if "Lagoon5520" in memory.content]
        assert bank.forget(former.id, hard=True).remaining == ()
        assert (items.paths(), holding(folder, *self.WORDS)) == ((HOME,), [])
        assert items.get(HOME, "k") is None

    def test_and_a_text_of_a_document_that_was_deleted(
        self, items: Items, bank: MemoryBank, folder: Path, memory_id: str
    ) -> None:
        """Its forgotten memories are still on disk until then."""
        items.delete(HOME, "k")
        assert holding(folder, "Zanzibar7741") != []
        assert len(bank.forget(memory_id, hard=True).memory_ids) == 3
        assert holding(folder, "Zanzibar7741", "Coconut1187", "Lagoon5520") == []

    def test_and_what_else_came_of_the_turn_that_is_erased(
        self, items: Items, bank: MemoryBank, engine: Engine, folder: Path
    ) -> None:
        """A document's text that is traced to an erased turn, too, takes its document and the other texts of it."""
        said = bank.remember("The gold lies in Zanzibar7741", mode="raw").memories[0]
        text = put(items, "The gold lies in Zanzibar7741", "Ask for Coconut1187")[0]
        with engine.services.ledger.writing() as writer:
            traced = [Touch(text, {"sources": said.sources}, "said again")]
            apply(writer, "alice", traced, now=engine.services.runtime.now(), actor=Actor("encoding"))
        assert len(bank.forget(said.id, hard=True).memory_ids) == 3
        assert (items.paths(), states(bank), holding(folder, *self.WORDS)) == ((), {}, [])

    def test_the_whole_namespace(self, items: Items, bank: MemoryBank, engine: Engine, folder: Path) -> None:
        """Also documents that are not indexed; those of another namespace stay."""
        items.put(("x",), "k", {"hint": "It is under Palmtree9213 by the sea", "list": [{"a": "at Coconut1187 again"}]})
        engine.bank("bob").items().put(("x",), "k", {"n": 1})
        assert bank.forget_all(confirm="alice", hard=True).remaining == ()
        assert (items.paths(), holding(folder, *self.WORDS)) == ((), [])
        assert engine.bank("bob").items().paths() == (("x",),)

    def test_what_another_document_says_as_well_is_no_trace(
        self, items: Items, bank: MemoryBank, memory_id: str
    ) -> None:
        """The scan does not take what stays for what was erased."""
        items.put(("x",), "k", {"hint": "It is under Palmtree9213 by the sea"})
        assert bank.forget(memory_id, hard=True).remaining == ()
        assert items.get(("x",), "k") is not None

    def test_the_scan_looks_for_what_is_not_indexed_too(self, bank: MemoryBank, folder: Path, memory_id: str) -> None:
        """A file that holds a sentence of the value is named in the receipt."""
        (folder / "notes.txt").write_text("She said: It is under Palmtree9213 by the sea")
        assert bank.forget(memory_id, hard=True).remaining == ("notes.txt still holds erased text",)

    def test_a_crash_in_between_leaves_all_or_nothing(self, bank: MemoryBank, folder: Path, memory_id: str) -> None:
        """Document and memories are deleted in one transaction."""
        edit(folder, "CREATE TRIGGER stop BEFORE DELETE ON items BEGIN SELECT RAISE(ABORT, 'no more'); END")
        with pytest.raises(StoreError, match="no more"):
            bank.forget(memory_id, hard=True)
        assert (bank.items().get(HOME, "k") is not None, bank.get(memory_id).state) == (True, "active")
        edit(folder, "DROP TRIGGER stop")
        assert bank.forget(memory_id, hard=True).remaining == ()


class TestWriting:
    """All of a call, or nothing."""

    @pytest.mark.parametrize("table", ["items", "memories", "journal"])
    def test_document_and_memories_are_one_transaction(
        self, items: Items, bank: MemoryBank, folder: Path, table: str
    ) -> None:
        """Where a row is refused nothing at all is written, and the next try writes everything."""
        put(items, SOUP)
        edit(folder, f"CREATE TRIGGER stop BEFORE INSERT ON {table} BEGIN SELECT RAISE(ABORT, 'no more'); END")
        with pytest.raises(StoreError, match="no more"):
            items.write([ItemWrite(HOME, "k", None), ItemWrite(HOME, "k2", {"n": 2}, ("Alice sings",))])
        assert (items.get(HOME, "k2"), states(bank)) == (None, {SOUP: "active"})
        edit(folder, "DROP TRIGGER stop")
        written = items.write([ItemWrite(HOME, "k", None), ItemWrite(HOME, "k2", {"n": 2}, ("Alice sings",))])
        assert (written[0], written[1]) == (None, items.get(HOME, "k2"))
        assert states(bank) == {SOUP: "forgotten", "Alice sings": "active"}

    def test_one_call_of_the_embedder_for_a_batch(self, items: Items, embedder: CountingEmbedder) -> None:
        """And each text once."""
        items.write([ItemWrite(HOME, str(number), {"n": number}, (SOUP, f"text {number}")) for number in range(3)])
        assert embedder.texts == [SOUP, "text 0", "text 1", "text 2"]

    def test_without_a_vector_nothing_is_written(
        self, items: Items, bank: MemoryBank, embedder: CountingEmbedder
    ) -> None:
        """As `bank.add`; what needs no vector is written."""
        put(items, SOUP)
        embedder.failure = EmbedderUnavailable("asleep")
        with pytest.raises(EmbedderUnavailable, match="asleep"):
            put(items, "Alice sings")
        assert (items.get(HOME, "k").value, states(bank)) == ({"texts": [SOUP]}, {SOUP: "active"})
        put(items, SOUP, n=2)
        items.delete(HOME, "other")
        assert items.get(HOME, "k").value == {"texts": [SOUP], "n": 2}

    def test_sixteen_threads_write_one_document(self, items: Items, bank: MemoryBank) -> None:
        """The last one wins, whole: the document and the one memory that is active say the same."""
        with ThreadPoolExecutor(16) as pool:
            list(pool.map(lambda number: put(items, f"text {number}"), range(48)))
        (active,) = bank.list()
        assert items.get(HOME, "k").value == {"texts": [active.content]}
        assert items.get(HOME, "k").memory_ids == (active.id,)
        assert sorted(states(bank).values()).count("superseded") == 47

    def test_two_engines_write_one_document(self, items: Items, bank: MemoryBank, reopen: Callable[[], Engine]) -> None:
        """The same across engines, as across processes."""
        with reopen() as other, ThreadPoolExecutor(2) as pool:
            both = (items, other.bank("alice").items())
            list(pool.map(lambda number: put(both[number % 2], f"text {number}"), range(20)))
            (active,) = bank.list()
            assert both[0].get(HOME, "k") == both[1].get(HOME, "k")
            assert [found.score for found in both[1].search(query=active.content)] == [pytest.approx(1.0)]

    def test_a_namespace_of_documents_alone_exists(self, items: Items, engine: Engine) -> None:
        """`engine.namespaces()`: every namespace that was ever written to."""
        items.put(("x",), "k", {"n": 1})
        assert engine.namespaces() == ["alice"]

    @pytest.mark.parametrize(
        ("given", "told"),
        [
            ({"path": "people"}, r"path is 'people'; give a tuple of strings"),
            ({"path": ("a", "")}, r"path is \('a', ''\); leave the empty label out"),
            ({"path": ("a", 1)}, r"path\[1\] is 1 \(int\)"),
            ({"path": ("a\x00",)}, r"path\[0\] holds a NUL"),
            ({"path": ("a" * 600, "b" * 600)}, "path has more than 1,024 bytes"),
            ({"path": ("ü" * 600,)}, r"path\[0\] has 1,200 bytes"),
            ({"key": 7}, "key is 7"),
            ({"key": "k" * 513}, "key has 513 bytes, the limit is 512"),
            ({"key": "\ud800"}, "key holds a lone surrogate"),
            ({"value": [1]}, r"value is \[1\]; give a dict"),
            ({"value": {"at": object()}}, "value is not JSON"),
            ({"value": {"n": float("inf")}}, "value is not JSON"),
            ({"value": {"x": "\x00"}}, "value holds a NUL"),
            ({"value": {"x": "y" * 1_000_000}}, "value has 1,000,009 bytes"),
            ({"texts": "soup"}, r"texts is 'soup' \(str\); give a list of strings"),
            ({"texts": ("soup", " ")}, r"texts\[1\] is ' ': empty or blank"),
            ({"texts": (7,)}, r"texts\[0\] is 7"),
        ],
    )
    def test_what_is_refused(self, items: Items, given: dict[str, Any], told: str) -> None:
        """Each message names the argument; nothing is stored."""
        with pytest.raises(InvalidInput, match=told):
            items.write([ItemWrite(**{"path": ("a",), "key": "k", "value": {"n": 1}, **given})])
        assert items.paths() == ()

    @pytest.mark.parametrize("given", [{"path": "people"}, {"value": None}, {"value": [1]}, {"texts": SOUP}])
    def test_what_looks_nearly_right_is_refused(self, items: Items, given: dict[str, Any]) -> None:
        """A string is no path and no list of texts, though it can be walked through like one."""
        call = {"path": HOME, "key": "k", "value": {"n": 1}, **given}
        with pytest.raises(InvalidInput):
            items.put(**call)
        assert items.paths() == ()
        with pytest.raises(InvalidInput, match="path is 'people'"):
            items.delete("people", "k")

    def test_the_longest_there_may_be(self, items: Items) -> None:
        """Labels, key and namespace together fit an index row of PostgreSQL."""
        path, key = ("a" * 500, "ü" * 250, "b"), "ключ" * 64
        items.put(path, key, {"n": 1})
        assert items.get(path, key).value == {"n": 1}
        assert items.search(path[:2])[0].key == key


class TestSecrets:
    """`encoding.secrets`, for texts and values alike."""

    VALUE: dict[str, Any] = {  # noqa: RUF012 - never changed
        "note": f"my card is {CARD}",
        "login": {"password": "hunter2", "pin": 4821, "tries": 3},
        "more": [{"url": "https://ana:s3cret@example.org"}, True, None, 2.5],
    }

    def test_they_are_redacted_before_they_reach_the_disk(self, items: Items, bank: MemoryBank, folder: Path) -> None:
        """By default; a name tells what stands beside it."""
        items.put(HOME, "k", self.VALUE, texts=[f"my card is {CARD}"])
        assert items.get(HOME, "k").value == {
            "note": "my card is [redacted card number]",
            "login": {"password": "[redacted password]", "pin": "[redacted password]", "tries": 3},
            "more": [{"url": "https://ana:[redacted password]@example.org"}, True, None, 2.5],
        }
        (memory,) = bank.list()
        assert (memory.content, memory.metadata["redacted"]) == ("my card is [redacted card number]", ["card number"])
        assert holding(folder, CARD, "hunter2", "s3cret") == []

    @pytest.mark.parametrize(("value", "texts"), [(VALUE, ()), ({"n": 1}, (f"my card is {CARD}",))])
    def test_they_are_refused(
        self, reopen: Callable[..., Engine], value: dict[str, Any], texts: tuple[str, ...]
    ) -> None:
        """`reject`: nothing is stored; the message tells the kind and not the secret."""
        with reopen(replace(MANUAL, encoding=replace(MANUAL.encoding, secrets="reject"))) as engine:
            items = engine.bank("alice").items()
            with pytest.raises(InvalidInput, match="holds a secret") as caught:
                items.put(HOME, "k", value, texts=texts)
            assert "1111" not in str(caught.value)
            assert items.paths() == ()

    def test_they_are_kept(self, reopen: Callable[..., Engine]) -> None:
        """`keep`: the value is what was given."""
        with reopen(replace(MANUAL, encoding=replace(MANUAL.encoding, secrets="keep"))) as engine:
            assert engine.bank("alice").items().put(HOME, "k", self.VALUE).value == self.VALUE


class TestSearching:
    """Exact, whatever the state of the indexes."""

    def test_the_order(self, items: Items) -> None:
        """With a query by similarity, what has no text last; without one by the time of writing."""
        put(items, "rain and wind", key="near")
        put(items, "lentil soup", key="far")
        items.put(HOME, "none", {"n": 1})
        assert [item.key for item in items.search(query="rain")] == ["near", "far", "none"]
        assert [item.key for item in items.search()] == ["none", "far", "near"]
        assert [item.key for item in items.search(query="rain", limit=1, offset=1)] == ["far"]
        assert [item.score is None for item in items.search(query="rain")] == [False, False, True]

    def test_a_condition_is_asked_before_anything_is_cut_off(self, items: Items) -> None:
        """`where` sees each value below the folder, and no other one."""
        for number in range(20):
            items.put(("a", str(number % 2)), str(number), {"n": number})
        seen: list[int] = []

        def late(value: Any) -> bool:
            seen.append(value["n"])
            return bool(value["n"] > 15)

        assert [item.key for item in items.search(("a", "1"), where=late, limit=2)] == ["19", "17"]
        assert {number % 2 for number in seen} == {1}

    @pytest.mark.parametrize(
        ("given", "told"),
        [
            ({"limit": -1}, "limit is -1"),
            ({"offset": True}, "offset is True"),
            ({"query": " "}, "query is ' '"),
            ({"prefix": "a"}, "prefix is 'a'"),
            ({"where": {"n": 1}}, "where is {'n': 1}; give a function"),
        ],
    )
    def test_what_is_refused(self, items: Items, given: dict[str, Any], told: str) -> None:
        """Before anything is read."""
        with pytest.raises(InvalidInput, match=told):
            items.search(**given)

    def test_another_embedder_compares_with_its_own_vectors(
        self, items: Items, engine: Engine, folder: Path, clock: FrozenClock
    ) -> None:
        """`reindex` embeds the texts of documents like any memory."""
        put(items, SOUP)
        engine.reindex(embedder="hashing")
        assert items.search(query=SOUP)[0].score == pytest.approx(1.0)
        engine.close()
        with cogmem.open(folder, embedder="hashing", clock=clock, config=MANUAL) as later:
            assert later.bank("alice").items().search(query=SOUP)[0].score == pytest.approx(1.0)

    def test_the_log_tells_neither_texts_nor_names(self, items: Items, engine: Engine) -> None:
        """Like every call it is noted; by default without what was asked."""
        put(items, SOUP)
        items.search(query="mint")
        records = [record for record in engine.log() if "items" in record["op"]]
        assert [(record["op"], record.get("resultCount")) for record in records] == [
            ("write_items", None),
            ("search_items", 1),
        ]
        assert "mint" not in json.dumps(records)


class TestCarrying:
    """`export` and `import_`."""

    def test_the_round_trip_is_lossless(
        self, items: Items, bank: MemoryBank, clock: FrozenClock, tmp_path: Path
    ) -> None:
        """SPEC 11: the copy exports the same bytes, and answers alike."""
        put(items, "former words")
        clock.advance(hours=1)
        items.put(HOME, "k", {"z": 1, "a": ["ü\n", None]}, texts=[SOUP, "Alice sings"])
        items.put(("x",), "", {})
        put(items, "put away later", key="gone")
        items.delete(HOME, "gone")
        bank.export(tmp_path / "one")
        with cogmem.open(embedder=CountingEmbedder(), clock=clock, config=MANUAL) as other:
            copy = other.bank("alice")
            copy.import_(tmp_path / "one")
            copy.import_(tmp_path / "one")
            copy.export(tmp_path / "two")
            assert copy.items().search(query="soup") == items.search(query="soup")
            assert list(copy.items().get(HOME, "k").value) == ["z", "a"]
        assert (tmp_path / "two").read_bytes() == (tmp_path / "one").read_bytes()

    def test_into_another_namespace(self, items: Items, bank: MemoryBank, engine: Engine, tmp_path: Path) -> None:
        """The documents there hang on memories of their own."""
        put(items, SOUP)
        bank.export(tmp_path / "one")
        bob = engine.bank("bob")
        bob.import_(tmp_path / "one")
        (found,) = bob.items().search(query=SOUP)
        assert (found.score, bob.get(found.memory_ids[0]).content) == (pytest.approx(1.0), SOUP)
        assert found.memory_ids != items.get(HOME, "k").memory_ids
        bob.forget(found.memory_ids[0], hard=True)
        assert (bob.items().paths(), items.paths()) == ((), (HOME,))

    def test_what_is_there_already_is_left_alone(self, items: Items, bank: MemoryBank, tmp_path: Path) -> None:
        """A document that changed since keeps what it says now."""
        put(items, SOUP)
        bank.export(tmp_path / "one")
        put(items, "Alice sings")
        bank.import_(tmp_path / "one")
        assert items.get(HOME, "k").value == {"texts": ["Alice sings"]}

    @pytest.mark.parametrize(
        "damage",
        [
            ("value", "{", "Expecting"),
            ("value", "[1]", "give a dict"),
            ("value", '{"x": "\\u0000"}', "NUL"),
            ("path", ["a", ""], "empty label"),
            ("path", "ab", "path"),
            ("key", 7, "key cannot be"),
            ("memory_ids", ["01890000-0000-7000-8000-000000000000"], "memories that the file does not hold"),
            ("memory_ids", [7], "memory_ids cannot be"),
            ("created_at", "today", "Invalid isoformat"),
        ],
    )
    def test_a_damaged_line_is_named(
        self, items: Items, engine: Engine, tmp_path: Path, damage: tuple[str, Any, str]
    ) -> None:
        """And nothing is imported; a file may be made by hand."""
        (field, bad, told), bank = damage, engine.bank("alice")
        put(items, SOUP)
        bank.export(tmp_path / "one")
        lines = [json.loads(line) for line in (tmp_path / "one").read_text().splitlines()]
        number = next(index for index, line in enumerate(lines, 1) if line["kind"] == "item")
        lines[number - 1][field] = bad
        (tmp_path / "one").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        with pytest.raises(InvalidInput, match=rf"line {number}: .*{told}"):
            bank.import_(tmp_path / "one")
        with pytest.raises(InvalidInput, match=f"line {number}: "):
            engine.bank("bob").import_(tmp_path / "one")
        assert engine.bank("bob").count(state="any") == 0


def test_a_ledger_of_schema_4_gets_the_table(
    items: Items, bank: MemoryBank, engine: Engine, folder: Path, reopen: Callable[[], Engine]
) -> None:
    """What a former version wrote is opened as it is; documents can be put at once."""
    bank.add("My cat is called Mochi")
    engine.close()
    edit(folder, "DROP TABLE items", "UPDATE meta SET value = '4' WHERE key = 'schema_version'")
    with reopen() as later:
        bank = later.bank("alice")
        put(bank.items(), SOUP)
        assert states(bank) == {"My cat is called Mochi": "active", SOUP: "active"}
        assert bank.items().search(query=SOUP)[0].key == "k"
    with closing(sqlite3.connect(folder / "ledger.sqlite")) as ledger:
        version = ledger.execute("SELECT value FROM meta WHERE key = 'schema_version'").fetchall()
        indexes = {row[1] for row in ledger.execute("PRAGMA index_list(items)")}
    assert version == [(str(SCHEMA_VERSION),)]
    assert "items_by_revision" in indexes


def test_a_folder_is_one_range_of_the_key(items: Items, folder: Path) -> None:
    """DESIGN 7: the cost of a search must not grow with the number of other documents."""
    put(items, SOUP)
    query = "SELECT * FROM items WHERE shard = 1 AND namespace = 'n' AND path >= '[\"a\",' AND path <= '[\"a\"]'"
    with closing(sqlite3.connect(folder / "ledger.sqlite")) as ledger:
        ((*_, plan),) = ledger.execute(f"EXPLAIN QUERY PLAN {query}")
    assert plan.endswith("(shard=? AND namespace=? AND path>? AND path<?)")


def test_the_memories_of_documents_are_what_audit_and_forecast_know(items: Items, bank: MemoryBank) -> None:
    """Documents are no special case for what looks memories over."""
    put(items, SOUP)
    put(items, SOUP, key="k2")
    audit = bank.audit()
    assert (audit.duplicates.count, audit.orphans.count, audit.secrets.count) == (1, 0, 0)
    assert {event.memory_id for event in bank.forecast(2_000).events} == {memory.id for memory in bank.list()}


def test_after_closing_every_method_says_so(items: Items, engine: Engine) -> None:
    """BankClosed names the way back."""
    engine.close()
    calls: tuple[Callable[[], object], ...] = (
        lambda: items.get(HOME, "k"),
        lambda: put(items, SOUP),
        lambda: items.delete(HOME, "k"),
        lambda: items.write([]),
        items.search,
        items.paths,
    )
    for call in calls:
        with pytest.raises(BankClosed, match=r"cogmem\.open"):
            call()


async def test_the_twins_do_what_the_methods_do(items: Items) -> None:
    """Fifty at once, and all are there."""
    await asyncio.gather(*(items.aput(HOME, str(n), {"n": n}, texts=[f"text {n}"]) for n in range(50)))
    assert (await items.aget(HOME, "7")).value == {"n": 7}
    assert await items.apaths() == (HOME,)
    await items.adelete(HOME, "7")
    assert len(await items.asearch(limit=100)) == 49
    assert await items.awrite([]) == ()


def test_its_text_form_names_namespace_and_engine_also_after_closing(reopen: Callable[[], Engine]) -> None:
    """A debugger shows it whenever it likes."""
    with reopen() as engine:
        items = engine.bank("alice").items()
        assert repr(items) == f"<cogmem.Items of 'alice' of {engine!r}>"
    assert repr(items).endswith(" closed>>")
