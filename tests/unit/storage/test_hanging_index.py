"""Chroma does not come back from a call, or would not: nobody waits for long, nothing is lost, it recovers."""

import resource
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from chromadb.api.models.Collection import Collection

import cogmem_core
from cogmem_core import Config, Engine
from cogmem_core.config import StorageConfig
from cogmem_core.storage.files.disk_space import check_room
from cogmem_core.testing import CountingEmbedder, FrozenClock
from helpers.late_calls import wait_for_late_calls

CONFIG = Config(
    storage=StorageConfig(
        index_above=0, index_linger_seconds=0.0, write_seconds=2.0, search_seconds=5.0
    )
)
LONG = 60.0  # seconds that no test waits


class Full:
    """A disk on which Chroma's calls of one name never return while `on`; what hangs stays so until `free`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.on, self.caught = False, 0
        self._patch, self._free = monkeypatch, threading.Event()

    def hang(self, name: str) -> None:
        call: Any = getattr(Collection, name)

        def hanging(collection: Collection, *given: Any, **more: Any) -> Any:
            if self.on:
                self.caught += 1
                self._free.wait(LONG)
                raise RuntimeError("the disk is full")
            return call(collection, *given, **more)

        self._patch.setattr(Collection, name, hanging)
        self.on = True

    def free(self) -> None:
        self.on = False
        self._free.set()
        wait_for_late_calls()


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> Iterator[Full]:
    disk = Full(monkeypatch)
    yield disk
    disk.free()


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with cogmem_core.open(
        tmp_path / "brain", embedder=CountingEmbedder(), clock=FrozenClock(), config=CONFIG
    ) as opened:
        opened.pause()
        opened.bank("alice").remember(["I play the violin", "Lena lives in Oslo"], mode="raw")
        opened.sync()
        yield opened


@pytest.mark.parametrize("call", ["add", "count", "get"])
def test_a_call_that_hangs_costs_the_index_and_nothing_else(
    engine: Engine, full: Full, call: str
) -> None:
    """Mission: "Chroma or disk failing loses nothing and is visible"; the next attempt builds the index anew."""
    bank, before = engine.bank("alice"), engine.follower.index.generation
    full.hang(call)
    if call == "add":
        bank.remember("We moved to Porto in May", mode="raw")
    else:
        bank.forget(bank.recall("violin").results[0].memory.id)
    engine.sync()
    assert full.caught == 1
    assert "no answer within 2 s; check the disk, or build the index" in engine.follower.trouble
    wanted = {memory.content for memory in bank.list()}
    assert {found.content for found in bank.recall("violin Oslo Porto", floor=0).results} == wanted
    full.on = False
    engine.sync()
    assert engine.follower.index.generation > before
    assert (engine.follower.trouble, engine.follower.index.ready) == ("", True)
    assert engine.follower.index.count() == len(wanted)
    assert engine.follower.differing() == 0


def test_it_is_not_tried_again_at_once_while_the_disk_stays_full(
    engine: Engine, full: Full
) -> None:
    """Each attempt waits for `write_seconds`: the worker has other things to do as well."""
    full.hang("add")
    engine.bank("alice").remember("We moved to Porto in May", mode="raw")
    for _ in range(5):
        engine.sync()
    assert full.caught == 2
    assert engine.bank("alice").recall("Porto").results[0].content == "We moved to Porto in May"


def test_closing_does_not_wait_for_a_call_that_hangs(tmp_path: Path, full: Full) -> None:
    """The next open finds an index that was not closed, and builds it anew."""
    folder = tmp_path / "brain"
    with cogmem_core.open(folder, embedder=CountingEmbedder(), config=CONFIG) as engine:
        engine.bank("alice").remember("I play the violin", mode="raw")
        engine.sync()
        full.hang("add")
        engine.bank("alice").remember("We moved to Porto in May", mode="raw")
        engine.sync()
    full.on = False
    with cogmem_core.open(folder, embedder=CountingEmbedder(), config=CONFIG) as engine:
        engine.sync()
        assert engine.follower.index.count() == 2
        assert engine.doctor().clean


@contextmanager
def no_room() -> Iterator[None]:
    """No file of this process may grow beyond 4 KiB."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_on_a_full_disk_chroma_is_not_written_to(engine: Engine) -> None:
    """A write that Chroma cannot end holds the interpreter lock: it must not begin."""
    bank, before = engine.bank("alice"), engine.follower.index.generation
    bank.remember("We moved to Porto in May", mode="raw")
    with no_room():
        engine.sync()
        assert engine.follower.trouble.startswith(
            "the vector index cannot grow: [Errno 27] File too large; make room"
        )
        assert bank.recall("Porto").results[0].content == "We moved to Porto in May"
    engine.sync()
    assert (engine.follower.trouble, engine.follower.index.generation) == ("", before)
    assert engine.follower.index.count() == 3


def test_nor_is_it_opened(tmp_path: Path) -> None:
    """Opening makes and changes files as well."""
    with cogmem_core.open(tmp_path / "brain", embedder=CountingEmbedder(), config=CONFIG) as engine:
        engine.pause()
        engine.bank("alice").remember("I play the violin", mode="raw")
        with no_room():
            engine.sync()
            assert not engine.follower.index.ready
        engine.sync()
        assert (engine.follower.index.ready, engine.follower.index.count()) == (True, 1)


def test_looking_for_room_leaves_nothing(tmp_path: Path) -> None:
    """The room is reserved for a moment only."""
    (tmp_path / "held").write_bytes(b"x" * 5_000)
    check_room(tmp_path)
    assert [(path.name, path.stat().st_size) for path in tmp_path.iterdir()] == [("held", 5_000)]
