"""What chat applications export: ChatGPT, Claude.ai, Open WebUI. Each entry is a conversation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from cogmem_core.transfer.foreign.found import (
    Context,
    Finding,
    Found,
    Numbered,
    Passed,
    branch,
    fields_of,
    label,
    message,
    noted,
    text_of,
)
from cogmem_core.transfer.foreign.markdown import MARKDOWN, is_markdown

_TEXT_KINDS = ("text", "multimodal_text")
"""Kinds of content that a person reads; others are thoughts, code and its output."""
_EVERYBODY = ("all", None)
_DETAILS = re.compile(
    r'<details\b[^>]*\btype="(?:reasoning|tool_calls|code_interpreter)"[^>]*>.*?(?:</details>|\Z)',
    re.DOTALL,
)
_NOUN = "conversation"
_NOTED = "conversations_memory"
_PARENT = "parent_message_uuid"
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_DATED = re.compile(
    r"(?:[-*] +)?\[(\d{4}-\d{2}-\d{2}|unknown|no date)\] *[-\u2013\u2014:]? *(\S.*)", re.IGNORECASE
)
_HEADING = re.compile(r"\*\*([^*]{1,80})\*\*:?|#{1,6} +(.*)")


def is_chatgpt(entry: Any) -> bool:
    """A conversation is a tree of nodes."""
    return "mapping" in fields_of(entry)


def is_claude(entry: Any) -> bool:
    """A conversation has a list of messages with a sender each; or it is what Claude noted."""
    return isinstance(entry, Mapping) and (
        "chat_messages" in entry
        or _NOTED in entry
        or (is_markdown(entry) and bool(_dated_lines(entry[MARKDOWN])))
    )


def is_openwebui(entry: Any) -> bool:
    """A chat with its title around it, or without."""
    chat = fields_of(fields_of(entry).get("chat", entry))
    return isinstance(chat.get("history"), Mapping) or ("messages" in chat and "chat" in entry)


def chatgpt(numbered: Numbered, context: Context) -> Iterator[Finding]:
    """`conversations.json`: of each tree of messages the branch that was shown last counts."""
    conversation = numbered.entry.value
    if not isinstance(conversation, Mapping):
        yield numbered.broken(_NOUN, "is no JSON object")
        return
    nodes = conversation.get("mapping")
    if not isinstance(nodes, Mapping):
        yield Passed("broken", f"{numbered.where(_NOUN)}, mapping is no JSON object")
        return
    session = conversation.get("conversation_id") or conversation.get("id")
    findings: list[Finding] = []
    for node_id in branch(nodes, conversation.get("current_node"), "parent"):
        findings += _chatgpt_node(nodes[node_id], session, numbered, context)
    yield from _dated(findings, conversation.get("create_time"), context)


def _chatgpt_node(
    node: Any, session: Any, numbered: Numbered, context: Context
) -> Iterator[Finding]:
    where = numbered.where(_NOUN)
    if not isinstance(node, Mapping):
        yield Passed("broken", f"{where}: a node is no JSON object")
        return
    said = node.get("message")
    if said is None:
        return
    author = fields_of(said).get("author")
    if not isinstance(author, Mapping):
        yield Passed("broken", f"{where}: a message has no author")
        return
    content = said.get("content")
    if fields_of(said.get("metadata")).get("is_visually_hidden_from_conversation"):
        yield Passed("hidden")
    elif said.get("recipient") not in _EVERYBODY:
        yield Passed("said to a tool")
    elif fields_of(content).get("content_type", "text") not in _TEXT_KINDS:
        yield Passed("thoughts and code")
    else:
        yield message(
            context,
            numbered,
            _NOUN,
            role=author.get("role"),
            text=text_of(content),
            at=said.get("create_time"),
            session=session,
            ref=said.get("id"),
        )


def claude(numbered: Numbered, context: Context) -> Iterator[Finding]:
    """`conversations.json`: messages in order; where they tell what they answer, the last branch counts."""
    conversation = numbered.entry.value
    if is_markdown(conversation) or _NOTED in fields_of(conversation):
        yield from _claude_noted(conversation, numbered, context)
        return
    listed = fields_of(conversation).get("chat_messages")
    if not isinstance(listed, list):
        yield numbered.broken(_NOUN, "holds no list of chat_messages")
        return
    findings: list[Finding] = []
    for said in _shown(listed, conversation.get("current_leaf_message_uuid")):
        if not isinstance(said, Mapping):
            findings.append(numbered.broken(_NOUN, "holds a message that is no JSON object"))
            continue
        findings.append(
            message(
                context,
                numbered,
                _NOUN,
                role=said.get("sender"),
                text=text_of(said.get("content") or said.get("text")),
                at=said.get("created_at"),
                session=conversation.get("uuid"),
                ref=said.get("uuid"),
            )
        )
    yield from _dated(findings, conversation.get("created_at"), context)


def _claude_noted(
    entry: Mapping[str, Any], numbered: Numbered, context: Context
) -> Iterator[Finding]:
    """`memories.json`, a line a memory below its heading; or the list that Claude gives when asked for all of it."""
    if is_markdown(entry):
        where = numbered.document
        dated = _dated_lines(entry[MARKDOWN])
        if not dated:
            yield Passed("broken", f"{where} holds no line such as [2026-01-31] - text")
        for day, text in dated:
            at = context.moment(day)[0] if _DAY.fullmatch(day) else None
            yield from noted(where, [text], about={}, at=at)
        return
    where = numbered.where("memory")
    texts = {"": entry[_NOTED], **fields_of(entry.get("project_memories"))}
    for project, text in texts.items():
        about = {"project": str(project)} if project else {}
        heading = ""
        for line in text_of(text).splitlines():
            if titled := _HEADING.fullmatch(line.strip()):
                heading = (titled[1] or titled[2]).strip()
                continue
            own = {**about, "heading": heading} if heading else about
            yield from noted(where, [line], about=own)


def _dated_lines(text: str) -> list[tuple[str, str]]:
    """Day and text of each line; none if a line is of another kind, headings and fences aside."""
    lines = [line.strip() for line in text.splitlines()]
    kept = [x for x in lines if x and not x.startswith(("```", "#")) and not _HEADING.fullmatch(x)]
    found = [match for line in kept if (match := _DATED.fullmatch(line))]
    return [(match[1], match[2]) for match in found] if len(found) == len(kept) else []


def openwebui(numbered: Numbered, context: Context) -> Iterator[Finding]:
    """Exported chats: of each tree of messages the branch that was shown last counts."""
    if numbered.entry.path == ("messages",):
        return  # of one chat, whose history follows
    outer = numbered.entry.value
    chat = fields_of(outer).get("chat", outer)
    if not isinstance(chat, Mapping):
        yield numbered.broken(_NOUN, "is no JSON object")
        return
    branch = _openwebui_messages(chat)
    if branch is None:
        yield numbered.broken(_NOUN, "holds neither history nor messages")
        return
    user = label(outer.get("user_id"))
    findings: list[Finding] = []
    for said in branch:
        if not isinstance(said, Mapping):
            findings.append(numbered.broken(_NOUN, "holds a message that is no JSON object"))
            continue
        findings.append(
            message(
                context,
                numbered,
                _NOUN,
                role=said.get("role"),
                text=_DETAILS.sub("", text_of(said.get("content"))).strip(),
                at=said.get("timestamp"),
                session=outer.get("id") or chat.get("id"),
                ref=said.get("id"),
                owners=frozenset([user] if user else []),
            )
        )
    yield from _dated(findings, outer.get("created_at") or chat.get("timestamp"), context)


def _openwebui_messages(chat: Mapping[str, Any]) -> Sequence[Any] | None:
    history = fields_of(chat.get("history"))
    nodes = history.get("messages")
    if isinstance(nodes, Mapping):
        return [nodes[node_id] for node_id in branch(nodes, history.get("currentId"), "parentId")]
    listed = chat.get("messages")
    return listed if isinstance(listed, list) else None


def _shown(listed: Sequence[Any], leaf: Any) -> Sequence[Any]:
    """The messages of the branch that ends with the leaf; all, if the list tells of no branches."""
    nodes = {
        message["uuid"]: message
        for message in listed
        if isinstance(fields_of(message).get("uuid"), str)
    }
    linked = any(message.get(_PARENT) in nodes for message in nodes.values())
    if len(nodes) < len(listed) or not linked:
        return listed
    return [nodes[node_id] for node_id in branch(nodes, leaf, _PARENT)]


def _dated(findings: Sequence[Finding], began: Any, context: Context) -> Iterator[Finding]:
    """Messages without a date get that of the one before, or of what is known of the beginning."""
    dates = [item.turn.at for item in findings if isinstance(item, Found) and item.turn.at]
    last: datetime | None = context.moment(began)[0] or (dates[0] if dates else None)
    for finding in findings:
        if isinstance(finding, Found):
            last = finding.turn.at or last
            turn = replace(finding.turn, at=last)
            note = finding.note if last is None else ""
            yield replace(finding, turn=turn, note=note)
        else:
            yield finding
