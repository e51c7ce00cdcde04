"""Calibration: a probability of 0.7 should come true seven times out of ten."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cogmem_core.maths.calibration import (
    LogisticModel,
    brier,
    expected_calibration_error,
    fit_logistic,
    fit_ranking,
    pair_quantile,
)
from helpers.tables import each_row, each_row_of

OBSERVED = st.lists(st.tuples(st.floats(-100, 100), st.booleans()), min_size=1, max_size=40)


class TestLogistic:
    def test_a_weak_prior_gives_the_logits_of_the_smoothed_shares(self) -> None:
        """1 of 4 right at 0 and 3 of 4 at 1: Platt's targets 5/6 and 1/6 make that 1/3 and 2/3, so ±ln 2."""
        rows = [{"s": 0.0}] * 4 + [{"s": 1.0}] * 4
        model = fit_logistic(rows, [1, 0, 0, 0, 1, 1, 1, 0], ["s"], prior=1e-9)
        assert model.bias == pytest.approx(-0.693147, abs=1e-5)
        assert model.weights == pytest.approx((1.386294,), abs=1e-5)
        assert model.probability({"s": 1.0}) == pytest.approx(2 / 3, abs=1e-6)

    def test_the_prior_balances_the_gradient(self) -> None:
        """At the optimum Σ (p - target)·x + prior·weight is 0, and Σ (p - target) is 0."""
        rows = [{"s": x} for x in (0.1, 0.2, 0.4, 0.7, 0.9)]
        model = fit_logistic(rows, [0, 0, 1, 0, 1], ["s"], prior=2.0)
        targets = [0.2, 0.2, 0.75, 0.2, 0.75]
        gaps = [model.probability(row) - target for row, target in zip(rows, targets, strict=True)]
        assert sum(gaps) == pytest.approx(0.0, abs=1e-7)
        slope = sum(gap * row["s"] for gap, row in zip(gaps, rows, strict=True))
        assert slope + 2.0 * model.weights[0] == pytest.approx(0.0, abs=1e-7)
        assert 0 < model.weights[0] < 0.2

    def test_perfect_separation_stays_finite(self) -> None:
        """Without prior and smoothing the weight would grow for ever."""
        rows = [{"s": x} for x in (0.0, 0.1, 0.9, 1.0)]
        model = fit_logistic(rows, [0, 0, 1, 1], ["s"], prior=1e-6)
        assert 0 < model.weights[0] < 10
        assert model.probability({"s": 0.0}) < 0.3
        assert model.probability({"s": 1.0}) > 0.7

    @pytest.mark.parametrize(("outcome", "expected"), [(1, 0.833333), (0, 0.166667)])
    def test_one_sided_outcomes_are_smoothed(self, outcome: int, expected: float) -> None:
        """Four right out of four are 5/6, not certainty."""
        model = fit_logistic([{"s": 0.0}] * 4, [outcome] * 4, ["s"])
        assert model.probability({"s": 0.0}) == pytest.approx(expected, abs=1e-6)

    def test_several_features_each_get_their_weight(self) -> None:
        """What predicts counts, what does not hardly does."""
        rows = [{"cosine": i % 2, "noise": i // 2 % 2} for i in range(40)]
        model = fit_logistic(rows, [i % 2 for i in range(40)], ["cosine", "noise"])
        assert model.features == ("cosine", "noise")
        assert model.weights[0] > 2
        assert abs(model.weights[1]) < 1e-6

    def test_equal_features_share_the_weight(self) -> None:
        """The prior makes a singular problem a plain one."""
        rows = [{"a": x, "b": x} for x in (0.0, 0.3, 0.6, 1.0)]
        model = fit_logistic(rows, [0, 0, 1, 1], ["a", "b"])
        assert model.weights[0] == pytest.approx(model.weights[1])

    @settings(max_examples=60)
    @given(OBSERVED, st.floats(1e-3, 10))
    def test_it_is_finite_and_within_range_on_any_scale(
        self, observed: list[tuple[float, bool]], prior: float
    ) -> None:
        """Newton converges wherever it starts, and probabilities follow the sign of the weight."""
        model = fit_logistic(
            [{"s": x} for x, _ in observed], [y for _, y in observed], ["s"], prior=prior
        )
        low, high = model.probability({"s": -100.0}), model.probability({"s": 100.0})
        assert 0 <= min(low, high) <= max(low, high) <= 1
        assert (high >= low) == (model.weights[0] >= 0) or high == low

    @each_row(
        ("rows", "outcomes", "prior"),
        [
            ([], [], 1.0),
            ([{"t": 1.0}], [1], 1.0),
            ([{"s": math.inf}], [1], 1.0),
            ([{"s": 1.0}], [1], 0.0),
            ([{"s": 1.0}], [2], 1.0),
        ],
    )
    def test_what_cannot_be_fitted_is_refused(
        self, rows: list[dict[str, float]], outcomes: list[int], prior: float
    ) -> None:
        """Empty, another feature, not finite, no prior, or no outcome."""
        with pytest.raises(ValueError, match=r"observation|features|prior|outcome"):
            fit_logistic(rows, outcomes, ["s"], prior=prior)


class TestLogisticModel:
    def test_it_is_the_logistic_of_the_weighed_sum(self) -> None:
        """0.5·2 + 1·0 - 1 = 0, so 0.5; unknown names are left aside."""
        model = LogisticModel((2.0, 1.0), -1.0, ("cosine", "words"))
        assert model.probability({"cosine": 0.5, "words": 0.0, "other": 7.0}) == 0.5
        assert model.probability({"cosine": 1.0, "words": 0.0}) == pytest.approx(0.731059, abs=1e-6)

    def test_extreme_values_neither_overflow_nor_leave_the_range(self) -> None:
        """exp(100000) does not exist."""
        model = LogisticModel((1000.0,), 0.0, ("s",))
        assert (model.probability({"s": -100.0}), model.probability({"s": 100.0})) == (0.0, 1.0)

    def test_it_survives_json(self) -> None:
        """Weights are kept to the last bit."""
        model = LogisticModel((0.1, -2.5e-7), 1 / 3, ("cosine", "words"))
        assert json.loads(model.to_json()) == {
            "weights": [0.1, -2.5e-7],
            "bias": 1 / 3,
            "features": ["cosine", "words"],
        }
        assert LogisticModel.from_json(model.to_json()) == model

    @each_row_of("calibration/what_is_no_model_is_refused")
    def test_what_is_no_model_is_refused(self, text: str) -> None:
        """A file of something else."""
        with pytest.raises(ValueError, match=r"model|weights|Expecting"):
            LogisticModel.from_json(text)

    @pytest.mark.parametrize("values", [{}, {"s": math.nan}])
    def test_a_missing_feature_is_not_taken_for_zero(self, values: dict[str, float]) -> None:
        """A misspelt name would silently change every probability."""
        with pytest.raises(ValueError, match="features s"):
            LogisticModel((1.0,), 0.0, ("s",)).probability(values)

    @pytest.mark.parametrize(
        ("weights", "bias", "features"),
        [((1.0,), 0.0, ()), ((1.0, 2.0), 0.0, ("s", "s")), ((math.inf,), 0.0, ("s",))],
    )
    def test_a_model_is_whole(
        self, weights: tuple[float, ...], bias: float, features: tuple[str, ...]
    ) -> None:
        """One finite weight for each feature, each named once."""
        with pytest.raises(ValueError, match="weight"):
            LogisticModel(weights, bias, features)

    def test_a_weight_stays_at_the_centre_while_nothing_speaks_against_it(self) -> None:
        """All observations at one place tell the level, not the slope; several tell both."""
        model = fit_logistic([{"x": 0.0}] * 20, [1] * 15 + [0] * 5, ("x",), centre=1.0)
        assert model.weights == (1.0,)
        assert model.probability({"x": 0.0}) == pytest.approx((15 * 16 / 17 + 5 / 7) / 20)
        rows, outcomes = (
            [{"x": -1.0}] * 100 + [{"x": 1.0}] * 100,
            [1] * 90 + [0] * 10 + [0] * 90 + [1] * 10,
        )
        assert fit_logistic(rows, outcomes, ("x",), centre=1.0).weights[0] < -1.5

    @pytest.mark.parametrize("centre", [float("nan"), float("inf")])
    def test_a_centre_that_is_not_finite_is_an_error(self, centre: float) -> None:
        """The message says what it is."""
        with pytest.raises(ValueError, match="centre"):
            fit_logistic([{"x": 0.0}], [1], ("x",), centre=centre)


class TestMeasures:
    def test_brier_is_the_mean_squared_distance(self) -> None:
        """(0.01 + 0.04 + 0.36) / 3."""
        assert brier([0.1, 0.8, 0.6], [0, 1, 0]) == pytest.approx(0.41 / 3)

    @pytest.mark.parametrize(("probability", "expected"), [(0.0, 0.5), (0.5, 0.25), (1.0, 0.5)])
    def test_brier_of_a_coin(self, probability: float, expected: float) -> None:
        """Half of the outcomes are 1."""
        assert brier([probability] * 4, [0, 1, 0, 1]) == expected

    def test_calibration_error_weighs_each_bin_by_its_size(self) -> None:
        """0.2 and 0.25 came true half the time (gap 0.275), 0.9 always (0.1), twice: (2·0.275 + 2·0.1) / 4."""
        error = expected_calibration_error([0.2, 0.25, 0.9, 0.9], [0, 1, 1, 1])
        assert error == pytest.approx(0.1875)

    def test_within_a_bin_gaps_cancel(self) -> None:
        """One bin only compares the means: 0.5 and 0.5."""
        assert expected_calibration_error([0.0, 1.0], [1, 0], bins=1) == 0.0
        assert expected_calibration_error([0.0, 1.0], [1, 0], bins=2) == 1.0

    @given(
        st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=30),
        st.integers(1, 20),
    )
    def test_both_lie_between_zero_and_one(
        self, observed: list[tuple[float, bool]], bins: int
    ) -> None:
        """1 is always certain and always wrong."""
        ps, ys = [p for p, _ in observed], [y for _, y in observed]
        assert 0 <= brier(ps, ys) <= 1
        assert 0 <= expected_calibration_error(ps, ys, bins) <= 1 + 1e-12

    def test_calibration_lowers_the_error(self) -> None:
        """Scores of 0.9 that come true half the time, and of 0.1 that do so as often, are worth 0.5."""
        scores, outcomes = [0.9, 0.1] * 20, [1, 0, 0, 1] * 10
        rows = [{"score": score} for score in scores]
        model = fit_logistic(rows, outcomes, ["score"])
        assert expected_calibration_error(scores, outcomes) == pytest.approx(0.4)
        assert expected_calibration_error(
            [model.probability(row) for row in rows], outcomes
        ) == pytest.approx(0.0)

    @each_row(
        ("probabilities", "outcomes"), [([], []), ([1.1], [1]), ([-0.1], [1]), ([0.5], [1, 0])]
    )
    def test_what_is_no_probability_is_refused(
        self, probabilities: list[float], outcomes: list[int]
    ) -> None:
        """Empty, above 1, below 0, or uneven."""
        with pytest.raises(ValueError, match=r"observation|probability"):
            brier(probabilities, outcomes)

    def test_there_is_at_least_one_bin(self) -> None:
        """Zero bins measure nothing."""
        with pytest.raises(ValueError, match="bins"):
            expected_calibration_error([0.5], [1], bins=0)


def test_the_quantile_of_pairs() -> None:
    """Three unit vectors: cosines 0, 0.6 and 0.8; of less than two there is no pair."""
    rows = [[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]]
    assert [pair_quantile(rows, quantile) for quantile in (0.0, 0.5, 1.0)] == pytest.approx(
        [0.0, 0.6, 0.8]
    )
    with pytest.raises(ValueError, match="no pair"):
        pair_quantile(rows[:1], 0.5)


class TestFitRanking:
    def test_what_is_right_comes_first(self) -> None:
        """The first feature tells what is right in both questions, the second one does not."""
        questions = [
            (np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]), np.array([1.0, 0.0, 0.0])),
            (np.array([[0.0, 1.0], [1.0, 1.0], [0.0, 0.0]]), np.array([0.0, 1.0, 0.0])),
        ]
        weights = fit_ranking(questions, np.ones(2))
        assert [int(np.argmax(values @ weights)) for values, _ in questions] == [0, 1]
        assert weights[0] > abs(weights[1])

    def test_a_prior_keeps_weights_small_and_counts_outweigh_each_other(self) -> None:
        """Two questions that disagree: the one that counts more decides."""
        values = np.eye(2)
        questions = [(values, np.array([1.0, 0.0])), (values, np.array([0.0, 1.0]))]
        even = fit_ranking(questions, np.ones(2))
        assert even == pytest.approx([0.0, 0.0], abs=1e-6)
        first = fit_ranking(questions, np.ones(2), counts=(3.0, 1.0))
        assert first[0] > 0.0 > first[1]
        assert abs(fit_ranking(questions, np.full(2, 50.0), counts=(3.0, 1.0))[0]) < first[0]

    def test_without_a_question_there_is_nothing_to_fit(self) -> None:
        """It says what to give."""
        with pytest.raises(ValueError, match="give at least one"):
            fit_ranking([], np.ones(2))
