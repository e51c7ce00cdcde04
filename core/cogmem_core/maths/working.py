"""Working memory: which item leaves a full buffer."""

from __future__ import annotations

import math


def eviction_score(
    *, importance: float, minutes_since_access: float, access_count: int, recency_minutes: float
) -> float:
    """Importance x exp(-minutes / recency_minutes) x (1 + 0.1 x accesses), 0 or more.

    The item with the lowest score leaves. The score equals `importance` at the moment of an item's
    first access; negative minutes count as 0. After `recency_minutes` the recency is 1/e.

    Raises:
        ValueError: `recency_minutes` is not positive.
    """
    if recency_minutes <= 0:
        raise ValueError(f"recency_minutes is {recency_minutes}; it must be positive")
    recency = math.exp(-max(0.0, minutes_since_access) / recency_minutes)
    return importance * recency * (1 + 0.1 * access_count)
