"""Of a damaged export nothing is imported, and the message says what is wrong with it."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from cogmem_core import Config, Engine, InvalidInput
from helpers.bad_input_scene import UNKNOWN, Scene, export_of
from helpers.tables import each_row


def _lines(path: Path, change: Callable[[list[dict[str, Any]]], Iterable[Any]]) -> None:
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    changed = [line if isinstance(line, str) else json.dumps(line) for line in change(lines)]
    path.write_text("\n".join(changed) + "\n", encoding="utf-8")


def _first(lines: list[dict[str, Any]], kind: str) -> dict[str, Any]:
    return next(line for line in lines if line["kind"] == kind)


def _set(kind: str, /, **fields: Any) -> Callable[[list[dict[str, Any]]], list[Any]]:
    def change(lines: list[dict[str, Any]]) -> list[Any]:
        _first(lines, kind).update(fields)
        return lines

    return change


def _twice(kind: str) -> Callable[[list[dict[str, Any]]], list[Any]]:
    def change(lines: list[dict[str, Any]]) -> list[Any]:
        position = lines.index(_first(lines, kind))
        return [*lines[: position + 1], lines[position], *lines[position + 1 :]]

    return change


def _relation(lines: list[dict[str, Any]]) -> list[Any]:
    ends = {"source_id": _first(lines, "memory")["id"], "target_id": UNKNOWN}
    link = {"kind": "relation", "type": "causes", "weight": 1.0, "confidence": 1.0, **ends}
    return [*lines[:-1], link, {"kind": "end", "lines": len(lines)}]


def _document(lines: list[dict[str, Any]]) -> list[Any]:
    times = {"created_at": "2026-06-01T12:00:00+00:00", "updated_at": "2026-06-01T12:00:00+00:00"}
    item = {
        "kind": "item",
        "path": ["a"],
        "key": "k",
        "value": '{"a":' * 100_000,
        "memory_ids": [],
        **times,
    }
    return [*lines[:-1], item, {"kind": "end", "lines": len(lines)}]


DAMAGED_FILES: dict[str, tuple[Callable[[list[dict[str, Any]]], Iterable[Any]], str]] = {
    "cut off at a line": (lambda lines: lines[:-2], "cut off"),
    "a line lost": (lambda lines: [*lines[:3], *lines[4:]], "cut off"),
    "the end alone lost": (lambda lines: lines[:-1], "cut off"),
    "cut off within a line": (lambda lines: [*lines[:-2], json.dumps(lines[-2])[:50]], "not JSON"),
    "not JSON": (lambda lines: [*lines[:3], "{oops", *lines[3:]], "line 4"),
    "a list": (lambda lines: [lines[0], "[1]", *lines[1:]], "not a JSON object"),
    "nested without end": (lambda lines: [lines[0], "[" * 100_000, *lines[1:]], "line 2"),
    "no header": (lambda lines: lines[1:], "header"),
    "another version": (_set("header", version=99), "99"),
    "unknown kind": (_set("memory", kind="thought"), "thought"),
    "no content": (
        lambda lines: [{k: v for k, v in line.items() if k != "content"} for line in lines],
        "content",
    ),
    "content a number": (_set("memory", content=5), "content"),
    "content with NUL": (_set("memory", content="a\x00"), "NUL"),
    "content with a surrogate": (_set("memory", content="\ud800"), "surrogate"),
    "NUL in metadata": (_set("episode", metadata={"a": ["\x00"]}), "NUL"),
    "naive time": (_set("memory", created_at="2026-01-01T00:00:00"), "created_at"),
    "no time": (_set("memory", created_at="yesterday"), "yesterday"),
    "unknown state": (_set("memory", state="asleep"), "state"),
    "importance a word": (_set("memory", importance="high"), "importance"),
    "NaN": (_set("memory", importance=float("nan")), "NaN"),
    "a flag as a number": (_set("memory", pinned=1), "pinned"),
    "tags of numbers": (_set("memory", tags=[1, 2]), "tags"),
    "seq too large": (_set("memory", access_count=2**70), "access_count"),
    "id no UUID": (_set("memory", id="m1"), "UUID"),
    "vector not base64": (_set("memory", vector="!!!"), "base64"),
    "vector cut off": (_set("memory", vector="AAAAAAA="), "line"),
    "sources of the wrong shape": (_set("memory", sources=[{"start": "x"}]), "line"),
    "sources of texts": (_set("memory", sources=["abc"]), "line"),
    "before year 1 in UTC": (
        _set("memory", recorded_at="0001-01-01T00:00:00+14:00"),
        "recorded_at",
    ),
    "after year 9999 in UTC": (
        _set("memory", valid_until="9999-12-31T23:59:59-14:00"),
        "valid_until",
    ),
    "a turn before year 1 in UTC": (
        _set("episode", at="0001-01-01T00:00:00+14:00"),
        "at cannot be",
    ),
    "a change before year 1 in UTC": (
        _set("change", at="0001-01-01T00:00:00+14:00"),
        "at cannot be",
    ),
    "former values as a list": (_set("change", before=[]), "line"),
    "a former time beyond all dates": (_set("change", before={"valid_until": 10**30}), "line"),
    "former sources of the wrong shape": (_set("change", before={"sources": "[[1]]"}), "line"),
    "former metadata a number": (_set("change", before={"metadata": "5"}), "line"),
    "a document nested without end": (_document, "line"),
    "unknown role": (_set("episode", role="boss"), "role"),
    "unknown status": (_set("episode", status="lost"), "status"),
    "a turn twice": (_twice("episode"), "twice"),
    "a memory twice": (_twice("memory"), "twice"),
    "a version twice": (_twice("version"), "twice"),
    "a version of nobody": (_set("version", memory_id=UNKNOWN), UNKNOWN),
    "a change of nobody": (_set("change", memory_id=UNKNOWN), UNKNOWN),
    "a relation to nobody": (_relation, "does not hold"),
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The export of a bank with an edited memory."""
    scene = Scene(tmp_path_factory.mktemp("scene"))
    path = scene.tmp_path / "bank.jsonl"
    scene.bank.edit(scene.id, "The meeting is on Friday")
    scene.bank.export(path)
    scene.close()
    return path.read_text(encoding="utf-8")


ENGINE = {"config": Config()}


ELSEWHERE = [
    name for number, name in enumerate(DAMAGED_FILES) if "nobody" in name or not number % 5
]


@each_row(
    "name, same",
    [*((name, True) for name in DAMAGED_FILES), *((name, False) for name in ELSEWHERE)],
)
def test_of_a_damaged_export_nothing_is_imported(
    whole: str, engine: Engine, tmp_path: Path, name: str, same: bool
) -> None:
    """A file is read whole before anything is written; the message names the line or says that lines are missing."""
    damage, word = DAMAGED_FILES[name]
    path = tmp_path / "bank.jsonl"
    path.write_text(whole, encoding="utf-8")
    _lines(path, damage)
    target = engine.bank("alice" if same else "carol")
    before = export_of(target, tmp_path)

    with pytest.raises(InvalidInput) as caught:
        target.import_(path)

    assert caught.type is InvalidInput
    expected = word if same or word != UNKNOWN else "line"
    assert expected in str(caught.value), str(caught.value)
    assert "bank.jsonl" in str(caught.value)
    assert export_of(target, tmp_path) == before
    assert target.health()["turns"] == {}
