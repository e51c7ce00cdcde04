"""Feedback for code that still uses a `CallbackManager`: the same as `CogMemInstrumentation`, from the older events."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any, NamedTuple
from uuid import uuid4

from llama_index.core.callbacks.base_handler import BaseCallbackHandler
from llama_index.core.callbacks.schema import BASE_TRACE_EVENT, CBEventType, EventPayload
from typing_extensions import Self, Unpack

from cogmem_core.adapters.attribution import FeedbackOptions
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.fail_open import LogAndContinue
from llamaindex_cogmem.convert import answer_of, found_in, text_of
from llamaindex_cogmem.tracing import attribution_of, is_aside

__all__ = ["CogMemCallbackHandler"]

_QUIET = (CBEventType.RETRIEVE, CBEventType.RERANKING)
"""What language models say within these is no answer to the user."""


class _Here(NamedTuple):
    """What the events of this task or thread belong to; `traced`: it has a beginning and an end that are told."""

    root: str
    traced: bool


class CogMemCallbackHandler(BaseCallbackHandler):
    """Credits memories with the answers that were made of them: pass it in a `CallbackManager`.

    Set the manager as `Settings.callback_manager` before the engine is built: engines hand that one to their language
    model, whatever manager the model had. Or build the response synthesizer with it, as below; the retriever needs it,
    too. These events do not tell what belongs together, so where several questions over the same memories are answered
    at the same time in one task, the one whose question is in the prompt is meant; `CogMemInstrumentation` knows for
    sure. Both together count once.

    Args:
        engine: whose recalls are followed; or `bank`, whose engine is meant.
        match, similarity_fn, background, on_feedback, max_runs: as for `CogMemInstrumentation`.

    Raises:
        InvalidInput: neither an engine nor a bank, or both; an unknown option or `match`.

    Example:
        >>> import cogmem_core
        >>> from llama_index.core import get_response_synthesizer
        >>> from llama_index.core.callbacks import CallbackManager
        >>> from llama_index.core.llms import MockLLM
        >>> from llama_index.core.query_engine import RetrieverQueryEngine
        >>> from llamaindex_cogmem import CogMemCallbackHandler, CogMemRetriever
        >>> with cogmem_core.open(embedder="hashing") as engine:
        ...     alice = engine.bank("alice")
        ...     _ = alice.remember("Alice likes hiking on Mount Rainier")
        ...     handler = CogMemCallbackHandler(engine)
        ...     manager = CallbackManager([handler])
        ...     retriever = CogMemRetriever(bank=alice, callback_manager=manager)
        ...     answering = get_response_synthesizer(MockLLM(), callback_manager=manager)
        ...     asked = RetrieverQueryEngine(retriever, answering, callback_manager=manager)
        ...     _ = asked.query("hiking?")  # this model repeats its prompt
        ...     handler.flush()
        ...     print(alice.list()[0].used_count)
        1
    """

    def __init__(
        self,
        engine: Engine | MemoryBank | None = None,
        *,
        bank: MemoryBank | None = None,
        **options: Unpack[FeedbackOptions],
    ) -> None:
        super().__init__(event_starts_to_ignore=[], event_ends_to_ignore=[])
        self._attribution = attribution_of(engine, bank, guessing=True, current=self._root, **options)
        self._harmless = LogAndContinue()
        self._here: ContextVar[_Here | None] = ContextVar("cogmem_here", default=None)

    def start_trace(self, *_: Any, **__: Any) -> None:
        """A query or a chat began in this task or thread."""
        with self._harmless("feedback"):
            here = _Here(uuid4().hex, traced=True)
            self._here.set(here)
            self._attribution.begun(here.root)

    def end_trace(self, *_: Any, **__: Any) -> None:
        """It ended; streams may be answered later."""
        with self._harmless("feedback"):
            here = self._here.get()
            self._here.set(None)
            if here is not None:
                self._attribution.ended(here.root)

    def on_event_start(
        self,
        event_type: CBEventType,
        payload: dict[str, Any] | None = None,
        event_id: str = "",
        parent_id: str = "",
        **_: Any,
    ) -> str:
        """Something began."""
        with self._harmless("feedback"):
            self._attribution.begun(event_id, self._parent(parent_id), quiet=event_type in _QUIET)
            if event_type is CBEventType.LLM and not is_aside():
                told = payload or {}
                prompt = told.get(EventPayload.MESSAGES) or told.get(EventPayload.PROMPT)
                self._attribution.prompted(event_id, text_of(prompt))
        return event_id

    def on_event_end(
        self, event_type: CBEventType, payload: dict[str, Any] | None = None, event_id: str = "", **_: Any
    ) -> None:
        """Something ended, or failed."""
        with self._harmless("feedback"):
            told = payload or {}
            failed = EventPayload.EXCEPTION in told
            if event_type is CBEventType.RETRIEVE:
                self._found(event_id, told)
            elif event_type is CBEventType.LLM:
                self._attribution.answered(event_id, "" if failed else _answer(told))
            self._attribution.ended(event_id, failed=failed)

    @property
    def pending(self) -> Mapping[str, int]:
        """How many events, root events and calls of language models are being followed."""
        return self._attribution.pending

    def flush(self) -> None:
        """Wait until all answers so far are learnt from."""
        self._attribution.engine.flush()

    async def aflush(self) -> None:
        """Async twin of `flush`."""
        await self._attribution.engine.aflush()

    def _parent(self, parent_id: str) -> str | None:
        """All outermost events have one and the same parent, which says nothing."""
        if parent_id and parent_id != BASE_TRACE_EVENT:
            return parent_id
        here = self._here.get()
        return None if here is None else here.root

    def _root(self) -> str | None:
        """What is being traced in this task or thread."""
        here = self._here.get()
        return here.root if here is not None and here.traced else None

    def _found(self, event_id: str, told: Mapping[str, Any]) -> None:
        for recall_id, memory_ids in found_in(told.get(EventPayload.NODES) or ()).items():
            self._attribution.recalled(event_id, recall_id, memory_ids)
        here = self._here.get()
        if here is None or not here.traced:
            # Whoever calls us is told of no trace: what follows in this task is made of these nodes.
            self._here.set(_Here(event_id, traced=False))

    # Managers are copied with the engines that hold them; what is followed must not be torn apart.
    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _memo: object) -> Self:
        return self


def _answer(told: Mapping[str, Any]) -> str:
    response, completion = told.get(EventPayload.RESPONSE), told.get(EventPayload.COMPLETION)
    return answer_of(getattr(response, "message", None) or getattr(completion, "text", ""))
