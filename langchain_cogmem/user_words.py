"""What a person said to an agent, noted when a run begins.

Later, messages may be summarised, trimmed or extended.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
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
    """What a person said since a model or a tool spoke, without what LangChain wrote.

    Example:
        >>> note_user_words(
        ...     [HumanMessage("Hi", id="1"), AIMessage("Name?"), HumanMessage("Ann", id="2")]
        ... )
        {'said': [{'id': '2', 'text': 'Ann'}], 'asked': 'Name?'}
    """
    notes: list[dict[str, Any]] = []
    has_spoken = False
    previous: BaseMessage | None = None
    for message in reversed(messages):
        if isinstance(message, (AIMessage, ToolMessage)) and has_spoken:
            previous = message
            break
        if _by_user(message):
            has_spoken = True
            text = text_of(message)
            if text.strip():
                notes.insert(0, {"id": message.id, "text": text})
    return {"said": notes, "asked": _question(previous)}


def current_texts(
    note: UserWords, messages: Sequence[BaseMessage], texts_read: Mapping[str, str]
) -> list[str]:
    """The words that were noted; where a middleware took something out of them since, without it.

    Nothing that was put into a message since is a person's word.

    Args:
        note: what `note_user_words` returned.
        messages: as they are now.
        texts_read: texts of messages that are not there any more, by their ids, as a model read
            them.
    """
    texts = dict(texts_read)
    for message in messages:
        if _by_user(message):
            texts[str(message.id)] = text_of(message)
    words = []
    for original in note["said"]:
        text = original["text"]
        words.append(_redacted_or_original(text, texts.get(str(original["id"]), text)))
    return words


def _by_user(message: BaseMessage) -> bool:
    return isinstance(message, HumanMessage) and not written_by_langchain(message)


def _question(message: BaseMessage | None) -> str:
    if not isinstance(message, AIMessage) or written_by_langchain(message):
        return ""
    return text_of(message)


def _redacted_or_original(text: str, current: str) -> str:
    """The later text if it says nothing more than the first one did; else the first one."""
    original_words = iter(_WORD.findall(text))
    adds_nothing = all(
        word in original_words for word in _WORD.findall(_REDACTED.sub(" ", current))
    )
    return current if adds_nothing and current.strip() else text
