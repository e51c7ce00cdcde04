"""What was erased for good does not come back by itself, and whatever brings it back is listed."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Engine, MemoryBank
from cogmem_core.engine.backups import restore
from cogmem_core.results import ErasureCheck
from cogmem_core.testing import CountingEmbedder, FrozenClock

Reopen = Callable[..., Engine]
ERASED = "My therapist is Doctor Weiss in Graz."
AGAIN = {
    "the assistant": (ERASED, {"role": "assistant"}, ["turns"], "same words"),
    "the assistant, in its words": (
        "Note: the user's therapist in Graz is called Doctor Weiss",
        {"role": "assistant"},
        ["memories", "turns"],
        "nearly the same",
    ),
    "another speaker": (ERASED, {"speaker": "Ben"}, ["memories", "turns"], "same words"),
    "the same person": (ERASED, {}, [], ""),
    "something else": ("My brother has a house in Graz.", {"speaker": "Ben"}, [], ""),
}


def kinds(check: ErasureCheck) -> list[str]:
    return [item.kind for item in check.returned]


@pytest.fixture
def erased(reopen: Reopen, clock: FrozenClock, tmp_path: Path) -> MemoryBank:
    """Of an hour ago, after an export, a backup and a chat file were made."""
    engine = reopen()
    bank = engine.bank("ann")
    bank.remember([ERASED, "I collect stamps."])
    bank.export(tmp_path / "export.jsonl")
    engine.backup(tmp_path / "backup.sqlite")
    chat = [{"type": "human", "data": {"content": ERASED}}]
    (tmp_path / "chat.json").write_text(json.dumps(chat))
    bank.forget("Doctor Weiss", hard=True)
    clock.advance(hours=1)
    return bank


@pytest.mark.parametrize("again", AGAIN)
def test_who_says_it_again_decides_whether_it_is_back(erased: MemoryBank, again: str) -> None:
    """What another person says is kept, and listed; what no person says is not recalled; himself he may."""
    text, how_said, expected, how = AGAIN[again]
    erased.remember(text, **how_said)
    check = erased.verify_erasures()
    assert kinds(check) == expected
    assert {item.how for item in check.returned} <= {how}
    assert check.ok == (not expected)
    recalled = any("Weiss" in item.content for item in erased.recall("Doctor Weiss in Graz"))
    assert recalled == (again in ("another speaker", "the same person"))


def test_no_import_brings_it_back(erased: MemoryBank, tmp_path: Path) -> None:
    """Neither an export nor another tool's chat, whatever kind of record it is in."""
    report = erased.import_(tmp_path / "export.jsonl")
    assert (report.rejected, report.passed) == (1, {"erased here": 1})
    assert erased.import_(tmp_path / "chat.json", "langchain").rejected == 1
    assert [memory.content for memory in erased.list(state="any")] == ["I collect stamps."]
    assert erased.verify_erasures().ok


def test_a_restored_backup_is_found_out(
    erased: MemoryBank, tmp_path: Path, reopen: Reopen, folder: Path, embedder: CountingEmbedder
) -> None:
    """In the same folder and in another; the weekly step tells it, and nothing is changed."""
    backup = tmp_path / "backup.sqlite"
    assert erased.verify_erasures().backups == (str(backup),)
    erased.engine.close()
    restore(backup, tmp_path / "elsewhere")
    with cogmem_core.open(tmp_path / "elsewhere", embedder=embedder) as engine:
        assert kinds(engine.bank("ann").verify_erasures()) == ["memories", "turns"]
    shutil.copyfile(backup, folder / "ledger.sqlite")
    with reopen() as engine:
        bank = engine.bank("ann")
        before = (bank.list(state="any").memories, engine.log())
        assert kinds(bank.verify_erasures()) == ["memories", "turns"]
        (folder / "notes.txt").write_text(f"To do\n{ERASED}\n")
        assert kinds(bank.verify_erasures()) == ["memories", "turns", "file"]
        assert (bank.list(state="any").memories, engine.log()) == before
        assert bank.consolidate(steps=["erasures"]).returned == 3
        assert bank.health()["erasures"]["returned"] == 3
        assert bank.consolidate(steps=["erasures"]).returned == 0  # not again within the week
        assert "what was erased" in bank.health()["warnings"][-1]
    assert b"Weiss" not in (folder / "ledger.sqlite.erased").read_bytes()
