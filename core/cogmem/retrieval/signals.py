"""Ranking signals: a literal table of pure functions over the candidate pool. Adding one = one function + one line.

Each returns one value per candidate, 0..1 within the pool; `retrieval.weights` says how much each one counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from cogmem.config import StrengthConfig
from cogmem.maths.fusion import min_max
from cogmem.storage.reader import Candidate
from cogmem.strength import retention_at

__all__ = ["SIGNALS", "Pool"]


@dataclass(frozen=True, slots=True)
class Pool:
    """The candidates of one query with what is known about them.

    Attributes:
        similarities: cosine with the query, -1..1; empty if no query vector could be had.
        lexical: BM25 scores; empty if the lexical index failed.
        now: microseconds since 1970 UTC.
    """

    candidates: Sequence[Candidate]
    similarities: Sequence[float]
    lexical: Sequence[float]
    now: int
    strength: StrengthConfig

    def raw(self) -> Mapping[str, Sequence[float]]:
        """Values before normalisation, for explanations."""
        return {"similarity": self.similarities, "lexical": self.lexical}


def _similarity(pool: Pool) -> Sequence[float]:
    return list(min_max(pool.similarities)) if pool.similarities else [0.0] * len(pool.candidates)


def _lexical(pool: Pool) -> Sequence[float]:
    # A word in common is evidence, none is 0: the scale starts at 0 even if every candidate shares a word.
    highest = max(pool.lexical, default=0.0)
    if highest <= 0.0:
        return [0.0] * len(pool.candidates)
    return [max(0.0, score) / highest for score in pool.lexical]


def _retention(pool: Pool) -> Sequence[float]:
    return [retention_at(c, c.last_reinforced_at or c.created_at, pool.now, pool.strength) for c in pool.candidates]


def _importance(pool: Pool) -> Sequence[float]:
    return [candidate.importance for candidate in pool.candidates]


def _utility(pool: Pool) -> Sequence[float]:
    return [candidate.utility for candidate in pool.candidates]


SIGNALS: Mapping[str, Callable[[Pool], Sequence[float]]] = {
    "similarity": _similarity,
    "lexical": _lexical,
    "retention": _retention,
    "importance": _importance,
    "utility": _utility,
}
