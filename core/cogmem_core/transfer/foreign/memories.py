"""What other memories keep: mem0, Zep, Letta."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
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
    moment,
    noted,
    role_of,
    text_of,
)
from cogmem_core.values.models import Role, Turn

_ABOUT_MEM0 = ("agent_id", "app_id")
_ZEP_FACTS = ("facts", "edges")
_DATE_ONLY = len("2026-01-31")
_MCP_USER = ("default user", "user")
"""What MCP's reference server calls whom it talks to."""
_PERSONA = "persona"
_SPEAK = "send_message"
"""The tool by which Letta's agents speak; what else they write are thoughts."""


def is_mem0(entry: Any) -> bool:
    """A memory with its text under that name."""
    return isinstance(fields_of(entry).get("memory"), str)


def mem0(numbered: Numbered, context: Context) -> Iterator[Finding]:
    """What `Memory.get_all()` gives: memories with id, user and date."""
    row = numbered.entry.value
    where = numbered.where("memory")
    if not isinstance(row, Mapping) or not ({"memory", "text"} & row.keys()):
        yield numbered.broken("memory", "is no JSON object with a memory")
        return
    text = text_of(row.get("memory", row.get("text")))
    if not text:
        yield Passed("no text")
        return
    about = row.get("metadata") or {}
    if not isinstance(about, Mapping):
        yield Passed("broken", f"{where}, metadata is no JSON object")
        return
    yield _mem0_memory(row, text, dict(about), numbered, context)


def _mem0_memory(
    row: Mapping[str, Any],
    text: str,
    about: dict[str, Any],
    numbered: Numbered,
    context: Context,
) -> Found:
    where = numbered.where("memory")
    user = label(row.get("user_id"))
    agent = label(row.get("agent_id"))
    for name in _ABOUT_MEM0:
        if label(row.get(name)):
            about.setdefault(name, label(row[name]))
    by_agent: Role = "assistant" if agent and not user else "user"
    role = role_of(row.get("role", about.get("role"))) or by_agent
    changed_at, _ = context.moment(row.get("updated_at"))
    made_at, problem = context.moment(row.get("created_at"))
    until, no_end = _end(row.get("expiration_date"))
    actor = label(row.get("actor_id"))
    turn = Turn(
        text,
        role=role,
        speaker=actor if actor != user else None,
        at=max(filter(None, (changed_at, made_at)), default=None),
        session_id=label(row.get("run_id")),
        ref=label(row.get("id")) or derived_ref(text, numbered.index),
        metadata=about,
    )
    notes = [f"{where}: {problem}; taken without it"] if problem else []
    notes += [f"{where}: {no_end}; taken without it"] if no_end else []
    return Found(
        where,
        turn,
        is_memory=True,
        valid_until=until,
        tags=_tags(row.get("categories")),
        owners=frozenset([user] if user else []),
        note="; ".join(notes),
    )


def _tags(categories: Any) -> tuple[str, ...]:
    names = categories if isinstance(categories, list) else []
    return tuple(filter(None, map(label, names)))


def _end(value: Any) -> tuple[datetime | None, str]:
    """Until when something holds; a day counts until it is over."""
    if value in (None, ""):
        return None, ""
    written = str(value)
    try:
        if len(written) == _DATE_ONLY:
            following = date.fromisoformat(written) + timedelta(days=1)
            written = following.isoformat()
        return moment(written), ""
    except (OverflowError, OSError, ValueError):
        return None, f"{written[:60]!r} is no date"


def is_zep(entry: Any) -> bool:
    """A message with a kind of role, or a fact with the time that it holds."""
    names = fields_of(entry).keys()
    return {"role_type", "content"} <= names or {"fact", "uuid"} <= names


def zep(numbered: Numbered, context: Context) -> Iterator[Finding]:
    """Messages of sessions or threads, and facts (edges of the graph) with the time that they hold."""
    row = numbered.entry.value
    path = numbered.entry.path
    if isinstance(row, str) and path and path[-1] in _ZEP_FACTS:
        row = {"fact": row}
    if not isinstance(row, Mapping):
        yield numbered.broken("message", "is no JSON object")
    elif "fact" in row:
        yield _zep_fact(row, numbered, context)
    elif "content" in row:
        yield _zep_message(row, numbered, context)
    elif not path or path[-1] == "messages":
        yield numbered.broken("message", "has neither content nor fact")
    else:
        yield Passed("no text")


def _zep_message(row: Mapping[str, Any], numbered: Numbered, context: Context) -> Finding:
    kind = row.get("role_type")
    name = row.get("name") or (row.get("role") if kind else None)
    head = numbered.entry.head
    session = row.get("session_id") or row.get("thread_id")
    return message(
        context,
        numbered,
        "message",
        role=kind or row.get("role"),
        text=text_of(row.get("content")),
        at=row.get("created_at"),
        speaker=name if role_of(name) is None else None,
        session=session or head.get("session_id") or head.get("thread_id"),
        ref=row.get("uuid") or row.get("uuid_"),
    )


def _zep_fact(row: Mapping[str, Any], numbered: Numbered, context: Context) -> Finding:
    where = numbered.where("fact")
    text = text_of(row["fact"])
    if not text:
        return Passed("no text")
    at, problem = context.moment(row.get("created_at"))
    begin, _ = context.moment(row.get("valid_at"))
    until, _ = _end(row.get("invalid_at") or row.get("expired_at"))
    if begin and until and until <= begin:
        begin = None
    ref = label(row.get("uuid")) or label(row.get("uuid_"))
    return Found(
        where,
        Turn(text, at=at or begin, ref=ref or derived_ref(text, numbered.index)),
        is_memory=True,
        valid_from=begin,
        valid_until=until,
        note=f"{where}: {problem}; taken without it" if problem else "",
    )


def is_letta(entry: Any) -> bool:
    """An agent with its messages, or a block of its memory."""
    names = fields_of(entry).keys()
    return "agent_type" in names or {"label", "value", "limit"} <= names


def letta(numbered: Numbered, context: Context) -> Iterator[Finding]:
    """Agent files, of both versions: the messages of the agents, and the blocks of their memory."""
    row = numbered.entry.value
    path = numbered.entry.path
    if not isinstance(row, Mapping):
        yield numbered.broken("entry", "is no JSON object")
    elif path == ("agents",):
        yield from _letta_agent(row, numbered, context)
    elif path and path[0] in ("blocks", "core_memory"):
        yield from _letta_block(row, numbered, context)
    elif path == ("messages",):
        yield from _letta_message(row, numbered.entry.head.get("id"), numbered, context)


def _letta_agent(
    agent: Mapping[str, Any], numbered: Numbered, context: Context
) -> Iterator[Finding]:
    for name in ("core_memory", "memory_blocks"):
        blocks = agent.get(name)
        for row in blocks if isinstance(blocks, list) else ():
            if isinstance(row, Mapping):
                yield from _letta_block(row, numbered, context)
    messages = agent.get("messages") or []
    if not isinstance(messages, list):
        yield numbered.broken("agent", "has no list of messages")
        return
    for index, row in enumerate(messages):
        if isinstance(row, Mapping):
            place = replace(numbered, index=index)
            yield from _letta_message(row, agent.get("id"), place, context)
        else:
            yield numbered.broken("agent", "holds a message that is no JSON object")


def _letta_message(
    row: Mapping[str, Any], session: Any, numbered: Numbered, context: Context
) -> Iterator[Finding]:
    role = row.get("role")
    texts = [text_of(row.get("content") or row.get("text"))]
    if role_of(role) == "user":
        texts = [_letta_user_text(texts[0])]
        if not texts[0]:
            yield Passed("an event, nobody's words")
            return
    elif role_of(role) == "assistant" and row.get("tool_calls"):
        texts = list(_spoken(row["tool_calls"]))
        if not texts:
            yield Passed("thoughts and calls")
    for text in texts:
        yield message(
            context,
            numbered,
            "message",
            role=role,
            text=text,
            at=row.get("created_at"),
            speaker=row.get("name") if role_of(role) == "user" else None,
            session=session,
            ref=row.get("id"),
        )


def _letta_user_text(text: str) -> str:
    """What the user said; Letta packs it with the time, as it does events of its own."""
    if not text.startswith("{"):
        return text
    try:
        packed = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if "type" not in fields_of(packed):
        return text
    message = packed.get("message") if packed["type"] == "user_message" else None
    return message.strip() if isinstance(message, str) else ""


def _spoken(calls: Any) -> Iterator[str]:
    for call in calls if isinstance(calls, list) else ():
        function = fields_of(fields_of(call).get("function"))
        if function.get("name") != _SPEAK:
            continue
        arguments = function.get("arguments")
        try:
            values = json.loads(arguments) if isinstance(arguments, str) else arguments
        except (ValueError, RecursionError):
            continue
        message = fields_of(values).get("message")
        if isinstance(message, str) and message.strip():
            yield message.strip()


def _letta_block(row: Mapping[str, Any], numbered: Numbered, context: Context) -> Iterator[Finding]:
    """Each line of a block is a memory, in the agent's words; its persona is about itself."""
    name = label(row.get("label"))
    where = numbered.where("block")
    value = row.get("value")
    if name == _PERSONA:
        yield Passed(_PERSONA)
        return
    if not isinstance(value, str):
        yield numbered.broken("block", "has no text as its value")
        return
    at, _ = context.moment(row.get("updated_at") or row.get("created_at"))
    about = {"block": name} if name else {}
    yield from noted(where, value.splitlines(), about=about, at=at)


def is_mcp(entry: Any) -> bool:
    """An entity, or a relation between two, of the reference memory server of MCP."""
    names = fields_of(entry).keys()
    return {"entityType", "observations"} <= names or {"from", "to", "relationType"} <= names


def mcp(numbered: Numbered, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """The graph of the reference memory server of MCP: a memory for each observation, and for each relation."""
    row = numbered.entry.value
    if not is_mcp(row):
        yield numbered.broken("line", "is neither an entity nor a relation")
        return
    where = numbered.where("line")
    if "relationType" in row:
        ends = [text_of(row[name]) for name in ("from", "relationType", "to")]
        if not all(ends):
            yield Passed("no text")
            return
        ends[1] = ends[1].replace("_", " ")
        yield from noted(where, [" ".join(ends)], about={"relation": ends[1]})
        return
    entity, observations = text_of(row.get("name")), row["observations"]
    if not entity or not isinstance(observations, list):
        yield numbered.broken("line", "has no name, or no list of observations")
        return
    texts = list(filter(None, map(text_of, observations)))
    if not texts:
        yield Passed("no text")
    named = entity.replace("_", " ").casefold()
    is_told = named in _MCP_USER
    told = [x if is_told or named in x.casefold() else f"{entity}: {x}" for x in texts]
    about = {"entity": entity, "entity_type": text_of(row.get("entityType"))}
    yield from noted(where, (" ".join(text.split()) for text in told), about=about)
