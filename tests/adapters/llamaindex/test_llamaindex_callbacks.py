"""`CogMemCallbackHandler` on a `CallbackManager`: INTERFACES 2.4 (legacy), scenario 25."""

import asyncio
import copy
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from llama_index.core import Settings, get_response_synthesizer
from llama_index.core.callbacks import CallbackManager
from llama_index.core.callbacks.schema import CBEventType, EventPayload
from llama_index.core.chat_engine import ContextChatEngine, SimpleChatEngine
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.postprocessor import LLMRerank
from llama_index.core.query_engine import RetrieverQueryEngine

from cogmem_core import Engine, MemoryBank
from helpers.llamaindex_models import COFFEE, HIKING, USED, TellingLLM, signals
from helpers.tables import rows_of
from llamaindex_cogmem import (
    CogMemCallbackHandler,
    CogMemInstrumentation,
    CogMemMemory,
    CogMemRetriever,
)

QUESTION = "Where do I like hiking on Mount Rainier, with coffee from Guatemala?"
BOTH = [(COFFEE, "ignored"), (HIKING, "used")]
WAYS = rows_of("llamaindex_callbacks/ways")


@pytest.fixture
def handler(engine: Engine) -> CogMemCallbackHandler:
    return CogMemCallbackHandler(engine)


@pytest.fixture
def manager(handler: CogMemCallbackHandler) -> CallbackManager:
    return CallbackManager([handler])


@pytest.fixture
def everywhere(manager: CallbackManager) -> Iterator[CallbackManager]:
    """Set before anything is built, as LlamaIndex wants it."""
    before = Settings._callback_manager
    Settings.callback_manager = manager
    yield manager
    Settings._callback_manager = before


class Way:
    """The ways to ask, each with the retriever and the model given."""

    def __init__(self, bank: MemoryBank, llm: TellingLLM, manager: CallbackManager) -> None:
        self.retriever = CogMemRetriever(bank, similarity_top_k=2, callback_manager=manager)
        self.llm = llm

    def chats(self) -> ContextChatEngine:
        memory = ChatMemoryBuffer.from_defaults(token_limit=3_000)
        return ContextChatEngine.from_defaults(self.retriever, llm=self.llm, memory=memory)

    def queries(self, *, streaming: bool = False) -> RetrieverQueryEngine:
        return RetrieverQueryEngine.from_args(self.retriever, llm=self.llm, streaming=streaming)

    async def ask(self, way: str, question: str = QUESTION) -> str:
        asked: Any = (
            self.chats() if "chat" in way else self.queries(streaming=way.startswith("streaming"))
        )
        method = getattr(asked, way.removeprefix("streaming_"))
        response = method(question)
        if asyncio.iscoroutine(response):
            response = await response
        if way in ("stream_chat", "streaming_query"):
            return "".join(response.response_gen)
        if way in ("astream_chat", "streaming_aquery"):
            return "".join([token async for token in response.async_response_gen()])
        return str(response)


@pytest.mark.parametrize("way", WAYS)
async def test_scenario_25_the_same_feedback_as_by_instrumentation(
    bank: MemoryBank, everywhere: CallbackManager, handler: CogMemCallbackHandler, way: str
) -> None:
    """Scenario 25: the legacy handler alone."""
    assert await Way(bank, TellingLLM(), everywhere).ask(way) == USED
    assert signals(bank) == BOTH
    assert handler.pending["calls"] == 0


@pytest.mark.parametrize("way", WAYS)
async def test_scenario_25_both_installed_count_once(
    engine: Engine, bank: MemoryBank, everywhere: CallbackManager, way: str
) -> None:
    """Scenario 25: no double count."""
    with CogMemInstrumentation(engine):
        await Way(bank, TellingLLM(), everywhere).ask(way)

    assert signals(bank) == BOTH


@pytest.mark.parametrize("way", WAYS)
async def test_the_manager_on_retriever_and_model_alone_is_enough(
    bank: MemoryBank, manager: CallbackManager, way: str
) -> None:
    """No trace is told then: what follows a retrieval in a task is made of its nodes."""
    asked = Way(bank, TellingLLM(callback_manager=manager), manager)
    answering = get_response_synthesizer(
        asked.llm, callback_manager=manager, streaming=way.startswith("streaming")
    )
    memory = ChatMemoryBuffer.from_defaults(token_limit=3_000)
    if "chat" in way:
        # An engine of its own manager gives that one to its model; here model and retriever share another.
        chats = ContextChatEngine(asked.retriever, asked.llm, memory, [], callback_manager=manager)
        asked.chats = lambda: chats  # type: ignore[method-assign]
    else:
        queries = RetrieverQueryEngine(asked.retriever, answering)
        asked.queries = lambda streaming=False: queries  # type: ignore[method-assign,misc]

    assert await asked.ask(way) == USED
    assert signals(bank) == BOTH


def test_retriever_and_model_by_hand(bank: MemoryBank, manager: CallbackManager) -> None:
    """Two calls that no trace holds together."""
    found = CogMemRetriever(bank, callback_manager=manager).retrieve(QUESTION)
    TellingLLM(callback_manager=manager).complete("\n".join(item.text for item in found))

    assert signals(bank) == BOTH


def test_memory_and_handler_count_once(bank: MemoryBank, everywhere: CallbackManager) -> None:
    """Scenario 5, in LlamaIndex."""
    engine = SimpleChatEngine.from_defaults(
        llm=TellingLLM(callback_manager=everywhere), memory=CogMemMemory.from_defaults(bank)
    )
    engine.chat(QUESTION)

    assert signals(bank) == BOTH


def test_a_memory_that_leaves_feedback_to_the_handler(
    bank: MemoryBank, everywhere: CallbackManager
) -> None:
    """What a memory recalls is no retrieval of this kind; the prompt tells."""
    memory = CogMemMemory.from_defaults(bank, auto_feedback=False)
    SimpleChatEngine.from_defaults(llm=TellingLLM(callback_manager=everywhere), memory=memory).chat(
        QUESTION
    )

    assert signals(bank) == BOTH


@pytest.mark.parametrize("event", [CBEventType.RERANKING, CBEventType.RETRIEVE])
def test_what_is_said_while_nodes_are_ranked_is_no_answer(
    bank: MemoryBank, manager: CallbackManager, event: CBEventType
) -> None:
    """Re-ranking and retrieving are quiet."""
    found = CogMemRetriever(bank, callback_manager=manager).retrieve(QUESTION)
    with (
        manager.as_trace("query"),
        manager.event(event, payload={EventPayload.QUERY_STR: QUESTION}),
    ):
        TellingLLM("Doc: 1, Relevance: 9", callback_manager=manager).complete(
            "\n".join(item.text for item in found)
        )

    assert signals(bank) == []


def test_a_ranking_that_tells_of_no_event_comes_before_the_answer(
    bank: MemoryBank, everywhere: CallbackManager
) -> None:
    """`LLMRerank` tells of none; the last answer of a query counts."""
    ranks = TellingLLM("Doc: 1, Relevance: 9\nDoc: 2, Relevance: 8", callback_manager=everywhere)
    retriever = CogMemRetriever(bank, similarity_top_k=2, callback_manager=everywhere)
    ranking = [LLMRerank(llm=ranks, top_n=2)]
    RetrieverQueryEngine.from_args(retriever, llm=TellingLLM(), node_postprocessors=ranking).query(
        QUESTION
    )

    assert HIKING in ranks.prompts[0]
    assert signals(bank) == BOTH


def test_what_goes_wrong_in_the_handler_is_logged_and_harmless(
    handler: CogMemCallbackHandler, caplog: pytest.LogCaptureFixture
) -> None:
    """A legacy handler that raised would take the user's query down with it."""
    with caplog.at_level(logging.WARNING, logger="cogmem_core"):
        handler.on_event_end(CBEventType.RETRIEVE, {EventPayload.NODES: [None]}, event_id="1")

    assert "feedback failed, and was done without: AttributeError" in caplog.text


def test_a_copied_manager_keeps_its_handler(handler: CogMemCallbackHandler) -> None:
    """INTERFACES 5: pydantic copies what it holds."""
    assert copy.copy(handler) is handler
    assert copy.deepcopy(CallbackManager([handler])).handlers[0] is handler
