"""Long-term memory for chat engines and agents: what was said comes into later prompts, and learns from answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from llama_index.core.base.llms.types import ChatMessage, MessageRole, TextBlock
from llama_index.core.memory import BaseMemory, ChatMemoryBuffer
from pydantic import Field, PrivateAttr, field_serializer, field_validator
from typing_extensions import Self

from cogmem_core.adapters.conversation import Conversation, Habits, Told, open_question
from cogmem_core.adapters.options import checked
from cogmem_core.adapters.resolve_bank import bank_of
from cogmem_core.engine import MemoryBank, reopen
from cogmem_core.errors import InvalidInput
from cogmem_core.retrieval.recall import Recall
from llamaindex_cogmem.convert import backwards, braced, copies, from_tool, role_and_text, text_of
from llamaindex_cogmem.primary import WithPrimary
from llamaindex_cogmem.tracing import announced, aside

__all__ = ["CogMemMemory"]

_SLOT = "{memories}"
_TOKEN_LIMIT = 30_000  # as LlamaIndex's own `Memory`
_RECALLING = ("k", "max_tokens", "session_id")


class CogMemMemory(WithPrimary):
    """Memory of a chat engine or an agent, kept beyond the conversation.

    The conversation itself is kept by a `primary_memory` with a token limit. When its messages are asked for, the
    memories that matter for the user's open question are put among them; when the question is answered, they learn from
    the answer, and what the user said is remembered; what code printed, a tool returned or LlamaIndex wrote in the name
    of the user is not. One object per conversation; sync, async and streaming.

    It can be pickled or serialised (`Context.to_dict`): the bank is found again in its folder. A copy shares the bank.

    Args:
        bank: whose memories. Or `engine` and `namespace`.
        primary_memory: keeps the conversation; `from_defaults` makes one of a token limit.
        k: at most so many memories. max_tokens: budget of their text; None = the engine's. There are never more than
            the primary memory's token limit leaves room for beside the question.
        session_id: the conversation: what was said in it counts more, and is remembered as said in it.
        insert_method: "system" = into the system message, after what it says; "user" = before the user's last message.
            `ReActAgent` without a system prompt of its own needs "user": it leaves out the first system message.
        template: the text around the memories, with `{memories}` in it; used only if there are any.
        save_mode: whose words are remembered: "user", "both" or "none".
        auto_feedback: False = memories do not learn from the answers.
        similarity_fn: (memory, answer) → 0..1, as for `MemoryBank.feedback`.
        raise_errors: False = a recall, feedback or write that fails is logged, and the chat goes on.

    Raises:
        InvalidInput: neither a bank nor an engine with a namespace, or both; k, max_tokens or session_id is unusable; a
            template without `{memories}`; later, after it was deserialised: the bank cannot be found again.
        ValidationError: (pydantic's) there is no such argument.

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
    bank_at: dict[str, Any] | None = Field(default=None, repr=False, description="Where the bank is found again.")
    k: int = 8
    max_tokens: int | None = None
    session_id: str | None = None
    insert_method: Literal["system", "user"] = "system"
    template: str = _SLOT
    save_mode: Literal["user", "both", "none"] = "user"
    auto_feedback: bool = True
    similarity_fn: Callable[[str, str], float] | None = Field(default=None, exclude=True, repr=False)
    raise_errors: bool = False

    _conversation: Conversation = PrivateAttr()
    _sized: tuple[str, int] = PrivateAttr(default=("", 0))
    _before: ChatMessage | None = PrivateAttr(default=None)

    def __init__(self, bank: MemoryBank | None = None, **fields: Any) -> None:
        engine, namespace = fields.pop("engine", None), fields.pop("namespace", None)
        if bank is not None or engine is not None or fields.get("bank_at") is None:
            bank = bank_of(bank, engine, namespace)
        fields.pop("class_name", None)  # which LlamaIndex writes down beside the fields
        super().__init__(**{"bank": bank, **fields})
        checked(bank, {name: getattr(self, name) for name in _RECALLING})
        if _SLOT not in self.template:
            raise InvalidInput(f"template is {self.template!r}; it needs {_SLOT} where the memories belong")
        names = ("k", "max_tokens", "session_id", "save_mode", "auto_feedback", "similarity_fn", "raise_errors")
        self._conversation = Conversation(self._whose, Habits(**{name: getattr(self, name) for name in names}))

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
        """Make one, with a `ChatMemoryBuffer` for the conversation unless a `primary_memory` is given.

        Args:
            chat_history: how the conversation began; nothing of it is remembered.
            token_limit: of all messages that a model gets, memories included, >= 1.
            tokenizer_fn: from a text to its tokens; None = LlamaIndex's own.
            fields: as for the constructor.
        """
        if primary_memory is None:
            primary_memory = ChatMemoryBuffer.from_defaults(token_limit=token_limit, tokenizer_fn=tokenizer_fn)
        if chat_history is not None:
            primary_memory.set(chat_history)
        return cls(bank, primary_memory=primary_memory, **fields)

    @property
    def last_recall(self) -> Recall | None:
        """What was recalled last; for a look inside while developing."""
        return self._conversation.last

    def get(self, input: Any = None, **more: Any) -> list[ChatMessage]:  # noqa: A002 - LlamaIndex's name
        """The messages for the model: the conversation, and the memories that matter for its open question.

        Args:
            input: what the user says, if it was not put yet; None = the open question of the conversation.
        """
        question = text_of(input) if input else open_question(backwards(self.primary_memory.get_all()))
        told = self._told(question, more)
        with aside():  # where it has a model summarise what was said, that is no answer
            messages = self.primary_memory.get(input=input, **self._counted(told, more))
        return self._with(told, messages)

    async def aget(self, input: Any = None, **more: Any) -> list[ChatMessage]:  # noqa: A002
        """Async twin of `get`."""
        question = text_of(input) if input else open_question(backwards(await self.primary_memory.aget_all()))
        told = await asyncio.to_thread(self._told, question, more)
        with aside():
            messages = await self.primary_memory.aget(input=input, **self._counted(told, more))
        return self._with(told, messages)

    def flush(self) -> None:
        """Wait until what was said is remembered, and answers are learnt from."""
        self._whose().engine.flush()

    def _whose(self) -> MemoryBank:
        if self.bank is None:
            at = self.bank_at or {}
            self.bank = reopen(at).bank(str(at.get("namespace")))
        return self.bank

    def _told(self, question: str, more: Mapping[str, Any]) -> Told | None:
        limit, tokenized = getattr(self.primary_memory, "token_limit", None), getattr(self, "tokenizer_fn", None)
        if limit is None or tokenized is None:
            told = self._conversation.told(question)
        else:
            room = limit - more.get("initial_token_count", 0) - len(tokenized(question))
            told = self._conversation.told(question, room=room, count=self._size)
        if told is not None and told.first:
            announced(question, told.recall)
        return told

    def _counted(self, told: Told | None, more: Mapping[str, Any]) -> dict[str, Any]:
        """The caller's arguments, the memories counted in: the primary memory leaves room for them."""
        if told is None or getattr(self, "tokenizer_fn", None) is None:
            return dict(more)
        return {**more, "initial_token_count": more.get("initial_token_count", 0) + self._size(told.text)}

    def _size(self, text: str) -> int:
        """Tokens of memories in their frame; the same text is asked for twice in a row."""
        if self._sized[0] != text:
            self._sized = (text, len(self.tokenizer_fn(self._framed(text))))
        return self._sized[1]

    def _framed(self, text: str) -> str:
        return self.template.replace(_SLOT, braced(text))

    def _with(self, told: Told | None, messages: Iterable[ChatMessage]) -> list[ChatMessage]:
        own = copies(messages)
        if told is None:
            return own
        block, system = TextBlock(text=self._framed(told.text)), self.insert_method == "system"
        role = MessageRole.SYSTEM if system else MessageRole.USER
        place = next((at for at in _order(len(own), backwards=not system) if own[at].role == role), None)
        if place is None:
            own.insert(0 if system else len(own), ChatMessage(role=role, blocks=[block]))
        else:
            own[place].blocks = [*own[place].blocks, block] if system else [block, *own[place].blocks]
        return own

    def _heard(self, messages: Iterable[ChatMessage]) -> None:
        for message in messages:
            role, text = role_and_text(message, self._before)
            if role == "user":
                self._conversation.said(text)
            elif role == "assistant":
                self._conversation.answered(text, judged=not from_tool(message))
            self._before = message

    def _over(self) -> None:
        self._before = None
        self._conversation.end()

    @field_validator("insert_method", mode="before")
    @classmethod
    def _plain(cls, value: Any) -> Any:
        """LlamaIndex's `InsertMethod` is welcome, too."""
        return getattr(value, "value", value)

    @field_serializer("bank_at")
    def _where(self, value: dict[str, Any] | None) -> dict[str, Any] | None:
        return value if self.bank is None else {**self.bank.engine.origin, "namespace": self.bank.namespace}

    def __reduce__(self) -> tuple[Any, ...]:
        settings = self.model_dump(exclude={"primary_memory"})
        return _unpickled, (type(self), {**settings, "primary_memory": self.primary_memory})


def _unpickled(cls: type[CogMemMemory], fields: dict[str, Any]) -> CogMemMemory:
    return cls.from_dict(fields)


def _order(count: int, *, backwards: bool) -> Iterable[int]:
    return reversed(range(count)) if backwards else range(count)
