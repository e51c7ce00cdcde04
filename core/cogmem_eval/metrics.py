"""How good a ranking is: recall, hits, reciprocal rank, discounted gain, with intervals of means.

Pure. A ranking is a list of results, best first; each result carries the refs of the turns it came
from, because one memory may stand for several turns. `gold` is the set of refs that hold the
answer. Ranks start at 1.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

NDCG_DEPTH = 10
RESAMPLES = 1_000

Ranking = Sequence[Collection[str]]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over questions and its 95 % bootstrap interval, on the metric's own scale."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Share:
    """How many cases are right, and how many there are."""

    right: int
    of: int

    def __str__(self) -> str:
        return f"{self.right:>4} of {self.of:<4} {100 * self.right / max(1, self.of):5.1f} %"


def shares(verdicts: Iterable[tuple[str, bool]]) -> dict[str, Share]:
    """By kind, in the order in which kinds first occur.

    Args:
        verdicts: of each case its kind, and whether it is right.
    """
    found: dict[str, Share] = {}
    for kind, right in verdicts:
        before = found.get(kind, Share(0, 0))
        found[kind] = Share(before.right + right, before.of + 1)
    return found


def recall_at(ranking: Ranking, gold: Collection[str], k: int) -> float:
    """Share of the gold refs that the first k results carry, 0..1.

    Raises:
        ValueError: `gold` is empty or k < 1.
    """
    gold_refs = _checked(gold, k)
    retrieved = set(chain.from_iterable(ranking[:k]))
    return len(gold_refs & retrieved) / len(gold_refs)


def hit_at(ranking: Ranking, gold: Collection[str], k: int) -> float:
    """1 if one of the first k results carries a gold ref, else 0.

    Raises:
        ValueError: `gold` is empty or k < 1.
    """
    return float(recall_at(ranking, gold, k) > 0)


def reciprocal_rank(ranking: Ranking, gold: Collection[str]) -> float:
    """1 / rank of the first result that carries a gold ref, 0 if none does; its mean is the MRR.

    Raises:
        ValueError: `gold` is empty.
    """
    gold_refs = _checked(gold, 1)
    for rank, refs in enumerate(ranking, start=1):
        if not gold_refs.isdisjoint(refs):
            return 1 / rank
    return 0.0


def ndcg_at(ranking: Ranking, gold: Collection[str], k: int = NDCG_DEPTH) -> float:
    """Normalised discounted cumulative gain, 0..1.

    DCG = sum over ranks i <= k of gain_i / log2(i + 1), where gain_i counts the gold refs that
    result i carries and no result above it does. It is divided by the DCG of the best list of
    single-ref results, one gold ref at each of the ranks 1 .. min(|gold|, k), and capped at 1,
    because a result with several gold refs can beat that list.

    Raises:
        ValueError: `gold` is empty or k < 1.
    """
    gold_refs = _checked(gold, k)
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(len(gold_refs), k) + 1))
    gained = sum(
        gain / math.log2(rank + 1)
        for rank, gain in enumerate(_gains(ranking[:k], gold_refs), start=1)
    )
    return min(1.0, gained / ideal)


def metric_names(ks: Sequence[int]) -> tuple[str, ...]:
    """`recall@k` and `hit@k` for each k, `mrr` and `ndcg@10`, in the order of a report."""
    return (*(f"recall@{k}" for k in ks), *(f"hit@{k}" for k in ks), "mrr", f"ndcg@{NDCG_DEPTH}")


def question_scores(ranking: Ranking, gold: Collection[str], ks: Sequence[int]) -> dict[str, float]:
    """Every metric of one question, by `metric_names(ks)`.

    Raises:
        ValueError: `gold` is empty or a k < 1.
    """
    values = [recall_at(ranking, gold, k) for k in ks] + [hit_at(ranking, gold, k) for k in ks]
    values += [reciprocal_rank(ranking, gold), ndcg_at(ranking, gold)]
    return dict(zip(metric_names(ks), values, strict=True))


def estimate(values: Sequence[float], *, seed: int = 0) -> Estimate:
    """The mean of the values and its 95 % percentile bootstrap interval.

    `RESAMPLES` times, as many values are drawn with replacement as there are; the interval runs
    from the 2.5th to the 97.5th percentile of the means of those draws. The same seed and number of
    values draw the same positions, so estimates of two metrics over the same questions can be
    compared.

    Raises:
        ValueError: there is no value.
    """
    if not values:
        raise ValueError("there is no value to estimate a mean from; pass at least one")
    sample = np.asarray(values, dtype=np.float64)
    positions = np.random.default_rng(seed).integers(0, len(sample), size=(RESAMPLES, len(sample)))
    low, high = np.percentile(sample[positions].mean(axis=1), [2.5, 97.5])
    return Estimate(float(sample.mean()), float(low), float(high))


def _checked(gold: Collection[str], k: int) -> set[str]:
    if not gold:
        raise ValueError(
            "gold is empty; a question without evidence cannot be scored, leave it out"
        )
    if k < 1:
        raise ValueError(f"k is {k}; use 1 or more")
    return set(gold)


def _gains(ranking: Ranking, gold_refs: set[str]) -> Iterator[int]:
    missing = set(gold_refs)
    for refs in ranking:
        new_refs = missing.intersection(refs)
        missing -= new_refs
        yield len(new_refs)
