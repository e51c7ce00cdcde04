"""Rows of bad input: ids, files, lists, embedders, folders."""

import dataclasses
import random
import sqlite3
import sys
from collections.abc import Callable, Sequence
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
from helpers.bad_input_values import Bad, Call, Named, alike, tried


def ids() -> Named:
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
        row = refused(lambda s, c=call: c(s.bank, UNKNOWN), UNKNOWN, "alice", error=NotFound)
        yield f"{name} unknown id", row
        row = refused(lambda s, c=call: c(s.bank, s.foreign_id), "'alice'", error=NotFound)
        yield f"{name} id of another namespace", row
    row = refused(lambda s: s.bank.edit(s.bank.list()[1].id, "x"), "immutable", error=Protected)
    yield "edit immutable", row
    get: dict[str, Call] = {"get": ("'%'", lambda s, v: s.bank.get(v))}
    yield from tried(get, {"nonsense": ("%", ("bank.list()",))}, NotFound)
    forget: dict[str, Call] = {"forget": ("all words", lambda s, v: s.bank.forget(v))}
    words: Bad = {"unknown words": ("zebra quagga", ("zebra",)), "stop words": ("the", ("'the'",))}
    yield from tried(forget, words, NotFound)
    loosely: dict[str, Call] = {
        "forget loosely": ("query is ''", lambda s, v: s.bank.forget_matching(v, dry_run=True))
    }
    yield from tried(loosely, {"for good": ("", ())})
    confirm: dict[str, Call] = {"confirm": ("confirm", lambda s, v: s.bank.forget_all(confirm=v))}
    yield from tried(confirm, alike({str(v): v for v in ("bob", "", "Alice", None)}, "'alice'"))


EXPORT: dict[str, Call] = {"export": ("path", lambda s, v: s.bank.export(v))}
IMPORT: dict[str, Call] = {"import": ("path", lambda s, v: s.bank.import_(v))}
OPEN: dict[str, Call] = {"open": ("path", lambda s, v: cogmem_core.open(v, embedder="hashing"))}
ADDRESSES = ("sqlite:///bank.db", "postgresql://ana:PASSWORD@db/bank", "http://host:8000")


def files() -> Named:
    names = {"NUL": "a\x00b", "surrogate": "\ud800", "empty": ""}
    yield from tried({**EXPORT, **IMPORT, **OPEN}, alike(names, "give a path"))
    yield from tried({**EXPORT, **OPEN}, {"number": (5, ("int", "give a path"))})
    addresses: Bad = {
        url: (url, (f"path is an address ('{url.partition(':')[0]}'...)", "storage.ledger_url"))
        for url in ADDRESSES
    }
    yield from tried(OPEN, addresses)
    homeless: Bad = {"in the home of nobody": ("~nosuchuser/x", ("~nosuchuser", "home folder out"))}
    yield from tried(OPEN, homeless)
    folders = {path: path for path in ("/", ".", "..", "a/..")}
    yield from tried(EXPORT, alike(folders, "path is", "a folder", "path of the file"))
    beside: dict[str, Call] = {
        "export": ("cannot write", lambda s, v: s.bank.export(s.tmp_path / v))
    }
    yield from tried(beside, {"into a missing folder": ("no/x", ("writable folder",))}, StoreError)
    over: dict[str, Call] = {"export": ("a folder", lambda s, v: s.bank.export(s.tmp_path))}
    yield from tried(over, {"over a folder": (None, ("path of the file to write",))})
    read: dict[str, Call] = {"import": ("export", lambda s, v: s.bank.import_(s.tmp_path / v))}
    yield from tried(read, alike({"a missing file": "none", "a folder": ""}, "cannot read"))
    yield from tried(read, {"a binary": (sys.executable, ("python",))})


def lists() -> Named:
    values = {"None": None, "number": 5, "text": "fading", "bytes": b"x"}

    def told(*without: str) -> Bad:
        return {
            name: (value, (repr(value), type(value).__name__, "give a list of"))
            for name, value in values.items()
            if name not in without
        }

    calls: dict[str, Call] = {
        "items.write": ("writes is", lambda s, v: s.bank.items().write(v)),
        "items.put": ("texts is", lambda s, v: s.bank.items().put(("a",), "k", {}, texts=v)),
        "ItemWrite": (
            "texts is",
            lambda s, v: s.bank.items().write([ItemWrite(("a",), "k", {}, texts=v)]),
        ),
    }
    yield from tried(calls, told())
    calls = {
        "steps": ("steps is", lambda s, v: s.bank.consolidate(steps=v)),
        "namespaces": ("namespaces is", lambda s, v: s.engine.consolidate_all(namespaces=v)),
    }
    yield from tried(calls, told("None"))
    calls = {
        "remembered": (
            "remembered is",
            lambda s, v: s.bank.append_messages(["x"], session_id="s", remembered=v),
        )
    }
    yield from tried(calls, told("text"))
    calls = {"session.remember": ("content is a", lambda s, v: s.bank.session("s").remember(v))}
    others = {name: value for name, value in values.items() if name != "text"}
    yield from tried(calls, alike(others, "give a string"))
    fine = ItemWrite(("a",), "k", {"a": 1})
    calls = {"a list with": ("writes[1]", lambda s, v: s.bank.items().write([fine, v]))}
    no_writes = {"dict": {"path": ("a",), "key": "k", "value": {}}, "None": None, "tuple": ("a",)}
    yield from tried(calls, alike(no_writes, "give a cogmem_core.results.ItemWrite"))
    calls = {"items.put": ("value is None", lambda s, v: s.bank.items().put(("a",), "k", v))}
    yield from tried(calls, {"no value": (None, ("give a dict", "delete(path, key)"))})
    calls = {"items.put": ("texts", lambda s, v: s.bank.items().put(("a",), "k", {}, texts=v))}
    yield from tried(calls, {"too many texts": (["a"] * 100_001, ("100,001", "give fewer"))})


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


def embedders() -> Named:
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
    opened: dict[str, Call] = {"embedder": ("embedder", lambda _, v: cogmem_core.open(embedder=v))}
    specs = ("word2vec", "openai", "hashing:x", "minilm:large", object(), CountingEmbedder)
    yield from tried(opened, alike({f"{spec!r:.20}": spec for spec in specs}), ConfigError)
    opened = {"embedder": ("dimension", opened["embedder"][1])}
    yield from tried(opened, {"of dimension 0": ("hashing:0", ("1 to",))}, ConfigError)
    opened = {"llm": ("llm", lambda _, v: cogmem_core.open(embedder="hashing", llm=v))}
    yield from tried(opened, {"by a name alone": ("gpt", ("complete",))}, ConfigError)
    opened = {"clock": ("clock", lambda _, v: cogmem_core.open(embedder="hashing", clock=v))}
    clocks: Bad = {
        "naive": (lambda: NAIVE, ("timezone.utc",)),
        "5": (5, ("5", "timezone.utc")),
        "that tells 5": (lambda: 5, ("5", "timezone.utc")),
        "that tells None": (lambda: None, ("None", "timezone.utc")),
    }
    yield from tried(opened, clocks, ConfigError)
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


def folders() -> Named:
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
