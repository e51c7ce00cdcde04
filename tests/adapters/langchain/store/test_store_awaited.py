"""`CogMemStore` as LangGraph uses it: what is awaited at the same time."""

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest

import cogmem_core
from cogmem_core import EmbedderUnavailable, Engine, InvalidInput
from cogmem_core.testing import MANUAL, CountingEmbedder, FrozenClock
from helpers.store_items import CELLO, RAIN, keys
from langchain_cogmem.store import CogMemStore


class Batches(CountingEmbedder):
    """Notes how many texts it was asked for at once; waits where it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.sizes: list[int] = []
        self.go_on = threading.Event()
        self.go_on.set()
        self.began = threading.Event()

    def embed_documents(self, texts: Any) -> Any:
        self.sizes.append(len(texts))
        self.began.set()
        self.go_on.wait(10)
        return super().embed_documents(texts)


@pytest.fixture
def embedder() -> Batches:
    return Batches()


@pytest.fixture
def engine(embedder: Batches, clock: FrozenClock) -> Iterator[Engine]:
    with cogmem_core.open(embedder=embedder, clock=clock, config=MANUAL) as engine:
        yield engine


@pytest.fixture
def store(engine: Engine) -> CogMemStore:
    return CogMemStore(engine.bank("alice"), fields=["text"])


async def test_a_hundred_puts_are_one_batch(store: CogMemStore, embedder: Batches) -> None:
    """As LangGraph's `AsyncBatchedBaseStore`: one call of the embedder, one transaction."""
    await asyncio.gather(*(store.aput(("a",), str(n), {"text": f"rain {n}"}) for n in range(100)))
    assert embedder.sizes == [100]
    assert len(await store.asearch(("a",), limit=200)) == 100


async def test_each_gets_its_own_answer(store: CogMemStore) -> None:
    await store.aput(("a",), "cello", CELLO)
    await store.aput(("b",), "rain", RAIN)
    got, missing, found, spaces, nothing = await asyncio.gather(
        store.aget(("a",), "cello"),
        store.aget(("a",), "nobody"),
        store.asearch((), query="rain", limit=1),
        store.alist_namespaces(),
        store.adelete(("c",), "k"),
    )
    assert got is not None
    assert got.value == CELLO
    assert (missing, keys(found), nothing) == (None, ["rain"], None)
    assert spaces == [("a",), ("b",)]


async def test_one_bad_call_spoils_no_other(store: CogMemStore) -> None:
    """Nobody gets somebody else's error."""
    calls = [store.aput(("a",), str(n), {"text": "x", "n": n}) for n in range(5)]
    bad = store.aput(("a",), "bad", {"text": object()})
    worse = store.aput(("a",), "worse", {"text": "x"}, ttl=-1)
    results = await asyncio.gather(*calls, bad, worse, return_exceptions=True)
    assert results[:5] == [None] * 5
    assert [type(result) for result in results[5:]] == [InvalidInput, InvalidInput]
    assert "JSON" in str(results[5])
    assert "ttl" in str(results[6])
    assert sorted(keys(await store.asearch(("a",)))) == ["0", "1", "2", "3", "4"]


async def test_an_outage_is_told_to_all_after_one_attempt(
    store: CogMemStore, embedder: Batches
) -> None:
    embedder.failure = EmbedderUnavailable("the model is asleep")
    puts = (store.aput(("a",), str(n), {"text": f"rain {n}"}) for n in range(20))
    results = await asyncio.gather(*puts, return_exceptions=True)
    assert {type(result) for result in results} == {EmbedderUnavailable}
    assert embedder.sizes == [20]


async def test_a_cancelled_call_is_not_carried_out_and_takes_no_other_with_it(
    store: CogMemStore, embedder: Batches
) -> None:
    """Suite of checkpoint, `test_async_batch_store_handles_cancellation`."""
    embedder.go_on.clear()
    first = asyncio.create_task(store.aput(("a",), "first", {"text": "one"}))
    await asyncio.to_thread(embedder.began.wait, 10)
    waiting = [
        asyncio.create_task(store.aput(("a",), f"w{n}", {"text": f"rain {n}"})) for n in range(3)
    ]
    await asyncio.sleep(0)
    waiting[1].cancel()
    embedder.go_on.set()
    results = await asyncio.gather(first, *waiting, return_exceptions=True)
    assert isinstance(results[2], asyncio.CancelledError)
    assert [results[0], results[1], results[3]] == [None, None, None]
    assert sorted(keys(await store.asearch(("a",)))) == ["first", "w0", "w2"]
    assert embedder.sizes == [1, 2]


def test_each_event_loop_has_its_own_batches(store: CogMemStore) -> None:
    async def both(name: str) -> None:
        await asyncio.gather(*(store.aput((name,), str(n), {"n": n}) for n in range(3)))

    threads = [threading.Thread(target=asyncio.run, args=(both(name),)) for name in ("a", "b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    asyncio.run(both("c"))
    assert store.list_namespaces() == [("a",), ("b",), ("c",)]
    assert len(store.search(())) == 9
