"""ACT-R base-level activation: how available a memory is, by how often and how lately it was used.

Pure, no clock. Ages count from now back to each access, in days unless a name says otherwise. A
memory's creation is its first access, so a history is never empty. Ages below one second, also
negative ones, count as one second.
"""

from __future__ import annotations

import math

import numpy as np

from cogmem_core.maths.fusion import Floats

_SECOND = 1 / 86_400
"""Days: t^-d grows without bound towards t = 0, and no two accesses are closer than that."""


def base_levels(
    counts: Floats, first_ages_days: Floats, last_ages_days: Floats, *, decay: float = 0.5
) -> Floats:
    """The base level of many memories at once, each of a known number of accesses, first and latest one.

    If every access were known, it would be B = ln Σ t^-d, the base-level learning equation
    (Anderson and Schooler 1991; Anderson and Lebiere, The Atomic Components of Thought, 1998): one
    access 4 days ago gives ln 0.5 = -0.6931.

    A single access counts as if it were spread over the life L: B = ln(L^-d / (1-d)), the
    optimised-learning equation of ACT-R (Anderson and Lebiere 1998). Of several the latest counts
    exactly, and the others as if spread evenly between it and the first one (Petrov, ICCM 2006).

    Args:
        counts: all accesses of each, the first one included; 1 or more; shape (n,).
        first_ages_days: L, the age of the first access, finite; at least one second is counted.
        last_ages_days: the age of the latest access, finite; it counts where there are several.
        decay: d, 0 or more, below 1.

    Returns:
        Finite numbers, higher = more available; shape (n,).
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
    if not math.isfinite(age_seconds):
        raise ValueError(f"an age is {age_seconds!r}; use a finite number of seconds")
    number = max(count, 1)
    return number / (number + math.sqrt(max(age_seconds, 1.0)))
