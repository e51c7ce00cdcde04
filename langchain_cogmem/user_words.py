"""What a person said to an agent, noted when a run begins.

Later, messages may be summarised, trimmed or extended.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
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

    A tool may add messages in a person's name to what it returns. So of those that follow it at
    once, none is the person's if a model has replied to them, and else only the last one.

    Example:
        >>> from langchain_core.messages import AIMessage, HumanMessage
        >>> note_user_words(
        ...     [HumanMessage("Hi", id="1"), AIMessage("Name?"), HumanMessage("Ann", id="2")]
        ... )
        {'said': [{'id': '2', 'text': 'Ann', 'name': None}], 'asked': 'Name?'}
    """
    said: list[BaseMessage] = []
    has_reply = False
    previous: BaseMessage | None = None
    for message in reversed(messages):
        role = "assistant" if isinstance(message, AIMessage) else role_of(message)
        if role == "tool":
            said = [] if has_reply else said[:1]
        if said and role in _ANSWERING:
            previous = message
            break
        has_reply = has_reply or role == "assistant"
        if role == "user":
            said.append(message)
    notes = [
        {"id": message.id, "text": text_of(message), "name": message.name}
        for message in reversed(said)
        if text_of(message).strip()
    ]
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
    current = [message for message in messages if _by_user(message)]
    turns = []
    for index, original in enumerate(note["said"]):
        text = _text_now(original, current)
        if not text.strip():
            continue
        turn = Turn(
            text,
            role="user",
            speaker=original.get("name"),
            session_id=session_id,
            ref=original["id"] or _own_ref(note, index),
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


def _own_ref(note: UserWords, index: int) -> str | None:
    """What stands for the id of a message that has none, so that a resumed run writes it once."""
    turn = note.get("turn")
    return None if turn is None else f"{turn}-{index}"


def _text_now(original: Mapping[str, Any], messages: Iterable[BaseMessage]) -> str:
    """What is left of a message of the user.

    Some agents give messages no ids: there it is the one that shows what was taken out of it.
    """
    text = str(original["text"])
    if original["id"]:
        same = (text_of(message) for message in messages if message.id == original["id"])
        return _redacted_or_original(text, next(same, text))
    for message in messages:
        candidate = text_of(message)
        if _REDACTED.search(candidate) and _redacted_or_original(text, candidate) == candidate:
            return candidate
    return text


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
