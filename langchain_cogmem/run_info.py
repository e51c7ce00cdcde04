"""What is known of a run of LangChain's, for functions that tell whose memories are meant."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.runnables.config import RunnableConfig, ensure_config
from langchain_core.tracers.context import register_configure_hook

from cogmem_core.adapters.resolve_bank import BankResolver, NamespaceSource
from cogmem_core.base.lru import LRUCache
from cogmem_core.engine import Engine, MemoryBank

__all__ = [
    "GraphInput",
    "RunInfo",
    "called_by_tool",
    "given_to_graph",
    "help_by_name",
    "noted",
    "run_banks",
    "tool_banks",
]

_NAMES = ("metadata", "inputs", "state", "runtime", "run", "context", "config")
_TOOL_NODE = "tools:"
"""How the part of a checkpoint's namespace begins that stands for the tools of an agent."""
_CONFIG: ContextVar[RunnableConfig | None] = ContextVar("cogmem_retriever_config", default=None)
"""That of the call of a retriever that is going on: LangChain hands it nothing but its metadata."""
_NODE = "langgraph_node"
"""The key in a run's metadata that only nodes of graphs have, and what runs within them."""
_LOCK = threading.Lock()
_INPUTS: LRUCache[Any, Any] = LRUCache(256)
"""What each thread was given last: what follows an interrupt belongs to it."""
_RUNS = 4_096
_CONFIG_HELP = 'give it with the call: .invoke(..., {"configurable": {%s: "ann"}})'


def help_by_name(usual_help: str, **others: str) -> dict[str, str]:
    """What a namespace function may ask for by the names of its parameters.

    Args:
        usual_help: what to do if it does not find a key there, as for `BankResolver`.
        others: the same for some of the names.
    """
    return {**dict.fromkeys(_NAMES, usual_help), "config": _CONFIG_HELP, **others}


def called_by_tool(checkpoint_ns: str | None = None) -> bool:
    """Whether a tool of an agent is at work, so that no person gave what is said now.

    Args:
        checkpoint_ns: LangGraph's namespace of the run; None = of the run that is going on.
    """
    if checkpoint_ns is None:
        configurable = RunInfo().config.get("configurable") or {}
        checkpoint_ns = str(configurable.get("checkpoint_ns", ""))
    return any(part.startswith(_TOOL_NODE) for part in checkpoint_ns.split("|"))


class GraphInput(NamedTuple):
    """What a person gave to a graph.

    Attributes:
        values: the input; None = not known, or nothing.
        resume: what he said to a graph that had stopped to ask.
    """

    values: Any = None
    resume: Any = None


class _GraphInputs(BaseCallbackHandler):
    """Notes what a person gave to the outermost graph of a tree of runs; every tree has one of its own.

    That is the input of the last chain above its nodes. A copy knows of no run.
    """

    run_inline = True
    ignore_llm = ignore_chat_model = ignore_agent = ignore_retriever = True
    ignore_retry = ignore_custom_event = True

    def __init__(self) -> None:
        self._given: dict[UUID | None, GraphInput] = {}
        self._parents: LRUCache[UUID | None, UUID | None] = LRUCache(_RUNS)

    def on_chain_start(
        self,
        *arguments: Any,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        metadata: Any = None,
        **_: Any,
    ) -> None:
        """A chain began. Arguments as LangChain gives them."""
        inputs = arguments[1]
        resume = getattr(inputs, "resume", None)
        thread = (metadata or {}).get("thread_id")
        with _LOCK:
            if _NODE in (metadata or {}):
                self._parents.put(run_id, parent_run_id)
                return
            if resume is not None or inputs is None:
                inputs = _INPUTS.get(thread)
            elif thread is not None:
                _INPUTS.put(thread, inputs)
            self._given[run_id] = GraphInput(inputs, resume)

    def on_chain_end(self, *_: Any, run_id: UUID, **__: Any) -> None:
        """A chain ended. Arguments as LangChain gives them."""
        with _LOCK:
            self._given.pop(run_id, None)

    def on_chain_error(self, *_: Any, run_id: UUID, **__: Any) -> None:
        """A chain failed. Arguments as LangChain gives them."""
        self.on_chain_end(run_id=run_id)

    def above(self, run: UUID | None) -> GraphInput:
        """What was given to the graph above a run of a node."""
        with _LOCK:
            while (parent := self._parents.get(run)) is not None:
                run = parent
            return self._given.get(run, GraphInput())

    def __reduce__(self) -> tuple[Any, ...]:
        return _GraphInputs, ()


class _OfEachTree:
    """In the place of a `ContextVar`: a new handler for each tree of runs."""

    def get(self) -> BaseCallbackHandler:
        return _GraphInputs()


_VARIABLE: Any = _OfEachTree()
register_configure_hook(_VARIABLE, inheritable=True, handle_class=_GraphInputs)


def given_to_graph() -> GraphInput:
    """What the graph was given whose node is at work here; nothing outside of nodes, and if it is not known."""
    config = RunInfo().config
    if _NODE not in (config.get("metadata") or {}):
        return GraphInput()
    manager: Any = config.get("callbacks")
    for handler in getattr(manager, "handlers", ()):
        if isinstance(handler, _GraphInputs):
            return handler.above(manager.parent_run_id)
    return GraphInput()


@contextmanager
def noted(config: RunnableConfig | None) -> Iterator[None]:
    """A retriever is called with this: `RunInfo` tells it within the block."""
    token = _CONFIG.set(ensure_config(config))
    try:
        yield
    finally:
        _CONFIG.reset(token)


class RunInfo:
    """A run, as a namespace function may ask for it; looked up when it is asked for.

    Attributes:
        inputs: what the run was given: the variables of a chain, the state of an agent, the
            question of a retriever as `{"query": ...}`.
        state: the state of an agent; else the inputs.
        run: all of this.

    Example:
        >>> RunInfo(config={"metadata": {"user_id": "ann"}}).metadata["user_id"]
        'ann'
    """

    def __init__(
        self,
        inputs: Any = None,
        *,
        config: RunnableConfig | None = None,
        metadata: Mapping[str, Any] | None = None,
        runtime: Any = None,
        variables: tuple[Any, ...] = (),
    ) -> None:
        self.inputs = inputs
        self.state = inputs
        self._config = config
        self._metadata = metadata
        self._runtime = runtime
        self._variables = variables

    @property
    def run(self) -> RunInfo:
        """The run itself."""
        return self

    @property
    def config(self) -> RunnableConfig:
        """The configuration, such as `{"configurable": {"user_id": "ann"}}`."""
        if self._config is None:
            self._config = _CONFIG.get() or ensure_config()
        return self._config

    @property
    def configured(self) -> tuple[Any, ...]:
        """What fills a template, the first one first: nothing that a model says."""
        configurable = self.config.get("configurable") or {}
        return configurable, self.context, self.metadata, *self._variables

    @property
    def metadata(self) -> Mapping[str, Any]:
        """The metadata of the run."""
        if self._metadata is None:
            return self.config.get("metadata") or {}
        return self._metadata

    @property
    def thread(self) -> str | None:
        """The conversation, as LangGraph calls it; None if there is none."""
        thread = getattr(getattr(self.runtime, "execution_info", None), "thread_id", None)
        if thread is None:
            thread = (self.config.get("configurable") or {}).get("thread_id")
        return None if thread is None else str(thread)

    @property
    def by_tool(self) -> bool:
        """Whether a tool of another agent began the run: no person gave its messages."""
        execution_info = getattr(self.runtime, "execution_info", None)
        # Older versions of LangGraph tell it only with the configuration.
        return called_by_tool(getattr(execution_info, "checkpoint_ns", None))

    @property
    def runtime(self) -> Any:
        """LangGraph's runtime; None outside of its graphs and agents."""
        if self._runtime is None and "langgraph.runtime" in sys.modules:
            try:
                self._runtime = sys.modules["langgraph.runtime"].get_runtime()
            except (KeyError, RuntimeError):
                return None
        return self._runtime

    @property
    def context(self) -> Any:
        """What the caller gave as `context=` to a graph or an agent; None if nothing."""
        return getattr(self.runtime, "context", None)


def run_banks(
    bank: MemoryBank | None, engine: Engine | None, namespace: NamespaceSource, where: str
) -> BankResolver:
    """Whose bank is meant where nothing but the run that is going on tells it: call it with `run=RunInfo()`.

    Args:
        bank: as for `BankResolver`.
        engine: as for `BankResolver`.
        namespace: as for `BankResolver`.
        where: what to do within a run, "use the store".

    Raises:
        InvalidInput: as `BankResolver`.
    """
    fix = f"{where} within a run that has %s in its configuration, context or metadata"
    return BankResolver(bank, engine, namespace, fix, help_by_name(fix))


class _ToolBanks:
    """As `BankResolver`, for functions that get nothing but the config; can be pickled."""

    def __init__(self, resolve_bank: BankResolver) -> None:
        self._resolve_bank = resolve_bank

    def __call__(self, config: RunnableConfig) -> MemoryBank:
        return self._resolve_bank(config, run=RunInfo(config=config))


def tool_banks(
    bank: MemoryBank | None, engine: Engine | None, namespace: NamespaceSource
) -> Callable[[RunnableConfig], MemoryBank]:
    """Whose bank a tool means, by the config of its run.

    Raises:
        InvalidInput: as `BankResolver`.
    """
    return _ToolBanks(BankResolver(bank, engine, namespace, help_by_name=help_by_name("")))
