"""FSRS-6, the recall update: literal values from the published formulas, and the reference implementation."""

import math
import random
from datetime import datetime, timedelta, timezone

import pytest
from fsrs import Card, Rating, Scheduler, State

from cogmem_core.maths.decay import retention
from cogmem_core.maths.fsrs import EASY, GOOD, WEIGHTS, Grade, difficulty_after, stability_after
from helpers.tables import each_row, each_row_of

NOON = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)


@each_row_of("fsrs/a_recall_lengthens_stability")
def test_a_recall_lengthens_stability(
    stability: float, difficulty: float, left: float, grade: Grade, expected: float
) -> None:
    """S' = S · (1 + e^w8 · (11 - D) · S^-w9 · (e^(w10·(1-R)) - 1) · bonus); nothing forgotten, nothing gained."""
    assert stability_after(stability, difficulty, left, grade) == pytest.approx(expected, rel=1e-12)


@each_row_of("fsrs/repeating_within_a_day_gains_little")
def test_repeating_within_a_day_gains_little(
    stability: float, grade: Grade, expected: float
) -> None:
    """S' = S · max(1, e^(w17·(G - 3 + w18)) · S^-w19), whatever is left of the memory and however hard it is."""
    for difficulty, left in ((1.0, 0.2), (10.0, 1.0)):
        after = stability_after(stability, difficulty, left, grade, same_day=True)
        assert after == pytest.approx(expected, rel=1e-12)


@each_row_of("fsrs/what_comes_easily_gets_easier")
def test_what_comes_easily_gets_easier(difficulty: float, grade: Grade, expected: float) -> None:
    """D'' = w7 · D0(4) + (1 - w7) · (D - w6 · (G - 3) · (10 - D) / 9), within 1..10; D0(4) itself is below 1."""
    assert difficulty_after(difficulty, grade) == pytest.approx(expected, rel=1e-12)


def test_the_longer_it_had_been_forgotten_the_more_a_recall_is_worth() -> None:
    """Spacing: 17.4 days at R = 0.9, more at 0.8, more again at 0.5."""
    gained = [stability_after(5.0, 5.0, left, GOOD) for left in (0.9, 0.8, 0.5)]
    assert gained == sorted(gained)
    assert gained[0] == pytest.approx(17.36, abs=0.005)


@each_row(
    ("stability", "left"),
    [(0.0, 0.5), (-1.0, 0.5), (math.inf, 0.5), (math.nan, 0.5), (1.0, -0.1), (1.0, 1.1)],
)
def test_a_value_out_of_range_is_an_error(stability: float, left: float) -> None:
    """S above 0, R from 0 to 1."""
    with pytest.raises(ValueError, match="out of range"):
        stability_after(stability, 5.0, left, GOOD)


@each_row("difficulty", [0.9, 0.0, 10.1, 50.0, math.nan, math.inf])
def test_a_difficulty_out_of_range_is_an_error(difficulty: float) -> None:
    """D from 1 to 10, also where it does not enter the formula: 50 would make a recall shorten stability."""
    for same_day in (False, True):
        with pytest.raises(ValueError, match=r"difficulty .* is out of range; use 1 to 10"):
            stability_after(5.0, difficulty, 0.9, GOOD, same_day=same_day)
    with pytest.raises(ValueError, match=r"difficulty .* is out of range; use 1 to 10"):
        difficulty_after(difficulty, GOOD)


def test_the_weights_are_the_published_ones() -> None:
    """ "published default weights"."""
    assert tuple(Scheduler().parameters) == WEIGHTS


@each_row("seed", range(20))
def test_random_reviews_give_what_the_reference_implementation_gives(seed: int) -> None:
    """ "The maths is checked against py-fsrs on random review sequences"; S never shrinks, D stays 1..10."""
    rng, scheduler, now = random.Random(seed), Scheduler(enable_fuzzing=False), NOON
    stability, difficulty = rng.uniform(0.1, 60.0), rng.uniform(1.0, 10.0)
    card = Card(
        state=State.Review, stability=stability, difficulty=difficulty, last_review=now, due=now
    )
    for _ in range(30):
        days, grade = rng.choice((0, 0, 1, 2, 7, 30, 200)), rng.choice((GOOD, EASY))
        now += timedelta(days=days, seconds=1 if days == 0 else 0)
        before, left = stability, retention(float(days), stability, "fsrs6")
        stability = stability_after(stability, difficulty, left, grade, same_day=days == 0)
        difficulty = difficulty_after(difficulty, grade)
        card, _ = scheduler.review_card(card, Rating(grade), now)
        assert (stability, difficulty) == pytest.approx((card.stability, card.difficulty), rel=1e-9)
        assert stability >= before
        assert 1.0 <= difficulty <= 10.0
