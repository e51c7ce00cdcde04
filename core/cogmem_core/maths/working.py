"""Working memory: which item leaves a full buffer (seed 001, Working Memory)."""

from __future__ import annotations

import math

__all__ = ["eviction_score"]


def eviction_score(
    *, importance: float, minutes_since_access: float, access_count: int, recency_minutes: float
) -> float:
    """Importance x exp(-minutes / recency_minutes) x (1 + 0.1 x accesses); the item with the lowest score leaves.

    0 or more. Equal to `importance` at the moment of an item's first access; negative minutes count
    as 0. The seed calls 30 minutes a half-life, but its own code makes it the time to 1/e; the code
    decides.

    Raises:
        ValueError: `recency_minutes` is not positive.
    """
    if recency_minutes <= 0:
        raise ValueError(f"recency_minutes is {recency_minutes}; it must be positive")
    recency = math.exp(-max(0.0, minutes_since_access) / recency_minutes)
    return importance * recency * (1 + 0.1 * access_count)
