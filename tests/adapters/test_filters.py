"""Filters of both frameworks, as the bank's own methods take them."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.vector_stores.types import FilterOperator, MetadataFilter, MetadataFilters

from cogmem_core import Engine, MemoryBank, Turn
from helpers.llamaindex_models import TellingLLM
from helpers.tables import each_case_of, each_row_of
from langchain_cogmem import CogMemChatMessageHistory
from langchain_cogmem import CogMemRetriever as LangChainRetriever
from langchain_cogmem.filters import filters_of as langchain_filters_of
from llamaindex_cogmem import CogMemMemory, CogMemPostprocessor
from llamaindex_cogmem import CogMemRetriever as LlamaIndexRetriever
from llamaindex_cogmem.filters import filters_of as llamaindex_filters_of


def at_least(stars: int) -> MetadataFilters:
    part = MetadataFilter(key="stars", value=stars, operator=FilterOperator.GTE)
    return MetadataFilters(filters=[part])


@pytest.fixture
def hotels(engine: Engine) -> MemoryBank:
    bank = engine.bank("hotels")
    for number in range(40):
        bank.add(f"The hotel number {number} by the lake was fine", metadata={"stars": 2})
    bank.add("A tent in the woods", metadata={"stars": 5, "at": {"city": "Oslo"}})
    return bank


@each_case_of("filters/recall_list_count_and_forget_take_them")
def test_recall_list_count_and_forget_take_them(
    hotels: MemoryBank, arguments: Mapping[str, Any]
) -> None:
    """They hold before anything is searched, so that what is far behind is found."""
    recalled = hotels.recall("a fine hotel by the lake", k=2, floor=0.0, **arguments)
    assert [result.content for result in recalled.results] == ["A tent in the woods"]
    assert [memory.content for memory in hotels.list(**arguments)] == ["A tent in the woods"]
    assert hotels.count(**arguments) == 1
    hotels.forget(**arguments)
    assert hotels.count() == 40


@pytest.fixture
def told_twice(engine: Engine) -> MemoryBank:
    bank = engine.bank("office")
    for speaker, session, room in ("Ann", "monday", "north"), ("Bob", "friday", "south"):
        text = "The office moves to Kiel in May."
        bank.remember(Turn(text, speaker=speaker, session_id=session, metadata={"room": room}))
    return bank


@pytest.mark.parametrize("translate", [langchain_filters_of, llamaindex_filters_of])
def test_no_filter_is_no_argument(translate: Callable[[Any], dict[str, Any]]) -> None:
    assert (translate(None), translate({})) == ({}, {})
    assert llamaindex_filters_of(MetadataFilters(filters=[])) == {}


@each_row_of("filters/what_was_told_twice_is_found_by_either_telling")
def test_what_was_told_twice_is_found_by_either_telling(
    told_twice: MemoryBank, filters: dict[str, Any], found: bool
) -> None:
    """By the retrievers of both frameworks, and by the postprocessor, which looks at what was found."""
    question, text = "When does the office move?", "The office moves to Kiel in May."
    documents = LangChainRetriever(bank=told_twice, filter=filters, score_threshold=0).invoke(
        question
    )
    nodes = LlamaIndexRetriever(told_twice, filters=filters, score_threshold=0).retrieve(question)
    everything = LlamaIndexRetriever(told_twice, score_threshold=0).retrieve(question)
    left = CogMemPostprocessor(told_twice, filters=filters).postprocess_nodes(everything)

    assert [document.page_content for document in documents] == [text] * found
    assert [node.text for node in nodes] == [text] * found
    assert [node.text for node in left] == [text] * found


def test_erasing_a_word_takes_what_made_no_memory_out_of_conversations(bank: MemoryBank) -> None:
    """Questions, answers and calls of tools that histories list, and what is due."""
    history = CogMemChatMessageHistory(bank, session_id="s1")
    call = {"name": "find", "args": {"who": "Quendrith"}, "id": "c1", "type": "tool_call"}
    history.add_messages(
        [
            HumanMessage("Who is Quendrith?"),
            AIMessage("", tool_calls=[call]),
            ToolMessage("Quendrith: 12 rows", tool_call_id="c1"),
            HumanMessage("Thanks"),
        ]
    )
    memory = CogMemMemory.from_defaults(bank, session_id="s2")
    chat = SimpleChatEngine.from_defaults(llm=TellingLLM(), memory=memory)
    chat.chat("Can you call Quendrith?")
    bank.intend("Call Quendrith back", when="Ben calls")
    bank.engine.flush()
    receipt = bank.forget_matching("Quendrith", hard=True)

    assert (receipt.episodes, receipt.remaining) == (3, ())
    assert [message.content for message in history.messages] == ["Thanks"]
    assert bank.due("Ben calls") == ()
