"""A short answer to what the model asked is found, and shown with the question, in every memory of both frameworks."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from langchain.agents import create_agent
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage, HumanMessage
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import ChatMemoryBuffer

import cogmem_core
from cogmem_core import MemoryBank
from cogmem_core.testing import MANUAL
from langchain_cogmem import CogMemChatMessageHistory, CogMemMiddleware, CogMemRetriever
from langchain_cogmem import CogMemMemory as ChainMemory
from llamaindex_cogmem import CogMemMemory, CogMemMemoryBlock
from llamaindex_cogmem import CogMemRetriever as NodeRetriever

SAID = ("I need help with a pet", "Gladly! What is your dog called?", "Rex", "A fine name.")
TOLD = "Rex (asked: What is your dog called?)"
QUESTION = "What is my dog called?"


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[MemoryBank]:
    with cogmem_core.open(tmp_path / "bank", embedder="hashing", config=MANUAL) as engine:
        yield engine.bank("ann")


def chain_memory(bank: MemoryBank) -> None:
    memory = ChainMemory(bank=bank)
    for at in (0, 2):
        memory.save_context({"input": SAID[at]}, {"output": SAID[at + 1]})


def chat_history(bank: MemoryBank) -> None:
    history = CogMemChatMessageHistory(bank=bank, session_id="s")
    history.add_messages([HumanMessage(SAID[0]), AIMessage(SAID[1])])
    history.add_messages([HumanMessage(SAID[2]), AIMessage(SAID[3])])


def middleware(bank: MemoryBank) -> None:
    agent = create_agent(
        FakeListChatModel(responses=[SAID[3]]), [], middleware=[CogMemMiddleware(bank=bank)]
    )
    agent.invoke({"messages": [("user", SAID[0]), ("ai", SAID[1]), ("user", SAID[2])]})


def llamaindex_memory(bank: MemoryBank) -> None:
    memory = CogMemMemory(
        primary_memory=ChatMemoryBuffer.from_defaults(token_limit=4000), bank=bank
    )
    for at, text in enumerate(SAID):
        memory.put(ChatMessage(role="assistant" if at % 2 else "user", content=text))


def memory_block(bank: MemoryBank) -> None:
    block = CogMemMemoryBlock(bank=bank)
    said = [
        ChatMessage(role="assistant" if at % 2 else "user", content=text)
        for at, text in enumerate(SAID)
    ]
    asyncio.run(block.aput(said))


@pytest.mark.parametrize(
    "talk", [chain_memory, chat_history, middleware, llamaindex_memory, memory_block]
)
def test_it_is_found_and_shown(bank: MemoryBank, talk: Callable[[MemoryBank], None]) -> None:
    """By default only the words of the user are remembered; what the model asked is known all the same."""
    talk(bank)
    bank.engine.flush()
    assert bank.recall(QUESTION, floor=0).results[0].text == TOLD
    assert f") {TOLD}\n" in bank.recall(QUESTION, floor=0).context()


def test_retrievers_tell_the_question(bank: MemoryBank) -> None:
    """What is put into a prompt as a document or a node is understood there."""
    chain_memory(bank)
    bank.engine.flush()
    assert CogMemRetriever(bank=bank, k=1).invoke(QUESTION)[0].page_content == TOLD
    assert NodeRetriever(bank, similarity_top_k=1).retrieve(QUESTION)[0].node.get_content() == TOLD
