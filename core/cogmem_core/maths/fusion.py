"""Joins the scores of several rankers; pure, no I/O."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Key = TypeVar("Key", bound=Hashable)


def min_max(scores: ArrayLike) -> Floats:
    """Stretch scores to 0..1: (s - min) / (max - min).

    Args:
        scores: finite numbers of one ranker, on its own scale.

    Returns:
        Same order and length; the best is 1, the worst 0. Equal scores are all 1 if positive, else
        all 0.

    Raises:
        ValueError: a score is not finite.
    """
    values = np.asarray(scores, dtype=np.float64)
    if not np.isfinite(values).all():
        raise ValueError(
            "scores hold a value that is not finite; leave such candidates out before fusing"
        )
    if not values.size:
        return np.zeros(0)
    low = float(values.min())
    high = float(values.max())
    if low == high:
        return np.full(values.shape, 1.0 if high > 0 else 0.0)
    return np.asarray((values - low) / (high - low), dtype=np.float64)


def reciprocal_rank_fusion(
    rankings: Sequence[Sequence[Key]], k: int = 60, *, weights: Sequence[float] | None = None
) -> dict[Key, float]:
    """Σ weight/(k + rank) over the rankings, ranks from 1, divided by its largest possible value.

    The order of the rankings makes no difference, to the last bit. A document that a ranking
    repeats counts once, at its better place; an empty ranking is no ranking.

    Args:
        rankings: document keys, best first.
        k: how much the first places count more than the others, ≥ 0; 60 in Cormack, Clarke,
            Büttcher (SIGIR 2009).
        weights: above 0, one per ranking; 1 each if None.

    Returns:
        Score per document, above 0, at most 1; 1 for a document that is first everywhere. Best
        first; equal scores in the order of the documents' text.

    Raises:
        ValueError: k is negative, or there is not one weight above 0 per ranking.
    """
    terms, highest = _terms(rankings, k, weights)
    return {key: math.fsum(parts.values()) / highest for key, parts in terms.items()}


def reciprocal_rank_shares(
    rankings: Sequence[Sequence[Key]], k: int = 60
) -> dict[Key, dict[int, float]]:
    """The share of each ranking in the scores of `reciprocal_rank_fusion`, without weights.

    Arguments and errors are the same.

    Returns:
        Per document, in the same order: the number of each ranking that holds it, from 0, and its
        share, above 0; the shares of a document sum to its score.
    """
    terms, highest = _terms(rankings, k, None)
    shares: dict[Key, dict[int, float]] = {}
    for key, parts in terms.items():
        shares[key] = {number: part / highest for number, part in parts.items()}
    return shares


def _terms(
    rankings: Sequence[Sequence[Key]], k: int, weights: Sequence[float] | None
) -> tuple[dict[Key, dict[int, float]], float]:
    """Per document, best first, the term weight/(k + rank) of each ranking that holds it.

    The second value is the largest possible sum of terms.
    """
    if k < 0:
        raise ValueError(f"k is {k}; use 0 or more")
    factors = [1.0] * len(rankings) if weights is None else list(weights)
    if len(factors) != len(rankings) or any(not factor > 0 for factor in factors):
        raise ValueError(
            f"weights are {factors} for {len(rankings)} rankings; give one above 0 per ranking"
        )
    terms: defaultdict[Key, dict[int, float]] = defaultdict(dict)
    best_terms: list[float] = []
    for number, (ranking, factor) in enumerate(zip(rankings, factors, strict=True)):
        if len(ranking):
            best_terms.append(factor / (k + 1))
        for rank, key in enumerate(dict.fromkeys(ranking), start=1):
            terms[key][number] = factor / (k + rank)
    ordered = sorted(terms.items(), key=lambda item: (-math.fsum(item[1].values()), str(item[0])))
    return dict(ordered), math.fsum(best_terms)
