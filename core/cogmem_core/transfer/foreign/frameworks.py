"""What agent frameworks keep: LangChain's messages, LlamaIndex's chat stores, LangGraph's stores."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from cogmem_core.transfer.foreign.found import (
    Context,
    Finding,
    Found,
    Numbered,
    Passed,
    derived_ref,
    fields_of,
    label,
    message,
    text_of,
)
from cogmem_core.values.models import Turn

_NOUN = "message"
_CHUNK = "chunk"
_PAIR = 2
_DATES = ("created_at", "timestamp", "at", "created")
_TEXTS = ("content", "text", "memory", "data", "fact", "value")
"""Names under which an item of a store holds its text."""


def is_langchain(entry: Any) -> bool:
    """A message with its type, in any of the ways in which LangChain writes one."""
    data = _langchain_data(entry)
    if data is None or "content" not in data:
        return "messages" in (data or ()) and "lc" in entry
    return "type" in entry and bool(_langchain_role(entry, data))


def is_llamaindex(entry: Any) -> bool:
    """A message whose text stands in blocks, or with what LlamaIndex adds to each."""
    data = _llamaindex_data(entry)
    return "role" in data and ("blocks" in data or "additional_kwargs" in data)


def is_langgraph(entry: Any) -> bool:
    """An item with its namespace, key and value, or what langmem's managers return."""
    return _store_item(entry) is not None


def langchain(numbered: Numbered, context: Context) -> Iterator[Finding]:
    """A message of `messages_to_dict`, `dumpd`, `model_dump`, or with role and content."""
    row = numbered.entry.value
    data = _langchain_data(row)
    if data is None:
        yield numbered.broken(_NOUN, "is no JSON object")
        return
    role = _langchain_role(row, data)
    if "content" not in data or role is None:
        yield numbered.broken(_NOUN, "has no role and content")
        return
    yield message(
        context,
        numbered,
        _NOUN,
        role=role,
        text=text_of(data.get("content")),
        at=_date_of(data),
        speaker=data.get("name"),
        session=data.get("session_id") or data.get("thread_id"),
        ref=data.get("id"),
    )


def _date_of(data: Mapping[str, Any]) -> Any:
    """A date beside a message; the frameworks have no field of their own for it."""
    for place in (data, data.get("additional_kwargs"), data.get("response_metadata")):
        for name in _DATES:
            value = fields_of(place).get(name)
            if isinstance(value, (str, int, float)):
                return value
    return None


def _chunk_id(row: Any) -> str | None:
    """The id of the answer that a chunk is a piece of."""
    data = _langchain_data(row)
    if data is None:
        return None
    kind = f"{_langchain_role(row, data)} {row.get('id')}".casefold()
    return label(data.get("id")) if _CHUNK in kind else None


def _joined(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Two chunks as one: their texts follow each other as they are, white space included."""
    name = next(name for name in ("kwargs", "data", "") if name in first or not name)
    data = first[name] if name else first
    following = _langchain_data(second) or {}
    content = "".join(map(_written, (data.get("content"), following.get("content"))))
    whole = {**data, "content": content}
    return {**first, name: whole} if name else whole


def _written(content: Any) -> str:
    """The text of a chunk, with the white space around it."""
    return content if isinstance(content, str) else text_of(content)


def _llamaindex_data(entry: Any) -> Mapping[str, Any]:
    """A message, also within a row of the SQL store; empty if it is none."""
    return fields_of(fields_of(entry).get("data", entry))


def llamaindex(numbered: Numbered, context: Context) -> Iterator[Finding]:
    """Chat stores and memories: messages by the key of their conversation."""
    value = numbered.entry.value
    data = _llamaindex_data(value)
    if "role" not in data:
        yield numbered.broken(_NOUN, "is no message with a role")
        return
    about = fields_of(data.get("additional_kwargs"))
    path = numbered.entry.path
    key = path[-1] if len(path) > 1 else None
    if data is not value:
        key = value.get("key")
    text = text_of(data.get("blocks") or data.get("content"))
    yield message(
        context,
        numbered,
        _NOUN,
        role=data["role"],
        text=text,
        at=value.get("timestamp") if data is not value else _date_of(data),
        speaker=about.get("name"),
        session=key or about.get("session_id"),
        ref=about.get("id") or derived_ref(f"{key}\n{text}", numbered.index),
    )


def langgraph(numbered: Numbered, context: Context) -> Iterator[Finding]:
    """Items of a store, as `Item.dict()` gives them; langmem's memories are their text."""
    item = _store_item(numbered.entry.value)
    where = numbered.where("item")
    if item is None:
        yield numbered.broken("item", "has no namespace, key and value")
        return
    value = item.get("value", item)
    text = _item_text(value)
    if not text:
        yield Passed("no text")
        return
    at, problem = context.moment(item.get("updated_at") or item.get("created_at"))
    namespace = _namespace_parts(item.get("namespace"))
    key = label(item.get("key"))
    ref = "/".join((*namespace, key)) if key else label(item.get("id"))
    about: dict[str, Any] = {"namespace": list(namespace), "key": key} if key else {}
    yield Found(
        where,
        Turn(text, at=at, ref=ref or derived_ref(text, numbered.index), metadata=about),
        is_memory=True,
        owners=frozenset(namespace),
        note=f"{where}: {problem}; taken without a date" if problem else "",
    )


def whole_messages(entries: Iterable[Numbered]) -> Iterator[Numbered]:
    """LangChain's messages in order; chunks of one answer that follow each other are one message."""
    pending: Numbered | None = None
    for numbered in entries:
        value = numbered.entry.value
        messages = _in_kwargs(value) if numbered.entry.is_rest else None
        for offset, row in enumerate([value] if messages is None else messages):
            if pending is not None:
                chunk_id = _chunk_id(row)
                if chunk_id is not None and chunk_id == _chunk_id(pending.entry.value):
                    pending = pending.holding(_joined(pending.entry.value, row))
                    continue
                yield pending
            pending = replace(numbered, index=numbered.index + offset).holding(row)
    if pending is not None:
        yield pending


def _in_kwargs(value: Mapping[str, Any]) -> list[Any] | None:
    """The messages of a history that was dumped as an object."""
    messages = fields_of(value.get("kwargs")).get("messages")
    return messages if isinstance(messages, list) else None


def _langchain_data(entry: Any) -> Mapping[str, Any] | None:
    fields = fields_of(entry)
    data = fields.get("kwargs", fields.get("data", entry))
    return data if isinstance(data, Mapping) else None


def _langchain_role(entry: Mapping[str, Any], data: Mapping[str, Any]) -> Any:
    """Its type; a ChatMessage says itself who spoke, and a dump has a class."""
    kind = entry.get("type") or entry.get("role")
    if kind == "constructor":
        path = entry.get("id")
        kind = data.get("type") or (path[-1] if isinstance(path, list) and path else None)
    if str(kind).casefold() in ("chat", "chatmessage", "chatmessagechunk"):
        return data.get("role")
    return kind


def _store_item(entry: Any) -> Mapping[str, Any] | None:
    """An item of a store; what langmem's managers return is an id with a memory, or the memory."""
    if isinstance(entry, list) and len(entry) == _PAIR and isinstance(entry[1], Mapping):
        return {"id": entry[0], "value": entry[1]}
    if not isinstance(entry, Mapping):
        return None
    if {"kind", "content"} <= entry.keys() or {"namespace", "key", "value"} <= entry.keys():
        return entry
    if isinstance(entry.get("content"), Mapping) and "id" in entry and "role" not in entry:
        return {**entry, "value": entry["content"]}
    return None


def _namespace_parts(namespace: Any) -> tuple[str, ...]:
    parts = namespace.split(".") if isinstance(namespace, str) else namespace
    return tuple(map(str, parts)) if isinstance(parts, (list, tuple)) else ()


def _item_text(value: Any) -> str:
    """The text of an item: of a text or a langmem memory itself, else its fields by name."""
    if isinstance(value, str):
        return value.strip()
    if not isinstance(value, Mapping):
        return ""
    if "kind" in value and "content" in value:
        return _item_text(value["content"])
    filled = [name for name in _TEXTS if isinstance(value.get(name), str) and value[name].strip()]
    if filled:
        return str(value[filled[0]]).strip()
    fields = (
        f"{name}: {entry if isinstance(entry, str) else json.dumps(entry, ensure_ascii=False)}"
        for name, entry in value.items()
        if entry not in (None, "", [], {})
    )
    return ", ".join(fields)
