"""`CogMemInstrumentation`: what counts as an answer, and to which recall: INTERFACES 2.4, scenarios 5, 26."""

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from llama_index.core import get_response_synthesizer
from llama_index.core.base.llms.types import CompletionResponse, LLMMetadata
from llama_index.core.chat_engine import (
    CondensePlusContextChatEngine,
    CondenseQuestionChatEngine,
    SimpleChatEngine,
)
from llama_index.core.instrumentation import get_dispatcher
from llama_index.core.instrumentation.event_handlers import BaseEventHandler
from llama_index.core.instrumentation.events.retrieval import RetrievalEndEvent, RetrievalStartEvent
from llama_index.core.llms import CustomLLM
from llama_index.core.llms.callbacks import llm_completion_callback
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.postprocessor import LLMRerank, SimilarityPostprocessor
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import BaseRetriever, QueryFusionRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

import cogmem_core
from cogmem_core import Engine, MemoryBank
from cogmem_core.testing import MANUAL
from helpers.llamaindex_engines import BOTH, QUESTION, Documents, chat_engine, query_engine
from helpers.llamaindex_models import COFFEE, HIKING, USED, TellingLLM, judgements, signals
from llamaindex_cogmem import CogMemInstrumentation, CogMemMemory, CogMemRetriever


class Listener(BaseEventHandler):
    """Somebody else's handler, of a tracing tool, say."""

    heard: list[Any]

    def handle(self, event: Any, **_: Any) -> None:
        self.heard.append(event)


@pytest.mark.parametrize("others", [0, 1])
def test_a_memory_tells_other_handlers_what_was_recalled(
    bank: MemoryBank, engine: Engine, others: int
) -> None:
    """INTERFACES 2.4: events come to whoever listens; whether anybody else does changes no feedback."""
    dispatcher, listeners = get_dispatcher(), [Listener(heard=[]) for _ in range(others)]
    before = dispatcher.event_handlers
    memory = CogMemMemory.from_defaults(bank, k=2, auto_feedback=False)
    dispatcher.event_handlers = [*before, *listeners]
    try:
        with CogMemInstrumentation(engine) as feedback:
            assert (
                str(SimpleChatEngine.from_defaults(llm=TellingLLM(), memory=memory).chat(QUESTION))
                == USED
            )
            feedback.flush()
    finally:
        dispatcher.event_handlers = before

    assert signals(bank) == BOTH
    for listener in listeners:
        events = [
            event
            for event in listener.heard
            if type(event) in (RetrievalStartEvent, RetrievalEndEvent)
        ]
        assert [type(event) for event in events] == [RetrievalStartEvent, RetrievalEndEvent]
        assert {event.str_or_query_bundle for event in events} == {QUESTION}
        assert sorted(item.text for item in events[1].nodes) == [COFFEE, HIKING]
        assert events[0].span_id == events[1].span_id is not None


def test_scenario_26_a_node_that_is_dropped_gives_no_signal(
    bank: MemoryBank, feedback: CogMemInstrumentation
) -> None:
    """Scenario 26: a cutoff between retriever and model."""
    scores = {item.text: item.score or 0.0 for item in CogMemRetriever(bank).retrieve(QUESTION)}
    question = "Where do I like hiking on Mount Rainier?"
    nodes = CogMemRetriever(bank, similarity_top_k=2).retrieve(question)
    cutoff = SimilarityPostprocessor(
        similarity_cutoff=((nodes[0].score or 0.0) + (nodes[1].score or 0.0)) / 2
    )
    query_engine(bank, TellingLLM(), node_postprocessors=[cutoff]).query(question)

    assert len(scores) == 2
    assert [item.text for item in nodes] == [HIKING, COFFEE]
    assert judgements(bank) == [(HIKING, "used", question)]


class Compressing(BaseRetriever):
    """A retriever that asks a model about what it found."""

    def __init__(self, inner: BaseRetriever, llm: TellingLLM) -> None:
        super().__init__()
        self.inner, self.llm = inner, llm

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        nodes = self.inner.retrieve(query_bundle)
        self.llm.complete("Which of these matter?\n" + "\n".join(item.text for item in nodes))
        return nodes


@pytest.mark.parametrize(("method", "learnt"), [("retrieve", []), ("query", BOTH)])
@pytest.mark.parametrize("kind", ["postprocessor", "retriever"])
def test_a_model_that_ranks_nodes_is_not_answering(
    bank: MemoryBank,
    feedback: CogMemInstrumentation,
    kind: str,
    method: str,
    learnt: list[tuple[str, str]],
) -> None:
    """Spans of node postprocessors and of retrievers are quiet: "Doc: 1, Relevance: 9" is said to nobody."""
    ranks = TellingLLM("Doc: 1, Relevance: 9\nDoc: 2, Relevance: 8")
    found = CogMemRetriever(bank, similarity_top_k=2)
    retriever = Compressing(found, ranks) if kind == "retriever" else found
    ranking = [LLMRerank(llm=ranks, top_n=2)] if kind == "postprocessor" else []
    engine = RetrieverQueryEngine.from_args(
        retriever, llm=TellingLLM(), node_postprocessors=ranking
    )
    getattr(engine, method)(QueryBundle(QUESTION))

    assert HIKING in ranks.prompts[0]
    assert signals(bank) == learnt


@pytest.mark.parametrize("use_async", [True, False])
async def test_memories_among_documents(
    bank: MemoryBank, feedback: CogMemInstrumentation, use_async: bool
) -> None:
    """A fusion of retrievers, whose model writes more queries: inner and outer retrievals are one."""
    llm = TellingLLM(
        lambda prompt: f"hiking on Mount Rainier\n{HIKING}" if "search queries" in prompt else USED
    )
    fusion = QueryFusionRetriever(
        [Documents(), CogMemRetriever(bank, similarity_top_k=1)],
        llm=llm,
        num_queries=2,
        use_async=False,
    )
    engine = RetrieverQueryEngine.from_args(fusion, llm=llm)
    answer = (
        await engine.aquery("hiking on Mount Rainier?")
        if use_async
        else engine.query("hiking on Mount Rainier?")
    )

    assert str(answer) == USED
    assert "4,392" in llm.prompts[-1]
    assert {signal for _, signal, _ in judgements(bank)} == {"used"}


@pytest.mark.parametrize("kind", [CondensePlusContextChatEngine, CondenseQuestionChatEngine])
def test_a_rewritten_question_is_no_answer(
    bank: MemoryBank, feedback: CogMemInstrumentation, kind: Any
) -> None:
    """The second turn condenses the question first, with memories of the first turn in the history."""
    llm = TellingLLM(lambda prompt: "hiking on Mount Rainier?" if "tandalone" in prompt else USED)
    options: dict[str, Any] = {
        "llm": llm,
        "memory": ChatMemoryBuffer.from_defaults(token_limit=3_000),
    }
    retriever = CogMemRetriever(bank, similarity_top_k=1)
    chat = (
        kind.from_defaults(retriever, **options)
        if kind is CondensePlusContextChatEngine
        else kind.from_defaults(
            query_engine=RetrieverQueryEngine.from_args(retriever, llm=llm), **options
        )
    )
    chat.chat(f"Is it true? {HIKING}")
    chat.chat("And where?")

    assert sum("tandalone" in prompt for prompt in llm.prompts) >= 1
    assert [signal for _, signal, _ in judgements(bank)] == ["used", "used"]


class Asking(CustomLLM):
    """A model whose `chat` is a `complete` within, as that of every `CustomLLM`."""

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(is_chat_model=True)

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        return CompletionResponse(text=USED)

    @llm_completion_callback()
    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> Any:
        def pieces() -> Iterator[CompletionResponse]:
            yield CompletionResponse(text=USED[:5], delta=USED[:5])
            yield CompletionResponse(text=USED, delta=USED[5:])

        return pieces()


@pytest.mark.parametrize("stream", [False, True])
def test_an_answer_that_is_told_of_twice_counts_once(
    engine: Engine, bank: MemoryBank, stream: bool
) -> None:
    """INTERFACES 5: nested chat and completion events; the answer is quoted once, too."""
    answers: list[str] = []

    def similarity(_memory: str, answer: str) -> float:
        answers.append(answer)
        return 1.0

    with CogMemInstrumentation(engine, similarity_fn=similarity):
        chat = chat_engine(bank, Asking(), k=1)
        if stream:
            list(chat.stream_chat(QUESTION).response_gen)
        else:
            chat.chat(QUESTION)

    assert len(signals(bank)) == 1
    assert set(answers) == {USED}


def test_recalls_of_other_engines_are_left_alone(engine: Engine, bank: MemoryBank) -> None:
    """INTERFACES 2.4: process-global, so filter by engine; two engines, each with its own feedback."""
    with cogmem_core.open(embedder="hashing", config=MANUAL) as other:
        theirs = other.bank("ann")
        theirs.add("Bob likes sailing on Lake Union")
        with CogMemInstrumentation(engine):
            query_engine(theirs, TellingLLM()).query(QUESTION)
        assert (signals(bank), signals(theirs)) == ([], [])

        with CogMemInstrumentation(engine), CogMemInstrumentation(other):
            query_engine(theirs, TellingLLM()).query(QUESTION)
            query_engine(bank, TellingLLM()).query(QUESTION)
        assert (signals(bank), signals(theirs)) == (
            BOTH,
            [("Bob likes sailing on Lake Union", "unjudged")],
        )


def test_several_model_calls_for_one_answer(
    bank: MemoryBank, feedback: CogMemInstrumentation
) -> None:
    """Refining: the last answer counts."""
    llm = TellingLLM(["No idea", USED])
    answering = get_response_synthesizer(llm, response_mode="refine")  # type: ignore[arg-type]
    nodes = [
        *CogMemRetriever(bank, similarity_top_k=1).retrieve("hiking on Mount Rainier?"),
        *Documents().retrieve("x"),
    ]

    class Given(BaseRetriever):
        def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
            return nodes

    RetrieverQueryEngine(Given(), answering).query(f"hiking on Mount Rainier? ({HIKING}?)")
    assert len(llm.prompts) == 2
    assert signals(bank) == [(HIKING, "used")]


def test_all_that_was_recalled_can_be_meant(engine: Engine, bank: MemoryBank) -> None:
    """`match="all"`: where prompts cannot be seen as they are."""
    question = "Where do I like hiking on Mount Rainier?"
    nodes = CogMemRetriever(bank, similarity_top_k=2).retrieve(question)
    cutoff = SimilarityPostprocessor(
        similarity_cutoff=((nodes[0].score or 0.0) + (nodes[1].score or 0.0)) / 2
    )
    with CogMemInstrumentation(engine, match="all"):
        query_engine(bank, TellingLLM(), node_postprocessors=[cutoff]).query(question)

    assert signals(bank) == BOTH


def test_feedback_may_be_given_at_once(engine: Engine, bank: MemoryBank) -> None:
    """`background=False`, for tests and scripts."""
    engine.pause()
    with CogMemInstrumentation(engine, background=False):
        query_engine(bank, TellingLLM()).query(QUESTION)

    with engine.services.ledger.whole() as reader:
        assert len(reader.at("ann").feedback.newest(limit=10)) == 2
    engine.resume()


def test_what_goes_wrong_in_a_handler_is_logged(
    engine: Engine, feedback: CogMemInstrumentation, caplog: pytest.LogCaptureFixture
) -> None:
    """INTERFACES 2.4: the dispatcher swallows errors without a word."""

    class Strange(BaseRetriever):
        def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
            return [
                NodeWithScore(
                    node=TextNode(text="x", metadata={"cogmem_id": 1, "recall_id": ["no", "text"]})
                )
            ]

    with caplog.at_level(logging.WARNING, logger="cogmem_core"):
        assert len(Strange().retrieve("x")) == 1

    assert [record.getMessage() for record in caplog.records] == [
        "feedback failed, and was done without: TypeError"
    ]
