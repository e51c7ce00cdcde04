"""A transaction of the ledger: a writer from its first statement on, all or nothing; a reader sees one moment."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Config
from cogmem_core.config import StorageConfig
from cogmem_core.errors import StoreError
from cogmem_core.models import JournalEntry
from cogmem_core.storage.ledger.ledger import Ledger
from cogmem_core.testing import FrozenClock

IMPATIENT = StorageConfig(busy_timeout_seconds=0.1)


@pytest.fixture(params=["folder", "memory"])
def ledger(request: pytest.FixtureRequest, tmp_path: Path, clock: FrozenClock) -> Iterator[Ledger]:
    opened = Ledger(tmp_path / "brain" if request.param == "folder" else None, IMPATIENT, clock)
    yield opened
    opened.close()


def meta(ledger: Ledger, key: str) -> str | None:
    with ledger.whole() as reader:
        return reader.meta.get(key)


def test_what_an_error_interrupts_is_undone(ledger: Ledger) -> None:
    """Bad input: "changes nothing"."""

    def interrupted() -> None:
        with ledger.writing("ana") as writer:
            writer.meta.set("colour", "red")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        interrupted()
    assert meta(ledger, "colour") is None
    with ledger.writing("ana") as writer:
        writer.meta.set("colour", "blue")
    assert meta(ledger, "colour") == "blue"


def test_a_writer_holds_the_file_before_it_writes(tmp_path: Path, clock: FrozenClock) -> None:
    """In SQLite, "a read-to-write upgrade on a stale snapshot ignores busy_timeout"."""
    ledger, other = (Ledger(tmp_path / "brain", IMPATIENT, clock) for _ in range(2))
    with ledger.writing("ana") as writer:
        assert writer.meta.get("colour") is None
        with (
            pytest.raises(StoreError, match=r"is locked; .*raise storage\.busy_timeout_seconds"),
            other.writing("ben"),
        ):
            pytest.fail("two hold the only write lock")
        writer.meta.set("colour", "blue")
    with other.writing("ben") as writer:
        assert writer.meta.get("colour") == "blue"
    ledger.close()
    other.close()


def test_a_reader_sees_one_moment(tmp_path: Path, clock: FrozenClock) -> None:
    """`Ledger.reading`: "A consistent snapshot"; a writer is not waited for."""
    ledger = Ledger(tmp_path / "brain", IMPATIENT, clock)
    with ledger.whole() as reader:
        assert reader.meta.get("colour") is None
        with ledger.writing("ana") as writer:
            writer.meta.set("colour", "blue")
        assert reader.meta.get("colour") is None
    assert meta(ledger, "colour") == "blue"
    ledger.close()


def test_a_locked_ledger_refuses_a_turn_and_takes_it_later(tmp_path: Path) -> None:
    """Bad input: "a typed error that names the argument and the fix, and changes nothing"; a recall still answers."""
    with cogmem_core.open(
        tmp_path / "brain", embedder="hashing", config=Config(storage=IMPATIENT)
    ) as engine:
        engine.pause()
        bank = engine.bank("a")
        bank.remember("Emma plays the cello in Oslo")
        with closing(
            sqlite3.connect(tmp_path / "brain" / "ledger.sqlite", isolation_level=None)
        ) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(
                StoreError, match=r"raise storage\.busy_timeout_seconds or stop that process"
            ):
                bank.remember("Emma moved to Bergen")
            assert [hit.memory.content for hit in bank.recall("Who plays the cello?").results] == [
                "Emma plays the cello in Oslo"
            ]
            other.execute("ROLLBACK")
        bank.remember("Emma moved to Bergen")
        assert bank.count() == 2


def test_a_writer_numbers_on_from_what_it_wrote_itself(ledger: Ledger, clock: FrozenClock) -> None:
    """`Writer.allocate`, `Writer.record`: neither journal numbers nor the trail have a gap, also in one transaction."""

    def said(*seqs: int) -> list[JournalEntry]:
        return [JournalEntry(seq, f"m{seq}", "drop", "user", "tidied", clock()) for seq in seqs]

    with ledger.writing("ana") as writer:
        assert writer.at("ana").journal.last_seq() == 0
        assert writer.at("ana").journal.allocate(2) == (1, 0)
        writer.at("ana").journal.record(said(1, 2))
        assert writer.at("ana").journal.allocate(1) == (3, 2)
        assert writer.at("ana").journal.last_seq() == 3
        assert writer.at("ana").journal.allocate(0) == (4, 3)
        assert writer.at("ana").journal.allocate(2) == (4, 3)
        writer.at("ana").journal.record(said(3, 4))
        writer.at("ana").journal.record(said(5))
        assert writer.at("ana").journal.last_seq() == 5
    with ledger.writing("ana") as writer:
        writer.at("ana").journal.record(said(*writer.at("ana").journal.allocate(1)[:1]))
    with ledger.whole() as reader:
        trail = reader.at("ana").audit.trail()
    assert (trail.entries, trail.findings) == (6, ())
