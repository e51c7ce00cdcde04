"""The other way round: the engine works with the chat model and the embeddings that an application has already.

Example:
    >>> import cogmem
    >>> from langchain_core.embeddings import DeterministicFakeEmbedding
    >>> embedder = LangChainEmbedder(DeterministicFakeEmbedding(size=64))
    >>> with cogmem.open(embedder=embedder) as engine:
    ...     print(engine.health()["embedder"])
    langchain:DeterministicFakeEmbedding:64
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from contextvars import Context
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, TypeVar

import numpy as np
from langchain_core.embeddings import Embeddings
from langchain_core.messages import AIMessage, convert_to_messages
from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.utils.json_schema import dereference_refs
from pydantic import BaseModel

from cogmem.errors import CogMemError, InvalidInput
from cogmem.llm.answers import LLMOutputError, LLMUnavailable, json_schema_format, validated, with_schema
from cogmem.patience import Deadline, Overdue, Patience
from cogmem.ports import FloatArray, Usage
from langchain_cogmem.convert import text_of

__all__ = ["LangChainEmbedder", "LangChainLLM"]

Model = TypeVar("Model", bound=BaseModel)

TAG = "cogmem"
"""A tag of every run that the engine starts by itself, so that handlers can leave those alone."""
_CONFIG: RunnableConfig = {"tags": [TAG], "run_name": TAG}
_REFUSED_STATUS = (400, 404, 422)
_UNABLE = (NotImplementedError, AttributeError, TypeError, ValueError)
_REASONS = ("finish_reason", "stop_reason", "done_reason")
_END_OF_ROOM = {"length", "max_tokens"}
_UNUSABLE = ("LengthFinishReasonError", "ContentFilterFinishReasonError", "OutputParserException", "ValidationError")
"""What clients raise of an answer that they got; by name, because the clients are no dependencies."""
_NAMES = ("model_name", "model", "model_id", "repo_id", "deployment_name")


@dataclass(slots=True)
class _Call:
    """One `complete`: what it may take, and what it has cost so far."""

    messages: Sequence[Mapping[str, Any]]
    deadline: Deadline
    usage: Usage = field(default_factory=Usage)


class LangChainLLM:
    """A LangChain chat model as the engine's language model: `cogmem.open(llm=LangChainLLM(model))`. Thread-safe.

    The model is asked through `with_structured_output`; where it has none, or the server refuses it, by a prompt with
    the schema, and the JSON is taken out of the text. Which of the two works is remembered for each kind of answer.
    It is asked in a thread of its own, apart from the run that is going on: neither the callbacks of a chain nor its
    stream see it. Its runs have the tag "cogmem".

    A call is given up when its time is over, and while it hangs on further ones are refused at once; a `timeout` of
    the chat model itself ends the connection, too.

    Args:
        chat_model: a chat model, also one with retries or fallbacks (`model.with_fallbacks([...])`).
        name: how health and log call it; the model's own name if None.

    Raises:
        InvalidInput: not something that can be invoked.

    Example:
        >>> from langchain_core.language_models import FakeListChatModel
        >>> from pydantic import BaseModel
        >>> class City(BaseModel):
        ...     name: str
        >>> llm = LangChainLLM(FakeListChatModel(responses=['It is {"name": "Lisbon"}.']))
        >>> llm.complete([{"role": "user", "content": "Which city?"}], City, timeout=5.0)
        City(name='Lisbon')
    """

    def __init__(self, chat_model: Runnable[Any, Any], *, name: str | None = None) -> None:
        if not isinstance(chat_model, Runnable):
            raise InvalidInput(f"chat_model is a {type(chat_model).__name__}; give a LangChain chat model")
        self.model = name or _model_name(chat_model) or type(chat_model).__name__
        self._chat_model: Any = chat_model
        self._patience = Patience()
        self._unstructured: set[type[BaseModel]] = set()
        self._last = threading.local()

    def __repr__(self) -> str:
        return f"LangChainLLM({self.model!r})"

    @property
    def usage(self) -> Usage:
        """What this thread's last `complete` cost, failed ones included; tokens are 0 where the model tells none."""
        usage: Usage = getattr(self._last, "usage", Usage())
        return usage

    def complete(self, messages: Sequence[Mapping[str, Any]], response_model: type[Model], timeout: float) -> Model:
        """Answer within `timeout` seconds.

        Raises:
            LLMUnavailable: no answer: the model failed, or too late. LLMOutputError: one of another shape.
        """
        call = _Call(messages, Deadline(timeout))
        try:
            # An empty context: the engine's own questions are no part of the run that happens to be going on.
            return self._patience.call(lambda: Context().run(self._answer, call, response_model), timeout)
        except Overdue as error:
            raise LLMUnavailable(f"{self!r} did not answer in time ({error})") from error
        finally:
            self._last.usage = call.usage

    def _answer(self, call: _Call, response_model: type[Model]) -> Model:
        with _Translated(self):
            if response_model not in self._unstructured:
                try:
                    return self._structured(call, response_model)
                except _Unstructured:
                    pass
            said = self._ask(self._chat_model, with_schema(call.messages, response_model), call)
            self._unstructured.add(response_model)
            return self._read(said, call, response_model)

    def _structured(self, call: _Call, response_model: type[Model]) -> Model:
        try:
            asked = self._chat_model.with_structured_output(_schema(response_model), include_raw=True)
        except _UNABLE as error:
            raise _Unstructured from error
        with _Refusal():
            said = self._ask(asked, call.messages, call)["raw"]
        # Not what LangChain made of it: its parsers complete what was cut off.
        return self._read(said, call, response_model)

    def _read(self, said: Any, call: _Call, response_model: type[Model]) -> Model:
        """The answer, from the text or from the first call of a tool."""
        if isinstance(said, AIMessage):
            call.usage += _spent(said)
            if _END_OF_ROOM & {str(said.response_metadata.get(name)).lower() for name in _REASONS}:
                raise LLMOutputError("the answer was cut off by the token limit")
            if said.tool_calls:
                return validated(json.dumps(said.tool_calls[0]["args"]), response_model)
        return validated(text_of(said), response_model)

    def _ask(self, model: Runnable[Any, Any], messages: Sequence[Mapping[str, Any]], call: _Call) -> Any:
        if call.deadline.passed:
            raise LLMUnavailable(f"{self!r} did not answer in time")
        call.usage += Usage(calls=1)
        return model.invoke(convert_to_messages([dict(message) for message in messages]), _CONFIG)


class LangChainEmbedder:
    """LangChain embeddings as the engine's embedder: `cogmem.open(embedder=LangChainEmbedder(embeddings))`.

    Vectors of two fingerprints are never compared, and a bank opens only with the one it was written with. So where
    class and model do not tell the vectors (a cache around a model, a model of your own), give a name, and another one
    when the vectors change. Thread-safe if the embeddings are.

    Args:
        embeddings: the embeddings.
        name: names the model in the fingerprint; the class and the model's own name if None.

    Raises:
        InvalidInput: no embeddings, or an empty name.

    Example:
        >>> from langchain_core.embeddings import DeterministicFakeEmbedding
        >>> embedder = LangChainEmbedder(DeterministicFakeEmbedding(size=16), name="mine-v1")
        >>> embedder.fingerprint, embedder.embed_documents(["a", "b"]).shape
        ('langchain:mine-v1:16', (2, 16))
    """

    def __init__(self, embeddings: Embeddings, *, name: str | None = None) -> None:
        if not isinstance(embeddings, Embeddings):
            raise InvalidInput(f"embeddings is a {type(embeddings).__name__}; give LangChain embeddings")
        if name is not None and not name.strip():
            raise InvalidInput(f"name is {name!r}; name the model, or leave it out")
        self._embeddings = embeddings
        self._name = name or ":".join(filter(None, (type(embeddings).__name__, _model_name(embeddings))))
        self._lock, self._dimension = threading.Lock(), 0

    def __repr__(self) -> str:
        return f"LangChainEmbedder({self._name!r})"

    @property
    def fingerprint(self) -> str:
        """`langchain:<class>:<model>:<dimension>` or `langchain:<name>:<dimension>`; embeds a word the first time."""
        return f"langchain:{self._name}:{self.dimension}"

    @property
    def dimension(self) -> int:
        """Length of a vector; embeds a word the first time."""
        with self._lock:
            if not self._dimension:
                self._dimension = len(self._embeddings.embed_query("dimension"))
            return self._dimension

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """Shape (len(texts), dimension); raises whatever the embeddings raise."""
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        return np.asarray(self._embeddings.embed_documents(list(texts)), dtype=np.float32)

    def embed_query(self, text: str) -> FloatArray:
        """Shape (dimension,); raises whatever the embeddings raise."""
        return np.asarray(self._embeddings.embed_query(text), dtype=np.float32)


class _Unstructured(Exception):
    """The model gives no structured output for this schema."""


class _Refusal:
    """Tells a server that refuses structured output from one that fails."""

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if isinstance(error, NotImplementedError) or _status(error) in _REFUSED_STATUS:
            raise _Unstructured from error


class _Translated:
    """What a model raises becomes one of cogmem's errors, without its text, which may quote the prompt."""

    def __init__(self, llm: LangChainLLM) -> None:
        self._llm = llm

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if isinstance(error, Exception) and not isinstance(error, CogMemError):
            name, status = type(error).__name__, _status(error)
            if name in _UNUSABLE:
                raise LLMOutputError(f"the answer cannot be used ({name})") from error
            told = name if status is None else f"{name}, status {status}"
            raise LLMUnavailable(f"{self._llm!r} failed ({told})") from error


def _status(error: object) -> int | None:
    """The status of a server's answer, as the clients of most providers tell it."""
    told = (getattr(error, name, None) for name in ("status_code", "code"))
    return next((status for status in told if isinstance(status, int)), None)


def _schema(model: type[BaseModel]) -> dict[str, Any]:
    """For `with_structured_output`: as JSON, because of a class the clients of some providers lose what does not fit.

    Without references, which not every provider follows.
    """
    plain = dereference_refs(json_schema_format(model)["json_schema"]["schema"])
    plain.pop("$defs", None)
    return {"title": model.__name__, "description": "The answer.", **plain}


def _spent(said: AIMessage) -> Usage:
    told = said.usage_metadata
    return Usage() if told is None else Usage(told["input_tokens"], told["output_tokens"])


def _model_name(model: object) -> str:
    """What the integrations call the model; empty if it has no name."""
    found = (getattr(model, name, None) for name in _NAMES)
    return next((name for name in found if isinstance(name, str) and name), "")
