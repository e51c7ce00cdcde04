"""A bank as tools that an agent calls itself: look something up, keep something, forget, explain."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any, get_args

from llama_index.core.tools import ToolMetadata
from llama_index.core.tools.function_tool import FunctionTool
from llama_index.core.tools.tool_spec.base import BaseToolSpec

from cogmem_core.adapters.options import as_query, checked_arguments
from cogmem_core.adapters.resolve_bank import BankResolver, NamespaceSource
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
from cogmem_core.models import Role
from cogmem_core.text.broken import readable
from llamaindex_cogmem.tracing import MISSING_TAG_HELP, announce_recall, current_tags

__all__ = ["CogMemToolSpec"]

_METADATA = {
    name: ToolMetadata(name=name, description=tool.description, fn_schema=tool.arguments)
    for name, tool in TOOLS.items()
}


class CogMemToolSpec(BaseToolSpec):
    """The tools `recall_memory` and `remember`, for every agent that calls tools.

    On demand also `forget`, which lists what it would forget and does so only with the code of that
    list (`bank.restore` undoes it), and `why`, which tells where a memory comes from. Whose memory
    it is no argument of the model decides.

    Where the engine refuses or fails, the error's message is what the agent's model is told. A tool
    does not see answers: memories learn from them only where `CogMemInstrumentation` is installed.

    Args:
        bank: the bank that the tools use. Or `engine` and `namespace`: a string, a template
            that the run's tags fill ("{user_id}"), or a function that
            returns it from the run's tags (`lambda tags: tags["user_id"]`, within `with
            instrument_tags({"user_id": "ann"}):`).
        session_id: the conversation; what was said in it counts more.
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
        >>> from llamaindex_cogmem import CogMemToolSpec
        >>> with cogmem_core.open(embedder="hashing") as engine:
        ...     recall_memory, remember = CogMemToolSpec(engine=engine, namespace="ann").to_tool_list()
        ...     print(remember.call(content="Ann moved to Lisbon in May.").content)
        ...     print("Lisbon" in recall_memory.call(query="Where does Ann live?").content)
        Remembered: Ann moved to Lisbon in May. (new)
        True
    """

    def __init__(
        self,
        bank: MemoryBank | None = None,
        *,
        engine: Engine | None = None,
        namespace: NamespaceSource = None,
        session_id: str | None = None,
        k: int = 8,
        role: Role = "assistant",
        tools: Iterable[str] = DEFAULT_TOOLS,
    ) -> None:
        names = checked_tools(tools)
        self.spec_functions = [(name, f"a{name}") for name in names]
        self._given = {
            "bank": bank,
            "engine": engine,
            "namespace": namespace,
            "session_id": session_id,
            "k": k,
            "role": role,
            "tools": names,
        }
        self._resolve_bank = BankResolver(bank, engine, namespace, MISSING_TAG_HELP)
        self._recall_arguments = checked_arguments(
            bank or engine, {"k": k, "session_id": session_id}
        )
        self._session = session_id
        self._role: Role = checks.choice("role", role, get_args(Role))  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._resolve_bank!r})"

    def recall_memory(self, query: str) -> str:
        """What a model should read, or why there is nothing to read."""
        bank = self._resolve_bank(current_tags())
        recall = bank.recall(as_query(bank, query), **self._recall_arguments)
        announce_recall(recall.query, recall)
        return recall_text(bank, recall)

    async def arecall_memory(self, query: str) -> str:
        """Async twin of `recall_memory`."""
        bank = await self._resolve_bank.awaited(current_tags())
        recall = await bank.arecall(as_query(bank, query), **self._recall_arguments)
        announce_recall(recall.query, recall)
        return await asyncio.to_thread(recall_text, bank, recall)

    def remember(self, content: str) -> str:
        """Keep something; says what became of it, fact by fact."""
        return report_text(
            self._resolve_bank(current_tags()).remember(
                readable(content), role=self._role, session_id=self._session
            )
        )

    async def aremember(self, content: str) -> str:
        """Async twin of `remember`."""
        bank = await self._resolve_bank.awaited(current_tags())
        report = await bank.aremember(readable(content), role=self._role, session_id=self._session)
        return report_text(report)

    def forget(self, what: str, code: str = "") -> str:
        """What would be forgotten; with the code of that list, what was."""
        return forget_text(self._resolve_bank(current_tags()), what, code)

    async def aforget(self, what: str, code: str = "") -> str:
        """Async twin of `forget`."""
        return await asyncio.to_thread(self.forget, what, code)

    def why(self, what: str) -> str:
        """Where memories come from."""
        bank = self._resolve_bank(current_tags())
        return why_text(bank, what, session_id=self._session)

    async def awhy(self, what: str) -> str:
        """Async twin of `why`."""
        return await asyncio.to_thread(self.why, what)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self._given)

    def to_tool_list(
        self, spec_functions: Any = None, func_to_metadata_mapping: Any = None
    ) -> list[FunctionTool]:
        """The tools, described for a model; arguments as for every tool spec."""
        functions = spec_functions or self.spec_functions
        pairs: list[Any] = [
            (function, f"a{function}") if function in TOOLS else function for function in functions
        ]
        return super().to_tool_list(pairs, {**_METADATA, **(func_to_metadata_mapping or {})})


def _rebuild(cls: type[CogMemToolSpec], arguments: dict[str, Any]) -> CogMemToolSpec:
    return cls(**arguments)
