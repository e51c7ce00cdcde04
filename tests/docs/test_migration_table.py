"""What the guide tells people to write in the place of other memories: each row is done."""

import asyncio
import re
import warnings
from collections.abc import Iterator
from functools import singledispatch
from pathlib import Path
from typing import Any

import llama_index.core.memory as their_blocks
import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain_classic import memory as their_memories
from langchain_classic.base_memory import BaseMemory as ChainMemory
from langchain_classic.chains import ConversationChain
from langchain_core.runnables import Runnable
from langgraph.store.base import BaseStore
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.instrumentation.dispatcher import instrument_tags
from llama_index.core.llms import MockLLM
from llama_index.core.memory import BaseMemory, BaseMemoryBlock
from pydantic import BaseModel

import cogmem_core
import langchain_cogmem
import llamaindex_cogmem
from cogmem_core import Memory, MemoryBank
from helpers.langchain_models import Answering

PAGE = Path(__file__).resolve().parents[2] / "cookbook" / "guide" / "migrate.md"
BOAT, QUESTION, CAT = (
    "My boat is called Swallow",
    "What is my boat called?",
    "My cat is called Mochi",
)
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


class Profile(BaseModel):
    """What an application wants to know."""

    boat: str | None = None


def rows(framework: str) -> list[tuple[str, str]]:
    (table,) = re.findall(
        rf"^\| {framework}: you have .*\n\|---\|---\|\n((?:\|.*\n)+)", PAGE.read_text("utf-8"), re.M
    )
    return [tuple(line.strip("| ").split(" | ")) for line in table.splitlines()]


@pytest.fixture
def alice() -> Iterator[MemoryBank]:
    with cogmem_core.open(embedder="hashing") as engine:
        bank = engine.bank("alice")
        bank.remember(BOAT)
        yield bank


@singledispatch
def told(made: Any, said: str) -> str:
    """What a model reads when a person says something."""
    raise TypeError(type(made))


@told.register
def _(made: ChainMemory, said: str) -> str:
    model = Answering()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ConversationChain(llm=model, memory=made).invoke({"input": said})
    return model.prompts[-1]


@told.register
def _(made: AgentMiddleware, said: str) -> str:
    model = Answering()
    create_agent(model, [], middleware=[made]).invoke({"messages": [("user", said)]})
    return model.prompts[-1]


@told.register
def _(made: list, said: str) -> str:
    recall, remember = made
    if said == CAT:
        remember.invoke({"content": said})
    return str(recall.invoke({"query": said}))


@told.register
def _(made: BaseStore, said: str) -> str:
    langmem = pytest.importorskip("langmem", exc_type=ImportError)
    namespace = ("notes",)
    for text in (BOAT, said):
        tool = langmem.create_manage_memory_tool(namespace, store=made)
        tool.invoke({"content": text, "action": "create"})
    return str(langmem.create_search_memory_tool(namespace, store=made).invoke({"query": QUESTION}))


@told.register
def _(made: Runnable, said: str) -> str:
    config: Any = {"configurable": {"user_id": "alice", "thread_id": "t1"}}
    made.invoke({"messages": [("user", said)]}, config)
    return AGENT.prompts[-1]


@told.register
def _(made: BaseMemory, said: str) -> str:
    with instrument_tags({"user_id": "alice"}):
        return str(SimpleChatEngine.from_defaults(llm=MockLLM(), memory=made).chat(said))


@told.register
def _(made: BaseMemoryBlock, said: str) -> str:
    return str(asyncio.run(made.aget([ChatMessage(said)])))


AGENT = Answering()


def written(cell: str, package: Any, alice: MemoryBank) -> Any:
    """What the first piece of code of a cell makes."""
    scene: dict[str, Any] = {
        **{name: getattr(package, name) for name in package.__all__},
        "alice": alice,
        "engine": alice.engine,
        "agent": create_agent(AGENT, []),
        "llm": MockLLM(),
        "text": BOAT,
        "Profile": Profile,
    }
    return eval(re.findall(r"`([^`]+)`", cell)[0], scene)


@pytest.mark.parametrize(("have", "write"), rows("LangChain"))
def test_what_users_of_langchain_write(have: str, write: str, alice: MemoryBank) -> None:
    """It recalls what was known, and remembers what is said."""
    made = written(write, langchain_cogmem, alice)
    check(have, made, alice, their_memories)


@pytest.mark.parametrize(("have", "write"), rows("LlamaIndex"))
def test_what_users_of_llamaindex_write(have: str, write: str, alice: MemoryBank) -> None:
    """It recalls what was known, and remembers what is said."""
    made = written(write, llamaindex_cogmem, alice)
    check(have, made, alice, their_blocks)


def check(have: str, made: Any, alice: MemoryBank, theirs: Any) -> None:
    names = re.findall(r"`(\w+?)[.(]", have)
    if "langmem" in have:
        theirs = pytest.importorskip("langmem", exc_type=ImportError)
    assert "mem0" in have or all(hasattr(theirs, name) for name in names)
    if made is None or isinstance(made, Memory):
        always = alice.recall("What shall I cook?").context(stable=True)
        assert "Always to be kept in mind:" in always
        assert "Swallow" in always
        return
    assert "Swallow" in told(made, QUESTION)
    told(made, CAT)
    alice.engine.flush()
    assert "Mochi" in alice.recall("What is my cat called?").context()
