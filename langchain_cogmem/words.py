"""What a person said to an agent, noted when a run begins: later messages may be summarised, trimmed or added to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from langchain_cogmem.convert import text_of
from langchain_cogmem.unsaid import made_up

__all__ = ["Note", "as_it_stands", "noted"]

Note = dict[str, Any]
"""`said`: a list of {"id", "text"}, oldest first; `asked`: what the model had said just before.

Plain values.
"""
# How `PIIMiddleware` writes what it took out of a message.
_REDACTED = re.compile(r"\[REDACTED_\w+\]|<\w+_hash:\w+>|\S*\*{4}\S*|\*\.\*\.\*\.\S*")
_WORD = re.compile(r"\w+")


def noted(messages: Sequence[BaseMessage]) -> Note:
    """What a person said last: all messages since a model or a tool spoke, but those that LangChain wrote.

    Example:
        >>> noted([HumanMessage("Hi", id="1"), AIMessage("Your name?"), HumanMessage("Ann", id="2")])
        {'said': [{'id': '2', 'text': 'Ann'}], 'asked': 'Your name?'}
    """
    spoken: list[BaseMessage] = []
    before: BaseMessage | None = None
    for message in reversed(messages):
        if isinstance(message, (AIMessage, ToolMessage)) and spoken:
            before = message
            break
        if isinstance(message, HumanMessage) and not made_up(message):
            spoken.insert(0, message)
    said = [
        {"id": message.id, "text": text_of(message)}
        for message in spoken
        if text_of(message).strip()
    ]
    return {"said": said, "asked": _question(before)}


def as_it_stands(note: Note, messages: Sequence[BaseMessage], seen: Mapping[str, str]) -> list[str]:
    """The words that were noted; where a middleware took something out of them since, without it.

    Nothing that was put into a message since is a person's word.

    Args:
        note: what `noted` returned.
        messages: as they are now.
        seen: texts of messages that are gone, by their ids, as a model read them.
    """
    now = {**seen, **{str(message.id): text_of(message) for message in _humans(messages)}}
    return [_less(part["text"], now.get(str(part["id"]), part["text"])) for part in note["said"]]


def _humans(messages: Sequence[BaseMessage]) -> Iterator[BaseMessage]:
    return (
        message
        for message in messages
        if isinstance(message, HumanMessage) and not made_up(message)
    )


def _question(message: BaseMessage | None) -> str:
    return text_of(message) if isinstance(message, AIMessage) and not made_up(message) else ""


def _less(text: str, later: str) -> str:
    """The later text if it says nothing more than the first one did; else the first one."""
    own = iter(_WORD.findall(text))
    kept = all(word in own for word in _WORD.findall(_REDACTED.sub(" ", later)))
    return later if kept and later.strip() else text
