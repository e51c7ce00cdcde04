"""Import of what other tools keep: ChatGPT's export, LangChain's message histories, mem0's memories."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, messages_to_dict

import cogmem_core
from cogmem_core import Engine, InvalidInput, MemoryBank
from cogmem_core.results import ImportReport
from cogmem_core.testing import MANUAL
from helpers.tables import each_row_of


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


NODES = [
    node("root", None),
    node("system", "root", "system", said("You are ChatGPT")),
    node(
        "hidden",
        "system",
        "user",
        said("My profile"),
        metadata={"is_visually_hidden_from_conversation": True},
    ),
    node("first", "hidden", "user", said("I moved to Lisbon."), create_time=1_714_900_000.5),
    node("thought", "first", "assistant", {"content_type": "thoughts", "thoughts": []}),
    node("code", "thought", "assistant", {"content_type": "code", "text": "print(1)"}),
    node("given up", "code", "assistant", said("I like Porto better.")),
    node(
        "answer",
        "code",
        "assistant",
        {
            "content_type": "multimodal_text",
            "parts": [{"content_type": "image_asset_pointer"}, "Lisbon is lovely."],
        },
    ),
    node("last", "answer", "user", said("My cat is called Mochi."), create_time=1_714_900_100),
]
CHATGPT = [
    {
        "conversation_id": "c-1",
        "title": "Moving",
        "mapping": {one["id"]: one for one in NODES},
        "current_node": "last",
    }
]
MEM0 = {
    "results": [
        {
            "id": "m-1",
            "memory": "Lives in Lisbon",
            "user_id": "ann",
            "created_at": "2024-05-02T10:00:00Z",
        },
        {
            "id": "m-2",
            "memory": "Is allergic to cats",
            "user_id": "ann",
            "metadata": {"a": 1},
            "run_id": "r",
        },
        {
            "id": "m-3",
            "memory": "Learns Finnish",
            "user_id": "eve",
            "created_at": "2025-06-30T08:00:00",
        },
    ]
}


def written(folder: Path, value: Any) -> Path:
    path = folder / "file.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def test_a_chatgpt_export_is_remembered_as_it_was_shown(bank: MemoryBank, tmp_path: Path) -> None:
    """Dates, conversation and ids are kept; answers that were given up, hidden messages, code and thoughts are not."""
    path = written(tmp_path, CHATGPT)
    assert bank.import_(path, format="chatgpt").read == 3
    found = {memory.refs[0]: memory for memory in bank.list()}
    assert (found["first"].content, found["last"].content) == (
        "I moved to Lisbon.",
        "My cat is called Mochi.",
    )
    assert found["first"].session_id == "c-1"
    assert found["first"].recorded_at == datetime(
        2024, 5, 5, 9, 6, 40, 500_000, tzinfo=timezone.utc
    )
    assert "Porto" not in " ".join(memory.content for memory in bank.list())


def test_a_langchain_history_is_remembered(bank: MemoryBank, tmp_path: Path) -> None:
    """As `messages_to_dict` writes it; system messages are left out."""
    messages = [
        SystemMessage("Be kind."),
        HumanMessage("I play the cello.", id="h-1"),
        AIMessage([{"type": "text", "text": "How lovely."}]),
    ]
    assert bank.import_(written(tmp_path, messages_to_dict(messages)), format="langchain").read == 2
    assert ("I play the cello.", ("h-1",)) in [
        (memory.content, memory.refs) for memory in bank.list()
    ]
    plain = [{"role": "user", "content": "My cat is called Mochi.", "name": "Ann"}]
    assert bank.import_(written(tmp_path, {"messages": plain}), format="langchain") == ImportReport(
        1, 1, 0
    )
    assert {memory.speaker for memory in bank.list()} == {None, "Ann"}


def test_memories_of_mem0_are_added_as_they_are(engine: Engine, tmp_path: Path) -> None:
    """With their dates, ids and metadata; of several users those of the namespace."""
    path, bank = written(tmp_path, MEM0), engine.bank("ann")
    assert bank.import_(path, format="mem0") == ImportReport(2, 2, 0)
    lives, allergic = sorted(bank.list(), key=lambda memory: memory.refs)
    assert (lives.content, lives.recorded_at) == (
        "Lives in Lisbon",
        datetime(2024, 5, 2, 10, tzinfo=timezone.utc),
    )
    assert (allergic.session_id, allergic.metadata) == ("r", {"a": 1})
    engine.bank("eve").import_(path, format="mem0")
    assert engine.bank("eve").list()[0].recorded_at == datetime(2025, 6, 30, 8, tzinfo=timezone.utc)
    with pytest.raises(InvalidInput, match="holds memories of 2 users"):
        engine.bank("bob").import_(path, format="mem0")
    assert engine.bank("bob").count() == 0


@pytest.mark.parametrize(("form", "value"), [("chatgpt", CHATGPT), ("mem0", MEM0["results"][:2])])
def test_reading_again_changes_nothing(
    bank: MemoryBank, tmp_path: Path, form: str, value: Any
) -> None:
    """What was read before is known by its id."""
    path, steps = written(tmp_path, value), list[tuple[int, int]]()
    first = bank.import_(path, format=form, progress=lambda *how_far: steps.append(how_far))
    before = bank.list()
    assert bank.import_(path, format=form) == ImportReport(first.read, 0, first.read)
    assert (bank.list(), steps) == (before, [(first.read, first.read)])


@each_row_of("foreign/a_file_of_another_form_is_refused")
def test_a_file_of_another_form_is_refused(
    bank: MemoryBank, tmp_path: Path, form: str, value: Any, words: str
) -> None:
    """Says where; nothing of it is stored."""
    with pytest.raises(InvalidInput, match=words):
        bank.import_(written(tmp_path, value), format=form)
    assert bank.count() == 0


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


def test_arguments_are_checked(bank: MemoryBank, tmp_path: Path) -> None:
    """Trust is of files that say how much their memories are worth; these do not."""
    with pytest.raises(
        InvalidInput, match="format is 'motorhead'; use one of auto, cogmem, chatgpt, claude"
    ):
        bank.import_(tmp_path / "x", format="motorhead")
    with pytest.raises(InvalidInput, match="trust is for cogmem's own files"):
        bank.import_(tmp_path / "x", format="mem0", trust=0.5)
    with pytest.raises(InvalidInput, match="cannot read"):
        bank.import_(tmp_path / "missing.json", format="mem0")


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
