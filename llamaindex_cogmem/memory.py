"""Long-term memory for chat engines and agents: recalls for prompts, learns from answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Literal

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.llms.llm import LLM
from llama_index.core.memory import BaseMemory, ChatMemoryBuffer, InsertMethod, Memory
from llama_index.core.memory.types import DEFAULT_CHAT_STORE_KEY
from llama_index.core.storage.chat_store import BaseChatStore
from llama_index.core.storage.chat_store.base_db import AsyncDBChatStore
from pydantic import BaseModel, Field, PrivateAttr, field_serializer, field_validator
from pydantic.json_schema import SkipJsonSchema
from typing_extensions import Self

from cogmem_core.adapters.attribution import FeedbackListener
from cogmem_core.adapters.conversation import (
    Conversation,
    ConversationOptions,
    open_question,
)
from cogmem_core.adapters.kept_blocks import Placed, ShownContext
from cogmem_core.adapters.options import checked_arguments
from cogmem_core.adapters.resolve_bank import (
    BankResolver,
    NamespaceSource,
    as_told,
    location_of,
    reopened_bank,
)
from cogmem_core.adapters.shown_once import checked_profile
from cogmem_core.edge import checks
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.errors import InvalidInput
from cogmem_core.feedback import Similarity
from cogmem_core.retrieval.recall import Recall
from llamaindex_cogmem.convert import (
    Filters,
    escape_braces,
    newest_first,
    only_acts,
    plain_filters,
    recall_arguments,
    returned_directly,
    role_and_text,
    text_of,
    with_blocks,
)
from llamaindex_cogmem.framework_texts import current_origin, put_by_agent
from llamaindex_cogmem.primary import WithPrimary, read, store_refusal, written
from llamaindex_cogmem.tracing import (
    MISSING_TAG_HELP,
    announce_recall,
    current_tags,
    follow_calls,
    internal_questions,
    said_by_person,
)

__all__ = ["CogMemMemory"]

_SLOT = "{memories}"
_TOKEN_LIMIT = 30_000  # as LlamaIndex's own `Memory`
_RECALLING = ("k", "max_tokens", "session_id")
_FUNCTIONS = ("similarity_fn", "on_feedback")


class CogMemMemory(WithPrimary):
    """Memory of a chat engine or an agent, kept beyond the conversation.

    The conversation itself is kept by a `primary_memory` with a token limit. When its messages are
    asked for, the memories that matter for the user's open question are put among them; when the
    question is answered, they learn from the answer, and what the user said is remembered; what
    code printed, a tool returned or LlamaIndex wrote in the name of the user is not, nor anything of
    a run within `instrument_tags({"remember": False})`. One object per conversation; sync, async and
    streaming. (`CondenseQuestionChatEngine` shows the memories to the model that rewrites the
    question, and not to the one that answers: nothing is learnt there.)

    It can be pickled or serialised (`Context.to_dict`): the bank is found again in its folder. A
    copy shares the bank.

    Args:
        bank: the bank whose memories are used. Or `engine` and `namespace`.
        engine: see `bank`.
        namespace: a string, a template that the tags of the run fill ("{user_id}"), or a function, sync or
            async, that returns it from them
            (`lambda tags: tags["user_id"]`, within `with instrument_tags({"user_id": "ann"}):`).
            The first run tells whose conversation it is; a run of another namespace is refused.
        primary_memory: keeps the conversation; `from_defaults` makes one of a token limit.
        k: the maximum number of memories.
        max_tokens: budget of their text; None = the engine's. There are never more than the primary
            memory's token limit leaves room for beside the question.
        filters: further arguments of `MemoryBank.recall`, such as `{"where": {"city": "Oslo"}}`,
            or `MetadataFilters`.
        categories: only memories of one of these categories.
        deadline: seconds that a recall may take; then what was found so far is shown.
        session_id: the conversation: what was said in it counts more, and is remembered as said in
            it.
        insert_method: "user" = what was recalled stands before the user's message, and stays there in
            later prompts, so that a provider's cache of the prompt holds; "auto" = likewise, and what
            is always worth knowing follows the system message, but for agents: `ReActAgent` without
            a system prompt of its own leaves that out; "system" = all of it follows the system
            message, where it is another one with each question.
        template: the text around the memories, with `{memories}` in it; used only if there are any.
        save_mode: whose words are remembered: "user", "both" or "none". What one agent asks another
            one by a tool no person said: "none" for the memory of the other one.
        ask: let the model ask the user which of two versions holds, where both stand and bear on
            his question: at most one question a day, and none twice. His answer settles it.
        profile: begin with what is known of the user (see `MemoryBank.profile`), in a third of the
            budget at most; a pydantic model class = with what is known of its fields, as JSON.
        auto_feedback: False = memories do not learn from the answers.
        similarity_fn: (memory, answer) → 0..1, as for `MemoryBank.feedback`.
        on_feedback: called with the judgements of each answer, by the worker's thread.
        raise_errors: False = a recall, feedback or write that fails is logged, and the chat goes
            on. What could not be written is tried again in either case.
        bank_at: where a memory that was serialised finds its bank again; `to_dict` writes it.
        class_name: LlamaIndex writes it beside the fields.

    Raises:
        InvalidInput: neither a bank nor an engine with a namespace, or both; k, max_tokens,
            session_id, filters, categories or deadline is unusable; a template without
            `{memories}`; later, after it was deserialised: the bank cannot be found again; the tags
            of a run do not tell whose memories are meant.
        ValidationError: (pydantic's) an argument is of the wrong type.

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

    bank: SkipJsonSchema[MemoryBank | None] = Field(default=None, exclude=True, repr=False)
    bank_at: dict[str, Any] | None = Field(
        default=None, repr=False, description="Where the bank is found again."
    )
    k: int = 8
    max_tokens: int | None = None
    filters: Mapping[str, Any] | None = None
    categories: Sequence[str] | None = None
    deadline: float | None = None
    session_id: str | None = None
    insert_method: Literal["auto", "system", "user"] = "auto"
    template: str = _SLOT
    save_mode: Literal["user", "both", "none"] = "user"
    ask: bool = False
    profile: SkipJsonSchema[bool | type[BaseModel]] = False
    auto_feedback: bool = True
    similarity_fn: SkipJsonSchema[Callable[..., float] | None] = Field(
        default=None, exclude=True, repr=False
    )
    on_feedback: SkipJsonSchema[Callable[..., Any] | None] = Field(
        default=None, exclude=True, repr=False
    )
    raise_errors: bool = False

    _resolver: BankResolver | None = PrivateAttr(default=None)
    _conversation: Conversation = PrivateAttr()
    _size_of_last: tuple[str, int] = PrivateAttr(default=("", 0))
    _previous: ChatMessage | None = PrivateAttr(default=None)

    def __init__(
        self,
        bank: MemoryBank | None = None,
        *,
        primary_memory: BaseMemory | None = None,
        engine: Engine | None = None,
        namespace: NamespaceSource = None,
        k: int = 8,
        max_tokens: int | None = None,
        filters: Filters = None,
        categories: Sequence[str] | None = None,
        deadline: float | None = None,
        session_id: str | None = None,
        insert_method: Literal["auto", "system", "user"] | InsertMethod = "auto",
        template: str = _SLOT,
        save_mode: Literal["user", "both", "none"] = "user",
        ask: bool = False,
        profile: bool | type[BaseModel] = False,
        auto_feedback: bool = True,
        similarity_fn: Similarity | None = None,
        on_feedback: FeedbackListener | None = None,
        raise_errors: bool = False,
        bank_at: dict[str, Any] | None = None,
        class_name: str | None = None,  # noqa: ARG002 - LlamaIndex writes it beside the fields
    ) -> None:
        if primary_memory is None:
            raise InvalidInput(
                "primary_memory is missing; CogMemMemory.from_defaults(bank) makes one, or give "
                "what keeps the conversation"
            )
        resolver = None
        if bank is not None or engine is not None or bank_at is None:
            resolver = BankResolver(bank, engine, namespace, MISSING_TAG_HELP)
            bank = resolver.fixed
        fields: dict[str, Any] = {
            "bank": bank,
            "bank_at": bank_at,
            "primary_memory": primary_memory,
            "k": k,
            "max_tokens": max_tokens,
            "filters": plain_filters(filters),
            "categories": categories,
            "deadline": deadline,
            "session_id": session_id,
            "insert_method": insert_method,
            "template": template,
            "save_mode": save_mode,
            "ask": ask,
            "profile": checked_profile(profile),
            "auto_feedback": auto_feedback,
            "similarity_fn": similarity_fn,
            "on_feedback": on_feedback,
            "raise_errors": raise_errors,
        }
        super().__init__(**fields)
        follow_calls()
        self._resolver = None if bank is not None else resolver
        self._conversation = Conversation(self._resolve_bank, self._options(bank or engine))

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        yield None, self.bank or self._resolver
        yield from super().__repr_args__()

    @classmethod
    def class_name(cls) -> str:
        """The name under which it is serialised."""
        return "CogMemMemory"

    @classmethod
    def from_defaults(  # type: ignore[override]  # LlamaIndex's own memories do the same
        cls,
        bank: MemoryBank | None = None,
        *,
        chat_history: list[ChatMessage] | None = None,
        llm: LLM | None = None,
        chat_store: BaseChatStore | AsyncDBChatStore | None = None,
        chat_store_key: str | None = None,
        token_limit: int | None = None,
        tokenizer_fn: Callable[[str], list[Any]] | None = None,
        primary_memory: BaseMemory | None = None,
        engine: Engine | None = None,
        namespace: NamespaceSource = None,
        k: int = 8,
        max_tokens: int | None = None,
        filters: Filters = None,
        categories: Sequence[str] | None = None,
        deadline: float | None = None,
        session_id: str | None = None,
        insert_method: Literal["auto", "system", "user"] | InsertMethod = "auto",
        template: str = _SLOT,
        save_mode: Literal["user", "both", "none"] = "user",
        ask: bool = False,
        profile: bool | type[BaseModel] = False,
        auto_feedback: bool = True,
        similarity_fn: Similarity | None = None,
        on_feedback: FeedbackListener | None = None,
        raise_errors: bool = False,
    ) -> Self:
        """Make a memory; without a `primary_memory` the conversation is kept in a `ChatMemoryBuffer`.

        Args:
            chat_history: how the conversation began; nothing of it is remembered.
            llm: whose context window the token limit follows, three quarters of it.
            chat_store: where the conversation is kept; of an `AsyncDBChatStore` LlamaIndex's
                `Memory` is made.
            chat_store_key: which conversation of the store it is.
            token_limit: of all messages that a model gets, memories included, >= 1; None = as the
                LLM needs it, 30,000 without one.
            tokenizer_fn: from a text to its tokens; None = LlamaIndex's own.
            engine: as for the class, like the rest.
            namespace: as there.
            k: as there.
            max_tokens: as there.
            filters: as there.
            categories: as there.
            deadline: as there.
            session_id: as there.
            insert_method: as there.
            template: as there.
            save_mode: as there.
            ask: as there.
            profile: as there.
            auto_feedback: as there.
            similarity_fn: as there.
            on_feedback: as there.
            raise_errors: as there.

        Raises:
            InvalidInput: as the constructor; `primary_memory` is given, and so is what another one
                would be made of.
        """
        making: dict[str, Any] = {
            "llm": llm,
            "chat_store": chat_store,
            "chat_store_key": chat_store_key,
            "token_limit": token_limit,
            "tokenizer_fn": tokenizer_fn,
        }
        parts = {name: value for name, value in making.items() if value is not None}
        if primary_memory is None:
            primary_memory = _primary_of(**parts)
        elif parts:
            raise InvalidInput(
                f"primary_memory is given and so is {', '.join(parts)}; give these to the primary "
                "memory"
            )
        if chat_history is not None:
            primary_memory.set(chat_history)
        return cls(
            bank,
            primary_memory=primary_memory,
            engine=engine,
            namespace=namespace,
            k=k,
            max_tokens=max_tokens,
            filters=filters,
            categories=categories,
            deadline=deadline,
            session_id=session_id,
            insert_method=insert_method,
            template=template,
            save_mode=save_mode,
            ask=ask,
            profile=profile,
            auto_feedback=auto_feedback,
            similarity_fn=similarity_fn,
            on_feedback=on_feedback,
            raise_errors=raise_errors,
        )

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
        self._begin_run()
        self._take_in_input(input)
        history = None if input and not self._counts_itself() else self._all()
        question = _question_of(input, history)
        context, more = self._recall_for(question, more)
        if history is not None and self._counts_itself():
            messages = self._newest_that_fit(history, **more)
        else:
            # Where it has a model summarise what was said, that is not an answer.
            with internal_questions():
                messages = self.primary_memory.get(input=input, **more)
        return self._with_context(question, context, messages)

    async def aget(self, input: Any = None, **more: Any) -> list[ChatMessage]:  # noqa: A002
        """Async twin of `get`."""
        await self._abegin_run()
        await asyncio.to_thread(self._take_in_input, input)
        history = None if input and not self._counts_itself() else await self._aall()
        question = _question_of(input, history)
        context, more = await asyncio.to_thread(self._recall_for, question, more)
        if history is not None and self._counts_itself():
            messages = await asyncio.to_thread(self._newest_that_fit, history, **more)
        else:
            with internal_questions():
                messages = await self.primary_memory.aget(input=input, **more)
        return self._with_context(question, context, messages)

    def flush(self) -> None:
        """Wait until what was said is remembered, and answers are learnt from."""
        self._resolve_bank().engine.flush()

    def _options(self, source: MemoryBank | Engine | None) -> ConversationOptions:
        checked_arguments(source, {name: getattr(self, name) for name in _RECALLING})
        if _SLOT not in self.template:
            raise InvalidInput(
                f"template is {checks.display(self.template)}; it needs {_SLOT} where the memories belong"
            )
        return ConversationOptions(
            k=self.k,
            max_tokens=self.max_tokens,
            session_id=self.session_id,
            save_mode=self.save_mode,
            ask=self.ask,
            profile=self.profile,
            auto_feedback=self.auto_feedback,
            similarity_fn=self.similarity_fn,
            on_feedback=self.on_feedback,
            arguments=recall_arguments(
                source, filters=self.filters, categories=self.categories, deadline=self.deadline
            ),
            raise_errors=self.raise_errors,
        )

    def _resolve_bank(self) -> MemoryBank:
        if self.bank is None and self._resolver is not None:
            self._belongs_to(self._resolver(current_tags()))
        if self.bank is None:
            self.bank = reopened_bank(self.bank_at or {})
        return as_told(self.bank, [current_tags()])

    def _begin_run(self) -> None:
        if self._resolver is not None:
            self._belongs_to(self._resolver(current_tags()))

    async def _abegin_run(self) -> None:
        if self._resolver is not None:
            self._belongs_to(await self._resolver.awaited(current_tags()))

    def _belongs_to(self, bank: MemoryBank) -> None:
        """The first run tells whose conversation this is; nobody else may see it."""
        if self.bank is None:
            self.bank = bank.incognito(False)  # whether a run is, its tags tell each time
        elif (self.bank.namespace, self.bank.principal) != (bank.namespace, bank.principal):
            raise InvalidInput(
                "namespace leads to another namespace than in the run that "
                "began this conversation; make one CogMemMemory for each conversation"
            )

    def _counts_itself(self) -> bool:
        """Whether the newest messages are chosen here, in linear time, as the primary memory would."""
        return type(self.primary_memory) is ChatMemoryBuffer

    def _recall_for(
        self, question: str, more: Mapping[str, Any]
    ) -> tuple[ShownContext | None, dict[str, Any]]:
        """What the model should read, and the caller's arguments with room for it.

        What the user said is on disk before the model is asked.
        """
        limit = getattr(self.primary_memory, "token_limit", None)
        tokenize = getattr(self, "tokenizer_fn", None)
        answers = current_origin()[0].answers
        apart = self._method() != "system"
        if limit is None or tokenize is None:
            context = self._conversation.context_for(question, judged=answers, apart=apart)
        else:
            taken = more.get("initial_token_count", 0)
            room = limit - taken - len(tokenize(question))
            kept = self._conversation.kept.fit(room, question, self._size)
            context = self._conversation.context_for(
                question, room=room - kept, count=self._size, judged=answers, apart=apart
            )
            if kept or context is not None:
                size = self._size(context.whole) if context is not None else 0
                more = {**more, "initial_token_count": taken + kept + size}
        if context is not None and context.first:
            announce_recall(question, context.recall, self._resolve_bank())
        self._conversation.remember_question(question)
        return context, dict(more)

    def _size(self, text: str) -> int:
        """Tokens of memories in their frame; the same text is asked for twice in a row."""
        if self._size_of_last[0] != text:
            self._size_of_last = (text, len(self.tokenizer_fn(self._in_template(text))))
        return self._size_of_last[1]

    def _in_template(self, text: str) -> str:
        return self.template.replace(_SLOT, escape_braces(text))

    def _method(self) -> str:
        """Where memories stand; "auto" = what changes rarely in the system message, the rest before the question."""
        if self.insert_method == "auto" and not current_origin()[0].keeps_system:
            return "user"
        return self.insert_method

    def _with_context(
        self, question: str, context: ShownContext | None, messages: Sequence[ChatMessage]
    ) -> list[ChatMessage]:
        """Copies of the messages, with the memories among them."""
        method = self._method()
        placed = Placed(context.text if context is not None else "", [])
        if method != "system":
            said = [text_of(message) for message in messages if message.role == MessageRole.USER]
            among = open_question(newest_first(messages)) == question
            placed = self._conversation.kept.place(
                said, question, context, among=among, system=method == "auto"
            )
        return with_blocks(messages, placed, self._in_template)

    def _take_in(self, messages: Sequence[ChatMessage]) -> None:
        by_agent = put_by_agent()
        acted = False
        for message in messages:
            role, text = role_and_text(message, self._previous)
            # What follows an action in one and the same batch is what came of the action.
            if role == "user" and not by_agent and not acted:
                self._conversation.add_question(text, by_person=said_by_person(text))
            elif role == "assistant":
                self._conversation.add_answer(text, judged=not returned_directly(message))
            acted = only_acts(message)
            self._previous = message

    def _take_in_input(self, input: Any) -> None:  # noqa: A002
        """Chat engines ask with what the user says before they put it, and only if they answer."""
        if input and current_origin()[0].asks_with_input:
            text = text_of(input)
            self._conversation.add_question(text, by_person=said_by_person(text))

    def _restart_conversation(self) -> None:
        self._previous = None
        self._conversation.restart()

    def _end_conversation(self) -> None:
        self._previous = None
        self._conversation.end()

    def _unwritable(self, excluded: Collection[str]) -> dict[str, str]:
        troubles = super()._unwritable(excluded)
        for name in _FUNCTIONS:
            if getattr(self, name) is not None and name not in excluded:
                troubles[name] = f"{name} is a function, which cannot be written down"
        if self._resolver is not None and self.bank is None and "bank" not in excluded:
            troubles["bank"] = "no run has told yet whose namespace it is"
        if self.profile not in (True, False) and "profile" not in excluded:
            troubles["profile"] = "profile is a class, which cannot be written down"
        return troubles

    @field_validator("insert_method", mode="before")
    @classmethod
    def _insert_method_value(cls, value: Any) -> Any:
        """LlamaIndex's `InsertMethod` is welcome, too."""
        return getattr(value, "value", value)

    @field_serializer("bank_at")
    def _bank_location(self, value: dict[str, Any] | None) -> dict[str, Any] | None:
        if self.bank is None:
            return value
        return location_of(self.bank)

    def __reduce__(self) -> tuple[Any, ...]:
        if self._resolver is not None and self.bank is None:
            self._belongs_to(self._resolver(current_tags()))
        settings = self.model_dump(exclude={"primary_memory"})
        functions = {name: getattr(self, name) for name in _FUNCTIONS}
        primary: Any = self.primary_memory
        tokenizer = getattr(primary, "tokenizer_fn", None)
        if type(primary) is Memory and not store_refusal(primary):
            primary = written(primary)  # its connections cannot be pickled
        return _rebuild, (type(self), {**settings, **functions}, primary, tokenizer)


def _rebuild(
    cls: type[CogMemMemory], fields: dict[str, Any], primary: Any, tokenizer: Any
) -> CogMemMemory:
    if isinstance(primary, Mapping):
        primary = read(primary)
        primary.tokenizer_fn = tokenizer
    return cls(primary_memory=primary, **fields)


def _question_of(input: Any, history: Sequence[ChatMessage] | None) -> str:  # noqa: A002
    if input and not isinstance(input, (str, ChatMessage, Sequence)):
        raise InvalidInput(f"input is {checks.display(input)}; give a text, or None")
    return text_of(input) if input else open_question(newest_first(history or ()))


def _primary_of(
    *,
    llm: LLM | None = None,
    chat_store: BaseChatStore | AsyncDBChatStore | None = None,
    chat_store_key: str | None = None,
    token_limit: int | None = None,
    tokenizer_fn: Callable[[str], list[Any]] | None = None,
) -> BaseMemory:
    """What keeps the conversation, see `CogMemMemory.from_defaults`."""
    if llm is None and token_limit is None:
        token_limit = _TOKEN_LIMIT
    if not isinstance(chat_store, AsyncDBChatStore):
        return ChatMemoryBuffer.from_defaults(
            llm=llm,
            chat_store=chat_store,
            token_limit=token_limit,
            tokenizer_fn=tokenizer_fn,
            chat_store_key=chat_store_key or DEFAULT_CHAT_STORE_KEY,
        )
    limit = ChatMemoryBuffer.from_defaults(llm=llm, token_limit=token_limit).token_limit
    memory = Memory.from_defaults(
        session_id=chat_store_key, token_limit=limit, tokenizer_fn=tokenizer_fn
    )
    memory.sql_store = chat_store
    return memory
