"""Reinforcement by retrieval alone: an option, on in the preset of unified-update."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Config
from cogmem_core.config import ConsolidationConfig, RetrievalConfig, StorageConfig
from cogmem_core.testing import FrozenClock

MANUAL = ConsolidationConfig(trigger="manual")
ON = Config(retrieval=RetrievalConfig(reinforce_on="retrieval"), consolidation=MANUAL)
OFF = Config(consolidation=MANUAL)


@pytest.mark.parametrize(("config", "accesses"), [(ON, 2), (OFF, 0)])
def test_retrieval_reinforces_only_where_it_is_asked_for(config: Config, accesses: int) -> None:
    """ "Retrieval alone reinforces nothing; *use* does"; `reinforce_on="retrieval"` is an option."""
    clock = FrozenClock()
    with cogmem_core.open(None, embedder="hashing", clock=clock, config=config) as engine:
        bank = engine.bank("a")
        memory = bank.add("Emma plays the cello in Oslo")
        clock.advance(days=1)
        for _ in range(2):
            assert bank.recall("Who plays the cello?").results
        engine.flush()
        now = bank.get(memory.id)
        assert (now.access_count, now.retrieval_count) == (accesses, accesses)
        assert (now.last_retrieved_at == clock()) is (accesses > 0)


def test_each_retrieval_is_worth_two_percent() -> None:
    """V9, Hebbian co-activation: "accessCount incremented, stability boosted by 2%"."""
    with cogmem_core.open(None, embedder="hashing", clock=FrozenClock(), config=ON) as engine:
        bank = engine.bank("a")
        memory = bank.add("Emma plays the cello in Oslo")
        bank.recall("Who plays the cello?")
        engine.flush()
        assert bank.get(memory.id).stability == pytest.approx(memory.stability * 1.02)


def test_what_was_noted_is_written_on_closing(tmp_path: Path) -> None:
    """Nobody has to flush."""
    for _ in range(2):
        with cogmem_core.open(tmp_path / "brain", embedder="hashing", config=ON) as engine:
            engine.pause()
            bank = engine.bank("a")
            memory = bank.list()[0] if bank.count() else bank.add("Emma plays the cello in Oslo")
            before = memory.access_count
            bank.recall("Who plays the cello?")
    assert before == 1


def test_a_memory_that_left_meanwhile_is_not_reinforced() -> None:
    """What was forgotten between a recall and the note of it stays as it is."""
    with cogmem_core.open(None, embedder="hashing", config=ON) as engine:
        engine.pause()
        bank = engine.bank("a")
        memory = bank.add("Emma plays the cello in Oslo")
        bank.recall("Who plays the cello?")
        bank.forget(memory.id)
        engine.flush()
        assert bank.get(memory.id).access_count == 0


def test_what_the_disk_refused_is_written_later(tmp_path: Path) -> None:
    """Another process holds the ledger: nothing that was noted is lost."""
    config = replace(ON, storage=StorageConfig(busy_timeout_seconds=0.1))
    with cogmem_core.open(tmp_path / "brain", embedder="hashing", config=config) as engine:
        engine.pause()
        bank = engine.bank("a")
        memory = bank.add("Emma plays the cello in Oslo")
        bank.recall("Who plays the cello?")
        with closing(
            sqlite3.connect(tmp_path / "brain" / "ledger.sqlite", isolation_level=None)
        ) as other:
            other.execute("BEGIN IMMEDIATE")
            engine.flush()
            assert list(engine.worker.troubles) == ["reinforce"]
            other.execute("ROLLBACK")
        engine.flush()
        assert bank.get(memory.id).access_count == 1
