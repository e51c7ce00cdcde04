"""`profile=`: what is known of the user stands first, in sections or as the fields of one's own model."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from langchain.agents import create_agent
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from pydantic import BaseModel, Field

import cogmem_core
from cogmem_core import InvalidInput, MemoryBank
from helpers.langchain_models import Answering, signals
from langchain_cogmem import CogMemMiddleware, memory_wrapper, recall_node

THREAD: Any = {"configurable": {"thread_id": "t1"}}


class Person(BaseModel):
    """What an application wants to know of whom it serves."""

    home: str
    job: str | None = None
    shoe_size: int | None = Field(default=None, description="the size of the shoes")


@pytest.fixture
def bank() -> Iterator[MemoryBank]:
    with cogmem_core.open(embedder="hashing") as engine:
        bank = engine.bank("maya")
        bank.remember("I live in Leipzig.")
        bank.remember("I work as a product designer.")
        yield bank


def by_middleware(bank: MemoryBank, model: Answering, profile: Any) -> Any:
    return create_agent(
        model,
        [],
        system_prompt="Be kind.",
        middleware=[CogMemMiddleware(bank, profile=profile)],
        checkpointer=InMemorySaver(),
    )


def by_wrapper(bank: MemoryBank, model: Answering, profile: Any) -> Any:
    graph = StateGraph(MessagesState)
    graph.add_node("agent", memory_wrapper(create_agent(model, []), bank, profile=profile))
    graph.add_edge(START, "agent")
    return graph.compile(checkpointer=InMemorySaver())


def by_nodes(bank: MemoryBank, model: Answering, profile: Any) -> Any:
    graph = StateGraph(MessagesState)
    graph.add_node("recall", recall_node(bank, profile=profile))
    graph.add_node("model", lambda state: {"messages": [model.invoke(state["messages"])]})
    graph.add_edge(START, "recall")
    graph.add_edge("recall", "model")
    return graph.compile(checkpointer=InMemorySaver())


@pytest.mark.parametrize("make", [by_middleware, by_wrapper, by_nodes])
def test_the_fields_of_a_model_are_told_as_json(bank: MemoryBank, make: Callable[..., Any]) -> None:
    """One to a line, as far as they are known; a greeting asks for nothing, and is told of them."""
    model = Answering()
    make(bank, model, Person).invoke({"messages": [("user", "Good morning!")]}, THREAD)

    lines = model.prompts[0].splitlines()
    assert lines.count('- {"home": "Leipzig"}') == 1
    assert [line for line in lines if "designer" in line and "job" in line] == [
        '- {"job": "a product designer"}'
    ]
    assert "shoe" not in model.prompts[0]


def test_what_changed_is_told_anew(bank: MemoryBank) -> None:
    """What was known is told where it stood as long as it holds."""
    model = Answering()
    agent = by_middleware(bank, model, Person)
    for text in ("Good morning!", "I moved to Otley.", "And now?", "What is new?"):
        agent.invoke({"messages": [("user", text)]}, THREAD)
        bank.engine.flush()

    told = ['{"home": "Leipzig"}' in prompt for prompt in model.prompts]
    assert told == [True, True, False, False]
    assert '{"home": "Otley"}' in model.prompts[-1]


def test_what_is_told_above_is_not_told_again(bank: MemoryBank) -> None:
    """A model's fields, and what must always be kept in mind, stand once, first."""
    bank.remember("I'm allergic to peanuts.")
    model = Answering()
    agent = by_middleware(bank, model, Person)
    for text in ("Good morning!", "Thank you!", "Good evening!"):
        agent.invoke({"messages": [("user", text)]}, THREAD)

    assert [prompt.count("<memories>") for prompt in model.prompts] == [2, 2, 2]


def test_nothing_known_is_nothing_told(bank: MemoryBank) -> None:
    """Also of a field that the model itself must have."""
    model = Answering()
    nobody = bank.engine.bank("nobody")
    by_middleware(nobody, model, Person).invoke({"messages": [("user", "Good morning!")]}, THREAD)

    assert "<memories>" not in model.prompts[0]


def test_a_profile_in_sections(bank: MemoryBank) -> None:
    """`profile=True`; a fact that is asked for is told once, and learns from the answer."""
    model = Answering()
    by_middleware(bank, model, True).invoke({"messages": [("user", "Where do I live?")]}, THREAD)

    assert model.prompts[0].count("I live in Leipzig") == 1
    assert signals(bank) == 1


@pytest.mark.parametrize("profile", ["all", None, Person(home="Rome")])
def test_what_is_no_model_is_refused(bank: MemoryBank, profile: Any) -> None:
    """With the fix."""
    with pytest.raises(InvalidInput, match="give True, False or a pydantic model class"):
        CogMemMiddleware(bank, profile=profile)
