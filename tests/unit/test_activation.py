"""ACT-R base level: frequency and recency of use in one number."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogmem_core.maths.activation import (
    base_levels,
    long_base_level,
    relative_activation,
    seed_activation,
)
from helpers.tables import each_row

AGE = st.floats(-10, 3650)
AGES = st.lists(st.floats(0.001, 3650), min_size=1, max_size=30)


def base_level(ages: Sequence[float]) -> float:
    """The oracle, with d = 0.5: ln Σ t^-0.5 over every access, t in days."""
    return math.log(math.fsum(age**-0.5 for age in ages))


class TestLongBaseLevel:
    @pytest.mark.parametrize(
        ("count", "first", "expected"),
        [(1, 1.0, 0.693147), (8, 16.0, 1.386294), (2, 4.0, 0.693147)],
    )
    def test_count_and_first_age_give_the_optimised_learning_equation(
        self, count: int, first: float, expected: float
    ) -> None:
        """B = ln(n / (1 - d)) - d ln L: 8 accesses over 16 days are ln 16 - 0.5 ln 16 = ln 4."""
        assert long_base_level(count, first) == pytest.approx(expected, abs=1e-6)

    def test_known_accesses_count_exactly(self) -> None:
        """Petrov's hybrid: 1 + 2·(16^0.5 - 1^0.5) / (0.5·15) = 1.8, of three accesses the latest a day ago."""
        assert long_base_level(3, 16.0, recent_ages_days=[1.0]) == pytest.approx(
            math.log(1.8), abs=1e-9
        )

    def test_it_comes_close_to_the_whole_history(self) -> None:
        """100 accesses, one every second day: within 0.2 of the sum, within 0.01 with the ten latest known."""
        ages = [float(2 * n) for n in range(1, 101)]
        assert base_level(ages) == pytest.approx(2.576, abs=1e-3)
        assert long_base_level(100, 200.0) == pytest.approx(base_level(ages), abs=0.2)
        assert long_base_level(100, 200.0, recent_ages_days=ages[:10]) == pytest.approx(
            base_level(ages), abs=0.01
        )

    @given(AGES)
    def test_with_every_access_known_nothing_is_approximated(self, ages: list[float]) -> None:
        """It is the base-level equation then."""
        exact = long_base_level(len(ages), max(ages), recent_ages_days=ages)
        assert exact == pytest.approx(base_level(ages), abs=1e-9)

    @given(st.integers(1, 10_000), st.floats(-10, 3650), st.lists(st.floats(-10, 3650), max_size=5))
    def test_it_is_always_finite_and_grows_with_the_count(
        self, count: int, first: float, recent: list[float]
    ) -> None:
        """Also if the ages contradict each other, or lie in the future."""
        level = long_base_level(count, first, recent_ages_days=recent)
        assert math.isfinite(level)
        assert long_base_level(count + 10, first, recent_ages_days=recent) > level

    @given(st.lists(st.tuples(st.integers(1, 99), AGE, AGE), max_size=6))
    def test_many_at_once_are_the_same(self, each: list[tuple[int, float, float]]) -> None:
        """`base_levels` knows of each the first access and, where there are several, the latest."""
        counts, first, last = np.array(each, dtype=np.float64).reshape(-1, 3).T
        expected = [
            long_base_level(count, first, recent_ages_days=[last] if count > 1 else [])
            for count, first, last in each
        ]
        assert base_levels(counts, first, last).tolist() == pytest.approx(expected, abs=1e-9)

    @each_row(
        ("count", "first", "decay"),
        [(0, 1.0, 0.5), (1, math.nan, 0.5), (1, 1.0, 1.0), (1, 1.0, -1)],
    )
    def test_what_is_no_history_is_refused(self, count: int, first: float, decay: float) -> None:
        """No access, no number, or an exponent at which the integral has another form."""
        with pytest.raises(ValueError, match=r"count is|age is|decay is"):
            long_base_level(count, first, decay=decay)


class TestRelativeActivation:
    def test_the_most_available_candidate_is_one_and_the_least_zero(self) -> None:
        """Specification, section 4.7: min-max normalised inside the candidate set."""
        assert relative_activation([-2.0, 0.0, 2.0]).tolist() == [0.0, 0.5, 1.0]

    def test_no_candidates_are_no_error(self) -> None:
        """An empty set stays empty."""
        assert relative_activation([]).tolist() == []


class TestSeedActivation:
    @each_row(
        ("count", "seconds", "expected"),
        [
            (1, 4.0, 0.333333),
            (1, 1.0, 0.5),
            (9, 81.0, 0.5),
            (1, 86_400.0, 0.003391),
            (0, 4.0, 0.333333),
            (20, 400.0, 0.5),
        ],
    )
    def test_it_is_the_logistic_of_the_seeds_formula(
        self, count: int, seconds: float, expected: float
    ) -> None:
        """V9: B = log(max(n, 1)) - 0.5 log(age_seconds); activation = 1 / (1 + exp(-B))."""
        assert seed_activation(count, seconds) == pytest.approx(expected, abs=1e-6)

    @pytest.mark.parametrize("seconds", [0.0, -5.0, 0.5])
    def test_now_and_the_future_are_one_second_ago(self, seconds: float) -> None:
        """log 0 does not exist."""
        assert seed_activation(3, seconds) == pytest.approx(0.75)

    @given(st.integers(-5, 10**9), st.floats(-1e12, 1e12))
    def test_it_lies_between_zero_and_one(self, count: int, seconds: float) -> None:
        """No overflow for any count or age."""
        assert 0 < seed_activation(count, seconds) < 1

    def test_an_age_that_is_no_number_is_refused(self) -> None:
        """NaN would win or lose every comparison."""
        with pytest.raises(ValueError, match="age is"):
            seed_activation(1, math.nan)
