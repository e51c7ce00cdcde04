"""From signals to an order: weighted sum, then diversity."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from cogmem.config import RetrievalConfig
from cogmem.maths.diversity import mmr
from cogmem.retrieval.signals import CONTEXT, RAW, RELEVANCE, SIGNALS, Pool, Values

__all__ = ["Ranked", "rank"]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A chosen candidate: raw values per signal, and what each added; the contributions sum to the score."""

    id: str
    score: float
    signals: dict[str, float]
    contributions: dict[str, float]


def rank(pool: Pool, k: int, config: RetrievalConfig) -> list[Ranked]:
    """The k best candidates in order: composite score, then maximal marginal relevance."""
    if not pool.candidates:
        return []
    weights = {name: getattr(config.weights, name) for name in (*SIGNALS, *CONTEXT)}
    values = {name: signal(pool) for name, signal in SIGNALS.items() if weights[name] > 0.0}
    relevance = _relevance(values, weights, len(pool.candidates))
    values |= {name: signal(pool, relevance) for name, signal in CONTEXT.items() if weights[name] > 0.0}
    factors = np.array([1.0 if row.state == "active" else config.deep_factor for row in pool.candidates])
    parts = {name: factors * weights[name] * column for name, column in values.items()}
    scores = sum(parts.values(), np.zeros(len(pool.candidates)))
    raw = {name: RAW[name](pool) if name in RAW else column for name, column in values.items()}
    return [
        Ranked(
            pool.candidates[position].id,
            float(sum(part[position] for part in parts.values())),
            {name: float(column[position]) for name, column in raw.items()},
            {name: float(part[position]) for name, part in parts.items()},
        )
        for position in _order(pool, scores, k, config)
    ]


def _relevance(values: Mapping[str, Values], weights: Mapping[str, float], count: int) -> Values:
    """What meaning and words say, 0..1."""
    total = sum(weights[name] for name in RELEVANCE if name in values)
    parts = (weights[name] * values[name] for name in RELEVANCE if name in values)
    return sum(parts, np.zeros(count)) / (total or 1.0)


def _order(pool: Pool, scores: Values, k: int, config: RetrievalConfig) -> list[int]:
    best = sorted(range(len(scores)), key=lambda position: (-scores[position], pool.candidates[position].id))
    best = _one_per_turn(pool, best, k)
    if config.mmr_lambda >= 1.0 or len(best) == 1:
        return best[:k]
    head = best[: max(config.pool, 3 * k)]
    return [head[position] for position in mmr(scores[head], pool.vectors[head], k, config.mmr_lambda)]


def _one_per_turn(pool: Pool, best: list[int], k: int) -> list[int]:
    """Of several memories that one turn gave, only the best, as long as that leaves k."""
    first: dict[str, int] = {}
    for position in best:
        first.setdefault(pool.candidates[position].turn, position)
    return best if len(first) < k else list(first.values())
