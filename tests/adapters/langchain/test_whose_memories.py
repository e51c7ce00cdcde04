"""Whose memories are meant: one function, which names what it looks at, serves every adapter."""

from __future__ import annotations

from typing import Any

import pytest
from langchain.agents import create_agent

from cogmem_core import Engine, InvalidInput, MemoryBank
from helpers.langchain_models import Answering
from langchain_cogmem import (
    CogMemMiddleware,
    CogMemRetriever,
    create_memory_tools,
)

BOB = "Bob likes hiking in the Alps"


def by_config(config: Any) -> str:
    return str(config["configurable"]["user_id"])


def by_context(context: Any) -> str:
    return str(context["user_id"])


async def by_config_later(config: Any) -> str:
    return str(config["configurable"]["user_id"])


CONFIG: Any = {"configurable": {"user_id": "bob"}, "metadata": {"user_id": "bob"}}


@pytest.fixture
def people(engine: Engine, bank: MemoryBank) -> Engine:
    """Ann's bank, and Bob's."""
    engine.bank("bob").add(BOB)
    return engine


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
