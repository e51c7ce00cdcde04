"""What being used and being ignored make of a memory, field by field (agentos and v9)."""

import math
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from cogmem_core.config import Config, FeedbackConfig
from cogmem_core.edge.strength import after_ignoring, after_use, coactivation_now
from cogmem_core.models import Memory, Relation
from helpers.tables import each_row, each_row_of

NOON = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)
LATER = NOON + timedelta(days=10)
CONFIG = Config()


def memory(**fields: Any) -> Memory:
    return Memory("m", "alice", "text", "hash", NOON, NOON, NOON, category="fact", **fields)


def test_every_field_that_a_use_changes() -> None:
    """Ten days at S = 5: R = 0.7427 (episodic, three times as fast), FSRS-6 grade Good; the interval doubles."""
    known = memory(
        used_count=1,
        access_count=3,
        retrieval_count=4,
        ignored_streak=2,
        utility=0.6,
        storage_strength=2.0,
    )
    assert after_use(known, LATER, easy=False, config=CONFIG) == {
        "stability": pytest.approx(38.908779192599724),
        "difficulty": pytest.approx(4.9902283692968386),
        "storage_strength": pytest.approx(2.8),
        "last_reinforced_at": LATER,
        "last_retrieved_at": LATER,
        "access_count": 4,
        "used_count": 2,
        "retrieval_count": 5,
        "ignored_streak": 0,
        "reinforcement_interval": 2.0,
        "next_reinforcement_at": LATER + timedelta(days=2),
        "utility": pytest.approx(6 / (5 / 0.6 + 1)),
    }


@pytest.mark.parametrize(
    ("fields", "easy", "stability", "difficulty"),
    [
        ({}, True, 68.50775254982003, 3.3144613692968385),
        ({"tier": "semantic"}, False, 24.472825352527686, 4.9902283692968386),
        ({"last_reinforced_at": LATER - timedelta(hours=23)}, False, 5.0, 4.9902283692968386),
        (
            {"last_reinforced_at": LATER - timedelta(hours=23)},
            True,
            8.129609559916112,
            3.3144613692968385,
        ),
        ({"last_reinforced_at": LATER + timedelta(hours=1)}, False, 5.0, 4.9902283692968386),
    ],
    ids=["easy", "semantic", "same day", "same day, easy", "a clock that was ahead"],
)
def test_how_much_a_use_is_worth(
    fields: dict[str, Any], easy: bool, stability: float, difficulty: float
) -> None:
    """It depends on the grade, on what was left of the memory, and on whether a day has passed."""
    found = after_use(memory(**fields), LATER, easy=easy, config=CONFIG)
    assert (found["stability"], found["difficulty"]) == pytest.approx((stability, difficulty))


@each_row_of("strength_use/pinned_has_no_ceiling")
def test_pinned_has_no_ceiling(pinned: bool, stability: float, expected: float) -> None:
    """ "Ceiling of S: 365 days for one memory's whole life unless pinned"; what is above it stays there."""
    known = memory(pinned=pinned, stability=stability, last_reinforced_at=LATER)
    assert after_use(known, LATER, easy=True, config=CONFIG)["stability"] == pytest.approx(
        expected, abs=5e-5
    )


def test_the_interval_doubles_up_to_a_year() -> None:
    """1, 2, 4, ... 256, 365 days."""
    known, found = memory(), []
    for _ in range(10):
        known = replace(known, **after_use(known, LATER, easy=False, config=CONFIG))
        found.append(known.reinforcement_interval)
    assert found == [2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 365.0, 365.0]
    assert known.next_reinforcement_at == LATER + timedelta(days=365)


def test_strength_utility_and_difficulty_stay_in_range() -> None:
    """Storage strength grows towards 10, utility towards 1; difficulty falls no lower than 1; S to the ceiling."""
    known, now = memory(), NOON
    for _ in range(200):
        now += timedelta(days=30)
        known = replace(known, **after_use(known, now, easy=True, config=CONFIG))
    assert known.storage_strength == pytest.approx(10.0, abs=1e-6)
    assert known.utility == pytest.approx(1.0, abs=1e-3)
    assert (known.difficulty, known.stability) == (1.0, 365.0)


def test_every_field_that_being_ignored_changes() -> None:
    """ "S·0.9"; the streak grows, utility falls towards 0; use, difficulty and access stay."""
    known = memory(stability=10.0, initial_stability=10.0, utility=0.6, retrieval_count=4)
    assert after_ignoring(known, LATER, config=CONFIG) == {
        "stability": pytest.approx(9.0),
        "ignored_streak": 1,
        "retrieval_count": 5,
        "last_retrieved_at": LATER,
        "utility": pytest.approx(4 / (4 / 0.6 + 1)),
    }


def test_ignored_streak_1_2_3_and_the_floor() -> None:
    """ "from the third in a row S·0.5, never under a quarter of its initial S"."""
    known, found = memory(stability=20.0, initial_stability=20.0), []
    for _ in range(6):
        known = replace(known, **after_ignoring(known, LATER, config=CONFIG))
        found.append((known.ignored_streak, round(known.stability, 6)))
    assert found == [(1, 18.0), (2, 16.2), (3, 8.1), (4, 5.0), (5, 5.0), (6, 5.0)]


def test_a_use_ends_the_streak() -> None:
    """After it the next time being ignored costs a tenth again, not half."""
    known = memory(stability=20.0, initial_stability=20.0, ignored_streak=2)
    used = replace(known, **after_use(known, NOON, easy=False, config=CONFIG))
    assert after_ignoring(used, NOON, config=CONFIG)["stability"] == pytest.approx(18.0)


def test_what_is_below_the_floor_already_stays_where_it_is() -> None:
    """Being ignored never lengthens a life."""
    known = memory(stability=1.0, initial_stability=20.0, ignored_streak=5)
    assert after_ignoring(known, LATER, config=CONFIG)["stability"] == 1.0


@each_row(("days", "expected"), [(0, 0.5), (90, 0.5 / math.e), (180, 0.0676676), (-5, 0.5)])
def test_a_co_activation_fades(days: float, expected: float) -> None:
    """ "w·exp(-days/90), computed when read"; a moment in the future fades nothing."""
    link = Relation("alice", "a", "b", "co_activated", 0.5, last_activated_at=NOON)
    assert coactivation_now(link, NOON + timedelta(days=days)) == pytest.approx(expected, rel=1e-6)


def test_a_co_activation_without_a_date_stays() -> None:
    """Such a row can come from elsewhere; nobody knows how long ago it was."""
    assert coactivation_now(Relation("alice", "a", "b", "co_activated", 0.5), NOON) == 0.5


def test_a_fixed_rate_is_a_part_of_the_way() -> None:
    """V9, "utility += 0.1 · (target - utility)": 0.6 becomes 0.64 by a use and 0.54 by being ignored."""
    config = Config(feedback=FeedbackConfig(utility_rate=0.1))
    known = memory(utility=0.6)
    used, ignored = (
        after_use(known, LATER, easy=False, config=config),
        after_ignoring(known, LATER, config=config, expected=0.2),
    )
    assert (used["utility"], ignored["utility"]) == pytest.approx((0.64, 0.54))


def test_what_was_hardly_expected_costs_hardly_anything() -> None:
    """Utility = used over expected use: 4 of 8 at first, 4 of 8.1, 8.5 and 9 then."""
    found = [
        after_ignoring(memory(), LATER, config=CONFIG, expected=expected)["utility"]
        for expected in (0.0, 0.1, 0.5, 1.0)
    ]
    assert found == pytest.approx([0.5, 4 / 8.1, 4 / 8.5, 4 / 9])
