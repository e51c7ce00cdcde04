"""Long-term memory for agents made by `langchain.agents.create_agent`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Any, Literal

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage
from typing_extensions import NotRequired, TypedDict, Unpack

from cogmem_core.adapters.conversation import replying
from cogmem_core.adapters.options import checked
from cogmem_core.adapters.resolve_bank import whose
from cogmem_core.bank import MemoryBank
from cogmem_core.engine import Engine
from cogmem_core.errors import InvalidInput
from cogmem_core.fail_open import LogAndContinue
from cogmem_core.feedback import Similarity
from cogmem_core.models import Turn
from langchain_cogmem.convert import Whose, text_of
from langchain_cogmem.tools import create_memory_tools

try:
    from langchain.agents.middleware import AgentMiddleware, AgentState, ModelRequest, ModelResponse
    from langchain.agents.middleware.types import PrivateStateAttr
    from langgraph.runtime import Runtime
except ImportError as error:
    raise ImportError("CogMemMiddleware needs LangChain's agents: pip install 'cogmem-core[agents]'") from error

__all__ = ["CogMemMiddleware", "CogMemState", "MiddlewareOptions"]

_INSERTS = ("system", "user")
_SAVE_MODES = ("user", "both", "none")
_UNTOLD = "give it to the run: agent.invoke({...}, context={%s: 'ann'})"


class CogMemState(AgentState[Any]):
    """What the middleware keeps of a run, by its name, as plain values: it survives interruptions."""

    cogmem_recall: NotRequired[Annotated[dict[str, Any] | None, PrivateStateAttr]]


class MiddlewareOptions(TypedDict, total=False):
    """What else `CogMemMiddleware` takes; see there."""

    k: int
    max_tokens: int | None
    insert: Literal["system", "user"]
    add_tools: bool
    auto_feedback: bool
    similarity_fn: Similarity | None
    save_mode: Literal["user", "both", "none"]
    name: str
    raise_errors: bool


_DEFAULTS: MiddlewareOptions = {
    "k": 8,
    "max_tokens": None,
    "insert": "system",
    "add_tools": False,
    "auto_feedback": True,
    "save_mode": "user",
    "raise_errors": False,
}


class CogMemMiddleware(AgentMiddleware[CogMemState, Any, Any]):
    """Recalls once per user turn, shows the memories to every model call of it, learns from the final answer.

    Nothing is added to the agent's messages or checkpoints but a private note of what was recalled. The thread of a run
    is its session. Works with `invoke`, `stream` and their async forms, with tools, interruptions and resumption, and
    with any number of runs at once.

    Args:
        bank: whose memories. Or `engine` and `namespace`: a string, or a function that tells it from the state and the
            runtime (`lambda state, runtime: runtime.context.user_id`); `agent.invoke(..., context=...)` gives it that.
        k: at most so many memories. max_tokens: budget of the text; None = the engine's.
        insert: "system" = memories follow the system prompt; "user" = they precede the last user message.
        add_tools: give the agent tools to recall and to remember by itself; needs a fixed namespace.
        auto_feedback: False = memories do not learn from the answers.
        similarity_fn: (memory, answer) → 0..1, as for `MemoryBank.feedback`.
        save_mode: whose words are remembered: "user", "both" or "none".
        name: needed if an agent has two of these.
        raise_errors: False = a recall, feedback or write that fails is logged, and the agent goes on. What the function
            given as `namespace` raises is always raised.

    Raises:
        InvalidInput: neither a bank nor an engine with a namespace, or both; an option that does not exist, or is
            unusable; later: the run does not tell whose memories are meant.

    Example:
        >>> import cogmem_core
        >>> from langchain.agents import create_agent
        >>> from langchain_core.language_models import FakeListChatModel
        >>> from langchain_cogmem import CogMemMiddleware
        >>> with cogmem_core.open(embedder="hashing") as engine:
        ...     alice = engine.bank("alice")
        ...     _ = alice.remember("Alice likes hiking on Mount Rainier")
        ...     model = FakeListChatModel(responses=["You like hiking on Mount Rainier!"])
        ...     agent = create_agent(model, [], middleware=[CogMemMiddleware(bank=alice)])
        ...     _ = agent.invoke({"messages": [("user", "Where do I like hiking?")]})
        ...     engine.flush()
        ...     print(alice.recall("hiking on Mount Rainier").results[0].memory.used_count)
        1
    """

    state_schema = CogMemState

    def __init__(
        self,
        bank: MemoryBank | None = None,
        *,
        engine: Engine | None = None,
        namespace: Whose = None,
        **options: Unpack[MiddlewareOptions],
    ) -> None:
        super().__init__()
        known = MiddlewareOptions.__annotations__
        if unknown := options.keys() - known.keys():
            raise InvalidInput(f"unknown options {sorted(unknown)}; there are {', '.join(known)}")
        given: dict[str, Any] = {**_DEFAULTS, **options}
        self._insert, self._save = _one_of("insert", given, _INSERTS), _one_of("save_mode", given, _SAVE_MODES)
        self._learns = given["auto_feedback"]
        self._name = given.get("name") or type(self).__name__
        self._whose = whose(bank, engine, namespace, _UNTOLD)
        self._asked = checked(bank or engine, {name: given[name] for name in ("k", "max_tokens")})
        self._harmless = LogAndContinue(raises=Exception if given["raise_errors"] else None)
        self._raises, self._similarity = given["raise_errors"], _function("similarity_fn", given)
        self.tools = create_memory_tools(bank, engine=engine, namespace=_fixed(namespace)) if given["add_tools"] else []

    @property
    def name(self) -> str:
        """Tells two of these apart in one agent."""
        return self._name

    def before_agent(self, state: CogMemState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Recall what matters for the user's message."""
        told: dict[str, Any] | None = None
        question = text_of(_last(state["messages"], HumanMessage))
        if question.strip():
            bank = self._whose(state, runtime)
            with self._harmless("a recall"):
                told = self._recalled(bank, question, _thread(runtime))
        return {"cogmem_recall": {**(state.get("cogmem_recall") or {}), self._name: told}}

    async def abefore_agent(self, state: CogMemState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Async twin of `before_agent`."""
        return await asyncio.to_thread(self.before_agent, state, runtime)

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Show the model what was recalled."""
        return handler(self._informed(request))

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        """Async twin of `wrap_model_call`."""
        return await handler(self._informed(request))

    def after_agent(self, state: CogMemState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """The recalled memories learn from the final answer; then what was said is remembered."""
        messages, told = state["messages"], self._told(state)
        final = messages[-1] if messages else None
        answer = text_of(final) if isinstance(final, AIMessage) and not final.tool_calls else ""
        turns = self._turns(messages, answer, _thread(runtime))
        judged = told if self._learns and answer.strip() else None
        if judged or turns:
            bank = self._whose(state, runtime)
            if judged:
                with self._harmless("feedback"):
                    found = bank.redeem(judged["ticket"])
                    bank.credit(found, answer, similarity_fn=self._similarity, wait=self._raises)
            if turns:
                with self._harmless("remembering"):
                    bank.remember(turns, wait=False)
        return None

    async def aafter_agent(self, state: CogMemState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Async twin of `after_agent`."""
        return await asyncio.to_thread(self.after_agent, state, runtime)

    def _recalled(self, bank: MemoryBank, question: str, thread: str | None) -> dict[str, Any] | None:
        bank.settle()
        recall = bank.recall(question, session_id=thread, **self._asked)
        block = recall.block()
        return {"ticket": recall.only(block.shown).ticket(), "context": block.text} if block.text else None

    def _informed(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        told = self._told(request.state)
        if not told:
            return request
        if self._insert == "system":
            return request.override(system_message=_followed(request.system_message, told["context"]))
        return request.override(messages=_preceded(request.messages, told["context"]))

    def _told(self, state: Any) -> Any:
        return (state.get("cogmem_recall") or {}).get(self._name)

    def _turns(self, messages: Sequence[AnyMessage], answer: str, thread: str | None) -> list[Turn]:
        asked, question = _last_words(messages)
        said = {"user": question if self._save != "none" else "", "assistant": answer if self._save == "both" else ""}
        roles: tuple[Literal["user"], Literal["assistant"]] = ("user", "assistant")
        return replying((Turn(said[role], role=role, session_id=thread) for role in roles if said[role].strip()), asked)


def _fixed(namespace: Whose) -> str | None:
    if callable(namespace):
        raise InvalidInput("add_tools needs a fixed namespace; for another per run use create_memory_tools(engine=...)")
    return namespace


def _one_of(name: str, given: Any, allowed: Sequence[str]) -> str:
    if given[name] not in allowed:
        raise InvalidInput(f"{name} is {given[name]!r}; use one of {', '.join(allowed)}")
    return str(given[name])


def _function(name: str, given: Any) -> Any:
    if given.get(name) is not None and not callable(given[name]):
        raise InvalidInput(f"{name} is {given[name]!r}; give a function, or leave it out")
    return given.get(name)


def _last(messages: Sequence[AnyMessage], kind: type[HumanMessage]) -> AnyMessage | None:
    return next((message for message in reversed(messages) if isinstance(message, kind)), None)


def _last_words(messages: Sequence[AnyMessage]) -> tuple[str, str]:
    """What the user said last, after what the model had said just before."""
    newest = iter(reversed(messages))
    said = next((message for message in newest if isinstance(message, HumanMessage)), None)
    before = next(newest, None)
    return text_of(before) if isinstance(before, AIMessage) else "", text_of(said)


def _thread(runtime: Runtime[Any]) -> str | None:
    """The thread's id, where there is one; older versions of LangGraph do not tell."""
    told = getattr(runtime, "execution_info", None)
    thread = getattr(told, "thread_id", None)
    return None if thread is None else str(thread)


def _followed(system: SystemMessage | None, context: str) -> SystemMessage:
    blocks: list[Any] = [] if system is None else list(system.content_blocks)
    return SystemMessage(content=[*blocks, {"type": "text", "text": f"\n\n{context}" if blocks else context}])


def _preceded(messages: Sequence[AnyMessage], context: str) -> list[AnyMessage]:
    last = _last(messages, HumanMessage)
    if last is None:
        return list(messages)
    informed = last.model_copy(update={"content": [{"type": "text", "text": f"{context}\n\n"}, *last.content_blocks]})
    return [informed if message is last else message for message in messages]
