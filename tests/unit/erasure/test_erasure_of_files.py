"""Hard forgetting of what SQLite keeps besides the rows: gaps of pages, the write-ahead log, a ledger elsewhere."""

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Config, Engine, MemoryBank
from cogmem_core.config import StorageConfig
from cogmem_core.storage.ledger.database import Database
from cogmem_core.testing import FrozenClock

SECRET = "My locker code is Tweety3141."
IMPATIENT = Config(storage=StorageConfig(index_above=0, busy_timeout_seconds=0.1))
IN_USE = (
    "the write-ahead log is in use by another process; flush() or the next write tries again, and so does the next "
    "engine that opens the bank"
)
LEAVES = (
    10,
    13,
)  # kinds of SQLite's pages that hold rows and index entries (fileformat2.html, 1.6)

ENGINE = {"folder": True, "embedder": "hashing", "config": IMPATIENT}


def open_again(folder: Path) -> Engine:
    return cogmem_core.open(folder, embedder="hashing", clock=FrozenClock(), config=IMPATIENT)


def left_in_a_gap(ledger: Path, text: bytes) -> None:
    """Write a text where a page has room between its entries' places and its entries, as splitting it may."""
    data = bytearray(ledger.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    for page in range(size, len(data), size):
        begin = page + 8 + 2 * int.from_bytes(data[page + 3 : page + 5], "big")
        end = page + int.from_bytes(data[page + 5 : page + 7], "big")
        if data[page] in LEAVES and end - begin > len(text) and any(data[end : page + size]):
            data[end - len(text) : end] = text
            ledger.write_bytes(data)
            return
    pytest.fail("no page has room")


def pending(bank: MemoryBank) -> int:
    return len(bank.engine.services.ledger.pending_erasures())


def test_what_was_written_down_of_searches_goes(folder: Path, bank: MemoryBank) -> None:
    """Of a large namespace the words stand in a file, too; it is made anew when the bank is closed."""
    bank.remember([SECRET, "I work in Oslo."], mode="raw")
    (folder / "views").mkdir()
    (folder / "views" / "0123.npz").write_text(SECRET, encoding="utf-8")
    assert bank.forget("locker", hard=True).remaining == ()
    assert not (folder / "views").exists()


def test_a_copy_that_sqlite_left_in_a_page_goes(folder: Path) -> None:
    """Erased from every place on disk; `secure_delete` does not know of what a page split left."""
    with open_again(folder) as engine:
        engine.bank("alice").remember([SECRET, "I work in Oslo."], mode="raw")
    left_in_a_gap(folder / "ledger.sqlite", SECRET.encode())
    with open_again(folder) as engine:
        bank = engine.bank("alice")
        assert engine.health()["warnings"] == []
        assert bank.forget("locker", hard=True).remaining == ()
        assert [memory.content for memory in bank.list()] == ["I work in Oslo."]
        assert b"Tweety3141" not in (folder / "ledger.sqlite").read_bytes()


def test_sqlite_leaves_copies_and_none_after_the_file_is_written_anew(tmp_path: Path) -> None:
    """Rows in the order of random keys split pages in their middle, which leaves copies of what moved."""
    chance, left = random.Random(1), [0, 0]
    for number in range(20):
        database = Database(tmp_path / f"{number}.sqlite", StorageConfig())
        rows = [(chance.randbytes(8).hex(), chance.randrange(300)) for _ in range(200)]
        with database.writing() as connection:
            connection.exec_driver_sql(
                "CREATE TABLE m (id TEXT PRIMARY KEY, body TEXT) WITHOUT ROWID"
            )
            for key, length in rows:
                connection.exec_driver_sql(
                    "INSERT INTO m VALUES (?, ?)", (key, f"secret of {key} {'x' * length}")
                )
        gone = rows[::7]
        with database.writing() as connection:
            for key, _ in gone:
                connection.exec_driver_sql("DELETE FROM m WHERE id = ?", (key,))
        for step in range(2):
            if step:
                database.rewrite()
            assert database.checkpoint()
            content = (tmp_path / f"{number}.sqlite").read_bytes()
            left[step] += sum(f"secret of {key}".encode() in content for key, _ in gone)
        with database.reading() as connection:
            assert connection.exec_driver_sql("SELECT count(*) FROM m").scalar() == 200 - len(gone)
        database.close()
    assert left[1] == 0
    if not left[0]:
        pytest.skip(f"SQLite {sqlite3.sqlite_version} leaves nothing")


def test_an_erasure_is_not_finished_while_the_log_holds_what_is_erased(
    folder: Path, bank: MemoryBank
) -> None:
    """A reader elsewhere keeps the log; receipt and health() say so, and it is emptied once the reader has left."""
    bank.remember([SECRET, "I work in Oslo."], mode="raw")
    bank.engine.flush()
    with closing(sqlite3.connect(folder / "ledger.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN")
        assert other.execute("SELECT count(*) FROM memories").fetchone() == (2,)
        receipt = bank.forget("locker", hard=True)
        assert receipt.remaining[0] == IN_USE
        assert "from the index: everything; it is made anew" in receipt.erased
        assert pending(bank) == 1
        emptied = bank.engine.services.ledger.load_generation()

        bank.engine.flush()
        warning, unfinished = bank.engine.health()["warnings"]
        assert unfinished.startswith("1 erasure is not finished: ")
        assert warning == (
            f"background erase: StoreUnavailable: what was erased for good may still be on the disk: {IN_USE}"
        )
    bank.engine.flush()

    assert (pending(bank), bank.engine.health()["warnings"]) == (0, [])
    held = [
        path.name for path in folder.glob("ledger.sqlite*") if b"Tweety3141" in path.read_bytes()
    ]
    assert held == []
    again = bank.engine.services.ledger.load_generation()
    assert emptied is not None
    assert again is not None
    assert again.number == emptied.number + 1, "the index was emptied once, and then made anew"


def test_the_next_engine_finishes_what_a_reader_held_up(folder: Path) -> None:
    """The erasure stays on record when the engine is closed."""
    open_again(folder).close()
    with closing(sqlite3.connect(folder / "ledger.sqlite", isolation_level=None)) as other:
        with open_again(folder) as engine:
            engine.bank("alice").remember(SECRET, mode="raw")
            other.execute("BEGIN")
            assert other.execute("SELECT count(*) FROM memories").fetchone() == (1,)
            assert engine.bank("alice").forget("locker", hard=True).remaining[0] == IN_USE
        other.execute("COMMIT")
        with open_again(folder) as engine:
            engine.flush()
            assert engine.services.ledger.pending_erasures() == []
            held = [
                path.name
                for path in folder.glob("ledger.sqlite*")
                if b"Tweety3141" in path.read_bytes()
            ]
            assert held == []


@pytest.mark.parametrize("relative", [False, True])
def test_a_ledger_elsewhere_is_emptied_and_searched(
    folder: Path, tmp_path: Path, relative: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Configuration reference: `ledger_url`, which may name a file outside of the bank's folder."""
    place = tmp_path / "elsewhere"
    place.mkdir()
    monkeypatch.chdir(place)
    url = "sqlite:///mine.db" if relative else f"sqlite:///{place / 'mine.db'}"
    storage = StorageConfig(ledger_url=url, busy_timeout_seconds=0.1)
    with cogmem_core.open(folder, embedder="hashing", config=Config(storage=storage)) as engine:
        monkeypatch.chdir(tmp_path)
        bank = engine.bank("alice")
        bank.remember([SECRET, "I work in Oslo."], mode="raw")
        assert any(b"Tweety3141" in path.read_bytes() for path in place.iterdir())
        receipt = bank.forget("locker", hard=True)

        assert receipt.remaining == ()
        assert receipt.files_scanned >= len(list(place.iterdir())) >= 2
        assert not any(b"Tweety3141" in path.read_bytes() for path in place.iterdir())
        (place / "mine.db-copy").write_bytes(b"I work in Oslo. I like figs a lot.")
        bank.remember("I like figs a lot.", mode="raw")
        assert bank.forget("figs", hard=True).remaining == ("mine.db-copy still holds erased text",)
    assert sorted(path.name for path in tmp_path.iterdir() if "mine" in path.name) == []


def test_an_index_that_cannot_be_made_anew_is_told_and_made_later(
    folder: Path, bank: MemoryBank
) -> None:
    """Chroma or disk failing loses nothing, and the receipt says what stays; the rows are gone all the same."""
    bank.remember([SECRET, "I work in Oslo."], mode="raw")
    (folder / "chroma").mkdir(exist_ok=True)
    (folder / "chroma").rename(folder / "away")
    (folder / "chroma").write_text("in the way")
    receipt = bank.forget("locker", hard=True)
    assert [line.split(" (")[0] for line in receipt.remaining] == [
        "the vectors stay in the index for now"
    ]
    assert "NotADirectoryError" in receipt.remaining[0] or "File exists" in receipt.remaining[0]
    assert pending(bank) == 1
    assert [memory.content for memory in bank.list()] == ["I work in Oslo."]
    assert b"Tweety3141" not in (folder / "ledger.sqlite").read_bytes()

    (folder / "chroma").unlink()
    bank.engine.flush()
    assert pending(bank) == 0
    assert bank.engine.sync() == 0
    assert bank.engine.health()["warnings"] == []
