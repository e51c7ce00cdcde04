"""A memory that leaves the conversation itself to another one, which knows a token limit."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from llama_index.core.async_utils import asyncio_run
from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.memory import BaseMemory, ChatMemoryBuffer, Memory
from llama_index.core.storage.chat_store import SimpleChatStore
from llama_index.core.storage.chat_store.base_db import MessageStatus
from llama_index.core.storage.chat_store.sql import SQLAlchemyChatStore
from llama_index.core.utils import get_tokenizer
from pydantic import ConfigDict, PrivateAttr, field_serializer, field_validator
from sqlalchemy import make_url

from cogmem_core.edge import checks
from cogmem_core.errors import InvalidInput
from llamaindex_cogmem.convert import copy_messages

__all__ = ["WithPrimary", "read", "store_refusal", "written"]

_BUFFER_SETTINGS = ("token_limit", "chat_store_key")
_MEMORY_SETTINGS = (
    "token_limit",
    "token_flush_size",
    "chat_history_token_ratio",
    "session_id",
    "insert_method",
    "image_token_size_estimate",
    "audio_token_size_estimate",
    "video_token_size_estimate",
)
_COUNTS = 8_192  # messages whose tokens are not counted again
_NO_BEGINNING = (MessageRole.TOOL, MessageRole.ASSISTANT)


class WithPrimary(BaseMemory):
    """Keeps what is put in its `primary_memory`, and gives out copies of it.

    There is neither `__len__` nor `__bool__`: an empty memory would be replaced by whoever writes
    `memory or default`.
    """

    primary_memory: BaseMemory

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")
    _counts: dict[str, int] = PrivateAttr(default_factory=dict)

    @property
    def tokenizer_fn(self) -> Callable[[str], list[Any]]:
        """The primary memory's, if it has one: chat engines count their system prompt with it."""
        memory: Any = self.primary_memory
        tokenizer_fn: Callable[[str], list[Any]] = memory.tokenizer_fn
        return tokenizer_fn

    def to_dict(self, **kwargs: Any) -> dict[str, Any]:
        """As JSON values: settings, conversation, and where the bank is; not what the bank holds.

        A conversation in a database is not written down, but where it is, with what opens it (a
        password in its address, too).

        Args:
            kwargs: as for pydantic's `model_dump`; what `exclude` names has to be given to
                `from_dict` anew.

        Raises:
            InvalidInput: something cannot be written down and is not excluded: a function, a chat
                store of another kind, a primary memory of another kind.
        """
        excluded = kwargs.get("exclude") or ()
        for name, trouble in self._unwritable(excluded).items():
            raise InvalidInput(
                f"{trouble}; leave it out with to_dict(exclude={{{name!r}}}) and give it anew: "
                f"from_dict(data, {name}=...)"
            )
        return super().to_dict(**{"mode": "json", **kwargs})

    def to_string(self) -> str:
        """As `to_json`; LlamaIndex's own memories have it."""
        return self.to_json()

    @classmethod
    def from_string(cls, json_str: str) -> Any:
        """What `to_string` or `to_json` wrote."""
        return cls.from_json(json_str)

    def get_all(self, status: MessageStatus | None = None) -> list[ChatMessage]:
        """The whole conversation, as it was.

        Args:
            status: of LlamaIndex's `Memory`: only messages that are active, or archived; None =
                all. The messages of other memories are all active.
        """
        self._begin_run()
        return copy_messages(self._all(status))

    async def aget_all(self, status: MessageStatus | None = None) -> list[ChatMessage]:
        """Async twin of `get_all`."""
        await self._abegin_run()
        return copy_messages(await self._aall(status))

    def set(self, messages: list[ChatMessage]) -> None:
        """Replace the conversation; nothing of the new one is remembered, nor learnt from."""
        self._begin_run()
        self.primary_memory.set(messages)
        self._restart_conversation()

    async def aset(self, messages: list[ChatMessage]) -> None:
        """Async twin of `set`."""
        await self._abegin_run()
        await self.primary_memory.aset(messages)
        self._restart_conversation()

    def reset(self, status: MessageStatus | None = None) -> None:
        """Begin a new conversation.

        What was remembered stays; `bank.forget_session` and `forget_all` take it away.

        Args:
            status: as for `get_all`; to drop what is archived does not end the conversation.
        """
        self._begin_run()
        if isinstance(self.primary_memory, Memory):
            asyncio_run(self.primary_memory.areset(status=status))
        elif status is not MessageStatus.ARCHIVED:
            self.primary_memory.reset()
        if status is not MessageStatus.ARCHIVED:
            self._end_conversation()

    async def areset(self, status: MessageStatus | None = None) -> None:
        """Async twin of `reset`."""
        await self._abegin_run()
        if isinstance(self.primary_memory, Memory):
            await self.primary_memory.areset(status=status)
        elif status is not MessageStatus.ARCHIVED:
            await self.primary_memory.areset()
        if status is not MessageStatus.ARCHIVED:
            await asyncio.to_thread(self._end_conversation)

    def put(self, message: ChatMessage) -> None:
        """Take in what the user said, or was answered.

        Raises:
            InvalidInput: it is no `ChatMessage`.
        """
        self.put_messages([message])

    async def aput(self, message: ChatMessage) -> None:
        """Async twin of `put`."""
        await self.aput_messages([message])

    def put_messages(self, messages: list[ChatMessage]) -> None:
        """Take in several messages, in order."""
        _check_messages(messages)
        self._begin_run()
        self.primary_memory.put_messages(messages)
        self._take_in(messages)

    async def aput_messages(self, messages: list[ChatMessage]) -> None:
        """Async twin of `put_messages`."""
        _check_messages(messages)
        await self._abegin_run()
        await self.primary_memory.aput_messages(messages)
        await asyncio.to_thread(self._take_in, messages)

    def _all(self, status: MessageStatus | None = None) -> list[ChatMessage]:
        if isinstance(self.primary_memory, Memory):
            return self.primary_memory.get_all(status=status)
        return [] if status is MessageStatus.ARCHIVED else self.primary_memory.get_all()

    async def _aall(self, status: MessageStatus | None = None) -> list[ChatMessage]:
        if isinstance(self.primary_memory, Memory):
            return await self.primary_memory.aget_all(status=status)
        return [] if status is MessageStatus.ARCHIVED else await self.primary_memory.aget_all()

    def _newest_that_fit(
        self, messages: Sequence[ChatMessage], *, initial_token_count: int = 0, **_: Any
    ) -> list[ChatMessage]:
        """What `ChatMemoryBuffer.get` returns, in linear time: each message is counted once.

        Args:
            messages: the whole conversation.
            initial_token_count: tokens that stand before them.
        """
        buffer: Any = self.primary_memory
        room = buffer.token_limit - initial_token_count
        if room < 0:
            raise ValueError("Initial token count exceeds token limit")
        start = len(messages)
        while start and room >= 0:
            room -= self._tokens_of(messages[start - 1])
            if room >= 0:
                start -= 1
        if start:
            # An answer, or what a tool returned, cannot be the first message.
            while start < len(messages) and messages[start].role in _NO_BEGINNING:
                start += 1
            start = min(start, len(messages) - 1)
        return list(messages[start:])

    def _tokens_of(self, message: ChatMessage) -> int:
        text = str(message.content)
        count = self._counts.get(text)
        if count is None:
            count = len(self.tokenizer_fn(f" {text}"))
            if len(self._counts) >= _COUNTS:
                self._counts.clear()
            self._counts[text] = count
        return count

    @abstractmethod
    def _begin_run(self) -> None:
        """The memory is used in a run of the application: the right one has to be meant."""

    @abstractmethod
    async def _abegin_run(self) -> None:
        """Async twin of `_begin_run`."""

    @abstractmethod
    def _take_in(self, messages: Sequence[ChatMessage]) -> None:
        """Messages were put."""

    @abstractmethod
    def _restart_conversation(self) -> None:
        """The conversation was replaced."""

    @abstractmethod
    def _end_conversation(self) -> None:
        """The conversation has ended."""

    def _unwritable(self, excluded: Collection[str]) -> dict[str, str]:
        """What cannot be written down, by the argument that gives it, and why."""
        trouble = "" if "primary_memory" in excluded else _refusal(self.primary_memory)
        return {"primary_memory": trouble} if trouble else {}

    @field_serializer("primary_memory")
    def _primary_as_json(self, value: BaseMemory) -> dict[str, Any]:
        trouble = _refusal(value)
        if trouble:
            raise InvalidInput(f"{trouble}; give it anew: from_dict(data, primary_memory=...)")
        return written(value)

    @field_validator("primary_memory", mode="before")
    @classmethod
    def _primary_from_json(cls, value: Any) -> Any:
        return read(value) if isinstance(value, Mapping) else value


def written(primary: BaseMemory) -> dict[str, Any]:
    """A primary memory as JSON values, its tokenizer left out.

    (LlamaIndex's own way fails with pydantic 2.14.)

    Raises:
        InvalidInput: it or its store cannot be written down.
    """
    trouble = store_refusal(primary)
    if trouble:
        raise InvalidInput(f"{trouble}; give it anew: from_dict(data, primary_memory=...)")
    if isinstance(primary, ChatMemoryBuffer):
        store = primary.chat_store
        data = _settings(primary, _BUFFER_SETTINGS)
        data["messages_by_key"] = {
            key: _as_json(store.get_messages(key)) for key in store.get_keys()
        }
    else:
        data = _settings(primary, _MEMORY_SETTINGS)
        data["sql_store"] = getattr(primary, "sql_store").model_dump()  # noqa: B009
    return {**data, "class_name": primary.class_name()}


def read(data: Mapping[str, Any]) -> BaseMemory:
    """What `written` wrote, or an earlier version of it.

    Raises:
        InvalidInput: it is a memory of another kind.
    """
    name = str(data.get("class_name"))
    if name == "ChatMemoryBuffer":
        messages_by_key = data.get("messages_by_key")
        if messages_by_key is None:
            messages_by_key = {data["chat_store_key"]: data["messages"]}
        store = SimpleChatStore()
        for key, messages in messages_by_key.items():
            store.set_messages(key, _from_json(messages))
        buffer_settings = {name: data[name] for name in _BUFFER_SETTINGS}
        return ChatMemoryBuffer.from_defaults(chat_store=store, **buffer_settings)
    if name == "Memory":
        settings = {name: data[name] for name in _MEMORY_SETTINGS if name in data}
        if "sql_store" in data:
            sql_store = SQLAlchemyChatStore(**data["sql_store"])
            return Memory(**settings, sql_store=sql_store)
        memory = Memory.from_defaults(**settings)
        memory.set(_from_json(data["messages"]))
        return memory
    raise InvalidInput(
        f"primary_memory is a {name}; give it anew: from_dict(data, primary_memory=...)"
    )


def _refusal(primary: BaseMemory) -> str:
    """Why a primary memory cannot be written down; empty if it can."""
    trouble = store_refusal(primary)
    if not trouble and getattr(primary, "tokenizer_fn", None) is not get_tokenizer():
        trouble = "primary_memory has a tokenizer_fn of its own, which is a function"
    return trouble


def store_refusal(primary: BaseMemory) -> str:
    """Why the messages of a primary memory cannot be written down; empty if they can."""
    kind = primary.class_name()
    if type(primary) not in (ChatMemoryBuffer, Memory) or getattr(primary, "memory_blocks", None):
        return (
            f"primary_memory is {kind}; only a ChatMemoryBuffer or a Memory without blocks can be "
            "written down"
        )
    memory: Any = primary
    if isinstance(primary, ChatMemoryBuffer):
        own_store = type(primary.chat_store) is not SimpleChatStore
        store = primary.chat_store.class_name()
    else:
        own_store = type(memory.sql_store) is not SQLAlchemyChatStore or _own_engine(
            memory.sql_store
        )
        store = memory.sql_store.class_name()
    return f"primary_memory is a {kind} that keeps its messages in a {store}" if own_store else ""


def _check_messages(messages: Sequence[Any]) -> None:
    """Refuse what would spoil the conversation: whoever reads it fails from then on."""
    for message in messages:
        if not isinstance(message, ChatMessage):
            raise InvalidInput(f"message is {checks.display(message)}; give a ChatMessage")


def _own_engine(store: SQLAlchemyChatStore) -> bool:
    """Whether a store uses an engine that its address does not lead to."""
    engine = store._async_engine
    return engine is not None and engine.url != make_url(store.async_database_uri)


def _settings(memory: Any, names: Iterable[str]) -> dict[str, Any]:
    fields = type(memory).model_fields  # older versions have fewer
    values = {name: getattr(memory, name) for name in names if name in fields}
    return {name: getattr(value, "value", value) for name, value in values.items()}


def _as_json(messages: Iterable[ChatMessage]) -> list[dict[str, Any]]:
    return [message.model_dump(mode="json") for message in messages]


def _from_json(messages: Iterable[Any]) -> list[ChatMessage]:
    return [ChatMessage.model_validate(message) for message in messages]
