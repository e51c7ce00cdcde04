"""What a tracer shows of a memory: a retriever's run for each recall, and the judgements on the run of the answer."""

import sys
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.tracers import LangChainTracer
from langsmith import Client, traceable
from langsmith.run_helpers import tracing_context
from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.instrumentation.events.retrieval import RetrievalEndEvent
from llama_index.core.instrumentation.span import BaseSpan
from llama_index.core.instrumentation.span_handlers import BaseSpanHandler
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index_instrumentation import get_dispatcher
from llama_index_instrumentation.base import BaseEvent
from llama_index_instrumentation.event_handlers import BaseEventHandler
from opentelemetry.sdk.trace import TracerProvider
from pydantic import PrivateAttr

from cogmem_core import MemoryBank
from helpers.langchain_models import Answering
from helpers.llamaindex_models import COFFEE, HIKING, USED, TellingLLM
from langchain_cogmem import CogMemMiddleware
from llamaindex_cogmem import CogMemInstrumentation, CogMemMemory, CogMemRetriever

QUESTION = "Where do I like hiking, over coffee?"
JUDGED = {(1.0, HIKING), (0.0, COFFEE)}


class FakeLangSmith(Client):
    """Keeps what it is sent; there is no server."""

    def __init__(self) -> None:
        super().__init__(api_key="none", auto_batch_tracing=False, info={})
        self.kept: dict[str, dict[str, Any]] = {}
        self.feedback: list[dict[str, Any]] = []

    def create_run(self, name: str, inputs: Any, run_type: Any, **more: Any) -> None:
        self.kept[str(more["id"])] = {"name": name, "type": run_type, "inputs": inputs, **more}

    def update_run(self, run_id: Any, **more: Any) -> None:
        self.kept[str(run_id)].update(more)

    def create_feedback(self, run_id: Any = None, key: str = "unnamed", **more: Any) -> Any:
        self.feedback.append({"run": str(run_id), "key": key, **more})

    def judged(self, bank: MemoryBank) -> set[tuple[float, str]]:
        """The scores, by the contents of the memories that their comments name."""
        bank.engine.flush()
        names = {one["comment"].partition(":")[0]: one["score"] for one in self.feedback}
        return {(score, bank.get(memory_id).content) for memory_id, score in names.items()}


@pytest.fixture
def langsmith() -> FakeLangSmith:
    return FakeLangSmith()


async def answered(agent: Any, how: str, config: Any) -> None:
    given = {"messages": [("user", QUESTION)]}
    if how == "invoke":
        agent.invoke(given, config)
    else:
        await agent.ainvoke(given, config)


@pytest.mark.parametrize("how", ["invoke", "ainvoke"])
async def test_langsmith_shows_what_the_middleware_recalled(
    bank: MemoryBank, langsmith: FakeLangSmith, how: str
) -> None:
    """A retriever's run within the agent's: names, scores and ids; the judgements stand at the trace."""
    agent = create_agent(Answering(), [], middleware=[CogMemMiddleware(bank)])
    await answered(agent, how, {"callbacks": [LangChainTracer(client=langsmith)]})
    judged = langsmith.judged(bank)

    (root,) = (key for key, run in langsmith.kept.items() if run.get("parent_run_id") is None)
    (recall,) = (run for run in langsmith.kept.values() if run["type"] == "retriever")
    assert (recall["name"], recall["inputs"]) == ("CogMemMiddleware", {"query": QUESTION})
    assert recall["parent_run_id"] is not None
    documents = recall["outputs"]["documents"]
    assert {one.page_content for one in documents} == {HIKING, COFFEE}
    assert all(0 < one.metadata["score"] <= 1 and one.metadata["recall_id"] for one in documents)
    assert judged == JUDGED
    assert {(one["run"], str(one["trace_id"]), one["key"]) for one in langsmith.feedback} == {
        (root, root, "cogmem_used")
    }


async def test_without_a_tracer_nothing_is_told(bank: MemoryBank) -> None:
    """Nor is a run begun where none is going on."""

    class Hearing(BaseCallbackHandler):
        heard = 0

        def on_retriever_start(self, *_: Any, **__: Any) -> None:
            self.heard += 1

    hearing = Hearing()
    create_agent(Answering(), [], middleware=[CogMemMiddleware(bank)]).invoke(
        {"messages": [("user", QUESTION)]}, {"callbacks": [hearing]}
    )
    middleware = CogMemMiddleware(bank)
    middleware.before_agent({"messages": []}, SimpleNamespace())  # type: ignore[arg-type, typeddict-item]

    assert hearing.heard == 1


@pytest.mark.parametrize("how", ["memory", "retriever"])
def test_langsmith_gets_the_judgements_of_llamaindex(
    bank: MemoryBank, langsmith: FakeLangSmith, how: str
) -> None:
    """Within `@traceable`: on the trace that is going on."""

    @traceable(name="turn", client=langsmith)
    def turn() -> None:
        ways[how](bank)

    with tracing_context(enabled=True, client=langsmith):
        turn()

    (root,) = langsmith.kept
    assert langsmith.judged(bank) == JUDGED
    assert {one["run"] for one in langsmith.feedback} == {root}


def by_memory(bank: MemoryBank) -> None:
    memory = CogMemMemory.from_defaults(bank)
    SimpleChatEngine.from_defaults(llm=TellingLLM(), memory=memory).chat(QUESTION)


def by_retriever(bank: MemoryBank) -> None:
    engine = RetrieverQueryEngine.from_args(CogMemRetriever(bank), llm=TellingLLM())
    with CogMemInstrumentation(bank):
        engine.query(QUESTION)


ways = {"memory": by_memory, "retriever": by_retriever}


@pytest.fixture
def langfuse(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What a Langfuse client is told; there is no server."""
    told: list[dict[str, Any]] = []
    client = SimpleNamespace(create_score=lambda **score: told.append(score))
    module = ModuleType("langfuse")
    module.get_client = lambda: client  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "langfuse", module)
    return told


@pytest.mark.parametrize("how", ["memory", "retriever", "middleware"])
def test_langfuse_gets_the_judgements(
    bank: MemoryBank, langfuse: list[dict[str, Any]], how: str
) -> None:
    """On the trace of the OpenTelemetry span that is going on; without one nothing is told."""
    with TracerProvider().get_tracer("app").start_as_current_span("turn") as span:
        if how == "middleware":
            agent = create_agent(Answering(), [], middleware=[CogMemMiddleware(bank)])
            agent.invoke({"messages": [("user", QUESTION)]})
        else:
            ways[how](bank)
    bank.engine.flush()
    scores = {
        (one["value"], bank.get(one["comment"].partition(":")[0]).content) for one in langfuse
    }

    assert scores == JUDGED
    trace = f"{span.get_span_context().trace_id:032x}"
    assert {(one["trace_id"], one["name"]) for one in langfuse} == {(trace, "cogmem_used")}

    by_memory(bank)
    bank.engine.flush()
    assert len(langfuse) == 2


class Spans(BaseSpanHandler[BaseSpan]):
    """A tracer that hears spans: (which method, on what)."""

    _heard: list[tuple[str, Any]] = PrivateAttr(default_factory=list)

    def new_span(self, id_: str, *_: Any, **more: Any) -> None:
        self._heard.append((id_.partition("-")[0], more.get("instance")))

    def prepare_to_exit_span(self, id_: str, *_: Any, **__: Any) -> None: ...

    def prepare_to_drop_span(self, id_: str, *_: Any, **__: Any) -> None: ...


class Events(BaseEventHandler):
    """A tracer that hears events: the nodes of each retrieval, and the span they are told in."""

    _heard: list[tuple[str | None, list[Any]]] = PrivateAttr(default_factory=list)

    @classmethod
    def class_name(cls) -> str:
        return "Events"

    def handle(self, event: BaseEvent, **_: Any) -> None:
        if isinstance(event, RetrievalEndEvent):
            self._heard.append((event.span_id, event.nodes))


@pytest.fixture
def tracer() -> Iterator[tuple[Spans, Events]]:
    """Tracers of spans and of events, beside what listens already."""
    dispatcher = get_dispatcher()
    before = dispatcher.span_handlers, dispatcher.event_handlers
    spans, events = Spans(), Events()
    dispatcher.span_handlers = [*before[0], spans]
    dispatcher.event_handlers = [*before[1], events]
    yield spans, events
    dispatcher.span_handlers, dispatcher.event_handlers = before


@pytest.mark.parametrize("instrumented", [True, False])
async def test_llamaindex_shows_what_the_memory_recalled(
    bank: MemoryBank, tracer: tuple[Spans, Events], instrumented: bool
) -> None:
    """The span of a retriever for each recall, with texts, scores and ids; a second look is none."""
    spans, events = tracer
    memory = CogMemMemory.from_defaults(bank)
    engine = SimpleChatEngine.from_defaults(llm=TellingLLM(), memory=memory)
    if instrumented:
        with CogMemInstrumentation(bank):
            await engine.achat(QUESTION)
    else:
        await engine.achat(QUESTION)
    memory.flush()

    assert [name for name, _ in spans._heard if name == "CogMemRecall.retrieve"] == [
        "CogMemRecall.retrieve"
    ]
    ((span_id, nodes),) = events._heard
    assert (span_id or "").startswith("CogMemRecall.retrieve")
    assert {(node.text, node.metadata["cogmem_id"]) for node in nodes} == {
        (memory.content, memory.id) for memory in bank.list() if memory.content in (HIKING, COFFEE)
    }
    assert all(0 < node.score <= 1 for node in nodes)
    assert [memory.used_count for memory in bank.list() if memory.content == HIKING] == [1]
    assert USED in [message.content for message in memory.get_all()]
