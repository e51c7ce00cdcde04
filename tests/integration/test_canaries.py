"""A secret in every field that takes words: nowhere on the disk, in a log, a receipt, an error, health, an export."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import pytest

import cogmem_core
from cogmem_core import Engine, Items
from cogmem_core.config import LogConfig
from cogmem_core.models import ToolCall
from cogmem_core.testing import MANUAL, FrozenClock
from helpers.canary_fields import Field, fields_of, found_in, laid_out, outcome_of

CALLS = [ToolCall("find", {"what": "tea"}), ToolCall("brew", ok=True)]
CONFIG = replace(
    MANUAL,
    log=LogConfig(content=True),
    guard=replace(MANUAL.guard, review=("untrusted", "contradicting", "procedure")),
)
OPTIONS = {"remember": {"mode": "raw"}, "recall": {"floor": 0}, "intend": {"when": "the bill"}}

ECHOED = {
    ("recall", "query"),
    ("recall", "audience"),
    ("profile", "subject"),
    ("tip_of_tongue", "query"),
    ("backup", "path"),
}
"""Their results, which nothing keeps, say what was asked, and where a copy lies."""


class Scene:
    """A bank, and what its methods need beside the field with the secret."""

    def __init__(self, engine: Engine, folder: Path) -> None:
        self.engine, self.bank, self.folder = engine, engine.bank("alice"), folder
        engine.add_principal("ann")
        engine.grant("ann", "alice", "admin")
        owners = (self.bank, self.bank.items(), engine, engine.as_("ann"))
        self.owners = {type(owner): owner for owner in owners}
        self.needed: dict[str, Callable[[], Any]] = {
            "answer": lambda: "It is warm.",
            "calls": lambda: CALLS,
            "confirm": lambda: "alice",
            "content": lambda: "I moved to Oslo in May",
            "grant_id": lambda: "none",
            "id_or_query": self.memory,
            "keep": self.memory,
            "key": lambda: "one",
            "memory_id": self.memory,
            "messages": lambda: "I like tea",
            "name": lambda: "ben",
            "namespace": lambda: "alice",
            "namespaces": lambda: "alice",
            "ok": lambda: True,
            "outcome": lambda: "done",
            "path": lambda: folder / "part.jsonl",
            "principal": lambda: "ann",
            "procedure_id": lambda: "none",
            "query": lambda: "Which tea is warm?",
            "recall": lambda: self.bank.recall("Which tea is warm?", floor=0),
            "record_id": lambda: self.bank.intend("pay", when="pay").id,
            "review_id": lambda: "none",
            "right": lambda: "read",
            "run": lambda: self.bank.observe_run("brew", CALLS, session_id="s"),
            "run_id": lambda: "none",
            "session_id": lambda: "s",
            "task": lambda: "brew tea",
            "text": lambda: "ask for the bill",
            "turns": lambda: ["Good morning"],
            "value": lambda: {"text": "tea"},
            "writes": list,
        }

    def memory(self) -> str:
        return self.bank.add("Tea is warm").id

    def outcome(self, owner: type, field: Field) -> str:
        """What a call with the field tells."""
        given = dict(OPTIONS.get(field.method, {}))
        for name, parameter in list(signature(getattr(owner, field.method)).parameters.items())[1:]:
            if parameter.default is Parameter.empty and name != field.parameter:
                folder = owner is Items and name == "path"
                given[name] = ("notes",) if folder else self.needed[name]()
        return outcome_of(self.owners[owner], field, given)

    def told(self) -> Iterator[str]:
        """Everything that can be read afterwards."""
        engine, bank = self.engine, self.bank
        engine.flush()
        memories = bank.list(state="any", limit=1_000).memories
        yield laid_out(memories)
        for memory in memories[:20]:
            yield laid_out([bank.history(memory.id), bank.explain(memory.id)])
        yield laid_out([bank.intentions(), bank.procedures(), bank.reviews(None), bank.audit()])
        yield laid_out([bank.items().search(limit=1_000), bank.items().paths()])
        yield laid_out([bank.consolidate(), bank.reflect(), bank.recall("tea", floor=0)])
        yield laid_out([engine.access_log(limit=1_000), engine.principals(), engine.namespaces()])
        yield laid_out([engine.grants(revoked=True)])
        yield repr([engine.health(), bank.health(), engine.warnings(), engine.doctor()])
        yield repr([engine.log(limit=10_000), engine.metrics(), engine.verify_audit()])


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path / "out")  # a field may be taken for the name of a file
    with cogmem_core.open(
        tmp_path / "bank", embedder="hashing", clock=FrozenClock(), config=CONFIG
    ) as engine:
        yield Scene(engine, tmp_path / "out")


def holding(folder: Path) -> list[str]:
    """The files with a secret in them."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path.name for path in files if found_in(path.read_bytes().decode("latin-1"))]


def test_a_secret_in_any_field_stays_nowhere(
    scene: Scene, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Every parameter of every public method of bank, items, engine and handle; of records, every field."""
    caplog.set_level(logging.DEBUG, "cogmem_core")
    logging.getLogger("cogmem_core.storage").setLevel(logging.WARNING)
    fields = [(owner, field) for owner in scene.owners for field in fields_of(owner)]
    shown = [
        (field.method, field.parameter, field.part)
        for owner, field in fields
        if (field.method, field.parameter) not in ECHOED and found_in(scene.outcome(owner, field))
    ]

    assert len(fields) > 150
    assert not shown, "\n".join(map(str, shown))
    for told in scene.told():
        assert found_in(told) == []
    scene.bank.export(scene.folder / "whole.jsonl")
    scene.engine.backup(scene.folder / "copy")
    assert found_in(caplog.text) == []
    assert holding(tmp_path) == []
