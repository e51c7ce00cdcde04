"""Backups: made while others write, checked, and restored into a bank that answers as the old one did."""

import json
import stat
import threading
from pathlib import Path

import pytest

import cogmem_core
from cogmem_cli.main import app
from cogmem_core import InvalidInput
from helpers.command import CliRunner
from helpers.tables import each_row


def run(*arguments: object) -> tuple[int, dict[str, object]]:
    """Exit code and JSON document of a command."""
    done = CliRunner().invoke(app, [*map(str, arguments), "--json"])
    return done.exit_code, json.loads(done.stdout or done.stderr)


def test_a_backup_is_whole_while_others_write(folder: Path, tmp_path: Path) -> None:
    """It holds everything that was stored before it began, and each turn with its memories or not at all."""
    new_folder = tmp_path / "restored"
    with cogmem_core.open(folder, embedder="hashing") as engine:
        bank = engine.bank("alice")
        bank.remember([f"My {n}. neighbour is called Ann{n}" for n in range(20)])
        stop = threading.Event()
        written: list[int] = []

        def write() -> None:
            while not stop.is_set():
                bank.remember(f"I counted to {len(written)} in Oslo", ref=str(len(written)))
                written.append(1)

        writer = threading.Thread(target=write)
        writer.start()
        try:
            reports = []
            for number in range(3):
                before = len(written)
                report = engine.backup(tmp_path / f"{number}.sqlite")
                assert 20 + before <= report.turns <= 20 + len(written) + 1
                reports.append(report)
        finally:
            stop.set()
            writer.join()
    assert stat.S_IMODE((tmp_path / "2.sqlite").stat().st_mode) == 0o600

    code, answer = run("restore-backup", tmp_path / "2.sqlite", "--path", new_folder)
    assert (code, answer.get("memories"), answer.get("turns")) == (
        0,
        reports[2].memories,
        reports[2].turns,
    )
    with cogmem_core.open(new_folder, embedder="hashing") as engine:
        bank = engine.bank("alice")
        assert bank.count(state="any") == reports[2].memories
        results = bank.recall("Who is called Ann7?").results
        assert results[0].content == "My 7. neighbour is called Ann7"
        assert engine.doctor().clean
        assert engine.verify_audit()["alice"].ok


def test_a_backup_into_a_folder_is_a_bank_with_its_settings(folder: Path, tmp_path: Path) -> None:
    """The command makes one, too; opened where it is, it answers."""
    with cogmem_core.open(folder, embedder="hashing") as engine:
        engine.bank("alice").remember("I live in Oslo")
    (folder / "cogmem.toml").write_text("[retrieval]\npool = 50\n", encoding="utf-8")
    target = tmp_path / "backups" / "monday"
    code, answer = run("backup", target, "--path", folder)
    assert (code, answer["memories"], answer["path"]) == (0, 1, str(target))
    with cogmem_core.open(target, embedder="hashing") as engine:
        assert engine.services.config.retrieval.pool == 50
        assert (
            engine.bank("alice").recall("Where do I live?").results[0].content == "I live in Oslo"
        )
    with cogmem_core.open(embedder="hashing") as engine:
        engine.bank("alice").remember("I live in Bergen")
        assert engine.backup(tmp_path / "memory.sqlite").memories == 1


@each_row("name", ["brain/copy.sqlite", "brain", "there.sqlite", "there", "file/below"])
def test_nothing_is_overwritten(folder: Path, tmp_path: Path, name: str) -> None:
    """Neither the bank itself, nor another one, nor a file; the bank goes on."""
    (tmp_path / "there.sqlite").write_text("mine", encoding="utf-8")
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    with cogmem_core.open(tmp_path / "there", embedder="hashing") as other:
        other.bank("bob").remember("I live in Bergen")
    with cogmem_core.open(folder, embedder="hashing") as engine:
        engine.bank("alice").remember("I live in Oslo", ref="1")
        with pytest.raises((InvalidInput, cogmem_core.StoreError)):
            engine.backup(tmp_path / name)
        assert engine.bank("alice").count() == 1
    assert (tmp_path / "there.sqlite").read_text(encoding="utf-8") == "mine"
    with cogmem_core.open(tmp_path / "there", embedder="hashing") as other:
        assert other.bank("bob").count() == 1


def test_only_a_sound_backup_is_restored_and_never_over_a_bank(
    folder: Path, tmp_path: Path
) -> None:
    """A typed error says what is wrong; nothing is made or changed."""
    with cogmem_core.open(folder, embedder="hashing") as engine:
        engine.bank("alice").remember([f"I have seen town number {n}" for n in range(30)])
        engine.backup(tmp_path / "sound.sqlite")
    whole = (tmp_path / "sound.sqlite").read_bytes()
    (tmp_path / "torn.sqlite").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "other.sqlite").write_text("no database at all", encoding="utf-8")
    new_folder = tmp_path / "new"
    for name in ("torn.sqlite", "other.sqlite", "missing.sqlite"):
        code, answer = run("restore-backup", tmp_path / name, "--path", new_folder)
        assert (code, answer["error"]["type"]) == (2, "InvalidInput"), name
        assert not new_folder.exists()
    code, answer = run("restore-backup", tmp_path / "sound.sqlite", "--path", folder)
    assert code == 2
    assert "there is a bank in" in answer["error"]["message"]
