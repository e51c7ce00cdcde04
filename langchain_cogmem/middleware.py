"""Long-term memory for agents made by `langchain.agents.create_agent`."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Any, Literal

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage
from typing_extensions import NotRequired, TypedDict, Unpack

from cogmem_core.adapters.conversation import replying
from cogmem_core.adapters.options import checked
from cogmem_core.adapters.resolve_bank import whose
from cogmem_core.adapters.sightings import learn, shared
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.errors import InvalidInput
from cogmem_core.fail_open import LogAndContinue
from cogmem_core.feedback import Similarity
from cogmem_core.lru import LRUCache
from cogmem_core.models import Turn
from cogmem_core.retrieval.recall import Recall
from langchain_cogmem.convert import Whose, text_of
from langchain_cogmem.tools import create_memory_tools
from langchain_cogmem.unsaid import made_up
from langchain_cogmem.words import Note, as_it_stands, noted

try:
    from langchain.agents.middleware import AgentMiddleware, AgentState, ModelRequest, ModelResponse
    from langchain.agents.middleware.types import PrivateStateAttr
    from langgraph.runtime import Runtime
except ImportError as error:
    raise ImportError("CogMemMiddleware needs LangChain's agents: pip install 'langchain>=1.2.15'") from error

__all__ = ["CogMemMiddleware", "CogMemState", "MiddlewareOptions"]

_INSERTS = ("system", "user")
_SAVE_MODES = ("user", "both", "none")
_MESSAGES = 4_096
_FROM_RUN = ("lc_run-", "run-")
"""How the ids begin that LangChain gives to what a model wrote."""
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

    Nothing is added to the agent's messages or checkpoints but a private note of what the user said and what was
    recalled. The user's words are those that are there when the run begins: summaries, and whatever tools and other
    middleware add in the name of a person, are neither remembered nor asked for. What no model wrote (a limit was
    reached, a model failed) is neither judged nor remembered. The thread of a run is its session. Works with `invoke`,
    `stream` and their async forms, with tools, interruptions and resumption, and with any number of runs at once.

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
        self._lock = threading.Lock()
        self._written: LRUCache[str, bool] = LRUCache(_MESSAGES)
        self._seen: LRUCache[str, str] = LRUCache(_MESSAGES)
        self.tools = create_memory_tools(bank, engine=engine, namespace=_fixed(namespace)) if given["add_tools"] else []

    @property
    def name(self) -> str:
        """Tells two of these apart in one agent."""
        return self._name

    def before_agent(self, state: CogMemState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Recall what matters for the user's message."""
        note = noted(state["messages"])
        if note["said"]:
            bank = self._whose(state, runtime)
            with self._harmless("a recall"):
                note |= self._recalled(bank, note["said"][-1]["text"], _thread(runtime)) or {}
        return {"cogmem_recall": {**(state.get("cogmem_recall") or {}), self._name: note}}

    async def abefore_agent(self, state: CogMemState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Async twin of `before_agent`."""
        return await asyncio.to_thread(self.before_agent, state, runtime)

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Show the model what was recalled."""
        response = handler(self._informed(request))
        self._watch(request, response)
        return response

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        """Async twin of `wrap_model_call`."""
        response = await handler(self._informed(request))
        self._watch(request, response)
        return response

    def after_agent(self, state: CogMemState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """The recalled memories learn from the final answer; then what was said is remembered."""
        messages = state["messages"]
        own = self._told(state) or {}
        answer = self._answer(messages)
        turns = self._turns(own if "said" in own else noted(messages), messages, answer, _thread(runtime))
        judged = "recall" in own and self._learns and answer.strip()
        if judged or turns:
            bank = self._whose(state, runtime)
            if judged:
                with self._harmless("feedback"):
                    shared(bank, _recalls(state, own))
                    recall = Recall.from_json(own["recall"])
                    learn(bank, recall, answer, similarity_fn=self._similarity, wait=self._raises)
            if turns:
                with self._harmless("remembering"):
                    bank.remember(turns, wait=False)
        return None

    async def aafter_agent(self, state: CogMemState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Async twin of `after_agent`."""
        return await asyncio.to_thread(self.after_agent, state, runtime)

    def _recalled(self, bank: MemoryBank, question: str, thread: str | None) -> dict[str, Any] | None:
        bank.finish_pending()
        recall = bank.recall(question, session_id=thread, **self._asked)
        block = recall.block()
        if not block.text:
            return None
        return {"recall": recall.only(block.shown).to_json(), "context": block.text}

    def _informed(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        told = self._told(request.state)
        if not told or "context" not in told:
            return request
        if self._insert == "system":
            return request.override(system_message=_followed(request.system_message, told["context"]))
        return request.override(messages=_preceded(request.messages, told["context"]))

    def _told(self, state: Any) -> Any:
        return (state.get("cogmem_recall") or {}).get(self._name)

    def _watch(self, request: ModelRequest[Any], response: Any) -> None:
        """Note what a model wrote, and what it read as the user's words."""
        note = self._told(request.state) or {}
        own = {part["id"] for part in note.get("said", ())}
        with self._lock:
            for message in getattr(response, "result", ()):
                if message.id is not None and not made_up(message):
                    self._written.put(message.id, True)
            for message in request.messages:
                if message.id is not None and message.id in own:
                    self._seen.put(message.id, text_of(message))

    def _answer(self, messages: Sequence[AnyMessage]) -> str:
        """What the user is answered, if a model wrote it."""
        final = messages[-1] if messages else None
        if not isinstance(final, AIMessage) or final.tool_calls or made_up(final):
            return ""
        with self._lock:
            by_model = self._written.get(str(final.id)) or str(final.id).startswith(_FROM_RUN)
        return text_of(final) if by_model else ""

    def _turns(self, note: Note, messages: Sequence[AnyMessage], answer: str, thread: str | None) -> list[Turn]:
        turns: list[Turn] = []
        if self._save != "none":
            with self._lock:
                ids = [str(part["id"]) for part in note["said"]]
                seen = {message_id: text for message_id in ids if (text := self._seen.get(message_id)) is not None}
            words = as_it_stands(note, messages, seen)
            turns += [Turn(text, role="user", session_id=thread) for text in words if text.strip()]
        turns[:1] = replying(turns[:1], note["asked"])
        if self._save == "both" and answer.strip():
            turns.append(Turn(answer, role="assistant", session_id=thread))
        return turns


def _recalls(state: Any, own: Note) -> list[Recall]:
    """Of all recalls that were made for what the user said in this run, by whichever of these middlewares."""
    notes = [note for note in (state.get("cogmem_recall") or {}).values() if note]
    answered = [note for note in notes if "recall" in note and note.get("said") == own.get("said")]
    return [Recall.from_json(note["recall"]) for note in answered]


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
    theirs = (message for message in reversed(messages) if isinstance(message, kind) and not made_up(message))
    return next(theirs, None)


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
