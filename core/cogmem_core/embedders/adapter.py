"""Wraps embeddings of other frameworks for the engine; the adapters' bridges build on it."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from cogmem_core.errors import InvalidInput
from cogmem_core.ports import FloatArray


class BorrowedEmbedder(ABC):
    """Implements `ports.Embedder` over `vectors` and `vector`. Thread-safe if those are.

    Args:
        kind: the class of the embeddings.
        model: the name that they give themselves; empty = none.
        name: names the model in the fingerprint, instead of these two; None = they do.

    Attributes:
        framework: whose embeddings they are; the first part of the fingerprint.

    Raises:
        InvalidInput: an empty name.
    """

    framework: ClassVar[str]

    def __init__(self, kind: type, model: str, *, name: str | None = None) -> None:
        if name is not None and not name.strip():
            raise InvalidInput(f"name is {name!r}; name the model, or leave it out")
        self._name = name or ":".join(filter(None, (kind.__name__, model)))
        self._lock = threading.Lock()
        self._dimension = 0

    @abstractmethod
    def vectors(self, texts: list[str]) -> Sequence[Sequence[float]]:
        """A vector for each text that is kept, of which there is at least one."""

    @abstractmethod
    def vector(self, text: str) -> Sequence[float]:
        """The vector of a text that is searched for."""

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_lock"}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.__dict__.update(state)
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._name!r})"

    @property
    def fingerprint(self) -> str:
        """`<framework>:<class>:<model>:<dimension>` or `<framework>:<name>:<dimension>`.

        As `dimension`, may embed.
        """
        return f"{self.framework}:{self._name}:{self.dimension}"

    @property
    def dimension(self) -> int:
        """Length of a vector; embeds a word the first time."""
        with self._lock:
            if not self._dimension:
                self._dimension = len(self.vector("dimension"))
            return self._dimension

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """Shape (len(texts), dimension); raises whatever the embeddings raise."""
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        return np.asarray(self.vectors(list(texts)), dtype=np.float32)

    def embed_query(self, text: str) -> FloatArray:
        """Shape (dimension,); raises whatever the embeddings raise."""
        return np.asarray(self.vector(text), dtype=np.float32)
