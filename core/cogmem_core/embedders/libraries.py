"""Embedders of other libraries: fastembed, sentence-transformers, and whatever litellm reaches.

None of them is imported before a text is embedded.
"""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from cogmem_core.base.error_texts import reason
from cogmem_core.base.exit_hooks import holding_exit
from cogmem_core.embedders.adapter import BorrowedEmbedder
from cogmem_core.embedders.onnx_graph import without_telemetry
from cogmem_core.embedders.prefixes import Prefixes, prefixes_of
from cogmem_core.errors import ConfigError, EmbedderUnavailable
from cogmem_core.llm.openai_client import retrying
from cogmem_core.ports import FloatArray

Rows = Sequence[Sequence[float]]


class _OfLibrary(BorrowedEmbedder):
    """A model that is named, with its prefixes.

    Args:
        model: as the library names it.
        prefixes: what stands before each text; None = as `prefixes_of` knows the model.
    """

    def __init__(self, model: str, *, prefixes: Prefixes | None = None) -> None:
        if not model:
            raise ConfigError(
                f"embedder {self.framework!r} names no model; write {self.framework}:<model>"
            )
        super().__init__(type(self), model, name=model)
        self.model = model
        self.prefixes = prefixes_of(model) if prefixes is None else prefixes

    @abstractmethod
    def queries(self, texts: list[str]) -> Rows:
        """A vector for each text that is searched for, of which there is at least one."""

    def vector(self, text: str) -> Sequence[float]:
        """The vector of a text that is searched for."""
        return self.queries([text])[0]

    def embed_queries(self, texts: Sequence[str]) -> FloatArray:
        """Shape (len(texts), dimension); raises whatever the library raises."""
        return np.asarray(self.queries(list(texts)), dtype=np.float32)


class _Loaded(_OfLibrary):
    """A model that computes here, once it is loaded."""

    def __init__(self, model: str, *, prefixes: Prefixes | None = None) -> None:
        super().__init__(model, prefixes=prefixes)
        self._loading = threading.Lock()
        self._network: Any = None

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        del state["_loading"]
        return {**state, "_network": None}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        super().__setstate__(state)
        self._loading = threading.Lock()

    @property
    def local(self) -> bool:
        """It computes here and now, once its weights are loaded."""
        return self._network is not None

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """See `BorrowedEmbedder`."""
        with holding_exit():
            return super().embed_documents(texts)

    def embed_queries(self, texts: Sequence[str]) -> FloatArray:
        """See `_OfLibrary`."""
        with holding_exit():
            return super().embed_queries(texts)

    @abstractmethod
    def load(self) -> Any:
        """The model, with its weights, which may be fetched for it."""

    @property
    def network(self) -> Any:
        """The model, loaded on first use.

        Raises:
            EmbedderUnavailable: the library does not know the model, or its weights cannot be had.
        """
        with self._loading:
            if self._network is None:
                try:
                    self._network = self.load()
                except (ValueError, OSError, RuntimeError, ImportError) as error:
                    raise EmbedderUnavailable(
                        f"embedder {self.framework}:{self.model} cannot be loaded ({reason(error)}); "
                        "check the model's name and the network"
                    ) from error
            return self._network


class FastEmbed(_Loaded):
    """A model of fastembed, on onnxruntime: `fastembed:BAAI/bge-small-en-v1.5`."""

    framework: ClassVar[str] = "fastembed"

    def load(self) -> Any:
        """See `_Loaded`."""
        without_telemetry()
        import fastembed

        return fastembed.TextEmbedding(self.model)

    def vectors(self, texts: list[str]) -> Rows:
        """See `BorrowedEmbedder`."""
        return list(self.network.passage_embed(self.prefixes.passages(texts)))

    def queries(self, texts: list[str]) -> Rows:
        """See `_OfLibrary`."""
        return list(self.network.query_embed(self.prefixes.queries(texts)))


class SentenceTransformers(_Loaded):
    """A model of sentence-transformers: `sentence-transformers:intfloat/multilingual-e5-small`.

    A model that brings prompts of its own for questions and documents is asked with those.
    """

    framework: ClassVar[str] = "sentence-transformers"

    def load(self) -> Any:
        """See `_Loaded`."""
        import sentence_transformers

        network = sentence_transformers.SentenceTransformer(self.model)
        if any((network.prompts or {}).values()):
            self.prefixes = Prefixes()
        return network

    def vectors(self, texts: list[str]) -> Rows:
        """See `BorrowedEmbedder`."""
        network = self.network
        rows: Rows = network.encode_document(self.prefixes.passages(texts), show_progress_bar=False)
        return rows

    def queries(self, texts: list[str]) -> Rows:
        """See `_OfLibrary`."""
        network = self.network
        rows: Rows = network.encode_query(self.prefixes.queries(texts), show_progress_bar=False)
        return rows


class LiteLLMEmbedder(_OfLibrary):
    """A model of any provider that litellm reaches; keys and addresses are its own variables.

    Args:
        model: as litellm names it, "cohere/embed-multilingual-v3.0".
        prefixes: see `_OfLibrary`.
        timeout: seconds for one try.
        attempts: tries in total, see `llm.openai_client.retrying`.
    """

    framework: ClassVar[str] = "litellm"
    backoff_seconds = 0.5
    # What a provider calls a question and a passage, where it asks.
    _KINDS: ClassVar[Mapping[str, Prefixes]] = {
        "cohere": Prefixes("search_query", "search_document"),
        "nvidia_nim": Prefixes("query", "passage"),
        "voyage": Prefixes("query", "document"),
    }

    def __init__(
        self,
        model: str,
        *,
        prefixes: Prefixes | None = None,
        timeout: float = 30.0,
        attempts: int = 3,
    ) -> None:
        super().__init__(model, prefixes=prefixes)
        self._timeout = timeout
        self._attempts = attempts
        self._kinds = self._KINDS.get(model.partition("/")[0], Prefixes())

    def vectors(self, texts: list[str]) -> Rows:
        """See `BorrowedEmbedder`."""
        return self._request(self.prefixes.passages(texts), self._kinds.passage)

    def queries(self, texts: list[str]) -> Rows:
        """See `_OfLibrary`."""
        return self._request(self.prefixes.queries(texts), self._kinds.query)

    def _request(self, texts: list[str], kind: str) -> Rows:
        import litellm

        options = {"input_type": kind} if kind else {}
        # An API refuses empty strings; a blank is the nearest text that it takes.
        inputs = [text or " " for text in texts]
        answer = retrying(self._attempts, self.backoff_seconds)(
            litellm.embedding,
            model=self.model,
            input=inputs,
            timeout=self._timeout,
            num_retries=0,
            **options,
        )
        return [row["embedding"] for row in answer.data]
