"""`CogMemChatMessageHistory`: messages come back as they were, and what was said in them is remembered."""

from __future__ import annotations

import asyncio
import datetime as dt
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.language_models import FakeListChatModel
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
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.runnables import Runnable
from langchain_core.runnables.history import RunnableWithMessageHistory

import cogmem
from cogmem import Config, EncodingConfig, InvalidInput, MemoryBank, Turn
from cogmem.testing import MANUAL, FrozenClock
from langchain_cogmem.chat_history import CogMemChatMessageHistory

KEY = "sk-proj-" + "a1B2c3D4e5F6g7H8i9J0" * 2
PICTURE = "data:image/png;base64," + "iVBORw0KGgo" * 20_000


def opened(folder: Path | None = None, **more: Any) -> cogmem.Engine:
    return cogmem.open(folder, embedder="hashing", clock=FrozenClock(), **{"config": MANUAL, **more})


@pytest.fixture
def engine() -> Iterator[cogmem.Engine]:
    with opened() as made:
        yield made


@pytest.fixture
def bank(engine: cogmem.Engine) -> MemoryBank:
    return engine.bank("ann")


@pytest.fixture
def history(bank: MemoryBank) -> CogMemChatMessageHistory:
    return CogMemChatMessageHistory(bank, session_id="s1")


def told(history: BaseChatMessageHistory) -> list[tuple[str, Any]]:
    return [(message.type, message.content) for message in history.messages]


EVERY_KIND: list[AnyMessage | BaseMessage] = [
    SystemMessage("You are brief.", id="sys-1"),
    HumanMessage("I moved to Lisbon in May", name="Ann", id="h-1", additional_kwargs={"source": "web"}),
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
        tool_calls=[{"name": "weather", "args": {"city": "Lisbon", "days": 2}, "id": "c1", "type": "tool_call"}],
        invalid_tool_calls=[
            {"name": "f", "args": "{", "id": "c2", "error": "cut off", "type": "invalid_tool_call"},
        ],
        usage_metadata={"input_tokens": 3, "output_tokens": 2, "total_tokens": 5},
        response_metadata={"model_name": "m", "logprobs": None},
    ),
    ToolMessage("21 degrees", tool_call_id="c1", name="weather", artifact={"raw": [21, 0.5]}, status="success"),
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
        CogMemChatMessageHistory(engine=engine, namespace="ann", session_id="s1").add_messages(EVERY_KIND)
    with opened(tmp_path / "brain") as engine:
        again = CogMemChatMessageHistory(engine.bank("ann"), session_id="s1").messages
    assert again == EVERY_KIND
    assert [type(message) for message in again] == [type(message) for message in EVERY_KIND]


def test_chunks_of_a_stream_are_kept_as_messages(history: CogMemChatMessageHistory) -> None:
    """INTERFACES 1.2: on `astream` the AI item is an AIMessageChunk."""
    call = {"name": "f", "args": '{"a": 1}', "id": "c1", "index": 0, "type": "tool_call_chunk"}
    chunk = AIMessageChunk("Hel", id="a-1", tool_call_chunks=[call]) + AIMessageChunk("lo", id="a-1")
    history.add_messages([HumanMessageChunk("Hi"), chunk, ToolMessageChunk("1", tool_call_id="c1")])
    assert [type(message) for message in history.messages] == [HumanMessage, AIMessage, ToolMessage]
    answer = history.messages[1]
    assert isinstance(answer, AIMessage)
    assert (answer.content, answer.id) == ("Hello", "a-1")
    assert answer.tool_calls == [{"name": "f", "args": {"a": 1}, "id": "c1", "type": "tool_call"}]


def test_what_was_said_becomes_memories_and_the_rest_is_kept_only(history: CogMemChatMessageHistory) -> None:
    """The point of it: one store of turns. The message's id is the memory's ref, its name the speaker."""
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
    assert (moved.refs, moved.speaker, moved.session_id, moved.metadata) == (("h-1",), "Ann", "s1", {})


@pytest.mark.parametrize(
    ("save_mode", "remembered"),
    [
        ("both", ["I moved to Lisbon in May", "The Ritz hotel is booked for you"]),
        ("user", ["I moved to Lisbon in May"]),
        ("none", []),
    ],
)
def test_what_becomes_memories_can_be_chosen(bank: MemoryBank, save_mode: str, remembered: list[str]) -> None:
    """Where a chain's memory remembers already, the history only keeps."""
    history = CogMemChatMessageHistory(bank, session_id="s1", save_mode=save_mode)
    history.add_messages([HumanMessage("I moved to Lisbon in May"), AIMessage("The Ritz hotel is booked for you")])
    bank._engine.flush()
    assert [memory.content for memory in bank.list()] == remembered
    assert len(history.messages) == 2


def test_clearing_keeps_memories_and_survives_reopening(tmp_path: Path) -> None:
    """Documented: the conversation is empty, what was learnt in it stays."""
    with opened(tmp_path / "brain") as engine:
        history = CogMemChatMessageHistory(engine.bank("ann"), session_id="s1")
        other = CogMemChatMessageHistory(engine.bank("ann"), session_id="s2")
        other.add_user_message("I prefer tea")
        history.add_user_message("I moved to Lisbon in May")
        engine.flush()
        history.clear()
        assert (history.messages, told(other)) == ([], [("human", "I prefer tea")])
    with opened(tmp_path / "brain") as engine:
        history = CogMemChatMessageHistory(engine.bank("ann"), session_id="s1")
        assert history.messages == []
        assert history.bank.recall("Lisbon").results[0].content == "I moved to Lisbon in May"
        history.add_user_message("I am back")
        assert told(history) == [("human", "I am back")]


def test_a_message_whose_memory_was_erased_is_gone(history: CogMemChatMessageHistory) -> None:
    """Hard forgetting takes the turn too; the rest of the conversation stays in order."""
    history.add_messages([HumanMessage("I prefer tea"), HumanMessage("My sister is called Clara"), HumanMessage("ok")])
    history.bank._engine.flush()
    assert history.bank.forget("Clara", hard=True).remaining == ()
    assert [message.content for message in history.messages] == ["I prefer tea", "ok"]


def test_secrets_are_listed_as_they_were_kept(history: CogMemChatMessageHistory) -> None:
    """They never reach the disk, so they cannot come back: not in texts, blocks or calls of tools."""
    call = {"name": "login", "args": {"password": "hunter2"}, "id": "c1", "type": "tool_call"}
    history.add_messages(
        [
            HumanMessage(f"My key is {KEY}"),
            HumanMessage([{"type": "text", "text": f"Again: {KEY}"}]),
            AIMessage("", tool_calls=[call]),
        ]
    )
    first, second, third = history.messages
    assert first.content == "My key is [redacted api key]"
    assert second.content == [{"type": "text", "text": "Again: [redacted api key]"}]
    assert isinstance(third, AIMessage)
    assert third.tool_calls[0]["args"] == {"password": "[redacted password]"}


def test_a_refused_secret_refuses_the_whole_call() -> None:
    """`encoding.secrets = "reject"`: nothing of the call is kept, and the value is not told."""
    config = Config(encoding=EncodingConfig(secrets="reject"), consolidation=MANUAL.consolidation)
    with opened(config=config) as engine:
        history = CogMemChatMessageHistory(engine.bank("ann"), session_id="s1")
        with pytest.raises(InvalidInput, match=r"turns\[1\]\.content holds a secret \(api key\)") as caught:
            history.add_messages([HumanMessage("hello"), HumanMessage(f"My key is {KEY}")])
        assert KEY not in str(caught.value)
        assert history.messages == []


def test_a_chain_whose_turn_is_refused_answers_all_the_same(caplog: pytest.LogCaptureFixture) -> None:
    """As the class says: LangChain logs what a history raises after the answer."""
    config = Config(encoding=EncodingConfig(secrets="reject"), consolidation=MANUAL.consolidation)
    with opened(config=config) as engine:
        chain = conversation(engine, FakeListChatModel(responses=["Noted."]))
        assert chain.invoke([HumanMessage(f"My key is {KEY}")], session("s1")).content == "Noted."
        assert "holds a secret (api key)" in caplog.text
        assert CogMemChatMessageHistory(engine.bank("ann"), session_id="s1").messages == []


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
        (AIMessage("x", response_metadata={"p": float("nan")}), r"messages\[1\] is a AIMessage that JSON cannot hold"),
        (Odd("x"), r"messages\[1\] is a Odd that JSON cannot hold: Got unexpected message type: odd"),
        (HumanMessage("a\0b"), r"turns\[1\]\.content holds a NUL character"),
        (HumanMessage("x" * 1_000_001), r"turns\[1\]\.content has 1,000,001 bytes, the limit is 1,000,000"),
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
    turns = [Turn("Be brief", "system"), Turn("Hi", speaker="Ann", ref="7"), Turn("Hello", "assistant")]
    history.bank.keep([*turns, Turn("21", "tool", ref="c1")], session_id="s1")
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


# --- scenario 16: a real RunnableWithMessageHistory ---


def conversation(engine: cogmem.Engine, llm: Runnable[Any, Any], **keys: str) -> RunnableWithMessageHistory:
    def history(session_id: str) -> CogMemChatMessageHistory:
        return CogMemChatMessageHistory(engine=engine, namespace="ann", session_id=session_id)

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "RunnableWithMessageHistory is deprecated")
        return RunnableWithMessageHistory(llm, history, **keys)


def prompted(answer: Callable[[Any], Any]) -> Runnable[Any, Any]:
    prompt = ChatPromptTemplate.from_messages([("system", "Be brief"), MessagesPlaceholder("past"), ("human", "{q}")])
    return prompt | answer


def session(name: str) -> Any:
    return {"configurable": {"session_id": name}}


def test_a_conversation_keeps_its_order_and_two_do_not_mix(engine: cogmem.Engine) -> None:
    """Scenario 16: each call reads the messages once and adds question and answer."""
    seen: list[list[str]] = []

    def answer(prompt: Any) -> AIMessage:
        seen.append([str(message.content) for message in prompt.to_messages()[1:]])
        return AIMessage(f"answer to {seen[-1][-1]}")

    chain = conversation(engine, prompted(answer), input_messages_key="q", history_messages_key="past")
    for name, question in (("s1", "one"), ("s2", "two"), ("s1", "three")):
        chain.invoke({"q": question}, session(name))
    assert seen == [["one"], ["two"], ["one", "answer to one", "three"]]
    first = CogMemChatMessageHistory(engine.bank("ann"), session_id="s1")
    assert told(first) == [
        ("human", "one"),
        ("ai", "answer to one"),
        ("human", "three"),
        ("ai", "answer to three"),
    ]
    assert told(CogMemChatMessageHistory(engine.bank("ann"), session_id="s2")) == [
        ("human", "two"),
        ("ai", "answer to two"),
    ]


def test_message_lists_without_a_history_key_are_not_kept_twice(engine: cogmem.Engine) -> None:
    """LangChain finds the new messages by counting the old ones: the listing must be complete."""
    chain = conversation(engine, FakeListChatModel(responses=["Hello", "Bye"]))
    chain.invoke([HumanMessage("Hi")], session("s1"))
    chain.invoke([HumanMessage("ok")], session("s1"))
    history = CogMemChatMessageHistory(engine.bank("ann"), session_id="s1")
    assert told(history) == [("human", "Hi"), ("ai", "Hello"), ("human", "ok"), ("ai", "Bye")]


async def test_async_calls_and_streams_are_kept_as_whole_messages(engine: cogmem.Engine) -> None:
    """Scenario 16: `ainvoke`, `stream` and `astream`; FakeListChatModel streams one character at a time."""
    chain = conversation(engine, FakeListChatModel(responses=["One.", "Two.", "Three."]))
    await chain.ainvoke([HumanMessage("a")], session("s1"))
    for _ in chain.stream([HumanMessage("b")], session("s1")):
        pass
    async for _ in chain.astream([HumanMessage("c")], session("s1")):
        pass
    history = CogMemChatMessageHistory(engine.bank("ann"), session_id="s1")
    kept = await history.aget_messages()
    assert [(type(message), message.content) for message in kept] == [
        (HumanMessage, "a"),
        (AIMessage, "One."),
        (HumanMessage, "b"),
        (AIMessage, "Two."),
        (HumanMessage, "c"),
        (AIMessage, "Three."),
    ]


async def test_forty_conversations_at_once_each_keep_their_own(engine: cogmem.Engine) -> None:
    """Concurrent sessions: no message lost, none in another's place."""

    async def answer(prompt: Any) -> AIMessage:
        await asyncio.sleep(0)
        return AIMessage(f"answer to {prompt.to_messages()[-1].content}")

    chain = conversation(engine, prompted(answer), input_messages_key="q", history_messages_key="past")
    for turn in range(2):
        await asyncio.gather(*(chain.ainvoke({"q": f"{i}.{turn}"}, session(f"s{i}")) for i in range(40)))
    for i in range(40):
        history = CogMemChatMessageHistory(engine.bank("ann"), session_id=f"s{i}")
        assert [content for _, content in told(history)] == [
            f"{i}.0",
            f"answer to {i}.0",
            f"{i}.1",
            f"answer to {i}.1",
        ]


async def test_the_async_twins_stay_off_the_loop(history: CogMemChatMessageHistory, monkeypatch: Any) -> None:
    """INTERFACES section 5: a write on the event loop stalls everybody."""
    threads: list[int] = []
    services = history.bank._engine.services
    reading, writing = services.ledger.reading, services.ledger.writing
    for name, real in (("reading", reading), ("writing", writing)):

        def noted(*namespace: str, real: Any = real) -> Any:
            threads.append(threading.get_ident())
            return real(*namespace)

        monkeypatch.setattr(services.ledger, name, noted)
    history.bank._engine.pause()
    await history.aadd_messages([HumanMessage("I moved to Lisbon")])
    assert [message.content for message in await history.aget_messages()] == ["I moved to Lisbon"]
    await history.aclear()
    assert len(threads) >= 3
    assert threading.get_ident() not in threads
    assert await history.aget_messages() == []


def test_a_conversation_is_remembered_in_the_next_one(engine: cogmem.Engine) -> None:
    """What makes it more than a list: another conversation recalls what was said in this one."""
    chain = conversation(engine, FakeListChatModel(responses=["Nice!"]))
    chain.invoke([HumanMessage("My daughter Mia plays the cello")], session("monday"))
    engine.flush()
    found = engine.bank("ann").recall("Which instrument does Mia play?", session_id="tuesday")
    assert found.results[0].content == "My daughter Mia plays the cello"
