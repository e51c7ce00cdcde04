"""`CogMemStore` as LangGraph, LangChain agents and langmem use it."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.tools import ToolRuntime, tool
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.store.base import (
    GetOp,
    InvalidNamespaceError,
    Item,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchItem,
    SearchOp,
)

import cogmem
from cogmem import EmbedderUnavailable, Engine, InvalidInput, MemoryBank
from cogmem.testing import MANUAL, CountingEmbedder, FrozenClock
from langchain_cogmem.store import CogMemStore

HAS_LANGMEM = sys.version_info >= (3, 11)
if HAS_LANGMEM:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what langmem is built on imports from deprecated places
        from langmem import create_manage_memory_tool, create_search_memory_tool

with_langmem = pytest.mark.skipif(not HAS_LANGMEM, reason="langmem cannot be imported on Python 3.10")
NOON = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)
CELLO = {"text": "Alice plays the cello"}
RAIN = {"text": "Bob was soaked by the rain"}


@pytest.fixture
def reopen(folder: Path, clock: FrozenClock) -> Callable[[], Engine]:
    return lambda: cogmem.open(folder, embedder="hashing", clock=clock, config=MANUAL)


@pytest.fixture
def engine(reopen: Callable[[], Engine]) -> Iterator[Engine]:
    with reopen() as engine:
        yield engine


@pytest.fixture
def bank(engine: Engine) -> MemoryBank:
    return engine.bank("alice")


@pytest.fixture
def store(bank: MemoryBank) -> CogMemStore:
    return CogMemStore(bank)


def keys(found: list[SearchItem]) -> list[str]:
    return [item.key for item in found]


class TestItems:
    """LangGraph: `put`, `get`, `delete`."""

    def test_what_was_put_is_there_as_it_was(self, store: CogMemStore) -> None:
        """INTERFACES 1.6: "`Item.value` is any JSON dict: cogmem must keep the dict verbatim"."""
        value = {"z": 1, "a": [None, True, 2.5, {"ü": "ß\n"}], "": {}, "empty": []}
        store.put(("users", "1"), "profile", value)
        item = store.get(("users", "1"), "profile")
        assert item == Item(namespace=("users", "1"), key="profile", value=value, created_at=NOON, updated_at=NOON)
        assert list(item.value) == ["z", "a", "", "empty"]

    def test_replacing_keeps_the_birthday_and_nothing_else(self, store: CogMemStore, clock: FrozenClock) -> None:
        """LangGraph's durable stores: `created_at` stays, the value is replaced as a whole."""
        store.put(("a",), "k", {"one": 1, "two": 2})
        clock.advance(days=1)
        store.put(("a",), "k", {"two": 3})
        item = store.get(("a",), "k")
        assert (item.value, item.created_at, item.updated_at) == ({"two": 3}, NOON, NOON + timedelta(days=1))

    def test_a_deleted_item_is_gone(self, store: CogMemStore) -> None:
        """And deleting what is not there is no error."""
        store.put(("a",), "k", CELLO)
        store.delete(("a",), "k")
        store.delete(("a",), "k")
        assert store.get(("a",), "k") is None
        assert store.search(("a",), query="cello") == []
        assert store.list_namespaces() == []

    @pytest.mark.parametrize("key", ["", " ", "%", "_", "*", "a.b", "naïve", "line\n", "日本語", "' OR 1=1 --"])
    def test_a_key_is_compared_whole(self, store: CogMemStore, key: str) -> None:
        """Suites of checkpoint-sqlite and checkpoint-postgres: `%`, `_`, `*` and line ends are literal."""
        store.put(("a",), key, {"of": key})
        store.put(("a",), f"{key}x", {"of": "another"})
        assert store.get(("a",), key).value == {"of": key}
        assert len(store.search(("a",))) == 2

    def test_case_counts(self, store: CogMemStore) -> None:
        """In namespaces and keys alike (suite of checkpoint-sqlite)."""
        for number, (label, key) in enumerate((("Users", "K"), ("users", "K"), ("users", "k"))):
            store.put((label,), key, {"n": number})
        assert [store.get(*at).value["n"] for at in ((("Users",), "K"), (("users",), "K"), (("users",), "k"))] == [
            0,
            1,
            2,
        ]
        assert keys(store.search(("Users",))) == ["K"]
        assert store.list_namespaces(prefix=("Users",)) == [("Users",)]

    def test_changing_what_was_returned_changes_nothing(self, store: CogMemStore) -> None:
        """An item is a copy."""
        store.put(("a",), "k", {"tags": ["x"]})
        store.get(("a",), "k").value["tags"].append("y")
        assert store.get(("a",), "k").value == {"tags": ["x"]}


class TestBatch:
    """LangGraph: `batch` and `abatch`."""

    def test_results_stand_in_the_order_of_the_operations(self, store: CogMemStore) -> None:
        """Suites of checkpoint-sqlite and checkpoint-postgres, `test_batch_order`."""
        store.put(("test", "foo"), "key1", {"data": "value1"})
        store.put(("test", "bar"), "key2", {"data": "value2"})
        found = store.batch(
            [
                GetOp(("test", "foo"), "key1"),
                PutOp(("test", "bar"), "key2", {"data": "value3"}),
                SearchOp(("test",), {"data": "value1"}, 10, 0),
                ListNamespacesOp(None, None, 10, 0),
                GetOp(("test",), "key3"),
            ]
        )
        assert found[0].value == {"data": "value1"}
        assert found[1] is None
        assert keys(found[2]) == ["key1"]
        assert found[3] == [("test", "bar"), ("test", "foo")]
        assert found[4] is None

    async def test_reads_see_what_was_there_before_the_writes(self, store: CogMemStore) -> None:
        """INTERFACES 1.6: "InMemoryStore applies puts last; last put per key wins"."""
        put = [PutOp(("a",), "k", {"n": number}) for number in range(3)]
        assert await store.abatch([*put, GetOp(("a",), "k"), SearchOp(("a",))]) == [None, None, None, None, []]
        assert (await store.aget(("a",), "k")).value == {"n": 2}
        assert await store.abatch([PutOp(("a",), "k", None), PutOp(("a",), "k", {"n": 5})]) == [None, None]
        assert (await store.aget(("a",), "k")).value == {"n": 5}
        assert store.batch([PutOp(("a",), "k", {"n": 6}), PutOp(("a",), "k", None)]) == [None, None]
        assert await store.aget(("a",), "k") is None

    def test_an_empty_batch_is_no_work(self, store: CogMemStore, engine: Engine) -> None:
        """And leaves no trace of the namespace."""
        assert store.batch([]) == []
        assert engine.namespaces() == []

    def test_all_writes_of_a_batch_or_none(self, store: CogMemStore) -> None:
        """What is no JSON object is refused before anything is written."""
        for bad in ({"at": NOON}, {"n": float("nan")}, {"nul": "\x00"}):
            with pytest.raises(InvalidInput, match="value "):
                store.batch([PutOp(("a",), "good", CELLO), PutOp(("a",), "bad", bad)])
        assert store.search(()) == []

    def test_without_a_vector_nothing_is_stored(self, clock: FrozenClock) -> None:
        """As `bank.add`: EmbedderUnavailable, and the former value is as it was."""
        embedder = CountingEmbedder()
        with cogmem.open(embedder=embedder, clock=clock, config=MANUAL) as engine:
            store = CogMemStore(engine=engine, namespace="alice")
            store.put(("a",), "k", CELLO)
            embedder.failure = EmbedderUnavailable("the model is asleep")
            for write in (lambda: store.put(("a",), "k", RAIN), lambda: store.search(("a",), query="rain")):
                with pytest.raises(EmbedderUnavailable, match="asleep"):
                    write()
            store.put(("a",), "k2", RAIN, index=False)
            assert keys(store.search(("a",))) == ["k2", "k"]
            assert store.get(("a",), "k").value == CELLO
            assert [memory.content for memory in store.bank.list(state="any")] == [json.dumps(CELLO)]

    @pytest.mark.parametrize("label", ["", "a.b", "a\x00", 7])
    def test_namespaces_of_bare_operations_are_checked(self, store: CogMemStore, label: Any) -> None:
        """INTERFACES 1.6: "ops passed to `batch` directly skip it"."""
        condition = MatchCondition("prefix", (label,))
        ops = (GetOp((label,), "k"), PutOp(("a", label), "k", {}), SearchOp((label,)), ListNamespacesOp((condition,)))
        for op in ops:
            with pytest.raises(InvalidNamespaceError, match="label"):
                store.batch([PutOp(("good",), "k", {}), op])
        assert store.search(()) == []

    @pytest.mark.parametrize("namespace", [(), ("langgraph", "x"), ("a.b",)])
    def test_put_checks_namespaces_as_everywhere(self, store: CogMemStore, namespace: tuple[str, ...]) -> None:
        """`BaseStore.put`."""
        with pytest.raises(InvalidNamespaceError):
            store.put(namespace, "k", {})

    def test_other_operations_are_refused(self, store: CogMemStore) -> None:
        """As `InMemoryStore` does."""
        with pytest.raises(ValueError, match="no operation"):
            store.batch(["get"])  # type: ignore[list-item]

    def test_items_do_not_expire(self, store: CogMemStore) -> None:
        """INTERFACES 1.6: "`ttl=` raises NotImplementedError unless `supports_ttl=True`"; bare operations, too."""
        with pytest.raises(NotImplementedError):
            store.put(("a",), "k", {}, ttl=5)
        with pytest.raises(NotImplementedError, match="ttl"):
            store.batch([PutOp(("a",), "k", {}, ttl=5)])

    async def test_the_event_loop_is_not_held_up(self, clock: FrozenClock) -> None:
        """`abatch` works in another thread."""
        threads = set()

        class Noting(CountingEmbedder):
            def embed_documents(self, texts: Any) -> Any:
                threads.add(threading.get_ident())
                return super().embed_documents(texts)

        async with cogmem.open(embedder=Noting(), clock=clock, config=MANUAL) as engine:
            await CogMemStore(engine.bank("alice")).aput(("a",), "k", CELLO)
        assert len(threads) == 1
        assert threading.get_ident() not in threads


class TestSearch:
    """LangGraph: `search`."""

    def test_the_best_come_first(self, store: CogMemStore) -> None:
        """Suites of checkpoint-sqlite and checkpoint-postgres: scores descend; what is not indexed has none."""
        store.put(("docs",), "both", {"text": "cello music in the rain"}, index=["text"])
        store.put(("docs",), "one", {"text": "a cello"}, index=["text"])
        store.put(("docs",), "none", {"text": "the tax return"}, index=["text"])
        store.put(("docs",), "hidden", {"text": "cello rain"}, index=False)
        found = store.search(("docs",), query="cello rain")
        assert keys(found)[-1] == "hidden"
        assert set(keys(found)[:2]) == {"both", "one"}
        scores = [item.score for item in found]
        assert scores[3] is None
        assert scores[0] >= scores[1] > scores[2]

    def test_pages_of_a_ranking(self, store: CogMemStore) -> None:
        """What one page ends with is not what the next one begins with."""
        for number in range(7):
            store.put(
                ("docs",), str(number), {"text": "rain " * (number + 1) + "stone " * (7 - number)}, index=["text"]
            )
        store.put(("docs",), "x", {"n": 1}, index=False)
        pages = [store.search(("docs",), query="rain", limit=3, offset=start) for start in (0, 3, 6, 9)]
        assert [key for page in pages for key in keys(page)] == ["6", "5", "4", "3", "2", "1", "0", "x"]
        assert store.search(("docs",), query="rain", limit=0) == []

    def test_without_a_query_the_newest_come_first(self, store: CogMemStore) -> None:
        """As LangGraph's durable stores do; ten at most unless told otherwise."""
        for number in range(12):
            store.put(("docs",), str(number), {"n": number})
        store.put(("docs",), "3", {"n": 33})
        assert keys(store.search(("docs",))) == ["3", "11", "10", "9", "8", "7", "6", "5", "4", "2"]
        assert keys(store.search(("docs",), limit=2, offset=11)) == ["0"]
        assert keys(store.search(("docs",), query="  ", limit=1)) == ["3"]

    def test_a_label_is_compared_whole(self, store: CogMemStore) -> None:
        """Suites of checkpoint-sqlite and checkpoint-postgres: ("a",) does not hold ("ab",), nor "a%" "ab"."""
        labels = ("a", "ab", "a%", "a_", "A", "a*", 'a"', "a,", "a]", "größe", "a\n", "\\")
        for label in labels:
            store.put((label,), "k", {"of": label})
            store.put((label, "deeper"), "k", {"of": label})
        for label in labels:
            found = store.search((label,))
            assert [item.namespace for item in found] == [(label, "deeper"), (label,)]
            assert store.list_namespaces(prefix=(label,)) == [(label,), (label, "deeper")]
        assert store.search(("a", "deep")) == []

    def test_an_empty_prefix_is_everywhere(self, store: CogMemStore) -> None:
        """Suites of checkpoint-sqlite and checkpoint-postgres."""
        store.put(("a",), "1", CELLO)
        store.put(("b", "c"), "2", RAIN)
        assert keys(store.search(())) == ["2", "1"]
        assert keys(store.search((), query="cello")) == ["1", "2"]

    @pytest.mark.parametrize(
        ("wanted", "found"),
        [
            ({"kind": "note"}, ["n3"]),
            ({"n": {"$gt": 1}}, ["n3", "n2"]),
            ({"n": {"$gte": 2, "$lt": "2.5"}}, ["n2"]),
            ({"n": {"$lte": 2}}, ["n2", "n1"]),
            ({"n": {"$ne": 1}}, ["none", "n3", "n2"]),
            ({"n": {"$eq": None}}, ["none"]),
            ({"day": {"$gte": "2026-02-01"}}, ["n3", "n2"]),
            ({"meta": {"deep": {"ok": True}}}, ["n2"]),
            ({"meta": {"deep": {"level": {"$gt": 5}}}}, ["n3"]),
            ({"tags": ["a", "b"]}, ["n1"]),
            ({"kind": "note", "n": 3}, ["n3"]),
            ({"kind": "note", "n": 2}, []),
            ({}, ["none", "n3", "n2", "n1"]),
        ],
    )
    def test_filters(self, store: CogMemStore, wanted: dict[str, Any], found: list[str]) -> None:
        """INTERFACES 1.6: equality, the six operators, nested objects; what cannot be compared does not match."""
        store.put(("a",), "n1", {"n": 1, "day": "2026-01-01", "tags": ["a", "b"]})
        store.put(("a",), "n2", {"n": 2, "day": "2026-02-01", "meta": {"deep": {"ok": True, "level": 1}}})
        store.put(("a",), "n3", {"n": 3, "day": "2026-03-01", "kind": "note", "meta": {"deep": {"level": 9}}})
        store.put(("a",), "none", {"day": None})
        assert keys(store.search(("a",), filter=wanted)) == found
        assert set(keys(store.search(("a",), filter=wanted, query="note"))) == set(found)

    def test_an_unknown_operator_is_an_error(self, store: CogMemStore) -> None:
        """As `InMemoryStore` does; the message names the ones there are."""
        store.put(("a",), "k", {"n": 1})
        with pytest.raises(ValueError, match=r"'\$in'.*\$gte"):
            store.search(("a",), filter={"n": {"$in": [1]}})

    def test_what_is_indexed_is_a_matter_of_the_item(self, bank: MemoryBank) -> None:
        """`PutOp.index`: None = the store's fields, False = nothing, a list = these paths."""
        store = CogMemStore(bank, fields=["text", "tags[*]"])
        value = {"text": "Alice plays the cello", "tags": ["music", " ", "music"], "more": {"said": "rain"}}
        store.put(("a",), "default", value)
        store.put(("a",), "never", value, index=False)
        store.put(("a",), "said", value, index=["more.said", "missing"])
        store.put(("a",), "whole", value, index=["$"])
        texts = [memory.content for memory in bank.list(category="item")]
        assert texts == ["Alice plays the cello", "music", "rain", json.dumps(value, sort_keys=True)]
        assert [(item.key, item.score) for item in store.search(("a",), query="music", limit=1)] == [("default", 1.0)]
        with pytest.raises(InvalidInput, match="index is 'text'"):
            store.put(("a",), "k", value, index="text")  # type: ignore[arg-type]

    def test_the_best_text_of_an_item_counts(self, bank: MemoryBank) -> None:
        """INTERFACES 1.6 and `InMemoryStore`: the maximum over an item's texts."""
        store = CogMemStore(bank, fields=["texts[*]"])
        store.put(("a",), "mixed", {"texts": ["tax return", "cello", "harbour"]})
        store.put(("a",), "close", {"texts": ["cello lessons"]})
        assert keys(store.search((), query="cello")) == ["mixed", "close"]


class TestNamespaces:
    """LangGraph: `list_namespaces`."""

    @pytest.fixture(autouse=True)
    def tree(self, store: CogMemStore) -> None:
        for path in ("a/b/c", "a/b/d/e", "a/b/d/i", "a/b/f", "a/c/f", "x", "ab/c"):
            store.put(tuple(path.split("/")), "k", {"n": 1})

    @pytest.mark.parametrize(
        ("asked", "found"),
        [
            ({"prefix": ("a", "b"), "max_depth": 3}, ["a/b/c", "a/b/d", "a/b/f"]),
            ({"max_depth": 1}, ["a", "ab", "x"]),
            ({"suffix": ("f",)}, ["a/b/f", "a/c/f"]),
            ({"prefix": ("a", "*", "f")}, ["a/b/f", "a/c/f"]),
            ({"prefix": ("a",), "suffix": ("c",)}, ["a/b/c"]),
            ({"suffix": ("b", "*")}, ["a/b/c", "a/b/f"]),
            ({"prefix": ("a", "b", "c", "d")}, []),
            ({"limit": 2, "offset": 1}, ["a/b/d/e", "a/b/d/i"]),
            ({}, ["a/b/c", "a/b/d/e", "a/b/d/i", "a/b/f", "a/c/f", "ab/c", "x"]),
        ],
    )
    def test_which_are_listed(self, store: CogMemStore, asked: dict[str, Any], found: list[str]) -> None:
        """LangGraph's documentation of `max_depth`, and the cases of its durable stores."""
        assert ["/".join(path) for path in store.list_namespaces(**asked)] == found


def test_two_banks_never_mix(engine: Engine) -> None:
    """INTERFACES scenario 3: "Two sessions/namespaces never see each other's memories (... store ...)"."""
    alice, bob = (CogMemStore(engine=engine, namespace=name) for name in ("alice", "bob"))
    alice.put(("notes",), "k", CELLO)
    bob.put(("notes",), "k", RAIN)
    assert [store.get(("notes",), "k").value for store in (alice, bob)] == [CELLO, RAIN]
    assert [item.value for item in bob.search((), query="cello")] == [RAIN]
    bob.delete(("notes",), "k")
    assert bob.list_namespaces() == []
    assert alice.list_namespaces() == [("notes",)]


def test_items_outlive_the_engine(store: CogMemStore, engine: Engine, reopen: Callable[[], Engine]) -> None:
    """Persistent: the same items, in the same order, with the same scores."""
    for number, text in enumerate(("cello", "rain", "cello and rain")):
        store.put(("a", str(number)), "k", {"text": text})
    before = (store.search(()), store.search((), query="cello"))
    engine.close()
    with reopen() as later:
        again = CogMemStore(later.bank("alice"))
        assert (again.search(()), again.search((), query="cello")) == before


def test_a_second_engine_on_the_folder_sees_them_at_once(store: CogMemStore, reopen: Callable[[], Engine]) -> None:
    """Both write, both read."""
    with reopen() as other:
        beside = CogMemStore(other.bank("alice"))
        store.put(("a",), "k", CELLO)
        assert keys(beside.search(("a",), query="cello")) == ["k"]
        beside.put(("a",), "k", RAIN)
        beside.put(("a",), "k2", CELLO)
        assert [item.value for item in store.search(("a",), query="soaked by rain")] == [RAIN, CELLO]
        beside.delete(("a",), "k")
        assert keys(store.search(("a",), query="rain")) == ["k2"]


def test_another_process_sees_them(store: CogMemStore, folder: Path) -> None:
    """And this one sees what that one puts."""
    store.put(("a",), "k", CELLO)
    source = (
        "import cogmem, sys\n"
        "from langchain_cogmem.store import CogMemStore\n"
        "with cogmem.open(sys.argv[1], embedder='hashing') as engine:\n"
        "    store = CogMemStore(engine.bank('alice'))\n"
        "    print(store.search(('a',), query='cello')[0].value['text'])\n"
        "    store.put(('a',), 'from there', {'text': 'hello'})\n"
    )
    done = subprocess.run([sys.executable, "-c", source, str(folder)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "Alice plays the cello"
    assert keys(store.search(("a",), query="hello")) == ["from there", "k"]


def test_recall_finds_what_agents_put(store: CogMemStore, bank: MemoryBank) -> None:
    """And says where it stands."""
    store.put(("people", "alice"), "music", CELLO, index=["text"])
    found = bank.recall("Who plays the cello?").results[0]
    assert found.content == "Alice plays the cello"
    assert found.memory.metadata == {"item": {"path": ["people", "alice"], "key": "music"}}


def test_hard_forgetting_leaves_no_trace_of_an_item(store: CogMemStore, bank: MemoryBank, folder: Path) -> None:
    """SPEC: hard forgetting erases every file; the value goes with the memory of one of its texts."""
    store.put(
        ("a",), "k", {"text": "The treasure lies in Zanzibar7741", "map": "Look under Palmtree9213, she said"}, ["text"]
    )
    store.put(("a",), "other", CELLO)
    memory_id = bank.recall("Where lies the treasure?").results[0].memory.id
    assert bank.forget(memory_id, hard=True).remaining == ()
    assert (store.get(("a",), "k"), keys(store.search(()))) == (None, ["other"])
    read = {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert [name for name, held in read.items() if b"Zanzibar7741" in held or b"Palmtree9213" in held] == []


class Scripted(GenericFakeChatModel):
    """Says what it was told to say, and may be given tools."""

    def bind_tools(self, tools: Any, **more: Any) -> Scripted:
        return self


def call(name: str, arguments: dict[str, Any], number: int = 1) -> AIMessage:
    return AIMessage("", tool_calls=[{"name": name, "args": arguments, "id": f"call-{number}"}])


@tool
def jot(text: str, runtime: ToolRuntime) -> str:
    """Write something down, and say what is known about it."""
    runtime.store.put(("notes", "today"), text, {"text": text})
    found = runtime.store.search(("notes",), query=text, limit=2)
    first = runtime.store.get(("notes", "today"), text)
    return "; ".join([first.value["text"], *(item.value["text"] for item in found)])


@tool
async def ajot(text: str, runtime: ToolRuntime) -> str:
    """The same, awaited."""
    await runtime.store.aput(("notes", "today"), text, {"text": text})
    found = await runtime.store.asearch(("notes",), query=text, limit=2)
    return "; ".join(item.value["text"] for item in found)


class TestAgents:
    """INTERFACES scenario 15: "`create_agent(store=CogMemStore(engine))`: tool `runtime.store.put/search`"."""

    def told(self, state: dict[str, Any]) -> list[str]:
        return [message.text for message in state["messages"] if isinstance(message, ToolMessage)]

    def test_a_tool_writes_and_searches(self, store: CogMemStore, bank: MemoryBank) -> None:
        """And what one run has put the next one finds."""
        lines = iter([call("jot", {"text": "the cello is old"}), AIMessage("ok")] * 2)
        agent = create_agent(Scripted(messages=lines), [jot], store=store)
        first = agent.invoke({"messages": [("user", "note it")]})
        assert self.told(first) == ["the cello is old; the cello is old"]
        store.put(("notes", "old"), "k", {"text": "cello strings"})
        second = agent.invoke({"messages": [("user", "note it again")]})
        assert self.told(second) == ["the cello is old; the cello is old; cello strings"]
        assert bank.count(category="item") == 2

    async def test_an_async_tool_does(self, store: CogMemStore) -> None:
        """The same with `ainvoke`."""
        lines = iter([call("ajot", {"text": "rain"}), AIMessage("ok")])
        agent = create_agent(Scripted(messages=lines), [ajot], store=store)
        assert self.told(await agent.ainvoke({"messages": [("user", "note it")]})) == ["rain"]

    @with_langmem
    def test_the_tools_of_langmem(self, store: CogMemStore) -> None:
        """INTERFACES scenario 15: "langmem manage/search tools", as an agent calls them."""
        space = ("memories", "{langgraph_user_id}")
        tools = [create_manage_memory_tool(space), create_search_memory_tool(space)]
        config = {"configurable": {"langgraph_user_id": "alice"}}

        def run(*messages: AIMessage) -> list[str]:
            agent = create_agent(Scripted(messages=iter([*messages, AIMessage("ok")])), tools, store=store)
            return self.told(agent.invoke({"messages": [("user", "go on")]}, config))

        run(call("manage_memory", {"content": "Prefers tea", "action": "create"}))
        run(call("manage_memory", {"content": "Plays the cello", "action": "create"}))
        (tea,) = [item for item in store.search(("memories", "alice")) if item.value == {"content": "Prefers tea"}]
        run(call("manage_memory", {"content": "Prefers coffee", "action": "update", "id": tea.key}))
        (told,) = run(call("search_memory", {"query": "coffee", "limit": 1}))
        assert [row["value"] for row in json.loads(told)] == [{"content": "Prefers coffee"}]
        run(call("manage_memory", {"action": "delete", "id": tea.key}))
        assert [item.value for item in store.search(("memories",))] == [{"content": "Plays the cello"}]
        assert store.list_namespaces() == [("memories", "alice")]

    @with_langmem
    async def test_the_tools_of_langmem_outside_an_agent(self, store: CogMemStore) -> None:
        """They take a store of their own, and await it."""
        manage, search = (make("notes", store=store) for make in (create_manage_memory_tool, create_search_memory_tool))
        await manage.ainvoke({"content": "Plays the cello"})
        found = json.loads(await search.ainvoke({"query": "cello"}))
        assert [row["value"]["content"] for row in found] == ["Plays the cello"]


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
        )
        for given, told in refused:
            with pytest.raises(InvalidInput, match=told):
                CogMemStore(**given)  # type: ignore[arg-type]

    def test_it_tells_where_it_keeps_things(self, store: CogMemStore) -> None:
        """`repr` shows no content."""
        assert repr(store).startswith("<CogMemStore on <cogmem.MemoryBank 'alice'")

    def test_without_langgraph_the_error_names_the_way_out(self) -> None:
        """INTERFACES scenario 29: importing `langchain_cogmem` works all the same."""
        source = (
            "import sys; sys.modules['langgraph'] = None\n"
            "import langchain_cogmem\n"
            "try:\n"
            "    from langchain_cogmem.store import CogMemStore\n"
            "except ImportError as error:\n"
            "    print(error)\n"
        )
        done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
        assert done.stdout == "CogMemStore needs LangGraph: pip install 'cogmem[langgraph]'\n"
