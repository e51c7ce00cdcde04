"""A namespace that grows large gets a Chroma collection: all of it, and no other vector goes there."""

import dataclasses
import sys
from pathlib import Path
from subprocess import run
from typing import Any

import pytest

import cogmem_core
from cogmem_core import Engine, MemoryBank, StoreError
from cogmem_core.config import StorageConfig
from cogmem_core.testing import MANUAL, CountingEmbedder
from fault.survey import index_troubles
from helpers.script_runner import Scripts

CONFIG = dataclasses.replace(
    MANUAL, storage=StorageConfig(index_above=9, write_slice=2, rebuild_tombstone_share=1.0)
)


def opened(folder: Path) -> Engine:
    engine = cogmem_core.open(folder, embedder=CountingEmbedder(), config=CONFIG)
    engine.pause()
    return engine


def collections(engine: Engine) -> dict[str, int]:
    """How many vectors the collection of each namespace holds."""
    index = engine.follower.index
    if not engine.follower.loaded:
        return {}
    return {name: index.count(name) for name in ("ann", "bob") if index.count(name)}


def grown(engine: Engine) -> MemoryBank:
    """Eleven active memories; before the index hears of them some were edited, superseded or forgotten."""
    bank = engine.bank("ann")
    memories = [bank.add(f"Ann has the book number {number} about boats") for number in range(7)]
    bank.remember("I live in Berlin.")
    bank.remember("I live in Lisbon now.")
    bank.forget(memories[6].id)
    engine.sync()
    assert not engine.follower.loaded
    bank.edit(memories[0].id, "Ann gave the book number 0 away")
    bank.remember("I live in Porto now.")
    bank.forget(memories[1].id)
    bank.restore(memories[6].id)
    for number in range(20, 24):
        bank.add(f"Ann has the book number {number} about boats")
    return bank


def test_a_small_namespace_has_no_collection(folder: Path) -> None:
    """Chroma is not opened for it, and its folder is not made."""
    with opened(folder) as engine:
        for number in range(9):
            engine.bank("ann").add(f"Ann has the book number {number}")
        assert engine.sync() == 0
        assert (engine.follower.loaded, (folder / "chroma").exists()) == (False, False)
        assert len(engine.bank("ann").recall("book number 3", k=3).results) == 3


def test_a_small_bank_never_imports_chroma(folder: Path) -> None:
    """Remembered, recalled, dreamt, forgotten for good, closed: no import of chromadb, no thread for it."""
    script = """
import sys, threading, cogmem_core
with cogmem_core.open(sys.argv[1], embedder="hashing") as engine:
    bank = engine.bank("ann")
    for number in range(50):
        bank.add(f"The box number {number} holds apples")
    bank.recall("box number 7")
    bank.consolidate()
    bank.forget(bank.list().memories[0].id, hard=True)
    engine.flush()
    engine.sync()
    names = sorted(thread.name for thread in threading.enumerate())
    print("chromadb" in sys.modules, names)
"""
    finished = run(
        [sys.executable, "-c", script, str(folder)], capture_output=True, text=True, check=True
    )
    assert finished.stdout == "False ['MainThread', 'cogmem-oplog', 'cogmem-worker']\n"


def test_a_namespace_that_grows_large_is_indexed_as_a_whole(folder: Path) -> None:
    """What changed before it grew is as it is now; what was superseded is not there."""
    with opened(folder) as engine:
        bank = grown(engine)
        engine.bank("bob").add("Bob has one book")
        engine.sync()
        assert collections(engine) == {"ann": 11}
        assert (index_troubles(engine, folder), engine.follower.differing(), engine.sync()) == (
            [],
            0,
            0,
        )
        found = bank.recall("book number 23", k=1).results[0].content
        assert found == "Ann has the book number 23 about boats"


def test_a_namespace_that_shrinks_loses_its_collection(folder: Path) -> None:
    """Down to half of what brings one about, it is searched exactly again."""
    with opened(folder) as engine:
        bank = grown(engine)
        engine.sync()
        ids = [memory.id for memory in bank.list(limit=99)]
        for memory_id in ids[:6]:
            bank.forget(memory_id)
        engine.sync()
        assert collections(engine) == {"ann": 5}
        bank.forget(ids[6])
        engine.sync()
        assert collections(engine) == {}
        assert not engine.follower.covers("ann")
        assert len(bank.recall("book", k=8).results) == 4


@pytest.mark.parametrize("failing", [1, 2, 3, 5])
def test_a_fill_that_fails_is_finished_later(
    folder: Path, monkeypatch: pytest.MonkeyPatch, failing: int
) -> None:
    """Chroma may fail at any of its writes; until it is done the ledger is searched."""
    with opened(folder) as engine:
        bank = grown(engine)
        applied = engine.follower.index.apply
        calls = 0

        def apply(namespace: str, writes: Any) -> None:
            nonlocal calls
            calls += 1
            if calls == failing:
                raise StoreError("the disk failed")
            applied(namespace, writes)

        monkeypatch.setattr(engine.follower.index, "apply", apply)
        engine.follower.survey()
        while engine.follower.step():
            pass
        assert "the disk failed" in engine.follower.trouble
        assert not engine.follower.covers("ann")
        found = bank.recall("book number 23", k=1).results[0].content
        assert found == "Ann has the book number 23 about boats"
        engine.sync()
        assert (index_troubles(engine, folder), engine.follower.covers("ann")) == ([], True)


def test_a_fill_goes_slice_by_slice(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two slices recalls and writes go first: no step of the worker writes a whole namespace."""
    with opened(folder) as engine:
        grown(engine)
        slices: list[int] = []
        applied = engine.follower.index.apply

        def apply(namespace: str, writes: Any) -> None:
            slices[-1] += 1
            applied(namespace, writes)

        monkeypatch.setattr(engine.follower.index, "apply", apply)
        more = True
        while more:
            slices.append(0)
            more = engine.follower.step()
        assert collections(engine) == {"ann": 11}
        assert max(slices) == 1
        assert sum(slices) > 5


def test_a_namespace_that_was_forgotten_and_is_there_again_is_found(folder: Path) -> None:
    """Its new memories are known to the next process, too."""
    with opened(folder) as engine:
        bank = grown(engine)
        engine.sync()
        bank.forget_all(confirm="ann", hard=True)
        for number in range(12):
            bank.add(f"Ann plays the cello number {number}")
        engine.sync()
        assert index_troubles(engine, folder) == []
    with opened(folder) as engine:
        assert (engine.sync(), index_troubles(engine, folder)) == (0, [])
        assert collections(engine) == {"ann": 12}


def test_what_a_large_namespace_wrote_before_a_crash_is_indexed_after_the_next_open(
    folder: Path, scripts: Scripts
) -> None:
    """The index of a process that was killed is not trusted, and is built anew without being asked for."""
    script = """
import dataclasses, os, sys, cogmem_core
from cogmem_core.config import StorageConfig
from cogmem_core.testing import MANUAL, CountingEmbedder
config = dataclasses.replace(MANUAL, storage=StorageConfig(index_above=9))
engine = cogmem_core.open(sys.argv[1], embedder=CountingEmbedder(), config=config)
for number in range(12):
    engine.bank("ann").add(f"Ann has the book number {number}")
engine.sync()
engine.bank("ann").add("Ann has the last book")
os._exit(9)
"""
    assert scripts.run(script, folder.parent, arguments=[folder]).code == 9
    with cogmem_core.open(folder, embedder=CountingEmbedder(), config=CONFIG) as engine:
        engine.flush()
        assert collections(engine) == {"ann": 13}
