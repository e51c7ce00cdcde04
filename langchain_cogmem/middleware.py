"""Long-term memory for agents made by `langchain.agents.create_agent`."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Any, Literal

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage
from typing_extensions import NotRequired, TypedDict, Unpack

from cogmem_core.adapters.conversation import with_question
from cogmem_core.adapters.options import checked_arguments
from cogmem_core.adapters.resolve_bank import bank_resolver
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.errors import InvalidInput
from cogmem_core.fail_open import LogAndContinue
from cogmem_core.feedback import Similarity
from cogmem_core.lru import LRUCache
from cogmem_core.models import Turn
from cogmem_core.retrieval.recall import Recall
from langchain_cogmem.convert import NamespaceSource, structured_answer, text_of
from langchain_cogmem.framework_texts import written_by_langchain
from langchain_cogmem.tools import create_memory_tools
from langchain_cogmem.user_words import UserWords, current_texts, note_user_words

try:
    from langchain.agents.middleware import AgentMiddleware, AgentState, ModelRequest, ModelResponse
    from langchain.agents.middleware.types import PrivateStateAttr
    from langgraph.runtime import Runtime
except ImportError as error:
    raise ImportError(
        "CogMemMiddleware needs LangChain's agents: pip install 'langchain>=1.2.15'"
    ) from error

__all__ = ["CogMemMiddleware", "CogMemState", "MiddlewareOptions"]

_INSERTS = ("system", "user")
_SAVE_MODES = ("user", "both", "none")
_MESSAGES = 4_096
_FROM_RUN = ("lc_run-", "run-")
"""How the ids begin that LangChain gives to what a model wrote."""
_MISSING_KEY_HELP = "give it to the run: agent.invoke({...}, context={%s: 'ann'})"


class CogMemState(AgentState[Any]):
    """What the middleware keeps of a run, under its name, as plain values that can be stored."""

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
    """Recalls once per user turn, shows the memories to the model, learns from the final answer.

    Nothing is added to the agent's messages or checkpoints but a private note of what the user said
    and what was recalled. The user's words are those that are there when the run begins: summaries,
    and whatever tools and other middleware add in the name of a person, are neither remembered nor
    asked for. What no model wrote (a limit was reached, a model failed) is neither judged nor
    remembered. The thread of a run is its session. Works with `invoke`, `stream` and their async
    forms, with tools, interruptions and resumption, and with any number of runs at once.

    Args:
        bank: the bank whose memories are used. Or `engine` and `namespace`: a string, or a function
            that returns it from the state and the runtime (`lambda state, runtime:
            runtime.context.user_id`); `agent.invoke(..., context=...)` gives it that.
        k: the maximum number of memories.
        max_tokens: budget of the text; None = the engine's.
        insert: "system" = memories follow the system prompt; "user" = they precede the last user
            message.
        add_tools: give the agent tools to recall and to remember by itself; needs a fixed
            namespace.
        auto_feedback: False = memories do not learn from the answers.
        similarity_fn: (memory, answer) → 0..1, as for `MemoryBank.feedback`.
        save_mode: whose words are remembered: "user", "both" or "none".
        name: needed if an agent has two of these.
        raise_errors: False = a recall, feedback or write that fails is logged, and the agent goes
            on. What the function given as `namespace` raises is always raised.

    Raises:
        InvalidInput: neither a bank nor an engine with a namespace, or both; an option that does
            not exist, or is unusable; later: the run does not tell whose memories are meant.

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
        namespace: NamespaceSource = None,
        **options: Unpack[MiddlewareOptions],
    ) -> None:
        super().__init__()
        option_types = MiddlewareOptions.__annotations__
        if unknown := options.keys() - option_types.keys():
            raise InvalidInput(
                f"unknown options {sorted(unknown)}; there are {', '.join(option_types)}"
            )
        settings: dict[str, Any] = {**_DEFAULTS, **options}
        self._insert = _one_of("insert", settings, _INSERTS)
        self._save_mode = _one_of("save_mode", settings, _SAVE_MODES)
        self._auto_feedback = settings["auto_feedback"]
        self._name = settings.get("name") or type(self).__name__
        self._resolve_bank = bank_resolver(bank, engine, namespace, _MISSING_KEY_HELP)
        self._recall_arguments = checked_arguments(
            bank or engine, {name: settings[name] for name in ("k", "max_tokens")}
        )
        self._fail_open = LogAndContinue(raises=Exception if settings["raise_errors"] else None)
        self._raise_errors = settings["raise_errors"]
        self._similarity = _function("similarity_fn", settings)
        self._lock = threading.Lock()
        self._model_message_ids: LRUCache[str, bool] = LRUCache(_MESSAGES)
        self._texts_read: LRUCache[str, str] = LRUCache(_MESSAGES)
        self.tools = (
            create_memory_tools(bank, engine=engine, namespace=_fixed_namespace(namespace))
            if settings["add_tools"]
            else []
        )

    @property
    def name(self) -> str:
        """Tells two of these apart in one agent."""
        return self._name

    def before_agent(self, state: CogMemState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Recall what matters for the user's message."""
        note = note_user_words(state["messages"])
        if note["said"]:
            bank = self._resolve_bank(state, runtime)
            with self._fail_open("a recall"):
                note |= self._recall(bank, note["said"][-1]["text"], _thread(runtime))
        return {"cogmem_recall": {**(state.get("cogmem_recall") or {}), self._name: note}}

    async def abefore_agent(
        self, state: CogMemState, runtime: Runtime[Any]
    ) -> dict[str, Any] | None:
        """Async twin of `before_agent`."""
        return await asyncio.to_thread(self.before_agent, state, runtime)

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Show the model what was recalled."""
        response = handler(self._with_memories(request))
        self._record(request, response)
        return response

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        """Async twin of `wrap_model_call`."""
        response = await handler(self._with_memories(request))
        self._record(request, response)
        return response

    def after_agent(self, state: CogMemState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """The recalled memories learn from the final answer; then what was said is remembered."""
        messages = state["messages"]
        note = self._note_of(state) or {}
        answer = self._answer(messages)
        words = note
        if "said" not in note:
            words = note_user_words(messages)
        turns = self._turns(words, messages, answer, _thread(runtime))
        judging = answer or structured_answer(state)
        gives_feedback = "recall" in note and self._auto_feedback and judging.strip()
        if gives_feedback or turns:
            bank = self._resolve_bank(state, runtime)
            if gives_feedback:
                with self._fail_open("feedback"):
                    bank.feedback(
                        Recall.from_json(note["recall"]),
                        judging,
                        alongside=_recalls(state, note),
                        similarity_fn=self._similarity,
                        wait=self._raise_errors,
                    )
            if turns:
                with self._fail_open("remembering"):
                    bank.remember(turns, wait=False)
        return None

    async def aafter_agent(
        self, state: CogMemState, runtime: Runtime[Any]
    ) -> dict[str, Any] | None:
        """Async twin of `after_agent`."""
        return await asyncio.to_thread(self.after_agent, state, runtime)

    def _recall(self, bank: MemoryBank, question: str, thread: str | None) -> dict[str, Any]:
        """What is noted of a recall; nothing if there is nothing to show."""
        bank.finish_pending()
        recall = bank.recall(question, session_id=thread, **self._recall_arguments)
        block = recall.block()
        if not block.text:
            return {}
        return {"recall": recall.only(block.shown).to_json(), "context": block.text}

    def _with_memories(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        note = self._note_of(request.state)
        if not note or "context" not in note:
            return request
        if self._insert == "system":
            return request.override(
                system_message=_with_context(request.system_message, note["context"])
            )
        return request.override(messages=_before_question(request.messages, note["context"]))

    def _note_of(self, state: Any) -> Any:
        return (state.get("cogmem_recall") or {}).get(self._name)

    def _record(self, request: ModelRequest[Any], response: Any) -> None:
        """Note what a model wrote, and what it read as the user's words."""
        note = self._note_of(request.state) or {}
        user_message_ids = {message["id"] for message in note.get("said", ())}
        with self._lock:
            for message in getattr(response, "result", ()):
                if message.id is not None and not written_by_langchain(message):
                    self._model_message_ids.put(message.id, True)
            for message in request.messages:
                if message.id is not None and message.id in user_message_ids:
                    self._texts_read.put(message.id, text_of(message))

    def _answer(self, messages: Sequence[AnyMessage]) -> str:
        """What the user is answered, if a model wrote it."""
        final = messages[-1] if messages else None
        if not isinstance(final, AIMessage) or final.tool_calls or written_by_langchain(final):
            return ""
        message_id = str(final.id)
        with self._lock:
            is_known = self._model_message_ids.get(message_id)
        if is_known or message_id.startswith(_FROM_RUN):
            return text_of(final)
        return ""

    def _turns(
        self, note: UserWords, messages: Sequence[AnyMessage], answer: str, thread: str | None
    ) -> list[Turn]:
        turns: list[Turn] = []
        if self._save_mode != "none":
            texts_read: dict[str, str] = {}
            with self._lock:
                for message in note["said"]:
                    message_id = str(message["id"])
                    text = self._texts_read.get(message_id)
                    if text is not None:
                        texts_read[message_id] = text
            texts = current_texts(note, messages, texts_read)
            turns += [Turn(text, role="user", session_id=thread) for text in texts if text.strip()]
        # Only the first of the user's messages replies to the model's question.
        turns[:1] = with_question(turns[:1], note["asked"])
        if self._save_mode == "both" and answer.strip():
            turns.append(Turn(answer, role="assistant", session_id=thread))
        return turns


def _recalls(state: Any, own_note: UserWords) -> list[Recall]:
    """The recalls that all middlewares of this kind made for what the user said in this run."""
    notes = [note for note in (state.get("cogmem_recall") or {}).values() if note]
    return [
        Recall.from_json(note["recall"])
        for note in notes
        if "recall" in note and note.get("said") == own_note.get("said")
    ]


def _fixed_namespace(namespace: NamespaceSource) -> str | None:
    if callable(namespace):
        raise InvalidInput(
            "add_tools needs a fixed namespace; for another per run use "
            "create_memory_tools(engine=...)"
        )
    return namespace


def _one_of(name: str, settings: Any, allowed: Sequence[str]) -> str:
    if settings[name] not in allowed:
        raise InvalidInput(f"{name} is {settings[name]!r}; use one of {', '.join(allowed)}")
    return str(settings[name])


def _function(name: str, settings: Any) -> Any:
    if settings.get(name) is not None and not callable(settings[name]):
        raise InvalidInput(f"{name} is {settings[name]!r}; give a function, or leave it out")
    return settings.get(name)


def _thread(runtime: Runtime[Any]) -> str | None:
    """The thread's id, if there is one; older versions of LangGraph do not tell."""
    execution_info = getattr(runtime, "execution_info", None)
    thread = getattr(execution_info, "thread_id", None)
    return str(thread) if thread is not None else None


def _with_context(system: SystemMessage | None, context: str) -> SystemMessage:
    blocks: list[Any] = []
    if system is not None:
        blocks += system.content_blocks
    if blocks:
        context = f"\n\n{context}"
    return SystemMessage(content=[*blocks, {"type": "text", "text": context}])


def _before_question(messages: Sequence[AnyMessage], context: str) -> list[AnyMessage]:
    """The messages, with the context in front of the user's last one."""
    informed = list(messages)
    for index in reversed(range(len(informed))):
        message = informed[index]
        if isinstance(message, HumanMessage) and not written_by_langchain(message):
            block = {"type": "text", "text": f"{context}\n\n"}
            informed[index] = message.model_copy(
                update={"content": [block, *message.content_blocks]}
            )
            break
    return informed
