"""Which run of LlamaIndex a span belongs to, and which span is at work here.

A workflow's run that returns a future stays the active span of whoever called it, also when it has
ended (LlamaIndex 0.13). What begins under such a run next belongs to what called that run, as the
run itself does.
"""

from __future__ import annotations

import threading
from typing import Any

from llama_index.core.instrumentation.span import BaseSpan
from llama_index.core.instrumentation.span_handlers import BaseSpanHandler
from llama_index.core.workflow import Workflow
from llama_index_instrumentation import get_dispatcher
from llama_index_instrumentation.span import active_span_id
from pydantic import PrivateAttr

from cogmem_core.base.lru import LRUCache

__all__ = ["active_span", "follow_spans", "is_in_tool", "parent_of", "root_of"]

_LOCK = threading.Lock()
_SPANS = 16_000
_RUNS = 4_000
_RUN = ".run"
"""The method of a workflow whose span lasts as long as the workflow works."""
_TOOL_STEP = ".call_tool"
"""The step of LlamaIndex's agents in which they call a tool."""


class _Spans(BaseSpanHandler[BaseSpan]):
    """Knows the root of each span, and whether a tool of an agent called it; keeps no spans."""

    _lock_spans: threading.Lock = PrivateAttr(default_factory=threading.Lock)
    _places: LRUCache[str, tuple[str, bool]] = PrivateAttr(default_factory=lambda: LRUCache(_SPANS))
    _callers: LRUCache[str, tuple[str | None, bool]] = PrivateAttr(
        default_factory=lambda: LRUCache(_RUNS)
    )
    """By the span of a workflow's run: what called it, and whether the run has ended."""

    @classmethod
    def class_name(cls) -> str:
        return "CogMemSpans"

    def place_of(self, span_id: str) -> tuple[str, bool]:
        """The root, and whether it is in a tool; the span itself, if its beginning was not seen."""
        with self._lock_spans:
            return self._places.get(span_id) or (span_id, _has_method(span_id, _TOOL_STEP))

    def still_going(self, span_id: str | None, *, runs_too: bool = False) -> str | None:
        """The span, or what called it if it is the run of a workflow that has ended.

        Args:
            span_id: None = no span, which is what is returned then.
            runs_too: also if it has not ended.
        """
        with self._lock_spans:
            while run := self._callers.get(span_id or ""):
                caller, has_ended = run
                if not (has_ended or runs_too):
                    break
                span_id = caller
        return span_id

    def new_span(self, id_: str, *_: Any, **details: Any) -> None:
        """A span began."""
        instance = details.get("instance")
        parent = parent_of(id_, instance, details.get("parent_span_id"))
        root, is_in_tool = self.place_of(parent) if parent else (id_, False)
        with self._lock_spans:
            self._places.put(id_, (root, is_in_tool or _has_method(id_, _TOOL_STEP)))
            if _is_workflow_run(id_, instance):
                self._callers.put(id_, (parent, False))

    def prepare_to_exit_span(self, id_: str, *_: Any, **__: Any) -> None:
        """A span ended; what is streamed after it still belongs to its root."""
        self._ended(id_)

    def prepare_to_drop_span(self, id_: str, *_: Any, **__: Any) -> None:
        """A span failed."""
        self._ended(id_)

    def _ended(self, id_: str) -> None:
        with self._lock_spans:
            run = self._callers.get(id_)
            if run is not None:
                self._callers.put(id_, (run[0], True))


_FOLLOWED = _Spans()


def follow_spans() -> None:
    """Follow LlamaIndex's spans from now on; a second time changes nothing."""
    dispatcher = get_dispatcher()
    with _LOCK:
        if all(handler is not _FOLLOWED for handler in dispatcher.span_handlers):
            dispatcher.span_handlers = [_FOLLOWED, *dispatcher.span_handlers]


def active_span() -> str | None:
    """The span that is at work in this context; None if there is none."""
    return _FOLLOWED.still_going(active_span_id.get())


def parent_of(span_id: str, instance: object, parent_id: str | None) -> str | None:
    """The span that another one belongs to; None if it is a root.

    Args:
        span_id: the span that begins.
        instance: whose method it is.
        parent_id: what LlamaIndex calls its parent. A run directly under a run was only called after
            it: what a workflow itself calls, it calls in a step.
    """
    return _FOLLOWED.still_going(parent_id, runs_too=_is_workflow_run(span_id, instance))


def root_of(span_id: str) -> str:
    """The root of a span; itself, if its beginning was not seen."""
    return _FOLLOWED.place_of(span_id)[0]


def is_in_tool(span_id: str) -> bool:
    """Whether a tool of an agent called it."""
    return _FOLLOWED.place_of(span_id)[1]


def _is_workflow_run(span_id: str, instance: object) -> bool:
    return isinstance(instance, Workflow) and _has_method(span_id, _RUN)


def _has_method(span_id: str, name: str) -> bool:
    return span_id.partition("-")[0].endswith(name)
