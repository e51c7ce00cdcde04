"""The chat model and the embeddings of an application, for use by the engine.

Example:
    >>> import cogmem_core
    >>> from langchain_core.embeddings import DeterministicFakeEmbedding
    >>> embedder = LangChainEmbedder(DeterministicFakeEmbedding(size=64))
    >>> with cogmem_core.open(embedder=embedder) as engine:
    ...     print(engine.health()["embedder"])
    langchain:DeterministicFakeEmbedding:64
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from langchain_core.embeddings import Embeddings
from langchain_core.messages import AIMessage, convert_to_messages
from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.utils.json_schema import dereference_refs
from pydantic import BaseModel

from cogmem_core.embedders.adapter import BorrowedEmbedder
from cogmem_core.errors import InvalidInput
from cogmem_core.llm.answers import json_schema_format
from cogmem_core.llm.wrappers import (
    STOP_REASONS,
    BorrowedLLM,
    ModelReply,
    NoStructuredOutput,
    RefusalAsUnstructured,
    cut_off,
)
from cogmem_core.ports import Usage
from langchain_cogmem.convert import text_of

__all__ = ["LangChainEmbedder", "LangChainLLM"]

TAG = "cogmem"
"""A tag of every run that the engine starts by itself, so that handlers can leave those alone."""
_CONFIG: RunnableConfig = {"tags": [TAG], "run_name": TAG}
_NO_STRUCTURED_OUTPUT = (NotImplementedError, AttributeError, TypeError, ValueError)
_NAME_ATTRIBUTES = ("model_name", "model", "model_id", "repo_id", "deployment_name")


class LangChainLLM(BorrowedLLM):
    """A LangChain chat model as the engine's language model.

    Pass it as `cogmem_core.open(llm=LangChainLLM(model))`. Thread-safe.

    The model is asked through `with_structured_output`; where it has none, or the server refuses
    it, by a prompt with the schema, and the JSON is taken out of the text. Which of the two works
    is remembered for each kind of answer. It is asked in a thread of its own, apart from the run
    that is going on: neither the callbacks of a chain nor its stream see it. Its runs have the tag
    "cogmem".

    A call is given up when its time is over, and while it hangs on further ones are refused at
    once; a `timeout` of the chat model itself ends the connection, too.

    Args:
        chat_model: a chat model, also one with retries or fallbacks
            (`model.with_fallbacks([...])`).
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
            raise InvalidInput(
                f"chat_model is a {type(chat_model).__name__}; give a LangChain chat model"
            )
        super().__init__(name or _model_name(chat_model) or type(chat_model).__name__)
        self._chat_model: Any = chat_model

    def ask(
        self,
        messages: Sequence[Mapping[str, Any]],
        shape: type[BaseModel] | None,
        on_request: Callable[[], None],
    ) -> ModelReply:
        """Ask the chat model once; see `BorrowedLLM.said`."""
        chat_messages = convert_to_messages([dict(message) for message in messages])
        if shape is None:
            on_request()
            return _reply_of(self._chat_model.invoke(chat_messages, _CONFIG))
        try:
            model = self._chat_model.with_structured_output(_schema(shape), include_raw=True)
        except _NO_STRUCTURED_OUTPUT as error:
            raise NoStructuredOutput from error
        on_request()
        with RefusalAsUnstructured():
            # Not what LangChain makes of it: its parsers complete what was cut off.
            return _reply_of(model.invoke(chat_messages, _CONFIG)["raw"])


class LangChainEmbedder(BorrowedEmbedder):
    """LangChain embeddings as the engine's embedder.

    Pass them as `cogmem_core.open(embedder=LangChainEmbedder(embeddings))`.

    Vectors of two fingerprints are never compared, and a bank opens only with the one it was
    written with. So where class and model do not tell the vectors (a cache around a model, a model
    of your own), give a name, and another one when the vectors change. Thread-safe if the
    embeddings are.

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

    framework = "langchain"

    def __init__(self, embeddings: Embeddings, *, name: str | None = None) -> None:
        if not isinstance(embeddings, Embeddings):
            raise InvalidInput(
                f"embeddings is a {type(embeddings).__name__}; give LangChain embeddings"
            )
        super().__init__(type(embeddings), _model_name(embeddings), name=name)
        self._embeddings = embeddings

    @property
    def embeddings(self) -> Embeddings:
        """The embeddings that make the vectors."""
        return self._embeddings

    def vectors(self, texts: list[str]) -> Sequence[Sequence[float]]:
        """As the embeddings embed documents."""
        return self._embeddings.embed_documents(texts)

    def vector(self, text: str) -> Sequence[float]:
        """As the embeddings embed a query."""
        return self._embeddings.embed_query(text)


def _reply_of(answer: Any) -> ModelReply:
    """The answer, from the text or from the first call of a tool."""
    if not isinstance(answer, AIMessage):
        return ModelReply(text_of(answer))
    text = text_of(answer)
    if answer.tool_calls:
        text = json.dumps(answer.tool_calls[0]["args"])
    reasons = map(answer.response_metadata.get, STOP_REASONS)
    return ModelReply(text, _usage_of(answer), cut_off=cut_off(reasons))


def _schema(model: type[BaseModel]) -> dict[str, Any]:
    """The schema for `with_structured_output`, as JSON.

    Given a class, the clients of some providers lose answers that do not fit.

    Without references, which not every provider follows.
    """
    plain = dereference_refs(json_schema_format(model)["json_schema"]["schema"])
    plain.pop("$defs", None)
    return {"title": model.__name__, "description": "The answer.", **plain}


def _usage_of(message: AIMessage) -> Usage:
    usage = message.usage_metadata
    if usage is None:
        return Usage()
    return Usage(usage["input_tokens"], usage["output_tokens"])


def _model_name(model: object) -> str:
    """What the integrations call the model; empty if it has no name."""
    names = (getattr(model, name, None) for name in _NAME_ATTRIBUTES)
    return next((name for name in names if isinstance(name, str) and name), "")
