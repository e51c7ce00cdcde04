"""Handlers that see prompts and answers, and give feedback to the memories in them.

Handlers only translate LangChain's events; which answer counts for which memories
`cogmem_core.adapters.attribution` decides. They run inline, keep what they need in memory and leave
the writing to the engine's worker: an event loop never waits.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from contextvars import ContextVar, Token
from itertools import chain
from typing import Any, TypeVar
from uuid import UUID

from langchain_core.callbacks import AsyncCallbackHandler, BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.outputs import Generation, LLMResult
from langchain_core.runnables.config import var_child_runnable_config
from langchain_core.tracers.context import register_configure_hook

from cogmem_core.adapters.attribution import Attribution, FeedbackListener, Tracing
from cogmem_core.adapters.run_recalls import AnsweringCalls
from cogmem_core.adapters.task_runs import RunListener
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.feedback import Similarity
from cogmem_core.retrieval.recall import Recall
from langchain_cogmem.convert import engine_of, structured_answer, text_of
from langchain_cogmem.framework_texts import SOURCE, ended_without_answer, is_interrupt
from langchain_cogmem.recalled import RecalledId, Traced

__all__ = [
    "AsyncCogMemCallbackHandler",
    "CogMemCallbackHandler",
    "cogmem_feedback",
]


_HOOKS = {
    "on_chain_start": ("chain_started", "A chain began; its memory may have given it memories."),
    "on_chain_end": ("chain_ended", "A chain ended: with the root of a run its answers count."),
    "on_chain_error": ("run_failed", "A chain failed or was cut off: it teaches nothing."),
    "on_tool_start": ("tool_started", "A tool began; what it recalls belongs to its run."),
    "on_tool_end": ("tool_ended", "A tool ended."),
    "on_tool_error": ("tool_failed", "A tool failed: its run teaches no memory."),
    "on_retriever_start": (
        "retriever_started",
        "A retriever began; what a language model says within it is no answer to the user.",
    ),
    "on_retriever_end": ("retriever_ended", "A retriever ended; documents may be memories."),
    "on_retriever_error": ("run_failed", "A retriever failed: it teaches nothing."),
    "on_chat_model_start": (
        "model_started",
        "A chat model was asked: which memories stand in its prompt is noted.",
    ),
    "on_llm_start": (
        "model_started",
        "A language model was asked: which memories stand in its prompt is noted.",
    ),
    "on_llm_end": (
        "model_ended",
        "A language model answered: what it said, and what it gave to tools, is evidence.",
    ),
    "on_llm_error": ("run_failed", "A language model failed or was cut off: no answer."),
}
"""LangChain's events, what `_Events` makes of them, and what their methods say of themselves."""
Handler = TypeVar("Handler", bound=BaseCallbackHandler)


class _Events:
    """LangChain's events in the words of `Attribution`."""

    def __init__(self, engine: Engine, tracing: Tracing) -> None:
        self.attribution = Attribution(engine, tracing)
        self.runs = self.attribution.task_runs
        self.calls = AnsweringCalls()

    def chain_started(
        self,
        _chain: Any,
        values: Any,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **_: Any,
    ) -> None:
        """A chain or a tool; a memory's texts are among the inputs of a chain."""
        self.attribution.start_run(run_id, parent_run_id)
        if not isinstance(values, Mapping):
            return
        for value in values.values():
            if isinstance(value, Traced) and value.recall is not None:
                self._add_conversation(run_id, value.recall)

    def tool_started(
        self,
        serialized: Any,
        text: str,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        inputs: Any = None,
        **more: Any,
    ) -> None:
        """A tool; what it is called with is a step of the task."""
        self.attribution.start_run(run_id, parent_run_id)
        if self.runs is not None:
            name = (serialized or {}).get("name") or more.get("name") or ""
            arguments = inputs if isinstance(inputs, Mapping) else {"input": text}
            self.runs.call_started(run_id, str(name), arguments)

    def tool_ended(self, output: Any, *, run_id: UUID, **_: Any) -> None:
        """A tool returned; LangChain makes messages of errors that are handled."""
        if self.runs is not None:
            self.runs.call_ended(run_id, ok=getattr(output, "status", None) != "error")
        self.chain_ended(output, run_id=run_id)

    def tool_failed(self, error: BaseException, *, run_id: UUID, **_: Any) -> None:
        """A tool failed, or was cut off: then nobody knows."""
        if self.runs is not None and isinstance(error, Exception) and not is_interrupt(error):
            self.runs.call_ended(run_id, ok=False)
        self.run_failed(error, run_id=run_id)

    def retriever_started(
        self,
        _serialized: Any,
        query: Any,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **_: Any,
    ) -> None:
        """A retriever; what a language model says within it is not an answer."""
        self.attribution.start_run(run_id, parent_run_id, quiet=True)
        self.attribution.add_question(run_id, text_of(query))

    def retriever_ended(self, documents: Iterable[Any], *, run_id: UUID, **_: Any) -> None:
        """A retriever's documents."""
        self._add_documents(run_id, documents)
        self.attribution.end_run(run_id)

    def _add_documents(self, run_id: UUID, documents: Iterable[Document]) -> None:
        """Documents that went on, and as what text."""
        texts_by_recall: dict[str, dict[str, str]] = {}
        for document in documents:
            found = document.metadata.get("cogmem_id")
            if isinstance(found, RecalledId):
                texts_by_recall.setdefault(found.recall_id, {})[found] = document.page_content
        for recall_id, texts in texts_by_recall.items():
            self.attribution.add_recall(run_id, recall_id, texts, texts=texts)

    def model_started(
        self,
        _serialized: Any,
        prompts: Any,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **more: Any,
    ) -> None:
        """A language model got a prompt: texts, or lists of messages.

        A middleware's own question has no answer.
        """
        is_internal = SOURCE in (more.get("metadata") or {})
        self.attribution.start_run(run_id, parent_run_id, quiet=is_internal)
        prompt = text_of(prompts)
        self.attribution.add_prompt(run_id, prompt)
        self.calls.add_prompt(self.attribution.root_of(run_id), run_id, lambda: prompt)

    def model_ended(self, response: LLMResult, *, run_id: UUID, **_: Any) -> None:
        """A language model answered."""
        answer = "\n".join(_answer_texts(response.generations))
        arguments = "\n".join(_tool_arguments(response.generations))
        self.calls.add_answer(run_id, lambda: answer)
        self.attribution.add_answer(run_id, answer, arguments=arguments)
        self.attribution.end_run(run_id)

    def run_failed(self, error: BaseException, *, run_id: UUID, **_: Any) -> None:
        """Anything failed or was cut off."""
        if self.runs is not None:
            if is_interrupt(error):
                self.runs.interrupted(run_id)
            self.runs.ended(run_id, failed=True)
        self.calls.drop_call(run_id)
        self.attribution.drop_call(run_id)
        self.attribution.end_run(run_id, failed=True)

    def chain_ended(self, output: Any, *, run_id: UUID, **_: Any) -> None:
        """A chain or a tool ended; one that was stopped by a limit has no answer."""
        if isinstance(output, list) and output and isinstance(output[0], Document):
            self._add_documents(run_id, [item for item in output if isinstance(item, Document)])
        failed = ended_without_answer(output)
        if self.runs is not None:
            self.runs.ended(run_id, failed=failed)
        self.attribution.end_run(run_id, failed=failed, answer=structured_answer(output))

    def _add_conversation(self, run_id: UUID, recall: Recall) -> None:
        """The memory of a chain gave it what it recalled."""
        source = self.attribution.engine.recall_registry.find(recall.id)
        if source is not None:
            self.calls.add_recall(self.attribution.root_of(run_id), source)
            memory_ids = [item.memory.id for item in recall.results]
            memory_ids += [memory.id for memory in recall.hot]
            self.attribution.add_recall(run_id, recall.id, memory_ids)


def _current_run() -> UUID | None:
    """The run whose code is at work in this context.

    LangChain gives it to whatever is called from there.
    """
    callbacks = (var_child_runnable_config.get() or {}).get("callbacks")
    return getattr(callbacks, "parent_run_id", None)


def _answer_texts(generations: Sequence[Sequence[Generation]]) -> Iterable[str]:
    """The answers; what comes with tool calls is said to the tools."""
    for generation in chain.from_iterable(generations):
        message = getattr(generation, "message", None)
        if not getattr(message, "tool_calls", None):
            yield text_of(message) if message is not None else generation.text


def _tool_arguments(generations: Sequence[Sequence[Generation]]) -> Iterable[str]:
    """What was given to tools, as JSON."""
    for generation in chain.from_iterable(generations):
        for call in getattr(getattr(generation, "message", None), "tool_calls", None) or ():
            yield json.dumps(call.get("args", {}), ensure_ascii=False, default=str)


class _Handler:
    """What both handlers have in common: the constructor's arguments, `flush` and a look inside."""

    raise_error = False
    run_inline = True

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
        super().__init__()
        self._options: dict[str, Any] = {
            "match": match,
            "similarity_fn": similarity_fn,
            "background": background,
            "on_feedback": on_feedback,
            "max_runs": max_runs,
            "observe_runs": observe_runs,
            "on_run": on_run,
        }
        tracing = Tracing(**self._options, current=_current_run)
        self._events = _Events(engine_of(engine, bank), tracing)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._events.attribution.engine!r})"

    @property
    def pending(self) -> Mapping[str, int]:
        """How many runs, root runs and calls of language models are being followed."""
        return self._events.attribution.pending

    def flush(self) -> None:
        """Wait until all answers so far are learnt from."""
        self._events.attribution.engine.flush()

    async def aflush(self) -> None:
        """Async twin of `flush`."""
        await self._events.attribution.engine.aflush()

    # Handlers are shared, by configuration and by copies of it; what they follow must not be torn
    # apart.
    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, _memo: Any) -> Any:
        return self

    # In another process it follows that process's runs, over the same bank.
    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self._events.attribution.engine, self._options)


def _rebuild(cls: Callable[..., Any], engine: Engine, options: Mapping[str, Any]) -> Any:
    return cls(engine, **options)


def _inline(event: str) -> Callable[..., None]:
    def hook(self: _Handler, *args: Any, **kwargs: Any) -> None:
        getattr(self._events, event)(*args, **kwargs)

    return hook


def _awaited(event: str) -> Callable[..., Coroutine[Any, Any, None]]:
    async def hook(self: _Handler, *args: Any, **kwargs: Any) -> None:
        getattr(self._events, event)(*args, **kwargs)

    return hook


def _hooked(make: Callable[[str], Callable[..., Any]]) -> Callable[[type[Handler]], type[Handler]]:
    """Gives a handler a method for each of LangChain's events."""

    def decorate(handler: type[Handler]) -> type[Handler]:
        for name, (event, docstring) in _HOOKS.items():
            hook = make(event)
            hook.__doc__ = f"{docstring} Arguments as LangChain gives them."
            hook.__name__ = name
            hook.__qualname__ = f"{handler.__qualname__}.{name}"
            setattr(handler, name, hook)
        return handler

    return decorate


@_hooked(_inline)
class CogMemCallbackHandler(_Handler, BaseCallbackHandler):
    """Credits memories with the answers that were made of them.

    Pass it in `config={"callbacks": [handler]}`.

    After each answer of a language model, exactly those memories are judged whose text was in its
    prompt, once per answer. Works for `invoke`, `stream`, `batch` and their async forms, in chains,
    graphs and agents, with any number of runs at once. What fails or is cut off gives no feedback.
    A pickled handler follows the runs of the process that it comes to.

    Args:
        engine: whose recalls are followed; or `bank`, whose engine is meant.
        match: "prompt" = memories whose text is in the prompt; "all" = all that were recalled under
            the same root run.
        similarity_fn: (memory, answer) → 0..1, as for `MemoryBank.feedback`.
        background: False = write before the event returns; for tests and scripts.
        on_feedback: called with the judgements of each answer, by the worker's thread.
        max_runs: how many root runs and model calls are followed at once; the oldest are given up.
        observe_runs: False = what tools are called for a task is not kept. Otherwise a root run in
            which a bank was asked, in a session, and then tools were called, is kept as by
            `MemoryBank.observe_run`, so that procedures are learnt from it; a tool that fails is a
            failure, a run that is cut off is none.
        on_run: called with each run that was kept, by the worker's thread, so that
            `bank.outcome(run, ok)` can be told.

    Raises:
        InvalidInput: neither an engine nor a bank, or both; an unknown `match`.

    Example:
        >>> import cogmem_core
        >>> from langchain_core.language_models import FakeListChatModel
        >>> from langchain_cogmem import CogMemCallbackHandler, CogMemRetriever
        >>> with cogmem_core.open(embedder="hashing") as engine:
        ...     alice = engine.bank("alice")
        ...     _ = alice.remember("Alice likes hiking on Mount Rainier")
        ...     recall = CogMemRetriever(bank=alice) | (lambda found: found[0].page_content)
        ...     chain = recall | FakeListChatModel(responses=["You like hiking on Mount Rainier!"])
        ...     handler = CogMemCallbackHandler(engine)
        ...     _ = chain.invoke("hiking?", {"callbacks": [handler]})
        ...     handler.flush()
        ...     print(alice.list()[0].used_count)
        1
    """


@_hooked(_awaited)
class AsyncCogMemCallbackHandler(_Handler, AsyncCallbackHandler):
    """As `CogMemCallbackHandler`, for code that wants an async handler; same arguments.

    Its methods never wait. The synchronous handler does the same job in async chains, too.

    Example:
        >>> import asyncio
        >>> import cogmem_core
        >>> from langchain_core.language_models import FakeListChatModel
        >>> from langchain_cogmem import AsyncCogMemCallbackHandler, CogMemRetriever
        >>> async def main() -> int:
        ...     async with cogmem_core.open(embedder="hashing") as engine:
        ...         alice = engine.bank("alice")
        ...         await alice.aremember("Alice likes hiking on Mount Rainier")
        ...         recall = CogMemRetriever(bank=alice) | (lambda found: found[0].page_content)
        ...         chain = recall | FakeListChatModel(responses=["You like hiking on Mount Rainier!"])
        ...         handler = AsyncCogMemCallbackHandler(engine)
        ...         await chain.ainvoke("hiking?", {"callbacks": [handler]})
        ...         await handler.aflush()
        ...         return (await alice.alist())[0].used_count
        >>> print(asyncio.run(main()))
        1
    """


_ACTIVE: ContextVar[CogMemCallbackHandler | None] = ContextVar("cogmem_feedback", default=None)
register_configure_hook(_ACTIVE, inheritable=True)


class cogmem_feedback:  # noqa: N801 - reads as the statement that it is
    """Feedback for every chain, graph and agent called within the block, without passing callbacks.

    Args:
        engine: whose recalls are followed.
        bank: instead of `engine`: its engine is meant.
        match: as for `CogMemCallbackHandler`, like the rest.
        similarity_fn: as there.
        background: as there.
        on_feedback: as there.
        max_runs: as there.
        observe_runs: as there.
        on_run: as there.

    Example:
        >>> import cogmem_core
        >>> from langchain_core.language_models import FakeListChatModel
        >>> from langchain_cogmem import CogMemRetriever, cogmem_feedback
        >>> with cogmem_core.open(embedder="hashing") as engine:
        ...     alice = engine.bank("alice")
        ...     _ = alice.remember("Alice likes hiking on Mount Rainier")
        ...     recall = CogMemRetriever(bank=alice) | (lambda found: found[0].page_content)
        ...     chain = recall | FakeListChatModel(responses=["You like hiking on Mount Rainier!"])
        ...     with cogmem_feedback(engine) as handler:
        ...         _ = chain.invoke("hiking?")
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
        self._handler = CogMemCallbackHandler(
            engine,
            bank=bank,
            match=match,
            similarity_fn=similarity_fn,
            background=background,
            on_feedback=on_feedback,
            max_runs=max_runs,
            observe_runs=observe_runs,
            on_run=on_run,
        )
        self._tokens: list[Token[CogMemCallbackHandler | None]] = []

    def __reduce__(self) -> tuple[Any, ...]:
        _, (_, engine, options) = self._handler.__reduce__()
        return _rebuild, (type(self), engine, options)

    def __enter__(self) -> CogMemCallbackHandler:
        self._tokens.append(_ACTIVE.set(self._handler))
        return self._handler

    def __exit__(self, *_: object) -> None:
        _ACTIVE.reset(self._tokens.pop())
