"""Settings of `[limits]`: what is refused at the edge."""

from __future__ import annotations

from dataclasses import dataclass

from cogmem_core.config.bounds import number

__all__ = ["LimitsConfig"]


@dataclass(frozen=True, slots=True)
class LimitsConfig:
    """What is refused at the edge.

    Attributes:
        content_bytes: UTF-8 bytes of one turn or memory.
        query_bytes: UTF-8 bytes of a query.
        batch_items: turns per `remember` call.
        metadata_bytes: JSON bytes of one turn's metadata.
        tags: tags per memory; label_characters: characters of a tag, session id, speaker, ref or
            namespace.
    """

    content_bytes: int = number(1_000_000, 1, 100_000_000)
    query_bytes: int = number(100_000, 1, 10_000_000)
    batch_items: int = number(100_000, 1, 10_000_000)
    metadata_bytes: int = number(100_000, 2, 10_000_000)
    tags: int = number(64, 0, 10_000)
    label_characters: int = number(256, 1, 4_096)
