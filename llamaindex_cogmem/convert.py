"""LlamaIndex's messages as text and turns, and memories as nodes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from datetime import datetime
from hashlib import sha256
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, MessageRole, TextBlock
from llama_index.core.schema import NodeWithScore, TextNode
from llama_index.core.vector_stores.types import MetadataFilters

from cogmem_core.adapters.conversation import with_dates
from cogmem_core.adapters.kept_blocks import Placed
from cogmem_core.adapters.options import checked_arguments, checked_filters
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.errors import InvalidInput
from cogmem_core.models import Memory, Turn
from cogmem_core.retrieval.recall import Recall
from llamaindex_cogmem.filters import filters_of
from llamaindex_cogmem.framework_texts import (
    by_framework,
    from_tool,
    only_code,
    repeats_tool_output,
)

__all__ = [
    "Filters",
    "answer_of",
    "arguments_of",
    "copy_messages",
    "escape_braces",
    "memories_by_recall",
    "newest_first",
    "nodes_of",
    "only_acts",
    "plain_filters",
    "recall_arguments",
    "returned_directly",
    "role_and_text",
    "roles_and_texts",
    "text_of",
    "turns_of",
    "with_blocks",
]

_ROLES = {"user": "user", "assistant": "assistant", "chatbot": "assistant", "model": "assistant"}
Filters = Mapping[str, Any] | MetadataFilters | None
_SPEAKERS = ("user", "assistant")
_CALLS = ("tool_calls", "function_call")
_RECALL = "recall_id"
_MOMENTS = ("since", "until", "as_of", "known_at")
# How a ReAct agent's model writes: thoughts and actions are said to the tools, what follows
# "Answer:" to the user.
_THOUGHTS = re.compile(r"\A\s*Thought:")
_ANSWER = re.compile(r"\A.*\n\s*Answer:", re.DOTALL)
_ACTION = re.compile(r"\n\s*Action:")
# What LlamaIndex takes for a call of a tool, whatever stands before it.
_TOOL_USE = re.compile(r"\n+Action: [^\n() ]+[^\n]*\n+Action Input: ")


def text_of(content: object) -> str:
    r"""What a person would read: of a string, a message or a list of these.

    The text blocks of a message, and messages, stand on lines of their own. Images, sounds, files,
    tool calls and thoughts say nothing; nor does anything else.

    Example:
        >>> from llama_index.core.llms import ChatMessage
        >>> text_of([ChatMessage("I moved."), ChatMessage("Where to?", role="assistant")])
        'I moved.\nWhere to?'
    """
    if isinstance(content, ChatMessage):
        return content.content or ""
    if isinstance(content, Iterable) and not isinstance(content, (str, bytes, Mapping)):
        return "\n".join(text for text in map(text_of, content) if text)
    return content if isinstance(content, str) else ""


def answer_of(content: object) -> str:
    r"""As `text_of`, of what is said to the user: nothing with tool calls or code to be run.

    Of a ReAct agent's text the answer without its thoughts.

    Example:
        >>> answer_of("Thought: I can answer without any more tools.\nAnswer: In Lisbon.")
        'In Lisbon.'
    """
    if isinstance(content, ChatMessage) and _calls_tools(content):
        return ""
    text = text_of(content)
    if only_code(text):
        return ""
    if not _THOUGHTS.match(text) and not _TOOL_USE.search(text):
        return text
    answer = _ANSWER.match(text)
    if answer is not None:
        return text[answer.end() :].strip()
    return "" if _ACTION.search(text) else text


def arguments_of(content: object) -> str:
    """What a message gives to tools, as text; empty if it calls none."""
    if not isinstance(content, ChatMessage):
        return ""
    tool_arguments = [getattr(block, "tool_kwargs", None) for block in content.blocks]
    for call in content.additional_kwargs.get("tool_calls") or ():
        function = (
            call.get("function") if isinstance(call, dict) else getattr(call, "function", None)
        )
        if isinstance(function, dict):
            tool_arguments.append(function.get("arguments"))
        else:
            tool_arguments.append(getattr(function, "arguments", None))
    texts = [
        value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
        for value in tool_arguments
        if value
    ]
    return "\n".join(texts)


def roles_and_texts(messages: Iterable[ChatMessage]) -> list[tuple[str, str]]:
    """Who said what, see `role_and_text`."""
    pairs = []
    previous = None
    for message in messages:
        pairs.append(role_and_text(message, previous))
        previous = message
    return pairs


def newest_first(messages: Sequence[ChatMessage]) -> Iterator[tuple[str, str]]:
    """As `roles_and_texts`, the newest first, without reading more than is asked for."""
    for index in reversed(range(len(messages))):
        yield role_and_text(messages[index], messages[index - 1] if index else None)


def role_and_text(message: ChatMessage, previous: ChatMessage | None = None) -> tuple[str, str]:
    """Who said what, as (role, text); of an assistant's message what it says to the user.

    What code printed, a tool returned or LlamaIndex wrote has the role "tool", in whose name ever
    it stands.

    Args:
        message: what is said.
        previous: the message before it, if there is one.
    """
    role = _ROLES.get(message.role.value, message.role.value)
    text = text_of(message)
    if role in _SPEAKERS and by_framework(
        text, acting=previous is not None and only_acts(previous)
    ):
        return "tool", text
    if role == "user" and from_tool(message):
        return "tool", text
    return role, answer_of(message) if role == "assistant" else text


def only_acts(message: ChatMessage) -> bool:
    """Whether a model's message says nothing to the user: it calls a tool, or runs code."""
    role = _ROLES.get(message.role.value, message.role.value)
    return (
        role == "assistant"
        and not answer_of(message)
        and (_calls_tools(message) or bool(text_of(message)))
    )


def returned_directly(message: ChatMessage) -> bool:
    """Whether an answer is what a tool returned, and no model said it."""
    return from_tool(message) or repeats_tool_output(text_of(message))


def turns_of(
    messages: Iterable[ChatMessage], *, began: datetime | None = None, session_id: str | None = None
) -> list[Turn]:
    """A conversation that was kept elsewhere, for `bank.remember(turns_of(memory.get_all(), ...))`.

    What people said and were answered, in order; system and tool messages, what code printed, and
    what has no text, are left out.

    Args:
        messages: LlamaIndex's chat messages.
        began: when the conversation began, timezone-aware: messages have no dates, so each is a
            minute after the one before; None = they are said when they are remembered.
        session_id: the conversation.

    Raises:
        InvalidInput: an item is not a message, or `began` is not a timezone-aware datetime.

    Example:
        >>> from datetime import datetime, timezone
        >>> from llama_index.core.llms import ChatMessage
        >>> said = [ChatMessage("I moved."), ChatMessage("Where to?", role="assistant")]
        >>> for turn in turns_of(said, began=datetime(2025, 3, 1, 9, tzinfo=timezone.utc), session_id="s1"):
        ...     print(turn.role, turn.content, turn.at)
        user I moved. 2025-03-01 09:00:00+00:00
        assistant Where to? 2025-03-01 09:01:00+00:00
    """
    if isinstance(messages, (str, bytes, Mapping, ChatMessage)) or not isinstance(
        messages, Iterable
    ):
        raise InvalidInput(f"messages is a {type(messages).__name__}; give a list of ChatMessage")
    listed = list(messages)
    for index, message in enumerate(listed):
        if not isinstance(message, ChatMessage):
            raise InvalidInput(
                f"messages[{index}] is a {type(message).__name__}; give a ChatMessage"
            )
    turns = [Turn(text, role=role) for role, text in roles_and_texts(listed)]  # type: ignore[arg-type]
    return with_dates(turns, began, session_id)


def plain_filters(filters: Filters) -> Mapping[str, Any] | None:
    """Filters as arguments of `MemoryBank.recall`.

    Raises:
        InvalidInput: a filter of LlamaIndex cannot be translated.
    """
    return filters_of(filters) if isinstance(filters, MetadataFilters) else filters


def recall_arguments(
    source: MemoryBank | Engine | None,
    *,
    filters: Filters = None,
    categories: Sequence[str] | None = None,
    deadline: float | None = None,
) -> dict[str, Any]:
    """What else a recall is asked for, as arguments of `MemoryBank.recall`.

    Args:
        source: whose limits hold; None = not known yet.
        filters: such arguments by their names, moments may be texts in ISO 8601; or LlamaIndex's
            conditions on metadata.
        categories: only memories of one of these.
        deadline: seconds; None = no limit.

    Raises:
        InvalidInput: one of them is unusable.
    """
    recall_filters = plain_filters(filters)
    if isinstance(recall_filters, Mapping):
        recall_filters = {
            name: _moment(value) if name in _MOMENTS and isinstance(value, str) else value
            for name, value in recall_filters.items()
        }
    arguments = checked_filters(source, recall_filters, "filters")
    options = {"categories": categories, "deadline": deadline}
    set_options = {name: value for name, value in options.items() if value is not None}
    return {**arguments, **checked_arguments(source, set_options)}


def _moment(text: str) -> datetime | str:
    """The moment; a text that is none stays, to be refused by its name."""
    with suppress(ValueError):
        return datetime.fromisoformat(text)
    return text


def copy_messages(messages: Iterable[ChatMessage]) -> list[ChatMessage]:
    """Messages that may be changed in place, as agents do.

    What the blocks hold (an image, say) is shared.
    """
    return [_copy(message) for message in messages]


def with_blocks(
    messages: Iterable[ChatMessage], placed: Placed, frame: Callable[[str], str]
) -> list[ChatMessage]:
    """Copies of the messages with memories among them.

    Args:
        messages: a conversation.
        placed: what stands where.
        frame: what is written round each of them.
    """
    result: list[ChatMessage] = []
    blocks = iter(placed.before)
    system = placed.system
    for message in copy_messages(messages):
        block = next(blocks, None) if message.role == MessageRole.USER else None
        if system and message.role == MessageRole.SYSTEM:
            message.blocks = [*message.blocks, TextBlock(text=frame(system))]
            system = ""
        elif block is not None and block.whole and block.apart:
            result.append(ChatMessage(frame(block.whole)))
        elif block is not None and block.whole:
            # Models get the blocks one right after the other.
            message.blocks = [TextBlock(text=f"{frame(block.whole)}\n"), *message.blocks]
        result.append(message)
    if system:
        result.insert(0, ChatMessage(frame(system), role=MessageRole.SYSTEM))
    return [*result, ChatMessage(frame(placed.end))] if placed.end else result


def _copy(message: ChatMessage) -> ChatMessage:
    twin = copy(message)
    # Past pydantic's checks: what is copied has passed them, and a long conversation is copied at
    # every turn.
    twin.__dict__["blocks"] = [copy(block) for block in message.blocks]
    twin.__dict__["additional_kwargs"] = dict(message.additional_kwargs)
    return twin


def escape_braces(text: str) -> str:
    """A text that may become part of a prompt template: no `{name}` in it is a variable any more.

    It reads the same.
    """
    return text.replace("{", "{\u200b")


def nodes_of(recall: Recall, *, hot: bool = False) -> list[NodeWithScore]:
    """What a recall found, best first, each with its confidence, 0..1.

    Args:
        recall: the recall.
        hot: the memories that are always shown, too, without a score.
    """
    nodes = []
    result_ids = set()
    for item in recall.results:
        node = _node(item.memory, recall.id, item.text)
        nodes.append(NodeWithScore(node=node, score=item.confidence))
        result_ids.add(item.memory.id)
    if hot:
        always = [memory for memory in recall.hot if memory.id not in result_ids]
        nodes += [NodeWithScore(node=_node(memory, recall.id, memory.text)) for memory in always]
    return nodes


class _MemoryNode(TextNode):
    """A memory as a node, with one hash whatever recall it comes from: fusion joins nodes by it."""

    @property
    def hash(self) -> str:
        metadata = {name: value for name, value in self.metadata.items() if name != _RECALL}
        return sha256(f"{self.text}{metadata}".encode("utf-8", "surrogatepass")).hexdigest()


def _node(memory: Memory, recall_id: str, text: str) -> TextNode:
    """A memory, with the caller's own metadata; `said` is the time it was said, ISO 8601.

    Tags and session are there if the memory has any. Neither models nor embedders see the metadata.
    """
    metadata: dict[str, Any] = {
        **memory.metadata,
        "cogmem_id": memory.id,
        _RECALL: recall_id,
        "category": memory.category,
        "said": memory.recorded_at.isoformat(),
        "speaker": memory.speaker,
        "refs": list(memory.refs),
    }
    if memory.tags:
        metadata["tags"] = list(memory.tags)
    if memory.session_id is not None:
        metadata["session_id"] = memory.session_id
    hidden = list(metadata)
    fields: dict[str, Any] = {
        "id_": memory.id,
        "text": text,
        "metadata": metadata,
        "excluded_llm_metadata_keys": hidden,
        "excluded_embed_metadata_keys": hidden,
    }
    return _MemoryNode(**fields)


def memories_by_recall(nodes: Iterable[Any]) -> dict[str, dict[str, str]]:
    """The recalls that nodes come from, and the texts as which memories of each are among them, by id."""
    texts_by_recall: dict[str, dict[str, str]] = {}
    for item in nodes:
        metadata = item.node.metadata
        if "cogmem_id" in metadata and _RECALL in metadata:
            texts = texts_by_recall.setdefault(metadata[_RECALL], {})
            texts[metadata["cogmem_id"]] = text_of(getattr(item.node, "text", ""))
    return texts_by_recall


def _calls_tools(message: ChatMessage) -> bool:
    if any(message.additional_kwargs.get(key) for key in _CALLS):
        return True
    return any(getattr(block, "block_type", "") == "tool_call" for block in message.blocks)
