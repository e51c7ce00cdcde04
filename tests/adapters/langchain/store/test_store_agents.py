"""`CogMemStore` as LangChain agents and langmem use it."""

from __future__ import annotations

import json
import sys
import warnings
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.tools import ToolRuntime, tool
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, ToolMessage

from cogmem_core import MemoryBank
from langchain_cogmem.store import CogMemStore

HAS_LANGMEM = sys.version_info >= (3, 11)
if HAS_LANGMEM:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what langmem is built on imports from deprecated places
        from langmem import create_manage_memory_tool, create_search_memory_tool

with_langmem = pytest.mark.skipif(
    not HAS_LANGMEM, reason="langmem cannot be imported on Python 3.10"
)


class Scripted(GenericFakeChatModel):
    """Says what it was told to say, and may be given tools."""

    def bind_tools(self, tools: Any, **more: Any) -> Scripted:
        return self


def call(name: str, arguments: dict[str, Any], number: int = 1) -> AIMessage:
    return AIMessage("", tool_calls=[{"name": name, "args": arguments, "id": f"call-{number}"}])


@tool
def jot(text: str, runtime: ToolRuntime) -> str:
    """Write something down, and say what is known about it."""
    runtime.store.put(("notes", "today"), text, {"text": text})
    found = runtime.store.search(("notes",), query=text, limit=2)
    first = runtime.store.get(("notes", "today"), text)
    return "; ".join([first.value["text"], *(item.value["text"] for item in found)])


class TestAgents:
    """INTERFACES scenario 15: "`create_agent(store=CogMemStore(engine))`: tool `runtime.store.put/search`"."""

    def told(self, state: dict[str, Any]) -> list[str]:
        return [message.text for message in state["messages"] if isinstance(message, ToolMessage)]

    def test_a_tool_writes_and_searches(self, store: CogMemStore, bank: MemoryBank) -> None:
        """And what one run has put the next one finds."""
        lines = iter([call("jot", {"text": "the cello is old"}), AIMessage("ok")] * 2)
        agent = create_agent(Scripted(messages=lines), [jot], store=store)
        first = agent.invoke({"messages": [("user", "note it")]})
        assert self.told(first) == ["the cello is old; the cello is old"]
        store.put(("notes", "old"), "k", {"text": "cello strings"})
        second = agent.invoke({"messages": [("user", "note it again")]})
        assert self.told(second) == ["the cello is old; the cello is old; cello strings"]
        assert bank.count(category="item") == 2

    @with_langmem
    def test_the_tools_of_langmem(self, store: CogMemStore) -> None:
        """INTERFACES scenario 15: "langmem manage/search tools", as an agent calls them."""
        space = ("memories", "{langgraph_user_id}")
        tools = [create_manage_memory_tool(space), create_search_memory_tool(space)]
        config = {"configurable": {"langgraph_user_id": "alice"}}

        def run(*messages: AIMessage) -> list[str]:
            agent = create_agent(
                Scripted(messages=iter([*messages, AIMessage("ok")])), tools, store=store
            )
            return self.told(agent.invoke({"messages": [("user", "go on")]}, config))

        run(call("manage_memory", {"content": "Prefers tea", "action": "create"}))
        run(call("manage_memory", {"content": "Plays the cello", "action": "create"}))
        (tea,) = [
            item
            for item in store.search(("memories", "alice"))
            if item.value == {"content": "Prefers tea"}
        ]
        run(call("manage_memory", {"content": "Prefers coffee", "action": "update", "id": tea.key}))
        (told,) = run(call("search_memory", {"query": "coffee", "limit": 1}))
        assert [row["value"] for row in json.loads(told)] == [{"content": "Prefers coffee"}]
        run(call("manage_memory", {"action": "delete", "id": tea.key}))
        assert [item.value for item in store.search(("memories",))] == [
            {"content": "Plays the cello"}
        ]
        assert store.list_namespaces() == [("memories", "alice")]

    @with_langmem
    async def test_the_tools_of_langmem_outside_an_agent(self, store: CogMemStore) -> None:
        """They take a store of their own, and await it."""
        manage, search = (
            make("notes", store=store)
            for make in (create_manage_memory_tool, create_search_memory_tool)
        )
        await manage.ainvoke({"content": "Plays the cello"})
        found = json.loads(await search.ainvoke({"query": "cello"}))
        assert [row["value"]["content"] for row in found] == ["Plays the cello"]
