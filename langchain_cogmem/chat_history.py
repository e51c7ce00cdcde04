"""A chat history whose messages a bank keeps verbatim and remembers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    message_to_dict,
    messages_from_dict,
)
from langchain_core.messages.utils import message_chunk_to_message

from cogmem_core.adapters.conversation import question_before, record_answer, with_question
from cogmem_core.edge import checks
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.errors import InvalidInput
from cogmem_core.models import Episode, Role, Turn
from cogmem_core.text.broken import readable_value
from langchain_cogmem.convert import NamespaceSource, SaveMode, turn_of
from langchain_cogmem.run_info import RunInfo, run_banks
from langchain_cogmem.user_words import said_by_person

__all__ = ["CogMemChatMessageHistory"]

_KEY = "langchain"
_REMEMBERED_ROLES: Mapping[str, tuple[Role, ...]] = {
    "both": ("user", "assistant"),
    "user": ("user",),
    "none": (),
}


class CogMemChatMessageHistory(BaseChatMessageHistory):
    """The messages of one conversation, kept in a bank, which also remembers them.

    Messages of every type come back in order and as they were: content blocks, calls of tools, ids,
    names, metadata; chunks of a stream as whole messages. They are on disk when `add_messages`
    returns; memories are formed in the background (`engine.flush()` waits for them) and carry the
    session's id, the message's id as `ref`, and its `name` as the speaker. System and tool
    messages, what LangChain wrote in the name of a person or a model (summaries, limits that were
    reached), and messages without text, are kept only. Broken characters (NUL, lone surrogates) are
    replaced. A message may hold up to 1 MB (`limits.content_bytes`). Several objects, threads and
    processes may use one session.

    `clear` empties the conversation for good, but what was remembered of it stays: see
    `MemoryBank.clear_transcript`. Forgetting a memory for good (`bank.forget(id, hard=True)`) also
    takes away the messages that it came from, and those whose tool calls or other data quote it.

    Secrets are dealt with as `encoding.secrets` says: by default they are listed as `[redacted
    password]`, because they never reach the disk. With "reject" the whole call is refused;
    `RunnableWithMessageHistory` logs that and goes on.

    Args:
        bank: where the conversation belongs; or give `engine` and `namespace`: a string, a
            template that the configuration fills ("{user_id}"), or a function of the `config`,
            `context` or `metadata` of the run in which this is made.
        session_id: the conversation, 1..256 characters.
        save_mode: what becomes memories: "user", "both" (what assistants say, too) or "none" (another
            part of your application remembers).

    Raises:
        InvalidInput: no bank, or an unknown save_mode; the run does not tell whose bank is meant.

    Example:
        >>> import cogmem_core
        >>> with cogmem_core.open(embedder="hashing") as engine:
        ...     history = CogMemChatMessageHistory(engine.bank("ann"), session_id="monday")
        ...     history.add_user_message("I moved to Lisbon in May")
        ...     history.add_ai_message("How do you like it?")
        ...     print([message.content for message in history.messages])
        ...     engine.flush()
        ...     print(engine.bank("ann").recall("Lisbon").results[0].content)
        ['I moved to Lisbon in May', 'How do you like it?']
        I moved to Lisbon in May
    """

    def __init__(
        self,
        bank: MemoryBank | None = None,
        *,
        engine: Engine | None = None,
        namespace: NamespaceSource = None,
        session_id: str,
        save_mode: SaveMode = "user",
    ) -> None:
        super().__init__()
        checks.choice("save_mode", save_mode, tuple(_REMEMBERED_ROLES))
        self.bank = run_banks(bank, engine, namespace, "make the history")(run=RunInfo())
        self.session_id = session_id
        self.save_mode = save_mode

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]
        """Every message of the conversation, oldest first; read from the bank each time."""
        return [_message(turn) for turn in self.bank.transcript(self.session_id)]

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Put messages behind the others, all or none.

        Raises:
            InvalidInput: one cannot be kept: too large, not JSON (an artifact, say), of a type of
                its own, with a secret where those are refused.
            StoreError: the disk failed.
        """
        turns = self._with_questions(
            [_turn(f"messages[{i}]", message) for i, message in enumerate(messages)]
        )
        remembered = set(_REMEMBERED_ROLES[self.save_mode])
        if not all(said_by_person(turn.content) for turn in turns if turn.role == "user"):
            remembered.discard("user")
        self.bank.append_messages(turns, session_id=self.session_id, remembered=remembered)

    def _with_questions(self, turns: Sequence[Turn]) -> list[Turn]:
        """The turns; one of the user that follows an assistant's question replies to it."""
        replying: list[Turn] = []
        for turn in turns:
            question = question_before(self.bank, self.session_id)
            replying += with_question([turn], question)
            if turn.role in ("user", "assistant"):
                answer = turn.content if turn.role == "assistant" else ""
                record_answer(self.bank, answer, self.session_id)
        return replying

    def clear(self) -> None:
        """Empty the conversation for good; memories of it stay."""
        self.bank.clear_transcript(self.session_id)

    async def aget_messages(self) -> list[BaseMessage]:
        """Async twin of `messages`."""
        return await asyncio.to_thread(lambda: self.messages)

    async def aadd_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Async twin of `add_messages`."""
        await asyncio.to_thread(self.add_messages, messages)

    async def aclear(self) -> None:
        """Async twin of `clear`."""
        await asyncio.to_thread(self.clear)

    def __repr__(self) -> str:
        return f"CogMemChatMessageHistory({self.bank!r}, session_id={self.session_id!r})"


def _turn(name: str, message: object) -> Turn:
    """A message as a turn; a text is not kept twice."""
    if not isinstance(message, BaseMessage):
        raise InvalidInput(
            f"{name} is a {type(message).__name__}; give a message, such as HumanMessage('hi')"
        )
    whole = message_chunk_to_message(message)
    fields = message_to_dict(whole)
    if isinstance(whole.content, str):
        del fields["data"]["content"]
    turn = turn_of(whole)
    try:
        fields = readable_value(fields)
        _message_from(json.loads(json.dumps(fields, allow_nan=False)), turn.content)
    except (TypeError, ValueError, RecursionError) as error:
        kind = type(whole).__name__
        raise InvalidInput(
            f"{name} is a {kind} that JSON cannot hold: {error}; leave out what is not JSON"
        ) from error
    return replace(turn, metadata={_KEY: fields})


def _message(turn: Episode) -> BaseMessage:
    fields = turn.metadata.get(_KEY)
    if fields is not None:
        return _message_from(fields, turn.content)
    # Kept by something else than this class: all that is known is who said what.
    if turn.role == "tool":
        return ToolMessage(turn.content, tool_call_id=turn.ref or turn.id)
    kinds: Mapping[str, type[BaseMessage]] = {
        "user": HumanMessage,
        "assistant": AIMessage,
        "system": SystemMessage,
    }
    return kinds[turn.role](turn.content, name=turn.speaker, id=turn.ref)


def _message_from(fields: Mapping[str, Any], text: str) -> BaseMessage:
    """The inverse of `message_to_dict`.

    Content that is not among the data is the turn's own text.
    """
    return messages_from_dict([{**fields, "data": {"content": text, **fields["data"]}}])[0]
