"""Long-term memory for chat engines and agents: recalls for prompts, learns from answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from llama_index.core.base.llms.types import ChatMessage, MessageRole, TextBlock
from llama_index.core.memory import BaseMemory, ChatMemoryBuffer
from pydantic import Field, PrivateAttr, field_serializer, field_validator
from typing_extensions import Self

from cogmem_core.adapters.conversation import (
    Conversation,
    ConversationOptions,
    ShownContext,
    open_question,
)
from cogmem_core.adapters.options import checked_arguments
from cogmem_core.adapters.resolve_bank import bank_of
from cogmem_core.engine import MemoryBank, reopen
from cogmem_core.errors import InvalidInput
from cogmem_core.retrieval.recall import Recall
from llamaindex_cogmem.convert import (
    copy_messages,
    escape_braces,
    from_tool,
    newest_first,
    role_and_text,
    text_of,
)
from llamaindex_cogmem.primary import WithPrimary
from llamaindex_cogmem.tracing import announce_recall, follow_calls, internal_questions

__all__ = ["CogMemMemory"]

_SLOT = "{memories}"
_TOKEN_LIMIT = 30_000  # as LlamaIndex's own `Memory`
_RECALLING = ("k", "max_tokens", "session_id")


class CogMemMemory(WithPrimary):
    """Memory of a chat engine or an agent, kept beyond the conversation.

    The conversation itself is kept by a `primary_memory` with a token limit. When its messages are
    asked for, the memories that matter for the user's open question are put among them; when the
    question is answered, they learn from the answer, and what the user said is remembered; what
    code printed, a tool returned or LlamaIndex wrote in the name of the user is not. One object per
    conversation; sync, async and streaming.

    It can be pickled or serialised (`Context.to_dict`): the bank is found again in its folder. A
        copy shares the bank.

    Args:
        bank: the bank whose memories are used. Or `engine` and `namespace`.
        primary_memory: keeps the conversation; `from_defaults` makes one of a token limit.
        k: the maximum number of memories.
        max_tokens: budget of their text; None = the engine's. There are never more than the primary
            memory's token limit leaves room for beside the question.
        session_id: the conversation: what was said in it counts more, and is remembered as said in
            it.
        insert_method: "system" = into the system message, after what it says; "user" = before the
            user's last message. `ReActAgent` without a system prompt of its own needs "user": it
            leaves out the first system message.
        template: the text around the memories, with `{memories}` in it; used only if there are any.
        save_mode: whose words are remembered: "user", "both" or "none".
        auto_feedback: False = memories do not learn from the answers.
        similarity_fn: (memory, answer) → 0..1, as for `MemoryBank.feedback`.
        raise_errors: False = a recall, feedback or write that fails is logged, and the chat goes
            on.

    Raises:
        InvalidInput: neither a bank nor an engine with a namespace, or both; k, max_tokens or
            session_id is unusable; a template without `{memories}`; later, after it was
            deserialised: the bank cannot be found again.
        ValidationError: (pydantic's) an argument is unknown.

    Example:
        >>> import cogmem_core
        >>> from llama_index.core.chat_engine import SimpleChatEngine
        >>> from llama_index.core.llms import MockLLM
        >>> from llamaindex_cogmem import CogMemMemory
        >>> with cogmem_core.open(embedder="hashing") as engine:
        ...     alice = engine.bank("alice")
        ...     _ = alice.remember("My sister Lena lives in Oslo")
        ...     chat = SimpleChatEngine.from_defaults(llm=MockLLM(), memory=CogMemMemory.from_defaults(alice))
        ...     answer = chat.chat("Where is Lena?")  # this model repeats its prompt
        ...     print("My sister Lena lives in Oslo" in answer.response)
        True
    """

    bank: MemoryBank | None = Field(default=None, exclude=True, repr=False)
    bank_at: dict[str, Any] | None = Field(
        default=None, repr=False, description="Where the bank is found again."
    )
    k: int = 8
    max_tokens: int | None = None
    session_id: str | None = None
    insert_method: Literal["system", "user"] = "system"
    template: str = _SLOT
    save_mode: Literal["user", "both", "none"] = "user"
    auto_feedback: bool = True
    similarity_fn: Callable[[str, str], float] | None = Field(
        default=None, exclude=True, repr=False
    )
    raise_errors: bool = False

    _conversation: Conversation = PrivateAttr()
    _size_of_last: tuple[str, int] = PrivateAttr(default=("", 0))
    _previous: ChatMessage | None = PrivateAttr(default=None)

    def __init__(self, bank: MemoryBank | None = None, **fields: Any) -> None:
        engine = fields.pop("engine", None)
        namespace = fields.pop("namespace", None)
        if bank is not None or engine is not None or fields.get("bank_at") is None:
            bank = bank_of(bank, engine, namespace)
        fields.pop("class_name", None)  # which LlamaIndex writes down beside the fields
        super().__init__(**{"bank": bank, **fields})
        checked_arguments(bank, {name: getattr(self, name) for name in _RECALLING})
        if _SLOT not in self.template:
            raise InvalidInput(
                f"template is {self.template!r}; it needs {_SLOT} where the memories belong"
            )
        names = (
            "k",
            "max_tokens",
            "session_id",
            "save_mode",
            "auto_feedback",
            "similarity_fn",
            "raise_errors",
        )
        follow_calls()
        self._conversation = Conversation(
            self._resolve_bank, ConversationOptions(**{name: getattr(self, name) for name in names})
        )

    @classmethod
    def class_name(cls) -> str:
        """The name under which it is serialised."""
        return "CogMemMemory"

    @classmethod
    def from_defaults(
        cls,
        bank: MemoryBank | None = None,
        *,
        chat_history: list[ChatMessage] | None = None,
        token_limit: int = _TOKEN_LIMIT,
        tokenizer_fn: Callable[[str], list[Any]] | None = None,
        primary_memory: BaseMemory | None = None,
        **fields: Any,
    ) -> Self:
        """Make a memory; without a `primary_memory` the conversation is kept in a `ChatMemoryBuffer`.

        Args:
            chat_history: how the conversation began; nothing of it is remembered.
            token_limit: of all messages that a model gets, memories included, >= 1.
            tokenizer_fn: from a text to its tokens; None = LlamaIndex's own.
            fields: as for the constructor.
        """
        if primary_memory is None:
            primary_memory = ChatMemoryBuffer.from_defaults(
                token_limit=token_limit, tokenizer_fn=tokenizer_fn
            )
        if chat_history is not None:
            primary_memory.set(chat_history)
        return cls(bank, primary_memory=primary_memory, **fields)

    @property
    def last_recall(self) -> Recall | None:
        """What was recalled last; for a look inside while developing."""
        return self._conversation.last

    # `input` is LlamaIndex's name.
    def get(self, input: Any = None, **more: Any) -> list[ChatMessage]:  # noqa: A002
        """The messages for the model: the conversation, and the memories for its open question.

        Args:
            input: what the user says, if it was not put yet; None = the open question of the
                conversation.
        """
        question = (
            text_of(input) if input else open_question(newest_first(self.primary_memory.get_all()))
        )
        context = self._recall_for(question, more)
        with (
            internal_questions()
        ):  # where it has a model summarise what was said, that is not an answer
            messages = self.primary_memory.get(input=input, **self._with_token_count(context, more))
        return self._with_context(context, messages)

    async def aget(self, input: Any = None, **more: Any) -> list[ChatMessage]:  # noqa: A002
        """Async twin of `get`."""
        question = (
            text_of(input)
            if input
            else open_question(newest_first(await self.primary_memory.aget_all()))
        )
        context = await asyncio.to_thread(self._recall_for, question, more)
        with internal_questions():
            messages = await self.primary_memory.aget(
                input=input, **self._with_token_count(context, more)
            )
        return self._with_context(context, messages)

    def flush(self) -> None:
        """Wait until what was said is remembered, and answers are learnt from."""
        self._resolve_bank().engine.flush()

    def _resolve_bank(self) -> MemoryBank:
        if self.bank is None:
            location = self.bank_at or {}
            self.bank = reopen(location).bank(str(location.get("namespace")))
        return self.bank

    def _recall_for(self, question: str, more: Mapping[str, Any]) -> ShownContext | None:
        limit = getattr(self.primary_memory, "token_limit", None)
        tokenize = getattr(self, "tokenizer_fn", None)
        if limit is None or tokenize is None:
            context = self._conversation.context_for(question)
        else:
            room = limit - more.get("initial_token_count", 0) - len(tokenize(question))
            context = self._conversation.context_for(question, room=room, count=self._size)
        if context is not None and context.first:
            announce_recall(question, context.recall, self._resolve_bank())
        return context

    def _with_token_count(
        self, context: ShownContext | None, more: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The caller's arguments, with the tokens of the memories added, so that they have room."""
        if context is None or getattr(self, "tokenizer_fn", None) is None:
            return dict(more)
        return {
            **more,
            "initial_token_count": more.get("initial_token_count", 0) + self._size(context.text),
        }

    def _size(self, text: str) -> int:
        """Tokens of memories in their frame; the same text is asked for twice in a row."""
        if self._size_of_last[0] != text:
            self._size_of_last = (text, len(self.tokenizer_fn(self._in_template(text))))
        return self._size_of_last[1]

    def _in_template(self, text: str) -> str:
        return self.template.replace(_SLOT, escape_braces(text))

    def _with_context(
        self, context: ShownContext | None, messages: Iterable[ChatMessage]
    ) -> list[ChatMessage]:
        """Copies of the messages, with the memories in the system or the last user message."""
        result = copy_messages(messages)
        if context is None:
            return result
        block = TextBlock(text=self._in_template(context.text))
        if self.insert_method == "system":
            for message in result:
                if message.role == MessageRole.SYSTEM:
                    message.blocks = [*message.blocks, block]
                    return result
            return [ChatMessage(role=MessageRole.SYSTEM, blocks=[block]), *result]
        for message in reversed(result):
            if message.role == MessageRole.USER:
                message.blocks = [block, *message.blocks]
                return result
        return [*result, ChatMessage(role=MessageRole.USER, blocks=[block])]

    def _take_in(self, messages: Iterable[ChatMessage]) -> None:
        for message in messages:
            role, text = role_and_text(message, self._previous)
            if role == "user":
                self._conversation.add_question(text)
            elif role == "assistant":
                self._conversation.add_answer(text, judged=not from_tool(message))
            self._previous = message

    def _end_conversation(self) -> None:
        self._previous = None
        self._conversation.end()

    @field_validator("insert_method", mode="before")
    @classmethod
    def _insert_method_value(cls, value: Any) -> Any:
        """LlamaIndex's `InsertMethod` is welcome, too."""
        return getattr(value, "value", value)

    @field_serializer("bank_at")
    def _bank_location(self, value: dict[str, Any] | None) -> dict[str, Any] | None:
        if self.bank is None:
            return value
        return {**self.bank.engine.origin, "namespace": self.bank.namespace}

    def __reduce__(self) -> tuple[Any, ...]:
        settings = self.model_dump(exclude={"primary_memory"})
        return _rebuild, (type(self), {**settings, "primary_memory": self.primary_memory})


def _rebuild(cls: type[CogMemMemory], fields: dict[str, Any]) -> CogMemMemory:
    return cls.from_dict(fields)
