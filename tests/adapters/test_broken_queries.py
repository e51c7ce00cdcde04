"""What a framework hands to retrievers and tools was meant, whatever characters broke on the way."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest

import cogmem_core
from cogmem_core import Engine, MemoryBank
from langchain_cogmem import CogMemRetriever as ChainRetriever
from langchain_cogmem import create_memory_tools
from llamaindex_cogmem import CogMemRetriever, CogMemToolSpec

TOOLS = ("recall_memory", "remember", "forget", "why")
BROKEN = {
    "a NUL": "Ann likes hiking on Mount Rainier\x00",
    "a lone surrogate": "Ann likes hiking on Mount Rainier \udce9",
    "the wrong half": "\ud83d Ann likes hiking on Mount Rainier",
    "both": "Ann likes\x00 hiking on Mount Rainier\udfff",
    "nothing else": "\x00\ud800",
}


def of_langchain(bank: MemoryBank) -> Callable[..., str]:
    tools = {tool.name: tool for tool in create_memory_tools(bank, tools=TOOLS)}
    return lambda name, **arguments: str(tools[name].invoke(arguments))


def of_llamaindex(bank: MemoryBank) -> Callable[..., str]:
    tools = {tool.metadata.name: tool for tool in CogMemToolSpec(bank, tools=TOOLS).to_tool_list()}
    return lambda name, **arguments: tools[name].call(**arguments).content


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
@pytest.mark.parametrize("tools_of", [of_langchain, of_llamaindex])
def test_tools_take_broken_characters(
    bank: MemoryBank, tools_of: Callable[..., Any], broken: str
) -> None:
    """No error reaches the model, and what is kept can be stored."""
    call = tools_of(bank)
    answers = [
        call("recall_memory", query=broken),
        call("why", what=broken),
        call("forget", what=broken),
        call("remember", content=broken),
    ]
    if "hiking" in broken:
        for answer in answers[:3]:
            assert "hiking on Mount Rainier" in answer
    for answer in answers:
        assert "NUL" not in answer
        assert "surrogate" not in answer
        answer.encode()


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_retrievers_take_broken_characters(bank: MemoryBank, broken: str) -> None:
    """Both find what is meant, and raise nothing."""
    documents = ChainRetriever(bank=bank, raise_errors=True).invoke(broken)
    nodes = CogMemRetriever(bank, raise_errors=True).retrieve(broken)
    if "hiking" in broken:
        assert documents[0].page_content == "Ann likes hiking on Mount Rainier"
        assert nodes[0].text == "Ann likes hiking on Mount Rainier"


def user(config: Any) -> str:
    return str(config["configurable"]["user_id"])


def test_tools_of_langchain_can_be_pickled(tmp_path: Any) -> None:
    """Of a bank, of a namespace, and of a function of the run; they lead to the same memories."""
    run = {"configurable": {"user_id": "ann"}}
    with cogmem_core.open(tmp_path / "brain", embedder="hashing") as engine:
        engine.bank("ann").add("Ann likes hiking on Mount Rainier")
        for given in (
            {"bank": engine.bank("ann")},
            {"engine": engine, "namespace": "ann"},
            {"engine": engine, "namespace": user},
        ):
            tools = create_memory_tools(**given, tools=TOOLS)  # type: ignore[arg-type]
            for tool in pickle.loads(pickle.dumps(tools)):
                arguments = {
                    name: "hiking on Mount Rainier" for name in tool.args if name != "code"
                }
                answer = tool.invoke(arguments, run)
                if tool.name != "remember":
                    assert "Ann likes hiking on Mount Rainier" in answer


def test_a_pickled_tool_writes_where_the_first_one_did(engine: Engine) -> None:
    """And not into a copy."""
    _, remember = create_memory_tools(engine=engine, namespace=user)
    again = pickle.loads(pickle.dumps(remember))
    again.invoke({"content": "Ann moved to Lisbon in May."}, {"configurable": {"user_id": "ann"}})
    assert [memory.content for memory in engine.bank("ann").list()] == [
        "Ann moved to Lisbon in May."
    ]
