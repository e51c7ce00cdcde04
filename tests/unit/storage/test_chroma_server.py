"""A Chroma server that is away, restarted, emptied or shared: recall answers all the same, and it mends itself."""

import signal
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import cogmem_core
from cogmem_core import Engine, MemoryBank
from cogmem_core.base.digests import text_digest
from cogmem_core.config import StorageConfig
from cogmem_core.storage.vectors.chroma.client import connect_server
from cogmem_core.testing import MANUAL, CountingEmbedder, FrozenClock
from helpers.servers import Chroma

TEXTS = [
    f"Remark {i} about {['boats', 'trains', 'cheese', 'violins', 'rain'][i % 5]} and word{i}"
    for i in range(30)
]
QUERIES = ["boats word5", "a remark about violins", "word17"]


@pytest.fixture(scope="module")
def chroma() -> Iterator[Chroma]:
    """A server of our own, because it is stopped."""
    with Chroma() as server:
        yield server


@pytest.fixture
def opened() -> Iterator[Any]:
    """Opens workers of one bank."""
    with ExitStack() as workers:

        def make(folder: Path, url: str, embedder: CountingEmbedder | None = None) -> Engine:
            storage = StorageConfig(chroma_url=url, index_above=0, write_slice=25)
            config = replace(MANUAL, storage=storage)
            engine = cogmem_core.open(
                folder, embedder=embedder or CountingEmbedder(), clock=FrozenClock(), config=config
            )
            return workers.enter_context(engine)

        yield make


def ids(bank: MemoryBank) -> list[list[str]]:
    return [[result.memory.id for result in bank.recall(query, k=10).results] for query in QUERIES]


def troubles(bank: MemoryBank) -> list[str]:
    return [trouble for query in QUERIES for trouble in bank.recall(query, k=10).degraded]


def filled(engine: Engine) -> MemoryBank:
    bank = engine.bank("alice")
    bank.remember(TEXTS)
    assert engine.sync() == 0
    assert troubles(bank) == []
    return bank


def collections(url: str) -> list[str]:
    connection = connect_server(url, 60.0)
    try:
        return sorted(item.name for item in connection.client.list_collections())
    finally:
        connection.stop()


def test_a_server_that_is_away_is_told_and_caught_up_with(
    chroma: Chroma, tmp_path: Path, opened: Any
) -> None:
    """Recall goes by the ledger meanwhile; what is written meanwhile is applied later."""
    engine = opened(tmp_path / "brain", chroma.url)
    bank = filled(engine)
    before = ids(bank)
    chroma.stop(signal.SIGKILL)
    try:
        first = bank.recall(QUERIES[0], k=10)
        assert first.degraded != ()
        assert all(trouble.startswith("vector: ") for trouble in first.degraded)
        assert ids(bank) == before
        assert len(troubles(bank)) == len(QUERIES)
        memory = bank.remember("A fresh remark about word999").memories[0]
        engine.flush()
        assert bank.recall("word999", floor=0).results[0].memory.id == memory.id
        health = engine.health()
        assert health["index"]["lag"] > 0
        assert len(health["warnings"]) == 1
        assert "vector index failed" in health["warnings"][0]
    finally:
        chroma.start()
    engine.flush()
    assert (engine.health()["index"]["lag"], engine.health()["warnings"], troubles(bank)) == (
        0,
        [],
        [],
    )
    assert engine.follower.index.total() == 31
    assert bank.recall("word999", floor=0).results[0].memory.id == memory.id


def test_a_server_that_is_away_when_a_worker_starts_is_found_later(
    chroma: Chroma, tmp_path: Path, opened: Any
) -> None:
    """Opening never fails for the index."""
    chroma.stop()
    try:
        engine = opened(tmp_path / "brain", chroma.url)
        bank = engine.bank("alice")
        bank.remember(TEXTS)
        engine.flush()
        assert len(bank.recall(QUERIES[0]).results) > 0
        assert "vector index failed" in engine.warnings()[0]
    finally:
        chroma.start()
    engine.flush()
    assert (engine.sync(), engine.warnings(), troubles(bank)) == (0, [], [])


def test_an_emptied_server_is_filled_again_without_embedding(
    chroma: Chroma, tmp_path: Path, opened: Any
) -> None:
    """Collections deleted behind our back, in use: noticed at the next search, rebuilt from the ledger."""
    embedder = CountingEmbedder()
    engine = opened(tmp_path / "brain", chroma.url, embedder)
    bank = filled(engine)
    before, embedded = ids(bank), len(embedder.texts)
    connection = connect_server(chroma.url, 60.0)
    for name in collections(chroma.url):
        connection.client.delete_collection(name)
    connection.stop()
    assert ids(bank) == before
    assert troubles(bank) != []
    engine.flush()
    assert (troubles(bank), ids(bank), engine.follower.index.total()) == ([], before, 30)
    assert len(embedder.texts) == embedded


def test_vectors_that_were_lost_while_nobody_looked_are_noticed_when_opened(
    chroma: Chroma, tmp_path: Path, opened: Any
) -> None:
    """The collection is there, but what was in it is not: as many as the ledger says have to be there."""
    engine = opened(tmp_path / "brain", chroma.url)
    bank = filled(engine)
    before = ids(bank)
    engine.close()
    connection = connect_server(chroma.url, 60.0)
    for item in connection.client.list_collections():
        held = item.get()["ids"]
        if held:
            item.delete(ids=held)
    connection.stop()
    again = opened(tmp_path / "brain", chroma.url)
    assert again.sync() == 0
    assert (again.follower.index.total(), ids(again.bank("alice"))) == (30, before)


def test_what_others_keep_on_the_server_stays_theirs(
    chroma: Chroma, tmp_path: Path, opened: Any
) -> None:
    """Another bank and another program, before and after a rebuild and an erasure."""
    connection = connect_server(chroma.url, 60.0)
    for name in ("someone-else", "cogmem-notes", "cogmem-0123456789abcdef-g1-x-s00-hot"):
        connection.client.get_or_create_collection(name).upsert(
            ids=["x"], embeddings=[[1.0, 2.0, 3.0]]
        )
    connection.stop()
    ours = filled(opened(tmp_path / "brain", chroma.url))
    theirs = filled(opened(tmp_path / "other", chroma.url))
    ours.engine.reindex()
    assert ours.forget_all(confirm="alice", hard=True).memory_ids != ()
    ours.engine.sync()
    assert (troubles(theirs), theirs.engine.follower.index.total()) == ([], 30)
    mine = text_digest(ours.engine.services.ledger.name(), 16)
    assert [name for name in collections(chroma.url) if mine in name] == []
    assert {"someone-else", "cogmem-notes", "cogmem-0123456789abcdef-g1-x-s00-hot"} <= set(
        collections(chroma.url)
    )


def test_a_worker_follows_when_another_one_replaces_the_index(
    chroma: Chroma, tmp_path: Path, opened: Any
) -> None:
    """Erasing makes a new generation: the other worker answers from the ledger, then goes over to it."""
    one = filled(opened(tmp_path / "brain", chroma.url)).engine
    two = opened(tmp_path / "brain", chroma.url)
    bank = two.bank("alice")
    assert (two.sync(), troubles(bank)) == (0, [])
    erased = one.bank("alice").forget("word29", hard=True)
    one.sync()
    assert len(erased.memory_ids) == 1
    expected = ids(one.bank("alice"))
    assert ids(bank) == expected
    two.flush()
    assert (troubles(bank), ids(bank), two.follower.index.total()) == ([], expected, 29)
    generation = one.follower.index.generation
    assert (generation > 1, two.follower.index.generation) == (True, generation)
    ours = [
        name
        for name in collections(chroma.url)
        if text_digest(one.services.ledger.name(), 16) in name
    ]
    assert [name.split("-")[2] for name in ours] == [f"g{generation}"]


@pytest.mark.parametrize(
    "url", ["http://me:s3cret@127.0.0.1:1", "http://127.0.0.1:1/path", "ftp://x", "nonsense"]
)
def test_an_address_that_cannot_be_one_is_refused_without_being_quoted(
    tmp_path: Path, url: str, opened: Any
) -> None:
    """A password must not stand in an error, and Chroma has none."""
    with pytest.raises(cogmem_core.ConfigError) as caught:
        opened(tmp_path / "brain", url)
    assert "s3cret" not in str(caught.value)
