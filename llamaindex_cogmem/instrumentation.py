"""Feedback from the retrievals, prompts and answers that LlamaIndex's dispatcher reports.

The handlers only translate its events; which answer counts for which memories
`cogmem_core.adapters.attribution` decides. They keep what they need in memory and leave the writing
to the engine's worker: an event loop never waits.
"""

from __future__ import annotations

import inspect
import threading
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Any

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.instrumentation.events.exception import ExceptionEvent
from llama_index.core.instrumentation.events.llm import (
    LLMChatEndEvent,
    LLMChatStartEvent,
    LLMCompletionEndEvent,
    LLMCompletionStartEvent,
)
from llama_index.core.instrumentation.events.query import QueryStartEvent
from llama_index.core.instrumentation.events.retrieval import RetrievalEndEvent, RetrievalStartEvent
from llama_index.core.instrumentation.span import BaseSpan
from llama_index.core.instrumentation.span_handlers import BaseSpanHandler
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.tools import BaseTool, ToolOutput
from llama_index_instrumentation import get_dispatcher
from llama_index_instrumentation.base import BaseEvent
from pydantic import PrivateAttr
from typing_extensions import Self

from cogmem_core.adapters.attribution import Attribution, FeedbackListener
from cogmem_core.adapters.task_runs import RunListener, TaskRuns
from cogmem_core.base.fail_open import LogAndContinue
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.feedback import Similarity
from cogmem_core.retrieval.recall import Recall
from llamaindex_cogmem.convert import answer_of, arguments_of, memories_by_recall, text_of
from llamaindex_cogmem.spans import active_span, follow_spans, parent_of
from llamaindex_cogmem.tracing import (
    RecallListener,
    attribution_of,
    is_internal_question,
    rebuild_handler,
)

__all__ = ["CogMemInstrumentation"]

_LOCK = threading.Lock()
_WAITING = "WaitingForEvent"
"""What is raised where a step waits for an event, such as a person's answer."""
_QUIET = (BaseRetriever, BaseNodePostprocessor)
"""What language models say within these is not an answer to the user: rewritten queries, ranks."""


class _Events:
    """LlamaIndex's events in the words of `Attribution`."""

    def __init__(self, attribution: Attribution) -> None:
        self.attribution = attribution

    def question_asked(self, event: QueryStartEvent | RetrievalStartEvent) -> None:
        """Something is asked of an engine, or searched for."""
        question = event.query if isinstance(event, QueryStartEvent) else event.str_or_query_bundle
        text = getattr(question, "query_str", question)
        self.attribution.add_question(event.span_id, str(text))

    def retrieval_ended(self, event: RetrievalEndEvent) -> None:
        """Nodes, some of which may be memories."""
        self.add_nodes(event.span_id, event.nodes)

    def add_nodes(self, span_id: Any, nodes: Iterable[Any]) -> None:
        """Nodes that a span has returned."""
        for recall_id, texts in memories_by_recall(nodes).items():
            self.attribution.add_recall(span_id, recall_id, texts, texts=texts)

    def model_started(self, event: LLMChatStartEvent | LLMCompletionStartEvent) -> None:
        """A language model got a prompt."""
        prompt = event.messages if isinstance(event, LLMChatStartEvent) else event.prompt
        if not is_internal_question():
            self.attribution.add_prompt(event.span_id, text_of(prompt))

    def model_ended(self, event: LLMChatEndEvent | LLMCompletionEndEvent) -> None:
        """A language model answered; a stream has ended."""
        response = event.response
        message = getattr(response, "message", None) or getattr(response, "text", "")
        arguments = arguments_of(message)
        self.attribution.add_answer(event.span_id, answer_of(message), arguments=arguments)

    def stream_failed(self, event: ExceptionEvent) -> None:
        """A stream broke off, or was closed early."""
        self.attribution.drop_call(event.span_id)


_HOOKS: Mapping[type[BaseEvent], str] = {
    QueryStartEvent: "question_asked",
    RetrievalStartEvent: "question_asked",
    RetrievalEndEvent: "retrieval_ended",
    LLMChatStartEvent: "model_started",
    LLMCompletionStartEvent: "model_started",
    LLMChatEndEvent: "model_ended",
    LLMCompletionEndEvent: "model_ended",
    ExceptionEvent: "stream_failed",
}
"""The events that matter, and what `_Events` makes of them.

(Those at the end of a query hold the user's stream.)
"""


class _EventHandler(RecallListener):
    """Hears events; the dispatcher swallows errors without a word, so they are logged here."""

    _events: _Events = PrivateAttr()
    _fail_open: LogAndContinue = PrivateAttr()

    def __init__(self, events: _Events, harmless: LogAndContinue) -> None:
        super().__init__()
        self._events = events
        self._fail_open = harmless

    @classmethod
    def class_name(cls) -> str:
        return "CogMemEventHandler"

    def handle(self, event: BaseEvent, **_: Any) -> None:
        """Translate an event."""
        hook = _HOOKS.get(type(event)) if event.span_id is not None else None
        if hook is not None:
            with self._fail_open("feedback"):
                getattr(self._events, hook)(event)

    def on_recall(self, span_id: str, recall: Recall) -> None:
        """As the event at the end of a retrieval."""
        with self._fail_open("feedback"):
            ids = [
                *(item.memory.id for item in recall.results),
                *(memory.id for memory in recall.hot),
            ]
            self._events.attribution.add_recall(span_id, recall.id, ids)


class _SpanHandler(BaseSpanHandler[BaseSpan]):
    """Hears which run began within which; keeps no spans."""

    _events: _Events = PrivateAttr()
    _attribution: Attribution = PrivateAttr()
    _runs: TaskRuns | None = PrivateAttr()
    _fail_open: LogAndContinue = PrivateAttr()

    def __init__(self, events: _Events, harmless: LogAndContinue) -> None:
        super().__init__()
        self._events = events
        self._attribution = events.attribution
        self._runs = events.attribution.task_runs
        self._fail_open = harmless

    @classmethod
    def class_name(cls) -> str:
        return "CogMemSpanHandler"

    def new_span(self, id_: str, *_: Any, **details: Any) -> None:
        """A run began."""
        with self._fail_open("feedback"):
            instance = details.get("instance")
            quiet = isinstance(instance, _QUIET)
            parent = parent_of(id_, instance, details.get("parent_span_id"))
            self._attribution.start_run(id_, parent, quiet=quiet)
            if self._runs is not None and isinstance(instance, BaseTool):
                arguments = _arguments(details.get("bound_args"))
                self._runs.call_started(id_, instance.metadata.get_name(), arguments)

    def prepare_to_exit_span(self, id_: str, *_: Any, **details: Any) -> None:
        """A run ended; a postprocessor's may have left nodes, and less of their texts."""
        with self._fail_open("feedback"):
            nodes = details.get("result")
            if isinstance(nodes, list) and isinstance(
                details.get("instance"), BaseNodePostprocessor
            ):
                self._events.add_nodes(id_, nodes)
            if self._runs is not None:
                if isinstance(nodes, ToolOutput):
                    self._runs.call_ended(id_, ok=not nodes.is_error)
                self._runs.ended(id_, failed=False)
            self._attribution.end_run(id_)

    def prepare_to_drop_span(self, id_: str, *_: Any, **details: Any) -> None:
        """A run failed or was cut off."""
        with self._fail_open("feedback"):
            if self._runs is not None:
                self._tool_failed(id_, details.get("err"))
                self._runs.ended(id_, failed=True)
            self._attribution.drop_call(id_)
            self._attribution.end_run(id_, failed=True)

    def _tool_failed(self, id_: str, error: BaseException | None) -> None:
        """If it was a tool's run: one that waits for a person is called anew."""
        if self._runs is None or not isinstance(error, Exception):
            return
        if type(error).__name__ == _WAITING:
            self._runs.call_put_off(id_)
        else:
            self._runs.call_ended(id_, ok=False)


def _arguments(bound: inspect.BoundArguments | None) -> dict[str, Any]:
    """What a tool was called with, by name."""
    if bound is None:
        return {}
    values = dict(bound.arguments)
    by_name = {**values, **values.pop("kwargs", {})}
    by_name.pop("kwargs", None)
    positional = by_name.pop("args", ())
    if positional:
        by_name["input"] = positional[0] if len(positional) == 1 else list(positional)
    return by_name


class CogMemInstrumentation:
    """Credits memories with the answers made of them, in every engine and agent of the process.

    After each answer of a language model, exactly those memories are judged whose text was in its
    prompt, once per answer. Works for `chat`, `query`, `stream_chat`, streaming queries, their
    async forms, and agents, with any number of runs at once. What fails or is cut off gives no
    feedback. `with` installs it and takes it out again. A pickled one has to be installed in the
    process that it comes to.

    Args:
        engine: whose recalls are followed; or `bank`, whose engine is meant. Recalls of other
            engines are left alone.
        match: "prompt" = memories whose text is in the prompt; "all" = all that were recalled under
            the same root span.
        similarity_fn: (memory, answer) → 0..1, as for `MemoryBank.feedback`.
        background: False = write before the event returns; for tests and scripts.
        on_feedback: called with the judgements of each answer, by the worker's thread.
        max_runs: how many root spans and model calls are followed at once; the oldest are given up.
        observe_runs: False = what tools are called for a task is not kept. Otherwise a root span in
            which a bank was asked, in a session, and then tools were called, is kept as by
            `MemoryBank.observe_run`, so that procedures are learnt from it; a tool that fails is a
            failure, a run that is cut off is none.
        on_run: called with each run that was kept, by the worker's thread, so that
            `bank.outcome(run, ok)` can be told.

    Raises:
        InvalidInput: neither an engine nor a bank, or both; an unknown `match`.

    Example:
        >>> import cogmem_core
        >>> from llama_index.core.llms import MockLLM
        >>> from llama_index.core.query_engine import RetrieverQueryEngine
        >>> from llamaindex_cogmem import CogMemInstrumentation, CogMemRetriever
        >>> with cogmem_core.open(embedder="hashing") as engine:
        ...     alice = engine.bank("alice")
        ...     _ = alice.remember("Alice likes hiking on Mount Rainier")
        ...     asked = RetrieverQueryEngine.from_args(CogMemRetriever(bank=alice), llm=MockLLM())
        ...     with CogMemInstrumentation(engine) as feedback:
        ...         _ = asked.query("hiking?")  # this model repeats its prompt
        ...     feedback.flush()
        ...     print(alice.list()[0].used_count)
        1
    """

    def __init__(
        self,
        engine: Engine | MemoryBank | None = None,
        *,
        bank: MemoryBank | None = None,
        match: str = "prompt",
        similarity_fn: Similarity | None = None,
        background: bool = True,
        on_feedback: FeedbackListener | None = None,
        max_runs: int = 1_000,
        observe_runs: bool = True,
        on_run: RunListener | None = None,
    ) -> None:
        harmless = LogAndContinue()
        self._options: dict[str, Any] = {
            "match": match,
            "similarity_fn": similarity_fn,
            "background": background,
            "on_feedback": on_feedback,
            "max_runs": max_runs,
            "observe_runs": observe_runs,
            "on_run": on_run,
        }
        self._attribution = attribution_of(
            engine, bank, self._options, guessing=False, current=active_span
        )
        events = _Events(self._attribution)
        self._events = _EventHandler(events, harmless)
        self._spans = _SpanHandler(events, harmless)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._attribution.engine!r})"

    def install(self) -> Self:
        """Listen from now on; a second time changes nothing."""
        follow_spans()
        with _LOCK:
            self._out()
            dispatcher = get_dispatcher()
            dispatcher.event_handlers = [*dispatcher.event_handlers, self._events]
            dispatcher.span_handlers = [*dispatcher.span_handlers, self._spans]
        return self

    def uninstall(self) -> None:
        """Listen no more: what is being answered at the moment gives no feedback.

        What was answered does.
        """
        with _LOCK:
            self._out()

    @property
    def pending(self) -> Mapping[str, int]:
        """How many spans, root spans and calls of language models are being followed."""
        return self._attribution.pending

    def flush(self) -> None:
        """Wait until all answers so far are learnt from."""
        self._attribution.engine.flush()

    async def aflush(self) -> None:
        """Async twin of `flush`."""
        await self._attribution.engine.aflush()

    def _out(self) -> None:
        dispatcher = get_dispatcher()
        dispatcher.event_handlers = [
            handler for handler in dispatcher.event_handlers if handler is not self._events
        ]
        dispatcher.span_handlers = [
            handler for handler in dispatcher.span_handlers if handler is not self._spans
        ]

    def __reduce__(self) -> tuple[Any, ...]:
        return rebuild_handler, (type(self), self._attribution.engine, self._options)

    def __enter__(self) -> Self:
        return self.install()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.uninstall()
