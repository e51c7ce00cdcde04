"""`CogMemStore` as LangGraph uses it: what the suites of its own stores ask for besides."""

from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding
from langgraph.store.base import ListNamespacesOp

import cogmem_core
from cogmem_core import Engine, InvalidInput, MemoryBank
from cogmem_core.testing import MANUAL
from helpers.store_items import keys
from helpers.tables import each_case_of, each_row, each_row_of
from langchain_cogmem import LangChainEmbedder
from langchain_cogmem.bank_embeddings import BankEmbeddings
from langchain_cogmem.store import CogMemStore

APPLES = {
    "doc1": {"text": "red apple", "color": "red", "score": 4.5},
    "doc2": {"text": "red car", "color": "red", "score": 3.0},
    "doc3": {"text": "green apple", "color": "green", "score": 4.0},
    "doc4": {"text": "blue car", "color": "blue", "score": 3.5},
}


class TestIndex:
    """LangGraph: `index_config`."""

    @pytest.fixture
    def embed(self) -> DeterministicFakeEmbedding:
        return DeterministicFakeEmbedding(size=16)

    @pytest.fixture
    def fake(self, embed: DeterministicFakeEmbedding) -> Iterator[Engine]:
        with cogmem_core.open(embedder=LangChainEmbedder(embed), config=MANUAL) as engine:
            yield engine

    def test_it_tells_how_items_are_indexed(
        self, fake: Engine, embed: DeterministicFakeEmbedding
    ) -> None:
        store = CogMemStore(fake.bank("a"), index={"dims": 16, "embed": embed, "fields": ["text"]})
        assert store.index_config == {"dims": 16, "embed": embed, "fields": ["text"]}
        assert store.embeddings is embed
        assert CogMemStore(fake.bank("a")).index_config["fields"] == ["$"]

    def test_the_banks_own_embedder(self, store: CogMemStore) -> None:
        embeddings = store.index_config["embed"]
        assert isinstance(embeddings, BankEmbeddings)
        assert len(embeddings.embed_query("cello")) == store.index_config["dims"]

    def test_paths(self, bank: MemoryBank) -> None:
        store = CogMemStore(bank, fields=["key0", "key1", "key3"])
        store.put(("test",), "doc1", {"key1": "xxx", "key2": "yyy", "key3": "zzz"})
        store.put(("test",), "doc2", {"key0": "uuu", "key1": "vvv", "key2": "www", "key3": "xxx"})
        both = store.search(("test",), query="xxx")
        assert both[0].score == pytest.approx(both[1].score or 0.0)
        assert keys(store.search(("test",), query="uuu"))[0] == "doc2"
        assert keys(store.search(("test",), query="zzz"))[0] == "doc1"
        assert all((item.score or 0.0) < 0.9 for item in store.search(("test",), query="www"))


class TestMeaning:
    @pytest.fixture(autouse=True)
    def apples(self, bank: MemoryBank) -> CogMemStore:
        store = CogMemStore(bank, fields=["text"])
        for key, value in APPLES.items():
            store.put(("test",), key, value)
        return store

    @each_row("query", ["", None, "test " * 100, "test!@#$%^&*()", "日本語 ß"])
    def test_unusual_queries(self, apples: CogMemStore, query: str | None) -> None:
        assert len(apples.search(("test",), query=query)) == 4


class TestFilters:
    @each_row(
        ("conditions", "found"),
        [
            ({"access-level": "public"}, ["hyphen"]),
            ({"user.access-level": "nested"}, ["nested"]),
            ({"123abc": "ok"}, ["digits"]),
            ({"user.deep.level": {"$gte": 2}}, ["nested"]),
            ({"user.deep.missing": None}, ["number", "flag", "digits", "nested", "hyphen"]),
            ({"user": {"deep.level": 2}}, ["nested"]),
            ({"active": True}, ["flag"]),
            ({"active": False}, []),
            ({"price": {"$gt": 15}}, ["number"]),
            ({"price": {"$lt": float("inf")}}, ["number"]),
            ({"price": {"$gt": float("-inf")}}, ["number"]),
            ({"price": {"$eq": float("nan")}}, []),
            ({"price": {"$lt": 10**100}}, ["number"]),
            ({"price": {"$lt": 0}}, []),
            ({"name": "O'Brien's \"%_\" -- ; DROP TABLE items"}, ["number"]),
            ({"name": "' OR '1'='1"}, []),
            ({"name') OR 1=1 --": "x"}, []),
        ],
    )
    def test_keys_and_values(
        self, store: CogMemStore, conditions: dict[str, Any], found: list[str]
    ) -> None:
        """Suite of checkpoint-sqlite: hyphens, digits, dots into nested objects, numbers, nothing of SQL."""
        store.put(("d",), "hyphen", {"access-level": "public"})
        store.put(("d",), "nested", {"user": {"access-level": "nested", "deep": {"level": 2}}})
        store.put(("d",), "digits", {"123abc": "ok"})
        store.put(("d",), "flag", {"active": True})
        name = "O'Brien's \"%_\" -- ; DROP TABLE items"
        store.put(("d",), "number", {"price": 20, "name": name})
        assert keys(store.search(("d",), filter=conditions)) == found

    def test_a_key_with_dots_of_its_own_goes_before(self, store: CogMemStore) -> None:
        store.put(("d",), "own", {"a.b": 1, "a": {"b": 2}})
        store.put(("d",), "nested", {"a": {"b": 1}})
        assert keys(store.search(("d",), filter={"a.b": 1})) == ["nested", "own"]
        assert keys(store.search(("d",), filter={"a.b": 2})) == []


class TestNamespaces:
    @each_row_of("store_behaviours/negative_numbers_are_refused")
    def test_negative_numbers_are_refused(
        self, store: CogMemStore, asked: dict[str, Any], message: str
    ) -> None:
        store.put(("a",), "k", {})
        with pytest.raises(InvalidInput, match=message):
            store.list_namespaces(**asked)
        with pytest.raises(InvalidInput, match=message):
            store.batch([ListNamespacesOp(**asked)])

    def test_an_empty_condition_means_nothing(self, store: CogMemStore) -> None:
        store.put(("a", "b"), "k", {})
        assert store.list_namespaces(prefix=(), suffix=()) == [("a", "b")]
        assert store.list_namespaces(limit=0) == []


class TestLangmem:
    """The shapes that langmem writes: of its tools, and of its store manager."""

    @pytest.mark.parametrize("fields", [["$"], ["content"]])
    @each_case_of("store_behaviours/the_memory_is_the_text")
    def test_the_memory_is_the_text(
        self, bank: MemoryBank, fields: list[str], value: dict[str, Any], text: str
    ) -> None:
        store = CogMemStore(bank, fields=fields)
        store.put(("memories", "ann"), "1", value)
        assert [memory.content for memory in bank.list()] == [text]
        assert store.get(("memories", "ann"), "1").value == value
        assert text in bank.recall(text).context()

    def test_a_schema_of_ones_own_stays_json(self, bank: MemoryBank) -> None:
        store = CogMemStore(bank)
        value = {"kind": "User", "content": {"name": "Ann", "content": "x"}}
        store.put(("memories",), "1", value)
        assert bank.list()[0].content.startswith('{"content": {')

    def test_a_path_into_it_is_the_text_too(self, bank: MemoryBank) -> None:
        store = CogMemStore(bank, fields=["content.content"])
        store.put(("memories",), "1", {"kind": "Memory", "content": {"content": "Ann sails."}})
        assert [memory.content for memory in bank.list()] == ["Ann sails."]
