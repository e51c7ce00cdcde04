"""What nodes, planners, guards and rejected approvals say: only what a person gave to a graph is the person's."""

import asyncio
import inspect
import operator
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, get_args

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import (
    HumanInTheLoopMiddleware,
    before_agent,
    before_model,
    human_in_the_loop,
)
from langchain_classic.chains import ConversationChain
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableLambda, RunnableParallel
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command, Send, interrupt

import cogmem_core
import langchain_cogmem
from cogmem_core import MemoryBank
from helpers.langchain_models import Answering, learnt
from helpers.tables import rows_of
from langchain_cogmem import (
    CogMemChatMessageHistory,
    CogMemMemory,
    CogMemMiddleware,
    memory_wrapper,
    remember_node,
)

CAT = "My cat is called Mochi"
TASK = "I owe Mallory a thousand euros."


def texts(bank: MemoryBank) -> list[str]:
    return sorted(learnt(bank))


def see(_: str = "") -> str:
    return "I see."


def an_agent(bank: MemoryBank) -> Any:
    return create_agent(Answering(answer=see), [], middleware=[CogMemMiddleware(bank)])


def a_wrapped_agent(bank: MemoryBank) -> Any:
    return memory_wrapper(create_agent(Answering(answer=see), []), bank)


def a_remembering_node(bank: MemoryBank) -> Any:
    return remember_node(bank)


def a_history(bank: MemoryBank) -> Any:
    def keep(state: MessagesState) -> Any:
        history = CogMemChatMessageHistory(bank, session_id="s1")
        history.add_messages([state["messages"][-1], AIMessage("I see.")])
        return {}

    return keep


def a_chain(bank: MemoryBank) -> Any:
    chain = ConversationChain(llm=Answering(answer=see), memory=CogMemMemory(bank))
    return lambda state: {
        "messages": [AIMessage(chain.invoke(state["messages"][-1].text)["response"])]
    }


WORKERS = pytest.mark.parametrize(
    "worker", [an_agent, a_wrapped_agent, a_remembering_node, a_history, a_chain]
)


def sent(task: str) -> Callable[[Any], Any]:
    """A planner that sends a task."""
    message = HumanMessage(task)
    return lambda _: Command(goto=[Send("worker", {"messages": [message]})])


def told(task: str, name: str | None = None) -> Callable[[Any], Any]:
    """A planner that speaks in a person's name."""
    message = HumanMessage(task, name=name)
    return lambda _: Command(goto="worker", update={"messages": [message]})


def silent(_: Any) -> Any:
    """A planner that says nothing."""
    return Command(goto="worker")


def planned(plan: Callable[[Any], Any], worker: Any, saver: Any = None) -> Any:
    graph = StateGraph(MessagesState)
    graph.add_node("plan", plan, destinations=("worker",))
    graph.add_node("worker", worker)
    graph.add_edge(START, "plan")
    return graph.compile(checkpointer=saver)


def invoke(graph: Any, given: Any, config: Any = None) -> None:
    graph.invoke(given, config)


def ainvoke(graph: Any, given: Any, config: Any = None) -> None:
    asyncio.run(graph.ainvoke(given, config))


def in_a_chain(graph: Any, given: Any, config: Any = None) -> None:
    (RunnableLambda(lambda _: given) | graph).invoke(7, config)


WAYS = pytest.mark.parametrize("run", [invoke, ainvoke, in_a_chain])


@WAYS
@WORKERS
def test_what_a_graph_was_given_is_the_person_s(
    bank: MemoryBank, worker: Callable[..., Any], run: Callable[..., None]
) -> None:
    """Whichever node hears it."""
    run(planned(silent, worker(bank)), {"messages": [("user", CAT)]})

    assert CAT in texts(bank)


@WAYS
@pytest.mark.parametrize(
    "plan",
    [sent(TASK), told(TASK), told(TASK, name="planner")],
    ids=["sent", "told", "told in a name"],
)
@WORKERS
def test_what_a_planner_says_is_nobody_s(
    bank: MemoryBank,
    worker: Callable[..., Any],
    plan: Callable[[Any], Any],
    run: Callable[..., None],
) -> None:
    """By `Send`, or among the messages of all, with a name or without."""
    run(planned(plan, worker(bank)), {"messages": [("user", CAT)]})

    assert [text for text in texts(bank) if "Mallory" in text] == []


def test_beside_a_planner_the_person_s_own_words_are_kept(bank: MemoryBank) -> None:
    """Both stand among the messages that the agent is given."""
    planned(told(TASK), an_agent(bank)).invoke({"messages": [("user", CAT)]})

    assert CAT in texts(bank)


class Asked(MessagesState):
    """A graph that is given a question, not messages."""

    question: str
    notes: Annotated[list[str], operator.add]


def test_what_was_given_by_another_key_is_the_person_s(bank: MemoryBank) -> None:
    """A node may make the message of it."""

    def hear(state: Asked) -> Any:
        return {"messages": [HumanMessage(state["question"])]}

    graph = StateGraph(Asked)
    graph.add_node("hear", hear)
    graph.add_node("agent", an_agent(bank))
    graph.add_edge(START, "hear")
    graph.add_edge("hear", "agent")
    graph.compile().invoke({"question": CAT})

    assert CAT in texts(bank)


def test_the_answer_to_an_interrupt_is_the_person_s(bank: MemoryBank) -> None:
    """What was said before it is, too."""

    def ask(_: MessagesState) -> Any:
        return Command(goto="worker", update={"messages": [HumanMessage(interrupt("Which pet?"))]})

    graph = planned(ask, an_agent(bank), InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "t1"}}
    graph.invoke({"messages": [("user", "My sister Lena lives in Oslo")]}, thread)
    graph.invoke(Command(resume=CAT), thread)

    assert {CAT, "My sister Lena lives in Oslo"} <= {*texts(bank)}


def test_two_streams_at_once_are_told_apart(bank: MemoryBank) -> None:
    """Also where one and the same caller takes a step of each in turn."""
    lena = "My sister Lena lives in Oslo"
    graph = planned(told(TASK), an_agent(bank))

    streams = [graph.stream({"messages": [("user", text)]}) for text in (CAT, lena)]
    for _ in zip(*streams, strict=True):
        pass

    assert {CAT, lena} <= {*texts(bank)}
    assert TASK not in texts(bank)


def test_two_agents_beside_each_other_are_told_apart(bank: MemoryBank) -> None:
    """Of one run that is no graph."""
    lena = "My sister Lena lives in Oslo"
    graph = planned(told(TASK), an_agent(bank))

    def given(text: str) -> Any:
        return RunnableLambda(lambda _: {"messages": [("user", text)]})

    RunnableParallel(first=given(CAT) | graph, second=given(lena) | graph).invoke(7)

    assert {CAT, lena} <= {*texts(bank)}
    assert TASK not in texts(bank)


def test_after_a_run_a_conversation_goes_on_by_itself(bank: MemoryBank) -> None:
    """Outside of graphs nobody but the caller speaks."""
    planned(silent, an_agent(bank)).invoke({"messages": [("user", "Hello")]})
    CogMemChatMessageHistory(bank, session_id="s1").add_user_message(CAT)

    assert CAT in texts(bank)


# --- guards ---


@before_agent(can_jump_to=["end"])
def refusing_agent(state: Any, runtime: Any) -> Any:
    """Blocks what mentions Mallory, before the agent begins."""
    if "Mallory" in state["messages"][-1].text:
        return {"messages": [AIMessage("I cannot do that.")], "jump_to": "end"}
    return None


@before_model(can_jump_to=["end"])
def refusing_model(state: Any, runtime: Any) -> Any:
    """The same, before the model is asked."""
    if "Mallory" in state["messages"][-1].text:
        return {"messages": [AIMessage("I cannot do that.")], "jump_to": "end"}
    return None


@before_model(can_jump_to=["end"])
def silencing(state: Any, runtime: Any) -> Any:
    """Ends without a word."""
    return {"jump_to": "end"} if "Mallory" in state["messages"][-1].text else None


@pytest.mark.parametrize("ours_first", [True, False])
@pytest.mark.parametrize("guard", [refusing_agent, refusing_model, silencing], ids=lambda g: g.name)
def test_what_a_guard_kept_from_the_model_is_not_remembered(
    bank: MemoryBank, guard: Any, *, ours_first: bool
) -> None:
    """In the first turn and in a later one; what it lets pass is, and memories are not judged by its words."""
    ours = CogMemMiddleware(bank)
    agent = create_agent(
        Answering(answer=see),
        [],
        middleware=[ours, guard] if ours_first else [guard, ours],
        checkpointer=InMemorySaver(),
    )
    before = learnt(bank)
    for text in (TASK, CAT, TASK):
        agent.invoke({"messages": [("user", text)]}, {"configurable": {"thread_id": "t1"}})

    assert texts(bank) == sorted([*before, CAT])


# --- approvals ---


@tool
def book(flight: str) -> str:
    """Book a flight."""
    return f"Booked {flight}"


def booking(_: str = "") -> Any:
    """Books, until it is told otherwise."""
    call = AIMessage("", tool_calls=[{"name": "book", "args": {"flight": "LH 1"}, "id": "1"}])
    return lambda prompt: call if "I never fly" not in prompt else "Then by train."


def approving(bank: MemoryBank, saver: Any) -> Any:
    approval = HumanInTheLoopMiddleware({"book": True})
    return create_agent(
        Answering(answer=booking()),
        [book],
        middleware=[CogMemMiddleware(bank), approval],
        checkpointer=saver,
    )


RESPONDS = "respond" in get_args(human_in_the_loop.DecisionType)
REASON = "I never fly since my accident in Lyon"


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize(
    "kind",
    [
        "reject",
        pytest.param("respond", marks=pytest.mark.skipif(not RESPONDS, reason="came later")),
    ],
)
@pytest.mark.parametrize("elsewhere", [False, True])
def test_words_of_a_rejected_approval_are_the_person_s(
    tmp_path: Path, kind: str, *, asynchronous: bool, elsewhere: bool
) -> None:
    """Once, in his session, also where another process resumes the run."""
    saver = InMemorySaver()
    thread: Any = {"configurable": {"thread_id": "t1"}}
    with cogmem_core.open(tmp_path, embedder="hashing") as engine:
        bank = engine.bank("ann")
        agent = approving(bank, saver)
        agent.invoke({"messages": [("user", f"{CAT}. Book me a flight to Rome.")]}, thread)
        if elsewhere:
            agent = approving(bank, saver)
        decisions = Command(resume={"decisions": [{"type": kind, "message": REASON}]})
        if asynchronous:
            asyncio.run(agent.ainvoke(decisions, thread))
        else:
            agent.invoke(decisions, thread)

        said = [memory for memory in bank_list(bank) if "Lyon" in memory.content]
        assert [(memory.content, memory.session_id, memory.data_source) for memory in said] == [
            (REASON, "t1", "user_message")
        ]


def bank_list(bank: MemoryBank) -> Any:
    bank.engine.flush()
    return bank.list()


def test_an_approval_without_words_says_nothing(bank: MemoryBank) -> None:
    """LangChain's own words for it are nobody's, and what a tool returns is none either."""
    agent = create_agent(
        Answering(
            answer=lambda prompt: (
                "Done." if "book" in prompt or "LH" in prompt else booking()(prompt)
            )
        ),
        [book],
        middleware=[CogMemMiddleware(bank), HumanInTheLoopMiddleware({"book": True})],
        checkpointer=InMemorySaver(),
    )
    for number, decision in enumerate(
        (
            {"type": "reject"},
            {"type": "approve"},
            {"type": "edit", "edited_action": {"name": "book", "args": {"flight": "LH 2"}}},
        )
    ):
        thread: Any = {"configurable": {"thread_id": str(number)}}
        agent.invoke({"messages": [("user", "To Rome?")]}, thread)
        agent.invoke(Command(resume={"decisions": [decision]}), thread)

    assert [text for text in texts(bank) if "LH" in text or "rejected" in text] == []


# --- assistants ---


FILLER = rows_of("whose_words/filler")


@pytest.mark.parametrize("text", FILLER)
def test_filler_and_refusals_of_assistants_are_no_memories(bank: MemoryBank, text: str) -> None:
    """Also where what they say is remembered."""
    before = texts(bank)
    CogMemChatMessageHistory(bank, session_id="s1", save_mode="both").add_ai_message(text)
    agent = create_agent(
        Answering(answer=lambda _: text), [], middleware=[CogMemMiddleware(bank, save_mode="both")]
    )
    agent.invoke({"messages": [("user", "What is the weather like?")]})

    assert texts(bank) == before


def test_the_words_of_the_user_are_the_default_everywhere() -> None:
    """One default, whatever remembers."""
    defaults = {
        name: parameters["save_mode"].default
        for name in langchain_cogmem.__all__
        if "save_mode"
        in (parameters := inspect.signature(getattr(langchain_cogmem, name)).parameters)
    }

    assert defaults == dict.fromkeys(
        [
            "CogMemChatMessageHistory",
            "CogMemMemory",
            "CogMemMiddleware",
            "memory_wrapper",
            "remember_node",
        ],
        "user",
    )
