"""Forgetting curves against golden values (SPEC 2)."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogmem.errors import ConfigError
from cogmem.maths.decay import CURVES, exponential, fsrs6, power_v9, retention

NAMES = st.sampled_from(sorted(CURVES))
STABILITY = st.floats(1e-3, 36_500)
DAYS = st.floats(-1e6, 1e9)


class TestGoldenValues:
    @pytest.mark.parametrize(
        ("curve", "expected"), [("fsrs6", 0.9), ("exponential", 0.36787944117144233), ("power_v9", 0.81)]
    )
    def test_at_the_stability(self, curve: str, expected: float) -> None:
        """R(S, S) is 0.9 for fsrs6, e^-1 for exponential, 0.81 for power_v9."""
        assert retention(5, 5, curve) == pytest.approx(expected, abs=1e-12)

    def test_fsrs6(self) -> None:
        """(1 + F·t/S)^-0.1542 with F = 0.9^(-1/0.1542) - 1 = 0.98035."""
        assert [round(fsrs6(days, 1), 4) for days in (1, 10, 100, 1000)] == [0.9, 0.6928, 0.4923, 0.3457]

    def test_exponential(self) -> None:
        """exp(-t/S)."""
        assert [round(exponential(days, 10), 4) for days in (1, 10, 100)] == [0.9048, 0.3679, 0.0]

    def test_power_v9(self) -> None:
        """(1 + t/(9S))^-2."""
        assert [round(power_v9(days, 1), 4) for days in (1, 9, 90)] == [0.81, 0.25, 0.0083]

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
    def test_it_never_rises_with_time(self, curve: str, stability: float, one: float, other: float) -> None:
        """The later, the less is left."""
        early, late = sorted((one, other))
        assert 1.0 >= retention(early, stability, curve) >= retention(late, stability, curve) >= 0.0

    @given(NAMES, STABILITY, STABILITY, DAYS)
    def test_it_never_falls_with_stability(self, curve: str, one: float, other: float, days: float) -> None:
        """The stabler, the more is left."""
        weak, strong = sorted((one, other))
        assert retention(days, weak, curve) <= retention(days, strong, curve)

    @pytest.mark.parametrize("curve", CURVES)
    def test_extremes_do_not_overflow(self, curve: str) -> None:
        """Endless time leaves nothing, at any stability."""
        assert retention(math.inf, 1, curve) == 0.0
        assert retention(1e308, 1e-308, curve) == 0.0


class TestRefusals:
    @pytest.mark.parametrize("stability", [0.0, -1.0, math.inf, math.nan])
    @pytest.mark.parametrize("curve", CURVES)
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
