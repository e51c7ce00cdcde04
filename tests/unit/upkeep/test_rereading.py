"""Texts are taken apart when they are written; those of an older bank while it answers."""

import sqlite3
import tarfile
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Engine
from cogmem_core.edge.clauses import read_anew, reading_of
from cogmem_core.models import ClauseState
from cogmem_core.testing import MANUAL, FrozenClock
from cogmem_core.upkeep.rereading import BEGINNING, read_page
from cogmem_core.values.readings import Clause, Reading
from helpers.store_kinds import touched
from helpers.tables import each_case_of

BANKS = Path(__file__).resolve().parents[2] / "data" / "banks"
LATER = datetime(2026, 4, 1, 12, tzinfo=timezone.utc)
ENDED = ClauseState(0, "ended", LATER, LATER, "", "said otherwise")


def opened(folder: Path, *, read_only: bool = False) -> Engine:
    return cogmem_core.open(
        folder, embedder="hashing", clock=FrozenClock(LATER), config=MANUAL, read_only=read_only
    )


def unpacked(version: int, folder: Path) -> Path:
    with tarfile.open(BANKS / f"schema_{version}.tgz") as archive:
        archive.extractall(folder, filter="fully_trusted")  # ours, with its permissions
    return folder


def read_all(engine: Engine) -> None:
    engine.worker.pause()
    after: tuple[int, str] | None = BEGINNING
    while after is not None:
        after = read_page(engine.services, after)


def test_a_text_is_read_where_it_is_written(tmp_path: Path) -> None:
    """A new text has its reading; a changed text has its own."""
    with opened(tmp_path) as engine:
        bank = engine.bank("alice")
        memory = bank.add("I live in Lisbon. My dog is called Rex.")
        first = bank.get(memory.id).reading
        bank.edit(memory.id, "My dog is called Rex.")
        second = bank.get(memory.id).reading
        assert first is not None
        assert second is not None
        assert (len(first.clauses), len(second.clauses)) == (2, 1)
        assert bank.health()["readings"] == {"read": 1, "of": 1}


@pytest.mark.parametrize(("version", "count"), [(8, 9), (16, 21)])
def test_an_older_bank_answers_before_its_texts_are_read(
    tmp_path: Path, version: int, count: int
) -> None:
    """What needs a reading that is not stored makes it; the worker stores all of them, page by page."""
    folder = unpacked(version, tmp_path / "brain")
    with opened(folder, read_only=True) as engine:
        bank = engine.bank("alice")
        memories = bank.list(state="any", limit=100)
        assert (len(memories), bank.health()["readings"]) == (count, {"read": 0, "of": count})
        assert bank.recall(memories[0].content, floor=0).results
        assert all(reading_of(memory).clauses for memory in memories)
    with opened(folder) as engine:
        read_all(engine)
        bank = engine.bank("alice")
        assert bank.health()["readings"] == {"read": count, "of": count}
        assert all(memory.reading for memory in bank.list(state="any", limit=100))
        assert engine.verify_audit()["alice"].ok
        assert [found.kind for found in engine.doctor().findings if found.kind != "queue"] == []
    with opened(folder) as engine:
        assert read_page(engine.services) is None


def test_what_an_earlier_reader_read_is_read_anew(tmp_path: Path) -> None:
    """Its clauses stand as they did, though they are counted otherwise now."""
    with opened(tmp_path) as engine:
        bank = engine.bank("alice")
        memory = bank.add("I live in Lisbon. My dog is called Rex.")
        older = Reading("", (Clause(18, 39, "statement"), Clause(0, 17, "statement")), version=0)
        touched(bank, memory, reading=older, clause_states=(replace(ENDED, number=1),))
    with closing(sqlite3.connect(tmp_path / "ledger.sqlite")) as ledger, ledger:
        ledger.execute("DELETE FROM meta WHERE key = 'reader'")
    ledger.close()
    with opened(tmp_path) as engine:
        read_all(engine)
        memory = engine.bank("alice").get(memory.id)
        assert memory.reading == reading_of(memory)
        assert memory.clause_states == (ENDED,)
        assert engine.verify_audit()["alice"].ok


@each_case_of("rereading/a_state_stays_with_the_words_of_its_clause")
def test_a_state_stays_with_the_words_of_its_clause(
    tmp_path: Path, text: str, numbers: list[int]
) -> None:
    """A new text takes over how its clauses stood, and nothing is withdrawn that says something else."""
    with opened(tmp_path) as engine:
        stated = engine.bank("alice").add("I live in Lisbon. My dog is called Rex.")
    former = replace(stated, clause_states=(ENDED,))
    states = read_anew(replace(former, content=text), former).clause_states
    assert [state.number for state in states] == numbers
