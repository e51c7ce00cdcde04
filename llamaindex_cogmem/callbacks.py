"""The feedback of `CogMemInstrumentation`, for code that still uses a `CallbackManager`."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any, NamedTuple
from uuid import uuid4

from llama_index.core.callbacks.base_handler import BaseCallbackHandler
from llama_index.core.callbacks.schema import BASE_TRACE_EVENT, CBEventType, EventPayload
from typing_extensions import Self

from cogmem_core.adapters.attribution import FeedbackListener
from cogmem_core.adapters.task_runs import RunListener
from cogmem_core.base.fail_open import LogAndContinue
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.feedback import Similarity
from llamaindex_cogmem.convert import answer_of, arguments_of, memories_by_recall, text_of
from llamaindex_cogmem.tracing import attribution_of, is_internal_question, rebuild_handler

__all__ = ["CogMemCallbackHandler"]

_QUIET = (CBEventType.RETRIEVE, CBEventType.RERANKING)
"""What language models say within these is not an answer to the user."""


class _Scope(NamedTuple):
    """What the events of this task or thread belong to.

    `traced`: it has a beginning and an end that are told.
    """

    root: str
    traced: bool


class CogMemCallbackHandler(BaseCallbackHandler):
    """Credits memories with the answers that were made of them: pass it in a `CallbackManager`.

    Set the manager as `Settings.callback_manager` before the engine is built: engines hand that one
    to their language model, whatever manager the model had. Or build the response synthesizer with
    it, as below; the retriever needs it, too. These events do not tell what belongs together, so
    where several questions over the same memories are answered at the same time in one task, the
    one whose question is in the prompt is meant; `CogMemInstrumentation` knows for sure. Both
    together count once.

    Args:
        engine: whose recalls are followed; or `bank`, whose engine is meant.
        match: as for `CogMemInstrumentation`, like the rest.
        similarity_fn: as there.
        background: as there.
        on_feedback: as there.
        max_runs: as there.
        observe_runs: changes nothing here: these events tell of no tools.
        on_run: likewise.

    Raises:
        InvalidInput: neither an engine nor a bank, or both; an unknown `match`.

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
        match: str = "prompt",
        similarity_fn: Similarity | None = None,
        background: bool = True,
        on_feedback: FeedbackListener | None = None,
        max_runs: int = 1_000,
        observe_runs: bool = True,
        on_run: RunListener | None = None,
    ) -> None:
        super().__init__(event_starts_to_ignore=[], event_ends_to_ignore=[])
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
            engine, bank, self._options, guessing=True, current=self._root
        )
        self._fail_open = LogAndContinue()
        self._scope: ContextVar[_Scope | None] = ContextVar("cogmem_here", default=None)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._attribution.engine!r})"

    def start_trace(self, trace_id: str | None = None) -> None:  # noqa: ARG002 - LlamaIndex's
        """A query or a chat began in this task or thread."""
        with self._fail_open("feedback"):
            scope = _Scope(uuid4().hex, traced=True)
            self._scope.set(scope)
            self._attribution.start_run(scope.root)

    def end_trace(
        self,
        trace_id: str | None = None,  # noqa: ARG002 - LlamaIndex's
        trace_map: dict[str, list[str]] | None = None,  # noqa: ARG002
    ) -> None:
        """It ended; streams may be answered later."""
        with self._fail_open("feedback"):
            scope = self._scope.get()
            self._scope.set(None)
            if scope is not None:
                self._attribution.end_run(scope.root)

    def on_event_start(
        self,
        event_type: CBEventType,
        payload: dict[str, Any] | None = None,
        event_id: str = "",
        parent_id: str = "",
        **_: Any,
    ) -> str:
        """Something began."""
        with self._fail_open("feedback"):
            self._attribution.start_run(
                event_id, self._parent(parent_id), quiet=event_type in _QUIET
            )
            if event_type is CBEventType.LLM and not is_internal_question():
                fields = payload or {}
                prompt = fields.get(EventPayload.MESSAGES) or fields.get(EventPayload.PROMPT)
                self._attribution.add_prompt(event_id, text_of(prompt))
        return event_id

    def on_event_end(
        self,
        event_type: CBEventType,
        payload: dict[str, Any] | None = None,
        event_id: str = "",
        **_: Any,
    ) -> None:
        """Something ended, or failed."""
        with self._fail_open("feedback"):
            fields = payload or {}
            failed = EventPayload.EXCEPTION in fields
            if event_type is CBEventType.RETRIEVE:
                self._add_nodes(event_id, fields)
            elif event_type is CBEventType.LLM:
                message = "" if failed else _message(fields)
                arguments = arguments_of(message)
                self._attribution.add_answer(event_id, answer_of(message), arguments=arguments)
            self._attribution.end_run(event_id, failed=failed)

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
        scope = self._scope.get()
        return None if scope is None else scope.root

    def _root(self) -> str | None:
        """What is being traced in this task or thread."""
        scope = self._scope.get()
        return scope.root if scope is not None and scope.traced else None

    def _add_nodes(self, event_id: str, fields: Mapping[str, Any]) -> None:
        for recall_id, texts in memories_by_recall(fields.get(EventPayload.NODES) or ()).items():
            self._attribution.add_recall(event_id, recall_id, texts, texts=texts)
        scope = self._scope.get()
        if scope is None or not scope.traced:
            # Whoever calls us is told of no trace: what follows in this task is made of these
            # nodes.
            self._scope.set(_Scope(event_id, traced=False))

    def __reduce__(self) -> tuple[Any, ...]:
        return rebuild_handler, (type(self), self._attribution.engine, self._options)

    # Managers are copied with the engines that hold them; what is followed must not be torn apart.
    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _memo: object) -> Self:
        return self


def _message(fields: Mapping[str, Any]) -> object:
    response = fields.get(EventPayload.RESPONSE)
    completion = fields.get(EventPayload.COMPLETION)
    return getattr(response, "message", None) or getattr(completion, "text", "")
