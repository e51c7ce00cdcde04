"""What a person said to an agent, noted when a run begins: later messages may be summarised, trimmed or added to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from langchain_cogmem.convert import text_of
from langchain_cogmem.framework_texts import written_by_langchain

__all__ = ["UserWords", "current_texts", "note_user_words"]

UserWords = dict[str, Any]
"""`said`: a list of {"id", "text"}, oldest first; `asked`: what the model had said just before.

Plain values.
"""
# How `PIIMiddleware` writes what it took out of a message.
_REDACTED = re.compile(r"\[REDACTED_\w+\]|<\w+_hash:\w+>|\S*\*{4}\S*|\*\.\*\.\*\.\S*")
_WORD = re.compile(r"\w+")


def note_user_words(messages: Sequence[BaseMessage]) -> UserWords:
    """What a person said last: all messages since a model or a tool spoke, but those that LangChain wrote.

    Example:
        >>> noted([HumanMessage("Hi", id="1"), AIMessage("Your name?"), HumanMessage("Ann", id="2")])
        {'said': [{'id': '2', 'text': 'Ann'}], 'asked': 'Your name?'}
    """
    user_messages: list[BaseMessage] = []
    previous: BaseMessage | None = None
    for message in reversed(messages):
        if isinstance(message, (AIMessage, ToolMessage)) and user_messages:
            previous = message
            break
        if isinstance(message, HumanMessage) and not written_by_langchain(message):
            user_messages.insert(0, message)
    texts = [
        {"id": message.id, "text": text_of(message)}
        for message in user_messages
        if text_of(message).strip()
    ]
    return {"said": texts, "asked": _question(previous)}


def current_texts(
    note: UserWords, messages: Sequence[BaseMessage], texts_read: Mapping[str, str]
) -> list[str]:
    """The words that were noted; where a middleware took something out of them since, without it.

    Nothing that was put into a message since is a person's word.

    Args:
        note: what `note_user_words` returned.
        messages: as they are now.
        texts_read: texts of messages that are gone, by their ids, as a model read them.
    """
    texts = {
        **texts_read,
        **{str(message.id): text_of(message) for message in _user_messages(messages)},
    }
    return [
        _redacted_or_original(original["text"], texts.get(str(original["id"]), original["text"]))
        for original in note["said"]
    ]


def _user_messages(messages: Sequence[BaseMessage]) -> Iterator[BaseMessage]:
    return (
        message
        for message in messages
        if isinstance(message, HumanMessage) and not written_by_langchain(message)
    )


def _question(message: BaseMessage | None) -> str:
    return (
        text_of(message)
        if isinstance(message, AIMessage) and not written_by_langchain(message)
        else ""
    )


def _redacted_or_original(text: str, current: str) -> str:
    """The later text if it says nothing more than the first one did; else the first one."""
    original_words = iter(_WORD.findall(text))
    adds_nothing = all(
        word in original_words for word in _WORD.findall(_REDACTED.sub(" ", current))
    )
    return current if adds_nothing and current.strip() else text
