"""Used over expected use: prior, judgements one by one, the upper bound."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogmem_core.maths.utility import expected_use, upper_bound, utility_after, utility_of
from helpers.tables import each_row, each_row_of


@each_row(
    ("used", "unused", "utility"),
    [(0, 0, 0.5), (1, 0, 5 / 9), (12, 0, 0.8), (0, 12, 0.2), (3, 0.5, 7 / 11.5)],
)
def test_the_mean_of_the_posterior(used: float, unused: float, utility: float) -> None:
    """Beta(4, 4) and what was seen."""
    assert utility_of(used, unused) == pytest.approx(utility)


@each_row_of("utility/what_use_is_to_be_expected")
def test_what_use_is_to_be_expected(confidence: float, rank: int, expected: float) -> None:
    """Less of what stands further back."""
    assert expected_use(confidence, rank) == pytest.approx(expected)


@each_row_of("utility/few_judgements_prove_nothing")
def test_few_judgements_prove_nothing(used: float, unused: float, below_the_prior: bool) -> None:
    """The upper bound lies above 0.5 for long."""
    assert (upper_bound(used, unused) < 0.5) == below_the_prior


def test_the_upper_bound_is_a_share() -> None:
    """Never above 1."""
    assert upper_bound(100_000, 0) <= 1.0


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1)), max_size=8))
def test_one_by_one_is_the_same_as_at_once(judgements: list[tuple[bool, float]]) -> None:
    """Up to the 16th the order does not matter, and nothing but utility and uses has to be kept."""
    utility, used, unused = 0.5, 0, 0.0
    for was_used, expected in judgements:
        utility = utility_after(utility, used, expected, was_used=was_used)
        used += was_used
        unused += 0.0 if was_used else expected
    assert utility == pytest.approx(utility_of(used, unused))


@given(st.floats(0, 1), st.integers(0, 1_000), st.floats(0, 1), st.booleans())
def test_a_utility_from_elsewhere_stays_in_its_range(
    utility: float, used: int, expected: float, was_used: bool
) -> None:
    """An import may bring any pair; a use never lowers it, being passed over never raises it."""
    found = utility_after(utility, used, expected, was_used=was_used)
    assert 0.0 < found <= 1.0
    assert found >= utility - 1e-9 if was_used else found <= max(utility, 1e-3)


def test_the_latest_answers_count_most() -> None:
    """A hundred uses, then passed over twenty times where a use was likely: below where it began."""
    utility = 0.5
    for used in range(100):
        utility = utility_after(utility, used, 1.0, was_used=True)
    assert utility == pytest.approx(0.999, abs=1e-3)
    for _ in range(20):
        utility = utility_after(utility, 100, 0.8, was_used=False)
    assert utility < 0.5


def test_nothing_is_beyond_recovery() -> None:
    """From 0, thirty uses lead above the middle."""
    utility = 0.0
    for used in range(30):
        utility = utility_after(utility, used, 1.0, was_used=True)
    assert utility > 0.5
