"""Who may read a bank's files: their owner, whatever the folder and the umask are."""

import os
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Engine
from cogmem_core.config import LogConfig, StorageConfig
from cogmem_core.testing import MANUAL, CountingEmbedder, FrozenClock

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")


@pytest.fixture(autouse=True)
def _usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def opened(folder: Path, url: str | None = None) -> Engine:
    storage = StorageConfig(index_above=0, ledger_url=url)
    config = replace(MANUAL, storage=storage, log=LogConfig(content=True, max_bytes=100_000))
    return cogmem_core.open(folder, embedder=CountingEmbedder(), clock=FrozenClock(), config=config)


def modes(folder: Path) -> dict[str, str]:
    """Of what others may touch below a folder."""
    below = [path for path in folder.rglob("*") if not path.is_symlink()]
    found = {str(path.relative_to(folder)): stat.S_IMODE(path.stat().st_mode) for path in below}
    return {name: oct(mode) for name, mode in found.items() if mode & 0o077}


def live(engine: Engine) -> None:
    """Something of everything that makes files."""
    bank = engine.bank("alice")
    bank.remember([f"Remark {number} about boats" for number in range(30)])
    engine.sync()
    bank.recall("boats")
    for _ in range(200):
        engine.services.log.append("noise", output="word " * 150)
    engine.services.log.flush()


def test_a_folder_that_others_can_read_holds_nothing_that_they_can(tmp_path: Path) -> None:
    """While the bank is open, and afterwards; the folder itself stays as it was."""
    folder = tmp_path / "shared"
    folder.mkdir(mode=0o755)
    with opened(folder) as engine:
        live(engine)
        names = {path.name for path in folder.rglob("*")}
        assert {
            "ledger.sqlite",
            "ledger.sqlite-wal",
            "ledger.sqlite-shm",
            "chroma.sqlite3",
            "lock",
        } <= names
        assert len([name for name in names if name.startswith("ops-log")]) > 1
        assert modes(folder) == {}
    assert modes(folder) == {}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755


def test_a_new_folder_is_nobody_elses(tmp_path: Path) -> None:
    """Nor is what is in it."""
    with opened(tmp_path / "new") as engine:
        live(engine)
    assert modes(tmp_path) == {}


def test_a_ledger_elsewhere_is_nobody_elses(tmp_path: Path) -> None:
    """Setting `storage.ledger_url`."""
    with opened(tmp_path / "brain", f"sqlite:///{tmp_path / 'other.db'}") as engine:
        engine.bank("alice").remember("I moved to Lisbon")
        assert modes(tmp_path) == {}


def test_files_of_an_earlier_version_are_tightened(tmp_path: Path) -> None:
    """When the bank is opened; a file beside them that is none of ours stays as it is."""
    folder = tmp_path / "brain"
    with opened(folder) as engine:
        live(engine)
    (folder / "notes.txt").write_text("mine")
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    with opened(folder) as engine:
        engine.sync()
        assert modes(folder) == {"notes.txt": "0o644"}


class TestExport:
    """An export holds all that a bank does."""

    def test_nobody_else_can_read_it(self, tmp_path: Path) -> None:
        """Also one in the place of a file that others could read."""
        old = tmp_path / "old.jsonl"
        old.write_text("old")
        with opened(tmp_path / "brain") as engine:
            engine.bank("alice").remember("I moved to Lisbon")
            engine.bank("alice").export(old)
            engine.bank("alice").export(tmp_path / "new.jsonl")
        assert modes(tmp_path) == {}

    def test_nobody_can_read_it_while_it_is_written(self, tmp_path: Path) -> None:
        """There is no moment at which it is open to others."""
        folder = tmp_path / "out"
        folder.mkdir(mode=0o755)
        seen: list[dict[str, str]] = []
        with opened(tmp_path / "brain") as engine:
            engine.bank("alice").remember("I moved to Lisbon")
            engine.bank("alice").export(
                folder / "a.jsonl", progress=lambda *_: seen.append(modes(folder))
            )
        assert seen == [{}]
        assert [path.name for path in folder.iterdir()] == ["a.jsonl"]
