"""ACT-R base level: frequency and recency of use in one number."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogmem_core.maths.activation import base_levels, seed_activation
from helpers.tables import each_row_of

AGE = st.floats(-10, 3650)


def base_level(ages: Sequence[float]) -> float:
    """The oracle, with d = 0.5: ln Σ t^-0.5 over every access, t in days."""
    return math.log(math.fsum(age**-0.5 for age in ages))


def level(count: int, first: float, last: float) -> float:
    """The base level of one memory."""
    (found,) = base_levels(np.array([float(count)]), np.array([first]), np.array([last])).tolist()
    return float(found)


class TestBaseLevels:
    def test_one_access_is_spread_over_the_life(self) -> None:
        """B = ln(1 / (1 - d)) - d ln L: ln 2 a day after it, ln 2 - ln 2 after four."""
        levels = [level(1, 1.0, 1.0), level(1, 4.0, 4.0), level(1, 4.0, 1.0)]
        assert levels == pytest.approx([0.693147, 0.0, 0.0], abs=1e-6)

    def test_of_several_the_latest_counts_exactly(self) -> None:
        """Petrov's hybrid: 1 + 2·(16^0.5 - 1^0.5) / (0.5·15) = 1.8, of three accesses the latest a day ago."""
        assert level(3, 16.0, 1.0) == pytest.approx(math.log(1.8), abs=1e-9)
        assert level(2, 4.0, 4.0) == pytest.approx(base_level([4.0, 4.0]), abs=1e-9)

    def test_it_comes_close_to_the_whole_history(self) -> None:
        """100 accesses, one every second day: within 0.15 of the sum."""
        ages = [float(2 * n) for n in range(1, 101)]
        assert base_level(ages) == pytest.approx(2.576, abs=1e-3)
        assert level(100, 200.0, 2.0) == pytest.approx(base_level(ages), abs=0.15)

    @given(st.lists(st.tuples(st.integers(2, 9_999), AGE, AGE), max_size=6))
    def test_it_is_always_finite_and_grows_with_the_count(
        self, each: list[tuple[int, float, float]]
    ) -> None:
        """Also if the ages contradict each other, or lie in the future."""
        counts, first, last = np.array(each, dtype=np.float64).reshape(-1, 3).T
        levels = base_levels(counts, first, last)
        assert np.isfinite(levels).all()
        assert (base_levels(counts + 10, first, last) > levels).all()


class TestSeedActivation:
    @each_row_of("activation/it_is_the_logistic_of_the_seeds_formula")
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
