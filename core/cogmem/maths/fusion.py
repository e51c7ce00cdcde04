"""Joining the scores of several rankers; pure, no I/O."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["min_max", "reciprocal_rank_fusion", "weighted_sum"]

Floats = NDArray[np.float64]
Key = TypeVar("Key", bound=Hashable)


def min_max(scores: ArrayLike) -> Floats:
    """Stretch scores to 0..1: (s - min) / (max - min).

    Args:
        scores: finite numbers of one ranker, on its own scale.

    Returns:
        Same order and length; the best is 1, the worst 0. Equal scores are all 1 if positive, else all 0.

    Raises:
        ValueError: a score is not finite.
    """
    values = np.asarray(scores, dtype=np.float64)
    if not np.isfinite(values).all():
        raise ValueError("scores hold a value that is not finite; leave such candidates out before fusing")
    if not values.size:
        return np.zeros(0)
    low, high = float(values.min()), float(values.max())
    if low == high:
        return np.full(values.shape, 1.0 if high > 0 else 0.0)
    return np.asarray((values - low) / (high - low), dtype=np.float64)


def weighted_sum(columns: Sequence[ArrayLike], weights: Sequence[float]) -> Floats:
    """Σ weight · column, candidate by candidate.

    Args:
        columns: one array of scores per ranker, all of the same length and in the same order of candidates.
        weights: one factor per ranker; with columns in 0..1 and weights that add up to 1 the result is in 0..1.

    Returns:
        One score per candidate; empty without columns.

    Raises:
        ValueError: columns and weights, or two columns, differ in length.
    """
    if len(columns) != len(weights):
        raise ValueError(f"{len(columns)} columns but {len(weights)} weights; give one weight per column")
    arrays = [np.asarray(column, dtype=np.float64) for column in columns]
    if len({array.shape for array in arrays}) > 1:
        raise ValueError(f"columns of lengths {[array.size for array in arrays]}; score the same candidates in each")
    if not arrays:
        return np.zeros(0)
    total: NDArray[Any] = np.asarray(weights, dtype=np.float64) @ np.stack(arrays)
    return np.asarray(total, dtype=np.float64)


def reciprocal_rank_fusion(
    rankings: Sequence[Sequence[Key]], k: int = 60, *, weights: Sequence[float] | None = None
) -> dict[Key, float]:
    """Σ weight/(k + rank) over the rankings, ranks from 1, divided by its largest possible value.

    The order of the rankings makes no difference, to the last bit. A document that a ranking repeats counts once, at
    its better place; an empty ranking is no ranking.

    Args:
        rankings: document keys, best first.
        k: how much the first places count more than the others, ≥ 0; 60 in Cormack, Clarke, Büttcher (SIGIR 2009).
        weights: above 0, one per ranking; 1 each if None.

    Returns:
        Score per document, above 0, at most 1; 1 for a document that is first everywhere. Best first, equal ones in the
        order of their text.

    Raises:
        ValueError: k is negative, or there is not one weight above 0 per ranking.
    """
    if k < 0:
        raise ValueError(f"k is {k}; use 0 or more")
    shares = [1.0] * len(rankings) if weights is None else list(weights)
    if len(shares) != len(rankings) or any(not share > 0 for share in shares):
        raise ValueError(f"weights are {shares} for {len(rankings)} rankings; give one above 0 per ranking")
    terms: defaultdict[Key, list[float]] = defaultdict(list)
    counted = [(ranking, share) for ranking, share in zip(rankings, shares, strict=True) if len(ranking)]
    for ranking, share in counted:
        for rank, key in enumerate(dict.fromkeys(ranking), start=1):
            terms[key].append(share / (k + rank))
    highest = math.fsum(share / (k + 1) for _, share in counted)
    fused = {key: math.fsum(parts) / highest for key, parts in terms.items()}
    return dict(sorted(fused.items(), key=lambda item: (-item[1], str(item[0]))))
