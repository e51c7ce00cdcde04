"""Rows of bad input: ids, files, lists, embedders, folders."""

import dataclasses
import random
import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

import cogmem_core
from cogmem_core import (
    CogMemError,
    ConfigError,
    EmbedderMismatch,
    EmbedderUnavailable,
    NotFound,
    Protected,
    StoreError,
    StoreVersionError,
)
from cogmem_core.results import ItemWrite
from cogmem_core.testing import CountingEmbedder
from helpers.bad_input_scene import NAIVE, UNKNOWN, Act, Row, Scene, refused


def ids() -> Iterator[tuple[str, Row]]:
    calls: dict[str, Callable[[cogmem_core.MemoryBank, str], Any]] = {
        "get": lambda bank, i: bank.get(i),
        "edit": lambda bank, i: bank.edit(i, "another text"),
        "supersede": lambda bank, i: bank.supersede(i, "another text"),
        "end": lambda bank, i: bank.end(i),
        "pin": lambda bank, i: bank.pin(i),
        "unpin": lambda bank, i: bank.unpin(i),
        "restore": lambda bank, i: bank.restore(i),
        "history": lambda bank, i: bank.history(i),
        "relations": lambda bank, i: bank.relations(i),
        "versions": lambda bank, i: bank.versions(i),
        "settle_versions": lambda bank, i: bank.settle_versions(i),
        "explain": lambda bank, i: bank.explain(i),
        "settle": lambda bank, i: bank.settle(i, "done"),
        "outcome": lambda bank, i: bank.outcome(i, True),
        "export_procedure": lambda bank, i: bank.export_procedure(i, "never-written.md"),
        "forget": lambda bank, i: bank.forget(i),
        "forget hard": lambda bank, i: bank.forget(i, hard=True),
    }
    for name, call in calls.items():
        yield (
            f"{name} unknown id",
            refused(lambda s, c=call: c(s.bank, UNKNOWN), UNKNOWN, "alice", error=NotFound),
        )
        yield (
            f"{name} id of another namespace",
            refused(lambda s, c=call: c(s.bank, s.foreign_id), "'alice'", error=NotFound),
        )
    yield "get nonsense", refused(lambda s: s.bank.get("%"), "'%'", "bank.list()", error=NotFound)
    yield (
        "forget unknown words",
        refused(lambda s: s.bank.forget("zebra quagga"), "zebra", "all words", error=NotFound),
    )
    yield (
        "forget loosely for good",
        refused(lambda s: s.bank.forget_matching("", dry_run=True), "query is ''"),
    )
    yield (
        "forget stop words",
        refused(lambda s: s.bank.forget("the"), "'the'", "all words", error=NotFound),
    )
    yield (
        "edit immutable",
        refused(lambda s: s.bank.edit(s.bank.list()[1].id, "x"), "immutable", error=Protected),
    )
    for given in ("bob", "", "Alice", None):
        yield (
            f"confirm {given}",
            refused(lambda s, g=given: s.bank.forget_all(confirm=g), "confirm", "'alice'"),
        )


def files() -> Iterator[tuple[str, Row]]:
    for name, path in {"NUL": "a\x00b", "surrogate": "\ud800", "empty": ""}.items():
        yield f"export {name}", refused(lambda s, p=path: s.bank.export(p), "path", "give a path")
        yield f"import {name}", refused(lambda s, p=path: s.bank.import_(p), "path", "give a path")
        yield (
            f"open {name}",
            refused(
                lambda s, p=path: cogmem_core.open(p, embedder="hashing"), "path", "give a path"
            ),
        )
    yield "export number", refused(lambda s: s.bank.export(5), "path", "int", "give a path")
    yield (
        "open number",
        refused(lambda s: cogmem_core.open(5, embedder="hashing"), "path", "int", "give a path"),
    )
    for address in ("sqlite:///bank.db", "postgresql://ana:PASSWORD@db/bank", "http://host:8000"):
        told = refused(
            lambda s, p=address: cogmem_core.open(p, embedder="hashing"),
            f"path is an address ('{address.partition(':')[0]}'...)",
            "storage.ledger_url",
        )
        yield f"open {address}", told
    yield (
        "export into a missing folder",
        refused(
            lambda s: s.bank.export(s.tmp_path / "no" / "x"),
            "cannot write",
            "writable folder",
            error=StoreError,
        ),
    )
    yield (
        "export over a folder",
        refused(lambda s: s.bank.export(s.tmp_path), "a folder", "path of the file to write"),
    )
    for path in ("/", ".", "..", "a/.."):
        yield (
            f"export {path}",
            refused(lambda s, p=path: s.bank.export(p), "path is", "a folder", "path of the file"),
        )
    yield (
        "open in the home of nobody",
        refused(
            lambda s: cogmem_core.open("~nosuchuser/x", embedder="hashing"),
            "path",
            "~nosuchuser",
            "home folder out",
        ),
    )
    yield (
        "import a missing file",
        refused(lambda s: s.bank.import_(s.tmp_path / "none"), "cannot read", "export"),
    )
    yield "import a folder", refused(lambda s: s.bank.import_(s.tmp_path), "cannot read", "export")
    yield "import a binary", refused(lambda s: s.bank.import_(sys.executable), "python", "export")


def lists() -> Iterator[tuple[str, Row]]:
    for name, value in {"None": None, "number": 5, "text": "fading", "bytes": b"x"}.items():
        told = (repr(value), type(value).__name__, "give a list of")
        items: dict[str, Callable[[cogmem_core.Items, Any], Any]] = {
            "items.write": lambda i, v: i.write(v),
            "items.put": lambda i, v: i.put(("a",), "k", {}, texts=v),
            "ItemWrite": lambda i, v: i.write([ItemWrite(("a",), "k", {}, texts=v)]),
        }
        for call, act in items.items():
            field = "writes" if call == "items.write" else "texts"
            yield (
                f"{call} {name}",
                refused(lambda s, a=act, v=value: a(s.bank.items(), v), f"{field} is", *told),
            )
        if name != "None":
            yield (
                f"steps {name}",
                refused(lambda s, v=value: s.bank.consolidate(steps=v), "steps is", *told),
            )
            every = refused(
                lambda s, v=value: s.bank.engine.consolidate_all(namespaces=v),
                "namespaces is",
                *told,
            )
            yield f"namespaces {name}", every
        if name != "text":
            yield (
                f"remembered {name}",
                refused(
                    lambda s, v=value: s.bank.append_messages(["x"], session_id="s", remembered=v),
                    "remembered is",
                    *told,
                ),
            )
            yield (
                f"session.remember {name}",
                refused(
                    lambda s, v=value: s.bank.session("s").remember(v),
                    "content is a",
                    "give a string",
                ),
            )
    for name, write in {
        "dict": {"path": ("a",), "key": "k", "value": {}},
        "None": None,
        "tuple": ("a", "k"),
    }.items():
        fine = ItemWrite(("a",), "k", {"a": 1})
        yield (
            f"items.write a list with {name}",
            refused(
                lambda s, f=fine, w=write: s.bank.items().write([f, w]),
                "writes[1]",
                "give a cogmem_core.results.ItemWrite",
            ),
        )
    yield (
        "items.put no value",
        refused(
            lambda s: s.bank.items().put(("a",), "k", None),
            "value is None",
            "give a dict",
            "delete(path, key)",
        ),
    )
    yield (
        "items.put too many texts",
        refused(
            lambda s: s.bank.items().put(("a",), "k", {}, texts=["a"] * 100_001),
            "texts",
            "100,001",
            "give fewer",
        ),
    )


class Misbehaving(CountingEmbedder):
    """Answers as told; its fingerprint is the sane one's, so that it may open the same bank."""

    def __init__(self, answer: Callable[[Sequence[str]], Any]) -> None:
        super().__init__()
        self._answer = answer

    def embed_documents(self, texts: Sequence[str]) -> Any:
        return self._answer(texts)


def _raise(error: Exception) -> Callable[[Sequence[str]], Any]:
    def fail(_texts: Sequence[str]) -> Any:
        raise error

    return fail


def embedders() -> Iterator[tuple[str, Row]]:
    answers: dict[str, tuple[Callable[[Sequence[str]], Any], tuple[str, ...]]] = {
        "nan": (lambda texts: np.full((len(texts), 64), np.nan), ("NaN or infinity",)),
        "infinite": (lambda texts: np.full((len(texts), 64), 1e300), ("NaN or infinity",)),
        "wrong dimension": (lambda texts: np.ones((len(texts), 63)), ("63 numbers", "64")),
        "too few": (lambda texts: np.ones((0, 64)), ("shape", "one vector per text")),
        "too many": (lambda texts: np.ones((len(texts) + 1, 64)), ("shape", "one vector per text")),
        "no numbers": (lambda texts: ["a"] * len(texts), ("rows of numbers",)),
        "nothing": (lambda texts: None, ("Misbehaving",)),
        "failing": (
            _raise(RuntimeError("out of memory")),
            ("RuntimeError", "embed_documents failed"),
        ),
    }
    for name, (answer, words) in answers.items():
        yield (
            f"embedder {name}",
            refused(
                lambda s: s.bank.add("A thing to embed"),
                "embedder",
                *words,
                error=EmbedderUnavailable,
                arrange=lambda s, a=answer: setattr(s.engine, "services", _with(s, Misbehaving(a))),
            ),
        )
    for spec in ("word2vec", "openai", "hashing:x", "minilm:large", object(), CountingEmbedder):
        yield (
            f"embedder {spec!r:.20}",
            refused(lambda s, e=spec: cogmem_core.open(embedder=e), "embedder", error=ConfigError),
        )
    yield (
        "embedder of dimension 0",
        refused(
            lambda s: cogmem_core.open(embedder="hashing:0"), "dimension", "1 to", error=ConfigError
        ),
    )
    yield (
        "llm",
        refused(
            lambda s: cogmem_core.open(embedder="hashing", llm="gpt"),
            "llm",
            "complete",
            error=ConfigError,
        ),
    )
    yield (
        "naive clock",
        refused(
            lambda s: cogmem_core.open(embedder="hashing", clock=lambda: NAIVE),
            "clock",
            "timezone.utc",
            error=ConfigError,
        ),
    )
    for given, told in ((5, "5"), (lambda: 5, "5"), (lambda: None, "None")):
        yield (
            f"clock {'that tells ' if callable(given) else ''}{told}",
            refused(
                lambda s, g=given: cogmem_core.open(embedder="hashing", clock=g),
                *("clock", told, "timezone.utc"),
                error=ConfigError,
            ),
        )
    yield (
        "another embedder than the bank's",
        refused(
            lambda s: s.opened("hashing"),
            "counting-",
            "hashing-v1",
            "reindex",
            error=EmbedderMismatch,
            arrange=Scene.seeded,
        ),
    )


def _with(scene: Scene, embedder: Any) -> Any:
    from cogmem_core.embedders.factory import resolve

    services = scene.engine.services
    return dataclasses.replace(
        services, embedder=resolve(embedder, config=services.config.embedding)
    )


def _holding(name: str, content: bytes = b"mine") -> Act:
    def arrange(scene: Scene) -> None:
        scene.folder.mkdir()
        (scene.folder / name).write_bytes(content)

    return arrange


def _of_another_program(scene: Scene) -> None:
    scene.folder.mkdir()
    other = sqlite3.connect(scene.folder / "ledger.sqlite")
    other.execute("CREATE TABLE accounts (id INTEGER PRIMARY KEY, meta TEXT)")
    other.commit()
    other.close()


def _schema(version: str) -> Act:
    def arrange(scene: Scene) -> None:
        ledger = sqlite3.connect(scene.seeded() / "ledger.sqlite")
        ledger.execute("UPDATE meta SET value = ? WHERE key = 'schema_version'", (version,))
        ledger.commit()
        ledger.close()

    return arrange


def _overwritten(start: int, stop: int | None) -> Act:
    def arrange(scene: Scene) -> None:
        path = scene.seeded() / "ledger.sqlite"
        content = bytearray(path.read_bytes())
        end = len(content) if stop is None else stop
        content[start:end] = random.Random(3).randbytes(end - start)
        path.write_bytes(content)

    return arrange


def _read_everything(scene: Scene) -> None:
    with scene.opened() as engine:
        assert [warning for warning in engine.warnings() if "the ledger is damaged" in warning]
        engine.bank("alice").list(limit=1000)


def folders() -> Iterator[tuple[str, Row]]:
    def at_open(*words: str, arrange: Act, error: type[CogMemError] = StoreError) -> Row:
        return refused(Scene.opened, *words, error=error, arrange=arrange)

    yield (
        "a folder of other files",
        at_open("notes.txt", "ledger.sqlite", "new folder", arrange=_holding("notes.txt")),
    )
    yield (
        "a file as the folder",
        at_open("is a file", "path of a folder", arrange=lambda s: s.folder.write_text("text")),
    )
    yield (
        "SQLite of another program",
        at_open("another program", "empty folder", arrange=_of_another_program),
    )
    yield (
        "newer schema",
        at_open("schema 999", "upgrade", arrange=_schema("999"), error=StoreVersionError),
    )
    yield "schema that is no number", at_open("schema", "'x'", "backup", arrange=_schema("x"))
    yield "garbage as the header", at_open("damaged", "backup", arrange=_overwritten(0, 4096))
    yield (
        "no database at all",
        at_open("damaged", "backup", arrange=_holding("ledger.sqlite", b"hello " * 4000)),
    )
    yield (
        "garbage in the middle",
        refused(
            _read_everything,
            "damaged",
            "backup",
            error=StoreError,
            arrange=_overwritten(16_384, 160_000),
        ),
    )
