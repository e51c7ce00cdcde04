"""Step 18 of the dream cycle: what is searched holds exactly what is active."""

import pytest

import cogmem_core
from cogmem_core import Config, Engine, MemoryBank
from cogmem_core.changes import Actor, Retire, apply
from cogmem_core.config import ConsolidationConfig, StorageConfig
from cogmem_core.results import StepReport
from cogmem_core.storage.ledger.memories import Filter
from cogmem_core.storage.search.in_memory_index import NamespaceView
from cogmem_core.testing import FrozenClock

TEXT = "The bakery is closed on Mondays"

ENGINE = {"embedder": "hashing"}


@pytest.fixture
def bank(engine: Engine) -> MemoryBank:
    bank = engine.bank("alice")
    bank.add(TEXT)
    bank.add("The market opens at nine")
    return bank


def dream(bank: MemoryBank, *, dry_run: bool = False) -> StepReport:
    return bank.consolidate(steps=["reindex"], dry_run=dry_run).steps["reindex"]


def found(bank: MemoryBank) -> list[str]:
    return [item.content for item in bank.recall("bakery closed Mondays", floor=0.0, k=1).results]


def view_of(engine: Engine) -> NamespaceView:
    view = engine.services.searcher.views.loaded("alice")
    assert view is not None
    return view


@pytest.mark.parametrize("dry_run", [True, False])
def test_a_memory_that_the_index_lost_is_found_again(
    engine: Engine, bank: MemoryBank, dry_run: bool
) -> None:
    """Agentos, step 6 "Re-index": the index in memory is damaged here by hand, by removing a memory from it.

    An index is a cache, so a dry run may repair it, too.
    """
    assert found(bank) == [TEXT]
    damaged = view_of(engine)
    for memory in bank.list():
        damaged.lexical.remove(memory.id)
        damaged.matrix.remove(memory.id)
    assert found(bank) == []

    assert dream(bank, dry_run=dry_run).counts == {"repaired": 2}
    assert found(bank) == [TEXT]
    assert dream(bank).counts == {}


def test_what_the_index_holds_in_excess_is_counted(engine: Engine, bank: MemoryBank) -> None:
    """ "indexes equal the table, else repaired": damaged by hand, by a document that no memory stands for."""
    found(bank)
    view_of(engine).lexical.add("nobody", ["bakery"])
    assert dream(bank).counts == {"repaired": 1}
    assert dream(bank).counts == {}


def test_one_lost_and_one_in_excess_are_two(engine: Engine, bank: MemoryBank) -> None:
    """Equal numbers of documents do not make two indexes equal; damaged by hand as above."""
    found(bank)
    damaged = view_of(engine)
    damaged.lexical.remove(bank.list()[0].id)
    damaged.lexical.add("nobody", ["bakery"])
    assert dream(bank).counts == {"repaired": 2}


def test_an_index_that_is_behind_is_not_damaged(engine: Engine, bank: MemoryBank) -> None:
    """It catches up with the journal first; another process's write is no fault of it."""
    found(bank)
    first, second = bank.list()
    now = engine.services.runtime.now()
    with engine.services.ledger.writing() as writer:
        change = Retire(first.id, "dormant", "by another process")
        apply(writer, "alice", [change], now=now, actor=Actor("user"))
    assert dream(bank).counts == {}
    assert (second.id in view_of(engine).lexical, first.id in view_of(engine).lexical) == (
        True,
        False,
    )


def test_an_index_that_is_not_in_memory_is_not_built_for_it(
    engine: Engine, bank: MemoryBank
) -> None:
    """The step checks what is searched; what nobody asked for yet is built right when somebody asks."""
    engine.services.searcher.views.clear()
    assert dream(bank).counts == {}
    assert engine.services.searcher.views.loaded("alice") is None


def test_an_index_newer_than_what_it_is_compared_with_is_left_alone(
    engine: Engine, bank: MemoryBank
) -> None:
    """Nobody waits: a write between the reading and the comparison is no damage."""
    found(bank)
    with engine.services.ledger.whole() as reader:
        ids = reader.at("alice").memories.ids(Filter(states=("active",)))
        view_of(engine).applied += 1
        view_of(engine).lexical.add("written meanwhile", ["station"])
        assert engine.services.searcher.verify(reader, "alice", ids) == 0


def test_an_empty_namespace_is_in_order(engine: Engine) -> None:
    """Nothing to do is no failure."""
    bank = engine.bank("alice")
    found(bank)
    step = dream(bank)
    assert (step.counts, step.note, step.error) == ({}, "", "")


def test_it_says_so_if_the_vector_index_lags_far_behind() -> None:
    """By more changes than rows are searched exactly, here 1; a paused worker brings it nothing."""
    config = Config(
        consolidation=ConsolidationConfig(trigger="manual"), storage=StorageConfig(index_above=1)
    )
    with cogmem_core.open(None, embedder="hashing", clock=FrozenClock(), config=config) as engine:
        engine.pause()
        bank = engine.bank("alice")
        bank.add(TEXT)
        assert dream(bank).note == ""
        bank.add("The market opens at nine")
        assert dream(bank).note == "the vector index is 2 changes behind the ledger"
        engine.flush()
        assert dream(bank).note == ""
