"""Long-term memory for agents made by `langchain.agents.create_agent`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Annotated, Any

from langchain_core.messages import AnyMessage
from pydantic import BaseModel
from typing_extensions import NotRequired

from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.errors import InvalidInput
from cogmem_core.feedback import Similarity
from cogmem_core.models import Feedback
from langchain_cogmem.agent_turns import AgentTurns, End, Insert, with_context
from langchain_cogmem.convert import NamespaceSource, SaveMode
from langchain_cogmem.run_info import RunInfo
from langchain_cogmem.tools import create_memory_tools
from langchain_cogmem.user_words import UserWords, note_user_words

try:
    from langchain.agents.middleware import AgentMiddleware, AgentState, ModelRequest, ModelResponse
    from langchain.agents.middleware.types import PrivateStateAttr
    from langgraph.runtime import Runtime
except ImportError as error:
    raise ImportError(
        "CogMemMiddleware needs LangChain's agents: pip install 'langchain>=1.2.15'"
    ) from error

__all__ = ["CogMemMiddleware", "CogMemState"]

_KNOWN_TO_TOOLS = ("config", "context", "metadata", "runtime")
_MISSING_KEY_HELP = "give it to the run: agent.invoke({...}, context={%s: 'ann'})"


class CogMemState(AgentState[Any]):
    """What the middleware keeps of a run, under its name, as plain values that can be stored."""

    cogmem_recall: NotRequired[Annotated[dict[str, Any] | None, PrivateStateAttr]]


class CogMemMiddleware(AgentMiddleware[CogMemState, Any, Any]):
    """Recalls once per user turn, shows the memories to the model, learns from the final answer.

    Nothing is added to the agent's messages or checkpoints but a private note of what the user said
    and what was recalled; it is part of streamed states (`stream_mode="values"`), as LangChain's
    own private state is. The user's words are those that are there when the run begins: summaries,
    whatever tools, other middleware and nodes of a graph add in the name of a person, the tasks that
    an agent gives to another one, and what a guard kept from the model, are not remembered; what a
    person says instead of approving a tool's call is. They are on disk before the
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
            message, and stay in front of earlier ones, so that a provider's cache of the system
            prompt and the history holds (with a checkpointer; up to 16,000 characters, of more the
            older half is given up); "auto" = what is always worth knowing follows the system prompt,
            where it stays the same all through a conversation, and the rest is as with "user".
        add_tools: give the agent tools to recall and to remember by itself; needs a fixed
            namespace, or a function of `config`, `context`, `metadata` or `runtime`.
        ask: let the model ask the user which of two versions holds, where both stand and bear on
            what he said: at most one question a day, and none twice. His answer settles it.
        profile: begin with what is known of the user (see `MemoryBank.profile`), in a third of the
            budget at most; a pydantic model class = with what is known of its fields, as JSON.
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
        k: int = 8,
        max_tokens: int | None = None,
        filter: Mapping[str, Any] | None = None,  # noqa: A002 - LangChain's name
        categories: Iterable[str] | None = None,
        deadline: float | None = None,
        insert: Insert = "auto",
        add_tools: bool = False,
        ask: bool = False,
        profile: bool | type[BaseModel] = False,
        auto_feedback: bool = True,
        similarity_fn: Similarity | None = None,
        on_feedback: Callable[[tuple[Feedback, ...]], None] | None = None,
        save_mode: SaveMode = "user",
        name: str | None = None,
        raise_errors: bool = False,
    ) -> None:
        super().__init__()
        self._name = name or type(self).__name__
        self._turns = AgentTurns(
            bank,
            engine,
            namespace,
            _MISSING_KEY_HELP,
            k=k,
            max_tokens=max_tokens,
            filter=filter,
            categories=categories,
            deadline=deadline,
            insert=insert,
            ask=ask,
            profile=profile,
            auto_feedback=auto_feedback,
            similarity_fn=similarity_fn,
            on_feedback=on_feedback,
            save_mode=save_mode,
            raise_errors=raise_errors,
            name=self._name,
        )
        self.tools = []
        if add_tools:
            if not self._turns.resolve_bank.asks_only(_KNOWN_TO_TOOLS):
                raise InvalidInput(
                    "add_tools needs a fixed namespace, or a function of config, context, metadata "
                    "or runtime; for another use create_memory_tools(engine=...)"
                )
            self.tools = create_memory_tools(bank, engine=engine, namespace=namespace)

    @property
    def name(self) -> str:
        """Tells two of these apart in one agent."""
        return self._name

    def __repr__(self) -> str:
        return f"{self._name}({self._turns!r})"

    def before_agent(self, state: CogMemState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Recall what matters for the user's message."""
        run = RunInfo(state, runtime=runtime)
        note = note_user_words(state["messages"])
        return self._noted(note, run, self._turns.bank(run) if note["said"] else None)

    async def abefore_agent(
        self, state: CogMemState, runtime: Runtime[Any]
    ) -> dict[str, Any] | None:
        """Async twin of `before_agent`."""
        run = RunInfo(state, runtime=runtime)
        note = note_user_words(state["messages"])
        if not note["said"]:
            return self._noted(note, run, None)
        return await asyncio.to_thread(self._noted, note, run, await self._turns.abank(run))

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Write down what the user said, and show the model what was recalled."""
        run = RunInfo(request.state, runtime=request.runtime)
        note = self._note_of(request.state)
        if self._turns.unwritten(note, request.messages):
            self._turns.write(self._turns.bank(run), note, request.messages, run.thread)
        response = handler(self._with_memories(request, note))
        self._turns.record(_messages_in(response))
        return response

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        """Async twin of `wrap_model_call`."""
        run = RunInfo(request.state, runtime=request.runtime)
        note = self._note_of(request.state)
        if self._turns.unwritten(note, request.messages):
            bank = await self._turns.abank(run)
            await asyncio.to_thread(self._turns.write, bank, note, request.messages, run.thread)
        response = await handler(self._with_memories(request, note))
        self._turns.record(_messages_in(response))
        return response

    def after_agent(self, state: CogMemState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """The recalled memories learn from the final answer."""
        run = RunInfo(state, runtime=runtime)
        end = self._end_of(state)
        if end.has_work:
            self._finish(self._turns.bank(run), run, end)
        return self._left(state, end)

    async def aafter_agent(
        self, state: CogMemState, runtime: Runtime[Any]
    ) -> dict[str, Any] | None:
        """Async twin of `after_agent`."""
        run = RunInfo(state, runtime=runtime)
        end = self._end_of(state)
        if end.has_work:
            await asyncio.to_thread(self._finish, await self._turns.abank(run), run, end)
        return self._left(state, end)

    def _noted(self, note: UserWords, run: RunInfo, bank: MemoryBank | None) -> dict[str, Any]:
        """The state with the note of a turn that begins, and of what is recalled for it."""
        state = run.state
        note = self._turns.noted(note, self._note_of(state), run, bank)
        return _with_note(state, self._name, note)

    def _with_memories(self, request: ModelRequest[Any], note: UserWords) -> ModelRequest[Any]:
        lasting, messages = self._turns.informed(request.messages, note)
        request = request.override(messages=messages)
        if not lasting:
            return request
        return request.override(system_message=with_context(request.system_message, lasting))

    def _note_of(self, state: Any) -> UserWords:
        return (state.get("cogmem_recall") or {}).get(self._name) or {}

    def _end_of(self, state: CogMemState) -> End:
        return self._turns.end_of(state["messages"], self._note_of(state), state)

    def _finish(self, bank: MemoryBank, run: RunInfo, end: End) -> None:
        notes = [note for note in (run.state.get("cogmem_recall") or {}).values() if note]
        self._turns.finish(bank, run.state["messages"], end, run.thread, notes)

    def _left(self, state: CogMemState, end: End) -> dict[str, Any] | None:
        return _with_note(state, self._name, end.left) if end.note else None


def _messages_in(response: Any) -> Iterable[AnyMessage]:
    return getattr(response, "result", ())


def _with_note(state: Any, name: str, note: UserWords) -> dict[str, Any]:
    return {"cogmem_recall": {**(state.get("cogmem_recall") or {}), name: note}}
