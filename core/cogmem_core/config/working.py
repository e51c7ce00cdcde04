"""Settings of `[working]`: the session's buffer."""

from __future__ import annotations

from dataclasses import dataclass

from cogmem_core.config.bounds import number

__all__ = ["WorkingMemoryConfig"]


@dataclass(frozen=True, slots=True)
class WorkingMemoryConfig:
    """The session's buffer.

    Attributes:
        capacity: items per session: Miller's seven plus or minus two, upper bound.
        recency_minutes: time after which an item that was not accessed counts 1/e.
        promote_accesses, promote_importance: either makes an item worth keeping beyond the session.
    """

    capacity: int = number(9, 1, 1_000)
    recency_minutes: float = number(30.0, 0.1, 10_000.0)
    promote_accesses: int = number(2, 1, 1_000)
    promote_importance: float = number(0.6, 0.0, 1.0)
