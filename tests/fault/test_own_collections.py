"""A namespace that grows large gets a collection of its own (DESIGN §6): all of it, and nothing stays behind."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from survey import index_troubles

import cogmem
from cogmem import Engine, MemoryBank, StorageConfig, StoreError
from cogmem.testing import MANUAL, CountingEmbedder

CONFIG = dataclasses.replace(MANUAL, storage=StorageConfig(exact_below=0, own_collection_above=9, write_slice=2))


def opened(folder: Path) -> Engine:
    engine = cogmem.open(folder, embedder=CountingEmbedder(), config=CONFIG)
    engine.pause()
    return engine


def grown(engine: Engine) -> MemoryBank:
    """Seven memories in the shared collection, one of them superseded; then what changes before the index hears of it.

    Four more make it large; meanwhile one was edited, one was superseded, one forgotten.
    """
    bank = engine.bank("ann")
    memories = [bank.add(f"Ann has the book number {number} about boats") for number in range(7)]
    bank.remember("I live in Berlin.")
    bank.remember("I live in Lisbon now.")
    bank.forget(memories[6].id)
    engine.sync()
    assert engine.follower._placements["ann"] != 2
    bank.edit(memories[0].id, "Ann gave the book number 0 away")
    bank.remember("I live in Porto now.")
    bank.forget(memories[1].id)
    bank.restore(memories[6].id)
    for number in range(20, 24):
        bank.add(f"Ann has the book number {number} about boats")
    return bank


def test_it_moves_as_a_whole(folder: Path) -> None:
    """Found by a kill campaign: what had changed since stayed in the shared collection, what was superseded as well."""
    with opened(folder) as engine:
        bank = grown(engine)
        engine.sync()
        assert engine.follower._placements["ann"] == 2
        assert (index_troubles(engine, folder), engine.follower.differing(), engine.sync()) == ([], 0, 0)
        assert bank.recall("book number 23", k=1).results[0].content == "Ann has the book number 23 about boats"


@pytest.mark.parametrize("failing", [1, 2, 3, 5, 8, 11])
def test_a_move_that_fails_is_finished_later(folder: Path, monkeypatch: pytest.MonkeyPatch, failing: int) -> None:
    """Chroma may fail at any of its writes; until it is done the ledger is searched."""
    with opened(folder) as engine:
        bank, calls = grown(engine), 0
        applied, cleared = engine.follower.index.apply, engine.follower.index.clear

        def count() -> None:
            nonlocal calls
            calls += 1
            if calls == failing:
                raise StoreError("the disk failed")

        def apply(writes: Any) -> None:
            count()
            applied(writes)

        def clear(place: Any, namespace: str) -> bool:
            count()
            return cleared(place, namespace)

        monkeypatch.setattr(engine.follower.index, "apply", apply)
        monkeypatch.setattr(engine.follower.index, "clear", clear)
        while engine.follower.step():
            pass
        assert "the disk failed" in engine.follower.trouble
        assert not engine.follower.covers("ann")
        assert bank.recall("book number 23", k=1).results[0].content == "Ann has the book number 23 about boats"
        engine.sync()
        assert (index_troubles(engine, folder), engine.follower.covers("ann")) == ([], True)


def test_a_move_goes_slice_by_slice(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two slices recalls and writes go first (DESIGN §6): no step of the worker moves a whole namespace."""
    with opened(folder) as engine:
        grown(engine)
        slices, applied, cleared = list[int](), engine.follower.index.apply, engine.follower.index.clear

        def apply(writes: Any) -> None:
            slices[-1] += 1
            applied(writes)

        def clear(place: Any, namespace: str) -> bool:
            gone = cleared(place, namespace)
            slices[-1] += gone
            return gone

        monkeypatch.setattr(engine.follower.index, "apply", apply)
        monkeypatch.setattr(engine.follower.index, "clear", clear)
        more = True
        while more:
            slices.append(0)
            more = engine.follower.step()
        assert engine.follower._placements["ann"] == 2
        assert max(slices) == 1
        assert sum(slices) > 8


def test_a_namespace_that_was_forgotten_and_is_there_again_is_found(folder: Path) -> None:
    """Its collection is known to the next process, too."""
    with opened(folder) as engine:
        bank = grown(engine)
        engine.sync()
        bank.forget_all(confirm="ann", hard=True)
        bank.add("Ann plays the cello")
        engine.sync()
        assert index_troubles(engine, folder) == []
    with opened(folder) as engine:
        assert (engine.sync(), index_troubles(engine, folder)) == (0, [])
