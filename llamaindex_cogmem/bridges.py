"""The LLM and the embeddings of an application, for use by the engine."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.base.llms.types import ChatMessage, ChatResponse, MessageRole
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.llms.llm import LLM
from llama_index.core.program.function_program import get_function_tool
from pydantic import BaseModel

from cogmem_core.embedders.adapter import BorrowedEmbedder
from cogmem_core.errors import InvalidInput
from cogmem_core.llm.wrappers import (
    STOP_REASONS,
    BorrowedLLM,
    ModelReply,
    NoStructuredOutput,
    RefusalAsUnstructured,
    cut_off,
)
from cogmem_core.ports import Usage
from llamaindex_cogmem.convert import text_of
from llamaindex_cogmem.tracing import internal_questions

__all__ = ["LlamaIndexEmbedder", "LlamaIndexLLM"]

_PLACEHOLDER_NAMES = ("", "unknown")
_PROMPT = ("prompt_tokens", "input_tokens")
_COMPLETION = ("completion_tokens", "output_tokens")


class LlamaIndexLLM(BorrowedLLM):
    """A LlamaIndex LLM as the engine's language model.

    Pass it as `cogmem_core.open(llm=LlamaIndexLLM(llm))`. Thread-safe if the LLM is.

    A model that calls functions is asked to call one with the schema; any other, or where the
    server refuses that, is asked by a prompt with the schema, and the JSON is taken out of the
    text. It is asked in a thread of its own, apart from the query that is going on, and what it
    answers counts as nobody's answer, whatever handlers are installed.

    A call is given up when its time is over, and while it hangs on further ones are refused at
    once; a time-out of the LLM itself ends the connection, too.

    Args:
        llm: any `llama_index.core.llms.LLM`.
        name: how health and log call it; the model's own name if None.

    Raises:
        InvalidInput: something else.

    Example:
        >>> from llama_index.core.llms import MockLLM
        >>> from pydantic import BaseModel
        >>> class City(BaseModel):
        ...     name: str
        >>> llm = LlamaIndexLLM(MockLLM())  # repeats its prompt
        >>> llm.complete([{"role": "user", "content": 'It is {"name": "Lisbon"}.'}], City, timeout=5.0)
        City(name='Lisbon')
    """

    def __init__(self, llm: LLM, *, name: str | None = None) -> None:
        if not isinstance(llm, LLM):
            raise InvalidInput(f"llm is a {type(llm).__name__}; give a llama_index.core.llms.LLM")
        super().__init__(name or _real_name(llm.metadata.model_name) or type(llm).__name__)
        self._llm = llm

    def ask(
        self,
        messages: Sequence[Mapping[str, Any]],
        shape: type[BaseModel] | None,
        on_request: Callable[[], None],
    ) -> ModelReply:
        """Ask the LLM once; see `BorrowedLLM.said`."""
        chat_messages = [
            ChatMessage(role=MessageRole(item["role"]), content=item["content"])
            for item in messages
        ]
        with internal_questions():
            if shape is None:
                on_request()
                return _reply_of(self._llm.chat(chat_messages))
            if not (
                isinstance(self._llm, FunctionCallingLLM)
                and self._llm.metadata.is_function_calling_model
            ):
                raise NoStructuredOutput
            tool = get_function_tool(shape)
            on_request()
            with RefusalAsUnstructured():
                answer = self._llm.chat_with_tools(
                    [tool], chat_history=chat_messages, tool_required=True
                )
            calls = self._llm.get_tool_calls_from_response(answer, error_on_no_tool_call=False)
            return _reply_of(answer, *(json.dumps(call.tool_kwargs) for call in calls))


class LlamaIndexEmbedder(BorrowedEmbedder):
    """LlamaIndex embeddings as the engine's embedder.

    Pass them as `cogmem_core.open(embedder=LlamaIndexEmbedder(embed_model))`.

    Vectors of two fingerprints are never compared, and a bank opens only with the one it was
    written with. So where class and model do not tell the vectors, give a name, and another one
    when the vectors change. Thread-safe if the model is.

    Args:
        embed_model: any `BaseEmbedding`.
        name: names the model in the fingerprint; the class and the model's own name if None.

    Raises:
        InvalidInput: something else, or an empty name.

    Example:
        >>> from llama_index.core import MockEmbedding
        >>> embedder = LlamaIndexEmbedder(MockEmbedding(embed_dim=16), name="mine-v1")
        >>> embedder.fingerprint, embedder.embed_documents(["a", "b"]).shape
        ('llamaindex:mine-v1:16', (2, 16))
    """

    framework = "llamaindex"

    def __init__(self, embed_model: BaseEmbedding, *, name: str | None = None) -> None:
        if not isinstance(embed_model, BaseEmbedding):
            raise InvalidInput(
                f"embed_model is a {type(embed_model).__name__}; give a LlamaIndex BaseEmbedding"
            )
        super().__init__(type(embed_model), _real_name(embed_model.model_name), name=name)
        self._model = embed_model

    def vectors(self, texts: list[str]) -> Sequence[Sequence[float]]:
        """As the model embeds texts."""
        return self._model.get_text_embedding_batch(texts)

    def vector(self, text: str) -> Sequence[float]:
        """As the model embeds a query."""
        return self._model.get_query_embedding(text)


def _real_name(name: str) -> str:
    return "" if name in _PLACEHOLDER_NAMES else name


def _reply_of(answer: ChatResponse, *arguments: str) -> ModelReply:
    """The answer, from the text or from the first call of a tool."""
    sources = [answer.additional_kwargs, answer.raw]
    choices = _field(answer.raw, "choices")
    if isinstance(choices, (list, tuple)):
        sources += choices
    reasons: list[object] = []
    for source in sources:
        reasons += (_field(source, name) for name in STOP_REASONS)
    text = arguments[0] if arguments else text_of(answer.message)
    return ModelReply(text, _usage(answer), cut_off=cut_off(reasons))


def _usage(answer: ChatResponse) -> Usage:
    """What the LLM's own client tells: beside the answer, or in the provider's own."""
    for source in (answer.additional_kwargs, _field(answer.raw, "usage")):
        tokens = [max(0, _number(source, *names)) for names in (_PROMPT, _COMPLETION)]
        if any(tokens):
            return Usage(*tokens)
    return Usage()


def _number(source: object, *names: str) -> int:
    """The first of these fields that holds a number; 0 if none does."""
    for name in names:
        value = _field(source, name)
        if isinstance(value, int):
            return value
    return 0


def _field(source: object, name: str) -> Any:
    return source.get(name) if isinstance(source, Mapping) else getattr(source, name, None)
