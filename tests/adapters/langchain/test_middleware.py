"""`CogMemMiddleware` in agents made by `create_agent` (scenarios 3, 10, 11, 13, 14)."""

import asyncio
import json
import logging
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

import cogmem_core
from cogmem_core import Engine, InvalidInput, MemoryBank
from helpers.langchain_models import (
    ABOUT_HIKING,
    COFFEE,
    HIKING,
    Answering,
    Seeing,
    learnt,
    signals,
    weather,
)
from helpers.store_kinds import BLAMING
from langchain_cogmem import CogMemCallbackHandler, CogMemMiddleware

JUDGED = {HIKING: (1, 0), COFFEE: (0, 1)}
QUESTION = {"messages": [("user", "hiking or coffee?")]}


def calling_once() -> Any:
    """Calls a tool, saying a word to it; then answers."""
    call = AIMessage(
        "Let me see.", tool_calls=[{"name": "weather", "args": {"place": "Oslo"}, "id": "1"}]
    )
    return lambda prompt: ABOUT_HIKING if "It rains in Oslo" in prompt else call


async def ask(agent: Any, how: str, given: Any, config: Any = None) -> Any:
    if how == "invoke":
        return await asyncio.to_thread(agent.invoke, given, config)
    if how == "stream":
        return await asyncio.to_thread(
            lambda: [*agent.stream(given, config, stream_mode="values")][-1]
        )
    if how == "ainvoke":
        return await agent.ainvoke(given, config)
    return [state async for state in agent.astream(given, config, stream_mode="values")][-1]


@pytest.mark.parametrize("how", ["invoke", "stream", "ainvoke", "astream"])
async def test_scenario_13_one_recall_every_model_call_informed_the_final_answer_judged(
    bank: MemoryBank, how: str
) -> None:
    """Messages and checkpoints hold nothing of it."""
    model = Seeing(answer=calling_once())
    agent = create_agent(
        model,
        [weather],
        system_prompt="Be kind.",
        middleware=[CogMemMiddleware(bank=bank)],
        checkpointer=InMemorySaver(),
    )
    config = {"configurable": {"thread_id": "t1"}}

    result = await ask(agent, how, QUESTION, config)

    assert len(model.seen) == 2
    for messages in model.seen:
        assert isinstance(messages[0], SystemMessage)
        assert messages[0].text == "Be kind."
        assert messages[1].text.startswith("<memories>")
        assert HIKING in messages[1].text
    assert [type(message).__name__ for message in result["messages"]] == [
        "HumanMessage",
        "AIMessage",
        "ToolMessage",
        "AIMessage",
    ]
    # Streamed states are whole, private parts included.
    assert "stream" in how or "cogmem_recall" not in result
    assert "memories" not in str((await agent.aget_state(config)).values["messages"])
    assert learnt(bank) == JUDGED
    assert len(bank.engine.log(limit=100, op="recall")) == 1


async def test_scenario_13_with_a_handler_too_nothing_counts_twice(bank: MemoryBank) -> None:
    """The handler sees the memories in the prompt."""
    agent = create_agent(Answering(), [weather], middleware=[CogMemMiddleware(bank=bank)])

    await agent.ainvoke(QUESTION, {"callbacks": [CogMemCallbackHandler(bank.engine)]})

    assert learnt(bank) == JUDGED
    assert signals(bank) == 2


def test_scenario_14_an_interrupted_run_learns_after_it_is_resumed(tmp_path: Path) -> None:
    """In another process: the note of the recall is in the checkpoint, as plain values."""
    saver = InMemorySaver()
    config: Any = {"configurable": {"thread_id": "t1"}}

    def agent(bank: MemoryBank) -> Any:
        careful = HumanInTheLoopMiddleware(interrupt_on={"weather": True})
        return create_agent(
            Answering(answer=calling_once()),
            [weather],
            middleware=[CogMemMiddleware(bank=bank), careful],
            checkpointer=saver,
        )

    with cogmem_core.open(tmp_path / "brain", embedder="hashing", config=BLAMING) as engine:
        bank = engine.bank("ann")
        bank.add(HIKING)
        bank.add(COFFEE)
        asked = agent(bank).invoke(QUESTION, config)
        assert "__interrupt__" in asked
        assert signals(bank) == 0
        json.dumps(agent(bank).get_state(config).values.get("cogmem_recall"))
    with cogmem_core.open(tmp_path / "brain", embedder="hashing", config=BLAMING) as engine:
        bank = engine.bank("ann")
        resumed = agent(bank).invoke(Command(resume={"decisions": [{"type": "approve"}]}), config)

        assert resumed["messages"][-1].content == ABOUT_HIKING
        assert learnt(bank) == JUDGED
        assert len(engine.log(limit=100, op="recall")) == 1


def test_scenario_14_the_second_turn_of_a_thread_recalls_anew(bank: MemoryBank) -> None:
    """And knows what was said in the first."""
    model = Answering()
    agent = create_agent(
        model, [], middleware=[CogMemMiddleware(bank=bank)], checkpointer=InMemorySaver()
    )
    config: Any = {"configurable": {"thread_id": "t1"}}
    agent.invoke({"messages": [("user", "My sister Lena moved to Oslo")]}, config)
    agent.invoke({"messages": [("user", "hiking?")]}, config)

    other: Any = {"configurable": {"thread_id": "t2"}}
    agent.invoke({"messages": [("user", "Where does Lena live?")]}, other)

    assert "My sister Lena moved to Oslo" in model.prompts[2]
    said = next(memory for memory in bank.list() if "Lena" in memory.content)
    assert said.session_id == "t1"


def test_a_turn_without_anything_to_recall_shows_nothing_of_the_turn_before(
    bank: MemoryBank,
) -> None:
    """What was shown for a message stays in front of that message."""
    model = Answering()
    agent = create_agent(
        model, [], middleware=[CogMemMiddleware(bank=bank)], checkpointer=InMemorySaver()
    )
    config: Any = {"configurable": {"thread_id": "t1"}}
    agent.invoke({"messages": [("user", "hiking?")]}, config)
    agent.invoke({"messages": [("user", " ")]}, config)

    assert model.prompts[0].count("<memories>") == 1
    assert model.prompts[1].startswith(model.prompts[0])
    assert model.prompts[1].count("<memories>") == 1


def test_before_the_last_user_message_for_models_without_a_system_role(bank: MemoryBank) -> None:
    """`insert="user"`."""
    model = Seeing()
    agent = create_agent(model, [], middleware=[CogMemMiddleware(bank=bank, insert="user")])

    result = agent.invoke(
        {"messages": [("user", "Hi"), ("assistant", "Hello"), ("user", "hiking or coffee?")]}
    )

    [messages] = model.seen
    assert [type(message) for message in messages] == [HumanMessage, AIMessage, HumanMessage]
    assert messages[2].text.startswith("<memories>")
    assert messages[2].text.endswith("\n\nhiking or coffee?")
    assert result["messages"][2].content == "hiking or coffee?"
    assert learnt(bank) == JUDGED


def test_tools_to_recall_and_remember_by_itself(bank: MemoryBank) -> None:
    """`add_tools=True`: the agent's own calls of the tools work on the same bank."""
    call = AIMessage(
        "", tool_calls=[{"name": "remember", "args": {"content": "Ann moved to Lisbon"}, "id": "1"}]
    )
    answers = iter([call, "Noted."])
    model = Answering(answer=lambda _: next(answers))
    agent = create_agent(
        model, [], middleware=[CogMemMiddleware(bank=bank, add_tools=True, save_mode="none")]
    )

    agent.invoke({"messages": [("user", "I moved to Lisbon")]})

    assert "Ann moved to Lisbon" in learnt(bank)


async def test_scenario_11_an_agent_answers_though_its_memory_is_down(
    bank: MemoryBank, caplog: pytest.LogCaptureFixture
) -> None:
    """One warning per kind of failure."""
    agent = create_agent(Answering(), [], middleware=[CogMemMiddleware(bank=bank)])
    strict = create_agent(
        Answering(), [], middleware=[CogMemMiddleware(bank=bank, raise_errors=True)]
    )
    bank.engine.close()
    with caplog.at_level(logging.WARNING, logger="cogmem_core"):
        answers = [(await agent.ainvoke(QUESTION))["messages"][-1].content for _ in range(2)]

    assert answers == [ABOUT_HIKING] * 2
    assert [record.message.split(",")[0] for record in caplog.records] == [
        "a recall failed",
        "remembering failed",
    ]
    with pytest.raises(cogmem_core.BankClosed):
        await strict.ainvoke(QUESTION)


def test_two_of_them_in_one_agent_need_names(engine: Engine, bank: MemoryBank) -> None:
    """A person's memory and a team's."""
    team = engine.bank("team")
    team.add("The team likes hiking on Mount Hood")
    mine, ours = CogMemMiddleware(bank=bank, name="mine"), CogMemMiddleware(bank=team, name="ours")
    model = Answering()
    with pytest.raises(AssertionError, match="duplicate middleware"):
        create_agent(
            model, [], middleware=[CogMemMiddleware(bank=bank), CogMemMiddleware(bank=team)]
        )

    create_agent(model, [], middleware=[mine, ours]).invoke({"messages": [("user", "hiking?")]})

    assert (HIKING in model.prompts[0], "Mount Hood" in model.prompts[0]) == (True, True)
    assert learnt(bank)[HIKING] == (1, 0)
    assert signals(team) == 1


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "bank is missing"),
        ({"insert": "top"}, "insert is 'top'; use one of system, user"),
        ({"save_mode": "all"}, "save_mode is 'all'"),
        ({"profile": "all"}, "profile is 'all'; give True, False or a pydantic model class"),
        ({"add_tools": True, "namespace": lambda *_: "ann"}, "add_tools needs a fixed namespace"),
    ],
)
def test_options_are_checked(
    engine: Engine, bank: MemoryBank, given: dict[str, Any], message: str
) -> None:
    """Typed errors that name the argument and the fix."""
    whose = {"engine": engine} if "namespace" in given else {"bank": bank}
    with pytest.raises(InvalidInput, match=message):
        CogMemMiddleware(**({**whose, **given} if given else {}))
