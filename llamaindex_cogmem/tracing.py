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
from llama_index_instrumentation import get_dispatcher
from llama_index_instrumentation.base import BaseEvent
from llama_index_instrumentation.dispatcher import active_instrument_tags
from llama_index_instrumentation.event_handlers import BaseEventHandler, NullEventHandler
from pydantic import PrivateAttr
from typing_extensions import Unpack

from cogmem_core.adapters.answering_calls import AnsweringCalls
from cogmem_core.adapters.attribution import Attribution, FeedbackOptions, Tracing
from cogmem_core.adapters.resolve_bank import engine_of
from cogmem_core.base.fail_open import LogAndContinue
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.retrieval.recall import Recall
from llamaindex_cogmem.convert import answer_of, nodes_of, text_of
from llamaindex_cogmem.spans import active_span, follow_spans, is_in_tool, root_of

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

See `cogmem_core.adapters.resolve_bank.bank_resolver`.
"""
_DISPATCHER = get_dispatcher(__name__)
_ASIDE: ContextVar[bool] = ContextVar("cogmem_aside", default=False)
_LOCK = threading.Lock()


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


class _Follower(RecallListener):
    """Follows the calls of models in runs in which a conversation's memory showed something."""

    _calls: AnsweringCalls = PrivateAttr(default_factory=AnsweringCalls)
    _fail_open: LogAndContinue = PrivateAttr(default_factory=LogAndContinue)

    @classmethod
    def class_name(cls) -> str:
        return "CogMemFollower"

    def handle(self, event: BaseEvent, **_: Any) -> None:
        """What models were asked, and what they answered."""
        span_id = event.span_id
        if span_id is None:
            return
        with self._fail_open("feedback"):
            if isinstance(event, (LLMChatStartEvent, LLMCompletionStartEvent)):
                prompt = event.messages if isinstance(event, LLMChatStartEvent) else event.prompt
                root = root_of(span_id)
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
                self._calls.add_recall(root_of(span_id), source)


_FOLLOWER = _Follower()


def follow_calls() -> None:
    """Follow the calls of models from now on; a second time changes nothing."""
    follow_spans()
    dispatcher = get_dispatcher()
    with _LOCK:
        if all(handler is not _FOLLOWER for handler in dispatcher.event_handlers):
            dispatcher.event_handlers = [*dispatcher.event_handlers, _FOLLOWER]


def called_by_tool() -> bool:
    """Whether a tool of an agent is at work here, so that what is said now no person said."""
    span_id = active_span()
    return span_id is not None and is_in_tool(span_id)


def announce_recall(question: str, recall: Recall, bank: MemoryBank | None = None) -> None:
    """Tell all listening handlers what was recalled, as a retriever does.

    Events, and a node for each memory, are only made for those who can hear nothing else.

    Args:
        question: what it was recalled for.
        recall: what is shown of it.
        bank: whose conversation's memory shows it; None = a tool does.
    """
    span_id = active_span()
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
