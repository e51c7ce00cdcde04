"""`CogMemChatMessageHistory` in a real RunnableWithMessageHistory: scenario 16."""

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.runnables import Runnable
from langchain_core.runnables.history import RunnableWithMessageHistory

import cogmem_core
from cogmem_core import Config
from cogmem_core.config import EncodingConfig
from cogmem_core.testing import MANUAL
from helpers.chat_histories import KEY, opened, told
from langchain_cogmem.chat_history import CogMemChatMessageHistory


@pytest.fixture
def engine() -> Iterator[cogmem_core.Engine]:
    with opened() as made:
        yield made


def conversation(
    engine: cogmem_core.Engine, llm: Runnable[Any, Any], **keys: str
) -> RunnableWithMessageHistory:
    def history(session_id: str) -> CogMemChatMessageHistory:
        return CogMemChatMessageHistory(engine=engine, namespace="ann", session_id=session_id)

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "RunnableWithMessageHistory is deprecated")
        return RunnableWithMessageHistory(llm, history, **keys)


def prompted(answer: Callable[[Any], Any]) -> Runnable[Any, Any]:
    prompt = ChatPromptTemplate.from_messages(
        [("system", "Be brief"), MessagesPlaceholder("past"), ("human", "{q}")]
    )
    return prompt | answer


def session(name: str) -> Any:
    return {"configurable": {"session_id": name}}


def test_a_chain_whose_turn_is_refused_answers_all_the_same(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """As the class says: LangChain logs what a history raises after the answer."""
    config = Config(encoding=EncodingConfig(secrets="reject"), consolidation=MANUAL.consolidation)
    with opened(config=config) as engine:
        chain = conversation(engine, FakeListChatModel(responses=["Noted."]))
        assert chain.invoke([HumanMessage(f"My key is {KEY}")], session("s1")).content == "Noted."
        assert "holds a secret (api key)" in caplog.text
        assert CogMemChatMessageHistory(engine.bank("ann"), session_id="s1").messages == []


def test_a_conversation_keeps_its_order_and_two_do_not_mix(engine: cogmem_core.Engine) -> None:
    """Scenario 16: each call reads the messages once and adds question and answer."""
    seen: list[list[str]] = []

    def answer(prompt: Any) -> AIMessage:
        seen.append([str(message.content) for message in prompt.to_messages()[1:]])
        return AIMessage(f"answer to {seen[-1][-1]}")

    chain = conversation(
        engine, prompted(answer), input_messages_key="q", history_messages_key="past"
    )
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


def test_message_lists_without_a_history_key_are_not_kept_twice(engine: cogmem_core.Engine) -> None:
    """LangChain finds the new messages by counting the old ones: the listing must be complete."""
    chain = conversation(engine, FakeListChatModel(responses=["Hello", "Bye"]))
    chain.invoke([HumanMessage("Hi")], session("s1"))
    chain.invoke([HumanMessage("ok")], session("s1"))
    history = CogMemChatMessageHistory(engine.bank("ann"), session_id="s1")
    assert told(history) == [("human", "Hi"), ("ai", "Hello"), ("human", "ok"), ("ai", "Bye")]


async def test_async_calls_and_streams_are_kept_as_whole_messages(
    engine: cogmem_core.Engine,
) -> None:
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


def test_a_conversation_is_remembered_in_the_next_one(engine: cogmem_core.Engine) -> None:
    """What makes it more than a list: another conversation recalls what was said in this one."""
    chain = conversation(engine, FakeListChatModel(responses=["Nice!"]))
    chain.invoke([HumanMessage("My daughter Mia plays the cello")], session("monday"))
    engine.flush()
    found = engine.bank("ann").recall("Which instrument does Mia play?", session_id="tuesday")
    assert found.results[0].content == "My daughter Mia plays the cello"
