"""LangChain's messages as cogmem sees them: as plain text, as turns; and whose bank is meant."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from langchain_core.load.serializable import Serializable
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    ChatMessage,
    FunctionMessage,
    HumanMessage,
    ToolMessage,
    convert_to_messages,
)
from langchain_core.prompt_values import PromptValue
from pydantic import BaseModel

from cogmem_core.adapters.conversation import with_dates
from cogmem_core.adapters.resolve_bank import NamespaceSource, bank_of, engine_of
from cogmem_core.encoding.sanitize import readable_turn
from cogmem_core.errors import InvalidInput
from cogmem_core.models import Role, Turn
from cogmem_core.text.broken import readable
from langchain_cogmem.framework_texts import written_by_langchain

__all__ = [
    "ONE_TEXT",
    "NamespaceSource",
    "SaveMode",
    "bank_of",
    "engine_of",
    "role_of",
    "structured_answer",
    "text_of",
    "turn_of",
    "turns_of",
]

SaveMode = Literal["user", "both", "none"]
"""Whose words are remembered: a person's, also an assistant's, or nobody's."""
_ROLES: tuple[tuple[type[BaseMessage], Role], ...] = (
    (HumanMessage, "user"),
    (AIMessage, "assistant"),
    (ToolMessage, "tool"),
    (FunctionMessage, "tool"),
)
_ROLES_BY_NAME: Mapping[str, Role] = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
}
ONE_TEXT = 'give a text, as itemgetter("question") takes it from what a chain was given'
"""What to do where a retriever got something else."""
_TEXT_BLOCKS = (None, "text", "input_text", "output_text")
_MESSAGES = ("human", "ai", "system", "tool", "function", "chat", "developer")
_PAIR = 2
_STRUCTURED = (PromptValue, BaseMessage, Mapping)
"""What `_content` takes apart, beside pairs."""


def text_of(content: object) -> str:
    r"""What a person would read: of a string, a message, message content or any list of these.

    The text blocks of an answer follow each other as the model wrote them; other blocks, and
    messages, stand on lines of their own. Images, sounds, files, tool calls and reasoning say
    nothing; nor does anything else. Broken characters (NUL, lone surrogates) are replaced.

    Args:
        content: a string; a LangChain message, as object, `{"role": ..., "content": ...}` or
            `("user", "...")`; content blocks; a prompt value; a list of any of these; None.

    Example:
        >>> text_of([{"type": "text", "text": "Who is this?"}, {"type": "image", "url": "https://example.org/a.png"}])
        'Who is this?'
        >>> text_of([("user", "I moved."), ("assistant", "Where to?")])
        'I moved.\nWhere to?'
    """
    if isinstance(content, str):
        return readable(content)
    if isinstance(content, _STRUCTURED) or _is_pair(content):
        parts, separator = _content(content)
    elif isinstance(content, Iterable) and not isinstance(content, bytes):
        parts = list(content)
        separator = "\n"
    else:
        return ""
    return separator.join(filter(None, map(text_of, parts)))


def turns_of(
    messages: Iterable[object], *, began: datetime | None = None, session_id: str | None = None
) -> list[Turn]:
    """A conversation that was kept elsewhere, for `bank.remember(turns_of(messages, ...))`.

    What people and models said, in order, with `name` as the speaker and `id` as the `ref`; system
    and tool messages, what LangChain wrote in their names (summaries, limits that were reached),
    and what has no text, are left out.

    Args:
        messages: LangChain messages, as objects, `{"role": ..., "content": ...}`, `("user",
            "...")`, or what the user said as a string.
        began: when the conversation began, timezone-aware: messages have no dates, so each is a
            minute after the one before; None = they are said when they are remembered.
        session_id: the conversation.

    Raises:
        InvalidInput: an item is not a message, or `began` is not a timezone-aware datetime.

    Example:
        >>> from datetime import datetime, timezone
        >>> began = datetime(2025, 3, 1, 9, tzinfo=timezone.utc)
        >>> for turn in turns_of([("user", "I moved."), ("assistant", "Where to?")], began=began, session_id="s1"):
        ...     print(turn.role, turn.content, turn.at)
        user I moved. 2025-03-01 09:00:00+00:00
        assistant Where to? 2025-03-01 09:01:00+00:00
    """
    if isinstance(messages, (str, bytes, Mapping, BaseMessage)) or not isinstance(
        messages, Iterable
    ):
        raise InvalidInput(f"messages is a {type(messages).__name__}; give a list of messages")
    turns = [
        turn_of(_message(f"messages[{index}]", message)) for index, message in enumerate(messages)
    ]
    return with_dates(turns, began, session_id)


def turn_of(message: BaseMessage) -> Turn:
    """What a message says, who says it, and its id."""
    speaker = None
    if isinstance(message, (HumanMessage, AIMessage)):
        speaker = message.name or None
    turn = Turn(
        text_of(message),
        role=role_of(message),
        speaker=speaker,
        ref=message.id or None,
    )
    return readable_turn(turn)


def structured_answer(output: object) -> str:
    """What a chain or an agent returned in a structure whose model only filled in arguments of a tool.

    Empty where an agent's last message says something, or no tool gave the structure.

    Args:
        output: what the chain or the agent returned, or the agent's state.
    """
    if isinstance(output, BaseModel) and not isinstance(output, Serializable):
        return output.model_dump_json()
    messages = output.get("messages") if isinstance(output, Mapping) else None
    if not isinstance(output, Mapping) or output.get("structured_response") is None:
        return ""
    last = messages[-1] if isinstance(messages, Sequence) and messages else None
    if not isinstance(last, ToolMessage):
        return ""
    for message in reversed(messages or ()):
        for call in getattr(message, "tool_calls", None) or ():
            if call.get("id") == last.tool_call_id:
                return json.dumps(call.get("args", {}), ensure_ascii=False, default=str)
    return ""


def role_of(message: BaseMessage) -> Role:
    """Who speaks, as cogmem names it.

    What is neither a person nor a model is kept like a system message.
    """
    if written_by_langchain(message):
        return "system"
    if isinstance(message, ChatMessage):
        return _ROLES_BY_NAME.get(message.role.lower(), "system")
    return next((role for kind, role in _ROLES if isinstance(message, kind)), "system")


def _message(name: str, value: Any) -> BaseMessage:
    try:
        return convert_to_messages([value])[0]
    except (NotImplementedError, TypeError, ValueError) as error:
        kind = type(value).__name__
        raise InvalidInput(
            f"{name} is a {kind}, no message; give one such as HumanMessage('hi')"
        ) from error


def _content(message: Any) -> tuple[Sequence[object], str]:
    """What a message or a block consists of, and what stands between its parts."""
    if isinstance(message, PromptValue):
        return message.to_messages(), "\n"
    if isinstance(message, BaseMessage):
        parts = message.content
        if isinstance(message, AIMessage) and isinstance(parts, list):
            return parts, ""
        return [parts], ""
    if isinstance(message, Mapping):
        kind = message.get("type")
        if "role" in message or kind in _MESSAGES:
            return [message.get("content")], ""
        return [message.get("text") if kind in _TEXT_BLOCKS else None], ""
    return [message[1]], ""


def _is_pair(content: object) -> bool:
    return isinstance(content, tuple) and len(content) == _PAIR and isinstance(content[0], str)
