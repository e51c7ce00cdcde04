"""Banks of earlier versions are opened by this one (upgrades; numbered migrations).

`tests/data/banks/schema_8.tgz` was written by 0.1.0, and holds a vector index of its time; `schema_16.tgz` was
written by 0.2.0 (`tests/helpers/bank_of_this_release.py`); it holds an export of format 6.
"""

import sqlite3
import tarfile
from contextlib import closing
from datetime import date, datetime, timezone
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Engine, MemoryBank, StoreError, StoreVersionError, Turn
from cogmem_core.storage.ledger.migrations import SCHEMA_VERSION
from cogmem_core.testing import MANUAL, FrozenClock
from helpers.bank_of_this_release import EXPORT

BANKS = Path(__file__).resolve().parents[2] / "data" / "banks"
LATER = datetime(2026, 4, 1, 12, tzinfo=timezone.utc)
STATES_16 = {"active": 15, "superseded": 3, "forgotten": 2, "quarantined": 1}
"""How many memories of each state alice has in `schema_16.tgz`."""


def unpacked(version: int | str, folder: Path) -> Path:
    with tarfile.open(BANKS / f"schema_{version}.tgz") as archive:
        archive.extractall(folder, filter="fully_trusted")  # ours, with its permissions
    return folder


def opened(folder: Path) -> Engine:
    return cogmem_core.open(folder, embedder="hashing", clock=FrozenClock(LATER), config=MANUAL)


def test_a_bank_of_this_release_holds_every_kind_of_record(tmp_path: Path) -> None:
    """Each is found by whoever asks for it, also after an import of its export; its cycle can be undone."""
    folder = unpacked(16, tmp_path / "brain")
    with closing(sqlite3.connect(folder / "ledger.sqlite")) as ledger:
        tables = [
            row[0] for row in ledger.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        empty = [
            name
            for name in tables
            if not ledger.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]
        ]
    assert empty == ["erasures"]  # on record only while one is under way
    export = folder / EXPORT
    with opened(folder) as engine:
        engine.flush()
        alice = engine.bank("alice")
        _finds_what_was_said(alice)
        _finds_what_agents_do(engine)
        with cogmem_core.open(embedder="hashing", clock=FrozenClock(LATER), config=MANUAL) as other:
            moved = other.bank("alice")
            assert moved.import_(export).stored == alice.count(state="any")
            assert everything(moved) == everything(alice)
        (run,) = alice.consolidation_runs()
        alice.undo(run.id)
        assert [one.content for one in alice.list()].count("Likes green tea") == 2
        assert engine.verify_audit()["alice"].ok
        engine.flush()
        assert engine.doctor().findings == ()


def everything(bank: MemoryBank) -> list[object]:
    """What public methods show of the records of a namespace."""
    return [
        [
            (one.id, one.content, one.state, one.stability)
            for one in bank.list(state="any", limit=99)
        ],
        [turn.content for turn in bank.transcript("chat")],
        [(item.path, item.key, item.value) for item in bank.items().search()],
        [(one.id, one.text, one.state, one.at, one.every) for one in bank.intentions()],
        [(procedure.id, procedure.steps, procedure.state) for procedure in bank.procedures()],
        [(review.id, review.state) for review in bank.reviews(None)],
    ]


def _finds_what_was_said(alice: MemoryBank) -> None:
    """Memories of each state and category, versions, marks, what was erased, documents, transcripts, reviews."""
    assert {state: alice.count(state=state) for state in STATES_16} == STATES_16
    shed, nuts, cat, lena = (
        alice.recall(text, floor=0).results[0].memory
        for text in ("4821 shed", "peanuts", "cat Mochi", "What does my sister play?")
    )
    assert (shed.pinned, shed.importance, shed.tags) == (True, 0.9, ("home",))
    assert (shed.metadata, nuts.immutable, nuts.category) == ({"wing": "north"}, True, "preference")
    assert [version.content for version in alice.history(cat.id).versions] == [
        "The cat is called Tom"
    ]
    assert (lena.speaker, lena.session_id, lena.refs, lena.used_count) == (
        "Ann",
        "spring",
        ("t2",),
        1,
    )
    (porto,) = (one for one in alice.list() if one.content == "I moved to Porto.")
    (lisbon,) = (one for one in alice.list(state="superseded") if "Lisbon" in one.content)
    assert {(link.type, link.target_id) for link in alice.relations(porto.id)} == {
        ("contradicts", lisbon.id),
        ("supersedes", lisbon.id),
    }
    (permit,) = (one for one in alice.list() if "permit" in one.content)
    assert permit.valid_until is not None
    assert permit.valid_until.date() == date(2026, 6, 30)
    assert not any("van" in one.content for one in alice.list(state="any", limit=99))
    assert [turn.content for turn in alice.transcript("chat")] == ["Hello", "Hi there"]
    assert {item.key for item in alice.items().search()} == {"fig", "mint", "theme"}
    assert [(one.content, one.state) for one in alice.reviews(None)] == [
        ("Sailing in the bay costs 40 euros.", "waiting"),
        ("The museum closes at six.", "approved"),
        ("The ferry leaves from pier 9.", "rejected"),
    ]
    again = alice.remember([Turn("The ferry leaves from pier 9.", role="assistant")]).receipts[0]
    assert (again.status, again.reason) == ("skipped", "a person rejected that")


def _finds_what_agents_do(engine: Engine) -> None:
    """Intentions, runs, procedures; principals, grants, and who may read what was derived."""
    alice = engine.bank("alice")
    assert [(one.text, one.state) for one in alice.intentions()] == [
        ("Call the dentist", "open"),
        ("Ask about the budget", "open"),
        ("Water the fig", "open"),
        ("Send the card", "done"),
    ]
    (procedure,) = alice.procedures()
    assert procedure.steps == tuple(
        f"{tool}(door: <text>)" for tool in ("open_drawer", "take_key", "unlock")
    )
    assert [grant.namespaces for grant in engine.grants()] == ["ann/*", "team/*", "*"]
    assert len(engine.grants(revoked=True)) == 4
    assert [entry.act for entry in engine.access_log()].count("grant") == 4
    total = "The pay with Ann is 20000 euros"
    plans = engine.as_("ann").bank("team/plans")
    assert [memory.content for memory in plans.list()] == ["The team has four people", total]
    assert [memory.content for memory in engine.as_("scout").bank("team/plans").list()][1] == total


def test_the_ledger_is_copied_before_it_is_changed(tmp_path: Path) -> None:
    """The copy is as the ledger was; it stays until something is forgotten for good."""
    folder = unpacked(8, tmp_path / "brain")
    with closing(sqlite3.connect(folder / "ledger.sqlite")) as before, before:
        memories = before.execute("SELECT count(*) FROM memories").fetchone()
    before.close()
    copy = folder / "ledger.schema-8.sqlite"
    with opened(folder) as engine:
        with closing(sqlite3.connect(copy)) as kept, kept:
            assert kept.execute(
                "SELECT value FROM meta WHERE key = 'schema_version'"
            ).fetchone() == ("8",)
            assert kept.execute("SELECT count(*) FROM memories").fetchone() == memories
        kept.close()
        assert copy.stat().st_mode & 0o077 == 0
        bank = engine.bank("alice")
        receipt = bank.forget("my coffee with milk", hard=True)
        assert (len(receipt.memory_ids), receipt.remaining) == (1, ())
        assert not copy.exists()
    assert b"coffee with milk" not in b"".join(
        path.read_bytes() for path in folder.rglob("*") if path.is_file()
    )


def test_without_room_for_the_copy_nothing_is_changed(tmp_path: Path) -> None:
    """A typed error that says what to do; the old version still opens the ledger."""
    folder = unpacked(8, tmp_path / "brain")
    (folder / "ledger.schema-8.draft").mkdir()
    with pytest.raises(
        StoreError,
        match=r"could not be copied to .*ledger\.schema-8\.sqlite .* nothing was changed",
    ):
        opened(folder)
    with closing(sqlite3.connect(folder / "ledger.sqlite")) as ledger, ledger:
        assert ledger.execute("SELECT value FROM meta WHERE key = 'schema_version'").fetchone() == (
            "8",
        )
    ledger.close()


@pytest.mark.parametrize(
    ("version", "problem"),
    [("999", f"schema 999, this cogmem knows up to {SCHEMA_VERSION};"), ("7", "no release wrote")],
)
def test_a_schema_of_no_release_is_refused(tmp_path: Path, version: str, problem: str) -> None:
    """Clearly, and without touching it."""
    folder = unpacked(8, tmp_path / "brain")
    with closing(sqlite3.connect(folder / "ledger.sqlite")) as ledger, ledger:
        ledger.execute("UPDATE meta SET value = ? WHERE key = 'schema_version'", (version,))
    ledger.close()
    with pytest.raises(StoreVersionError, match=problem):
        opened(folder)
    assert sorted(path.name for path in folder.iterdir()) == [
        "chroma",
        "ledger.sqlite",
        "ops-log.jsonl",
    ]


def test_a_new_bank_has_nothing_to_copy(tmp_path: Path) -> None:
    """And a current one neither."""
    for _ in range(2):
        with opened(tmp_path / "brain") as engine:
            engine.bank("alice").add("x")
    assert list((tmp_path / "brain").glob("ledger.schema*")) == []


def test_an_upgraded_bank_is_indexed_as_a_new_one(tmp_path: Path) -> None:
    """The same indexes over the same columns, whichever version it comes from."""

    def indexes(folder: Path) -> dict[str, list[str]]:
        with opened(folder):
            pass
        with closing(sqlite3.connect(folder / "ledger.sqlite")) as ledger:
            names = [
                row[0]
                for row in ledger.execute("SELECT name FROM sqlite_master WHERE type = 'index'")
            ]
            columns = {
                name: ledger.execute("SELECT name FROM pragma_index_info(?)", (name,))
                for name in names
            }
            return {name: [row[0] for row in rows] for name, rows in columns.items()}

    fresh = indexes(tmp_path / "fresh")
    assert fresh["memories_by_page"][:3] == ["shard", "namespace", "id"]
    assert indexes(unpacked(8, tmp_path / "eighth")) == fresh
    assert indexes(unpacked(16, tmp_path / "sixteenth")) == fresh
