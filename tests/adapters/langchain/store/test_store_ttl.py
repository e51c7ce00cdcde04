"""`CogMemStore` as LangGraph uses it: items with a time to live (minutes)."""

import pickle
from concurrent.futures import wait

import pytest
from langgraph.store.base import GetOp, PutOp, SearchOp

from cogmem_core import InvalidInput, MemoryBank
from cogmem_core.testing import FrozenClock
from helpers.store_items import CELLO, RAIN, keys
from langchain_cogmem.store import CogMemStore


def test_when_its_time_is_over_an_item_is_gone(
    store: CogMemStore, bank: MemoryBank, clock: FrozenClock
) -> None:
    """LangGraph: `put(ttl=)`; at once, and out of recall with the next sweep."""
    store.put(("a",), "short", CELLO, ttl=1)
    store.put(("b",), "long", RAIN, ttl=10.5)
    store.put(("c",), "endless", RAIN)
    clock.advance(seconds=61)
    assert store.get(("a",), "short") is None
    assert set(keys(store.search((), query="cello"))) == {"long", "endless"}
    assert store.list_namespaces() == [("b",), ("c",)]
    assert store.sweep_ttl() == 1
    assert store.sweep_ttl() == 0
    assert all("cello" not in result.content for result in bank.recall("cello", floor=0).results)


def test_reading_refreshes_it(store: CogMemStore, clock: FrozenClock) -> None:
    """LangGraph: "expire this many minutes after it was last accessed"; `refresh_ttl=False` only looks."""
    store.put(("foo",), "item1", {"foo": "bar"}, ttl=1)
    clock.advance(seconds=58)
    assert store.get(("foo",), "item1", refresh_ttl=True) is not None
    clock.advance(seconds=58)
    assert len(store.search(("foo",), query="foo", refresh_ttl=True)) == 1
    clock.advance(seconds=58)
    assert store.get(("foo",), "item1", refresh_ttl=False) is not None
    clock.advance(seconds=59)
    assert store.search(("foo",), query="bar", refresh_ttl=False) == []


def test_what_is_over_is_not_brought_back_by_reading(
    store: CogMemStore, clock: FrozenClock
) -> None:
    """Suite of checkpoint-postgres: reading refreshes only what lives; pages are filled with what lives."""
    for key in ("c", "b", "over", "a"):
        store.put(("page",), key, {"k": key}, ttl=1 if key == "over" else 5)
    clock.advance(minutes=2)
    assert store.get(("page",), "over", refresh_ttl=True) is None
    assert keys(store.search(("page",), limit=2)) == ["a", "b"]
    assert keys(store.search(("page",), limit=2, offset=2)) == ["c"]
    clock.advance(minutes=4)
    assert keys(store.search(("page",))) == ["a", "b", "c"]


class TestConfigured:
    """`ttl={"default_ttl": ..., "refresh_on_read": ...}`."""

    @pytest.fixture
    def minute(self, bank: MemoryBank) -> CogMemStore:
        return CogMemStore(bank, ttl={"default_ttl": 1, "refresh_on_read": False})

    def test_the_default(self, minute: CogMemStore, clock: FrozenClock) -> None:
        minute.put(("a",), "default", {"n": 1})
        minute.put(("a",), "own", {"n": 2}, ttl=3)
        minute.put(("a",), "none", {"n": 3}, ttl=None)
        clock.advance(seconds=50)
        assert minute.get(("a",), "default") is not None
        assert len(minute.search(("a",))) == 3
        clock.advance(seconds=20)
        assert minute.get(("a",), "default") is None
        assert keys(minute.search(("a",))) == ["none", "own"]
        clock.advance(minutes=3)
        assert keys(minute.search(("a",))) == ["none"]

    def test_a_call_goes_before_the_default(self, minute: CogMemStore, clock: FrozenClock) -> None:
        minute.put(("a",), "k", {"n": 1})
        clock.advance(seconds=50)
        assert minute.get(("a",), "k", refresh_ttl=True) is not None
        clock.advance(seconds=50)
        assert minute.get(("a",), "k") is not None

    def test_a_copy_has_the_same(self, minute: CogMemStore, clock: FrozenClock) -> None:
        copy = pickle.loads(pickle.dumps(minute))
        copy.put(("a",), "k", {"n": 1})
        clock.advance(minutes=2)
        assert minute.get(("a",), "k") is None


def test_bare_operations(store: CogMemStore, clock: FrozenClock) -> None:
    """Operations of a batch say themselves whether they refresh."""
    store.batch([PutOp(("a",), "k", {"n": 1}, ttl=1)])
    clock.advance(seconds=50)
    store.batch([GetOp(("a",), "k", refresh_ttl=False), SearchOp(("a",), refresh_ttl=False)])
    clock.advance(seconds=20)
    assert store.get(("a",), "k") is None


def test_the_sweeper(store: CogMemStore, clock: FrozenClock, bank: MemoryBank) -> None:
    """LangGraph: `start_ttl_sweeper`, `stop_ttl_sweeper`, and a future that can be cancelled."""
    assert store.stop_ttl_sweeper() is True
    store.put(("a",), "k", CELLO, ttl=1)
    clock.advance(minutes=2)
    running = store.start_ttl_sweeper(0.0001)
    assert store.start_ttl_sweeper(0.0001) is running
    for _ in range(2_000):
        if bank.count(category="item") == 0:
            break
        wait([running], timeout=0.01)
    assert bank.count(category="item") == 0
    assert store.stop_ttl_sweeper(timeout=10) is True
    assert running.done()
    again = store.start_ttl_sweeper(60)
    again.cancel()
    assert store.stop_ttl_sweeper(timeout=10) is True
    with pytest.raises(InvalidInput, match="sweep_interval_minutes is 0"):
        store.start_ttl_sweeper(0)
