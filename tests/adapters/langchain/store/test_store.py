"""`CogMemStore` as LangGraph uses it: items, batches, and whoever else opens the same bank."""

import json
import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
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
from cogmem_core import EmbedderUnavailable, Engine, InvalidInput, MemoryBank
from cogmem_core.testing import MANUAL, CountingEmbedder, FrozenClock
from helpers.script_runner import Scripts
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

    @pytest.mark.parametrize(
        "key", ["", " ", "%", "_", "*", "a.b", "naïve", "line\n", "日本語", "' OR 1=1 --"]
    )
    def test_a_key_is_compared_whole(self, store: CogMemStore, key: str) -> None:
        """Suites of checkpoint-sqlite and checkpoint-postgres: `%`, `_`, `*` and line ends are literal."""
        store.put(("a",), key, {"of": key})
        store.put(("a",), f"{key}x", {"of": "another"})
        assert store.get(("a",), key).value == {"of": key}
        assert len(store.search(("a",))) == 2

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

    def test_without_a_vector_nothing_is_stored(self, clock: FrozenClock) -> None:
        """As `bank.add`: EmbedderUnavailable, and the former value is as it was."""
        embedder = CountingEmbedder()
        with cogmem_core.open(embedder=embedder, clock=clock, config=MANUAL) as engine:
            store = CogMemStore(engine=engine, namespace="alice")
            store.put(("a",), "k", CELLO)
            embedder.failure = EmbedderUnavailable("the model is asleep")
            for write in (
                lambda: store.put(("a",), "k", RAIN),
                lambda: store.search(("a",), query="rain"),
            ):
                with pytest.raises(EmbedderUnavailable, match="asleep"):
                    write()
            store.put(("a",), "k2", RAIN, index=False)
            assert keys(store.search(("a",))) == ["k2", "k"]
            assert store.get(("a",), "k").value == CELLO
            assert [memory.content for memory in store.bank.list(state="any")] == [
                json.dumps(CELLO)
            ]

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

    @pytest.mark.parametrize("namespace", [(), ("langgraph", "x"), ("a.b",)])
    def test_put_checks_namespaces_as_everywhere(
        self, store: CogMemStore, namespace: tuple[str, ...]
    ) -> None:
        """`BaseStore.put`."""
        with pytest.raises(InvalidNamespaceError):
            store.put(namespace, "k", {})

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


def test_another_process_sees_them(
    store: CogMemStore, folder: Path, scripts: Scripts, tmp_path: Path
) -> None:
    """And this one sees what that one puts."""
    store.put(("a",), "k", CELLO)
    source = (
        "import cogmem_core, sys\n"
        "from langchain_cogmem.store import CogMemStore\n"
        "with cogmem_core.open(sys.argv[1], embedder='hashing') as engine:\n"
        "    store = CogMemStore(engine.bank('alice'))\n"
        "    print(store.search(('a',), query='cello')[0].value['text'])\n"
        "    store.put(('a',), 'from there', {'text': 'hello'})\n"
    )
    assert scripts.run(source, tmp_path, arguments=[folder]).out == "Alice plays the cello\n"
    assert keys(store.search(("a",), query="hello")) == ["from there", "k"]


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
