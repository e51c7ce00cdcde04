"""What is due, and how a task is done, in what the models of both frameworks read: once, and not lost."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from llama_index.core.llms import ChatMessage

import cogmem_core
from cogmem_core import Engine, MemoryBank
from cogmem_core.testing import FrozenClock
from langchain_cogmem import CogMemMemory as ChainMemory
from langchain_cogmem import CogMemMiddleware, create_memory_tools
from llamaindex_cogmem import CogMemMemory, CogMemMemoryBlock, CogMemToolSpec

KEYS = "give the keys back"
Asking = Callable[[str], str]


@pytest.fixture
def engine(clock: FrozenClock) -> Iterator[Engine]:
    with cogmem_core.open(embedder="hashing", clock=clock) as engine:
        yield engine


class Seen(FakeListChatModel):
    """A model that notes its last prompt."""

    prompts: list[str]

    def _call(self, messages: Any, *more: Any, **options: Any) -> str:
        self.prompts.append("\n".join(str(message.content) for message in messages))
        return super()._call(messages, *more, **options)


def by_middleware(bank: MemoryBank) -> Asking:
    model = Seen(responses=["All right."], prompts=[])
    agent = create_agent(
        model, [], middleware=[CogMemMiddleware(bank=bank)], checkpointer=InMemorySaver()
    )

    def ask(question: str) -> str:
        agent.invoke(
            {"messages": [HumanMessage(question)]}, {"configurable": {"thread_id": "monday"}}
        )
        return model.prompts[-1]

    return ask


def by_chain_memory(bank: MemoryBank) -> Asking:
    memory = ChainMemory(bank=bank, session_id="monday")

    def ask(question: str) -> str:
        shown = str(memory.load_memory_variables({"input": question})["history"])
        memory.save_context({"input": question}, {"output": "All right."})
        return shown

    return ask


def by_engine_memory(bank: MemoryBank) -> Asking:
    memory = CogMemMemory.from_defaults(bank, session_id="monday")

    def ask(question: str) -> str:
        memory.put(ChatMessage(question))
        shown = [str(memory.get()) for _ in range(2)]  # a second call of a model reads the same
        assert shown[0] == shown[1]
        memory.put(ChatMessage("All right.", role="assistant"))
        return shown[0]

    return ask


def by_block(bank: MemoryBank) -> Asking:
    block = CogMemMemoryBlock(bank)
    history: list[ChatMessage] = []

    def ask(question: str) -> str:
        history.append(ChatMessage(question))
        shown = asyncio.run(block.aget(list(history), session_id="monday"))
        history.append(ChatMessage("All right.", role="assistant"))
        return str(shown)

    return ask


def by_chain_tool(bank: MemoryBank) -> Asking:
    (recall,) = create_memory_tools(bank, session_id="monday", tools=["recall_memory"])
    return lambda question: str(recall.invoke({"query": question}))


def by_engine_tool(bank: MemoryBank) -> Asking:
    (recall,) = CogMemToolSpec(bank, session_id="monday", tools=["recall_memory"]).to_tool_list()
    return lambda question: asyncio.run(recall.acall(query=question)).content


WAYS = (by_middleware, by_chain_memory, by_engine_memory, by_block, by_chain_tool, by_engine_tool)


@pytest.mark.parametrize("way", WAYS)
def test_what_is_due_is_shown_once(clock: FrozenClock, engine: Engine, way: Any) -> None:
    """At its moment, or when it is spoken of; then it is fired, and no later turn shows it."""
    bank = engine.bank("ann")
    bank.intend("call the bank", at=clock() + timedelta(hours=1))
    bank.intend(KEYS, when="Anna calls")
    ask = way(bank)
    assert "call the bank" not in ask("How was the trip?")
    clock.advance(hours=2)
    shown = ask("Anna just called me.")
    assert "call the bank" in shown
    assert KEYS in shown
    assert {intention.state for intention in bank.intentions()} == {"fired"}
    if way is not by_middleware:  # whose model reads the whole conversation, and not the memories
        assert KEYS not in ask("Anna just called me again.")
    else:
        assert "call the bank" not in ask("Anna just called me again.")
    assert bank.due("Anna just called me.") == ()


@pytest.mark.parametrize("way", WAYS)
def test_two_conversations_do_not_both_show_it(
    engine: Engine, clock: FrozenClock, way: Any
) -> None:
    """Eight that ask at the same time: one of them is told."""
    bank = engine.bank("ann")
    bank.intend("call the bank", at=clock() + timedelta(minutes=1))
    clock.advance(minutes=2)
    asking = [way(bank) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        shown = list(pool.map(lambda ask, day: ask(f"And day {day}?"), asking, range(8)))
    assert sum("call the bank" in text for text in shown) == 1


@pytest.mark.parametrize("way", WAYS[:3])
def test_what_no_answer_told_is_told_again(clock: FrozenClock, engine: Engine, way: Any) -> None:
    """A model failed: the same words are told the same, whoever asks, until they are answered."""
    bank = engine.bank("ann")
    bank.intend("call the bank", at=clock() + timedelta(hours=1), every="day", times=9)
    clock.advance(hours=1)
    shown = [str(ChainMemory(bank=bank).load_memory_variables({"input": "Any news?"}))]
    shown.append(str(CogMemMemory.from_defaults(bank).get("Any news?")))
    shown += map(way(bank), ["Any news?"] * 2)
    assert ["call the bank" in text for text in shown] == [True, True, True, False]


def test_what_finds_no_room_stays_due(engine: Engine, clock: FrozenClock) -> None:
    """A small prompt shows nothing, and takes nothing away."""
    bank = engine.bank("ann")
    bank.intend("call the bank about the mortgage " * 12, at=clock() + timedelta(minutes=1))
    clock.advance(minutes=2)
    small = ChainMemory(bank=bank, max_tokens=80)
    assert "mortgage" not in str(small.load_memory_variables({"input": "How are you?"}))
    assert "mortgage" in str(ChainMemory(bank=bank).load_memory_variables({"input": "Hello?"}))


@pytest.mark.parametrize("way", WAYS)
def test_a_procedure_is_shown_at_the_start_of_a_task(engine: Engine, way: Any) -> None:
    """To a session that is to see it: once per task."""
    bank = engine.bank("ann")
    for number in range(40):  # until one is shown to this session, whatever its id
        steps = [{"tool": f"find_order_{number}", "arguments": {}, "ok": True}]
        steps.append({"tool": "issue_refund", "arguments": {}, "ok": True})
        for session in ("s1", "s2"):
            bank.observe_run(f"refund order kind{number}", steps, session_id=session)
        if bank.recall(f"refund order kind{number}", session_id="monday").procedures:
            break
    bank.observe_run(f"refund order kind{number}", [], session_id="monday")
    ask = way(bank)
    shown = ask(f"Please refund order kind{number}")
    assert "issue_refund" in shown
    if way is not by_middleware:
        assert "issue_refund" not in ask(f"Please refund order kind{number} now")
