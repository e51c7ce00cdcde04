"""Long-term memory for classic chains: recalls for the prompt, remembers what is said."""

from __future__ import annotations

import asyncio
import inspect
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from types import FrameType
from typing import Any

from langchain_core.messages import BaseMessage, SystemMessage, get_buffer_string
from langchain_core.prompt_values import PromptValue
from pydantic import ConfigDict, Field, PrivateAttr
from pydantic.json_schema import SkipJsonSchema

from cogmem_core.adapters.conversation import (
    question_before,
    record_answer,
    save_turns,
    with_question,
)
from cogmem_core.adapters.kept_blocks import gone
from cogmem_core.adapters.options import as_query, checked_arguments, checked_filters
from cogmem_core.adapters.resolve_bank import REMEMBER, BankResolver
from cogmem_core.adapters.run_recalls import shown_part
from cogmem_core.adapters.shown_once import answered, give_back, shown_later, shown_once
from cogmem_core.base.fail_open import LogAndContinue
from cogmem_core.edge import checks
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.errors import InvalidInput
from cogmem_core.feedback import Similarity
from cogmem_core.models import Feedback, Turn
from cogmem_core.results import Context
from cogmem_core.retrieval.recall import Recall
from langchain_cogmem.convert import NamespaceSource, SaveMode, text_of
from langchain_cogmem.exchanges import Conversation, Exchanges
from langchain_cogmem.framework_texts import (
    by_framework,
    is_memories,
    memories_in,
    memories_message,
)
from langchain_cogmem.recalled import (
    RecalledDocuments,
    RecalledMessages,
    RecalledText,
    Traced,
    documents_of,
)
from langchain_cogmem.run_info import RunInfo, help_by_name
from langchain_cogmem.user_words import said_by_person

try:
    from langchain_classic.base_memory import BaseMemory
    from langchain_classic.chains.base import Chain
    from langchain_classic.memory import ReadOnlySharedMemory
except ImportError as error:
    raise ImportError(
        "CogMemMemory needs LangChain's classic chains: pip install 'langchain-classic>=1.0'"
    ) from error

__all__ = ["CogMemMemory"]

_SLOT = "{memories}"
_NO_INPUT = ("stop", REMEMBER)  # keys that tell how to run
_OUTPUT = "output"
_RECALL_OPTIONS = ("k", "max_tokens", "session_id", "categories", "deadline")
_MISSING_KEY_HELP = (
    "give it to the chain among its inputs, chain.invoke({..., %s: 'ann'}), "
    "and name the question's with input_key="
)


class CogMemMemory(BaseMemory):
    """Memory of a classic chain, kept beyond the conversation.

    For `LLMChain`, `ConversationChain`, `AgentExecutor` and others.

    Before the model is asked, the memories that matter for the input are put under `memory_key`,
    and what the user said is remembered, so that it is not lost if the model fails; after it
    answered, the memories learn from the answer. Works sync, async, in batches and concurrently. A
    memory in a `ReadOnlySharedMemory` only recalls, and so does one in a run that tells
    `remember=False`, in its configuration or among the inputs of the chain.

    Args:
        bank: the bank whose memories are used. Or `engine` and `namespace`: a string, a
            template that the configuration or the inputs fill ("{user_id}"), or a function, sync or
            async, that returns it from the chain's inputs (`lambda inputs: inputs["user_id"]`),
            or from the `config`, `metadata` or `context` of the chain or graph that the chain is
            part of.
        memory_key: the prompt's variable.
        input_key: which input is the question; needed if there are several.
        output_key: which output is the answer; needed if there are several.
        k: the maximum number of memories.
        max_tokens: budget of the text; None = the engine's.
        session_id: the conversation: what was said in it counts more, and is remembered as said in
            it.
        filter: which memories may be found, as for `CogMemRetriever`.
        categories: only memories of one of these categories.
        deadline: seconds for a recall; then what was found so far is used.
        recent: so many of the last exchanges (a question and its answer) are shown, as they were
            said; 0 = none. Each stands behind what was recalled for it, what is always worth knowing
            in front of all, and what is recalled now behind them: so a prompt begins as the one
            before did, as long as they are not more. They are kept in this object, by namespace and
            session; for a window that outlives the process use `CogMemChatMessageHistory`.
        return_messages: messages instead of a text: a system message with the memories; with `recent`
            what is always worth knowing is that, and memories are messages behind the exchanges.
        return_docs: documents instead.
        template: the text around the memories, with `{memories}` in it; used only if there are any.
        save_mode: whose words are remembered: "user", "both" or "none".
        ask: let the model ask the user which of two versions holds, where both stand and bear on
            the input: at most one question a day, and none twice. His answer settles it.
        profile: begin with what is known of the user (see `MemoryBank.profile`), in a third of the
            budget at most.
        auto_feedback: False = memories do not learn from the answers.
        similarity_fn: (memory, answer) → 0..1, as for `MemoryBank.feedback`.
        on_feedback: called with the judgements of each answer, by the worker's thread.
        raise_errors: False = a recall, feedback or write that fails is logged, and the chain goes
            on. What the function given as `namespace` raises is always raised.

    Raises:
        InvalidInput: neither a bank nor an engine with a namespace, or both; k, max_tokens,
            session_id, filter, categories, deadline or recent is unusable; a template without
            `{memories}`; later: it cannot be told which input or output, or whose memories are
            meant.
        ValidationError: (pydantic's) an argument is unknown.

    Example:
        >>> import cogmem_core
        >>> from langchain_cogmem import CogMemMemory
        >>> with cogmem_core.open(embedder="hashing") as engine:
        ...     memory = CogMemMemory(bank=engine.bank("alice"))
        ...     memory.save_context({"input": "My sister Lena lives in Oslo"}, {"output": "Nice!"})
        ...     print("Lena lives in Oslo" in memory.load_memory_variables({"input": "Where is Lena?"})["history"])
        True
    """

    bank: SkipJsonSchema[MemoryBank | None] = Field(default=None, exclude=True, repr=False)
    engine: SkipJsonSchema[Engine | None] = Field(default=None, exclude=True, repr=False)
    namespace: SkipJsonSchema[NamespaceSource] = Field(default=None, exclude=True, repr=False)
    memory_key: str = "history"
    input_key: str | None = None
    output_key: str | None = None
    k: int = 8
    max_tokens: int | None = None
    session_id: str | None = None
    filter: Mapping[str, Any] | None = None
    categories: Sequence[str] | None = None
    deadline: float | None = None
    recent: int = 0
    return_messages: bool = False
    return_docs: bool = False
    template: str = _SLOT
    save_mode: SaveMode = "user"
    ask: bool = False
    profile: bool = False
    auto_feedback: bool = True
    similarity_fn: SkipJsonSchema[Similarity | None] = Field(default=None, exclude=True, repr=False)
    on_feedback: SkipJsonSchema[Callable[[tuple[Feedback, ...]], None] | None] = Field(
        default=None, exclude=True, repr=False
    )
    raise_errors: bool = False

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")
    _resolve_bank: BankResolver = PrivateAttr()
    _recall_arguments: dict[str, Any] = PrivateAttr()
    _exchanges: Exchanges = PrivateAttr()
    _fail_open: LogAndContinue = PrivateAttr()
    _last: Recall | None = PrivateAttr(default=None)

    def __init__(
        self,
        bank: MemoryBank | None = None,
        *,
        engine: Engine | None = None,
        namespace: NamespaceSource = None,
        memory_key: str = "history",
        input_key: str | None = None,
        output_key: str | None = None,
        k: int = 8,
        max_tokens: int | None = None,
        session_id: str | None = None,
        filter: Mapping[str, Any] | None = None,  # noqa: A002 - LangChain uses the name
        categories: Sequence[str] | None = None,
        deadline: float | None = None,
        recent: int = 0,
        return_messages: bool = False,
        return_docs: bool = False,
        template: str = _SLOT,
        save_mode: SaveMode = "user",
        ask: bool = False,
        profile: bool = False,
        auto_feedback: bool = True,
        similarity_fn: Similarity | None = None,
        on_feedback: Callable[[tuple[Feedback, ...]], None] | None = None,
        raise_errors: bool = False,
    ) -> None:
        fields: dict[str, Any] = {
            "bank": bank,
            "engine": engine,
            "namespace": namespace,
            "memory_key": memory_key,
            "input_key": input_key,
            "output_key": output_key,
            "k": k,
            "max_tokens": max_tokens,
            "session_id": session_id,
            "filter": filter,
            "categories": categories,
            "deadline": deadline,
            "recent": recent,
            "return_messages": return_messages,
            "return_docs": return_docs,
            "template": template,
            "save_mode": save_mode,
            "ask": ask,
            "profile": profile,
            "auto_feedback": auto_feedback,
            "similarity_fn": similarity_fn,
            "on_feedback": on_feedback,
            "raise_errors": raise_errors,
        }
        super().__init__(**fields)
        if _SLOT not in self.template:
            raise InvalidInput(
                f"template is {checks.display(self.template)}; it needs {_SLOT} where the memories belong"
            )
        if checks.whole("recent", self.recent) and self.return_docs:
            raise InvalidInput(
                "recent is given and so is return_docs; leave one out, or use return_messages"
            )
        self._resolve_bank = BankResolver(
            self.bank,
            self.engine,
            self.namespace,
            _MISSING_KEY_HELP,
            help_by_name(_MISSING_KEY_HELP),
        )
        source = self.bank or self.engine
        options = {name: getattr(self, name) for name in _RECALL_OPTIONS}
        self._recall_arguments = {
            **checked_filters(source, self.filter, "filter"),
            **checked_arguments(
                source, {name: value for name, value in options.items() if value is not None}
            ),
        }
        self._exchanges = Exchanges(self.recent)
        self._fail_open = LogAndContinue(raises=Exception if self.raise_errors else None)

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        yield None, self._resolve_bank
        yield from super().__repr_args__()

    @property
    def memory_variables(self) -> list[str]:
        """The key under which memories are put."""
        return [self.memory_key]

    @property
    def last_recall(self) -> Recall | None:
        """The result of the last recall, of any call; for a look inside while developing."""
        return self._last

    def load_memory_variables(self, inputs: dict[str, Any]) -> dict[str, Any]:
        """The memories that matter for the input, which is remembered.

        Without an input, what is always worth knowing is left out, too.
        """
        query = self._question(inputs)
        if not query.strip():
            return {self.memory_key: self._value("", [])}
        bank = self._resolve_bank(inputs, run=_run(inputs))
        return self._load(bank, query, is_said=said_by_person(query) and not _is_read_only())

    async def aload_memory_variables(self, inputs: dict[str, Any]) -> dict[str, Any]:
        """Async twin of `load_memory_variables`."""
        query = self._question(inputs)
        if not query.strip():
            return {self.memory_key: self._value("", [])}
        bank = await self._resolve_bank.awaited(inputs, run=_run(inputs))
        return await asyncio.to_thread(self._load, bank, query, is_said=said_by_person(query))

    def save_context(self, inputs: dict[str, Any], outputs: dict[str, Any]) -> None:
        """The recalled memories learn from the answer, if a model wrote it.

        Then what was said is remembered, as far as it is not yet.
        """
        question, answer = self._said(inputs, outputs)
        bank = None
        if self._is_saved(question, answer):
            bank = self._resolve_bank(inputs, run=_run(inputs))
        self._save(bank, inputs, question, answer)

    async def asave_context(self, inputs: dict[str, Any], outputs: dict[str, Any]) -> None:
        """Async twin of `save_context`."""
        question, answer = self._said(inputs, outputs)
        bank = None
        if self._is_saved(question, answer):
            bank = await self._resolve_bank.awaited(inputs, run=_run(inputs))
        await asyncio.to_thread(self._save, bank, inputs, question, answer)

    def clear(self) -> None:
        """Begin a new conversation: forget the session; `bank.restore` brings it back.

        Without a `session_id` nothing is forgotten, as a bank holds more than one conversation:
        `bank.forget_all(confirm=bank.namespace)` is for that.

        Raises:
            InvalidInput: the namespace depends on the inputs, so that it cannot be told whose
                session is meant.
        """
        self._last = None
        if self._resolve_bank.fixed is None:
            self._exchanges = Exchanges(self.recent)
        else:
            self._exchanges.clear(self._conversation(self._resolve_bank.fixed))
        if self.session_id is None:
            return
        if self._resolve_bank.fixed is None:
            raise InvalidInput(
                "whose session is meant depends on the inputs; use "
                "engine.bank(...).forget_session(...)"
            )
        bank = self._resolve_bank()
        bank.finish_pending()
        bank.forget_session(self.session_id)

    def flush(self) -> None:
        """Wait until what was said is remembered, and answers are learnt from."""
        (self.engine or self._resolve_bank().engine).flush()

    def _load(self, bank: MemoryBank, query: str, *, is_said: bool) -> dict[str, Any]:
        conversation = self._conversation(bank)
        recent = self._exchanges.recent(conversation)
        memories: Traced | None = None
        with self._fail_open("a recall"):
            bank.finish_pending()  # what was said last may be a wish to forget
            lost = gone(bank, frozenset[str]().union(*map(memories_in, recent)))
            standing = [message for message in recent if memories_in(message).isdisjoint(lost)]
            memories = self._recall(bank, query, standing)
        if memories is None:
            memories = self._value("", [said for said in recent if not is_memories(said)])
        if is_said and self.save_mode != "none":
            self._remember_question(bank, query)
        return {self.memory_key: memories}

    def _recall(self, bank: MemoryBank, query: str, recent: list[BaseMessage]) -> Traced:
        give_back(bank, query)
        recall = bank.recall(as_query(bank, query), **self._recall_arguments)
        ref = self._exchanges.open_ref(self._conversation(bank), query)
        if ref is not None:
            # A question that is asked again because its model failed is no answer to itself.
            others = [item for item in recall.results if item.memory.refs != (ref,)]
            recall = replace(recall, results=tuple(others))
        self._last = recall
        if self.return_docs:
            return RecalledDocuments(documents_of(recall)).of(
                bank, recall, [item.memory.id for item in recall.results]
            )
        ask = self.ask and not _is_read_only()
        apart = self.recent > 0
        stable = False if apart else None
        self._last, block = shown_once(bank, recall, stable=stable, ask=ask, profile=self.profile)
        lasting = self._last.block(stable=True, profile=self.profile) if apart else Context()
        shown = {**lasting.shown, **block.shown}
        value = self._value(block.text, recent, lasting.text)
        value.block = self._around(
            shown_later(self._last, block, stable=stable, profile=self.profile)
        )
        return value.of(bank, recall, shown)

    def _remember_question(self, bank: MemoryBank, question: str) -> None:
        """Write what the user said, once until it is answered."""
        conversation = self._conversation(bank)
        if not bank.keeps or self._exchanges.open_ref(conversation, question) is not None:
            return
        earlier_question = question_before(bank, self.session_id)
        ref = uuid.uuid4().hex
        turn = Turn(question, role="user", session_id=self.session_id, ref=ref)
        self._exchanges.ask(conversation, question, ref)
        with self._fail_open("remembering"):
            save_turns(bank, with_question([turn], earlier_question))

    def _save(
        self, bank: MemoryBank | None, inputs: Mapping[str, Any], question: str, output: str
    ) -> None:
        answer = _model_answer(output)
        memories = inputs.get(self.memory_key)
        if self.auto_feedback and answer and isinstance(memories, Traced):
            self._learn(memories, answer, inputs.values())
        shower = memories.bank if isinstance(memories, Traced) else bank
        if answer and shower is not None:
            answered(shower, question)
        if bank is None:
            return
        shown = []
        if isinstance(memories, Traced) and memories.recall and memories.block:
            shown = [memories_message(memories.block, memory_ids=memories.recall.memory_ids)]
        is_written = self._exchanges.answer(self._conversation(bank), question, output, shown)
        unwritten_question = question if not is_written and said_by_person(question) else ""
        turns = list(self._turns(unwritten_question, answer))
        if turns:
            with self._fail_open("remembering"):
                save_turns(bank, with_question(turns, question_before(bank, self.session_id)))
        record_answer(bank, answer, self.session_id)

    def _is_saved(self, question: str, output: str) -> bool:
        """Whether anything of an exchange is kept, so that it matters whose it is."""
        return bool(self.recent) or any(self._turns(question, _model_answer(output)))

    def _conversation(self, bank: MemoryBank) -> Conversation:
        return bank.namespace, self.session_id

    def _learn(self, memories: Traced, answer: str, values: Iterable[Any]) -> None:
        """Let the recalled memories learn from an answer.

        A memory that another memory object of the chain recalled, too, is judged once.
        """
        if memories.bank is None or memories.recall is None:
            return
        recalls = [value.recall for value in values if isinstance(value, Traced)]
        with self._fail_open("feedback"):
            memories.bank.feedback(
                shown_part(memories.bank, memories.recall, answer),
                answer,
                alongside=[recall for recall in recalls if recall is not None],
                similarity_fn=self.similarity_fn,
                wait=self.raise_errors,
                heard=self.on_feedback,
            )

    def _value(
        self, context: str, recent: list[BaseMessage], lasting: str = ""
    ) -> RecalledText | RecalledMessages | RecalledDocuments:
        """What a prompt gets: what lasts, what was said last with what was shown for it, and the memories."""
        if self.return_docs:
            return RecalledDocuments()
        text = self._around(context)
        first = self._around(lasting)
        if self.return_messages and not self.recent:
            return RecalledMessages([SystemMessage(text)] if text else [])
        messages = [*recent, *([memories_message(text)] if text else [])]
        if self.return_messages:
            return RecalledMessages([*([SystemMessage(first)] if first else []), *messages])
        for message in messages:
            ours = is_memories(message)
            gap = ("\n\n" if ours else "\n") if first else ""
            first += gap + (message.text if ours else get_buffer_string([message]))
        return RecalledText(first)

    def _around(self, memories: str) -> str:
        return self.template.replace(_SLOT, memories) if memories else ""

    def _turns(self, question: str, answer: str) -> Iterable[Turn]:
        if self.save_mode != "none" and question.strip():
            yield Turn(question, role="user", session_id=self.session_id)
        if self.save_mode == "both" and answer.strip():
            yield Turn(answer, role="assistant", session_id=self.session_id)

    def _question(self, inputs: Mapping[str, Any]) -> str:
        return self._text_in(inputs) if inputs else ""

    def _said(self, inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> tuple[str, str]:
        """Question and answer."""
        return self._text_in(inputs), text_of(outputs[self._output(outputs)])

    def _text_in(self, inputs: Mapping[str, Any]) -> str:
        """What the user says.

        Raises:
            InvalidInput: no text can be read from it, so that something is wired wrongly.
        """
        key = self._input(inputs)
        value = inputs[key]
        text = text_of(value)
        if not (text or isinstance(value, (str, BaseMessage, PromptValue, Sequence))):
            raise InvalidInput(
                f"inputs[{key!r}] is {checks.display(value)}; give a text there, or name the input "
                "that is one: input_key="
            )
        return text

    def _input(self, inputs: Mapping[str, Any]) -> str:
        if self.input_key is not None:
            return self.input_key
        candidates = []
        for key, value in inputs.items():
            if key not in (*_NO_INPUT, self.memory_key) and not isinstance(value, Traced):
                candidates.append(key)
        return _only_key(candidates, "input_key", "inputs")

    def _output(self, outputs: Mapping[str, Any]) -> str:
        if self.output_key is not None:
            return self.output_key
        if _OUTPUT in outputs:
            return _OUTPUT
        return _only_key(list(outputs), "output_key", "outputs")


def _model_answer(answer: str) -> str:
    """The answer.

    Empty if LangChain wrote it because a limit was reached, so that no memory could be used.
    """
    return "" if by_framework(answer) else answer


def _frames() -> Iterator[FrameType]:
    """Of whoever calls the caller, the nearest first."""
    frame = inspect.currentframe()
    while frame is not None:
        yield frame
        frame = frame.f_back


def _is_read_only() -> bool:
    """Whether a `ReadOnlySharedMemory` asks: nobody said to it what it is given."""
    for frame in islice(_frames(), 2, None):
        caller = frame.f_locals.get("self")
        if isinstance(caller, ReadOnlySharedMemory):
            return True
        if not isinstance(caller, BaseMemory):
            return False
    return False


def _run(inputs: dict[str, Any]) -> RunInfo:
    """The run that asks; of classic chains, which keep their configurations to themselves, all count."""
    given = [
        frame.f_locals.get("config")
        for frame in _frames()
        if "config" in frame.f_code.co_varnames and isinstance(frame.f_locals.get("self"), Chain)
    ]
    configs = [config for config in given if isinstance(config, Mapping)]
    around = [config.get(part) for config in configs for part in ("configurable", "metadata")]
    return RunInfo(inputs, variables=(inputs, *around))


def _only_key(keys: list[str], option: str, values: str) -> str:
    if len(keys) != 1:
        raise InvalidInput(
            f"the {values} are {sorted(keys)}; give {option}= to tell which of them is meant"
        )
    return keys[0]
