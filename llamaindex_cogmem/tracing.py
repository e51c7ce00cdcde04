"""What `CogMemInstrumentation` and `CogMemCallbackHandler` share, and what a memory knows without them.

The memory of a conversation is told answers, and not which prompt they were given to. So the calls
of models are followed in this process from the first `CogMemMemory` or block on, see
`cogmem_core.adapters.answering_calls`.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from llama_index.core.instrumentation.events.exception import ExceptionEvent
from llama_index.core.instrumentation.events.llm import (
    LLMChatEndEvent,
    LLMChatStartEvent,
    LLMCompletionEndEvent,
    LLMCompletionStartEvent,
)
from llama_index.core.instrumentation.events.retrieval import RetrievalEndEvent, RetrievalStartEvent
from llama_index.core.instrumentation.span import BaseSpan
from llama_index.core.instrumentation.span_handlers import BaseSpanHandler
from llama_index_instrumentation import get_dispatcher
from llama_index_instrumentation.base import BaseEvent
from llama_index_instrumentation.dispatcher import active_instrument_tags
from llama_index_instrumentation.event_handlers import BaseEventHandler, NullEventHandler
from llama_index_instrumentation.span import active_span_id
from pydantic import PrivateAttr
from typing_extensions import Unpack

from cogmem_core.adapters.answering_calls import AnsweringCalls
from cogmem_core.adapters.attribution import Attribution, FeedbackOptions, Tracing
from cogmem_core.adapters.resolve_bank import engine_of
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.fail_open import LogAndContinue
from cogmem_core.lru import LRUCache
from cogmem_core.retrieval.recall import Recall
from llamaindex_cogmem.convert import answer_of, nodes_of, text_of

__all__ = [
    "MISSING_TAG_HELP",
    "RecallListener",
    "announce_recall",
    "attribution_of",
    "called_by_tool",
    "current_tags",
    "follow_calls",
    "internal_questions",
    "is_internal_question",
    "rebuild_handler",
]

MISSING_TAG_HELP = "tell it around the call: with instrument_tags({%s: 'ann'}):"
"""What to do where a function of the run's tags finds no such tag.

See `cogmem_core.adapters.resolve_bank.whose`.
"""
_DISPATCHER = get_dispatcher(__name__)
_ASIDE: ContextVar[bool] = ContextVar("cogmem_aside", default=False)
_LOCK = threading.Lock()
_SPANS = 16_000
_TOOL_STEP = ".call_tool"
"""The step of LlamaIndex's agents in which they call a tool."""


def attribution_of(
    source: Engine | MemoryBank | None,
    bank: MemoryBank | None,
    *,
    guessing: bool,
    current: Callable[[], str | None],
    **options: Unpack[FeedbackOptions],
) -> Attribution:
    """Answers of one engine's memories, traced.

    Args:
        guessing: it is not known for sure which events belong together.
        current: tells the run that is going on in this context.

    Raises:
        InvalidInput: neither an engine nor a bank, or both; an option that does not exist, or is
            unusable.
    """
    return Attribution(
        engine_of(source, bank),
        Tracing.of(options, lingering=True, guessing=guessing, current=current),
    )


def rebuild_handler(cls: Callable[..., Any], engine: Engine, options: FeedbackOptions) -> Any:
    """A handler that was pickled, over the same bank: it follows the runs of this process."""
    return cls(engine, **options)


class RecallListener(BaseEventHandler, ABC):
    """A handler that can be told of a recall as it is."""

    @abstractmethod
    def on_recall(self, span_id: str, recall: Recall) -> None:
        """Something was recalled in a span."""


class _Roots(BaseSpanHandler[BaseSpan]):
    """Knows the root of each span, and whether a tool of an agent called it; keeps no spans."""

    _lock_roots: threading.Lock = PrivateAttr(default_factory=threading.Lock)
    _roots: LRUCache[str, tuple[str, bool]] = PrivateAttr(default_factory=lambda: LRUCache(_SPANS))

    @classmethod
    def class_name(cls) -> str:
        return "CogMemRoots"

    def root_of(self, span_id: str) -> str:
        """The root; the span itself, if its beginning was not seen."""
        return self._place_of(span_id)[0]

    def is_in_tool(self, span_id: str) -> bool:
        """Whether a tool of an agent called it."""
        return self._place_of(span_id)[1]

    def _place_of(self, span_id: str) -> tuple[str, bool]:
        with self._lock_roots:
            return self._roots.get(span_id) or (span_id, _is_tool_call(span_id))

    def new_span(self, id_: str, *_: Any, **details: Any) -> None:
        """A span began."""
        parent = details.get("parent_span_id")
        root, is_in_tool = self._place_of(parent) if parent else (id_, False)
        with self._lock_roots:
            self._roots.put(id_, (root, is_in_tool or _is_tool_call(id_)))

    def prepare_to_exit_span(self, id_: str, *_: Any, **__: Any) -> None:
        """A span ended; what is streamed after it still belongs to its root."""

    def prepare_to_drop_span(self, id_: str, *_: Any, **__: Any) -> None:
        """A span failed."""


def _is_tool_call(span_id: str) -> bool:
    """Whether it is the step in which an agent calls a tool, by the method's name."""
    return span_id.partition("-")[0].endswith(_TOOL_STEP)


class _Follower(RecallListener):
    """Follows the calls of models in runs in which a conversation's memory showed something."""

    _calls: AnsweringCalls = PrivateAttr(default_factory=AnsweringCalls)
    _spans: _Roots = PrivateAttr(default_factory=_Roots)
    _fail_open: LogAndContinue = PrivateAttr(default_factory=LogAndContinue)

    @classmethod
    def class_name(cls) -> str:
        return "CogMemFollower"

    @property
    def spans(self) -> _Roots:
        """What hears of spans for it."""
        return self._spans

    def handle(self, event: BaseEvent, **_: Any) -> None:
        """What models were asked, and what they answered."""
        span_id = event.span_id
        if span_id is None:
            return
        with self._fail_open("feedback"):
            if isinstance(event, (LLMChatStartEvent, LLMCompletionStartEvent)):
                prompt = event.messages if isinstance(event, LLMChatStartEvent) else event.prompt
                root = self._spans.root_of(span_id)
                self._calls.add_prompt(root, span_id, lambda: text_of(prompt))
            elif isinstance(event, (LLMChatEndEvent, LLMCompletionEndEvent)):
                response = event.response
                message = getattr(response, "message", None) or getattr(response, "text", "")
                self._calls.add_answer(span_id, lambda: answer_of(message))
            elif isinstance(event, ExceptionEvent):
                self._calls.drop_call(span_id)

    def on_recall(self, span_id: str, recall: Recall) -> None:
        """Whose memory it is, `announce_recall` tells."""

    def on_conversation(self, span_id: str, recall: Recall, bank: MemoryBank) -> None:
        """The memory of a conversation showed a recall."""
        with self._fail_open("feedback"):
            source = bank.engine.recall_registry.find(recall.id)
            if source is not None:
                self._calls.add_recall(self._spans.root_of(span_id), source)


_FOLLOWER = _Follower()


def follow_calls() -> None:
    """Follow the calls of models from now on; a second time changes nothing."""
    dispatcher = get_dispatcher()
    with _LOCK:
        if all(handler is not _FOLLOWER for handler in dispatcher.event_handlers):
            dispatcher.event_handlers = [*dispatcher.event_handlers, _FOLLOWER]
            dispatcher.span_handlers = [*dispatcher.span_handlers, _FOLLOWER.spans]


def called_by_tool() -> bool:
    """Whether a tool of an agent is at work here, so that what is said now no person said."""
    span_id = active_span_id.get()
    return span_id is not None and _FOLLOWER.spans.is_in_tool(span_id)


def announce_recall(question: str, recall: Recall, bank: MemoryBank | None = None) -> None:
    """Tell all listening handlers what was recalled, as a retriever does.

    Events, and a node for each memory, are only made for those who can hear nothing else.

    Args:
        question: what it was recalled for.
        recall: what is shown of it.
        bank: whose conversation's memory shows it; None = a tool does.
    """
    span_id = active_span_id.get()
    if bank is not None and span_id is not None:
        _FOLLOWER.on_conversation(span_id, recall, bank)
    handlers = list(_listening())
    listeners = [handler for handler in handlers if isinstance(handler, RecallListener)]
    if len(listeners) < len(handlers):
        _DISPATCHER.event(RetrievalStartEvent(str_or_query_bundle=question))
        _DISPATCHER.event(
            RetrievalEndEvent(str_or_query_bundle=question, nodes=nodes_of(recall, hot=True))
        )
    elif span_id is not None:
        for handler in listeners:
            handler.on_recall(span_id, recall)


def _listening() -> Iterator[BaseEventHandler]:
    """The handlers that an event from here comes to."""
    dispatcher = _DISPATCHER
    while True:
        yield from (
            handler
            for handler in dispatcher.event_handlers
            if not isinstance(handler, NullEventHandler)
        )
        if not dispatcher.propagate:
            return
        dispatcher = dispatcher.parent


def current_tags() -> Mapping[str, Any]:
    """What `instrument_tags` told of the run."""
    return active_instrument_tags.get()


@contextmanager
def internal_questions() -> Iterator[None]:
    """Within the block cogmem itself asks language models: their answers go to no user."""
    token = _ASIDE.set(True)
    try:
        yield
    finally:
        _ASIDE.reset(token)


def is_internal_question() -> bool:
    """Whether cogmem itself is asking."""
    return _ASIDE.get()
