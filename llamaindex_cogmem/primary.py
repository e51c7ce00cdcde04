"""A memory that leaves the conversation itself to another one, which knows a token limit."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import BaseMemory, ChatMemoryBuffer, Memory
from pydantic import ConfigDict, field_serializer, field_validator

from cogmem_core.errors import InvalidInput
from llamaindex_cogmem.convert import copy_messages

__all__ = ["WithPrimary"]

_KINDS: Mapping[str, tuple[type[BaseMemory], tuple[str, ...]]] = {
    "ChatMemoryBuffer": (ChatMemoryBuffer, ("token_limit", "chat_store_key")),
    "Memory": (
        Memory,
        ("token_limit", "token_flush_size", "chat_history_token_ratio", "session_id"),
    ),
}
"""What can be written down as JSON, and with which settings.

LlamaIndex's own way fails with pydantic 2.14.
"""


class WithPrimary(BaseMemory):
    """Keeps what is put in its `primary_memory`, and gives out copies of it.

    There is neither `__len__` nor `__bool__`: an empty memory would be replaced by whoever writes
        `memory or default`.
    """

    primary_memory: BaseMemory

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    @property
    def tokenizer_fn(self) -> Callable[[str], list[Any]]:
        """The primary memory's, if it has one: chat engines count their system prompt with it."""
        memory: Any = self.primary_memory
        tokenizer_fn: Callable[[str], list[Any]] = memory.tokenizer_fn
        return tokenizer_fn

    def to_dict(self, **kwargs: Any) -> dict[str, Any]:
        """As JSON values: settings, conversation, and where the bank is; not what the bank holds.

        Raises:
            InvalidInput: the primary memory is of a kind that cannot be written down.
        """
        _kind(self.primary_memory)
        return super().to_dict(**{"mode": "json", **kwargs})

    def get_all(self) -> list[ChatMessage]:
        """The whole conversation, as it was."""
        return copy_messages(self.primary_memory.get_all())

    async def aget_all(self) -> list[ChatMessage]:
        """Async twin of `get_all`."""
        return copy_messages(await self.primary_memory.aget_all())

    def set(self, messages: list[ChatMessage]) -> None:
        """Replace the conversation; nothing of the new one is remembered, nor learnt from."""
        self.primary_memory.set(messages)
        self._end_conversation()

    async def aset(self, messages: list[ChatMessage]) -> None:
        """Async twin of `set`."""
        await self.primary_memory.aset(messages)
        await asyncio.to_thread(self._end_conversation)

    def reset(self) -> None:
        """Begin a new conversation.

        What was remembered stays; `bank.forget_session` and `forget_all` take it away.
        """
        self.primary_memory.reset()
        self._end_conversation()

    async def areset(self) -> None:
        """Async twin of `reset`."""
        await self.primary_memory.areset()
        await asyncio.to_thread(self._end_conversation)

    def put(self, message: ChatMessage) -> None:
        """Take in what the user said, or was answered."""
        self.put_messages([message])

    async def aput(self, message: ChatMessage) -> None:
        """Async twin of `put`."""
        await self.aput_messages([message])

    def put_messages(self, messages: list[ChatMessage]) -> None:
        """Take in several messages, in order."""
        self.primary_memory.put_messages(messages)
        self._take_in(messages)

    async def aput_messages(self, messages: list[ChatMessage]) -> None:
        """Async twin of `put_messages`."""
        await self.primary_memory.aput_messages(messages)
        await asyncio.to_thread(self._take_in, messages)

    @abstractmethod
    def _take_in(self, messages: Iterable[ChatMessage]) -> None:
        """Messages were put."""

    @abstractmethod
    def _end_conversation(self) -> None:
        """The conversation has ended."""

    @field_serializer("primary_memory")
    def _primary_as_json(self, value: BaseMemory) -> dict[str, Any]:
        _, settings = _kind(value)
        messages = [message.model_dump(mode="json") for message in value.get_all()]
        values = {name: getattr(value, name) for name in settings}
        return {**values, "messages": messages, "class_name": value.class_name()}

    @field_validator("primary_memory", mode="before")
    @classmethod
    def _primary_from_json(cls, value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value
        name = str(value.get("class_name"))
        if name not in _KINDS:
            raise InvalidInput(
                f"primary_memory is a {name}; give it anew: from_dict(data, primary_memory=...)"
            )
        kind, settings = _KINDS[name]
        primary = kind.from_defaults(**{name: value[name] for name in settings})
        primary.set([ChatMessage.model_validate(message) for message in value["messages"]])
        return primary


def _kind(primary: BaseMemory) -> tuple[type[BaseMemory], tuple[str, ...]]:
    kind = _KINDS.get(primary.class_name())
    if kind is None or type(primary) is not kind[0] or getattr(primary, "memory_blocks", None):
        kinds = " or a ".join(_KINDS)
        raise InvalidInput(
            f"primary_memory is {primary.class_name()}; only a {kinds} without blocks can be "
            "written down"
        )
    return kind
