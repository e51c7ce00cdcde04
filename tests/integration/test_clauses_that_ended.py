"""A memory of which a part holds no more: how it is shown, found, explained, and forgotten in part."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Engine, MemoryBank
from cogmem_core.testing import MANUAL, FrozenClock
from helpers.tables import each_row_of

TEXT = "I live in Berlin and I work at Acme."
WORK = "I work at Acme."
NEWER = "I live in Lisbon now."


@pytest.fixture
def engine(clock: FrozenClock, tmp_path: Path) -> Iterator[Engine]:
    with cogmem_core.open(tmp_path, embedder="hashing", clock=clock, config=MANUAL) as opened:
        yield opened


def moved(bank: MemoryBank, clock: FrozenClock, text: str = TEXT) -> str:
    """The id of a memory of two clauses, of which the first one ended."""
    bank.remember(text, mode="raw")
    clock.advance(days=30)
    bank.remember(NEWER)
    bank.engine.flush()
    clock.advance(days=1)
    return next(memory.id for memory in bank.list() if memory.content == text)


def on_disk(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_a_prompt_has_what_holds(bank: MemoryBank, clock: FrozenClock) -> None:
    """The clause that ended is left out where the rest is a sentence; of that day it is told."""
    early = clock() + timedelta(days=5)
    moved(bank, clock)
    now = bank.recall("Where do I work and live?", floor=0).context()
    assert WORK in now
    assert "Berlin" not in now
    assert TEXT in bank.recall("Where do I work and live?", floor=0, as_of=early).context()


def test_a_person_sees_what_ended(bank: MemoryBank, clock: FrozenClock) -> None:
    """In the results of a recall, and in the memory's story."""
    ended = clock() + timedelta(days=30)
    day = f"{ended.day} {ended:%B} {ended.year}"
    memory_id = moved(bank, clock)
    items = bank.recall("Where do I work?", floor=0).results
    text = next(item.text for item in items if item.memory.id == memory_id)
    assert text == f"[until {day}: I live in Berlin] and I work at Acme."
    story = bank.explain(memory_id).story
    assert f'Clause "I live in Berlin": until {day} (a part no longer holds).' in story


def test_a_memory_is_found_by_what_holds(bank: MemoryBank, clock: FrozenClock) -> None:
    """Where most of the text has ended its key and its vector are made of the rest, and back again."""
    memory_id = moved(bank, clock)
    best = bank.recall("I live in Berlin", floor=0, k=9).results
    held = {item.memory.id: item.signals["similarity"] for item in best}[memory_id]
    bank.restore(memory_id)
    bank.engine.flush()
    best = bank.recall("I live in Berlin", floor=0, k=9).results
    assert {item.memory.id: item.signals["similarity"] for item in best}[memory_id] > held + 0.2
    assert bank.engine.doctor().findings == ()


def test_forgetting_one_clause_for_good_keeps_the_rest(
    bank: MemoryBank, clock: FrozenClock, tmp_path: Path
) -> None:
    """It is gone from text, reading, index and files; the receipt says that the rest stays."""
    bank.remember(TEXT, mode="raw")
    bank.remember("My dog is called Rex.")
    memory_id = next(memory.id for memory in bank.list() if memory.content == TEXT)
    receipt = bank.forget_matching("live in Berlin", hard=True)
    assert (receipt.memory_ids, receipt.shortened, receipt.remaining) == ((), (memory_id,), ())
    assert "from memories that say more, which stay with the rest: 1" in receipt.erased
    rest = bank.get(memory_id)
    assert (rest.content, rest.state, rest.entities) == (WORK, "active", ())
    assert bank.recall("Where do I work?", floor=0).results[0].content == WORK
    assert bank.history(memory_id).versions == ()
    bank.engine.sync()
    assert b"Berlin" not in on_disk(tmp_path)
    assert b"berlin" not in on_disk(tmp_path)
    assert bank.verify_audit().ok
    assert bank.engine.doctor().findings == ()
    clock.advance(hours=1)
    assert bank.consolidate().run_id
    assert bank.get(memory_id).content == WORK


@each_row_of("clause_states/what_is_erased_and_what_stays", "en de fr es")
def test_what_holds_the_query_goes_and_no_file_brings_it_back(
    engine: Engine, tmp_path: Path, text: str, query: str, rest: list[str]
) -> None:
    """Every other clause stays, however it begins; words that stand in every clause mean all of it."""
    bank, note = engine.bank(f"b{len(engine.namespaces())}"), tmp_path / "note.md"
    note.write_text(text, encoding="utf-8")
    bank.import_(note)
    assert len(bank.forget(query, hard=True).shortened) == len(rest)
    note.write_text(f"{text}\n\nAnd I row.", encoding="utf-8")
    assert (bank.import_(note).rejected, [m.content for m in bank.list(state="any")]) == (1, rest)


def test_what_was_edited_away_goes_with_the_clause(bank: MemoryBank, tmp_path: Path) -> None:
    """Former texts of the memory hold it, too."""
    memory = bank.add(TEXT)
    bank.edit(memory.id, "I live in Berlin and I work at Acme, in sales.")
    bank.forget("live in Berlin", hard=True)
    bank.engine.sync()
    assert [m.content for m in bank.list(state="any")] == ["I work at Acme, in sales."]
    assert b"Berlin" not in on_disk(tmp_path)
