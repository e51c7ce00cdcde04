"""From signals to an order: weighted sum, factors, then diversity."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from cogmem_core.config import RetrievalConfig, Route, SignalWeights
from cogmem_core.maths.diversity import mmr
from cogmem_core.maths.products import dots
from cogmem_core.retrieval.ranker import fitted_weights
from cogmem_core.retrieval.signals import BOOSTS, CONTEXT, RAW, RELEVANCE, SIGNALS, Pool, Values
from cogmem_core.text.time.hints import DateHints

SOURCE_ALIKE = 0.95
"""Of its memories that are so similar (cosine) only the best one counts."""

LEARNT_BOUND = 0.15
"""What feedback taught changes a score by this share of it at most."""
_LEARNT = "proven"
IN_PERIOD = 5.0
"""So many times its weight counts the date where a question names a time that is seen from today ("3
days ago"): then it decides before meaning and words do."""
ON_DATE = 3.0
"""... where it names a day with its year (measured on LoCoMo)."""
ASKED = "asked"
"""The signal that looks at the texts of the best, and so comes after the others."""
ASKED_DEPTH = 10
"""So many of the best are looked at; ten more change nothing (measured), and must be read."""
_OF_WORDING = (
    "similarity",
    "lexical",
    "coverage",
    "figures",
    "previous",
    "following",
    "answer",
    "session",
    ASKED,
)
"""Signals that rest on the words of the question, and tell nothing where those are of no memory."""
_OF_WORTH = {"importance": 1.0, "retention": 0.5}
"""What decides instead, with its weight: what mattered when it was said, and has not faded."""
NO_HINTS = DateHints()

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class CandidateScore:
    """A chosen candidate: raw values per signal, and what each added.

    The contributions sum to the score.
    """

    id: str
    score: float
    signals: dict[str, float]
    contributions: dict[str, float]


@dataclass(frozen=True, slots=True)
class ScoredPool:
    """The whole pool, weighed.

    Attributes:
        scores: one per candidate.
        raw: values for an explanation.
        parts: what each signal and boost added.
    """

    pool: Pool
    scores: Values
    raw: Mapping[str, Values]
    parts: Mapping[str, Values]

    def candidate_scores(self, places: Sequence[int]) -> list[CandidateScore]:
        """Some candidates; a boost that changed nothing is left out."""
        chosen = list(places)
        names = list(self.parts)
        added = np.array([self.parts[name] for name in names])[:, chosen].T.tolist()
        raw = np.array([self.raw[name] for name in names])[:, chosen].T.tolist()
        scores = []
        for place, parts, values in zip(chosen, added, raw, strict=True):
            contributions = dict(zip(names, parts, strict=True))
            signals = dict(zip(names, values, strict=True))
            for name in BOOSTS:
                if contributions[name] == 0.0:
                    del contributions[name], signals[name]
            total = sum(contributions.values())
            scores.append(CandidateScore(self.pool.ids[place], total, signals, contributions))
        return scores

    def place_of(self, memory_id: str) -> int | None:
        """Where a memory stands in the pool; None if it does not."""
        return self.pool.ids.index(memory_id) if memory_id in self.pool.ids else None


def weights_for(
    route: Route,
    weights: SignalWeights,
    *,
    forms: Collection[str] = ("every",),
    hints: DateHints = NO_HINTS,
    overview: bool = False,
) -> dict[str, float]:
    """The weight of each signal for one kind of question.

    The route shifts meaning against words, and adds utility.

    Args:
        route: of the kind of question.
        weights: as they are configured; None = as fitted.
        forms: that hold for the question, see `forms_of`.
        hints: the dates that the question names.
        overview: what matters most is wanted, whatever it says.
    """
    route_weights = fitted_weights(forms)
    for name in (*SIGNALS, *CONTEXT, ASKED):
        configured = getattr(weights, name)
        if configured is not None:
            route_weights[name] = float(configured)
    route_weights["similarity"] *= 2 * route.vector
    for name in ("lexical", "coverage"):
        route_weights[name] *= 2 * route.lexical
    route_weights["utility"] += route.utility
    if overview:
        route_weights |= dict.fromkeys(_OF_WORDING, 0.0) | _OF_WORTH
    if hints.periods:
        route_weights["date"] *= IN_PERIOD
    elif hints.dates:
        route_weights["date"] *= ON_DATE
    return route_weights


def values_of(pool: Pool, names: Collection[str]) -> dict[str, Values]:
    """The values of signals; those of the context follow what meaning and words say."""
    relevance = sum(
        (share * SIGNALS[name](pool) for name, share in RELEVANCE.items()),
        pool.zeros,
    )
    values = {name: signal(pool) for name, signal in SIGNALS.items() if name in names}
    for name, context_signal in CONTEXT.items():
        if name in names:
            values[name] = context_signal(pool, relevance)
    return values


def score(pool: Pool, weights: Mapping[str, float]) -> ScoredPool:
    """Score every candidate: Σ weight · signal, then the boosts.

    What feedback taught moves the sum of the others by `LEARNT_BOUND` of it at most: it decides
    between memories that are about equally relevant, and never hides one.

    Each boost adds |score| · (factor - 1): the score times the factor, from 0 on.
    """
    zeros = pool.zeros
    values = values_of(pool, {name for name, weight in weights.items() if weight > 0.0})
    parts = {}
    scores = zeros
    for name, column in values.items():
        parts[name] = weights[name] * column
        if name != _LEARNT:
            scores = scores + parts[name]
    if _LEARNT in parts:
        bound = LEARNT_BOUND * np.abs(scores)
        parts[_LEARNT] = np.clip(parts[_LEARNT], -bound, bound)
        scores = scores + parts[_LEARNT]
    raw = {**values}
    for name, raw_signal in RAW.items():
        if name in values:
            raw[name] = raw_signal(pool)
    for name, boost in BOOSTS.items():
        factor = boost(pool, pool.settings.boosts)
        # Of the size of the score: half of a score below 0 would be more than the whole.
        raw[name] = factor
        parts[name] = np.abs(scores) * (factor - 1.0)
        scores = scores + parts[name]
    return ScoredPool(pool, scores, raw, parts)


def with_asked(
    scored: ScoredPool, weight: float, judge: Callable[[Sequence[int]], Sequence[float]]
) -> ScoredPool:
    """The pool, the best of which count more if they hold the kind of answer that is asked for.

    Args:
        scored: the pool.
        weight: what that is worth.
        judge: of the candidates at some places: how far they do, below 0 if they only ask for what
            is asked for; reads their texts.
    """
    best = np.argsort(-scored.scores, kind="stable")[:ASKED_DEPTH]
    values = np.zeros(len(scored.scores))
    values[best] = judge(best.tolist())
    part = weight * values
    parts = {**scored.parts, ASKED: part}
    added = part
    for name in BOOSTS:  # as of the rest of the score
        factor = scored.raw[name]
        parts[name] = parts[name] + added * (factor - 1.0)
        added = added * factor
    return replace(
        scored, scores=scored.scores + added, raw={**scored.raw, ASKED: values}, parts=parts
    )


def rank(
    scored: ScoredPool,
    k: int,
    config: RetrievalConfig,
    *,
    minimum: int | None = None,
    source_limit: int | None = None,
) -> list[int]:
    """The places of the k best candidates: composite score, then maximal marginal relevance.

    Args:
        scored: the pool.
        k: at most so many.
        config: of retrieval.
        minimum: of several memories of one turn only the best is taken, as long as that leaves so
            many; k if None.
        source_limit: how many places an untrusted source may take; its share of k if None.
    """
    pool = scored.pool
    scores = scored.scores
    if not len(pool.candidates):
        return []
    if minimum is None:
        minimum = k
    if source_limit is None:
        source_limit = share_of(k, config)
    keys = list(zip((-scores).tolist(), pool.ids, strict=True))
    order = sorted(range(len(scores)), key=keys.__getitem__)
    best = one_per_turn(order, pool.candidates.labels("turn").__getitem__, minimum)
    most = max(config.pool, 3 * k)
    if config.source_share < 1.0:
        best = _without_repetitions(pool, best, source_limit, most)
    if config.mmr_lambda >= 1.0 or len(best) == 1:
        return best[:k]
    # Scores as they are, see `mmr`.
    head = best[:most]
    return [head[place] for place in mmr(scores[head], pool.vectors[head], k, config.mmr_lambda)]


def one_per_turn(ranked: list[Item], turn_of: Callable[[Item], str], minimum: int) -> list[Item]:
    """Of several memories that one turn gave, only the best, as long as that leaves `minimum`.

    Args:
        ranked: best first.
        turn_of: the turn that one of them was taken from, see `Candidate.turn`.
        minimum: with fewer turns than this, the others follow behind the best of each turn.
    """
    best_of_turn: dict[str, Item] = {}
    for item in ranked:
        best_of_turn.setdefault(turn_of(item), item)
    unique = list(best_of_turn.values())
    if len(unique) >= minimum:
        return unique
    taken = set(map(id, unique))
    return [*unique, *(item for item in ranked if id(item) not in taken)]


def share_of(k: int, config: RetrievalConfig) -> int:
    """How many of k results one untrusted source may have; at least one."""
    return max(1, int(k * config.source_share))


def _without_repetitions(pool: Pool, ranked: list[int], limit: int, most: int) -> list[int]:
    """The places, without what an untrusted source says beyond its `limit`, or in nearly the words of a better one.

    Each text of a document is a source of its own, but near copies are one source together.

    Args:
        pool: the candidates.
        ranked: their places, best first.
        limit: of one untrusted source.
        most: not more places than these are needed.
    """
    doubted = set(pool.candidates.doubted())
    if not doubted:
        return ranked
    categories = pool.candidates.labels("category")
    sources = pool.candidates.sources()
    kept: list[int] = []
    places_by_source: dict[tuple[str, str, str], list[int]] = {}
    originals: list[int] = []
    for place in ranked:
        if len(kept) == most:
            break
        if place not in doubted:
            kept.append(place)
            continue
        is_item = categories[place] == "item"
        copied = _most_alike(pool, originals, place) if is_item else None
        if is_item and copied is None:
            originals.append(place)
        accepted = places_by_source.setdefault(sources[place if copied is None else copied], [])
        # The share is asked first: it drops most of them, and comparing vectors takes time.
        full = len(accepted) >= limit
        if full or (not is_item and _most_alike(pool, accepted, place) is not None):
            continue
        accepted.append(place)
        kept.append(place)
    return kept


def _most_alike(pool: Pool, places: Sequence[int], place: int) -> int | None:
    """Which of the places says nearly the same; None if none does."""
    if not places:
        return None
    cosines = dots(pool.vectors[list(places)], pool.vectors[place])
    best = int(np.argmax(cosines))
    return places[best] if float(cosines[best]) >= SOURCE_ALIKE else None
