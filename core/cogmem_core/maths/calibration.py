"""Turns scores into calibrated probabilities and measures how well they are calibrated.

Pure numpy, no I/O. The calibration is logistic (Platt): it keeps the order of a single score, and
it may weigh several features.
"""

from __future__ import annotations

import json
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import ArrayLike

from cogmem_core.maths.fusion import Floats

_STEPS = 50
_TOLERANCE = 1e-10
_SMALLEST_STEP = 1e-6
_RANKING_TOLERANCE = 1e-5
_FLAT = 1e-9  # keeps the curvature along the bias above 0 where every probability is almost 0 or 1


@dataclass(frozen=True, slots=True)
class LogisticModel:
    """p = 1 / (1 + exp(-(bias + Σ weight · feature))).

    Attributes:
        weights: one per feature, finite.
        bias: the logit where every feature is 0.
        features: their names, in the order of the weights.

    Raises:
        ValueError: not one weight per feature, a feature named twice, or a weight or the bias that
            is not finite.
    """

    weights: tuple[float, ...]
    bias: float
    features: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.weights) != len(self.features) or len(set(self.features)) != len(self.features):
            raise ValueError(
                f"{len(self.weights)} weights for the features {self.features}; give one per "
                "feature"
            )
        if not all(map(math.isfinite, (*self.weights, self.bias))):
            raise ValueError("a weight or the bias is not finite")

    def probability(self, values: Mapping[str, float]) -> float:
        """The probability for one candidate, 0..1; names that the model does not use are ignored.

        Raises:
            ValueError: a feature is missing or not finite.
        """
        try:
            features = [values[name] for name in self.features]
        except KeyError:
            features = [math.nan]
        if not all(map(math.isfinite, features)):
            missing = [
                name for name in self.features if not math.isfinite(values.get(name, math.nan))
            ]
            raise ValueError(
                f"features {', '.join(missing)} are missing or not finite; use 0 for one that is "
                "off"
            )
        logit = math.fsum([self.bias, *map(operator.mul, self.weights, features)])
        tail = math.exp(-abs(logit))
        return 1.0 / (1.0 + tail) if logit >= 0.0 else tail / (1.0 + tail)

    def to_json(self) -> str:
        """The model as a JSON object with `weights`, `bias` and `features`."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> LogisticModel:
        """The model that `to_json` wrote.

        Raises:
            ValueError: the text is not such an object.
        """
        values = json.loads(text)
        if not isinstance(values, dict) or values.keys() != {"weights", "bias", "features"}:
            raise ValueError("not a logistic model; use what to_json() wrote")
        try:
            weights = tuple(map(float, values["weights"]))
            bias = float(values["bias"])
            return cls(weights, bias, tuple(map(str, values["features"])))
        except TypeError as error:
            raise ValueError(f"not a logistic model: {error}; use what to_json() wrote") from error


def fit_logistic(
    rows: Sequence[Mapping[str, float]],
    outcomes: ArrayLike,
    features: Sequence[str],
    *,
    prior: float = 1.0,
    centre: float = 0.0,
) -> LogisticModel:
    """Fit a logistic model by Newton steps: Platt's calibration if there is one feature.

    The targets are Platt's (N₊ + 1)/(N₊ + 2) and 1/(N₋ + 2) instead of 1 and 0, and prior/2 · Σ
    (weight - centre)² is added to the loss, the bias excepted; so perfectly separated and one-sided
    outcomes give finite weights. The prior acts on the features as they are: bring them to about
    the same scale, such as 0..1. Source: Platt (1999), "Probabilistic outputs for support vector
    machines"; Lin, Lin, Weng (2007).

    Args:
        rows: one mapping per observation, feature → finite value.
        outcomes: 1 or True where it was right, else 0; as many as rows.
        features: names of the features to use.
        prior: strength of the pull towards the centre, above 0; 1 is a normal prior with variance 1
            per weight.
        centre: the value of a weight if no observation speaks against it, finite.

    Raises:
        ValueError: no observations, different lengths, a missing or not finite feature, an outcome
            that is neither 0 nor 1, a prior that is not above 0, or a centre that is not finite.
    """
    if not (math.isfinite(prior) and prior > 0 and math.isfinite(centre)):
        raise ValueError(
            f"prior is {prior!r}, centre {centre!r}; use finite numbers, the prior above 0"
        )
    lines = [_values_of(row, features) for row in rows]
    table = np.array(lines, dtype=np.float64)
    if not np.isfinite(table).all():
        raise ValueError(
            f"a row lacks one of the features {', '.join(features)}, or its value is not finite"
        )
    _, ys = _checked(np.zeros(len(rows)), outcomes)
    positive = float(ys.sum())
    targets = np.where(ys > 0, (positive + 1) / (positive + 2), 1 / (len(ys) - positive + 2))
    design = np.hstack([table.reshape(len(rows), len(features)), np.ones((len(rows), 1))])
    penalty = np.full(len(features) + 1, prior)
    penalty[-1] = 0.0
    centres = np.array([*[centre] * len(features), 0.0])

    def loss_of(weights: Floats) -> float:
        logits = design @ weights
        misfit = (np.logaddexp(0.0, logits) - targets * logits).sum()
        pull = (penalty * (weights - centres) ** 2).sum() / 2
        return float(misfit) + float(pull)

    def slopes_of(weights: Floats) -> tuple[Floats, Floats]:
        expected = np.exp(-np.logaddexp(0.0, -(design @ weights)))
        gradient = design.T @ (expected - targets) + penalty * (weights - centres)
        spread = expected * (1 - expected)
        return gradient, (design.T * spread) @ design + np.diag(penalty + _FLAT)

    solved = _newton(centres, loss_of, slopes_of, tolerance=_TOLERANCE)
    return LogisticModel(tuple(solved[:-1].tolist()), float(solved[-1]), tuple(features))


def fit_ranking(
    questions: Sequence[tuple[Floats, Floats]], prior: Floats, *, counts: Sequence[float] = ()
) -> Floats:
    """The weights under which what is right stands first: a logit over the candidates of each question.

    -Σ count · Σ target · ln softmax(values @ weights) + Σ prior/2 · weight² is minimised by Newton steps.

    Args:
        questions: (values, shape (candidates, features); targets, which sum to 1) of each.
        prior: pull of each weight towards 0, above 0.
        counts: how much each question counts; 1 if none are given.

    Raises:
        ValueError: there is no question.
    """
    if not questions:
        raise ValueError("there is no question to fit a ranking to; give at least one")
    each_count = counts or [1.0] * len(questions)

    def loss_of(weights: Floats) -> float:
        loss = float(prior @ weights**2) / 2
        for (values, targets), count in zip(questions, each_count, strict=True):
            scores = values @ weights
            loss += count * float(np.logaddexp.reduce(scores) - targets @ scores)
        return loss

    def slopes_of(weights: Floats) -> tuple[Floats, Floats]:
        gradient = prior * weights
        curvature = np.diag(prior)
        for (values, targets), count in zip(questions, each_count, strict=True):
            scores = values @ weights
            shares = np.exp(scores - np.logaddexp.reduce(scores))
            mean = shares @ values
            gradient = gradient + count * ((shares - targets) @ values)
            curvature = curvature + count * ((values.T * shares) @ values - np.outer(mean, mean))
        return gradient, curvature

    return _newton(np.zeros(len(prior)), loss_of, slopes_of, tolerance=_RANKING_TOLERANCE)


def _values_of(row: Mapping[str, float], features: Sequence[str]) -> list[float]:
    return [row.get(name, math.nan) for name in features]


def _newton(
    weights: Floats,
    loss_of: Callable[[Floats], float],
    slopes_of: Callable[[Floats], tuple[Floats, Floats]],
    *,
    tolerance: float,
) -> Floats:
    """The weights under which a convex loss is least.

    A step is halved until the loss falls, so that it always converges.

    Args:
        weights: to begin with.
        loss_of: the loss of weights.
        slopes_of: the gradient and the curvature of the loss at weights.
        tolerance: it is found where no weight changes by more.
    """
    loss = loss_of(weights)
    for _ in range(_STEPS):
        gradient, curvature = slopes_of(weights)
        step = np.linalg.solve(curvature, gradient)
        size = 1.0
        while size > _SMALLEST_STEP and loss_of(weights - size * step) > loss:
            size /= 2
        if size <= _SMALLEST_STEP:
            break
        weights = weights - size * step
        loss = loss_of(weights)
        if float(np.abs(size * step).max()) < tolerance:
            break
    return weights


def log_odds(probability: float, *, margin: float = 1e-9) -> float:
    """ln(p / (1 - p)); finite, because p is kept at least `margin` away from 0 and 1."""
    within = min(max(probability, margin), 1.0 - margin)
    return math.log(within / (1.0 - within))


def pair_quantile(rows: ArrayLike, quantile: float) -> float:
    """The cosine that a share of all pairs of rows does not exceed: what "near" means to an embedder.

    Args:
        rows: normalised vectors, at least two.
        quantile: 0..1.

    Raises:
        ValueError: fewer than two rows.
    """
    matrix = np.asarray(rows, dtype=np.float64)
    if matrix.ndim != 2 or len(matrix) < 2:
        raise ValueError("there is no pair; give two rows or more")
    cosines = (matrix @ matrix.T)[np.triu_indices(len(matrix), 1)]
    return float(np.quantile(cosines, quantile))


def brier(probabilities: ArrayLike, outcomes: ArrayLike) -> float:
    """The mean of (probability - outcome)²: 0 is perfect, 1 is always wrong.

    A probability of 0.5 everywhere gives 0.25.

    Raises:
        ValueError: no observations, different lengths, a probability outside of 0..1, or an outcome
            neither 0 nor 1.
    """
    ps, ys = _checked_probabilities(probabilities, outcomes)
    return float(np.mean((ps - ys) ** 2))


def expected_calibration_error(
    probabilities: ArrayLike, outcomes: ArrayLike, bins: int = 10
) -> float:
    """Σ (n_b / n) · |mean probability - share of positive outcomes| over bins of equal width.

    0..1; 0 is perfect. Bins are closed below and open above; the last one holds 1, too. Source:
    Naeini, Cooper, Hauskrecht (AAAI 2015).

    Raises:
        ValueError: no observations, different lengths, a probability outside of 0..1, an outcome
            neither 0 nor 1, or no bins.
    """
    if bins < 1:
        raise ValueError(f"bins is {bins}; use 1 or more")
    ps, ys = _checked_probabilities(probabilities, outcomes)
    places = np.minimum((ps * bins).astype(np.int64), bins - 1)
    gaps = np.abs(np.bincount(places, weights=ps - ys, minlength=bins))
    return float(gaps.sum() / len(ps))


def _checked_probabilities(probabilities: ArrayLike, outcomes: ArrayLike) -> tuple[Floats, Floats]:
    ps, ys = _checked(probabilities, outcomes)
    if ((ps < 0) | (ps > 1)).any():
        raise ValueError("a probability is outside of 0..1")
    return ps, ys


def _checked(scores: ArrayLike, outcomes: ArrayLike) -> tuple[Floats, Floats]:
    xs = np.asarray(scores, dtype=np.float64)
    ys = np.asarray(outcomes, dtype=np.float64)
    if xs.ndim != 1 or xs.shape != ys.shape or not xs.size:
        raise ValueError(
            f"{xs.size} observations and {ys.size} outcomes; give one outcome each, and at least "
            "one"
        )
    if not np.isfinite(xs).all():
        raise ValueError("an observation is not finite; leave it out")
    if not np.isin(ys, (0.0, 1.0)).all():
        raise ValueError("an outcome is neither 0 nor 1")
    return xs, ys
