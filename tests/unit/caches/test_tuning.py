"""A namespace's own feedback corrects its confidences: enough of it, both ways, never the order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from typing import Any, cast

import pytest

from cogmem_core.caches.confidence_correction import ConfidenceCorrection, Correction
from cogmem_core.config import FeedbackConfig
from cogmem_core.models import Feedback
from cogmem_core.storage.ledger.transaction import Transaction
from helpers.tables import each_row

NOON = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)
PRIORS = (0.0, 0.01, 0.2, 0.5, 0.8, 0.99, 1.0)
DEFAULT = FeedbackConfig()


def judged(prior: float, used: int, ignored: int) -> list[Feedback]:
    """So many memories that were taken to be that likely relevant, and what became of them."""
    signals = ["used"] * used + ["ignored"] * ignored
    return [
        Feedback(f"m{i}", "r", cast(Any, s), 0.5, prior, "q", NOON) for i, s in enumerate(signals)
    ]


class Rows:
    """A reader that has only feedback, and counts how often it is asked for it."""

    def __init__(self, **rows: Sequence[Feedback]) -> None:
        self.rows: Mapping[str, Sequence[Feedback]] = rows
        self.asked: list[tuple[str, int]] = []

    def at(self, namespace: str) -> RowsOfOne:
        return RowsOfOne(self, namespace)


class RowsOfOne:
    """What one namespace shows of them."""

    def __init__(self, all_rows: Rows, namespace: str) -> None:
        self.all_rows = all_rows
        self.namespace = namespace

    @property
    def feedback(self) -> RowsOfOne:
        return self

    def newest(self, *, limit: int) -> list[Feedback]:
        self.all_rows.asked.append((self.namespace, limit))
        return list(self.all_rows.rows.get(self.namespace, ()))[:limit]


class Seconds:
    """A clock in seconds."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def corrected(rows: Sequence[Feedback], config: FeedbackConfig = DEFAULT) -> Correction:
    return ConfidenceCorrection(Seconds()).of(cast(Transaction, Rows(alice=rows)), "alice", config)


@each_row(
    "rows",
    [
        [],
        judged(0.5, 89, 10),  # 99 are too few
        judged(0.5, 191, 9),  # 9 ignored ones are too few
        judged(0.5, 9, 191),
        judged(0.5, 200, 0),
        [*judged(0.9, 10, 90), *judged(0.2, 90, 10)],  # falling: the surer, the less used
    ],
)
def test_without_enough_to_learn_from_nothing_changes(rows: Sequence[Feedback]) -> None:
    """Such rows say more about chance than about the memories."""
    correct = corrected(rows)
    assert [correct(prior) for prior in PRIORS] == list(PRIORS)


def test_what_is_used_more_often_than_it_was_taken_to_be_is_corrected_upwards() -> None:
    """Shown at 0.5 and used 180 times of 200: half way to 0.9, as 200 judgements weigh as much as the shipped ones."""
    correct = corrected(judged(0.5, 180, 20))
    assert correct(0.5) == pytest.approx(0.6998, abs=5e-5)
    assert correct(0.2) == pytest.approx(0.4457, abs=5e-5)


def test_what_is_used_less_often_is_corrected_downwards() -> None:
    """Shown at 0.9 and used 100 times of 200; shown at 0.5 and used 40 times of 200."""
    correct = corrected([*judged(0.9, 100, 100), *judged(0.5, 40, 160)])
    assert correct(0.9) == pytest.approx(0.6328, abs=5e-5)
    assert correct(0.5) == pytest.approx(0.3005, abs=5e-5)


def test_the_order_is_kept() -> None:
    """The surer memory stays the surer one, within 0..1, wherever the feedback came from."""
    for rows in (
        judged(0.5, 180, 20),
        judged(0.99, 20, 180),
        [*judged(0.3, 50, 60), *judged(0.6, 60, 50)],
    ):
        correct = corrected(rows)
        values = [correct(step / 1000) for step in range(1001)]
        assert values == sorted(set(values))
        assert (values[0] >= 0.0, values[-1] <= 1.0) == (True, True)


def test_more_feedback_counts_for_more() -> None:
    """n / (n + 200): a third at 100 judgements, ten elevenths at 2,000."""
    few, many = corrected(judged(0.5, 90, 10)), corrected(judged(0.5, 1800, 200))
    assert few(0.5) == pytest.approx(2 / 3 * 0.5 + 1 / 3 * 0.9, abs=0.005)
    assert many(0.5) == pytest.approx(1 / 11 * 0.5 + 10 / 11 * 0.9, abs=0.001)


def test_what_was_shown_whatever_the_question_does_not_count() -> None:
    """The hot tier is only ever credited: its rows (prior 1) would make everything look likelier."""
    shown = judged(0.5, 180, 20)
    correct = corrected([*judged(1.0, 500, 0), *shown])
    assert [correct(prior) for prior in PRIORS] == [corrected(shown)(prior) for prior in PRIORS]
    assert corrected([*judged(1.0, 90, 0), *judged(0.5, 5, 14)])(0.5) == 0.5


def test_a_correction_is_kept_for_five_minutes() -> None:
    """`calibrate_seconds`, by the clock that is given; then the newest 2,000 judgements are read again."""
    clock, rows = Seconds(), Rows(alice=judged(0.5, 180, 20))
    tuning, reader = ConfidenceCorrection(clock), cast(Transaction, rows)
    first = tuning.of(reader, "alice", DEFAULT)
    rows.rows = {}
    clock.now = 299.9
    assert tuning.of(reader, "alice", DEFAULT) is first
    clock.now = 300.0
    assert tuning.of(reader, "alice", DEFAULT)(0.5) == 0.5
    assert rows.asked == [("alice", 2000), ("alice", 2000)]


def test_what_is_dropped_is_fitted_anew() -> None:
    """Erasing a namespace's memories takes away what was learnt from them."""
    rows = Rows(alice=judged(0.5, 180, 20))
    tuning, reader = ConfidenceCorrection(Seconds()), cast(Transaction, rows)
    assert tuning.of(reader, "alice", DEFAULT)(0.5) > 0.6
    rows.rows = {}
    tuning.forget("bob")
    assert tuning.of(reader, "alice", DEFAULT)(0.5) > 0.6
    tuning.forget("alice")
    assert tuning.of(reader, "alice", DEFAULT)(0.5) == 0.5


def test_each_namespace_has_its_own() -> None:
    """Bob's confidences do not change with what became of Alice's memories."""
    tuning, reader = (
        ConfidenceCorrection(Seconds()),
        cast(Transaction, Rows(alice=judged(0.5, 180, 20))),
    )
    assert tuning.of(reader, "alice", DEFAULT)(0.5) == pytest.approx(0.6998, abs=5e-5)
    assert tuning.of(reader, "bob", DEFAULT)(0.5) == 0.5


def test_those_asked_for_last_are_kept() -> None:
    """A thousand namespaces; one that is asked for all the time is not fitted again and again."""
    rows = Rows()
    tuning, reader = ConfidenceCorrection(Seconds()), cast(Transaction, rows)
    for number in range(1_500):
        tuning.of(reader, "alice", DEFAULT)
        tuning.of(reader, f"n{number}", DEFAULT)
    assert [name for name, _ in rows.asked].count("alice") == 1
    tuning.of(reader, "n0", DEFAULT)
    assert [name for name, _ in rows.asked].count("n0") == 2
