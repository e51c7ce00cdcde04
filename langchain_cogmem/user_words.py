"""What a person said to an agent, noted when a run begins.

Later, messages may be summarised, trimmed or extended.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
)

from cogmem_core.adapters.conversation import with_question
from cogmem_core.models import Turn
from langchain_cogmem.convert import role_of, text_of
from langchain_cogmem.framework_texts import by_framework

__all__ = ["UserWords", "note_user_words", "turns_said"]

UserWords = dict[str, Any]
"""What a person said, as plain values.

`said`: a list of {"id", "text", "name"}, oldest first; `asked`: what the model had said just before.
"""
# How `PIIMiddleware` writes what it took out of a message.
_REDACTED = re.compile(r"\[REDACTED_\w+\]|<\w+_hash:\w+>|\S*\*{4}\S*|\*\.\*\.\*\.\S*")
_ANSWERING = ("assistant", "tool")
_WORD = re.compile(r"\w+")


def note_user_words(messages: Sequence[BaseMessage]) -> UserWords:
    """What a person said since a model or a tool spoke, without what LangChain wrote.

    Example:
        >>> from langchain_core.messages import AIMessage, HumanMessage
        >>> note_user_words(
        ...     [HumanMessage("Hi", id="1"), AIMessage("Name?"), HumanMessage("Ann", id="2")]
        ... )
        {'said': [{'id': '2', 'text': 'Ann', 'name': None}], 'asked': 'Name?'}
    """
    notes: list[dict[str, Any]] = []
    has_spoken = False
    previous: BaseMessage | None = None
    for message in reversed(messages):
        if has_spoken and (isinstance(message, AIMessage) or role_of(message) in _ANSWERING):
            previous = message
            break
        if _by_user(message):
            has_spoken = True
            text = text_of(message)
            if text.strip():
                notes.insert(0, {"id": message.id, "text": text, "name": message.name})
    return {"said": notes, "asked": _question(previous)}


def turns_said(
    note: UserWords, messages: Sequence[BaseMessage], session_id: str | None
) -> list[Turn]:
    """The words that were noted, as turns.

    Where a middleware took something out of them since, without it. Nothing that was put into a
    message since is a person's word.

    Args:
        note: what `note_user_words` returned.
        messages: as they are now.
        session_id: the conversation.
    """
    texts = {str(message.id): text_of(message) for message in messages if _by_user(message)}
    turns = []
    for original in note["said"]:
        text = original["text"]
        text = _redacted_or_original(text, texts.get(str(original["id"]), text))
        if not text.strip():
            continue
        turn = Turn(
            text,
            role="user",
            speaker=original.get("name"),
            session_id=session_id,
            ref=original["id"],
        )
        turns.append(turn)
    # Only the first of the user's messages replies to the model's question.
    return [*with_question(turns[:1], note["asked"]), *turns[1:]]


def _by_user(message: BaseMessage) -> bool:
    return role_of(message) == "user"


def _question(message: BaseMessage | None) -> str:
    if message is None or role_of(message) != "assistant":
        return ""
    return text_of(message)


def _redacted_or_original(text: str, current: str) -> str:
    """The later text if it says nothing more than the first one did; else the first one.

    Empty if LangChain put a text of its own in its place: it was taken out as a whole.
    """
    if current == text:
        return text
    if by_framework(current):
        return ""
    original_words = iter(_WORD.findall(text))
    adds_nothing = all(
        word in original_words for word in _WORD.findall(_REDACTED.sub(" ", current))
    )
    return current if adds_nothing and current.strip() else text
