"""Choosing results that do not repeat each other; pure, no I/O."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cogmem_core.maths.products import dots

Rows = NDArray[np.float32]


def mmr(
    relevance: ArrayLike,
    vectors: ArrayLike | Sequence[ArrayLike | None],
    k: int,
    lambda_: float = 0.7,
) -> list[int]:
    """Maximal marginal relevance: an order of candidates that are relevant and do not repeat.

    Each step picks the candidate with the highest λ·relevance - (1-λ)·(highest cosine with a picked
    candidate).

    Args:
        relevance: one finite score per candidate, spread over about 1: a step of 1 weighs as much
            as the step from a copy to a candidate that resembles nothing (min-max scores, say).
            Ranking passes its composites as they are: the good ones of a pool lie within about 1,
            and stretched by min-max they recall as much (LoCoMo, evidence in ten results: 0.836 as
            they are, 0.837 stretched), but what a lead is worth would hang on the worst of the
            pool.
        vectors: one L2-normalised row per candidate; None or a row with NaN = no vector, which
            resembles nothing.
        k: how many to pick.
        lambda_: 1 = by relevance alone, 0 = by difference alone after the first.

    Returns:
        Positions of min(k, candidates) picks, in the order of picking; of equals, the earlier
        position is first. Source: Carbonell and Goldstein, SIGIR 1998.

    Raises:
        ValueError: λ is outside 0..1, relevance and vectors differ in length, or a score is not
            finite.
    """
    scores = np.asarray(relevance, dtype=np.float64)
    rows = _rows(vectors)
    if not 0 <= lambda_ <= 1:
        raise ValueError(f"lambda_ is {lambda_}; the range is 0 to 1")
    if len(scores) != len(rows) or not np.isfinite(scores).all():
        raise ValueError(
            f"{len(scores)} scores for {len(rows)} vectors; give one finite score per vector"
        )
    if k < 1 or not len(scores):
        return []
    # The first pick has no picked neighbours, so relevance decides it, even at λ = 0.
    picked = [int(np.argmax(scores))]
    nearest = np.full(len(scores), -np.inf)
    weighted = lambda_ * scores
    while len(picked) < min(k, len(scores)):
        weighted[picked[-1]] = -np.inf
        np.maximum(nearest, dots(rows, rows[picked[-1]]), out=nearest)
        picked.append(int(np.argmax(weighted - (1 - lambda_) * nearest)))
    return picked


def _rows(vectors: ArrayLike | Sequence[ArrayLike | None]) -> Rows:
    """A matrix with zeros, the cosine of nothing, where there is no vector."""
    table: Any = vectors
    if not isinstance(table, np.ndarray):
        width = next((len(vector) for vector in table if vector is not None), 1)
        zeros = np.zeros(width)
        filled = [zeros if vector is None else vector for vector in table]
        table = np.array(filled, dtype=np.float32)
    columns = -1 if table.size else 1
    rows: Rows = np.array(table, dtype=np.float32).reshape(len(table), columns)
    rows[np.isnan(rows).any(axis=1), :] = 0.0
    return rows
