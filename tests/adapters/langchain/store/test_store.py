"""`CogMemStore` as LangGraph uses it: items, batches, and whoever else opens the same bank."""

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from langgraph.store.base import (
    GetOp,
    InvalidNamespaceError,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchOp,
)

import cogmem_core
from cogmem_core import Engine, InvalidInput, MemoryBank
from cogmem_core.testing import MANUAL, CountingEmbedder, FrozenClock
from helpers.store_items import CELLO, NOON, RAIN, keys
from langchain_cogmem.store import CogMemStore


class TestItems:
    """LangGraph: `put`, `get`, `delete`."""

    def test_replacing_keeps_the_birthday_and_nothing_else(
        self, store: CogMemStore, clock: FrozenClock
    ) -> None:
        """LangGraph's durable stores: `created_at` stays, the value is replaced as a whole."""
        store.put(("a",), "k", {"one": 1, "two": 2})
        clock.advance(days=1)
        store.put(("a",), "k", {"two": 3})
        item = store.get(("a",), "k")
        assert (item.value, item.created_at, item.updated_at) == (
            {"two": 3},
            NOON,
            NOON + timedelta(days=1),
        )

    def test_changing_what_was_returned_changes_nothing(self, store: CogMemStore) -> None:
        """An item is a copy."""
        store.put(("a",), "k", {"tags": ["x"]})
        store.get(("a",), "k").value["tags"].append("y")
        assert store.get(("a",), "k").value == {"tags": ["x"]}


class TestBatch:
    """LangGraph: `batch` and `abatch`."""

    def test_all_writes_of_a_batch_or_none(self, store: CogMemStore) -> None:
        """What is no JSON object is refused before anything is written."""
        for bad in ({"at": NOON}, {"n": float("nan")}, {"nul": "\x00"}):
            with pytest.raises(InvalidInput, match="value "):
                store.batch([PutOp(("a",), "good", CELLO), PutOp(("a",), "bad", bad)])
        assert store.search(()) == []

    @pytest.mark.parametrize("label", ["", "a.b", "a\x00", 7])
    def test_namespaces_of_bare_operations_are_checked(
        self, store: CogMemStore, label: Any
    ) -> None:
        """INTERFACES 1.6: "ops passed to `batch` directly skip it"."""
        condition = MatchCondition("prefix", (label,))
        ops = (
            GetOp((label,), "k"),
            PutOp(("a", label), "k", {}),
            SearchOp((label,)),
            ListNamespacesOp((condition,)),
        )
        for op in ops:
            with pytest.raises(InvalidNamespaceError, match="label"):
                store.batch([PutOp(("good",), "k", {}), op])
        assert store.search(()) == []

    def test_other_operations_are_refused(self, store: CogMemStore) -> None:
        """As `InMemoryStore` does."""
        with pytest.raises(ValueError, match="no operation"):
            store.batch(["get"])  # type: ignore[list-item]

    async def test_the_event_loop_is_not_held_up(self, clock: FrozenClock) -> None:
        """`abatch` works in another thread."""
        threads = set()

        class Noting(CountingEmbedder):
            def embed_documents(self, texts: Any) -> Any:
                threads.add(threading.get_ident())
                return super().embed_documents(texts)

        async with cogmem_core.open(embedder=Noting(), clock=clock, config=MANUAL) as engine:
            await CogMemStore(engine.bank("alice")).aput(("a",), "k", CELLO)
        assert len(threads) == 1
        assert threading.get_ident() not in threads


def test_a_second_engine_on_the_folder_sees_them_at_once(
    store: CogMemStore, reopen: Callable[[], Engine]
) -> None:
    """Both write, both read."""
    with reopen() as other:
        beside = CogMemStore(other.bank("alice"))
        store.put(("a",), "k", CELLO)
        assert keys(beside.search(("a",), query="cello")) == ["k"]
        beside.put(("a",), "k", RAIN)
        beside.put(("a",), "k2", CELLO)
        assert [item.value for item in store.search(("a",), query="soaked by rain")] == [
            RAIN,
            CELLO,
        ]
        beside.delete(("a",), "k")
        assert keys(store.search(("a",), query="rain")) == ["k2"]


def test_recall_finds_what_agents_put(store: CogMemStore, bank: MemoryBank) -> None:
    """And says where it stands."""
    store.put(("people", "alice"), "music", CELLO, index=["text"])
    found = bank.recall("Who plays the cello?").results[0]
    assert found.content == "Alice plays the cello"
    assert found.memory.metadata == {"item": {"path": ["people", "alice"], "key": "music"}}


class TestMaking:
    """The constructor, and what it needs."""

    def test_what_it_refuses(self, engine: Engine, bank: MemoryBank) -> None:
        """Each message names the argument and what to give."""
        refused = (
            ({}, "bank is missing"),
            ({"bank": bank, "namespace": "x"}, "give bank alone"),
            ({"engine": engine}, "namespace is missing"),
            ({"bank": bank, "fields": "text"}, "fields is 'text'; give a list"),
            ({"bank": bank, "fields": [""]}, "fields is"),
            ({"bank": bank, "fields": ["a"], "index": {"fields": ["b"]}}, "give one of them"),
            ({"bank": bank, "index": {"fields": "a"}}, r"index\['fields'\] is 'a'"),
            ({"bank": bank, "index": {"dims": 3}}, r"index\['dims'\] is 3"),
            ({"bank": bank, "index": {"embed": len}}, r"LangChainEmbedder\(embed\)"),
            ({"bank": bank, "index": {"metric": "l2"}}, "some of fields, dims, embed"),
            ({"bank": bank, "ttl": 5}, "ttl is 5; give a dict"),
            ({"bank": bank, "ttl": {"default_ttl": 0}}, r"ttl\['default_ttl'\] is 0; give minutes"),
            ({"bank": bank, "ttl": {"refresh_on_read": 1}}, "give True or False"),
            ({"bank": bank, "ttl": {"omit_expired": False}}, "never returned"),
        )
        for given, told in refused:
            with pytest.raises(InvalidInput, match=told):
                CogMemStore(**given)  # type: ignore[arg-type]

    def test_it_tells_where_it_keeps_things(self, store: CogMemStore) -> None:
        """`repr` shows no content."""
        assert repr(store).startswith("<CogMemStore on <cogmem_core.MemoryBank 'alice'")
