"""How memory grows with use: the recall update of FSRS-6 with its published default weights.

Pure, no clock. Source: open-spaced-repetition, "The algorithm" (FSRS-6); the same formulas as its
reference implementation.
"""

from __future__ import annotations

import math
from typing import Literal

Grade = Literal[3, 4]
GOOD: Grade = 3
EASY: Grade = 4

WEIGHTS = (
    0.212,
    1.2931,
    2.3065,
    8.2956,
    6.4133,
    0.8334,
    3.0194,
    0.001,
    1.8722,
    0.1666,
    0.796,
    1.4835,
    0.0614,
    0.2629,
    1.6483,
    0.6014,
    1.8729,
    0.5425,
    0.0912,
    0.0658,
    0.1542,
)
"""w0 .. w20, fitted by its authors on hundreds of millions of reviews."""

LEAST_STABILITY = 0.001
"""Days; the lower bound of the reference implementation."""
_LOWEST = 1.0
_HIGHEST = 10.0
_EASY_FIRST = WEIGHTS[4] - math.exp(WEIGHTS[5] * (EASY - 1)) + 1  # not clamped, as in the reference


def stability_after(
    stability_days: float,
    difficulty: float,
    retrievability: float,
    grade: Grade,
    *,
    same_day: bool = False,
) -> float:
    """The stability after a successful recall; never less than the stability before it.

    S' = S · (1 + e^w8 · (11 - D) · S^-w9 · (e^(w10·(1-R)) - 1) · bonus), with bonus = w16 for Easy;
    within a day S' = S · max(1, e^(w17·(G - 3 + w18)) · S^-w19).

    Args:
        stability_days: S in days, above 0.
        difficulty: D, 1..10.
        retrievability: R at the moment of recall, 0..1.
        grade: 3 = good, 4 = easy.
        same_day: less than a day has passed since the last recall.

    Raises:
        ValueError: S is not above 0 or not finite, or D or R is out of range.
    """
    if not (stability_days > 0 and math.isfinite(stability_days)) or not 0 <= retrievability <= 1:
        raise ValueError(
            f"stability {stability_days!r} or retrievability {retrievability!r} is out of range"
        )
    _check_difficulty(difficulty)
    w = WEIGHTS
    if same_day:
        growth = math.exp(w[17] * (grade - 3 + w[18])) * stability_days ** -w[19]
        return float(stability_days * max(1.0, growth))
    bonus = w[16] if grade == EASY else 1.0
    gain = (
        math.exp(w[8])
        * (11 - difficulty)
        * stability_days ** -w[9]
        * math.expm1(w[10] * (1 - retrievability))
    )
    return float(stability_days * (1 + gain * bonus))


def difficulty_after(difficulty: float, grade: Grade) -> float:
    """The difficulty after a recall, 1..10.

    D'' = w7 · D0(4) + (1 - w7) · D', with D' = D - w6 · (G - 3) · (10 - D) / 9 and D0(4) = w4 -
    e^(3·w5) + 1.

    Args:
        difficulty: D, 1..10.
        grade: 3 = good, 4 = easy.

    Raises:
        ValueError: D is out of range.
    """
    _check_difficulty(difficulty)
    w = WEIGHTS
    step = -w[6] * (grade - 3)
    moved = difficulty + (10 - difficulty) * step / 9
    return min(_HIGHEST, max(_LOWEST, w[7] * _EASY_FIRST + (1 - w[7]) * moved))


def _check_difficulty(difficulty: float) -> None:
    if not _LOWEST <= difficulty <= _HIGHEST:
        raise ValueError(
            f"difficulty {difficulty!r} is out of range; use {_LOWEST:g} to {_HIGHEST:g}"
        )
