"""An embedder that remembers what it embedded, so that an evaluation embeds each text once."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cache

import numpy as np

from cogmem_core.ports import Embedder, FloatArray


class MemoizedEmbedder:
    """Wraps an embedder and keeps every vector; the engines of an evaluation share one object.

    Nothing is ever dropped: about 1.5 kB per text at 384 dimensions. Safe to call from several
    threads; two threads that ask for the same new text at once may both embed it.
    """

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self._lock = threading.Lock()
        self._documents: dict[str, FloatArray] = {}
        # Queries and documents are kept apart, because models may embed them differently.
        self.embed_query = cache(inner.embed_query)

    @property
    def fingerprint(self) -> str:
        """The wrapped embedder's fingerprint: the vectors are its own."""
        return self._inner.fingerprint

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._inner.dimension

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """Shape (len(texts), dimension).

        Only texts not seen before reach the wrapped embedder, in one call.
        """
        with self._lock:
            missing = [text for text in dict.fromkeys(texts) if text not in self._documents]
        if missing:
            new_vectors = dict(zip(missing, self._inner.embed_documents(missing), strict=True))
            with self._lock:
                self._documents.update(new_vectors)
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        return np.stack([self._documents[text] for text in texts])

    def embed_queries(self, texts: Sequence[str]) -> FloatArray:
        """Shape (len(texts), dimension)."""
        return np.stack(list(map(self.embed_query, texts)))
