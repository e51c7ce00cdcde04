"""Long-term memory for agents made by `langchain.agents.create_agent`."""

from __future__ import annotations

import asyncio
import json
import threading
import uuid
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    SystemMessage,
    ToolMessage,
)
from typing_extensions import NotRequired, TypedDict, Unpack

from cogmem_core.adapters.conversation import save_turns
from cogmem_core.adapters.options import (
    as_query,
    checked_arguments,
    checked_filters,
    checked_function,
)
from cogmem_core.adapters.resolve_bank import bank_resolver
from cogmem_core.adapters.shown_once import shown_once
from cogmem_core.base.fail_open import LogAndContinue
from cogmem_core.base.lru import LRUCache
from cogmem_core.edge import checks
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.errors import InvalidInput
from cogmem_core.feedback import Similarity
from cogmem_core.models import Feedback
from cogmem_core.results import Context
from cogmem_core.retrieval.recall import Recall
from langchain_cogmem.convert import (
    NamespaceSource,
    role_of,
    structured_answer,
    text_of,
    turn_of,
)
from langchain_cogmem.framework_texts import written_by_langchain
from langchain_cogmem.run_info import RunInfo, called_by_tool, help_by_name
from langchain_cogmem.tools import create_memory_tools
from langchain_cogmem.user_words import UserWords, note_user_words, turns_said

try:
    from langchain.agents.middleware import AgentMiddleware, AgentState, ModelRequest, ModelResponse
    from langchain.agents.middleware.types import PrivateStateAttr
    from langgraph.runtime import Runtime
except ImportError as error:
    raise ImportError(
        "CogMemMiddleware needs LangChain's agents: pip install 'langchain>=1.2.15'"
    ) from error

__all__ = ["CogMemMiddleware", "CogMemState", "MiddlewareOptions"]

_INSERTS = ("system", "user", "auto")
_SAVE_MODES = ("user", "both", "none")
_MESSAGES = 4_096
_FROM_RUN = ("lc_run-", "run-")
"""How the ids begin that LangChain gives to what a model wrote."""
_KNOWN_TO_TOOLS = ("config", "context", "metadata", "runtime")
_CALLS = 32  # of tools, whose arguments are told with an answer
_RECALL_OPTIONS = ("k", "max_tokens", "categories", "deadline")
_MISSING_KEY_HELP = "give it to the run: agent.invoke({...}, context={%s: 'ann'})"


class CogMemState(AgentState[Any]):
    """What the middleware keeps of a run, under its name, as plain values that can be stored."""

    cogmem_recall: NotRequired[Annotated[dict[str, Any] | None, PrivateStateAttr]]


class MiddlewareOptions(TypedDict, total=False):
    """What else `CogMemMiddleware` takes; see there."""

    k: int
    max_tokens: int | None
    filter: Mapping[str, Any]
    categories: Iterable[str] | None
    deadline: float | None
    insert: Literal["system", "user", "auto"]
    add_tools: bool
    ask: bool
    profile: bool
    auto_feedback: bool
    similarity_fn: Similarity | None
    on_feedback: Callable[[tuple[Feedback, ...]], None] | None
    save_mode: Literal["user", "both", "none"]
    name: str
    raise_errors: bool


_DEFAULTS: MiddlewareOptions = {
    "k": 8,
    "max_tokens": None,
    "categories": None,
    "deadline": None,
    "insert": "auto",
    "add_tools": False,
    "ask": False,
    "profile": False,
    "auto_feedback": True,
    "save_mode": "user",
    "raise_errors": False,
}


class CogMemMiddleware(AgentMiddleware[CogMemState, Any, Any]):
    """Recalls once per user turn, shows the memories to the model, learns from the final answer.

    Nothing is added to the agent's messages or checkpoints but a private note of what the user said
    and what was recalled; it is part of streamed states (`stream_mode="values"`), as LangChain's
    own private state is. The user's words are those that are there when the run begins: summaries,
    whatever tools and other middleware add in the name of a person, and the tasks that an agent
    gives to another one by a tool, are not remembered. Of a task that reaches an agent by `Send`
    nothing tells who wrote it: give such an agent `save_mode="none"`. They are on disk before the
    model is asked, with the message's id as `ref` and its `name` as the speaker: a model that
    fails, a run that is cancelled or never resumed loses nothing, and a resumed one writes nothing
    twice. What no model wrote (a limit was reached, a model failed) is neither judged nor
    remembered, and nothing is of a run whose configuration tells `remember=False`. The thread of a
    run is its session. Works with `invoke`, `stream` and their async
    forms, with tools, interruptions and resumption, and with any number of runs at once.

    Args:
        bank: the bank whose memories are used. Or `engine` and `namespace`: a string, a
            template that the configuration or context fills ("{user_id}"), or a function, sync or
            async, that returns it from what it names: `lambda context: context.user_id`,
            `lambda config: config["configurable"]["user_id"]`, also `state`, `runtime` and
            `metadata`; `agent.invoke(..., context=...)` gives it that.
        k: the maximum number of memories.
        max_tokens: budget of the text; None = the engine's.
        filter: which memories may be shown, as for `CogMemRetriever`.
        categories: only memories of one of these categories.
        deadline: seconds for a recall; then what was found so far is shown.
        insert: "system" = memories follow the system prompt; "user" = they precede the user's last
            message, so that a provider's cache of the system prompt and the history holds; "auto" =
            what is always worth knowing follows the system prompt, where it stays the same all
            through a conversation, and what was recalled precedes the user's last message.
        add_tools: give the agent tools to recall and to remember by itself; needs a fixed
            namespace, or a function of `config`, `context`, `metadata` or `runtime`.
        ask: let the model ask the user which of two versions holds, where both stand and bear on
            what he said: at most one question a day, and none twice. His answer settles it.
        profile: begin with what is known of the user (see `MemoryBank.profile`), in a third of the
            budget at most.
        auto_feedback: False = memories do not learn from the answers.
        similarity_fn: (memory, answer) → 0..1, as for `MemoryBank.feedback`.
        on_feedback: called with the judgements of each answer, by the worker's thread.
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
        self._ask = checks.flag("ask", settings["ask"])
        self._profile = checks.flag("profile", settings["profile"])
        self._auto_feedback = settings["auto_feedback"]
        self._name = settings.get("name") or type(self).__name__
        self._resolve_bank = bank_resolver(
            bank, engine, namespace, _MISSING_KEY_HELP, help_by_name(_MISSING_KEY_HELP)
        )
        self._recall_arguments = {
            **checked_filters(bank or engine, settings.get("filter"), "filter"),
            **checked_arguments(
                bank or engine,
                {name: settings[name] for name in _RECALL_OPTIONS if settings[name] is not None},
            ),
        }
        self._fail_open = LogAndContinue(raises=Exception if settings["raise_errors"] else None)
        self._raise_errors = settings["raise_errors"]
        self._similarity = checked_function("similarity_fn", settings.get("similarity_fn"))
        self._on_feedback = checked_function("on_feedback", settings.get("on_feedback"))
        self._begin()
        self.tools = []
        if settings["add_tools"]:
            if not self._resolve_bank.asks_only(_KNOWN_TO_TOOLS):
                raise InvalidInput(
                    "add_tools needs a fixed namespace, or a function of config, context, metadata "
                    "or runtime; for another use create_memory_tools(engine=...)"
                )
            self.tools = create_memory_tools(bank, engine=engine, namespace=namespace)

    def _begin(self) -> None:
        """With nothing noted of any run."""
        self._lock = threading.Lock()
        self._model_message_ids: LRUCache[str, bool] = LRUCache(_MESSAGES)
        self._begun: LRUCache[str, bool] = LRUCache(_MESSAGES)
        self._written: LRUCache[str, bool] = LRUCache(_MESSAGES)

    def __getstate__(self) -> dict[str, Any]:
        notes = ("_lock", "_model_message_ids", "_begun", "_written")
        return {name: value for name, value in self.__dict__.items() if name not in notes}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._begin()

    @property
    def name(self) -> str:
        """Tells two of these apart in one agent."""
        return self._name

    def before_agent(self, state: CogMemState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Recall what matters for the user's message."""
        note = note_user_words(state["messages"])
        bank = None
        if note["said"]:
            bank = self._resolve_bank(state, runtime, run=_run(state, runtime))
        return self._noted(state, runtime, note, bank)

    async def abefore_agent(
        self, state: CogMemState, runtime: Runtime[Any]
    ) -> dict[str, Any] | None:
        """Async twin of `before_agent`."""
        note = note_user_words(state["messages"])
        if not note["said"]:
            return self._noted(state, runtime, note, None)
        bank = await self._resolve_bank.awaited(state, runtime, run=_run(state, runtime))
        return await asyncio.to_thread(self._noted, state, runtime, note, bank)

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Write down what the user said, and show the model what was recalled."""
        state, runtime = request.state, request.runtime
        note = self._note_of(state)
        if self._unwritten(note, request.messages):
            bank = self._resolve_bank(state, runtime, run=_run(state, runtime))
            self._write(bank, note, request.messages, runtime)
        response = handler(self._with_memories(request, note))
        self._record(response)
        return response

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        """Async twin of `wrap_model_call`."""
        state, runtime = request.state, request.runtime
        note = self._note_of(state)
        if self._unwritten(note, request.messages):
            bank = await self._resolve_bank.awaited(state, runtime, run=_run(state, runtime))
            await asyncio.to_thread(self._write, bank, note, request.messages, runtime)
        response = await handler(self._with_memories(request, note))
        self._record(response)
        return response

    def after_agent(self, state: CogMemState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """The recalled memories learn from the final answer."""
        end = self._end_of(state)
        if end.has_work:
            bank = self._resolve_bank(state, runtime, run=_run(state, runtime))
            self._finish(bank, state, runtime, end)
        return None

    async def aafter_agent(
        self, state: CogMemState, runtime: Runtime[Any]
    ) -> dict[str, Any] | None:
        """Async twin of `after_agent`."""
        end = self._end_of(state)
        if end.has_work:
            bank = await self._resolve_bank.awaited(state, runtime, run=_run(state, runtime))
            await asyncio.to_thread(self._finish, bank, state, runtime, end)
        return None

    def _noted(
        self, state: CogMemState, runtime: Runtime[Any], note: UserWords, bank: MemoryBank | None
    ) -> dict[str, Any]:
        """The state with the note of a turn that begins, and of what is recalled for it."""
        note["turn"] = uuid.uuid4().hex
        note["is_task"] = _is_task(runtime)
        earlier = self._note_of(state)
        unkept = [
            *earlier.get("unkept", ()),
            *(earlier["said"] if earlier.get("incognito") else ()),
        ]
        # What was said incognito and not answered stands among the messages of a later run.
        note["unkept"] = [message for message in unkept if message in note["said"]]
        note["incognito"] = bank is not None and not bank.keeps
        if bank is not None:
            with self._fail_open("a recall"):
                note |= self._recall(bank, note["said"], _thread(runtime), is_task=note["is_task"])
        with self._lock:
            self._begun.put(note["turn"], True)
        return {"cogmem_recall": {**(state.get("cogmem_recall") or {}), self._name: note}}

    def _recall(
        self,
        bank: MemoryBank,
        user_messages: Sequence[Mapping[str, Any]],
        thread: str | None,
        *,
        is_task: bool,
    ) -> dict[str, Any]:
        """What is noted of a recall; nothing if there is nothing to show.

        What was said before under the same ids (a run that is tried again) is no answer to itself.
        An agent that works for another one is not told what is due or open: nobody would hear of it.
        """
        bank.finish_pending()
        query = as_query(bank, user_messages[-1]["text"])
        recall = bank.recall(query, session_id=thread, **self._recall_arguments)
        own_ids = {message["id"] for message in user_messages}
        if any(own_ids.intersection(item.memory.refs) for item in recall.results):
            other_results = [
                item for item in recall.results if not own_ids.intersection(item.memory.refs)
            ]
            recall = replace(recall, results=tuple(other_results))
        if is_task:
            recall = replace(recall, due=(), ask=None)
        apart = self._insert == "auto"
        recall, block = shown_once(
            bank, recall, stable=False if apart else None, ask=self._ask, profile=self._profile
        )
        lasting = recall.block(stable=True, profile=self._profile) if apart else Context()
        if not (block.text or lasting.text):
            return {}
        shown_texts = {**lasting.shown, **block.shown}
        return {
            "recall": recall.only(shown_texts).to_json(),
            "context": block.text,
            "lasting": lasting.text,
        }

    def _with_memories(self, request: ModelRequest[Any], note: UserWords) -> ModelRequest[Any]:
        lasting = note.get("lasting")
        if lasting:
            system = _with_context(request.system_message, lasting)
            request = request.override(system_message=system)
        context = note.get("context")
        if not context:
            return request
        if self._insert != "system":
            messages = _before_question(request.messages, context, note)
            if messages is not None:
                return request.override(messages=messages)
        return request.override(system_message=_with_context(request.system_message, context))

    def _note_of(self, state: Any) -> UserWords:
        return (state.get("cogmem_recall") or {}).get(self._name) or {}

    def _unwritten(self, note: UserWords, messages: Sequence[AnyMessage]) -> bool:
        """Whether there are words of the user that may not be on disk yet.

        In another process than the one in which the turn began, words that stand no more among the
        messages were written by that one.
        """
        if self._save_mode == "none" or not note.get("said") or note.get("is_task"):
            return False
        if note.get("incognito"):
            return False
        turn = note.get("turn", "")
        with self._lock:
            if self._written.get(turn):
                return False
            began_here = self._begun.get(turn)
        ids = {message.id for message in messages}
        return bool(began_here) or all(message["id"] in ids for message in note["said"])

    def _write(
        self,
        bank: MemoryBank,
        note: UserWords,
        messages: Sequence[AnyMessage],
        runtime: Runtime[Any],
    ) -> None:
        """Remember what the user said.

        What was said before, under the same id, is known. What cannot be written now waits.
        """
        kept = [message for message in note["said"] if message not in note.get("unkept", ())]
        with self._fail_open("remembering"):
            save_turns(bank, turns_said({**note, "said": kept}, messages, _thread(runtime)))
        with self._lock:
            if "turn" in note:  # notes of earlier versions have none
                self._written.put(note["turn"], True)

    def _record(self, response: Any) -> None:
        """Note what a model wrote."""
        with self._lock:
            for message in getattr(response, "result", ()):
                if message.id is not None and not written_by_langchain(message):
                    self._model_message_ids.put(message.id, True)

    def _end_of(self, state: CogMemState) -> _End:
        """What is to be done at the end of a run."""
        messages = state["messages"]
        note = self._note_of(state)
        if "said" not in note:
            note = {**note_user_words(messages), **note}
        final = messages[-1] if messages else None
        answer = final if isinstance(final, AIMessage) and self._is_answer(final) else None
        text = text_of(answer) if answer is not None else structured_answer(state)
        arguments = self._tool_arguments(messages) if text or _is_tool(final) else ""
        gives_feedback = "recall" in note and self._auto_feedback
        return _End(
            note=note,
            answer=answer,
            text=text,
            arguments=arguments,
            gives_feedback=bool(gives_feedback and (text or arguments)),
            is_unwritten=self._unwritten(note, messages),
            is_remembered=answer is not None
            and self._save_mode == "both"
            and not note.get("incognito"),
        )

    def _finish(
        self, bank: MemoryBank, state: CogMemState, runtime: Runtime[Any], end: _End
    ) -> None:
        if end.gives_feedback:
            with self._fail_open("feedback"):
                bank.feedback(
                    Recall.from_json(end.note["recall"]),
                    end.text,
                    alongside=_recalls(state, end.note),
                    similarity_fn=self._similarity,
                    arguments=end.arguments,
                    wait=self._raise_errors,
                    heard=self._on_feedback,
                )
        if end.is_unwritten:
            self._write(bank, end.note, state["messages"], runtime)
        if end.is_remembered and end.answer is not None:
            answer = replace(turn_of(end.answer), session_id=_thread(runtime))
            with self._fail_open("remembering"):
                save_turns(bank, [answer])

    def _is_answer(self, final: AIMessage) -> bool:
        """Whether it is what the user is answered, and a model wrote it."""
        if final.tool_calls or written_by_langchain(final) or not text_of(final).strip():
            return False
        return self._is_by_model(final)

    def _is_by_model(self, message: AnyMessage) -> bool:
        message_id = str(message.id)
        with self._lock:
            is_known = self._model_message_ids.get(message_id)
        return bool(is_known) or message_id.startswith(_FROM_RUN)

    def _tool_arguments(self, messages: Sequence[AnyMessage]) -> str:
        """What the model gave to tools since the user spoke, as JSON; also structured answers."""
        texts: list[str] = []
        for message in reversed(messages):
            if role_of(message) == "user":
                break
            if isinstance(message, AIMessage) and self._is_by_model(message):
                calls = [call["args"] for call in message.tool_calls]
                texts += [json.dumps(args, ensure_ascii=False, default=str) for args in calls]
            if len(texts) >= _CALLS:
                break
        return "\n".join(reversed(texts))


@dataclass(frozen=True)
class _End:
    """What a run ended with, and what is to be done about it.

    Attributes:
        note: what was noted when it began.
        answer: the model's final message; None if there is none.
        text: what it says; of a structured answer its values as JSON.
        arguments: what the model gave to tools.
        gives_feedback: the memories learn from it.
        is_unwritten: the user's words may not be on disk yet.
        is_remembered: the answer is remembered.
    """

    note: UserWords
    answer: AIMessage | None
    text: str
    arguments: str
    gives_feedback: bool
    is_unwritten: bool
    is_remembered: bool

    @property
    def has_work(self) -> bool:
        """Whether anything is to be done."""
        return self.gives_feedback or self.is_unwritten or self.is_remembered


def _recalls(state: Any, own_note: UserWords) -> list[Recall]:
    """The recalls that all middlewares of this kind made for what the user said in this run."""
    notes = [note for note in (state.get("cogmem_recall") or {}).values() if note]
    return [
        Recall.from_json(note["recall"])
        for note in notes
        if "recall" in note and note.get("said") == own_note.get("said")
    ]


def _run(state: Any, runtime: Runtime[Any]) -> RunInfo:
    return RunInfo(state, runtime=runtime)


def _is_tool(message: AnyMessage | None) -> bool:
    return isinstance(message, ToolMessage)


def _one_of(name: str, settings: Any, allowed: Sequence[str]) -> str:
    if settings[name] not in allowed:
        raise InvalidInput(f"{name} is {settings[name]!r}; use one of {', '.join(allowed)}")
    return str(settings[name])


def _thread(runtime: Runtime[Any]) -> str | None:
    """The thread's id, if there is one; older versions of LangGraph do not tell."""
    execution_info = getattr(runtime, "execution_info", None)
    thread = getattr(execution_info, "thread_id", None)
    return str(thread) if thread is not None else None


def _is_task(runtime: Runtime[Any]) -> bool:
    """Whether the run was begun by a tool of another agent: no person gave its messages."""
    execution_info = getattr(runtime, "execution_info", None)
    # Older versions of LangGraph tell it only with the configuration.
    return called_by_tool(getattr(execution_info, "checkpoint_ns", None))


def _with_context(system: SystemMessage | None, context: str) -> SystemMessage:
    """The system prompt with the context behind it; a string stays a string."""
    if system is None or not system.content:
        return SystemMessage(context)
    if isinstance(system.content, str):
        content: Any = f"{system.content}\n\n{context}"
    else:
        content = [*system.content, {"type": "text", "text": f"\n\n{context}"}]
    return system.model_copy(update={"content": content})


def _before_question(
    messages: Sequence[AnyMessage], context: str, note: UserWords
) -> list[AnyMessage] | None:
    """The messages, with the context in front of the user's last one; None if there is none."""
    said_ids = {message["id"] for message in note.get("said", ())}
    persons = [index for index, message in enumerate(messages) if role_of(message) == "user"]
    places = [index for index in persons if messages[index].id in said_ids] or persons
    if not places:
        return None
    informed = list(messages)
    question = informed[places[-1]]
    content: Any = question.content
    if isinstance(content, str):
        content = f"{context}\n\n{content}"
    else:
        content = [{"type": "text", "text": f"{context}\n\n"}, *content]
    informed[places[-1]] = question.model_copy(update={"content": content})
    return informed
