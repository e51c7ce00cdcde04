"""Secrets never reach the disk; the op log tells what happened without telling what was said."""

import json
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Config
from cogmem_core.config import LogConfig

KEY = "sk-proj-" + "a1B2c3D4e5F6g7H8i9J0" * 2

ENGINE = {"folder": True, "embedder": "hashing", "config": Config()}


def test_the_log_tells_what_happened_but_not_what_was_said(
    engine: cogmem_core.Engine, tmp_path: Path
) -> None:
    """Operations, counts and outcomes; texts and names as hashes."""
    bank = engine.bank("maria@example.com")
    bank.remember(["I moved to Lisbon", "I moved to Lisbon"])
    bank.recall("where does Maria live?")
    bank.forget("Lisbon")
    records = engine.log()
    assert [(r["op"], r["success"]) for r in records] == [
        ("remember", True),
        ("recall", True),
        ("forget", True),
    ]
    assert (records[0]["stored"], records[0]["reinforced"], records[1]["resultCount"]) == (1, 1, 1)
    assert records[1]["input"].startswith("sha256:")
    assert [r["op"] for r in engine.log(op="recall")] == ["recall"]
    log = tmp_path / "brain" / "ops-log.jsonl"
    assert len([json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]) == 3
    assert "Lisbon" not in log.read_text(encoding="utf-8")
    assert "maria" not in log.read_text(encoding="utf-8")


def test_the_log_holds_texts_if_it_is_told_to(tmp_path: Path) -> None:
    """Redacted all the same."""
    with cogmem_core.open(embedder="hashing", config=Config(log=LogConfig(content=True))) as engine:
        engine.bank("alice").remember("I moved to Lisbon")
        engine.bank("alice").recall(f"Lisbon {KEY}")
        assert engine.log(op="recall")[0]["input"] == "Lisbon [redacted api key]"


def test_failures_are_logged_with_their_kind(engine: cogmem_core.Engine) -> None:
    """An immutable memory cannot be edited, nor an unknown run ended, and the log knows that somebody tried."""
    bank = engine.bank("alice")
    memory = bank.add("Water boils at 100 degrees", immutable=True)
    with pytest.raises(cogmem_core.Protected):
        bank.edit(memory.id, "at 90 degrees")
    assert {k: engine.log(op="edit")[0][k] for k in ("id", "success", "error")} == {
        "id": memory.id,
        "success": False,
        "error": "Protected",
    }
    with pytest.raises(cogmem_core.NotFound):
        bank.outcome("nope", True)
    assert {k: engine.log(op="outcome")[0][k] for k in ("success", "error")} == {
        "success": False,
        "error": "NotFound",
    }


def test_a_function_of_the_caller_that_fails_is_no_success(engine: cogmem_core.Engine) -> None:
    """Whatever ends an operation, the log says so."""

    def broken(_item: cogmem_core.results.Item) -> bool:
        raise ZeroDivisionError

    items = engine.bank("alice").items()
    items.put(("facts",), "water", {"boils": 100}, texts=["Water boils at 100 degrees"])
    with pytest.raises(ZeroDivisionError):
        items.search(query="water", where=broken)
    assert {k: engine.log()[-1][k] for k in ("success", "error")} == {
        "success": False,
        "error": "ZeroDivisionError",
    }
