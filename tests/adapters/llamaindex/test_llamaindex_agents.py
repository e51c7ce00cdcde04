"""`CogMemMemory` and `CogMemToolSpec` in the real agents: INTERFACES 2.2, scenario 20."""

from contextlib import nullcontext
from typing import Any

import pytest
from llama_index.core.agent.workflow import AgentWorkflow, FunctionAgent, ReActAgent
from llama_index.core.base.llms.types import ChatMessage

from cogmem_core import Engine, MemoryBank
from helpers.llamaindex_models import (
    COFFEE,
    HIKING,
    USED,
    Answer,
    TellingLLM,
    call,
    contents,
    recalls,
    signals,
)
from llamaindex_cogmem import CogMemInstrumentation, CogMemMemory, CogMemToolSpec

QUESTION = "Where do I go hiking, on Mount Rainier?"


def weather(city: str) -> str:
    """The weather in a city."""
    return f"It rains in {city}"


def agents(llm: TellingLLM, **fields: Any) -> dict[str, Any]:
    """Every kind of agent that calls tools by its model's own means."""

    def agent() -> FunctionAgent:
        return FunctionAgent(
            name="guide", description="A guide", tools=[weather], llm=llm, **fields
        )

    return {"function_agent": agent(), "workflow": AgentWorkflow(agents=[agent()])}


KINDS = ("function_agent", "workflow")
TOOL_THEN_ANSWER: list[Answer] = [
    call("weather", city="Seattle"),
    call("weather", city="Tacoma"),
    USED,
]


@pytest.mark.parametrize("streaming", [True, False])
@pytest.mark.parametrize("kind", KINDS)
async def test_scenario_20_one_recall_per_turn_and_feedback_from_the_final_answer(
    bank: MemoryBank, kind: str, streaming: bool
) -> None:
    """Scenario 20: one recall per user turn, no recall after the answer, memories in the prompt of every model call."""
    llm = TellingLLM(TOOL_THEN_ANSWER)
    memory = CogMemMemory.from_defaults(bank, k=1)
    answer = await agents(llm, streaming=streaming)[kind].run(QUESTION, memory=memory)

    assert str(answer) == USED
    assert recalls(bank) == 1
    assert len(llm.prompts) == 3
    assert all(HIKING in prompt for prompt in llm.prompts)
    assert signals(bank) == [(HIKING, "used")]


@pytest.mark.parametrize("kind", KINDS)
async def test_scenario_20_only_what_was_said_is_remembered(bank: MemoryBank, kind: str) -> None:
    """Scenario 20: empty and tool messages are not ingested."""
    memory = CogMemMemory.from_defaults(bank, save_mode="both")
    answers = [call("weather", city="Seattle"), "Take a raincoat to Seattle with you"]
    await agents(TellingLLM(answers))[kind].run("I moved to Lisbon in May", memory=memory)

    assert contents(bank)[2:] == ["I moved to Lisbon in May", "Take a raincoat to Seattle with you"]
    assert [message.role.value for message in memory.get_all()] == [
        "user",
        "assistant",
        "tool",
        "assistant",
    ]


@pytest.mark.parametrize("kind", KINDS)
async def test_scenario_20_initial_state_does_not_corrupt_what_was_said(
    bank: MemoryBank, kind: str
) -> None:
    """Scenario 20: with `initial_state` the agent rewrites the last message that it was given, in place."""
    llm = TellingLLM([call("weather", city="Seattle"), USED])
    state = {"mood": "sunny"}
    if kind == "workflow":
        guide = FunctionAgent(name="guide", description="A guide", tools=[weather], llm=llm)
        agent: Any = AgentWorkflow(agents=[guide], initial_state=state)
    else:
        agent = FunctionAgent(tools=[weather], llm=llm, initial_state=state)
    memory = CogMemMemory.from_defaults(bank, k=1)
    await agent.run(QUESTION, memory=memory)

    assert "sunny" in llm.prompts[0]
    assert memory.get_all()[0].content == QUESTION
    assert signals(bank) == [(HIKING, "used")]


@pytest.mark.parametrize("kind", KINDS)
async def test_two_turns_are_two_questions(bank: MemoryBank, kind: str) -> None:
    """The second turn recalls anew, and what was said in the first."""
    memory = CogMemMemory.from_defaults(bank)
    agent = agents(TellingLLM([call("weather", city="Oslo"), "Noted.", USED]))[kind]
    await agent.run("I have a cat called Tom", memory=memory)
    await agent.run("What is my cat Tom called?", memory=memory)

    assert recalls(bank) == 2
    assert memory.last_recall is not None
    assert "I have a cat called Tom" in [item.content for item in memory.last_recall.results]


@pytest.mark.parametrize("kind", KINDS)
async def test_instrumentation_beside_the_memory_counts_once(
    engine: Engine, bank: MemoryBank, kind: str
) -> None:
    """Scenario 5, in LlamaIndex: one signal per (recall, memory); and alone it says the same as the memory."""
    for auto_feedback in (True, False):
        memory = CogMemMemory.from_defaults(bank, auto_feedback=auto_feedback, save_mode="none")
        with CogMemInstrumentation(engine):
            await agents(TellingLLM(TOOL_THEN_ANSWER))[kind].run(QUESTION, memory=memory)

    assert signals(bank) == 2 * [(COFFEE, "ignored")] + 2 * [(HIKING, "used")]


async def test_a_handoff_is_no_answer(bank: MemoryBank) -> None:
    """Two agents, one turn: the answer of the second one counts."""
    first = FunctionAgent(
        name="first",
        description="Asks the second",
        llm=TellingLLM([call("handoff", to_agent="second", reason="knows better")]),
        can_handoff_to=["second"],
    )
    second = FunctionAgent(name="second", description="Knows", llm=TellingLLM(USED))
    workflow = AgentWorkflow(agents=[first, second], root_agent="first")
    await workflow.run(QUESTION, memory=CogMemMemory.from_defaults(bank, k=1))

    assert recalls(bank) == 1
    assert signals(bank) == [(HIKING, "used")]


async def test_what_a_tool_returns_directly_is_nobodys_fault(bank: MemoryBank) -> None:
    """`return_direct`: no model made an answer of the memories."""
    from llama_index.core.tools import FunctionTool

    tool = FunctionTool.from_defaults(weather, return_direct=True)
    agent = FunctionAgent(tools=[tool], llm=TellingLLM([call("weather", city="Seattle")]))
    answer = await agent.run(
        "I go hiking on Mount Rainier", memory=CogMemMemory.from_defaults(bank, k=1)
    )

    assert str(answer) == "It rains in Seattle"
    assert signals(bank) == []
    assert contents(bank)[2:] == ["I go hiking on Mount Rainier"]


REACT_TOOL = 'Thought: I need a tool.\nAction: weather\nAction Input: {"city": "Seattle"}'
REACT_ANSWER = f"Thought: I can answer without using any more tools.\nAnswer: {USED}"


@pytest.mark.parametrize("instrumented", [False, True])
async def test_a_react_agents_thoughts_are_no_answer(
    engine: Engine, bank: MemoryBank, instrumented: bool
) -> None:
    """ReAct models say everything as text; the answer is what follows "Answer:"."""
    # This agent leaves out the first system message that it is given.
    options: dict[str, Any] = {"insert_method": "user", "auto_feedback": not instrumented}
    memory = CogMemMemory.from_defaults(bank, k=1, save_mode="both", **options)
    llm = TellingLLM([REACT_TOOL, REACT_ANSWER])
    agent = ReActAgent(tools=[weather], llm=llm)
    with CogMemInstrumentation(engine) if instrumented else nullcontext():
        answer = await agent.run(QUESTION, memory=memory)

    assert str(answer) == USED
    assert all(HIKING in prompt for prompt in llm.prompts)
    assert signals(bank) == [(HIKING, "used")]
    assert [text for text in contents(bank)[2:] if "Thought" in text] == []


async def test_a_history_that_ends_with_the_question_works(bank: MemoryBank) -> None:
    """`agent.run(chat_history=...)` without a message of its own."""
    memory = CogMemMemory.from_defaults(bank, k=1)
    history = [
        ChatMessage("Hello"),
        ChatMessage("Hi!", role="assistant"),
        ChatMessage("I go hiking on Mount Rainier"),
    ]
    await FunctionAgent(llm=TellingLLM(USED)).run(chat_history=history, memory=memory)

    assert signals(bank) == [(HIKING, "used")]
    assert contents(bank)[2:] == ["I go hiking on Mount Rainier"]


@pytest.mark.parametrize("kind", KINDS)
async def test_tools_recall_and_remember(engine: Engine, bank: MemoryBank, kind: str) -> None:
    """`CogMemToolSpec`: the agent decides; what it found learns from the answer."""
    llm = TellingLLM([call("recall_memory", query="hiking on Mount Rainier?"), USED])
    tools = CogMemToolSpec(bank, k=1).to_tool_list()
    guide = FunctionAgent(name="guide", description="A guide", tools=tools, llm=llm)
    with CogMemInstrumentation(engine):
        await (AgentWorkflow(agents=[guide]) if kind == "workflow" else guide).run("Where to?")
        llm = TellingLLM([call("remember", content="Ann moved to Lisbon in May."), "Noted."])
        await FunctionAgent(tools=tools, llm=llm).run("I moved")

    assert signals(bank) == [(HIKING, "used")]
    assert "Remembered: Ann moved to Lisbon in May. (new)" in llm.prompts[-1]
    assert contents(bank)[2:] == ["Ann moved to Lisbon in May."]


def test_tools_are_described_and_work_without_an_agent(bank: MemoryBank) -> None:
    """The same words as in LangChain; sync."""
    recall_memory, remember = CogMemToolSpec(bank, session_id="s1").to_tool_list()

    assert recall_memory.metadata.name == "recall_memory"
    assert recall_memory.metadata.description.startswith(
        "Search your memory of earlier conversations."
    )
    assert set(recall_memory.metadata.get_parameters_dict()["properties"]) == {"query"}
    assert set(remember.metadata.get_parameters_dict()["properties"]) == {"content"}
    assert HIKING in str(recall_memory.call(query="hiking?").content)
    assert str(remember.call(content="Ann has a dog called Rex").content).startswith(
        "Remembered: Ann has a dog"
    )
    assert bank.recall("dog Rex", k=1).results[0].memory.session_id == "s1"


async def test_a_tool_that_fails_tells_the_model_why(engine: Engine) -> None:
    """The agent goes on."""
    llm = TellingLLM([call("recall_memory", query="hiking?"), "I do not know."])
    tools = CogMemToolSpec(
        engine=engine, namespace=lambda tags: tags.get("user_id", "")
    ).to_tool_list()
    answer = await FunctionAgent(tools=tools, llm=llm).run("Where to?")

    assert str(answer) == "I do not know."
    assert "namespace" in llm.prompts[-1]
