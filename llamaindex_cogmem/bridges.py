"""LlamaIndex's models for cogmem: pass them to `cogmem.open(llm=..., embedder=...)`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.base.llms.types import ChatMessage, ChatResponse, MessageRole
from llama_index.core.llms.llm import LLM

from cogmem.errors import InvalidInput
from cogmem.llm.borrowed import BorrowedLLM
from cogmem.ports import FloatArray, Usage
from llamaindex_cogmem.convert import text_of
from llamaindex_cogmem.tracing import aside

__all__ = ["LlamaIndexEmbedder", "LlamaIndexLLM"]

_UNNAMED = ("", "unknown")


class LlamaIndexLLM(BorrowedLLM):
    """A LlamaIndex LLM for cogmem's own steps (forming memories, merging, summaries); thread-safe if the LLM is.

    What it is asked here counts as nobody's answer, whatever handlers are installed.

    Args:
        llm: any `llama_index.core.llms.LLM`.

    Raises:
        InvalidInput: something else.

    Example:
        >>> import cogmem
        >>> from llama_index.core.llms import MockLLM
        >>> from llamaindex_cogmem import LlamaIndexLLM
        >>> with cogmem.open(embedder="hashing", llm=LlamaIndexLLM(MockLLM())) as engine:
        ...     report = engine.bank("ann").remember("I moved to Lisbon in May")
        ...     print(report.receipts[0].status)  # this model says nothing useful, so rules decide
        stored
    """

    def __init__(self, llm: LLM) -> None:
        super().__init__()
        if not isinstance(llm, LLM):
            raise InvalidInput(f"llm is a {type(llm).__name__}; give a llama_index.core.llms.LLM")
        self._llm = llm

    @property
    def model(self) -> str:
        """The model's name."""
        name = self._llm.metadata.model_name
        return self._llm.class_name() if name in _UNNAMED else name

    def chat(self, messages: Sequence[Mapping[str, Any]]) -> tuple[str, Usage]:
        """What the model answers, and what that cost."""
        asked = [ChatMessage(role=MessageRole(item["role"]), content=item["content"]) for item in messages]
        with aside():
            response = self._llm.chat(asked)
        return text_of(response.message), _usage(response)


class LlamaIndexEmbedder:
    """A LlamaIndex embedding model for cogmem; thread-safe if the model is.

    Args:
        embed_model: any `BaseEmbedding`.
        dimension: length of its vectors; None = learnt from one probe when it is first needed.
        name: names model and revision: vectors of two names are never compared. None = the model's own name.

    Raises:
        InvalidInput: something else than an embedding model, or a dimension below 1.

    Example:
        >>> import cogmem
        >>> from llama_index.core import MockEmbedding
        >>> from llamaindex_cogmem import LlamaIndexEmbedder
        >>> with cogmem.open(embedder=LlamaIndexEmbedder(MockEmbedding(embed_dim=8))) as engine:
        ...     _ = engine.bank("ann").remember("I moved to Lisbon in May")
        ...     print(engine.health()["embedder"])
        llamaindex:MockEmbedding:8
    """

    def __init__(self, embed_model: BaseEmbedding, *, dimension: int | None = None, name: str | None = None) -> None:
        if not isinstance(embed_model, BaseEmbedding):
            raise InvalidInput(f"embed_model is a {type(embed_model).__name__}; give a LlamaIndex BaseEmbedding")
        if dimension is not None and (isinstance(dimension, bool) or dimension < 1):
            raise InvalidInput(f"dimension is {dimension!r}; use 1 or more")
        self._model, self._dimension, self._name = embed_model, dimension, name

    def __repr__(self) -> str:
        return f"LlamaIndexEmbedder({self._named()!r})"

    @property
    def fingerprint(self) -> str:
        """`llamaindex:<name>:<dimension>`; asks the model once if the dimension is not known."""
        return f"llamaindex:{self._named()}:{self.dimension}"

    @property
    def dimension(self) -> int:
        """Length of a vector; asks the model once if it is not known."""
        if self._dimension is None:
            self._dimension = len(self._model.get_query_embedding("dimension"))
        return self._dimension

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """Shape (len(texts), dimension)."""
        return np.asarray(self._model.get_text_embedding_batch(list(texts)), dtype=np.float32)

    def embed_query(self, text: str) -> FloatArray:
        """Shape (dimension,)."""
        return np.asarray(self._model.get_query_embedding(text), dtype=np.float32)

    def _named(self) -> str:
        name = self._name or self._model.model_name
        return self._model.class_name() if name in _UNNAMED else name


def _usage(response: ChatResponse) -> Usage:
    """What the model's own client tells: beside the response, or in its raw answer."""
    raw = response.raw.get("usage") if isinstance(response.raw, Mapping) else getattr(response.raw, "usage", None)
    for told in (response.additional_kwargs, raw):
        counts = [_count(told, *names) for names in (("prompt_tokens", "input_tokens"), _COMPLETION)]
        if any(counts):
            return Usage(*counts)
    return Usage()


_COMPLETION = ("completion_tokens", "output_tokens")


def _count(told: object, *names: str) -> int:
    found = (told.get(name) if isinstance(told, Mapping) else getattr(told, name, None) for name in names)
    return next((number for number in found if isinstance(number, int) and number > 0), 0)
