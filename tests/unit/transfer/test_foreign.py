"""Import of what other tools keep: ChatGPT's export, LangChain's message histories, mem0's memories."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cogmem_core
from cogmem_core import Engine, MemoryBank
from cogmem_core.results import ImportReport
from cogmem_core.testing import MANUAL


@pytest.fixture
def engine() -> Iterator[Engine]:
    with cogmem_core.open(embedder="hashing", config=MANUAL) as engine:
        yield engine


def node(
    name: str, parent: str | None, role: str = "", content: Any = None, **more: Any
) -> dict[str, Any]:
    message = (
        None if not role else {"id": name, "author": {"role": role}, "content": content, **more}
    )
    return {"id": name, "message": message, "parent": parent, "children": []}


def said(text: str) -> dict[str, Any]:
    return {"content_type": "text", "parts": [text]}


def written(folder: Path, value: Any) -> Path:
    path = folder / "file.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def test_a_bank_that_takes_few_turns_at_once_takes_a_file_of_more(tmp_path: Path) -> None:
    """`limits.batch_items` is about calls of `remember`; users may have numbers for names."""
    said = [
        {"role": "user", "content": f"My friend number {number} lives in Porto."}
        for number in range(5)
    ]
    config = dataclasses.replace(MANUAL, limits=dataclasses.replace(MANUAL.limits, batch_items=2))
    with cogmem_core.open(embedder="hashing", config=config) as engine:
        assert engine.bank("1").import_(written(tmp_path, said), format="langchain").read == 5
        rows = [{"memory": "Likes tea", "user_id": 1}, {"memory": "Likes milk", "user_id": 2}]
        assert engine.bank("2").import_(written(tmp_path, rows), format="mem0") == ImportReport(
            1, 1, 0
        )
        assert [memory.content for memory in engine.bank("2").list()] == ["Likes milk"]


def test_messages_that_follow_each_other_in_a_circle_end(bank: MemoryBank, tmp_path: Path) -> None:
    """Each is taken once; without a last message all count, as they stand."""
    nodes = {
        one["id"]: one
        for one in (node("a", "b", "user", said("I moved to Lisbon.")), node("b", "a"))
    }
    assert (
        bank.import_(
            written(tmp_path, [{"mapping": nodes, "current_node": "a"}]), format="chatgpt"
        ).read
        == 1
    )
    nodes = {"c": node("c", None, "user", said("My cat is called Mochi."))}
    assert bank.import_(written(tmp_path, [{"mapping": nodes}]), format="chatgpt") == ImportReport(
        1, 1, 0
    )
