"""Hostile inputs, written by hand and generated: each has its outcome, none a raw error, none a trace where it failed.

`helpers.hostile_inputs` holds the table. `COGMEM_EXAMPLES=100` makes it 10,000 generated ones.
"""

import base64
import contextlib
import dataclasses
import json
import os
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cogmem_cli.main import app
from cogmem_core import (
    CogMemError,
    Config,
    ConfigError,
    EmbedderUnavailable,
    Engine,
    InvalidInput,
    MemoryBank,
    NotFound,
)
from cogmem_core.retrieval.recall import Recall
from cogmem_core.text.keys import content_hash
from helpers.command import CliRunner
from helpers.hostile_entry_points import BY_ACT, Hostile

TIMES = int(os.environ.get("COGMEM_EXAMPLES", "1"))
ERRORS: dict[str, type[CogMemError]] = {
    "InvalidInput": InvalidInput,
    "NotFound": NotFound,
    "ConfigError": ConfigError,
    "EmbedderUnavailable": EmbedderUnavailable,
}


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
        return (
            f"does not name {missing}: {error}"
            if missing
            else "something was stored"
            if changed
            else ""
        )
    except Exception as error:  # noqa: BLE001 - a raw error is what the table looks for
        return f"raw {type(error).__name__}: {error}"
    if kind in ERRORS:
        return "was accepted"
    return "" if kind != "kept" or result == value else f"came back as {str(result)[:60]!r}"


ACTS = sorted(BY_ACT.keys() - {"vectors", "replies", "file", "setting", "command"})
LONG = ("add.content", "recall.query", "tool.remember")
"""They are given the same texts: here each text by about one of the ways, in `make fault` by all."""
OFTEN = [(name, LONG.index(name) if name in LONG else 0, 3 if name in LONG else 1) for name in ACTS]


@pytest.mark.parametrize(
    ("name", "first", "every"),
    [*OFTEN, *(pytest.param(name, 0, 1, marks=pytest.mark.thorough) for name in LONG)],
)
def test_each_hostile_input_has_its_outcome(
    hostile: Hostile, name: str, first: int, every: int
) -> None:
    """A typed error that names the argument and changes nothing, or exact storage."""
    wrong = {
        repr(value)[:80]: told
        for value, outcome in BY_ACT[name][first::every]
        if (told := judged(hostile, name, value, outcome))
    }

    assert wrong == {}
    assert hostile.bank.get(hostile.known.id).content == "The heron fishes at dawn"
    assert hostile.engine.bank("bob").count(state="any") == 1


@pytest.fixture(scope="module")
def lines() -> dict[str, Any]:
    """A header and a memory as `export` writes them."""
    vector = base64.b64encode(np.ones(64, dtype="<f4").tobytes()).decode()
    moment = "2026-06-01T12:00:00+00:00"
    memory = {"kind": "memory", "id": "01890000-0000-7000-8000-000000000000", "content": "a note"}
    memory["content_hash"] = content_hash("a note")
    memory |= {
        "recorded_at": moment,
        "created_at": moment,
        "updated_at": moment,
        "key": "a note",
        "fingerprint": "f",
    }
    return {
        "head": {"format": "cogmem", "version": 4, "namespace": "n"},
        "memory": {**memory, "vector": vector},
    }


def made(text: str, lines: dict[str, Any]) -> str:
    """A file of the table, written out."""
    rows = []
    for line in text.split("\n"):
        if line.startswith("MEMORY"):
            name, _, value = line.removeprefix("MEMORY").strip().partition("=")
            row = json.dumps(lines["memory"])
            if name:
                with_value = {key: one for key, one in lines["memory"].items() if key != name}
                value = (
                    value if value[:1] in '"[{-0123456789' or value == "null" else json.dumps(value)
                )
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
    """Import files; a typed error that names the file, and nothing of it is stored."""
    bank, path, wrong = (
        hostile.engine.bank("importer"),
        hostile.folder / "bad.jsonl",
        dict[str, str](),
    )
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
    """Configuration."""
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
    """The command line; an exit code and a sentence, no traceback."""
    names = ("COGMEM_PATH", "COGMEM_NAMESPACE", "COGMEM_CONFIG", "COGMEM_LLM", "OPENAI_API_KEY")
    runner, wrong = CliRunner(env=dict.fromkeys(names)), dict[str, str]()
    assert (
        runner.invoke(
            app, ["--path", str(tmp_path / "b"), "init", "--embedder", "hashing"]
        ).exit_code
        == 0
    )
    assert (
        runner.invoke(
            app, ["--path", str(tmp_path / "b"), "remember", "I live in Lisbon"]
        ).exit_code
        == 0
    )
    for arguments, outcome in BY_ACT["command"]:
        result = runner.invoke(app, ["--path", str(tmp_path / "b"), *arguments])
        raw = result.exception is not None and not isinstance(result.exception, SystemExit)
        if raw or f"exit {result.exit_code}" != outcome or "Traceback" in result.output:
            wrong[" ".join(arguments)[:60]] = (
                f"exit {result.exit_code} {result.exception!r} {result.output[-200:]}"
            )
    assert wrong == {}


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters())
    | st.binary()
    | st.datetimes(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(st.characters()), inner, max_size=3)
    ),
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
    "from_json": lambda bank, value: Recall.from_json(value),
    "items": lambda bank, value: bank.items().put(("p",), "k", value),
    "key": lambda bank, value: bank.items().put(("p",), value, {"x": 1}),
    "keep": lambda bank, value: bank.append_messages(value, session_id="s"),
    "observe": lambda bank, value: bank.observe(value),
    "namespace": lambda bank, value: bank.engine.bank(value),
    "undo": lambda bank, value: bank.undo(value),
}


@given(name=st.sampled_from(sorted(CALLS)), value=ANYTHING)
@settings(
    max_examples=100 * TIMES,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.function_scoped_fixture,
        HealthCheck.data_too_large,
    ],
    database=None,
)
def test_whatever_is_handed_in_is_taken_or_refused_with_a_typed_error(
    hostile: Hostile, name: str, value: Any
) -> None:
    """10,000 generated inputs (100 here); no raw error, no other tenant's canary."""
    bank = hostile.engine.bank("generated")
    with contextlib.suppress(CogMemError):
        shown = repr(CALLS[name](bank, value))
        assert "Bob keeps a canary" not in shown
    assert hostile.engine.bank("bob").count(state="any") == 1


def test_limits_hold_before_anything_is_embedded(engine: Engine) -> None:
    """A typed error before the embedder is asked, for each way in."""
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
        lambda: bank.append_messages([big], session_id="s"),
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


ENGINE = {"clock": None}
