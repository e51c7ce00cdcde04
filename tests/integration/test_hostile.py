"""Hostile inputs, written by hand and generated: each has its outcome, none a raw error, none a trace where it failed.

`tests/data/hostile.py` holds the table. `COGMEM_EXAMPLES=100` makes it 10,000 generated ones.
"""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import json
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

sys.path.insert(0, str(Path(__file__).parents[1] / "data"))
from hostile import ROWS

import cogmem
from cogmem import CogMemError, Config, ConfigError, EmbedderUnavailable, Engine, InvalidInput, MemoryBank, NotFound
from cogmem.cli.main import app
from cogmem.results import ItemWrite
from cogmem.testing import MANUAL, CountingEmbedder, FrozenClock, ScriptedLLM
from cogmem.text.keys import content_hash

TIMES = int(os.environ.get("COGMEM_EXAMPLES", "1"))
ERRORS: dict[str, type[CogMemError]] = {
    "InvalidInput": InvalidInput,
    "NotFound": NotFound,
    "ConfigError": ConfigError,
    "EmbedderUnavailable": EmbedderUnavailable,
}
BY_ACT: dict[str, list[tuple[Any, str]]] = defaultdict(list)
for _act, _value, _outcome in ROWS:
    BY_ACT[_act].append((_value, _outcome))


class Hostile:
    """A bank, and one method per entry point of the table; what is `kept` comes back from it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.engine = cogmem.open(embedder=CountingEmbedder(), clock=FrozenClock(), config=MANUAL)
        self.bank = self.engine.bank("alice")
        self.known = self.bank.remember("The heron fishes at dawn").memories[0]
        self.engine.bank("bob").remember("Bob keeps a canary")
        self.recall = self.bank.recall("heron", floor=0)

    def seqs(self) -> object:
        """Everything that an error must leave as it was."""
        paths, names = self.bank.items().paths(), self.engine.namespaces()
        with self.engine.services.ledger.reading() as reader:
            return paths, [(name, len(reader.turn_ids(name)), reader.last_seq(name)) for name in names]

    def act(self, name: str, value: Any) -> Any:
        part, _, field = name.partition(".")
        return getattr(self, f"on_{part}")(field, value)

    def on_add(self, field: str, value: Any) -> Any:
        given = {"content": "a note", field: value}
        if field == "tags":
            given["tags"] = ["fine", value]
        memory = self.bank.add(given.pop("content"), **given)
        again = self.bank.get(memory.id)
        return getattr(again, field)

    def on_remember(self, _field: str, value: Any) -> Any:
        receipt = self.bank.remember(value, mode="raw").receipts[0]
        return self.bank.get(receipt.memory_ids[0]).content if receipt.memory_ids else receipt.status

    def on_recall(self, field: str, value: Any) -> Any:
        if field == "query":
            self.bank.recall(value)
            return None
        return self.bank.recall("heron", **{field: value})

    def on_redeem(self, _field: str, value: Any) -> Any:
        found = self.bank.redeem(value)
        assert (found.results, found.hot) == ((), ())
        assert self.bank.feedback(found, "an answer") == ()

    def on_list(self, field: str, value: Any) -> Any:
        return self.bank.list(**{field: value})

    def on_runs(self, _field: str, value: Any) -> Any:
        return self.bank.runs(limit=value)

    def on_forecast(self, _field: str, value: Any) -> Any:
        return self.bank.forecast(value)

    def on_consolidate(self, _field: str, value: Any) -> Any:
        return self.bank.consolidate(steps=value)

    def on_settle(self, _field: str, value: Any) -> Any:
        return self.bank.settle(seconds=value)

    def on_import(self, _field: str, value: Any) -> Any:
        return self.bank.import_("nowhere.jsonl", trust=value)

    def on_verify_audit(self, _field: str, value: Any) -> Any:
        return self.bank.verify_audit(anchor=value)

    def on_items(self, field: str, value: Any) -> Any:
        items = self.bank.items()
        if field == "exact":
            items.put(("p", "*"), value, {"v": value}, texts=["a text"])
            found = items.get(("p", "*"), value)
            items.delete(("p", "*"), value)
            return found.key if found and found.value == {"v": value} else None
        if field in ("limit", "offset"):
            return items.search(**{field: value})
        given = {"path": ("p",), "key": "k", "value": {"x": 1}, "texts": ("t",), field: value}
        if field == "value":
            return items.put(given["path"], given["key"], value)
        return items.write([ItemWrite(**given)])

    def on_feedback(self, field: str, value: Any) -> Any:
        if field == "similarity":
            return self.bank.feedback(self.recall, "an answer", similarity_fn=lambda *_: value)
        given = {"recall": self.recall, "answer": "an answer", field: value}
        return self.bank.feedback(given["recall"], given["answer"])

    def on_get(self, _field: str, value: Any) -> Any:
        calls: tuple[Callable[[Any], Any], ...] = (
            self.bank.pin,
            self.bank.history,
            self.bank.explain,
            self.bank.restore,
        )
        for call in calls:
            with pytest.raises((NotFound, InvalidInput)):
                call(value)
        return self.bank.get(value)

    def on_undo(self, _field: str, value: Any) -> Any:
        return self.bank.undo(value)

    def on_forget(self, _field: str, value: Any) -> Any:
        return self.engine.bank("bob").forget(value, hard=True)

    def on_tool(self, field: str, value: Any) -> Any:
        from langchain_cogmem import create_memory_tools

        recall, remember = create_memory_tools(self.bank)
        told = remember.invoke({"content": value}) if field == "remember" else recall.invoke({"query": value})
        assert isinstance(told, str)
        assert told


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hostile]:
    made = Hostile(tmp_path_factory.mktemp("hostile"))
    yield made
    made.engine.close()


def judged(hostile: Hostile, name: str, value: Any, outcome: str) -> str:
    """What is wrong with the outcome; empty if nothing is."""
    kind, _, words = outcome.partition(" ")
    before = hostile.seqs() if kind in ERRORS else None
    try:
        result = hostile.act(name, value)
    except CogMemError as error:
        if kind not in ERRORS or not isinstance(error, ERRORS[kind]):
            return f"{type(error).__name__}: {error}"
        missing = [word for word in words.split() if word not in str(error)]
        changed = hostile.seqs() != before
        return f"does not name {missing}: {error}" if missing else "something was stored" if changed else ""
    except Exception as error:  # noqa: BLE001 - a raw error is what the table looks for
        return f"raw {type(error).__name__}: {error}"
    if kind in ERRORS:
        return "was accepted"
    return "" if kind != "kept" or result == value else f"came back as {str(result)[:60]!r}"


@pytest.mark.parametrize("name", sorted(BY_ACT.keys() - {"vectors", "replies", "file", "setting", "command"}))
def test_each_hostile_input_has_its_outcome(hostile: Hostile, name: str) -> None:
    """Issue G, point 7: a typed error that names the argument and changes nothing, or exact storage."""
    wrong = {
        repr(value)[:80]: told for value, outcome in BY_ACT[name] if (told := judged(hostile, name, value, outcome))
    }

    assert wrong == {}
    assert hostile.bank.get(hostile.known.id).content == "The heron fishes at dawn"
    assert hostile.engine.bank("bob").count(state="any") == 1


def test_the_table_has_three_hundred_rows_and_more() -> None:
    """Issue G: hand-written, each with its required outcome."""
    assert len(ROWS) >= 700


BROKEN: dict[str, Callable[[int, int], Any]] = {
    "nan": lambda n, d: np.full((n, d), np.nan),
    "inf": lambda n, d: np.full((n, d), np.inf),
    "wrong dimension": lambda n, d: np.ones((n, d + 1)),
    "too few": lambda n, d: np.ones((n - 1, d)),
    "too many": lambda n, d: np.ones((n + 1, d)),
    "none": lambda _n, _d: None,
    "text": lambda _n, _d: "vector",
    "objects": lambda n, d: np.array([[object()] * d] * n, dtype=object),
    "scalar": lambda _n, _d: 1.0,
    "raises": lambda _n, _d: 1 / 0,
    "empty": lambda _n, _d: [],
    "ragged": lambda n, d: [[1.0] * (d - 1)] * n,
}


class Broken(CountingEmbedder):
    """Returns what no index must ever see."""

    kind = ""

    def embed_documents(self, texts: Any) -> Any:
        return BROKEN[self.kind](len(texts), self.dimension) if self.kind else super().embed_documents(texts)

    def embed_query(self, text: str) -> Any:
        return np.full(self.dimension, np.nan) if self.kind else super().embed_query(text)


@pytest.mark.parametrize("kind", [value for value, _ in BY_ACT["vectors"]])
def test_a_broken_vector_is_refused_and_nothing_is_half_stored(kind: str) -> None:
    """FINDINGS B5: non-finite and wrong vectors; a turn is kept and waits, a query goes by words."""
    embedder = Broken()
    with cogmem.open(embedder=embedder, clock=FrozenClock(), config=MANUAL) as engine:
        bank = engine.bank("a")
        bank.remember("The heron fishes at dawn")
        embedder.kind = kind
        with pytest.raises(EmbedderUnavailable):
            bank.add("a note")
        assert bank.remember("The heron sleeps at noon").receipts[0].status == "queued"
        found = bank.recall("which heron fishes?", floor=0)
        assert [item.content for item in found.results] == ["The heron fishes at dawn"]
        assert all(np.isfinite(item.score) for item in found.results)
        assert bank.count() == 1


@pytest.mark.parametrize("reply", [value for value, _ in BY_ACT["replies"]], ids=lambda reply: repr(reply)[:40])
def test_what_a_model_answers_is_no_command(reply: Any) -> None:
    """FINDINGS B5: unknown ids, foreign ids, DELETE *, very many operations, prompt echo: none is obeyed."""
    llm = ScriptedLLM(default=lambda _messages: reply if isinstance(reply, dict) else ValueError(str(reply)))
    with cogmem.open(embedder=CountingEmbedder(), clock=FrozenClock(), config=MANUAL, llm=llm) as engine:
        foreign = engine.bank("bob").add("Bob keeps a canary")
        bank = engine.bank("a")
        mine = bank.add("My bank is Acme in Harbour Street")
        written = json.dumps(reply).replace("foreign", foreign.id) if isinstance(reply, dict) else ""
        llm._default = (lambda _messages: json.loads(written)) if written else llm._default
        bank.remember("My bank is Acme in Harbour Street, number nine")
        bank.consolidate()

        assert bank.get(mine.id).state in ("active", "superseded")
        assert engine.bank("bob").get(foreign.id) == foreign
        assert len(bank.list(state="any", limit=500)) <= 25
        assert "owned" not in "".join(memory.content for memory in engine.bank("bob").list())


@pytest.fixture(scope="module")
def lines() -> dict[str, Any]:
    """A header and a memory as `export` writes them."""
    vector = base64.b64encode(np.ones(64, dtype="<f4").tobytes()).decode()
    moment = "2026-06-01T12:00:00+00:00"
    memory = {"kind": "memory", "id": "01890000-0000-7000-8000-000000000000", "content": "a note"}
    memory["content_hash"] = content_hash("a note")
    memory |= {"recorded_at": moment, "created_at": moment, "updated_at": moment, "key": "a note", "fingerprint": "f"}
    return {"head": {"format": "cogmem", "version": 4, "namespace": "n"}, "memory": {**memory, "vector": vector}}


def made(text: str, lines: dict[str, Any]) -> str:
    """A file of the table, written out."""
    rows = []
    for line in text.split("\n"):
        if line.startswith("MEMORY"):
            name, _, value = line.removeprefix("MEMORY").strip().partition("=")
            row = json.dumps(lines["memory"])
            if name:
                with_value = {key: one for key, one in lines["memory"].items() if key != name}
                value = value if value[:1] in '"[{-0123456789' or value == "null" else json.dumps(value)
                row = json.dumps(with_value)[:-1] + f', "{name}": {value}}}'
            rows.append(row)
        elif line == "END":
            rows.append(json.dumps({"kind": "end", "lines": len(rows)}))
        else:
            rows.append(json.dumps(lines["head"]) if line == "HEAD" else line)
    return "\n".join(rows) + "\n"


def test_a_whole_file_of_the_table_would_be_read(hostile: Hostile, lines: dict[str, Any]) -> None:
    """Else the rows below would prove nothing."""
    path = hostile.folder / "good.jsonl"
    path.write_text(made("HEAD\nMEMORY\nEND", lines))
    assert hostile.engine.bank("reader").import_(path).stored == 1


def test_a_hostile_file_imports_nothing(hostile: Hostile, lines: dict[str, Any]) -> None:
    """Issue G, point 7: import files; a typed error that names the file, and nothing of it is stored."""
    bank, path, wrong = hostile.engine.bank("importer"), hostile.folder / "bad.jsonl", dict[str, str]()
    for text, _ in BY_ACT["file"]:
        path.write_text(made(text, lines), encoding="utf-8")
        try:
            bank.import_(path)
            wrong[text[:70]] = "was accepted"
        except InvalidInput as error:
            if "bad.jsonl" not in str(error):
                wrong[text[:70]] = str(error)
        except Exception as error:  # noqa: BLE001 - a raw error is what the table looks for
            wrong[text[:70]] = f"raw {type(error).__name__}: {error}"
    assert wrong == {}
    assert bank.count(state="any") == 0


def test_a_hostile_setting_is_refused_by_name() -> None:
    """Issue G, point 7: configuration."""
    wrong: dict[str, str] = {}
    for (section, name, value), outcome in BY_ACT["setting"]:
        try:
            Config(**{section: dataclasses.replace(getattr(Config(), section), **{name: value})})
            wrong[f"{section}.{name}={value!r}"] = "was accepted"
        except ConfigError as error:
            if outcome.split()[1] not in str(error):
                wrong[f"{section}.{name}={value!r}"] = str(error)
    assert wrong == {}


def test_a_hostile_command_fails_well(tmp_path: Path) -> None:
    """Issue G, point 7: the command line; an exit code and a sentence, no traceback."""
    names = ("COGMEM_PATH", "COGMEM_NAMESPACE", "COGMEM_CONFIG", "COGMEM_LLM", "OPENAI_API_KEY")
    runner, wrong = CliRunner(env=dict.fromkeys(names)), dict[str, str]()
    assert runner.invoke(app, ["--path", str(tmp_path / "b"), "init", "--embedder", "hashing"]).exit_code == 0
    assert runner.invoke(app, ["--path", str(tmp_path / "b"), "remember", "I live in Lisbon"]).exit_code == 0
    for arguments, outcome in BY_ACT["command"]:
        result = runner.invoke(app, ["--path", str(tmp_path / "b"), *arguments])
        raw = result.exception is not None and not isinstance(result.exception, SystemExit)
        if raw or f"exit {result.exit_code}" != outcome or "Traceback" in result.output:
            wrong[" ".join(arguments)[:60]] = f"exit {result.exit_code} {result.exception!r} {result.output[-200:]}"
    assert wrong == {}


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()) | st.binary() | st.datetimes(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(st.characters()), inner, max_size=3),
    max_leaves=6,
)
CALLS: dict[str, Callable[[MemoryBank, Any], Any]] = {
    "remember": lambda bank, value: bank.remember(value),
    "remember tool": lambda bank, value: bank.remember(value, role="tool", mode="raw"),
    "add": lambda bank, value: bank.add(value),
    "metadata": lambda bank, value: bank.add("a note", metadata=value),
    "tags": lambda bank, value: bank.add("a note", tags=value),
    "session": lambda bank, value: bank.add("a note", session_id=value),
    "at": lambda bank, value: bank.add("a note", at=value),
    "recall": lambda bank, value: bank.recall(value, k=3).context(),
    "k": lambda bank, value: bank.recall("note", k=value),
    "as_of": lambda bank, value: bank.recall("note", as_of=value),
    "get": lambda bank, value: bank.get(value),
    "forget": lambda bank, value: bank.forget(value),
    "list": lambda bank, value: bank.list(cursor=value),
    "redeem": lambda bank, value: bank.redeem(value),
    "items": lambda bank, value: bank.items().put(("p",), "k", value),
    "key": lambda bank, value: bank.items().put(("p",), value, {"x": 1}),
    "keep": lambda bank, value: bank.keep(value, session_id="s"),
    "observe": lambda bank, value: bank.observe(value),
    "namespace": lambda bank, value: bank.engine.bank(value),
    "undo": lambda bank, value: bank.undo(value),
}


@given(name=st.sampled_from(sorted(CALLS)), value=ANYTHING)
@settings(
    max_examples=100 * TIMES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large],
    database=None,
)
def test_whatever_is_handed_in_is_taken_or_refused_with_a_typed_error(hostile: Hostile, name: str, value: Any) -> None:
    """Issue G: 10,000 generated inputs (100 here); no raw error, no other tenant's canary."""
    bank = hostile.engine.bank("generated")
    with contextlib.suppress(CogMemError):
        shown = repr(CALLS[name](bank, value))
        assert "Bob keeps a canary" not in shown
    assert hostile.engine.bank("bob").count(state="any") == 1


def test_limits_hold_before_anything_is_embedded(engine: Engine) -> None:
    """FINDINGS B5, oversize: a typed error before the embedder is asked, for each way in."""
    bank, embedder = engine.bank("a"), engine.services.embedder
    big, deep = "x" * 1_000_001, json.loads("[" * 500 + "]" * 500)
    inner: Any = embedder._inner if hasattr(embedder, "_inner") else embedder
    before = len(getattr(inner, "texts", ()))
    for act in (
        lambda: bank.remember(big),
        lambda: bank.remember(["a"] * 100_001),
        lambda: bank.add(big),
        lambda: bank.add("x", metadata={"x": deep}),
        lambda: bank.recall(big),
        lambda: bank.keep([big], session_id="s"),
        lambda: bank.observe(big),
        lambda: bank.items().put(("p",), "k", {"x": big}),
        lambda: bank.items().put(("p",), "k", {"x": 1}, texts=[big]),
        lambda: bank.items().search(query=big),
        lambda: bank.forget(big),
        lambda: bank.feedback(bank.recall("x"), big),
    ):
        with pytest.raises(InvalidInput, match=r"limit is|levels deep"):
            act()  # type: ignore[no-untyped-call]
    assert len(getattr(inner, "texts", ())) == before
    assert isinstance(bank.add("x").created_at, datetime)


@pytest.fixture
def engine() -> Iterator[Engine]:
    with cogmem.open(embedder=CountingEmbedder(), config=MANUAL) as engine:
        yield engine
