"""Long-term memory as a block of LlamaIndex's own `Memory`.

It recalls, and remembers what `Memory` drops for want of room.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, Literal, get_args

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import BaseMemoryBlock
from llama_index.core.utils import get_tokenizer
from pydantic import ConfigDict, Field, PrivateAttr

from cogmem_core.adapters.conversation import (
    Conversation,
    ConversationOptions,
    turns_of,
    with_question,
)
from cogmem_core.adapters.options import checked_arguments
from cogmem_core.adapters.resolve_bank import bank_of
from cogmem_core.engine import MemoryBank
from cogmem_core.fail_open import LogAndContinue
from cogmem_core.lru import LRUCache
from cogmem_core.models import Role, Turn
from llamaindex_cogmem.convert import escape_braces, role_and_text, roles_and_texts
from llamaindex_cogmem.tracing import announce_recall, follow_calls

__all__ = ["CogMemMemoryBlock"]

_SESSIONS = 64
_TEXTS = 256
_SESSION = "session_id"


class CogMemMemoryBlock(BaseMemoryBlock[str]):
    """Puts the memories that matter for the user's open question into the prompt of a `Memory`.

    What `Memory` drops for want of room is remembered. Whether an answer used the memories shows
    when the next message is asked for; with `CogMemInstrumentation` they learn at once. A block
    sees nothing of a conversation that fits into `Memory`, so what is said there is not remembered:
    where that is wanted, use `CogMemMemory`.

    Args:
        bank: the bank whose memories are used. Or `engine` and `namespace`.
        name: unique among the blocks.
        priority: 0 = never shortened, 1 = kept longest.
        k: the maximum number of memories.
        max_tokens: budget of their text; None = the engine's.
        save_mode: whose words are remembered: "user", "both" or "none".
        auto_feedback: False = memories do not learn from the answers in the history.
        similarity_fn: (memory, answer) → 0..1, as for `MemoryBank.feedback`.
        tokenizer_fn: from a text to its tokens, as `Memory` has it; None = LlamaIndex's own.
        raise_errors: False = a recall, feedback or write that fails is logged, and the chat goes
            on.

    Raises:
        InvalidInput: neither a bank nor an engine with a namespace, or both; k or max_tokens is
            unusable.
        ValidationError: (pydantic's) an argument is unknown.

    Example:
        >>> import cogmem_core
        >>> from llama_index.core.memory import Memory
        >>> from llamaindex_cogmem import CogMemMemoryBlock
        >>> with cogmem_core.open(embedder="hashing") as engine:
        ...     alice = engine.bank("alice")
        ...     _ = alice.remember("My sister Lena lives in Oslo")
        ...     memory = Memory.from_defaults(token_limit=4000, memory_blocks=[CogMemMemoryBlock(alice)])
        ...     print("My sister Lena lives in Oslo" in memory.get("Where is Lena?")[0].content)
        True
    """

    name: str = "CognitiveMemory"
    description: str | None = "What was remembered from earlier conversations."
    priority: int = 1
    bank: MemoryBank | None = Field(default=None, exclude=True, repr=False)
    k: int = 8
    max_tokens: int | None = None
    save_mode: Literal["user", "both", "none"] = "user"
    auto_feedback: bool = True
    similarity_fn: Callable[[str, str], float] | None = Field(
        default=None, exclude=True, repr=False
    )
    tokenizer_fn: Callable[[str], list[Any]] = Field(
        default_factory=get_tokenizer, exclude=True, repr=False
    )
    raise_errors: bool = False

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")
    _memory_bank: MemoryBank = PrivateAttr()
    _fail_open: LogAndContinue = PrivateAttr()
    _conversations: LRUCache[str, Conversation] = PrivateAttr()
    _texts: LRUCache[str, tuple[Conversation, str]] = PrivateAttr()

    def __init__(self, bank: MemoryBank | None = None, **fields: Any) -> None:
        memory_bank = bank_of(bank, fields.pop("engine", None), fields.pop("namespace", None))
        super().__init__(**{"bank": memory_bank, **fields})
        checked_arguments(memory_bank, {"k": self.k, "max_tokens": self.max_tokens})
        follow_calls()
        self._memory_bank = memory_bank
        self._fail_open = LogAndContinue(raises=Exception if self.raise_errors else None)
        self._conversations = LRUCache(_SESSIONS)
        self._texts = LRUCache(_TEXTS)

    async def _aget(self, messages: list[ChatMessage] | None = None, **more: Any) -> str:
        return await asyncio.to_thread(self._context, messages or [], str(more.get(_SESSION) or ""))

    async def _aput(self, messages: list[ChatMessage]) -> None:
        turns: list[Turn] = []
        for message, previous in zip(messages, [None, *messages], strict=False):
            role, previous_text = ("", "") if previous is None else role_and_text(previous)
            turns += with_question(
                self._turns(message, previous), previous_text if role == "assistant" else ""
            )
        if turns:
            with self._fail_open("remembering"):
                await self._memory_bank.aremember(turns, wait=False)

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """The most important of the memories, so many tokens fewer.

        None if not even one of them fits.
        """
        entry = self._texts.get(content)
        if entry is None:
            return None
        room = self._count(content) - tokens_to_truncate
        return await asyncio.to_thread(self._context_within, *entry, room) or None

    def _context(self, messages: Iterable[ChatMessage], session_id: str) -> str:
        conversation = self._conversations.get(session_id)
        if conversation is None:
            conversation = Conversation(
                lambda: self._memory_bank, self._options(session_id, save_mode="none")
            )
            self._conversations.put(session_id, conversation)
        question = conversation.follow(roles_and_texts(messages))
        return self._context_within(conversation, question, None)

    def _context_within(self, conversation: Conversation, question: str, room: int | None) -> str:
        context = conversation.context_for(
            question, room=room, count=lambda text: self._count(escape_braces(text))
        )
        if context is None:
            return ""
        if context.first:
            announce_recall(question, context.recall, self._memory_bank)
        text = escape_braces(context.text)
        self._texts.put(text, (conversation, question))
        return text

    def _turns(self, message: ChatMessage, previous: ChatMessage | None) -> list[Turn]:
        options = self._options(message.additional_kwargs.get(_SESSION), save_mode=self.save_mode)
        role, text = role_and_text(message, previous)
        if role not in get_args(Role):
            return []
        return turns_of([Turn(text, role=role)], options)  # type: ignore[arg-type]

    def _options(self, session_id: str | None, *, save_mode: str) -> ConversationOptions:
        names = ("k", "max_tokens", "auto_feedback", "similarity_fn", "raise_errors")
        settings: dict[str, Any] = {name: getattr(self, name) for name in names}
        return ConversationOptions(session_id=session_id or None, save_mode=save_mode, **settings)

    def _count(self, text: str) -> int:
        return len(self.tokenizer_fn(text))

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (
            type(self),
            {name: getattr(self, name) for name in type(self).model_fields},
        )


def _rebuild(cls: type[CogMemMemoryBlock], fields: dict[str, Any]) -> CogMemMemoryBlock:
    return cls(**fields)
