"""Keeps the vectors of recent queries, so that asking again costs no computation."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Sequence

import numpy as np

from cogmem_core.base.lru import LRUCache
from cogmem_core.embedders.scale import AS_THEY_ARE, FITTED_TO, CosineScale
from cogmem_core.ports import Embedder, FloatArray, QueryEmbedder


class CachedEmbedder:
    """An embedder that keeps query vectors for a while; documents are not cached. Thread-safe.

    The least recently used entry leaves first. Keys are SHA-256 of fingerprint and text: no text is
    kept.

    Args:
        inner: the embedder that does the work.
        clock: seconds on a clock that never goes back.
        entries: vectors kept, >= 0; 0 switches the cache off.
        ttl_seconds: age from which an entry is no longer used, >= 0.

    Attributes:
        hits: queries answered from the cache.
        misses: queries passed on.
        scale: of its cosines, once it is measured; None = they are compared with one another only.
    """

    def __init__(
        self,
        inner: QueryEmbedder,
        *,
        clock: Callable[[], float],
        entries: int = 200,
        ttl_seconds: float = 1800.0,
    ) -> None:
        self.hits = 0
        self.misses = 0
        self._inner = inner
        self._clock = clock
        self._entries = entries
        self._ttl = ttl_seconds
        self._lock = threading.Lock()
        self._vectors: LRUCache[bytes, tuple[float, FloatArray]] = LRUCache(entries)
        self.scale: CosineScale | None = None

    def __repr__(self) -> str:
        return f"CachedEmbedder({self._inner!r}, entries={self._entries}, ttl_seconds={self._ttl})"

    def __len__(self) -> int:
        return len(self._vectors)

    @property
    def inner(self) -> Embedder:
        """The embedder that does the work."""
        return self._inner

    @property
    def local(self) -> bool:
        """Whether the inner embedder computes here and now, and neither asks a server nor loads a model."""
        return getattr(self._inner, "local", False) is True

    @property
    def fitted(self) -> CosineScale | None:
        """The scale of what was fitted to cosines; None = what they mean is not known."""
        return self.scale or (AS_THEY_ARE if self.fingerprint.startswith(FITTED_TO) else None)

    @property
    def fingerprint(self) -> str:
        """That of the inner embedder."""
        return self._inner.fingerprint

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._inner.dimension

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """Shape (len(texts), dimension); never cached. Raises what the inner embedder raises."""
        return self._inner.embed_documents(texts)

    def embed_query(self, text: str) -> FloatArray:
        """Shape (dimension,), read-only.

        Raises what the inner embedder raises; failures are not cached.
        """
        vector: FloatArray = self.embed_queries([text])[0]
        vector.setflags(write=False)
        return vector

    def queries_at_once(self, texts: Sequence[str]) -> FloatArray | None:
        """As `embed_queries`, if nothing has to be waited for; else None.

        That is so for what is in the cache, and while the inner embedder is `local`. Raises what the
        inner embedder raises.
        """
        if not texts or self.local:
            return self.embed_queries(texts)
        with self._lock:
            vectors = [self._fresh(self._key(text)) for text in texts]
            rows = [vector for vector in vectors if vector is not None]
            if len(rows) < len(texts):
                return None
            self.hits += len(rows)
        return np.stack(rows)

    def embed_queries(self, texts: Sequence[str]) -> FloatArray:
        """Shape (len(texts), dimension); what is not cached is asked for in one call.

        Raises what the inner embedder raises.
        """
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        keys = list(map(self._key, texts))
        vectors: dict[bytes, FloatArray] = {}
        missing: dict[bytes, str] = {}
        with self._lock:
            for key, text in zip(keys, texts, strict=True):
                vector = self._fresh(key)
                if vector is None:
                    missing[key] = text
                else:
                    vectors[key] = vector
            self.hits += len(keys) - len(missing)
            self.misses += len(missing)
        if missing:
            # The lock is not held meanwhile: a slow embedder must not block queries that are
            # cached.
            rows = np.array(self._inner.embed_queries(list(missing.values())), dtype=np.float32)
            with self._lock:
                for key, row in zip(missing, rows, strict=True):
                    self._vectors.put(key, (self._clock(), row))
                    vectors[key] = row
        return np.stack([vectors[key] for key in keys])

    def _key(self, text: str) -> bytes:
        identity = f"{self.fingerprint}\0{text}"
        return hashlib.sha256(identity.encode("utf-8", "surrogatepass")).digest()

    def clear(self) -> None:
        """Forget every vector; the counters stay."""
        with self._lock:
            self._vectors.clear()

    def close(self) -> None:
        """Forget every vector and close the inner embedder if it can be closed."""
        self.clear()
        close = getattr(self._inner, "close", None)
        if close is not None:
            close()

    def _fresh(self, key: bytes) -> FloatArray | None:
        entry = self._vectors.get(key)
        return None if entry is None or self._clock() - entry[0] >= self._ttl else entry[1]
