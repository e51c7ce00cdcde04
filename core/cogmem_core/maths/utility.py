"""How useful something is: how often it was used, against how often it was expected to be.

A use counts 1. Being passed over counts as much as a use was expected. The prior is Beta(4, 4): what
nobody judged yet has 0.5, and a few judgements do not move it far.
"""

from __future__ import annotations

import math

PRIOR = 4.0
"""Uses, and as many expected uses that were none, that everything is credited with at first."""
_RANK_HALVES = 3.0  # a result in the fourth place is used half as often as the first one
_MOST_WEIGHT = 16.0
_LEAST = 1e-3  # nothing is beyond recovery
_SIDED = 1.645  # of a normal distribution: 95 % lie below


def expected_use(confidence: float, rank: int) -> float:
    """How likely a result was to be used, 0..1: its confidence, less where it stood further back.

    Args:
        confidence: how likely relevant it was taken to be, 0..1.
        rank: its place among the results, from 0.
    """
    return min(1.0, max(0.0, confidence)) * _RANK_HALVES / (_RANK_HALVES + rank)


def utility_of(used: float, unused: float) -> float:
    """The mean of the posterior, 0..1; 0.5 without evidence.

    Args:
        used: uses.
        unused: expected uses that were none.
    """
    return (PRIOR + used) / (2 * PRIOR + used + unused)


def upper_bound(used: float, unused: float) -> float:
    """What the utility lies below with a probability of about 95 %: mean + 1.645 deviations of the posterior."""
    mean = utility_of(used, unused)
    deviation = math.sqrt(mean * (1.0 - mean) / (2 * PRIOR + used + unused + 1.0))
    return min(1.0, mean + _SIDED * deviation)


def utility_after(utility: float, used: int, expected: float, *, was_used: bool) -> float:
    """The utility after one more judgement, 0..1.

    How much was judged before follows from the utility and the number of uses. It never weighs more
    than 16 judgements: what is true changes, and the latest answers know best.

    Args:
        utility: before, 0..1.
        used: uses before.
        expected: how likely the use was, 0..1; only what was not used asks for it.
    """
    share = min(1.0, max(_LEAST, utility))
    weight = min(_MOST_WEIGHT, (PRIOR + used) / share)
    if was_used:
        return min(1.0, (share * weight + 1.0) / (weight + 1.0))
    return share * weight / (weight + expected)
