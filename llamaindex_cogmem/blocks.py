"""Long-term memory as a block of LlamaIndex's own `Memory`.

It recalls, and remembers what `Memory` drops for want of room.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, get_args

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import BaseMemoryBlock
from llama_index.core.utils import get_tokenizer
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr
from pydantic.json_schema import SkipJsonSchema

from cogmem_core.adapters.attribution import FeedbackListener
from cogmem_core.adapters.conversation import (
    Conversation,
    ConversationOptions,
    save_turns,
    turns_of,
    with_question,
)
from cogmem_core.adapters.options import checked_arguments
from cogmem_core.adapters.resolve_bank import BankResolver, NamespaceSource
from cogmem_core.adapters.shown_once import checked_profile
from cogmem_core.base.fail_open import LogAndContinue
from cogmem_core.base.lru import LRUCache
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.feedback import Similarity
from cogmem_core.models import Role, Turn
from llamaindex_cogmem.convert import (
    Filters,
    escape_braces,
    plain_filters,
    recall_arguments,
    role_and_text,
    roles_and_texts,
)
from llamaindex_cogmem.tracing import (
    MISSING_TAG_HELP,
    announce_recall,
    current_tags,
    follow_calls,
    said_by_person,
)

__all__ = ["CogMemMemoryBlock"]

_SESSIONS = 64
_TEXTS = 256
_SESSION = "session_id"
_NAME = "CognitiveMemory"
_DESCRIPTION = "What was remembered from earlier conversations."


class CogMemMemoryBlock(BaseMemoryBlock[str]):
    """Puts the memories that matter for the user's open question into the prompt of a `Memory`.

    What `Memory` drops for want of room is remembered. Whether an answer used the memories shows
    when the next message is asked for; with `CogMemInstrumentation` they learn at once. What is
    said in a conversation that fits into `Memory` is remembered only with `remember_at_once=True`
    (or by a `CogMemMemory`). Of runs within `instrument_tags({"remember": False})` nothing is, also
    if `Memory` drops it in a later run of this process.

    Args:
        bank: the bank whose memories are used. Or `engine` and `namespace`.
        engine: see `bank`.
        namespace: a string, a template that the tags of the run fill ("{user_id}"), or a function, sync or
            async, that returns it from them
            (`lambda tags: tags["user_id"]`, within `with instrument_tags({"user_id": "ann"}):`).
        name: unique among the blocks.
        description: of the block, as `Memory` has it.
        priority: 0 = never shortened. Of the others LlamaIndex 0.13 and 0.14 shorten those with the
            lowest number first.
        accept_short_term_memory: False = what `Memory` drops is not remembered.
        k: the maximum number of memories.
        max_tokens: budget of their text; None = the engine's.
        filters: further arguments of `MemoryBank.recall`, such as `{"where": {"city": "Oslo"}}`,
            or `MetadataFilters`.
        categories: only memories of one of these categories.
        deadline: seconds that a recall may take; then what was found so far is shown.
        save_mode: whose words are remembered: "user", "both" or "none".
        remember_at_once: True = a question is remembered as soon as it was recalled for, and an
            answer when the next question comes; not only what `Memory` drops.
        profile: as for `CogMemMemory`.
        auto_feedback: False = memories do not learn from the answers in the history.
        similarity_fn: (memory, answer) → 0..1, as for `MemoryBank.feedback`.
        on_feedback: called with the judgements of each answer, by the worker's thread.
        tokenizer_fn: from a text to its tokens, as `Memory` has it; None = LlamaIndex's own.
        raise_errors: False = a recall, feedback or write that fails is logged, and the chat goes
            on. What could not be written is tried again in either case.

    Raises:
        InvalidInput: neither a bank nor an engine with a namespace, or both; k, max_tokens,
            filters, categories, deadline or profile is unusable; later: the tags of a run do not
            tell whose memories are meant.
        ValidationError: (pydantic's) an argument is of the wrong type.

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

    name: str = _NAME
    description: str | None = _DESCRIPTION
    priority: int = 1
    bank: SkipJsonSchema[MemoryBank | None] = Field(default=None, exclude=True, repr=False)
    k: int = 8
    max_tokens: int | None = None
    filters: Mapping[str, Any] | None = None
    categories: Sequence[str] | None = None
    deadline: float | None = None
    save_mode: Literal["user", "both", "none"] = "user"
    remember_at_once: bool = False
    profile: SkipJsonSchema[bool | type[BaseModel]] = False
    auto_feedback: bool = True
    similarity_fn: SkipJsonSchema[Callable[..., float] | None] = Field(
        default=None, exclude=True, repr=False
    )
    on_feedback: SkipJsonSchema[Callable[..., Any] | None] = Field(
        default=None, exclude=True, repr=False
    )
    tokenizer_fn: SkipJsonSchema[Callable[[str], list[Any]]] = Field(
        default_factory=get_tokenizer, exclude=True, repr=False
    )
    raise_errors: bool = False

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")
    _source: tuple[Engine | None, NamespaceSource] = PrivateAttr()
    _resolve_bank: BankResolver = PrivateAttr()
    _arguments: dict[str, Any] = PrivateAttr()
    _fail_open: LogAndContinue = PrivateAttr()
    _conversations: LRUCache[tuple[str, str, bool], Conversation] = PrivateAttr()
    _unkept: LRUCache[tuple[str, str], bool] = PrivateAttr()
    _skipping: LRUCache[tuple[str, str], bool] = PrivateAttr()
    _waiting: LRUCache[str, list[ChatMessage]] = PrivateAttr()
    _texts: LRUCache[str, tuple[Conversation, str]] = PrivateAttr()

    def __init__(
        self,
        bank: MemoryBank | None = None,
        *,
        engine: Engine | None = None,
        namespace: NamespaceSource = None,
        name: str = _NAME,
        description: str | None = _DESCRIPTION,
        priority: int = 1,
        accept_short_term_memory: bool = True,
        k: int = 8,
        max_tokens: int | None = None,
        filters: Filters = None,
        categories: Sequence[str] | None = None,
        deadline: float | None = None,
        save_mode: Literal["user", "both", "none"] = "user",
        remember_at_once: bool = False,
        profile: bool | type[BaseModel] = False,
        auto_feedback: bool = True,
        similarity_fn: Similarity | None = None,
        on_feedback: FeedbackListener | None = None,
        tokenizer_fn: Callable[[str], list[Any]] | None = None,
        raise_errors: bool = False,
    ) -> None:
        resolve_bank = BankResolver(bank, engine, namespace, MISSING_TAG_HELP)
        fields: dict[str, Any] = {
            "bank": resolve_bank.fixed,
            "name": name,
            "description": description,
            "priority": priority,
            "accept_short_term_memory": accept_short_term_memory,
            "k": k,
            "max_tokens": max_tokens,
            "filters": plain_filters(filters),
            "categories": categories,
            "deadline": deadline,
            "save_mode": save_mode,
            "remember_at_once": remember_at_once,
            "profile": checked_profile(profile),
            "auto_feedback": auto_feedback,
            "similarity_fn": similarity_fn,
            "on_feedback": on_feedback,
            "tokenizer_fn": tokenizer_fn or get_tokenizer(),
            "raise_errors": raise_errors,
        }
        super().__init__(**fields)
        follow_calls()
        self._source = (engine, namespace)
        self._resolve_bank = resolve_bank
        self._check(resolve_bank.fixed or engine)
        self._fail_open = LogAndContinue(raises=Exception if self.raise_errors else None)
        self._conversations = LRUCache(_SESSIONS)
        self._unkept = LRUCache(_TEXTS)
        self._skipping = LRUCache(_SESSIONS)
        self._waiting = LRUCache(_SESSIONS)
        self._texts = LRUCache(_TEXTS)

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        yield None, self._resolve_bank
        yield from super().__repr_args__()

    def _check(self, source: MemoryBank | Engine | None) -> None:
        checked_arguments(source, {"k": self.k, "max_tokens": self.max_tokens})
        self._arguments = recall_arguments(
            source, filters=self.filters, categories=self.categories, deadline=self.deadline
        )

    async def _aget(self, messages: list[ChatMessage] | None = None, **more: Any) -> str:
        bank = await self._resolve_bank.awaited(current_tags())
        session_id = str(more.get(_SESSION) or "")
        return await asyncio.to_thread(self._context, bank, messages or [], session_id)

    async def _aput(self, messages: list[ChatMessage]) -> None:
        bank = await self._resolve_bank.awaited(current_tags())
        dropped = [*(self._waiting.pop(bank.namespace) or ()), *messages]
        if not bank.keeps:  # what was said in earlier runs waits for the next one
            self._waiting.put(bank.namespace, dropped[-_TEXTS:])
            return
        turns: list[Turn] = []
        for message, previous in zip(dropped, [None, *dropped], strict=False):
            if self._is_unkept(bank, message):
                continue
            role, previous_text = ("", "") if previous is None else role_and_text(previous)
            turns += with_question(
                self._turns(message, previous), previous_text if role == "assistant" else ""
            )
        if turns:
            with self._fail_open("remembering"):
                await asyncio.to_thread(save_turns, bank, turns)

    def _is_unkept(self, bank: MemoryBank, message: ChatMessage) -> bool:
        """Whether it was said incognito, or answers what was."""
        conversation = (bank.namespace, str(message.additional_kwargs.get(_SESSION) or ""))
        role, text = role_and_text(message)
        if role == "user":
            is_unkept = self._unkept.get((bank.namespace, text)) is not None
            self._skipping.put(conversation, is_unkept)
        return bool(self._skipping.get(conversation))

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """The most important of the memories, so many tokens fewer.

        None if not even one of them fits.
        """
        entry = self._texts.get(content)
        if entry is None:
            return None
        room = self._count(content) - tokens_to_truncate
        return await asyncio.to_thread(self._context_within, *entry, room) or None

    def _context(self, bank: MemoryBank, messages: Iterable[ChatMessage], session_id: str) -> str:
        key = (bank.namespace, session_id, bank.keeps)
        conversation = self._conversations.get(key)
        if conversation is None:
            save_mode = self.save_mode if self.remember_at_once else "none"
            conversation = Conversation(
                lambda: bank, self._options(session_id, save_mode=save_mode)
            )
            self._conversations.put(key, conversation)
        question = conversation.follow(roles_and_texts(messages))
        by_person = said_by_person(question)
        if not (bank.keeps and by_person):
            self._unkept.put((bank.namespace, question), True)
        if self.remember_at_once:
            conversation.add_question(question, by_person=by_person)
        context = self._context_within(conversation, question, None)
        if self.remember_at_once:
            conversation.remember_question(question)
        return context

    def _context_within(self, conversation: Conversation, question: str, room: int | None) -> str:
        context = conversation.context_for(
            question, room=room, count=lambda text: self._count(escape_braces(text))
        )
        if context is None:
            return ""
        if context.first:
            announce_recall(question, context.recall, conversation.bank)
        text = escape_braces(context.text)
        self._texts.put(text, (conversation, question))
        return text

    def _turns(self, message: ChatMessage, previous: ChatMessage | None) -> list[Turn]:
        options = self._options(message.additional_kwargs.get(_SESSION), save_mode=self.save_mode)
        role, text = role_and_text(message, previous)
        if role not in get_args(Role) or (role == "user" and not said_by_person(text)):
            return []
        return turns_of([Turn(text, role=role)], options)  # type: ignore[arg-type]

    def _options(self, session_id: str | None, *, save_mode: str) -> ConversationOptions:
        return ConversationOptions(
            k=self.k,
            max_tokens=self.max_tokens,
            session_id=session_id or None,
            save_mode=save_mode,
            profile=self.profile,
            auto_feedback=self.auto_feedback,
            similarity_fn=self.similarity_fn,
            on_feedback=self.on_feedback,
            arguments=self._arguments,
            known_once=self.remember_at_once,
            raise_errors=self.raise_errors,
        )

    def _count(self, text: str) -> int:
        return len(self.tokenizer_fn(text))

    def __reduce__(self) -> tuple[Any, ...]:
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        if self.bank is None:
            fields["engine"], fields["namespace"] = self._source
        return _rebuild, (type(self), fields)


def _rebuild(cls: type[CogMemMemoryBlock], fields: dict[str, Any]) -> CogMemMemoryBlock:
    return cls(**fields)
