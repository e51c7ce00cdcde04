"""Settings of `[embedding]`: how texts become vectors."""

from __future__ import annotations

from dataclasses import dataclass

from cogmem_core.config.bounds import number

__all__ = ["EmbeddingConfig"]


@dataclass(frozen=True, slots=True)
class EmbeddingConfig:
    """How texts become vectors.

    Attributes:
        batch_size: texts per call of the embedder.
        cache_entries, cache_ttl_seconds: the cache of query vectors (200 entries, 30
            minutes).
        timeout_seconds: for one call of a remote embedder.
        attempts: tries of a remote embedder, with exponential back-off.
        query_seconds: how long a recall waits for the embedder before it searches by words alone.
    """

    batch_size: int = number(256, 1, 2048)
    cache_entries: int = number(200, 0, 1_000_000)
    cache_ttl_seconds: float = number(1800.0, 0.0, 31_536_000.0)
    timeout_seconds: float = number(30.0, 0.1, 600.0)
    attempts: int = number(3, 1, 10)
    query_seconds: float = number(10.0, 0.01, 600.0)
