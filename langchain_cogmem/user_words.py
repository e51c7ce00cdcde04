"""What a person said to an agent, noted when a run begins.

Later, messages may be summarised, trimmed or extended. What a node of a graph wrote in a person's name (the
task of a `Send`, a planner's next step) is nobody's word: only what the graph itself was given is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    ToolMessage,
)

from cogmem_core.adapters.conversation import with_question
from cogmem_core.models import Turn
from langchain_cogmem.convert import role_of, text_of
from langchain_cogmem.framework_texts import by_framework
from langchain_cogmem.run_info import called_by_tool, given_to_graph

__all__ = ["UserWords", "note_user_words", "objections", "said_by_person", "turns_said"]

UserWords = dict[str, Any]
"""What a person said, as plain values.

`said`: a list of {"id", "text", "name"}, oldest first; `asked`: what the model had said just before.
"""
# How `PIIMiddleware` writes what it took out of a message.
_REDACTED = re.compile(r"\[REDACTED_\w+\]|<\w+_hash:\w+>|(?<!\S)\S*\*{4}\S*|\*\.\*\.\*\.\S*")
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


def said_by_person(text: str) -> bool:
    """Whether a person said what stands among the messages here, as far as anything tells.

    Within a tool of an agent nobody did; within a node of a graph it is what the graph was given, also if
    something was taken out of it since. Where that is not known, because another process was given it, all is.
    """
    if called_by_tool():
        return False
    given = given_to_graph()
    return given.values is None or any(
        text == each or (_REDACTED.search(text) and _redacted_or_original(each, text) == text)
        for each in _texts(given)
    )


def objections(messages: Sequence[BaseMessage], session_id: str | None) -> list[Turn]:
    """What a person said instead of letting a tool run, as turns: it stands in the place of the tool's result.

    Args:
        messages: as they are now; only those since the person's last message count.
        session_id: the conversation.
    """
    decided = [text for text in _texts(given_to_graph().resume) if text.strip()]
    turns = []
    for message in reversed(messages):
        if not decided or role_of(message) == "user":
            break
        if isinstance(message, ToolMessage):
            result = text_of(message)
            said = [text for text in decided if result == text]
            if message.status == "error":
                said += [text for text in decided if result.endswith(f": {text}")]
            turns += [
                Turn(text, role="user", session_id=session_id, ref=message.id) for text in said[:1]
            ]
    return turns[::-1]


def _texts(given: Any) -> Iterator[str]:
    """The texts in what a graph was given."""
    if isinstance(given, (BaseMessage, str)) or (isinstance(given, Mapping) and "role" in given):
        yield text_of(given)
    elif isinstance(given, Mapping):
        for value in given.values():
            yield from _texts(value)
    elif isinstance(given, (list, tuple, set)):
        for value in given:
            yield from _texts(value)
    else:
        kind: Any = type(given)
        fields: Any = getattr(kind, "__dataclass_fields__", getattr(kind, "model_fields", ()))
        for name in fields:
            yield from _texts(getattr(given, name, None))


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
