"""Damaged files, failing disks and wrong clocks: a sample of `make fault`, and what is rare."""

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("resource", reason="needs POSIX limits and signals")

import cogmem_core
from cogmem_core import StoreError
from cogmem_core.testing import CountingEmbedder, FrozenClock
from fault.damage import Damages
from fault.disk import Disk
from fault.harness import Yard
from fault.jobs import copied
from fault.power import Power, compiled
from fault.workload import CONFIG, NAMESPACE


@pytest.fixture(scope="module")
def template(yard: Yard, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank of 30 memories, closed cleanly."""
    folder = tmp_path_factory.mktemp("template") / "brain"
    yard.value("jobs:filled", {"folder": str(folder), "memories": 30})
    return folder


@pytest.fixture
def folder(template: Path, tmp_path: Path) -> Path:
    return copied(template, tmp_path / "brain")


def test_damaged_index_files_are_noticed_replaced_and_nothing_is_embedded_anew(
    yard: Yard, tmp_path: Path
) -> None:
    """ "0 crashes, 0 silent wrong answers, all rebuilt with no embedding call"; here 2 of 600."""
    damages = Damages(yard, tmp_path, seed=3)
    damages.run(2)
    assert damages.troubles == []
    assert sum(damages.counts.values()) == 2


def test_a_disk_without_room_is_a_typed_error_and_loses_nothing(yard: Yard, tmp_path: Path) -> None:
    """Typed errors, 0 acknowledged writes lost, usable again without reopening; here 2 of 300."""
    disk = Disk(yard, tmp_path, seed=3)
    disk.limit(2)
    assert disk.troubles == []
    assert (disk.struck > 0, set(disk.refused)) == (True, {"StoreError"})


def test_a_log_that_cannot_be_emptied_is_a_typed_error(yard: Yard, tmp_path: Path) -> None:
    """The database may not grow; when it may again, the log is emptied."""
    first, second = yard.value("jobs:strangled", {"folder": str(tmp_path / "brain")})
    assert first.startswith("StoreError: the ledger ")
    assert second == "True"


ERASES = """
import sys
import cogmem_core
from cogmem_core.testing import CountingEmbedder
with cogmem_core.open(sys.argv[1], embedder=CountingEmbedder()) as engine:
    bank = engine.bank("alice")
    texts = [f"zq{n}xq is kept" for n in range(40)]
    bank.remember([cogmem_core.Turn(text, metadata={"long": "f" * 15_000}) for text in texts], mode="raw")
    print(bank.forget("zq27xq", hard=True).remaining, bank.count())
"""


def test_an_erasure_needs_little_room_for_temporary_files(tmp_path: Path) -> None:
    """As in a container with a small folder for them: what SQLite has no room for there it keeps in memory."""
    small = tmp_path / "small"
    small.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=300k", "cogmem-fault", str(small)]
    if (
        shutil.which("mount") is None
        or subprocess.run(command, capture_output=True, check=False).returncode
    ):
        pytest.skip("no file system can be mounted here")
    try:
        done = subprocess.run(
            [sys.executable, "-c", ERASES, str(tmp_path / "brain")],
            env={**os.environ, "SQLITE_TMPDIR": str(small)},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    finally:
        subprocess.run(["umount", str(small)], check=False)
    assert (done.stdout, done.returncode) == ("() 39\n", 0), done.stderr


def test_a_write_ahead_log_that_is_gone_leaves_a_whole_bank(yard: Yard, folder: Path) -> None:
    """What stood only in the log is lost with it, as a whole; the index, which knows more, is built anew."""
    yard.run("jobs:left", {"folder": str(folder)})
    arg = {
        "folder": str(folder),
        "seed": 3,
        "hours": 1,
        "notes": str(folder.parent / "notes"),
        "operations": 400,
    }
    assert yard.run("workload:mixed", arg, kill={"mode": "clock", "delay": 0.3})["end"] == "killed"
    (folder / "ledger.sqlite-wal").unlink()
    assert yard.value("survey:checked", {"folder": str(folder), "hours": 3})["troubles"] == []


def test_a_shared_memory_file_that_is_gone_does_not_matter(yard: Yard, folder: Path) -> None:
    """SQLite makes it anew from the log."""
    arg = {
        "folder": str(folder),
        "seed": 4,
        "hours": 1,
        "notes": str(folder.parent / "notes"),
        "operations": 400,
    }
    assert yard.run("workload:mixed", arg, kill={"mode": "clock", "delay": 0.3})["end"] == "killed"
    (folder / "ledger.sqlite-shm").unlink()
    assert yard.value("survey:checked", {"folder": str(folder), "hours": 3})["troubles"] == []


@pytest.mark.parametrize("what", ["missing", "another bank's", "a file"])
def test_a_wrong_folder_of_indexes_is_not_believed(yard: Yard, folder: Path, what: str) -> None:
    """Same answers as before; nothing is embedded; where nothing can be built, the ledger is searched exactly."""
    before = yard.value("survey:answers", {"folder": str(folder)})["answers"]
    shutil.rmtree(folder / "chroma")
    if what == "a file":
        (folder / "chroma").write_text("not a folder")
    elif what == "another bank's":
        yard.value(
            "jobs:filled", {"folder": str(folder.parent / "other"), "memories": 30, "seed": 8}
        )
        shutil.copytree(folder.parent / "other" / "chroma", folder / "chroma")
    found = yard.value("survey:answers", {"folder": str(folder)})
    assert (found["first"], found["answers"], found["embedded"]) == (before, before, 0)
    assert bool(found["troubles"]) is (what == "a file")


def test_a_damaged_page_of_the_ledger_is_told_and_never_read_as_if_it_were_sound(
    folder: Path,
) -> None:
    """Every page of the table of memories in turn: a StoreError, or a warning that the ledger is damaged."""
    ledger = sqlite3.connect(folder / "ledger.sqlite")
    (size,) = ledger.execute("PRAGMA page_size").fetchone()
    (root,) = ledger.execute(
        "SELECT rootpage FROM sqlite_master WHERE name = 'memories'"
    ).fetchone()
    ledger.close()
    content = bytearray((folder / "ledger.sqlite").read_bytes())
    content[(root - 1) * size : root * size] = os.urandom(size)
    (folder / "ledger.sqlite").write_bytes(content)
    told = []
    try:
        with cogmem_core.open(
            folder, embedder=CountingEmbedder(), clock=FrozenClock(), config=CONFIG
        ) as engine:
            engine.pause()
            told += engine.health()["warnings"]
            with pytest.raises(StoreError, match="damaged"):
                engine.bank(NAMESPACE).list(limit=100)
    except StoreError as error:
        told.append(str(error))
    assert any("damaged" in one for one in told)


@pytest.mark.parametrize("days", [pytest.param(-1, marks=pytest.mark.thorough), -400, 365])
def test_a_clock_that_jumps_loses_nothing(folder: Path, days: float) -> None:
    """A day or a year back, a year ahead, and right again: ids stay unique, retention within 0..1, no lease stays."""
    clock = FrozenClock()
    for jump in (0.0, days, 0.0, days, 0.1):
        clock.now = FrozenClock().now
        clock.advance(days=jump)
        with cogmem_core.open(
            folder, embedder=CountingEmbedder(), clock=clock, config=CONFIG
        ) as engine:
            bank = engine.bank(NAMESPACE)
            before = bank.count(state="any")
            bank.remember(f"said at {jump} from there", mode="raw")
            memory = bank.add(f"stated at {jump}")
            assert bank.consolidate(steps=["expiry", "rehearsal"]).run_id != ""
            engine.flush()
            assert bank.count(state="any") >= before + 1
            assert bank.get(memory.id).content == f"stated at {jump}"
            assert 0 <= bank.explain(memory.id).retention <= 1
            assert sum(bank.health()["retention_histogram"].values()) == bank.count()
            assert {finding.kind for finding in engine.doctor(repair=True).findings} <= {"clock"}


def test_a_lease_of_a_clock_that_was_ahead_is_ended_by_the_doctor(folder: Path) -> None:
    """A process whose clock was a year ahead died in a cycle; nobody waits a year for it."""
    ahead = FrozenClock()
    ahead.advance(days=365)
    opened = cogmem_core.open(folder, embedder=CountingEmbedder(), clock=ahead, config=CONFIG)
    with opened as engine, engine.services.ledger.writing() as writer:
        assert writer.at(NAMESPACE).runs.take_lease("dead", now=ahead(), seconds=120) is not None
    with cogmem_core.open(
        folder, embedder=CountingEmbedder(), clock=FrozenClock(), config=CONFIG
    ) as engine:
        assert (
            engine.bank(NAMESPACE).consolidate().reason
            == "another cycle is running on this namespace"
        )
        assert [
            finding.kind for finding in engine.doctor(repair=True).findings if finding.repaired
        ] == ["leases"]
        assert engine.bank(NAMESPACE).consolidate().run_id != ""


def test_a_power_cut_takes_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    """Every file goes back to its last fsync: SQLite is synchronous=FULL, and an index that lost bytes is replaced."""
    library = compiled(tmp_path)
    if library is None:
        assert not os.environ.get("CI"), "there is no C compiler"
        pytest.skip("there is no C compiler")
    power = Power(tmp_path, library, seed=5)
    try:
        power.run(2)
    finally:
        power.close()
    assert power.troubles == []
    assert (power.cuts, power.rolled_back > 0) == (2, True)
