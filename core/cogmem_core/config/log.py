"""Settings of `[log]`: the op log."""

from __future__ import annotations

from dataclasses import dataclass

from cogmem_core.config.bounds import number

__all__ = ["LogConfig"]


@dataclass(frozen=True, slots=True)
class LogConfig:
    """The op log (10 MB per file, then rotated by date).

    Attributes:
        content: write redacted texts instead of their hashes and lengths.
        max_bytes: size at which the file is rotated.
    """

    content: bool = False
    max_bytes: int = number(10_000_000, 10_000, 1_000_000_000)
