"""Memory in graphs that are written by hand: nodes that recall and remember, and a wrapper of a node or an agent."""

from __future__ import annotations

import asyncio
import sys
import threading
import uuid
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import is_dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

from langchain_core.messages import (
    AnyMessage,
    BaseMessage,
    RemoveMessage,
    ToolMessage,
    convert_to_messages,
)
from langchain_core.runnables import Runnable, RunnableConfig, RunnableLambda, ensure_config
from pydantic import BaseModel

from cogmem_core.adapters.kept_blocks import joined, news, surplus
from cogmem_core.base.lru import LRUCache
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.errors import InvalidInput
from cogmem_core.feedback import Similarity
from cogmem_core.models import Feedback
from cogmem_core.retrieval.recall import Recall
from langchain_cogmem.agent_turns import KEPT, AgentTurns, lasting_of
from langchain_cogmem.convert import NamespaceSource, SaveMode, role_of, text_of
from langchain_cogmem.framework_texts import is_memories, memories_in, memories_message
from langchain_cogmem.run_info import RunInfo
from langchain_cogmem.user_words import UserWords, note_user_words, said_by_person

__all__ = ["memory_wrapper", "recall_node", "remember_node"]

_HOOK = "pre_model_hook"
_FOR_MODEL = "llm_input_messages"
_MESSAGES = "messages"
_MISSING_KEY_HELP = 'give it to the run: graph.invoke(..., {"configurable": {%s: "ann"}})'
_LOCK = threading.Lock()
_NOTES: WeakKeyDictionary[Engine, LRUCache[tuple[str, ...], UserWords]] = WeakKeyDictionary()
"""What was noted of turns, so that what a node recalled another one lets learn."""


def recall_node(
    bank: MemoryBank | None = None,
    *,
    engine: Engine | None = None,
    namespace: NamespaceSource = None,
    messages_key: str = _MESSAGES,
    output_key: str | None = None,
    k: int = 8,
    max_tokens: int | None = None,
    filter: Mapping[str, Any] | None = None,  # noqa: A002 - LangChain's name
    categories: Iterable[str] | None = None,
    deadline: float | None = None,
    ask: bool = False,
    profile: bool | type[BaseModel] = False,
    raise_errors: bool = False,
) -> Runnable[Any, Any]:
    """A node that recalls what matters for what the user said, once a turn.

    For `graph.add_node("recall", recall_node(bank))`, in front of the model. Also the
    `pre_model_hook` of LangGraph's `create_react_agent`. What was shown for a message stays in front
    of it in later prompts, up to 16,000 characters, so that a provider's cache of the history is hit.

    Args:
        bank: whose memories; or `engine` and `namespace`, as for `CogMemMiddleware`.
        engine: the engine, with `namespace`.
        namespace: of the bank, a template of it, or a function.
        messages_key: the state's key of the messages.
        output_key: where the messages for the model go, with the memories in front of the user's: a
            key of the state that has no reducer. None = in a `pre_model_hook`
            `llm_input_messages`, so that the history stays as it is; in another node the memories
            become a message of their own, behind the user's, marked as written by no person; it goes
            when one of them is forgotten.
        k: the maximum number of memories.
        max_tokens: budget of the text; None = the engine's.
        filter: which memories may be shown, as for `CogMemRetriever`.
        categories: only memories of one of these categories.
        deadline: seconds for a recall; then what was found so far is shown.
        ask: as for `CogMemMiddleware`.
        profile: as there.
        raise_errors: False = a recall that fails is logged, and the graph goes on.

    Raises:
        InvalidInput: an argument is unusable; later: the state has no messages, or the run does not
            tell whose memories are meant.

    Example:
        >>> import cogmem_core
        >>> from langgraph.graph import START, MessagesState, StateGraph
        >>> with cogmem_core.open(embedder="hashing") as engine:
        ...     ann = engine.bank("ann")
        ...     _ = ann.remember("My boat is called Swallow")
        ...     graph = StateGraph(MessagesState)
        ...     _ = graph.add_node("recall", recall_node(ann))
        ...     _ = graph.add_edge(START, "recall")
        ...     state = graph.compile().invoke({"messages": [("user", "What is my boat called?")]})
        ...     print("Swallow" in state["messages"][-1].text)
        True
    """
    turns = AgentTurns(
        bank,
        engine,
        namespace,
        _MISSING_KEY_HELP,
        k=k,
        max_tokens=max_tokens,
        filter=filter,
        categories=categories,
        deadline=deadline,
        ask=ask,
        profile=profile,
        raise_errors=raise_errors,
    )

    def recalled(state: Any, run: RunInfo, bank: MemoryBank | None) -> dict[str, Any]:
        messages = _messages_of(state, messages_key)
        note = _begun(turns, messages, run, bank) if bank is not None else {}
        metadata = run.config.get("metadata") or {}
        key = output_key
        if key is None and metadata.get("langgraph_node") == _HOOK:
            key = _FOR_MODEL
        if key is not None:
            return {key: turns.informed(messages, note, first=True)[1]}
        told = frozenset[str]().union(*map(memories_in, messages))
        lost = turns.lost(bank, told) if bank is not None else ()
        return {messages_key: _as_message(messages, note, lost)}

    return _node("recall_memories", turns, messages_key, recalled)


def remember_node(
    bank: MemoryBank | None = None,
    *,
    engine: Engine | None = None,
    namespace: NamespaceSource = None,
    messages_key: str = _MESSAGES,
    auto_feedback: bool = True,
    similarity_fn: Similarity | None = None,
    on_feedback: Callable[[tuple[Feedback, ...]], None] | None = None,
    save_mode: SaveMode = "user",
    raise_errors: bool = False,
) -> Runnable[Any, Any]:
    """A node that writes down what the user said, and lets what `recall_node` recalled learn from the answer.

    For `graph.add_node("remember", remember_node(bank))`, behind the model. It may stand in front of it, too, so
    that a model that fails loses nothing: a message is written once, by its id. Also the `post_model_hook`
    of LangGraph's `create_react_agent`. The state stays as it is.

    Args:
        bank: whose memories; or `engine` and `namespace`, as for `CogMemMiddleware`.
        engine: the engine, with `namespace`.
        namespace: of the bank, a template of it, or a function.
        messages_key: the state's key of the messages.
        auto_feedback: False = memories do not learn from the answers.
        similarity_fn: (memory, answer) → 0..1, as for `MemoryBank.feedback`.
        on_feedback: called with the judgements of each answer, by the worker's thread.
        save_mode: whose words are remembered: "user", "both" or "none".
        raise_errors: False = what fails is logged, and the graph goes on.

    Raises:
        InvalidInput: as `recall_node`.
    """
    turns = AgentTurns(
        bank,
        engine,
        namespace,
        _MISSING_KEY_HELP,
        auto_feedback=auto_feedback,
        similarity_fn=similarity_fn,
        on_feedback=on_feedback,
        save_mode=save_mode,
        raise_errors=raise_errors,
    )

    def remembered(state: Any, run: RunInfo, bank: MemoryBank | None) -> dict[str, Any]:
        messages = _messages_of(state, messages_key)
        if bank is not None:
            note = _note_of(turns, messages, run, bank)
            _finish(turns, messages, note, run, bank, state=state)
        return {}

    return _node("remember_turn", turns, messages_key, remembered)


def memory_wrapper(
    node: Any,
    bank: MemoryBank | None = None,
    *,
    engine: Engine | None = None,
    namespace: NamespaceSource = None,
    messages_key: str = _MESSAGES,
    k: int = 8,
    max_tokens: int | None = None,
    filter: Mapping[str, Any] | None = None,  # noqa: A002 - LangChain's name
    categories: Iterable[str] | None = None,
    deadline: float | None = None,
    ask: bool = False,
    profile: bool | type[BaseModel] = False,
    auto_feedback: bool = True,
    similarity_fn: Similarity | None = None,
    on_feedback: Callable[[tuple[Feedback, ...]], None] | None = None,
    save_mode: SaveMode = "user",
    raise_errors: bool = False,
) -> Runnable[Any, Any]:
    """A node, a compiled graph or another runnable that recalls before it works, and remembers after.

    For agents of supervisors and swarms, whose name and graph it shows, and for nodes of your own:
    `graph.add_node("agent", memory_wrapper(agent, bank))`. What it is given has the memories in front of the
    user's message; what it returns is without them. An agent with `CogMemMiddleware` needs no wrapper.

    Args:
        node: a function of the state, and of `config` if it wants that, or a runnable.
        bank: whose memories; or `engine` and `namespace`, as for `CogMemMiddleware`.
        engine: the engine, with `namespace`.
        namespace: of the bank, a template of it, or a function.
        messages_key: the state's key of the messages.
        k: the maximum number of memories.
        max_tokens: budget of the text; None = the engine's.
        filter: which memories may be shown, as for `CogMemRetriever`.
        categories: only memories of one of these categories.
        deadline: seconds for a recall; then what was found so far is shown.
        ask: as for `CogMemMiddleware`.
        profile: as there.
        auto_feedback: False = memories do not learn from the answers.
        similarity_fn: (memory, answer) → 0..1, as for `MemoryBank.feedback`.
        on_feedback: called with the judgements of each answer, by the worker's thread.
        save_mode: whose words are remembered: "user", "both" or "none".
        raise_errors: False = what fails is logged, and the node works without memory.

    Raises:
        InvalidInput: as `recall_node`; node cannot be called.
    """
    if not (isinstance(node, Runnable) or callable(node)):
        raise InvalidInput(f"node is a {type(node).__name__}; give a function or a runnable")
    turns = AgentTurns(
        bank,
        engine,
        namespace,
        _MISSING_KEY_HELP,
        k=k,
        max_tokens=max_tokens,
        filter=filter,
        categories=categories,
        deadline=deadline,
        ask=ask,
        profile=profile,
        auto_feedback=auto_feedback,
        similarity_fn=similarity_fn,
        on_feedback=on_feedback,
        save_mode=save_mode,
        raise_errors=raise_errors,
    )
    return _Wrapper(
        node if isinstance(node, Runnable) else RunnableLambda(node), turns, messages_key
    )


class _Wrapper(Runnable[Any, Any]):
    """A runnable with memory; see `memory_wrapper`."""

    def __init__(self, node: Runnable[Any, Any], turns: AgentTurns, messages_key: str) -> None:
        self._node = node
        self._turns = turns
        self._key = messages_key
        self.name = node.get_name()

    def __repr__(self) -> str:
        return f"memory_wrapper({self._node!r}, {self._turns!r})"

    def get_graph(self, config: RunnableConfig | None = None) -> Any:
        """The graph of what is wrapped."""
        return self._node.get_graph(config)

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:  # noqa: A002
        """Recall, let it work, remember."""
        state = self._with_ids(input)
        run = RunInfo(state, config=ensure_config(config))
        said = note_user_words(_messages_of(state, self._key))["said"]
        bank = self._turns.bank(run) if said else None
        note = self._begin(state, run, bank)
        try:
            result = self._node.invoke(self._informed(state, note), config, **kwargs)
        except _handing_over() as error:
            error.args = (self._ended(state, run, bank, note, error.args[0]),)
            raise
        return self._ended(state, run, bank, note, result)

    async def ainvoke(
        self,
        input: Any,  # noqa: A002
        config: RunnableConfig | None = None,
        **kwargs: Any,
    ) -> Any:
        """Async twin of `invoke`."""
        state = self._with_ids(input)
        run = RunInfo(state, config=ensure_config(config))
        said = note_user_words(_messages_of(state, self._key))["said"]
        bank = await self._turns.abank(run) if said else None
        note = await asyncio.to_thread(self._begin, state, run, bank)
        try:
            result = await self._node.ainvoke(self._informed(state, note), config, **kwargs)
        except _handing_over() as error:
            error.args = (self._ended(state, run, bank, note, error.args[0]),)
            raise
        return await asyncio.to_thread(self._ended, state, run, bank, note, result)

    def _with_ids(self, state: Any) -> Any:
        """The state, each of whose messages has an id."""
        messages = _messages_of(state, self._key)
        named = [
            message if message.id else message.model_copy(update={"id": uuid.uuid4().hex})
            for message in messages
        ]
        return _with_messages(state, self._key, named)

    def _begin(self, state: Any, run: RunInfo, bank: MemoryBank | None) -> UserWords:
        if bank is None:
            return {}
        messages = _messages_of(state, self._key)
        note = _begun(self._turns, messages, run, bank)
        if self._turns.unwritten(note, messages):
            self._turns.write(bank, note, messages, run.thread)
        return note

    def _informed(self, state: Any, note: UserWords) -> Any:
        messages = _messages_of(state, self._key)
        return _with_messages(state, self._key, self._turns.informed(messages, note, first=True)[1])

    def _ended(
        self, state: Any, run: RunInfo, bank: MemoryBank | None, note: UserWords, result: Any
    ) -> Any:
        """What it returned, without memories, after they learnt from the answer."""
        given = _messages_of(state, self._key)
        told = getattr(result, "update", None) if _is_command(result) else result
        returned = _messages_in([told] if isinstance(told, BaseMessage) else told, self._key)
        if not returned:
            return result
        originals = {message.id: message for message in given}
        new = [message for message in returned if message.id not in originals]
        is_handed_over = _is_command(result) and isinstance(returned[-1], ToolMessage)
        if bank is not None and new and not is_handed_over:
            _finish(self._turns, [*given, *new], note, run, bank, state=told)
        if isinstance(told, BaseMessage):
            return result
        shown = [block["text"] for block in note.get("blocks", ())]
        plain = [
            originals.get(message.id) or _without(message, [lasting_of(note, given), *shown])
            for message in returned
        ]
        update = _with_messages(told, self._key, plain)
        return replace(result, update=update) if _is_command(result) else update


class _Node(RunnableLambda[Any, Any]):
    """A node that says whose memories it uses."""

    turns: AgentTurns

    def __repr__(self) -> str:
        return f"{self.name}({self.turns!r})"


def _node(
    name: str,
    turns: AgentTurns,
    messages_key: str,
    work: Callable[[Any, RunInfo, MemoryBank | None], dict[str, Any]],
) -> Runnable[Any, Any]:
    """A node of a graph, sync and async; its bank is None where nobody said anything."""

    def run_of(state: Any, config: RunnableConfig) -> tuple[RunInfo, bool]:
        said = note_user_words(_messages_of(state, messages_key))["said"]
        return RunInfo(state, config=config), bool(said)

    def invoke(state: Any, config: RunnableConfig) -> dict[str, Any]:
        run, is_said = run_of(state, config)
        return work(state, run, turns.bank(run) if is_said else None)

    async def ainvoke(state: Any, config: RunnableConfig) -> dict[str, Any]:
        run, is_said = run_of(state, config)
        bank = await turns.abank(run) if is_said else None
        return await asyncio.to_thread(work, state, run, bank)

    node = _Node(invoke, ainvoke, name=name)
    node.turns = turns
    return node


def _notes(bank: MemoryBank) -> LRUCache[tuple[str, ...], UserWords]:
    return _NOTES.setdefault(bank.engine, LRUCache(4_096))


def _key(bank: MemoryBank, run: RunInfo, said: Any) -> tuple[str, ...]:
    """Of a turn: whose, in which conversation, what was said."""
    return bank.namespace, str(bank.keeps), run.thread or "", str(said["id"] or said["text"])


def _begun(
    turns: AgentTurns, messages: Sequence[AnyMessage], run: RunInfo, bank: MemoryBank
) -> UserWords:
    """The note of the turn that goes on; if there is none, it begins."""
    note = note_user_words(messages)
    key = _key(bank, run, note["said"][-1])
    with _LOCK:
        notes = _notes(bank)
        known = notes.get(key)
        earlier = (notes.get(key[:-1]) if run.thread else None) or {}
    if known is None:
        known = turns.noted(note, earlier, run, bank, turn="\0".join(key))
        with _LOCK:
            notes.put(key, known)
            notes.put(key[:-1], known)
    return known


def _note_of(
    turns: AgentTurns, messages: Sequence[AnyMessage], run: RunInfo, bank: MemoryBank
) -> UserWords:
    """The note of the turn that goes on, or of what was said without a recall."""
    for message in reversed(messages):
        if role_of(message) == "user":
            key = _key(bank, run, {"id": message.id, "text": text_of(message)})
            with _LOCK:
                note = _notes(bank).get(key)
            if note is not None:
                return note
            if said_by_person(text_of(message)):
                break
    words = note_user_words(messages)
    turn = "\0".join(_key(bank, run, words["said"][-1]))
    return turns.noted(words, {}, run, bank, turn=turn, recalls=False)


def _finish(
    turns: AgentTurns,
    messages: Sequence[AnyMessage],
    note: UserWords,
    run: RunInfo,
    bank: MemoryBank,
    *,
    state: Any,
) -> None:
    end = turns.end_of(messages, note, state, guarded=False)
    if end.has_work:
        turns.finish(bank, messages, end, run.thread)
    if end.answer is not None and not note["said"][-1]["id"]:
        with _LOCK:  # the same words without an id are another turn
            _notes(bank).pop(_key(bank, run, note["said"][-1]))


def _as_message(
    messages: Sequence[AnyMessage], note: UserWords, lost: Collection[str]
) -> list[AnyMessage]:
    """The memories as a message of nobody's; of earlier ones the older half goes if they are too long.

    `lost`: memories that are shown no more; what tells them goes.
    """
    message_id = f"cogmem-{note['said'][-1]['id']}" if note.get("said") else None
    shown = list(filter(is_memories, messages))
    earlier = [message for message in shown if message.id != message_id]
    left = [message for message in earlier if not memories_in(message).isdisjoint(lost)]
    stay = [message for message in earlier if message not in left]
    number = surplus([len(message.text) for message in stay], KEPT)
    left += stay[:number]
    context = note.get("context", "")
    standing = [context, *(message.text for message in stay[number:])]
    text = joined(news(note.get("always", ""), standing), context)
    update: list[Any] = [RemoveMessage(id=str(message.id)) for message in left]
    if text and all((one.id, one.text) != (message_id, text) for one in shown):
        update.append(
            memories_message(text, message_id, Recall.from_json(note["recall"]).memory_ids)
        )
    once = {f"cogmem-{block['id']}": block for block in note.get("blocks", ()) if "once" in block}
    for message in stay[number:]:
        if message.id in once:
            block = once[message.id]
            later = message.text.replace(block["once"], block["text"]).strip()
            update.append(
                memories_message(later, message.id, memories_in(message))
                if later
                else RemoveMessage(id=str(message.id))
            )
    return update


def _messages_of(state: Any, key: str) -> list[Any]:
    """The messages of a state.

    Raises:
        InvalidInput: it has none.
    """
    if not isinstance(state, (list, tuple)):
        has_key = key in state if isinstance(state, Mapping) else hasattr(state, key)
        if not has_key:
            raise InvalidInput(
                f"the state has no {key!r}; name the key of its messages: messages_key="
            )
    return _messages_in(state, key)


def _messages_in(state: Any, key: str) -> list[Any]:
    """The messages of a state, or of a part of it; empty if there are none."""
    found = state.get(key) if isinstance(state, Mapping) else getattr(state, key, None)
    if isinstance(state, (list, tuple)):
        found = [
            entry
            for entry in state
            if isinstance(entry, (BaseMessage, str, Mapping))
            or (isinstance(entry, tuple) and isinstance(entry[-1], str))
        ]
    listed: Any = found if isinstance(found, (list, tuple)) else [found]
    return list(convert_to_messages(listed)) if found else []


def _with_messages(state: Any, key: str, messages: list[Any]) -> Any:
    """A state of the same kind with these messages."""
    if isinstance(state, Mapping):
        return {**state, key: messages}
    if isinstance(state, BaseModel):
        return state.model_copy(update={key: messages})
    if is_dataclass(state) and not isinstance(state, type):
        return replace(state, **{key: messages})
    return messages


def _without(message: AnyMessage, shown: Iterable[str]) -> AnyMessage:
    """A message without the memories in front of it."""
    text = message.content
    if not isinstance(text, str):
        return message
    for block in filter(None, shown):
        text = text.removeprefix(f"{block}\n\n")
    return message if text == message.content else message.model_copy(update={"content": text})


def _handing_over() -> Any:
    """What LangGraph raises where an agent hands over to another one of the graph above it."""
    errors = sys.modules.get("langgraph.errors")
    return getattr(errors, "ParentCommand", ())


def _is_command(result: Any) -> bool:
    return hasattr(result, "goto") and hasattr(result, "update") and is_dataclass(result)
