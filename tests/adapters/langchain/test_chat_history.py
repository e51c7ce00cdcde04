"""`CogMemChatMessageHistory`: messages come back as they were, and what was said in them is remembered."""

import datetime as dt
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    AnyMessage,
    BaseMessage,
    ChatMessage,
    FunctionMessage,
    HumanMessage,
    HumanMessageChunk,
    RemoveMessage,
    SystemMessage,
    ToolMessage,
    ToolMessageChunk,
)

import cogmem_core
from cogmem_core import InvalidInput, MemoryBank, Turn
from helpers.chat_histories import opened
from helpers.tables import each_case_of
from langchain_cogmem.chat_history import CogMemChatMessageHistory

PICTURE = "data:image/png;base64," + "iVBORw0KGgo" * 20_000


@pytest.fixture
def engine() -> Iterator[cogmem_core.Engine]:
    with opened() as made:
        yield made


@pytest.fixture
def bank(engine: cogmem_core.Engine) -> MemoryBank:
    return engine.bank("ann")


@pytest.fixture
def history(bank: MemoryBank) -> CogMemChatMessageHistory:
    return CogMemChatMessageHistory(bank, session_id="s1")


EVERY_KIND: list[AnyMessage | BaseMessage] = [
    SystemMessage("You are brief.", id="sys-1"),
    HumanMessage(
        "I moved to Lisbon in May", name="Ann", id="h-1", additional_kwargs={"source": "web"}
    ),
    HumanMessage(
        [
            {"type": "text", "text": "Who is this?"},
            {"type": "image_url", "image_url": {"url": PICTURE}},
            "and where?",
        ]
    ),
    AIMessage(
        "",
        id="a-1",
        tool_calls=[
            {
                "name": "weather",
                "args": {"city": "Lisbon", "days": 2},
                "id": "c1",
                "type": "tool_call",
            }
        ],
        invalid_tool_calls=[
            {"name": "f", "args": "{", "id": "c2", "error": "cut off", "type": "invalid_tool_call"}
        ],
        usage_metadata={"input_tokens": 3, "output_tokens": 2, "total_tokens": 5},
        response_metadata={"model_name": "m", "logprobs": None},
    ),
    ToolMessage(
        "21 degrees",
        tool_call_id="c1",
        name="weather",
        artifact={"raw": [21, 0.5]},
        status="success",
    ),
    AIMessage(
        [
            {"type": "reasoning", "reasoning": "It is warm."},
            {"type": "text", "text": "It is 21 degrees, "},
            {"type": "text", "text": "take a hat."},
        ],
        name="guide",
    ),
    ChatMessage("Order, order!", role="moderator"),
    ChatMessage("I also keep two bees' nests", role="User"),
    FunctionMessage("4", name="add"),
    HumanMessage("ok"),
    HumanMessage(" "),
    RemoveMessage(id="h-1"),
    AIMessage("Multi-line,\n\ttabbed, ‘quoted’, 中文, 🙂"),
]


def test_every_kind_of_message_comes_back_as_it_was(tmp_path: Path) -> None:
    """INTERFACES 1.2 and scenario 16: order kept, durable; blocks, calls, ids and metadata round-trip."""
    with opened(tmp_path / "brain") as engine:
        CogMemChatMessageHistory(engine=engine, namespace="ann", session_id="s1").add_messages(
            EVERY_KIND
        )
    with opened(tmp_path / "brain") as engine:
        again = CogMemChatMessageHistory(engine.bank("ann"), session_id="s1").messages
    assert again == EVERY_KIND
    assert [type(message) for message in again] == [type(message) for message in EVERY_KIND]


def test_chunks_of_a_stream_are_kept_as_messages(history: CogMemChatMessageHistory) -> None:
    """INTERFACES 1.2: on `astream` the AI item is an AIMessageChunk."""
    call = {"name": "f", "args": '{"a": 1}', "id": "c1", "index": 0, "type": "tool_call_chunk"}
    chunk = AIMessageChunk("Hel", id="a-1", tool_call_chunks=[call]) + AIMessageChunk(
        "lo", id="a-1"
    )
    history.add_messages([HumanMessageChunk("Hi"), chunk, ToolMessageChunk("1", tool_call_id="c1")])
    assert [type(message) for message in history.messages] == [HumanMessage, AIMessage, ToolMessage]
    answer = history.messages[1]
    assert isinstance(answer, AIMessage)
    assert (answer.content, answer.id) == ("Hello", "a-1")
    assert answer.tool_calls == [{"name": "f", "args": {"a": 1}, "id": "c1", "type": "tool_call"}]


def test_what_was_said_becomes_memories_and_the_rest_is_kept_only(
    history: CogMemChatMessageHistory,
) -> None:
    """The point of it: one store of turns. The message's id is the memory's ref, its name the speaker."""
    history.save_mode = "both"
    history.add_messages(EVERY_KIND)
    history.bank._engine.flush()
    memories = {memory.content: memory for memory in history.bank.list()}
    assert set(memories) == {
        "I moved to Lisbon in May",
        "It is 21 degrees, take a hat.",
        "I also keep two bees' nests",
        "Multi-line,\n\ttabbed, ‘quoted’, 中文, 🙂",
    }
    moved = memories["I moved to Lisbon in May"]
    assert (moved.refs, moved.speaker, moved.session_id, moved.metadata) == (
        ("h-1",),
        "Ann",
        "s1",
        {},
    )


@each_case_of("chat_history/what_becomes_memories_can_be_chosen")
def test_what_becomes_memories_can_be_chosen(
    bank: MemoryBank, save_mode: str, remembered: list[str]
) -> None:
    """Where a chain's memory remembers already, the history only keeps."""
    history = CogMemChatMessageHistory(bank, session_id="s1", save_mode=save_mode)
    history.add_messages(
        [HumanMessage("I moved to Lisbon in May"), AIMessage("The Ritz hotel is booked for you")]
    )
    bank._engine.flush()
    assert [memory.content for memory in bank.list()] == remembered
    assert len(history.messages) == 2


class Odd(BaseMessage):
    """A message of a type that LangChain cannot read back."""

    type: str = "odd"


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ("hello", r"messages\[1\] is a str; give a message"),
        (
            ToolMessage("x", tool_call_id="1", artifact=dt.date(2026, 6, 1)),
            r"messages\[1\] is a ToolMessage that JSON cannot hold: .*date",
        ),
        (
            AIMessage("x", response_metadata={"p": float("nan")}),
            r"messages\[1\] is a AIMessage that JSON cannot hold",
        ),
        (
            Odd("x"),
            r"messages\[1\] is a Odd that JSON cannot hold: Got unexpected message type: odd",
        ),
        (
            HumanMessage("x" * 1_000_001),
            r"turns\[1\]\.content has 1,000,001 bytes, the limit is 1,000,000",
        ),
    ],
)
def test_what_cannot_be_kept_is_refused_before_anything_is(
    history: CogMemChatMessageHistory, message: Any, why: str
) -> None:
    """Whatever was acknowledged can be read back, by this process or another."""
    with pytest.raises(InvalidInput, match=why):
        history.add_messages([HumanMessage("fine"), message])
    assert history.messages == []


def test_arguments_are_checked(bank: MemoryBank) -> None:
    """Each message names what to give instead."""
    with pytest.raises(InvalidInput, match="bank is missing"):
        CogMemChatMessageHistory(session_id="s1")
    with pytest.raises(InvalidInput, match="save_mode is 'all'; use one of both, user, none"):
        CogMemChatMessageHistory(bank, session_id="s1", save_mode="all")
    with pytest.raises(InvalidInput, match="session_id is ''"):
        CogMemChatMessageHistory(bank, session_id="").messages  # noqa: B018 - reading is what fails


def test_turns_that_others_kept_are_messages_too(history: CogMemChatMessageHistory) -> None:
    """A transcript belongs to the bank: the engine's own API, or another framework, may write into it."""
    turns = [
        Turn("Be brief", "system"),
        Turn("Hi", speaker="Ann", ref="7"),
        Turn("Hello", "assistant"),
    ]
    history.bank.append_messages([*turns, Turn("21", "tool", ref="c1")], session_id="s1")
    assert history.messages == [
        SystemMessage("Be brief"),
        HumanMessage("Hi", name="Ann", id="7"),
        AIMessage("Hello"),
        ToolMessage("21", tool_call_id="c1"),
    ]


def test_its_repr_tells_no_content(history: CogMemChatMessageHistory) -> None:
    """INTERFACES section 5: `repr` ends up in traces."""
    history.add_user_message("I moved to Lisbon")
    assert "Lisbon" not in repr(history)
    assert "session_id='s1'" in repr(history)
    assert str(history) == "Human: I moved to Lisbon"


async def test_the_async_twins_stay_off_the_loop(
    history: CogMemChatMessageHistory, monkeypatch: Any
) -> None:
    """INTERFACES section 5: a write on the event loop stalls everybody."""
    threads: list[int] = []
    services = history.bank._engine.services

    def noting(real: Any) -> Any:
        def called(*names: str, **options: Any) -> Any:
            threads.append(threading.get_ident())
            return real(*names, **options)

        return called

    for name in ("reading", "whole", "writing", "writing_to"):
        monkeypatch.setattr(services.ledger, name, noting(getattr(services.ledger, name)))
    history.bank._engine.pause()
    await history.aadd_messages([HumanMessage("I moved to Lisbon")])
    assert [message.content for message in await history.aget_messages()] == ["I moved to Lisbon"]
    await history.aclear()
    assert len(threads) >= 3
    assert threading.get_ident() not in threads
    assert await history.aget_messages() == []
