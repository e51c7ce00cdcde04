"""What the engine needs from the outside, as small protocols.

An object that fits is welcome; nothing is registered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from cogmem_core.values.models import Memory

__all__ = [
    "LLM",
    "Archived",
    "Embedder",
    "FloatArray",
    "Hit",
    "QueryEmbedder",
    "Stored",
    "Usage",
    "VectorWrite",
]

FloatArray = NDArray[np.float32]
Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Hit:
    """A candidate of one ranker; `score` is on that ranker's own scale, higher is better."""

    id: str
    score: float


def best_first(hits: Iterable[Hit]) -> list[Hit]:
    """The best hits first; of equal ones that of the smaller id."""
    return sorted(hits, key=lambda hit: (-hit.score, hit.id))


@dataclass(frozen=True, slots=True)
class VectorWrite:
    """A vector to add or replace in a namespace's collection, or to delete if `vector` is None."""

    id: str
    vector: FloatArray | None


@dataclass(frozen=True, slots=True)
class Stored:
    """A memory with what the indexes need.

    Attributes:
        memory: the memory.
        key: the text that is embedded and tokenised.
        vector: the embedding of the key.
        fingerprint: the model of the vector.
    """

    memory: Memory
    key: str
    vector: FloatArray
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Archived:
    """A former version of a memory with its vector, so that restoring it needs no new embedding."""

    stored: Stored
    replaced_at: datetime
    replaced_by: str
    reason: str


@dataclass(frozen=True, slots=True)
class Usage:
    """What calls of a language model cost; tokens are 0 if the model does not report them."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    calls: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.calls + other.calls,
        )


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors. Methods are called from several threads.

    One that computes its vectors itself, and never waits for a server, may say so by an attribute
    `local = True`: then a question is embedded without a time limit, and without a thread for it,
    and a turn that is waited for is written once, with its memories, instead of before them, too.
    """

    @property
    def fingerprint(self) -> str:
        """Names model, revision and dimension; vectors of two fingerprints are never compared."""

    @property
    def dimension(self) -> int:
        """Length of a vector."""

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """Shape (len(texts), dimension)."""

    def embed_query(self, text: str) -> FloatArray:
        """Shape (dimension,)."""


class QueryEmbedder(Embedder, Protocol):
    """An embedder that takes several queries in one call."""

    def embed_queries(self, texts: Sequence[str]) -> FloatArray:
        """Shape (len(texts), dimension)."""


@runtime_checkable
class LLM(Protocol):
    """A chat model that answers with a validated pydantic model."""

    def complete(
        self, messages: Sequence[Mapping[str, Any]], response_model: type[Model], timeout: float
    ) -> Model:
        """Answer within `timeout` seconds or raise.

        Any exception makes the caller fall back to its heuristic.
        """
