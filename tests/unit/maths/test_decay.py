"""Forgetting curves against golden values."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogmem_core.errors import ConfigError
from cogmem_core.maths.decay import (
    CURVES,
    days_until,
    exponential,
    fsrs6,
    power_v9,
    retention,
    retentions,
)
from helpers.tables import each_case_of, each_row, each_row_of

NAMES = st.sampled_from(sorted(CURVES))
STABILITY = st.floats(1e-3, 36_500)
DAYS = st.floats(-1e6, 1e9)


class TestGoldenValues:
    @each_case_of("decay/at_the_stability")
    def test_at_the_stability(self, curve: str, expected: float) -> None:
        """R(S, S) is 0.9 for fsrs6, e^-1 for exponential, 0.81 for power_v9."""
        assert retention(5, 5, curve) == pytest.approx(expected, abs=1e-12)

    def test_fsrs6(self) -> None:
        """(1 + F·t/S)^-0.1542 with F = 0.9^(-1/0.1542) - 1 = 0.98035."""
        assert [round(fsrs6(days), 4) for days in (1.0, 10.0, 100.0, 1000.0)] == [
            0.9,
            0.6928,
            0.4923,
            0.3457,
        ]

    def test_exponential(self) -> None:
        """exp(-t/S)."""
        assert [round(exponential(days / 10), 4) for days in (1, 10, 100)] == [0.9048, 0.3679, 0.0]

    def test_power_v9(self) -> None:
        """(1 + t/(9S))^-2."""
        assert [round(power_v9(days), 4) for days in (1.0, 9.0, 90.0)] == [0.81, 0.25, 0.0083]

    @given(NAMES, st.lists(st.tuples(DAYS, STABILITY), max_size=5))
    def test_many_at_once_are_the_same(self, curve: str, each: list[tuple[float, float]]) -> None:
        """`retentions` is `retention` of columns."""
        days, stabilities = np.array(each, dtype=np.float64).reshape(-1, 2).T
        expected = [retention(*one, curve) for one in each]
        assert retentions(days, stabilities, curve).tolist() == pytest.approx(expected, abs=1e-12)

    def test_a_stability_of_zero_among_many_is_refused(self) -> None:
        """As it is alone."""
        with pytest.raises(ValueError, match="a stability is not a finite number"):
            retentions(np.array([1.0, 1.0]), np.array([5.0, 0.0]))

    def test_thresholds_fit_the_curve(self) -> None:
        """Endangered, fading and prune of each curve."""
        assert {name: (c.endangered, c.fading, c.prune) for name, c in CURVES.items()} == {
            "fsrs6": (0.70, 0.60, 0.50),
            "exponential": (0.30, 0.20, 0.05),
            "power_v9": (0.30, 0.20, 0.05),
        }


class TestShape:
    @given(NAMES, STABILITY)
    def test_nothing_is_forgotten_before_time_passes(self, curve: str, stability: float) -> None:
        """Retention is 1 now and for moments in the future."""
        assert retention(0, stability, curve) == retention(-3, stability, curve) == 1.0

    @given(NAMES, STABILITY, DAYS, DAYS)
    def test_it_never_rises_with_time(
        self, curve: str, stability: float, one: float, other: float
    ) -> None:
        """The later, the less is left."""
        early, late = sorted((one, other))
        assert 1.0 >= retention(early, stability, curve) >= retention(late, stability, curve) >= 0.0

    @given(NAMES, STABILITY, STABILITY, DAYS)
    def test_it_never_falls_with_stability(
        self, curve: str, one: float, other: float, days: float
    ) -> None:
        """The stabler, the more is left."""
        weak, strong = sorted((one, other))
        assert retention(days, weak, curve) <= retention(days, strong, curve)

    @pytest.mark.parametrize("curve", CURVES)
    def test_extremes_do_not_overflow(self, curve: str) -> None:
        """Endless time leaves nothing, at any stability."""
        assert retention(math.inf, 1, curve) == 0.0
        assert retention(1e308, 1e-308, curve) == 0.0


class TestInverse:
    @each_row_of("decay/days_until_a_retention_at_a_stability_of_five")
    def test_days_until_a_retention_at_a_stability_of_five(
        self, curve: str, left: float, expected: float
    ) -> None:
        """The curves, solved for t: S·(R^(-1/w20) - 1)/F, -S·ln R, 9·S·(R^-0.5 - 1)."""
        assert days_until(left, 5, curve) == pytest.approx(expected, rel=1e-4)

    @given(NAMES, STABILITY, st.floats(0.02, 1.0))
    def test_that_much_is_left_then(self, curve: str, stability: float, left: float) -> None:
        """`retention` undoes it."""
        assert retention(days_until(left, stability, curve), stability, curve) == pytest.approx(
            left, rel=1e-9
        )

    @given(NAMES, STABILITY, st.floats(1e-3, 20.0))
    def test_it_undoes_retention(self, curve: str, stability: float, times: float) -> None:
        """From days to what is left and back, for up to twenty times the stability."""
        days = times * stability
        assert days_until(retention(days, stability, curve), stability, curve) == pytest.approx(
            days, rel=1e-6
        )

    @pytest.mark.parametrize("curve", CURVES)
    def test_all_is_left_now_and_nothing_never(self, curve: str) -> None:
        """0 days until a retention of 1; no number of days leaves nothing."""
        assert (days_until(1.0, 3, curve), days_until(0.0, 3, curve)) == (0.0, math.inf)

    def test_a_trace_takes_longer_than_any_number(self) -> None:
        """FSRS-6 has a heavy tail: 1e-300 is beyond what a float can count."""
        assert days_until(1e-300, 1, "fsrs6") == math.inf
        assert days_until(1e-300, 1, "exponential") == pytest.approx(690.7755)

    @pytest.mark.parametrize("left", [-0.1, 1.1, math.nan])
    def test_what_is_left_is_a_share(self, left: float) -> None:
        """Nothing else is ever reached."""
        with pytest.raises(ValueError, match="use a retention from 0 to 1"):
            days_until(left, 1)

    @pytest.mark.parametrize("left", [0.0, 0.5, 1.0])
    def test_a_stability_of_zero_has_no_curve(self, left: float) -> None:
        """As in `retention`."""
        with pytest.raises(ValueError, match="stability_days"):
            days_until(left, 0.0)

    def test_the_curve_must_be_known(self) -> None:
        """As in `retention`."""
        with pytest.raises(ConfigError, match="'linear'; use one of fsrs6, exponential, power_v9"):
            days_until(0.5, 1, "linear")


class TestRefusals:
    @each_row("stability", [0.0, -1.0, math.inf, math.nan])
    @each_row("curve", CURVES)
    def test_a_stability_must_be_finite_and_above_zero(self, curve: str, stability: float) -> None:
        """Also where no time has passed."""
        with pytest.raises(ValueError, match="stability_days"):
            retention(0, stability, curve)

    def test_an_elapsed_time_must_be_a_number(self) -> None:
        """NaN would pass every threshold unnoticed."""
        with pytest.raises(ValueError, match="elapsed_days"):
            retention(math.nan, 1)

    def test_an_unknown_curve_is_named_with_the_known_ones(self) -> None:
        """The message is the fix."""
        with pytest.raises(ConfigError, match="'linear'; use one of fsrs6, exponential, power_v9"):
            retention(1, 1, "linear")
