"""How much better something goes with than without: a difference of two rates, and its interval."""

from __future__ import annotations

import math
from typing import NamedTuple


class Uplift(NamedTuple):
    """Rate with minus rate without.

    Attributes:
        mean: the difference, -1..1; 0 if either was never seen.
        low: lower end of its interval.
        high: upper end of its interval.
    """

    mean: float
    low: float
    high: float


def uplift(ok_with: int, all_with: int, ok_without: int, all_without: int, z: float) -> Uplift:
    """The difference of two rates with Newcombe's interval (1998, method 10), also for few cases.

    Args:
        ok_with: successes with it.
        all_with: cases with it.
        ok_without: successes without it.
        all_without: cases without it.
        z: quantile of the normal distribution: 1.96 for 95 %, 1.28 for 80 %.
    """
    if not all_with or not all_without:
        return Uplift(0.0, -1.0, 1.0)
    with_rate, with_low, with_high = _wilson(ok_with, all_with, z)
    without_rate, without_low, without_high = _wilson(ok_without, all_without, z)
    mean = with_rate - without_rate
    low = mean - math.hypot(with_rate - with_low, without_high - without_rate)
    high = mean + math.hypot(with_high - with_rate, without_rate - without_low)
    return Uplift(mean, low, high)


def _wilson(ok: int, count: int, z: float) -> tuple[float, float, float]:
    """A rate and Wilson's interval of it."""
    rate = ok / count
    spread = z * z / count
    middle = (rate + spread / 2) / (1 + spread)
    half = z / (1 + spread) * math.sqrt(rate * (1 - rate) / count + spread / (4 * count))
    return rate, middle - half, middle + half
