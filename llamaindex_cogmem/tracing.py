"""What both ways to hear of LlamaIndex's events have in common, and what is told to them from here."""

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

__all__ = ["UNTOLD", "HearsRecalls", "announced", "aside", "attribution_of", "is_aside", "known_tags"]

UNTOLD = "tell it around the call: with instrument_tags({%s: 'ann'}):"
"""What to do where a function of the run's tags finds no such tag; see `cogmem_core.adapters.resolve_bank.whose`."""
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
        InvalidInput: neither an engine nor a bank, or both; an option that does not exist, or is unusable.
    """
    return Attribution(engine_of(source, bank), Tracing.of(options, lingering=True, guessing=guessing, current=current))


class HearsRecalls(BaseEventHandler, ABC):
    """A handler that can be told of a recall as it is."""

    @abstractmethod
    def recalled(self, span_id: str, recall: Recall) -> None:
        """Something was recalled in a span."""


def announced(question: str, recall: Recall) -> None:
    """Tell whoever listens what was recalled, as a retriever does.

    Events, and a node for each memory, are only made for those who can hear nothing else.
    """
    span_id, listening = active_span_id.get(), list(_listening())
    ours = [handler for handler in listening if isinstance(handler, HearsRecalls)]
    if len(ours) < len(listening):
        _DISPATCHER.event(RetrievalStartEvent(str_or_query_bundle=question))
        _DISPATCHER.event(RetrievalEndEvent(str_or_query_bundle=question, nodes=nodes_of(recall, hot=True)))
    elif span_id is not None:
        for handler in ours:
            handler.recalled(span_id, recall)


def _listening() -> Iterator[BaseEventHandler]:
    """The handlers that an event from here comes to."""
    asked = _DISPATCHER
    while True:
        yield from (handler for handler in asked.event_handlers if not isinstance(handler, NullEventHandler))
        if not asked.propagate:
            return
        asked = asked.parent


def known_tags() -> Mapping[str, Any]:
    """What `instrument_tags` told of the run."""
    return active_instrument_tags.get()


@contextmanager
def aside() -> Iterator[None]:
    """What language models are asked in this block, they are asked by cogmem itself: their answers go to no user."""
    token = _ASIDE.set(True)
    try:
        yield
    finally:
        _ASIDE.reset(token)


def is_aside() -> bool:
    """Whether cogmem itself is asking."""
    return _ASIDE.get()
