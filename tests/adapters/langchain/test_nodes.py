"""Memory in graphs that are written by hand: `recall_node`, `remember_node`, `memory_wrapper`."""

import asyncio
import operator
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain.agents.structured_output import ToolStrategy
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langchain_core.tools import InjectedToolCallId, tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import InjectedState, create_react_agent
from langgraph.types import Command
from pydantic import BaseModel

from cogmem_core import Engine, InvalidInput, MemoryBank
from helpers.langchain_models import (
    ABOUT_HIKING,
    COFFEE,
    HIKING,
    Answering,
    Seeing,
    failing,
    learnt,
    signals,
    weather,
)
from langchain_cogmem import CogMemCallbackHandler, memory_wrapper, recall_node, remember_node

JUDGED = {HIKING: (1, 0), COFFEE: (0, 1)}
QUESTION = {"messages": [("user", "hiking or coffee?")]}
CAT = "My cat is called Mochi"


class Informed(MessagesState):
    """A state with a place for what the model reads."""

    for_model: list[AnyMessage]


def in_a_row(schema: Any, *nodes: Any, saver: Any = None) -> Any:
    """A graph of nodes, one after the other."""
    graph = StateGraph(schema)
    names = [f"node-{number}" for number, _ in enumerate(nodes)]
    for name, node in zip(names, nodes, strict=True):
        graph.add_node(name, node)
    for start, end in zip([START, *names], names, strict=False):
        graph.add_edge(start, end)
    return graph.compile(checkpointer=saver)


def by_hand(model: Answering, saver: Any = None, **whose: Any) -> Any:
    """Recall, ask, remember: what the model reads is a message more."""

    def answer(state: MessagesState) -> dict[str, Any]:
        return {"messages": [model.invoke(state["messages"])]}

    nodes = recall_node(**whose), answer, remember_node(**whose)
    return in_a_row(MessagesState, *nodes, saver=saver)


def by_key(model: Answering, saver: Any = None, **whose: Any) -> Any:
    """The same; what the model reads has a place of its own."""

    def answer(state: Informed) -> dict[str, Any]:
        return {"messages": [model.invoke(state["for_model"])]}

    recall = recall_node(output_key="for_model", **whose)
    return in_a_row(Informed, recall, answer, remember_node(**whose), saver=saver)


def by_hooks(model: Answering, saver: Any = None, tools: tuple[Any, ...] = (), **whose: Any) -> Any:
    """LangGraph's own agent, with both nodes as its hooks."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return create_react_agent(
            model,
            list(tools),
            prompt="Be kind.",
            pre_model_hook=recall_node(**whose),
            post_model_hook=remember_node(**whose),
            checkpointer=saver,
        )


def around_an_agent(model: Answering, saver: Any = None, **whose: Any) -> Any:
    """An agent that is a node of a graph."""
    return in_a_row(MessagesState, memory_wrapper(create_agent(model, []), **whose), saver=saver)


def around_a_function(model: Answering, saver: Any = None, **whose: Any) -> Any:
    """A node of one's own."""

    def answer(state: MessagesState) -> dict[str, Any]:
        return {"messages": [model.invoke(state["messages"])]}

    return in_a_row(MessagesState, memory_wrapper(answer, **whose), saver=saver)


CLEAN: list[Callable[..., Any]] = [by_key, by_hooks, around_an_agent, around_a_function]
ALL = pytest.mark.parametrize("make", [by_hand, *CLEAN])


def ask(graph: Any, given: Any, config: Any, *, asynchronous: bool) -> Any:
    if asynchronous:
        return asyncio.run(graph.ainvoke(given, config))
    return graph.invoke(given, config)


@pytest.mark.parametrize("asynchronous", [False, True])
@ALL
def test_the_model_is_informed_the_answer_judged_the_user_remembered(
    bank: MemoryBank, make: Callable[..., Any], *, asynchronous: bool
) -> None:
    """As by the middleware: in the session of the thread, under the message's id."""
    model = Answering()
    graph = make(model, InMemorySaver(), bank=bank)
    thread: Any = {"configurable": {"thread_id": "t1"}}

    first = ask(graph, QUESTION, thread, asynchronous=asynchronous)
    judged = learnt(bank)
    cat = {"messages": [HumanMessage(CAT, id="m1", name="Ann")]}
    ask(graph, cat, thread, asynchronous=asynchronous)

    assert (HIKING in model.prompts[0], len(model.prompts)) == (True, 2)
    assert first["messages"][-1].text == ABOUT_HIKING
    assert judged == JUDGED
    assert len(learnt(bank)) == 3
    said = next(memory for memory in bank.list() if memory.content == CAT)
    assert (said.session_id, said.refs, said.speaker) == ("t1", ("m1",), "Ann")


@pytest.mark.parametrize("make", CLEAN)
def test_the_history_holds_nothing_but_what_was_said(
    bank: MemoryBank, make: Callable[..., Any]
) -> None:
    """What the model read besides is in none of the state's messages."""
    said = make(Answering(), bank=bank).invoke(QUESTION)["messages"]

    assert [message.text for message in said] == ["hiking or coffee?", ABOUT_HIKING]


def test_without_a_place_of_their_own_memories_are_a_message_of_nobody_s(bank: MemoryBank) -> None:
    """It stands behind the user's, is marked, and no word of it is remembered or asked for."""
    graph = by_hand(Answering(), InMemorySaver(), bank=bank)
    thread: Any = {"configurable": {"thread_id": "t1"}}

    graph.invoke(QUESTION, thread)
    said = graph.invoke({"messages": [("user", "hiking?")]}, thread)["messages"]

    assert [message.type for message in said] == ["human", "human", "ai"] * 2
    assert said[1].text.startswith("<memories>")
    assert said[1].additional_kwargs["lc_source"] == "cogmem"
    assert sorted(learnt(bank)) == sorted(JUDGED)


@ALL
def test_each_user_has_a_bank(engine: Engine, make: Callable[..., Any]) -> None:
    """A template, filled by the configuration of the run; what is missing is named."""
    engine.bank("user-ann").add(HIKING)
    engine.bank("user-bob").add(COFFEE)
    model = Answering()
    graph = make(model, engine=engine, namespace="user-{user_id}")

    graph.invoke(QUESTION, {"configurable": {"user_id": "ann"}})
    graph.invoke(QUESTION, {"configurable": {"user_id": "bob"}})

    known = [(HIKING in prompt, COFFEE in prompt) for prompt in model.prompts]
    assert known == [(True, False), (False, True)]
    assert learnt(engine.bank("user-ann")) == {HIKING: (1, 0)}
    with pytest.raises(InvalidInput, match=r"tells no 'user_id'.*\"configurable\""):
        graph.invoke(QUESTION)


@pytest.mark.parametrize("make", [by_key, around_an_agent])
def test_a_run_that_tells_so_leaves_nothing(bank: MemoryBank, make: Callable[..., Any]) -> None:
    """`remember=False`: it is informed, and nothing is learnt or kept."""
    model = Answering()
    graph = make(model, bank=bank)

    graph.invoke({"messages": [("user", CAT)]}, {"configurable": {"remember": False}})
    graph.invoke(QUESTION, {"configurable": {"remember": False}})

    assert HIKING in model.prompts[1]
    assert learnt(bank) == {HIKING: (0, 0), COFFEE: (0, 0)}


# --- hooks ---


def test_hooks_recall_once_a_turn_and_judge_the_final_answer_once(bank: MemoryBank) -> None:
    """Whatever tools are called in between: each prompt begins as the one before did."""
    call = AIMessage("", tool_calls=[{"name": "weather", "args": {"place": "Oslo"}, "id": "1"}])
    model = Seeing(answer=lambda prompt: ABOUT_HIKING if "It rains" in prompt else call)

    by_hooks(model, tools=(weather,), bank=bank).invoke(QUESTION)

    first, second = model.seen
    assert second[: len(first)] == first
    assert learnt(bank) == JUDGED
    assert signals(bank) == 2


def test_a_node_in_front_of_the_model_too_and_a_failure_loses_nothing(bank: MemoryBank) -> None:
    """What was written before the model failed is written once."""

    def answer(state: Any) -> Any:
        return {"messages": [Answering(answer=failing).invoke(state["messages"])]}

    remember = remember_node(bank=bank)
    graph = in_a_row(MessagesState, remember, recall_node(bank=bank), answer, remember)
    for _ in range(2):
        with pytest.raises(ConnectionError):
            graph.invoke({"messages": [HumanMessage(CAT, id="m1")]})

    learnt(bank)
    [said] = [memory for memory in bank.list() if memory.content == CAT]
    assert said.refs == ("m1",)


# --- the wrapper ---


class Typed(BaseModel):
    """A state of pydantic's."""

    talk: Annotated[list[Any], operator.add] = []


@dataclass
class Plain:
    """A state that is a dataclass."""

    talk: Annotated[list[Any], operator.add]


@pytest.mark.parametrize("schema", [Typed, Plain])
def test_states_of_other_kinds_and_other_keys(bank: MemoryBank, schema: type) -> None:
    """`messages_key` names where the messages are."""
    model = Answering()

    def answer(state: Any) -> Any:
        return {"talk": [model.invoke(state.talk)]}

    graph = in_a_row(schema, memory_wrapper(answer, bank=bank, messages_key="talk"))
    said = graph.invoke({"talk": [HumanMessage("hiking or coffee?", id="1")]})["talk"]

    assert HIKING in model.prompts[0]
    assert [message.text for message in said] == ["hiking or coffee?", ABOUT_HIKING]
    assert learnt(bank) == JUDGED
    with pytest.raises(InvalidInput, match="no 'messages'; name the key of its messages"):
        in_a_row(schema, recall_node(bank=bank)).invoke({"talk": [HumanMessage("hiking?")]})


def test_messages_without_ids_are_told_apart_by_their_answers(bank: MemoryBank) -> None:
    """The same words again are another turn, for which it recalls again."""
    model = Answering()

    def answer(state: Any) -> Any:
        return {"talk": [model.invoke(state.talk)]}

    recall = recall_node(bank=bank, messages_key="talk")
    remember = remember_node(bank=bank, messages_key="talk")
    graph = in_a_row(Plain, recall, answer, remember)
    graph.invoke({"talk": [HumanMessage("hiking or coffee?")]})
    bank.add("Ann likes hiking and coffee at dawn")
    graph.invoke({"talk": [HumanMessage("hiking or coffee?")]})

    assert ["at dawn" in prompt for prompt in model.prompts] == [False, True]
    assert learnt(bank)[HIKING] == (2, 0)


def test_it_shows_the_name_and_the_graph_of_what_it_wraps(bank: MemoryBank) -> None:
    """Supervisors and swarms ask for both; by itself it works, too."""
    agent = create_agent(Answering(), [weather], name="desk")
    desk = memory_wrapper(agent, bank=bank)

    assert desk.get_name() == "desk"
    assert "tools" in desk.get_graph().nodes
    said = desk.invoke(QUESTION)["messages"]
    assert [message.text for message in said] == ["hiking or coffee?", ABOUT_HIKING]
    assert learnt(bank) == JUDGED


def test_an_agent_that_remembers_by_itself_shows_what_was_said(bank: MemoryBank) -> None:
    """Its own history holds the memories, in front of the messages; what it returns does not."""
    model = Seeing()
    agent = create_agent(model, [], checkpointer=InMemorySaver())
    desk = memory_wrapper(agent, bank=bank)
    thread: Any = {"configurable": {"thread_id": "t1"}}

    desk.invoke(QUESTION, thread)
    said = desk.invoke({"messages": [("user", "coffee?")]}, thread)["messages"]

    texts = ["hiking or coffee?", ABOUT_HIKING, "coffee?", ABOUT_HIKING]
    assert [message.text for message in said] == texts
    assert model.seen[1][: len(model.seen[0])] == model.seen[0]


def test_an_agent_within_may_stop_to_ask_and_its_words_are_streamed(bank: MemoryBank) -> None:
    """As without the wrapper: it goes on where it stopped, and what was said is kept once."""
    call = AIMessage("", tool_calls=[{"name": "weather", "args": {"place": "Oslo"}, "id": "1"}])
    model = Answering(answer=lambda prompt: ABOUT_HIKING if "It rains" in prompt else call)
    approval = HumanInTheLoopMiddleware({"weather": True})
    agent = create_agent(model, [weather], middleware=[approval])
    graph = in_a_row(MessagesState, memory_wrapper(agent, bank=bank), saver=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "t1"}}

    said = {"messages": [("user", CAT), ("user", "hiking or coffee?")]}
    stopped = graph.invoke(said, thread)
    approved = Command(resume={"decisions": [{"type": "approve"}]})
    pieces = [
        chunk.text
        for _, (chunk, _) in graph.stream(approved, thread, stream_mode="messages", subgraphs=True)
        if chunk.type == "AIMessageChunk"
    ]

    assert "__interrupt__" in stopped
    assert "".join(pieces) == ABOUT_HIKING
    texts = [message.text for message in graph.get_state(thread).values["messages"]]
    assert texts == [CAT, "hiking or coffee?", "", "It rains in Oslo", ABOUT_HIKING]
    assert {text: learnt(bank)[text] for text in (HIKING, COFFEE)} == JUDGED
    assert sum("Mochi" in memory.content for memory in bank.list()) == 1


def test_a_swarm_hands_over(bank: MemoryBank) -> None:
    """Two agents of one graph recall for the same words: they are kept once, and so is each judgement."""
    model = Answering()

    def desk(_: MessagesState) -> Command[str]:
        return Command(goto="vet", update={"messages": [AIMessage("Ask the vet.", name="desk")]})

    def vet(state: MessagesState) -> Any:
        return {"messages": [model.invoke(state["messages"])]}

    graph = StateGraph(MessagesState)
    graph.add_node("desk", memory_wrapper(desk, bank=bank), destinations=("vet",))
    graph.add_node("vet", memory_wrapper(vet, bank=bank))
    graph.add_edge(START, "desk")
    graph.compile().invoke({"messages": [("user", CAT), ("user", "hiking or coffee?")]})

    assert model.prompts[0].count("<memories>") == 1
    assert {**learnt(bank), **JUDGED} == learnt(bank)
    assert sum("Mochi" in memory.content for memory in bank.list()) == 1
    assert signals(bank) == 2


@tool
def to_the_vet(
    state: Annotated[Any, InjectedState], call_id: Annotated[str, InjectedToolCallId]
) -> Command[Any]:
    """Hand over to the vet, as langgraph-swarm does."""
    said = ToolMessage("Transferred to vet", tool_call_id=call_id)
    update = {"messages": [*state["messages"], said]}
    return Command(goto="vet", graph=Command.PARENT, update=update)


@pytest.mark.parametrize("asynchronous", [False, True])
def test_an_agent_hands_over_within_its_tools(bank: MemoryBank, *, asynchronous: bool) -> None:
    """What it hands over is what was said, and only the answer is judged."""
    call = AIMessage("", tool_calls=[{"name": "to_the_vet", "args": {}, "id": "1"}])
    desk = create_agent(Answering(answer=lambda _: call), [to_the_vet])
    vet = Answering()
    graph = StateGraph(MessagesState)
    graph.add_node("desk", memory_wrapper(desk, bank=bank), destinations=("vet",))
    graph.add_node("vet", memory_wrapper(create_agent(vet, []), bank=bank))
    graph.add_edge(START, "desk")

    said = ask(graph.compile(), QUESTION, None, asynchronous=asynchronous)["messages"]

    texts = ["hiking or coffee?", "", "Transferred to vet", ABOUT_HIKING]
    assert [message.text for message in said] == texts
    assert vet.prompts[0].count("<memories>") == 1
    assert learnt(bank) == JUDGED
    assert signals(bank) == 2


@pytest.mark.parametrize(
    "result",
    [
        None,
        {},
        {"messages": []},
        {"other": 1},
        Command(goto="end"),
        Command(update={"messages": []}),
        Command(update=[("messages", [AIMessage("Hi", id="1")])]),
        [Command(goto="end")],
        "Done.",
    ],
    ids=str,
)
def test_a_node_may_return_whatever_graphs_take(bank: MemoryBank, result: Any) -> None:
    """It comes back as it was; what was said to it is kept."""
    node = memory_wrapper(lambda _: result, bank=bank)

    assert node.invoke({"messages": [HumanMessage(CAT, id="m1")]}) == result
    assert CAT in learnt(bank)


def test_a_list_of_messages_is_a_state_too(bank: MemoryBank) -> None:
    """So a chat model itself can be wrapped."""
    model = Answering()

    answer = memory_wrapper(model, bank=bank).invoke([("user", "hiking or coffee?")])

    assert (answer.text, HIKING in model.prompts[0]) == (ABOUT_HIKING, True)
    assert learnt(bank) == JUDGED


class Place(BaseModel):
    """An answer in a structure."""

    mountain: str


def test_an_answer_in_a_structure_is_judged(bank: MemoryBank) -> None:
    """That of a tool's arguments."""
    call = {"name": "Place", "args": {"mountain": "Mount Rainier, for hiking"}, "id": "1"}
    model = Answering(answer=lambda _: AIMessage("", tool_calls=[call]))
    agent = create_agent(model, [], response_format=ToolStrategy(Place))

    memory_wrapper(agent, bank=bank).invoke(QUESTION)

    assert learnt(bank) == JUDGED


@pytest.mark.parametrize("make", [by_hand, *CLEAN])
def test_with_a_handler_too_nothing_counts_twice(
    bank: MemoryBank, make: Callable[..., Any]
) -> None:
    """One answer judges a memory once, whoever reports it."""
    handler = CogMemCallbackHandler(bank)

    make(Answering(), bank=bank).invoke(QUESTION, {"callbacks": [handler]})

    assert learnt(bank) == JUDGED
    assert signals(bank) == 2


@pytest.mark.parametrize("make", [by_hand, *CLEAN])
async def test_many_users_at_once(engine: Engine, make: Callable[..., Any]) -> None:
    """Each is told his own, and judged by his own answer."""
    users = [f"user{number:02}" for number in range(6)]
    for user in users:
        engine.bank(user).add(f"The locker of {user} is number {user[-2:]}44")
    model = Answering(answer=lambda prompt: prompt.split("The locker of ")[1].split("\n")[0])
    graph = make(model, engine=engine, namespace="{user_id}")

    answers = await asyncio.gather(
        *(
            graph.ainvoke(
                {"messages": [("user", "What is my locker number?")]},
                {"configurable": {"user_id": user}},
            )
            for user in users
        )
    )

    for user, answer in zip(users, answers, strict=True):
        assert answer["messages"][-1].text.startswith(f"{user} is number {user[-2:]}44")
        assert list(learnt(engine.bank(user)).values()) == [(1, 0)]


def test_options_are_checked_at_once(bank: MemoryBank) -> None:
    """By the names that they have here."""
    with pytest.raises(InvalidInput, match="k is 0"):
        recall_node(bank, k=0)
    with pytest.raises(InvalidInput, match="save_mode is 'all'"):
        remember_node(bank, save_mode="all")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="node is a int; give a function or a runnable"):
        memory_wrapper(7, bank)
