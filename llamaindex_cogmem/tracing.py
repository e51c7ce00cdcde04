"""What `CogMemInstrumentation` and `CogMemCallbackHandler` share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from llama_index.core.instrumentation.events.retrieval import RetrievalEndEvent, RetrievalStartEvent
from llama_index_instrumentation import get_dispatcher
from llama_index_instrumentation.dispatcher import active_instrument_tags
from llama_index_instrumentation.event_handlers import BaseEventHandler, NullEventHandler
from llama_index_instrumentation.span import active_span_id
from typing_extensions import Unpack

from cogmem_core.adapters.attribution import Attribution, FeedbackOptions, Tracing
from cogmem_core.adapters.resolve_bank import engine_of
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.retrieval.recall import Recall
from llamaindex_cogmem.convert import nodes_of

__all__ = [
    "MISSING_TAG_HELP",
    "RecallListener",
    "announce_recall",
    "attribution_of",
    "current_tags",
    "internal_questions",
    "is_internal_question",
]

MISSING_TAG_HELP = "tell it around the call: with instrument_tags({%s: 'ann'}):"
"""What to do where a function of the run's tags finds no such tag.

See `cogmem_core.adapters.resolve_bank.whose`.
"""
_DISPATCHER = get_dispatcher(__name__)
_ASIDE: ContextVar[bool] = ContextVar("cogmem_aside", default=False)


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


class RecallListener(BaseEventHandler, ABC):
    """A handler that can be told of a recall as it is."""

    @abstractmethod
    def on_recall(self, span_id: str, recall: Recall) -> None:
        """Something was recalled in a span."""


def announce_recall(question: str, recall: Recall) -> None:
    """Tell all listening handlers what was recalled, as a retriever does.

    Events, and a node for each memory, are only made for those who can hear nothing else.
    """
    span_id = active_span_id.get()
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
