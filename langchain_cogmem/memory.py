"""Long-term memory for classic chains: recalls for the prompt, remembers what is said."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from pydantic import ConfigDict, Field, PrivateAttr

from cogmem_core.adapters.answering_calls import shown_part
from cogmem_core.adapters.conversation import question_before, record_answer, with_question
from cogmem_core.adapters.options import checked_arguments
from cogmem_core.adapters.resolve_bank import bank_resolver
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.errors import InvalidInput
from cogmem_core.fail_open import LogAndContinue
from cogmem_core.feedback import Similarity
from cogmem_core.models import Turn
from cogmem_core.retrieval.recall import Recall
from langchain_cogmem.convert import NamespaceSource, text_of
from langchain_cogmem.framework_texts import by_framework
from langchain_cogmem.recalled import (
    RecalledDocuments,
    RecalledText,
    Traced,
    documents_of,
    message_of,
)

try:
    from langchain_classic.base_memory import BaseMemory
except ImportError as error:
    raise ImportError(
        "CogMemMemory needs LangChain's classic chains: pip install 'langchain-classic>=1.0'"
    ) from error

__all__ = ["CogMemMemory"]

_SLOT = "{memories}"
_NO_INPUT = "stop"  # a key that LangChain lets pass beside the inputs
_OUTPUT = "output"
_RECALL_OPTIONS = ("k", "max_tokens", "session_id")
_MISSING_KEY_HELP = (
    "give it to the chain among its inputs, chain.invoke({..., %s: 'ann'}), "
    "and name the question's with input_key="
)


class CogMemMemory(BaseMemory):
    """Memory of a classic chain, kept beyond the conversation.

    For `LLMChain`, `ConversationChain`, `AgentExecutor` and others.

    Before the model is asked, the memories that matter for the input are put under `memory_key`;
    after it answered, they learn from the answer, and what the user said is remembered. Works sync,
    async, in batches and concurrently.

    Args:
        bank: the bank whose memories are used. Or `engine` and `namespace`: a string, or a function
            that returns it from the chain's inputs (`lambda inputs: inputs["user_id"]`).
        memory_key: the prompt's variable.
        input_key, output_key: which input is the question, which output the answer; needed if there
            are several.
        k: the maximum number of memories.
        max_tokens: budget of the text; None = the engine's.
        session_id: the conversation: what was said in it counts more, and is remembered as said in
            it.
        return_messages: a system message instead of a text.
        return_docs: documents instead.
        template: the text around the memories, with `{memories}` in it; used only if there are any.
        save_mode: whose words are remembered: "user", "both" or "none".
        auto_feedback: False = memories do not learn from the answers.
        similarity_fn: (memory, answer) → 0..1, as for `MemoryBank.feedback`.
        raise_errors: False = a recall, feedback or write that fails is logged, and the chain goes
            on. What the function given as `namespace` raises is always raised.

    Raises:
        InvalidInput: neither a bank nor an engine with a namespace, or both; k, max_tokens or
            session_id is unusable; a template without `{memories}`; later: it cannot be told which
            input or output, or whose memories are meant.
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

    bank: MemoryBank | None = Field(default=None, exclude=True, repr=False)
    engine: Engine | None = Field(default=None, exclude=True, repr=False)
    namespace: NamespaceSource = Field(default=None, exclude=True, repr=False)
    memory_key: str = "history"
    input_key: str | None = None
    output_key: str | None = None
    k: int = 8
    max_tokens: int | None = None
    session_id: str | None = None
    return_messages: bool = False
    return_docs: bool = False
    template: str = _SLOT
    save_mode: Literal["user", "both", "none"] = "user"
    auto_feedback: bool = True
    similarity_fn: Similarity | None = Field(default=None, exclude=True, repr=False)
    raise_errors: bool = False

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")
    _resolve_bank: Callable[..., MemoryBank] = PrivateAttr()
    _fail_open: LogAndContinue = PrivateAttr()
    _last: Recall | None = PrivateAttr(default=None)

    def __init__(self, bank: MemoryBank | None = None, **fields: Any) -> None:
        super().__init__(**{"bank": bank, **fields})
        if _SLOT not in self.template:
            raise InvalidInput(
                f"template is {self.template!r}; it needs {_SLOT} where the memories belong"
            )
        self._resolve_bank = bank_resolver(
            self.bank, self.engine, self.namespace, _MISSING_KEY_HELP
        )
        checked_arguments(
            self.bank or self.engine, {name: getattr(self, name) for name in _RECALL_OPTIONS}
        )
        self._fail_open = LogAndContinue(raises=Exception if self.raise_errors else None)

    @property
    def memory_variables(self) -> list[str]:
        """The key under which memories are put."""
        return [self.memory_key]

    @property
    def last_recall(self) -> Recall | None:
        """The result of the last recall, of any call; for a look inside while developing."""
        return self._last

    def load_memory_variables(self, inputs: dict[str, Any]) -> dict[str, Any]:
        """The memories that matter for the input.

        Without an input, what is always worth knowing is left out, too.
        """
        query = text_of(inputs[self._input(inputs)]) if inputs else ""
        memories: Traced | None = None
        if query.strip():
            bank = self._resolve_bank(inputs)
            with self._fail_open("a recall"):
                memories = self._recall(bank, query)
        if memories is None:
            memories = self._no_memories()
        return {self.memory_key: memories}

    def save_context(self, inputs: dict[str, Any], outputs: dict[str, Any]) -> None:
        """The recalled memories learn from the answer, if a model wrote it.

        Then what was said is remembered.
        """
        question = text_of(inputs[self._input(inputs)])
        answer = _model_answer(text_of(outputs[self._output(outputs)]))
        turns = list(self._turns(question, answer))
        memories = inputs.get(self.memory_key)
        bank = self._resolve_bank(inputs) if turns else None
        if self.auto_feedback and answer and isinstance(memories, Traced):
            self._learn(memories, answer, inputs.values())
        if bank is not None:
            with self._fail_open("remembering"):
                bank.remember(
                    with_question(turns, question_before(bank, self.session_id)), wait=False
                )
            record_answer(bank, answer, self.session_id)

    def clear(self) -> None:
        """Begin a new conversation: forget the session; `bank.restore` brings it back.

        Without a `session_id` nothing is forgotten, as a bank holds more than one conversation:
        `bank.forget_all(confirm=bank.namespace)` is for that.

        Raises:
            InvalidInput: the namespace depends on the inputs, so that it cannot be told whose
                session is meant.
        """
        self._last = None
        if self.session_id is None:
            return
        if callable(self.namespace):
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

    def _recall(self, bank: MemoryBank, query: str) -> Traced:
        bank.finish_pending()
        self._last = recall = bank.recall(
            query, k=self.k, session_id=self.session_id, max_tokens=self.max_tokens
        )
        if self.return_docs:
            return RecalledDocuments(documents_of(recall)).of(
                bank, recall, [item.memory.id for item in recall.results]
            )
        block = recall.block()
        return self._formatted(block.text).of(bank, recall, block.shown)

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
            )

    def _formatted(self, context: str) -> Traced:
        text = self.template.replace(_SLOT, context) if context else ""
        return message_of(text) if self.return_messages else RecalledText(text)

    def _no_memories(self) -> Traced:
        return RecalledDocuments() if self.return_docs else self._formatted("")

    def _turns(self, question: str, answer: str) -> Iterable[Turn]:
        if self.save_mode != "none" and question.strip():
            yield Turn(question, role="user", session_id=self.session_id)
        if self.save_mode == "both" and answer.strip():
            yield Turn(answer, role="assistant", session_id=self.session_id)

    def _input(self, inputs: Mapping[str, Any]) -> str:
        if self.input_key is not None:
            return self.input_key
        candidates = []
        for key, value in inputs.items():
            if key not in (_NO_INPUT, self.memory_key) and not isinstance(value, Traced):
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


def _only_key(keys: list[str], option: str, values: str) -> str:
    if len(keys) != 1:
        raise InvalidInput(
            f"the {values} are {sorted(keys)}; give {option}= to tell which of them is meant"
        )
    return keys[0]
