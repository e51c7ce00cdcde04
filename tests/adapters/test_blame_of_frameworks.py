"""What filled a prompt because the list was not full yet is not blamed, whichever framework asks."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from langchain_core.language_models import FakeListChatModel
from langchain_core.runnables import RunnableLambda
from llama_index.core import get_response_synthesizer
from llama_index.core.llms.mock import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine

import cogmem_core
from cogmem_core import MemoryBank, Recall
from cogmem_core.config import InjectionConfig, RetrievalConfig
from cogmem_core.embedders.minilm import MiniLM
from cogmem_core.testing import MANUAL
from langchain_cogmem import CogMemRetriever as ChainRetriever
from langchain_cogmem import cogmem_feedback
from llamaindex_cogmem import CogMemInstrumentation
from llamaindex_cogmem import CogMemRetriever as EngineRetriever

SISTER = "My sister Lena lives in Oslo."
OTHERS = ["My husband teaches chemistry.", "I am allergic to hazelnuts.", "Our dog is called Rex."]
QUESTION = "Where does my sister live?"


@pytest.fixture
def bank(minilm: MiniLM) -> Iterator[MemoryBank]:
    everything = InjectionConfig(floor=0.0, answerable=0.0)
    config = replace(MANUAL, retrieval=RetrievalConfig(injection=everything))
    with cogmem_core.open(embedder=minilm, config=config) as engine:
        bank = engine.bank("ann")
        for text in (SISTER, *OTHERS):
            bank.add(text)
        yield bank


def unlikely(found: Recall) -> list[str]:
    return [item.memory.content for item in found.results if item.prior < 0.3]


def nobody_is_blamed(bank: MemoryBank) -> bool:
    bank.engine.flush()
    known = [memory for memory in bank.list() if memory.content != SISTER]
    return {(memory.ignored_streak, memory.utility) for memory in known} == {(0, 0.5)}


def used(bank: MemoryBank) -> dict[str, int]:
    bank.engine.flush()
    return {memory.content: memory.used_count for memory in bank.list() if memory.used_count}


def test_a_chain_of_langchain(bank: MemoryBank) -> None:
    """Six answers about the sister: she is credited, the others stay as they were."""
    assert unlikely(bank.recall(QUESTION))
    model = FakeListChatModel(responses=["Your sister Lena lives in Oslo."])
    prompt = RunnableLambda(
        lambda documents: "\n".join(document.page_content for document in documents)
    )
    chain = ChainRetriever(bank=bank) | prompt | model
    for _ in range(6):
        with cogmem_feedback(bank.engine):
            chain.invoke(QUESTION)
    assert used(bank) == {SISTER: 6}
    assert nobody_is_blamed(bank)


def test_a_query_engine_of_llamaindex(bank: MemoryBank) -> None:
    """The same, through the instrumentation of a query engine."""
    assert unlikely(bank.recall(QUESTION))

    class Oslo(MockLLM):
        def _generate_text(self, length: int) -> str:
            return "Your sister Lena lives in Oslo."

    synthesizer = get_response_synthesizer(llm=Oslo(max_tokens=8), response_mode="compact")
    engine = RetrieverQueryEngine(EngineRetriever(bank), synthesizer)
    with CogMemInstrumentation(bank.engine):
        for _ in range(6):
            engine.query(QUESTION)
    assert used(bank) == {SISTER: 6}
    assert nobody_is_blamed(bank)
