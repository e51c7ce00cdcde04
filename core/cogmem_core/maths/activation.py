"""ACT-R base-level activation: how available a memory is, by how often and how lately it was used.

Pure, no clock. Ages count from now back to each access, in days unless a name says otherwise. A
memory's creation is its first access, so a history is never empty. Ages below one second, also
negative ones, count as one second.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from cogmem_core.maths.fusion import Floats, min_max

__all__ = ["base_levels", "long_base_level", "relative_activation", "seed_activation"]

_SECOND = 1 / 86_400
"""Days: t^-d grows without bound towards t = 0, and no two accesses are closer than that."""


def long_base_level(
    count: int, first_age_days: float, *, recent_ages_days: Sequence[float] = (), decay: float = 0.5
) -> float:
    """The base level of a history with a known number of accesses, first access and latest ones.

    If every access were known, it would be B = ln Σ t^-d, the base-level learning equation
    (Anderson and Schooler 1991; Anderson and Lebiere, The Atomic Components of Thought, 1998): one
    access 4 days ago gives ln 0.5 = -0.6931.

    Without recent ages: B = ln(n·L^-d / (1-d)), the optimised-learning equation of ACT-R, as if the
    accesses were spread evenly over the life L (Anderson and Lebiere 1998). With the k latest ages
    known those count exactly, and the other n - k as if spread evenly between the first and the
    k-th latest (Petrov, ICCM 2006).

    Args:
        count: n, all accesses, the first one included; 1 or more.
        first_age_days: L, the age of the first access in days; at least one second is counted.
        recent_ages_days: the ages of the latest accesses, in any order; at most n count, the latest
            first.
        decay: d, 0 or more, below 1.

    Returns:
        A finite number, higher = more available; exact once every access is known.

    Raises:
        ValueError: n is below 1, an age is not finite, or d is below 0, 1 or more.
    """
    if not 0 <= decay < 1:
        raise ValueError(f"decay is {decay!r}; use a number from 0, below 1")
    if count < 1:
        raise ValueError(f"count is {count}; the creation of a memory counts as its first access")
    recent = sorted(map(_age, recent_ages_days))[:count]
    youngest = recent[-1] if recent else 0.0
    oldest = max(_age(first_age_days), youngest)
    exact = math.fsum(age**-decay for age in recent)
    return math.log(exact + _evenly_spread(count - len(recent), youngest, oldest, decay))


def base_levels(
    counts: Floats, first_ages_days: Floats, last_ages_days: Floats, *, decay: float = 0.5
) -> Floats:
    """`long_base_level` of many memories at once, shape (n,).

    Args:
        counts: all accesses of each, the first one included; 1 or more.
        first_ages_days: age of the first access, finite.
        last_ages_days: age of the latest access, finite; counts where there is more than one.
        decay: d, 0 or more, below 1.
    """
    last = np.maximum(last_ages_days, _SECOND)
    again = counts > 1
    first = np.maximum(first_ages_days, _SECOND)
    oldest = np.where(again, np.maximum(first, last), first)
    youngest = np.where(again, last, 0.0)
    span = oldest - youngest
    power = 1 - decay
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = (oldest**power - youngest**power) / (power * span)
    per_access = np.where(span <= _SECOND, oldest**-decay, spread)
    exact = np.where(again, last**-decay, 0.0)
    levels: Floats = np.log(exact + (counts - again) * per_access)
    return levels


def _evenly_spread(number: int, youngest: float, oldest: float, decay: float) -> float:
    """Σ t^-d of accesses spread evenly between two ages, as an integral."""
    if number == 0:
        return 0.0
    if oldest - youngest <= _SECOND:
        return float(number * oldest**-decay)
    power = 1 - decay
    return float(number * (oldest**power - youngest**power) / (power * (oldest - youngest)))


def relative_activation(levels: Sequence[float]) -> Floats:
    """Base levels of one query's candidates, scaled to 0..1: the most available is 1, the least 0.

    Equal levels are all 1 if positive, else all 0, which changes no order.

    Raises:
        ValueError: a level is not finite.
    """
    return min_max(levels)


def seed_activation(count: int, age_seconds: float) -> float:
    """The logistic of ln(max(n, 1)) - 0.5·ln(age), which is n / (n + √age).

    One access 4 seconds ago gives 1/3. A preset uses it. On its scale of seconds one access is
    0.0034 after a day and 0.0006 after a month, so it hardly tells memories apart unless it is
    stretched over the candidates.

    Args:
        count: n, the access count; below 1 it counts as 1.
        age_seconds: since the last access, in seconds; at least one is counted.

    Returns:
        Above 0, below 1.

    Raises:
        ValueError: the age is not finite.
    """
    number = max(count, 1)
    return number / (number + math.sqrt(_age(age_seconds * _SECOND) / _SECOND))


def _age(days: float) -> float:
    if not math.isfinite(days):
        raise ValueError(f"an age is {days!r}; use a finite number of days")
    return max(days, _SECOND)
