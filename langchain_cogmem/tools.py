"""A bank as tools that an agent calls itself: look something up, keep something, forget, explain."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, get_args

from langchain_core.runnables import RunnableConfig
from langchain_core.tools import StructuredTool, ToolException

from cogmem_core.adapters.options import as_query, checked_arguments
from cogmem_core.adapters.tools import (
    DEFAULT_TOOLS,
    TOOLS,
    checked_tools,
    forget_text,
    recall_text,
    report_text,
    why_text,
)
from cogmem_core.edge import checks
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.errors import CogMemError
from cogmem_core.models import Role
from cogmem_core.text.broken import readable
from langchain_cogmem.convert import NamespaceSource
from langchain_cogmem.run_info import tool_banks

__all__ = ["create_memory_tools"]

_LOG = logging.getLogger(__name__)
PerRun = Callable[[RunnableConfig], str]


def create_memory_tools(
    bank: MemoryBank | None = None,
    *,
    engine: Engine | None = None,
    namespace: NamespaceSource = None,
    session_id: str | PerRun | None = None,
    k: int = 8,
    role: Role = "assistant",
    tools: Iterable[str] = DEFAULT_TOOLS,
) -> list[StructuredTool]:
    """The tools `recall_memory` and `remember`, for agents and for `bind_tools`.

    On demand also `forget`, which lists what it would forget and does so only with the code of that
    list (`bank.restore` undoes it), and `why`, which tells where a memory comes from. Whose memory
    it is no argument of the model decides.

    Where the engine refuses or fails, the model is told so and the agent goes on (a warning is
    logged); with `tool.handle_tool_error = False` it is raised as a `ToolException`. What your
    functions raise is always raised.

    Args:
        bank: whose memory it is; or give `engine` and `namespace`.
        namespace: also a template ("{user_id}") or a function, sync or async, so that one pair of
            tools serves all users, of the run's `config`, `context` or `metadata`: `lambda config:
            config["configurable"]["user_id"]`.
        session_id: the conversation, or a function of the run's config; what was said in it counts
            more.
        k: the maximum number of memories, 1..1000.
        role: who speaks when the model keeps something. "assistant": it counts as the model's own
            words, which do not outweigh what a person said, and repeating what is known changes
            nothing. "user": as if a person had said it, with all the trust that a person has: only
            where nobody else puts words into the model's prompt.
        tools: which of "recall_memory", "remember", "forget" and "why", in this order.

    Raises:
        InvalidInput: no bank, or two; k, session_id, role or tools is unusable.

    Example:
        >>> import cogmem_core
        >>> with cogmem_core.open(embedder="hashing") as engine:
        ...     recall_memory, remember = create_memory_tools(engine=engine, namespace="ann")
        ...     print(remember.invoke({"content": "Ann moved to Lisbon in May."}))
        ...     print("Lisbon" in recall_memory.invoke({"query": "Where does Ann live?"}))
        Remembered: Ann moved to Lisbon in May. (new)
        True
    """
    open_bank = tool_banks(bank, engine, namespace)
    checks.choice("role", role, get_args(Role))
    arguments: dict[str, Any] = {"k": k}
    if not callable(session_id):
        arguments["session_id"] = session_id
    checked_arguments(bank or engine, arguments)
    memory_tools = _MemoryTools(open_bank, session_id, k, role)
    return [
        StructuredTool(
            name=name,
            description=TOOLS[name].description,
            args_schema=TOOLS[name].arguments,
            func=getattr(memory_tools, name),
            coroutine=getattr(memory_tools, f"a{name}"),
            handle_tool_error=True,
        )
        for name in checked_tools(tools)
    ]


@dataclass(frozen=True)
class _MemoryTools:
    """The functions behind the tools.

    `config` is filled in by LangChain and not shown to the model.
    """

    bank: Callable[[RunnableConfig], MemoryBank]
    session_id: str | PerRun | None
    k: int
    role: Role

    def recall_memory(self, query: str, config: RunnableConfig) -> str:
        """What a model should read, or why there is nothing to read."""
        bank = self.bank(config)
        session = self._session(config)
        with _error_to_model():
            recall = bank.recall(as_query(bank, query), k=self.k, session_id=session)
            return recall_text(bank, recall)

    def remember(self, content: str, config: RunnableConfig) -> str:
        """What became of it, fact by fact."""
        bank = self.bank(config)
        session = self._session(config)
        with _error_to_model():
            report = bank.remember(readable(content), role=self.role, session_id=session)
            return report_text(report)

    def forget(self, what: str, config: RunnableConfig, code: str = "") -> str:
        """What would be forgotten; with the code of that list, what was."""
        bank = self.bank(config)
        with _error_to_model():
            return forget_text(bank, what, code)

    def why(self, what: str, config: RunnableConfig) -> str:
        """Where memories come from."""
        bank = self.bank(config)
        session = self._session(config)
        with _error_to_model():
            return why_text(bank, what, session_id=session)

    async def arecall_memory(self, query: str, config: RunnableConfig) -> str:
        """Async twin of `recall_memory`."""
        return await asyncio.to_thread(self.recall_memory, query, config)

    async def aremember(self, content: str, config: RunnableConfig) -> str:
        """Async twin of `remember`."""
        return await asyncio.to_thread(self.remember, content, config)

    async def aforget(self, what: str, config: RunnableConfig, code: str = "") -> str:
        """Async twin of `forget`."""
        return await asyncio.to_thread(self.forget, what, config, code)

    async def awhy(self, what: str, config: RunnableConfig) -> str:
        """Async twin of `why`."""
        return await asyncio.to_thread(self.why, what, config)

    def _session(self, config: RunnableConfig) -> str | None:
        return self.session_id(config) if callable(self.session_id) else self.session_id


@contextmanager
def _error_to_model() -> Iterator[None]:
    """Turn the engine's errors into what a model is told; their messages say what to do instead."""
    try:
        yield
    except CogMemError as error:
        _LOG.warning("memory tool: %s", error)
        raise ToolException(str(error)) from error
