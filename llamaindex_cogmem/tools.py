"""A bank as two tools that an agent calls itself: look something up, keep something."""

from __future__ import annotations

from typing import Any, get_args

from llama_index.core.tools import ToolMetadata
from llama_index.core.tools.function_tool import FunctionTool
from llama_index.core.tools.tool_spec.base import BaseToolSpec

from cogmem_core import checks
from cogmem_core.adapters.options import checked
from cogmem_core.adapters.resolve_bank import Whose, whose
from cogmem_core.adapters.tools import RECALL, REMEMBER, RecallInput, RememberInput, became, looked_up
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.models import Role
from llamaindex_cogmem.tracing import UNTOLD, announced, known_tags

__all__ = ["CogMemToolSpec"]


_TOOLS = {
    "recall_memory": ToolMetadata(name="recall_memory", description=RECALL, fn_schema=RecallInput),
    "remember": ToolMetadata(name="remember", description=REMEMBER, fn_schema=RememberInput),
}


class CogMemToolSpec(BaseToolSpec):
    """The tools `recall_memory` and `remember`, for `FunctionAgent`, `ReActAgent` and whatever else calls tools.

    Where the engine refuses or fails, the error's message is what the agent's model is told.

    Args:
        bank: whose memory it is. Or `engine` and `namespace`: a string, or a function that tells it from the run's tags
            (`lambda tags: tags["user_id"]`, within `with instrument_tags({"user_id": "ann"}):`).
        session_id: the conversation; what was said in it counts more.
        k: at most so many memories, 1..1000.
        role: who speaks when the model keeps something. "assistant": it counts as the model's own words, which do not
            outweigh what a person said, and repeating what is known changes nothing. "user": as if a person had said
            it, with all the trust that a person has: only where nobody else puts words into the model's prompt.

    Raises:
        InvalidInput: no bank, or two; k, session_id or role is unusable.

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

    spec_functions = [("recall_memory", "arecall_memory"), ("remember", "aremember")]  # noqa: RUF012 - as the base has it

    def __init__(
        self,
        bank: MemoryBank | None = None,
        *,
        engine: Engine | None = None,
        namespace: Whose = None,
        session_id: str | None = None,
        k: int = 8,
        role: Role = "assistant",
    ) -> None:
        self._whose = whose(bank, engine, namespace, UNTOLD)
        self._asked = checked(bank or engine, {"k": k, "session_id": session_id})
        self._session = session_id
        self._role: Role = checks.choice("role", role, get_args(Role))  # type: ignore[assignment]

    def recall_memory(self, query: str) -> str:
        """What a model should read, or why there is nothing to read."""
        recall = self._whose(known_tags()).recall(query, **self._asked)
        announced(query, recall)
        return looked_up(recall)

    async def arecall_memory(self, query: str) -> str:
        """Async twin of `recall_memory`."""
        recall = await self._whose(known_tags()).arecall(query, **self._asked)
        announced(query, recall)
        return looked_up(recall)

    def remember(self, content: str) -> str:
        """Keep something; says what became of it, fact by fact."""
        return became(self._whose(known_tags()).remember(content, role=self._role, session_id=self._session))

    async def aremember(self, content: str) -> str:
        """Async twin of `remember`."""
        report = await self._whose(known_tags()).aremember(content, role=self._role, session_id=self._session)
        return became(report)

    def to_tool_list(self, spec_functions: Any = None, func_to_metadata_mapping: Any = None) -> list[FunctionTool]:
        """The tools, described for a model; arguments as for every tool spec."""
        return super().to_tool_list(spec_functions, {**_TOOLS, **(func_to_metadata_mapping or {})})
