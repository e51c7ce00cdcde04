"""Corrects confidences by a namespace's own feedback (Platt scaling), kept for a while."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cogmem_core.base.lru import LRUCache
from cogmem_core.config import FeedbackConfig
from cogmem_core.maths.calibration import LogisticModel, fit_logistic, log_odds
from cogmem_core.storage.ledger.transaction import Transaction
from cogmem_core.values.models import ALWAYS, Feedback

CALIBRATE_MOST = 2_000
"""Newest judgements that count for the correction."""
CALIBRATE_PRIOR = 200.0
"""How many judgements the shipped calibration is worth."""

_NAMESPACES = 1_000
# Of a shipped probability to 0 and 1: beyond it a single judgement would bend the fit.
_MARGIN = 1e-6
_FEATURE = "log_odds"


@dataclass(frozen=True, slots=True)
class Correction:
    """Corrects a probability by a namespace's own feedback; without feedback changes nothing.

    Attributes:
        model: over the log-odds of the shipped probability; None = none was fitted.
        share: how much the namespace's own model counts, 0..1.
    """

    model: LogisticModel | None = None
    share: float = 0.0

    def __call__(self, prior: float) -> float:
        """The corrected probability; it never falls as the prior rises."""
        if self.model is None:
            return prior
        own = self.model.probability({_FEATURE: log_odds(prior, margin=_MARGIN)})
        return self.share * own + (1.0 - self.share) * prior


class ConfidenceCorrection:
    """The corrections of the namespaces asked for last.

    Thread-safe; `clock` counts seconds and never goes back.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._corrections: LRUCache[str, tuple[float, Correction]] = LRUCache(_NAMESPACES)

    def of(self, reader: Transaction, namespace: str, config: FeedbackConfig) -> Correction:
        """The correction of a namespace.

        One that changes nothing while there is too little feedback.
        """
        now = self._clock()
        with self._lock:
            entry = self._corrections.get(namespace)
        if entry is not None and now - entry[0] < config.calibrate_seconds:
            return entry[1]
        correction = _fit(reader.at(namespace).feedback.newest(limit=CALIBRATE_MOST), config)
        with self._lock:
            self._corrections.put(namespace, (now, correction))
        return correction

    def forget(self, namespace: str) -> None:
        """Drop what is kept."""
        with self._lock:
            self._corrections.pop(namespace)


def _fit(rows: Sequence[Feedback], config: FeedbackConfig) -> Correction:
    # What stood in the hot tier was credited without having been estimated.
    # An answer that used none of what was shown says nothing about what it did not use.
    telling = {row.recall_id for row in rows if row.signal == "used"}
    rows = [
        row
        for row in rows
        if row.prior < ALWAYS and (row.signal != "unjudged" or row.recall_id in telling)
    ]
    used = [row.signal == "used" for row in rows]
    # A model of one outcome alone, or one that falls, would say more about chance than about the
    # memories.
    if (
        len(rows) < config.calibrate_from
        or min(used.count(True), used.count(False)) < config.calibrate_from // 10
    ):
        return Correction()
    # Where all were about equally sure, nothing speaks about the slope: the order of the shipped
    # model stays.
    model = fit_logistic(
        [{_FEATURE: log_odds(row.prior, margin=_MARGIN)} for row in rows],
        used,
        (_FEATURE,),
        centre=1.0,
    )
    if model.weights[0] <= 0.0:
        return Correction()
    return Correction(model, len(rows) / (len(rows) + CALIBRATE_PRIOR))
