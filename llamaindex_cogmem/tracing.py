"""What `CogMemInstrumentation` and `CogMemCallbackHandler` share, and what a memory knows without them.

The memory of a conversation is told answers, and not which prompt they were given to. So the calls
of models are followed in this process from the first `CogMemMemory` or block on, see
`cogmem_core.adapters.run_recalls`.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.callbacks import CallbackManager
from llama_index.core.instrumentation.events.exception import ExceptionEvent
from llama_index.core.instrumentation.events.llm import (
    LLMChatEndEvent,
    LLMChatStartEvent,
    LLMCompletionEndEvent,
    LLMCompletionStartEvent,
)
from llama_index.core.schema import NodeWithScore, QueryBundle
from llama_index_instrumentation import get_dispatcher
from llama_index_instrumentation.base import BaseEvent
from llama_index_instrumentation.dispatcher import active_instrument_tags
from llama_index_instrumentation.event_handlers import BaseEventHandler, NullEventHandler
from llama_index_instrumentation.span_handlers import NullSpanHandler
from pydantic import PrivateAttr

from cogmem_core.adapters.attribution import Attribution, Tracing
from cogmem_core.adapters.resolve_bank import engine_of
from cogmem_core.adapters.run_recalls import AnsweringCalls
from cogmem_core.base.fail_open import LogAndContinue
from cogmem_core.base.lru import LRUCache
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.retrieval.recall import Recall
from cogmem_core.text.quoted_in import flat
from llamaindex_cogmem.convert import answer_of, arguments_of, nodes_of, text_of
from llamaindex_cogmem.spans import active_span, follow_spans, is_in_tool, root_of

__all__ = [
    "MISSING_TAG_HELP",
    "RecallListener",
    "announce_recall",
    "attribution_of",
    "current_tags",
    "follow_calls",
    "internal_questions",
    "is_internal_question",
    "nobody_speaks",
    "rebuild_handler",
    "said_by_person",
]

MISSING_TAG_HELP = "tell it around the call: with instrument_tags({%s: 'ann'}):"
"""What to do where a function of the run's tags finds no such tag.

See `cogmem_core.adapters.resolve_bank.BankResolver`.
"""
_DISPATCHER = get_dispatcher(__name__)
_ASIDE: ContextVar[bool] = ContextVar("cogmem_aside", default=False)
_NOBODY: ContextVar[bool] = ContextVar("cogmem_nobody", default=False)
_LOCK = threading.Lock()
_ROOTS = 256
_ANSWERS = 32  # of models in one run
_LENGTH = 8_000  # characters of a prompt or an answer
_PLANNED = 16  # characters; people repeat shorter answers of a model


def attribution_of(
    source: Engine | MemoryBank | None,
    bank: MemoryBank | None,
    options: Mapping[str, Any],
    *,
    guessing: bool,
    current: Callable[[], str | None],
) -> Attribution:
    """Answers of one engine's memories, traced.

    Args:
        options: those of the handler.
        guessing: it is not known for sure which events belong together.
        current: tells the run that is going on in this context.

    Raises:
        InvalidInput: neither an engine nor a bank, or both; an option is unusable.
    """
    return Attribution(
        engine_of(source, bank),
        Tracing(**options, lingering=True, guessing=guessing, current=current),
    )


def rebuild_handler(cls: Callable[..., Any], engine: Engine, options: Mapping[str, Any]) -> Any:
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
    _written: LRUCache[str, list[str]] = PrivateAttr(default_factory=lambda: LRUCache(_ROOTS))
    """By the root of a run: the end of its first prompt, and what its models have written since."""

    @classmethod
    def class_name(cls) -> str:
        return "CogMemFollower"

    def wrote(self, text: str) -> bool:
        """Whether a model of the run that is going on here wrote a text of some length.

        What stood in its prompt it only repeats.
        """
        span_id = active_span()
        words = flat(text)
        if span_id is None or len(words) < _PLANNED:
            return False
        asked, *answers = self._written.get(root_of(span_id)) or [""]
        return words not in asked and any(words in answer for answer in answers)

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
                if root != span_id and self._written.get(root) is None:
                    self._written.put(root, [flat(text_of(prompt)[-_LENGTH:])])
            elif isinstance(event, (LLMChatEndEvent, LLMCompletionEndEvent)):
                response = event.response
                message = getattr(response, "message", None) or getattr(response, "text", "")
                self._calls.add_answer(span_id, lambda: answer_of(message))
                written = self._written.get(root_of(span_id))
                if written is not None and len(written) < _ANSWERS:
                    answer = f"{text_of(message)}\n{arguments_of(message)}"
                    self._written.put(root_of(span_id), [*written, flat(answer[:_LENGTH])])
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


def said_by_person(text: str) -> bool:
    """Whether a person may have said what is put in a person's name.

    Not within a tool of an agent, nor if a model of the same run has just written it: a planner's
    task for somebody else.
    """
    return not (_NOBODY.get() or called_by_tool() or _FOLLOWER.wrote(text))


@contextmanager
def nobody_speaks(really: bool) -> Iterator[None]:
    """Within the block no person says what is put in a person's name."""
    token = _NOBODY.set(really)
    try:
        yield
    finally:
        _NOBODY.reset(token)


def announce_recall(question: str, recall: Recall, bank: MemoryBank | None = None) -> None:
    """Tell all listening handlers what was recalled, as a retriever does.

    A retriever's run, and a node for each memory, are only made for those who can hear nothing else.

    Args:
        question: what it was recalled for.
        recall: what is shown of it.
        bank: whose conversation's memory shows it; None = a tool does.
    """
    span_id = active_span()
    if bank is not None and span_id is not None:
        _FOLLOWER.on_conversation(span_id, recall, bank)
    handlers = list(_listening("event_handlers"))
    listeners = [handler for handler in handlers if isinstance(handler, RecallListener)]
    if len(listeners) < len(handlers) or any(
        not type(handler).__module__.startswith(__package__)
        for handler in _listening("span_handlers")
    ):
        CogMemRecall(recall).retrieve(question)
    elif span_id is not None:
        for handler in listeners:
            handler.on_recall(span_id, recall)


def _listening(kind: str) -> Iterator[Any]:
    """The handlers that an event or a span from here comes to."""
    dispatcher = _DISPATCHER
    while True:
        yield from (
            handler
            for handler in getattr(dispatcher, kind)
            if not isinstance(handler, (NullEventHandler, NullSpanHandler))
        )
        if not dispatcher.propagate:
            return
        dispatcher = dispatcher.parent


class CogMemRecall(BaseRetriever):
    """Retrieves what was recalled already, so that a trace shows it as the run of a retriever."""

    def __init__(self, recall: Recall) -> None:
        super().__init__(callback_manager=CallbackManager())
        self._recall = recall

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:  # noqa: ARG002
        return nodes_of(self._recall, hot=True)


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
