"""From signals to an order: weighted sum, factors, then diversity."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from cogmem_core.config import RetrievalConfig, Route, SignalWeights
from cogmem_core.maths.diversity import mmr
from cogmem_core.maths.products import dots
from cogmem_core.retrieval.boosts import BOOSTS
from cogmem_core.retrieval.signals import CONTEXT, RAW, RELEVANCE, SIGNALS, Pool, Values

__all__ = ["Ranked", "Scored", "one_per_turn", "rank", "score", "share_of", "weights_for"]

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Ranked:
    """A chosen candidate: raw values per signal, and what each added; the contributions sum to the score."""

    id: str
    score: float
    signals: dict[str, float]
    contributions: dict[str, float]


@dataclass(frozen=True, slots=True)
class Scored:
    """The whole pool, weighed.

    Attributes:
        scores: one per candidate.
        relevance: what meaning and words say, 0..1.
        raw: values for an explanation.
        parts: what each signal and boost added.
    """

    pool: Pool
    scores: Values
    relevance: Values
    raw: Mapping[str, Values]
    parts: Mapping[str, Values]

    def ranked(self, place: int) -> Ranked:
        """One candidate; a boost that changed nothing is left out."""
        parts = {name: float(part[place]) for name, part in self.parts.items()}
        kept = {name: value for name, value in parts.items() if name not in BOOSTS or value != 0.0}
        signals = {name: float(self.raw[name][place]) for name in kept}
        return Ranked(self.pool.candidates[place].id, sum(kept.values()), signals, kept)


def weights_for(route: Route, weights: SignalWeights) -> dict[str, float]:
    """The weight of each signal for one kind of question: the route shifts meaning against words, and adds utility."""
    found = {name: float(getattr(weights, name)) for name in (*SIGNALS, *CONTEXT)}
    found["similarity"] *= 2 * route.vector
    found["lexical"] *= 2 * route.lexical
    found["utility"] += route.utility
    return found


def score(pool: Pool, weights: Mapping[str, float]) -> Scored:
    """Weigh every candidate: Σ weight · signal; each boost adds |score| · (factor - 1), times the factor from 0 on."""
    count = len(pool.candidates)
    values = {name: signal(pool) for name, signal in SIGNALS.items() if weights[name] > 0.0}
    relevance = _relevance(values, weights, count)
    values |= {name: signal(pool, relevance) for name, signal in CONTEXT.items() if weights[name] > 0.0}
    parts = {name: weights[name] * column for name, column in values.items()}
    scores = sum(parts.values(), np.zeros(count))
    raw = {name: RAW[name](pool) if name in RAW else column for name, column in values.items()}
    for name, boost in BOOSTS.items():
        factor = boost(pool, pool.settings.boosts)
        # Of the size of the score: half of a score below 0 would be more than the whole.
        raw[name], parts[name] = factor, np.abs(scores) * (factor - 1.0)
        scores = scores + parts[name]
    return Scored(pool, scores, relevance, raw, parts)


def _relevance(values: Mapping[str, Values], weights: Mapping[str, float], count: int) -> Values:
    """What meaning and words say, 0..1."""
    total = sum(weights[name] for name in RELEVANCE if name in values)
    parts = (weights[name] * values[name] for name in RELEVANCE if name in values)
    return sum(parts, np.zeros(count)) / (total or 1.0)


def rank(
    scored: Scored, k: int, config: RetrievalConfig, *, least: int | None = None, most: int | None = None
) -> list[int]:
    """The places of the k best candidates in order: composite score, then maximal marginal relevance.

    Args:
        least: of several memories of one turn only the best is taken, as long as that leaves so many; k if None.
        most: how many places an untrusted source may take; its share of k if None.
    """
    pool = scored.pool
    scores = scored.scores
    if not pool.candidates:
        return []
    best = sorted(range(len(scores)), key=lambda place: (-scores[place], pool.candidates[place].id))
    best = one_per_turn(best, lambda place: pool.candidates[place].turn, k if least is None else least)
    best = _shared(pool, best, share_of(k, config) if most is None else most, config)
    if config.mmr_lambda >= 1.0 or len(best) == 1:
        return best[:k]
    # Scores as they are, see `mmr`.
    head = best[: max(config.pool, 3 * k)]
    return [head[place] for place in mmr(scores[head], pool.vectors[head], k, config.mmr_lambda)]


def one_per_turn(ranked: list[Item], turn_of: Callable[[Item], str], least: int) -> list[Item]:
    """Of several memories that one turn gave, only the best, as long as that leaves as many as `least`.

    Args:
        ranked: best first.
        turn_of: the turn that one of them was taken from, see `Candidate.turn`.
    """
    first: dict[str, Item] = {}
    for one in ranked:
        first.setdefault(turn_of(one), one)
    return ranked if len(first) < least else list(first.values())


def share_of(k: int, config: RetrievalConfig) -> int:
    """How many of k results one untrusted source may have; at least one."""
    return max(1, int(k * config.source_share))


def _shared(pool: Pool, best: list[int], most: int, config: RetrievalConfig) -> list[int]:
    """Of one untrusted source at most its share, and of what it says in nearly the same words only the best."""
    doubted = [place for place in best if pool.candidates[place].doubted]
    if not doubted or config.source_share >= 1.0:
        return best
    left_out = set[int]()
    taken: dict[tuple[str, str, str], list[int]] = {}
    for place in doubted:
        kept = taken.setdefault(pool.candidates[place].source, [])
        alike = bool(kept) and float(np.max(dots(pool.vectors[kept], pool.vectors[place]))) >= config.source_alike
        if alike or len(kept) >= most:
            left_out.add(place)
        else:
            kept.append(place)
    return [place for place in best if place not in left_out]
