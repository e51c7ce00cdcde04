"""What other tools keep, as turns: ChatGPT's export, LangChain's message histories, mem0's memories."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timezone
from typing import Any

from cogmem_core.errors import InvalidInput
from cogmem_core.models import Role, Turn
from cogmem_core.transfer.places import Place, reading

__all__ = ["FOREIGN", "read_foreign"]

_TEXT_KINDS = (
    "text",
    "multimodal_text",
)  # kinds of content that a person reads; others are thoughts, code and its output
ForeignTurns = Iterator[tuple[str, Turn]]
_SPEAKERS: Mapping[str, Role] = {
    "human": "user",
    "user": "user",
    "ai": "assistant",
    "assistant": "assistant",
}


def read_foreign(path: Place, form: str, namespace: str) -> list[tuple[str, Turn]]:
    """The turns of a file, oldest first as they stand there, each after where it stands.

    What neither a person nor a model said is left out, and what has no text. Each has a `ref`, the
    same at every reading: the tool's own id, or one made of the text and its place.

    Args:
        form: one of `FOREIGN`.
        namespace: of mem0's memories of several users, those of the user of that name are taken.

    Raises:
        InvalidInput: the file cannot be read, or is none of that form; says where.
    """
    try:
        with reading(path) as file:
            whole = json.loads(file.read())
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"cannot read {path}: {error}; give the path of a JSON file") from error
    except (ValueError, RecursionError) as error:
        raise InvalidInput(
            f"{path} is not JSON: {error}; give the file as {form} wrote it"
        ) from error
    return list(FOREIGN[form](whole, str(path), namespace))


def _chatgpt(whole: Any, name: str, _namespace: str) -> ForeignTurns:
    """`conversations.json`: each conversation is a tree of messages, of which the branch that was shown last counts."""
    for index, conversation in enumerate(_list(whole, name)):
        where = f"{name}, conversation {index + 1}"
        nodes = _object(_object(conversation, where).get("mapping"), f"{where}, mapping")
        session = conversation.get("conversation_id") or conversation.get("id")
        for message in _branch(nodes, conversation.get("current_node"), where):
            role = _SPEAKERS.get(
                str(_object(message.get("author"), f"{where}, author").get("role"))
            )
            text = _text(message.get("content"))
            hidden = _object(message.get("metadata") or {}, where).get(
                "is_visually_hidden_from_conversation"
            )
            if role is None or hidden or not text:
                continue
            at = _moment(message.get("create_time"), where)
            ref = message.get("id")
            yield (
                where,
                Turn(
                    text,
                    role=role,
                    at=at,
                    session_id=_label(session),
                    ref=_label(ref) or _derived_ref(text, index),
                ),
            )


def _branch(nodes: Mapping[str, Any], last_id: Any, where: str) -> list[Mapping[str, Any]]:
    """The messages from the first one to the one that was shown last.

    Without such a one, all as they stand.
    """
    if not isinstance(last_id, str) or last_id not in nodes:
        every = [_object(node, where).get("message") for node in nodes.values()]
        return [message for message in every if isinstance(message, Mapping)]
    messages: list[Mapping[str, Any]] = []
    node_id: Any = last_id
    visited = set[str]()
    while isinstance(node_id, str) and node_id in nodes and node_id not in visited:
        visited.add(node_id)
        node = _object(nodes[node_id], where)
        if isinstance(node.get("message"), Mapping):
            messages.append(node["message"])
        node_id = node.get("parent")
    return messages[::-1]


def _langchain(whole: Any, name: str, _namespace: str) -> ForeignTurns:
    """What `messages_to_dict` gives and `FileChatMessageHistory` writes, or objects with role and content."""
    rows = whole.get("messages") if isinstance(whole, Mapping) else whole
    for index, row in enumerate(_list(rows, name)):
        where = f"{name}, message {index + 1}"
        message = _object(row, where)
        kind = message.get("type") or message.get("role")
        data = message.get("data", message)
        role = _SPEAKERS.get(str(kind))
        text = _text(_object(data, where).get("content"))
        if role is not None and text:
            ref = _label(data.get("id")) or _derived_ref(text, index)
            yield where, Turn(text, role=role, speaker=_label(data.get("name")), ref=ref)


def _mem0(whole: Any, name: str, namespace: str) -> ForeignTurns:
    """What `Memory.get_all()` gives: memories with id, user and date."""
    rows = whole.get("results", whole.get("memories")) if isinstance(whole, Mapping) else whole
    memories = [
        _object(row, f"{name}, memory {index + 1}") for index, row in enumerate(_list(rows, name))
    ]
    users = sorted({str(row["user_id"]) for row in memories if row.get("user_id") is not None})
    if len(users) > 1 and namespace not in users:
        some = ", ".join(users[:3])
        raise InvalidInput(
            f"{name} holds memories of {len(users)} users ({some}...); import it as one of them"
        )
    for index, row in enumerate(memories):
        if len(users) > 1 and str(row.get("user_id")) != namespace:
            continue
        where = f"{name}, memory {index + 1}"
        text = _text(row.get("memory", row.get("text")))
        if text:
            about = dict(_object(row.get("metadata") or {}, f"{where}, metadata"))
            at = _moment(row.get("created_at"), where)
            ref = _label(row.get("id")) or _derived_ref(text, index)
            role = _SPEAKERS.get(str(row.get("role")), "user")
            session = _label(row.get("run_id"))
            yield where, Turn(text, role=role, at=at, session_id=session, ref=ref, metadata=about)


FOREIGN: Mapping[str, Callable[[Any, str, str], ForeignTurns]] = {
    "chatgpt": _chatgpt,
    "langchain": _langchain,
    "mem0": _mem0,
}
"""The forms that can be read, by name."""


def _list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise InvalidInput(
            f"{where} holds no list where one should be; give the file as it was exported"
        )
    return value


def _object(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidInput(f"{where} is no JSON object; give the file as it was exported")
    return value


def _text(content: Any) -> str:
    """The text of a message: a string, `{"parts": [...]}`, or blocks.

    Images and calls say nothing.
    """
    if isinstance(content, Mapping):
        if content.get("content_type", "text") not in _TEXT_KINDS:
            return ""
        content = content.get("parts", content.get("text"))
    if isinstance(content, list):
        parts = [part.get("text") if isinstance(part, Mapping) else part for part in content]
        return "\n".join(part for part in parts if isinstance(part, str)).strip()
    return content.strip() if isinstance(content, str) else ""


def _moment(value: Any, where: str) -> datetime | None:
    """Seconds since 1970, or ISO 8601, which without a zone is UTC; None if it is not told."""
    if value is None:
        return None
    try:
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, timezone.utc)
        # Python 3.10 does not know Z.
        parsed = datetime.fromisoformat(str(value).replace("Z", "+00:00"))
    except (OverflowError, OSError, ValueError):
        raise InvalidInput(
            f"{where}: {str(value)[:60]!r} is no date; give seconds since 1970 or ISO 8601"
        ) from None
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=timezone.utc)


def _label(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _derived_ref(text: str, index: int) -> str:
    return f"{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}-{index + 1}"
