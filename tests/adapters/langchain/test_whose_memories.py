"""Whose memories are meant: one function, which names what it looks at, serves every adapter."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_classic.chains import ConversationChain
from langchain_core.messages import AIMessage
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.runtime import Runtime

from cogmem_core import Engine, InvalidInput, MemoryBank
from helpers.langchain_models import HIKING, Answering
from langchain_cogmem import (
    CogMemMemory,
    CogMemMiddleware,
    CogMemRetriever,
    create_memory_tools,
)

BOB = "Bob likes hiking in the Alps"


@pytest.fixture(autouse=True)
def _classic() -> Iterator[None]:
    """The chains of langchain-classic say themselves that they are classic."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def by_config(config: Any) -> str:
    return str(config["configurable"]["user_id"])


def by_context(context: Any) -> str:
    return str(context["user_id"])


async def by_config_later(config: Any) -> str:
    return str(config["configurable"]["user_id"])


async def by_context_later(context: Any) -> str:
    return str(context["user_id"])


CONFIG: Any = {"configurable": {"user_id": "bob"}, "metadata": {"user_id": "bob"}}


@pytest.fixture
def people(engine: Engine, bank: MemoryBank) -> Engine:
    """Ann's bank, and Bob's."""
    engine.bank("bob").add(BOB)
    return engine


@pytest.mark.parametrize("namespace", [by_config, by_context, by_context_later, by_config_later])
@pytest.mark.parametrize("kind", ["retriever", "tool", "chain", "agent"])
async def test_in_a_graph_the_same_function_serves_everything(
    people: Engine, kind: str, namespace: Any
) -> None:
    """What the graph was invoked with reaches whatever its nodes call."""
    asked: list[str] = []

    async def node(state: MessagesState, runtime: Runtime[Any]) -> dict[str, Any]:
        if kind == "retriever":
            retriever = CogMemRetriever(engine=people, namespace=namespace)
            asked.append(str(await retriever.ainvoke("hiking?")))
        elif kind == "tool":
            recall, _ = create_memory_tools(engine=people, namespace=namespace)
            asked.append(str(await recall.ainvoke({"query": "hiking?"})))
        elif kind == "chain":
            memory = CogMemMemory(engine=people, namespace=namespace)
            model = Answering()
            await ConversationChain(llm=model, memory=memory).ainvoke({"input": "hiking?"})
            asked.extend(model.prompts)
        else:
            model = Answering()
            middleware = CogMemMiddleware(engine=people, namespace=namespace)
            agent = create_agent(model, [], middleware=[middleware], context_schema=dict)
            await agent.ainvoke({"messages": [("user", "hiking?")]}, context=runtime.context)
            asked.extend(model.prompts)
        return {"messages": [AIMessage("done")]}

    graph = StateGraph(MessagesState, context_schema=dict)
    graph.add_node("node", node)
    graph.add_edge(START, "node")
    await graph.compile().ainvoke(
        {"messages": [("user", "hiking?")]}, CONFIG, context={"user_id": "bob"}
    )

    [text] = asked
    assert (BOB in text, HIKING in text) == (True, False)


async def test_what_is_missing_is_named_with_the_place_for_it(people: Engine) -> None:
    """By what the function asked for."""
    retriever = CogMemRetriever(engine=people, namespace=by_config)
    with pytest.raises(
        InvalidInput, match=r'found no .user_id.* {"configurable": {.user_id.: "ann"'
    ):
        retriever.invoke("hiking?")
    with pytest.raises(InvalidInput, match="found None in the run"):
        CogMemRetriever(engine=people, namespace=by_context).invoke("hiking?")
    agent = create_agent(
        Answering(), [], middleware=[CogMemMiddleware(engine=people, namespace=lambda user: user)]
    )
    with pytest.raises(InvalidInput, match=r"a function of user; it gets .*: metadata, inputs"):
        agent.invoke({"messages": [("user", "hiking?")]})
    with pytest.raises(InvalidInput, match=r"bank is an engine; give bank=engine\.bank"):
        create_memory_tools(people)  # type: ignore[arg-type]


async def test_an_async_function_within_an_event_loop_wants_the_async_form(people: Engine) -> None:
    """A synchronous call there cannot wait for it."""
    retriever = CogMemRetriever(engine=people, namespace=by_config_later)
    with pytest.raises(InvalidInput, match="use the async form, such as ainvoke"):
        retriever.invoke("hiking?", CONFIG)
