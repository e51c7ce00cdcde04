"""Ranking signals: a literal table of pure functions over the candidate pool. Adding one = one function + one line.

Each returns one value per candidate, 0..1 within the pool; `retrieval.weights` says how much each one counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cogmem.config import StrengthConfig
from cogmem.maths.fusion import min_max
from cogmem.ports import FloatArray
from cogmem.storage.reader import Candidate
from cogmem.strength import retention_at

__all__ = ["RAW", "SIGNALS", "Pool", "Values"]

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pool:
    """The candidates of one query with what is known about them.

    Attributes:
        vectors: one L2-normalised row per candidate; zeros if its vector comes from another embedder.
        query: the query's vector; None if it could not be had.
        lexical: BM25 scores.
        now: microseconds since 1970 UTC.
    """

    candidates: Sequence[Candidate]
    vectors: FloatArray
    query: FloatArray | None
    lexical: Sequence[float]
    now: int
    strength: StrengthConfig

    @property
    def cosines(self) -> Values:
        """Cosine of each candidate with the query, -1..1; zeros without a query vector."""
        if self.query is None:
            return np.zeros(len(self.candidates))
        return (self.vectors @ self.query).astype(np.float64)


def _similarity(pool: Pool) -> Values:
    return np.asarray(min_max(pool.cosines)) if pool.query is not None else pool.cosines


def _lexical(pool: Pool) -> Values:
    # A word in common is evidence, none is 0: the scale starts at 0 even if every candidate shares a word.
    scores = np.maximum(np.asarray(pool.lexical, dtype=np.float64), 0.0)
    highest = float(scores.max(initial=0.0))
    return scores / highest if highest > 0.0 else scores


def _retention(pool: Pool) -> Values:
    since = ((row, row.last_reinforced_at or row.created_at) for row in pool.candidates)
    return np.array([retention_at(row, start, pool.now, pool.strength) for row, start in since])


def _importance(pool: Pool) -> Values:
    return np.array([row.importance for row in pool.candidates])


def _utility(pool: Pool) -> Values:
    return np.array([row.utility for row in pool.candidates])


SIGNALS: Mapping[str, Callable[[Pool], Values]] = {
    "similarity": _similarity,
    "lexical": _lexical,
    "retention": _retention,
    "importance": _importance,
    "utility": _utility,
}

# What an explanation shows instead of the value within the pool.
RAW: Mapping[str, Callable[[Pool], Values]] = {
    "similarity": lambda pool: pool.cosines,
    "lexical": lambda pool: np.asarray(pool.lexical, dtype=np.float64),
}
