"""Forgetting curves: the share of a memory that is left after some days. Pure, no I/O, no clock.

Stability S is the unit of time of a curve. The curves differ in what is left at t = S, so each
curve carries the thresholds that fit it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from cogmem_core.errors import ConfigError
from cogmem_core.maths.fusion import Floats

_FSRS6_W20 = 0.1542  # the published default weight w20 of FSRS-6
_FSRS6_FACTOR = 0.9 ** (-1 / _FSRS6_W20) - 1


@dataclass(frozen=True, slots=True)
class Curve:
    """A forgetting curve and the retentions at which a memory changes its state.

    Attributes:
        left: t/S, 0 or more, of one memory or of many → retention, 0..1.
        multiple: (retention above 0 and below 1) → the t/S at which that retention is reached.
        endangered: below it, a memory is about to fade.
        fading: below it, a memory has faded.
        prune: below it, a memory may be put away.
    """

    left: Callable[[Any], Any]
    multiple: Callable[[float], float]
    endangered: float
    fading: float
    prune: float


Ratio = TypeVar("Ratio", float, Floats)


def fsrs6(ratio: Ratio) -> Ratio:
    """R = (1 + F·t/S)^-w20 with w20 = 0.1542 and F = 0.9^(-1/w20) - 1, so that R(S, S) = 0.9.

    Source: FSRS-6 (open-spaced-repetition), default weights.
    """
    left: Ratio = (1 + _FSRS6_FACTOR * ratio) ** -_FSRS6_W20
    return left


def exponential(ratio: Ratio) -> Ratio:
    """R = exp(-t/S), so that R(S, S) = e^-1 = 0.3679. Source: Ebbinghaus (1885), as an exponential."""
    left: Ratio = np.exp(-ratio)
    return left


def power_v9(ratio: Ratio) -> Ratio:
    """R = (1 + t/(9S))^-2, so that R(S, S) = 0.81. A power law; no published FSRS has this exponent."""
    left: Ratio = (1 + ratio / 9) ** -2.0
    return left


def _fsrs6_multiple(target: float) -> float:
    """R = (1 + F·x)^-w20 solved for x: (R^(-1/w20) - 1) / F."""
    try:
        return float((target ** (-1 / _FSRS6_W20) - 1) / _FSRS6_FACTOR)
    except OverflowError:
        return math.inf


def _exponential_multiple(target: float) -> float:
    """R = exp(-x) solved for x: -ln R."""
    return -math.log(target)


def _power_v9_multiple(target: float) -> float:
    """R = (1 + x/9)^-2 solved for x: 9·(R^-0.5 - 1)."""
    return float(9 * (target**-0.5 - 1))


CURVES: dict[str, Curve] = {
    "fsrs6": Curve(fsrs6, _fsrs6_multiple, endangered=0.70, fading=0.60, prune=0.50),
    "exponential": Curve(
        exponential, _exponential_multiple, endangered=0.30, fading=0.20, prune=0.05
    ),
    "power_v9": Curve(power_v9, _power_v9_multiple, endangered=0.30, fading=0.20, prune=0.05),
}


def retention(elapsed_days: float, stability_days: float, curve: str = "fsrs6") -> float:
    """The share of a memory that is left, 0..1, on a curve of `CURVES`.

    After 5 days at a stability of 5 `fsrs6` gives 0.9; 1 for no time, and for a moment in the future.

    Raises:
        ConfigError: there is no such curve.
        ValueError: the stability is not a finite number above 0, or the elapsed time is not a
            number.
    """
    return float(_curve(curve).left(_ratio(elapsed_days, stability_days)))


def retentions(elapsed_days: Floats, stability_days: Floats, curve: str = "fsrs6") -> Floats:
    """`retention` of many memories at once, shape (n,).

    Raises:
        ConfigError: there is no such curve.
        ValueError: a stability is not a finite number above 0.
    """
    left = _curve(curve).left
    if not (np.isfinite(stability_days) & (stability_days > 0)).all():
        raise ValueError("a stability is not a finite number of days above 0")
    retained: Floats = left(np.maximum(0.0, elapsed_days) / stability_days)
    return retained


def days_until(target: float, stability_days: float, curve: str = "fsrs6") -> float:
    """After how many days the retention falls to `target`: the inverse of `retention`.

    At a target of 0.9 `fsrs6` gives the stability itself.

    Args:
        target: the retention to be reached, 0..1.
        stability_days: S in days, above 0.
        curve: a name in `CURVES`.

    Returns:
        Days from the last reinforcement; 0 for a retention of 1, infinity for one that is never
        reached.

    Raises:
        ConfigError: there is no such curve.
        ValueError: the stability is not a finite number above 0, or the retention is not a number
            from 0 to 1.
    """
    multiple = _curve(curve).multiple
    _ratio(0.0, stability_days)
    if not 0.0 <= target <= 1.0:
        raise ValueError(f"target is {target!r}; use a retention from 0 to 1")
    if target == 1.0:
        return 0.0
    if target == 0.0:
        return math.inf
    return stability_days * multiple(target)


def _curve(name: str) -> Curve:
    if name not in CURVES:
        raise ConfigError(f"strength.curve is {name!r}; use one of {', '.join(CURVES)}")
    return CURVES[name]


def _ratio(elapsed_days: float, stability_days: float) -> float:
    """t/S, at least 0."""
    if not (math.isfinite(stability_days) and stability_days > 0):
        raise ValueError(
            f"stability_days is {stability_days!r}; use a finite number of days above 0"
        )
    if math.isnan(elapsed_days):
        raise ValueError("elapsed_days is not a number; use days, negative for the future")
    return max(0.0, elapsed_days) / stability_days
