"""What a night does to numbers: probation, drift, flashbulbs, rehearsal (6.3, 6.4, 6.6)."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from cogmem_core.changes import Retire, Touch
from cogmem_core.config import RehearsalConfig, StrengthConfig
from helpers.step_modules import step_module
from helpers.tables import each_case_of
from unit.helpers.dream_cycles import MANUAL, Night

Opening = Callable[..., Night]


def dreaming(**sections: Any) -> dict[str, Any]:
    return {"consolidation": replace(MANUAL, **sections)}


def test_a_fact_that_was_said_again_gets_the_time_that_it_was_given(night: Night) -> None:
    """Saying it again moves `valid_until`; the mark still has the first end."""
    fact = night.probation("The parcel is with the neighbours", access_count=1)
    night.change(Touch(fact, {"valid_until": night.clock() + timedelta(hours=72)}, "said again"))
    night.clock.advance(hours=71)
    assert night.counts("short_term") == {}
    night.clock.advance(hours=1)
    assert night.counts("short_term") == {"expired": 1}


def test_the_mark_of_a_fact_that_left_recall_goes(night: Night) -> None:
    """Somebody retired it, or made it last, before the night came: nothing but the mark changes."""
    gone, lasting = (
        night.probation("The parcel is with the neighbours"),
        night.probation("The lift is broken"),
    )
    night.change(
        Retire(gone, "forgotten", "by hand"), Touch(lasting, {"valid_until": None}, "by hand")
    )
    before = night.everything()[0]
    assert night.counts("short_term") == {"released": 2}
    assert (night.everything()[0], night.marks()) == (before, ([], []))


def test_less_does_not_prove_the_worth_of_a_fact(
    opening: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Accesses and importance below the thresholds."""
    monkeypatch.setattr(step_module("short_term"), "PROMOTE_ACCESSES", 4)
    monkeypatch.setattr(step_module("short_term"), "PROMOTE_IMPORTANCE", 0.9)
    night = opening()
    night.probation("The parcel is with the neighbours", access_count=3, importance=0.8)
    assert night.counts("short_term") == {}


def test_utility_drifts_towards_the_middle(night: Night) -> None:
    """V9: "utility + 0.01 × daysSince × (0.5 - utility)", from above and from below; ten days."""
    high, low = (
        night.add("Emma keeps rabbits", utility=0.9),
        night.add("Noah repairs radios", utility=0.1),
    )
    middle = night.add("Sofia swims")
    night.clock.advance(days=10)
    assert night.counts("utility_drift") == {"drifted": 2}
    assert [night.get(one).utility for one in (high, low, middle)] == pytest.approx(
        [0.86, 0.14, 0.5]
    )


def test_utility_never_drifts_past_the_middle(night: Night) -> None:
    """min(1, 0.01 · days): after a hundred days and more all of the way, not more."""
    high = night.add("Emma keeps rabbits", utility=0.9)
    night.clock.advance(days=250)
    assert night.counts("utility_drift") == {"drifted": 1}
    assert night.get(high).utility == pytest.approx(0.5)


def test_days_count_once_for_the_drift(night: Night) -> None:
    """ "days since the last run"; of a younger memory, since it was stored; at most once in 24 hours."""
    old = night.add("Emma keeps rabbits", utility=0.9)
    night.clock.advance(days=10)
    night.dream("utility_drift")
    night.clock.advance(hours=23)
    assert (
        night.dream("utility_drift").steps["utility_drift"].note == "done within the last 24 hours"
    )
    young = night.add("Noah repairs radios", utility=1.0)
    night.clock.advance(days=5, hours=1)
    assert night.counts("utility_drift") == {"drifted": 2}
    # 0.86 - 0.06 · 0.36, six days after the first drift; 1 - (5 + 1/24) / 100 · 0.5.
    assert night.get(old).utility == pytest.approx(0.8384)
    assert night.get(young).utility == pytest.approx(0.974792, abs=1e-6)


def test_what_was_retrieved_does_not_drift(night: Night) -> None:
    """V9: "unused memories drift"; once nobody asks for it, it does, from the last drift on."""
    asked = night.add("Emma keeps rabbits", utility=0.9)
    night.clock.advance(days=5)
    night.change(Touch(asked, {"last_retrieved_at": night.clock()}, "retrieved"))
    night.clock.advance(days=5)
    assert night.counts("utility_drift") == {}
    night.clock.advance(days=10)
    assert night.counts("utility_drift") == {"drifted": 1}
    assert night.get(asked).utility == pytest.approx(0.86)


def test_small_drifts_are_left(opening: Opening, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a day 0.61 would lose 0.0011, and 0.59 only 0.0009."""
    monkeypatch.setattr(step_module("utility_drift"), "LEAST_DRIFT", 0.001)
    night = opening()
    more, less = (
        night.add("Emma keeps rabbits", utility=0.61),
        night.add("Noah repairs radios", utility=0.59),
    )
    night.clock.advance(days=1)
    assert night.counts("utility_drift") == {"drifted": 1}
    assert (night.get(more).utility, night.get(less).utility) == (pytest.approx(0.6089), 0.59)


def test_flashbulb_memories_settle_once_a_day(night: Night) -> None:
    """ "flashbulb S x 1.05"; others stay as they are."""
    flash, other = (
        night.add("The crash!", flashbulb=True, stability=10.0),
        night.add("Emma keeps rabbits"),
    )
    assert night.counts("emotional") == {"settled": 1}
    assert (night.get(flash).stability, night.get(other).stability) == (pytest.approx(10.5), 5.0)
    night.clock.advance(hours=23.9)
    assert night.counts("emotional") == {}
    night.clock.advance(hours=0.1)
    assert night.counts("emotional") == {"settled": 1}
    assert night.get(flash).stability == pytest.approx(11.025)


@pytest.mark.parametrize(("days", "after"), [(360.0, 365.0), (365.0, 365.0), (400.0, 400.0)])
def test_a_flashbulb_settles_up_to_the_ceiling(night: Night, days: float, after: float) -> None:
    """Ceiling of S 365 days; what is above it already is not lowered."""
    flash = night.add("The crash!", flashbulb=True, stability=days)
    night.dream("emotional")
    assert night.get(flash).stability == after


def endangered(night: Night, text: str = "Emma keeps rabbits", **fields: Any) -> str:
    """At S = 5, episodic, 20 days later: R = 0.6752 on the default curve, where 0.7 is endangered."""
    return night.add(text, **{"stability": 5.0, "importance": 0.6, **fields})


def test_an_endangered_memory_is_rehearsed(night: Night) -> None:
    """V9: "stability boost (x1.5)"; the interval doubles, and the last use stays when it was."""
    faded = endangered(night)
    used = night.get(faded).last_reinforced_at
    night.clock.advance(days=20)
    assert night.counts("rehearsal") == {"rehearsed": 1}
    memory = night.get(faded)
    assert (memory.stability, memory.reinforcement_interval, memory.last_reinforced_at) == (
        7.5,
        2.0,
        used,
    )
    assert memory.next_reinforcement_at == night.clock() + timedelta(days=1)
    assert night.bank.history(faded).changes[-1].reason == "about to fade: rehearsed"


@each_case_of("dream_numbers/what_is_not_rehearsed")
def test_what_is_not_rehearsed(night: Night, days: float, fields: dict[str, Any]) -> None:
    """Retention under endangered, and importance or utility; pinned and permanent ones never fade."""
    memory_id = endangered(night, **fields)
    night.clock.advance(days=days)
    before = night.get(memory_id)
    assert night.counts("rehearsal") == {}
    assert night.get(memory_id) == before


def test_utility_alone_is_worth_a_rehearsal_and_the_ceiling_holds(night: Night) -> None:
    """ "importance or utility"; 300 days x 1.5 would be 450."""
    useful = endangered(night, importance=0.1, utility=0.6, stability=300.0)
    night.clock.advance(days=2_000)
    assert night.counts("rehearsal") == {"rehearsed": 1}
    assert night.get(useful).stability == 365.0


def test_the_most_endangered_are_rehearsed_first(
    opening: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """V9: "Cap: Max 50 memories per cycle"; here two."""
    monkeypatch.setattr(step_module("rehearsal"), "LIMIT", 2)
    night = opening()
    ids = [endangered(night, f"fact {days}", stability=days) for days in (4.0, 2.0, 3.0)]
    night.clock.advance(days=20)
    report = night.dream("rehearsal")
    assert report.steps["rehearsal"].counts == {"rehearsed": 2}
    assert report.steps["rehearsal"].note == "1 more are endangered"
    assert [change.memory_id for change in report.changes] == [ids[1], ids[2]]


def test_a_rehearsal_cannot_boost_twice_within_a_day(night: Night) -> None:
    """ "at most once a day whichever trigger"; the day after it may again, while it is still endangered."""
    faded = endangered(night, stability=1.0)
    night.clock.advance(days=20)
    assert night.counts("rehearsal") == {"rehearsed": 1}
    late = endangered(
        night, "Noah repairs radios", last_reinforced_at=night.clock() - timedelta(days=20)
    )
    night.clock.advance(hours=23.9)
    assert night.dream("rehearsal").steps["rehearsal"].note == "done within the last 24 hours"
    assert (night.get(faded).stability, night.get(late).stability) == (1.5, 5.0)
    night.clock.advance(hours=0.1)
    assert night.counts("rehearsal") == {"rehearsed": 2}
    assert (night.get(faded).stability, night.get(late).stability) == (2.25, 7.5)
    assert night.get(faded).next_reinforcement_at == night.clock() + timedelta(days=2)


def test_a_memory_that_was_rehearsed_elsewhere_waits(night: Night) -> None:
    """An imported memory brings its schedule with it; this bank has never rehearsed, so only that can tell."""
    planned = endangered(night, next_reinforcement_at=night.clock() + timedelta(days=20, hours=1))
    night.clock.advance(days=20)
    assert night.counts("rehearsal") == {}
    night.clock.advance(days=1)
    assert night.counts("rehearsal") == {"rehearsed": 1}
    assert night.get(planned).stability == 7.5


@each_case_of("dream_numbers/the_schedule_of_rehearsals_widens")
def test_the_schedule_of_rehearsals_widens(
    night: Night, interval: float, pause: float, after: float
) -> None:
    """Agentos: "doubles reinforcement interval", to a year at most; no pause is shorter than the day of v9."""
    due = night.clock() + timedelta(days=20)
    faded = endangered(night, reinforcement_interval=interval, next_reinforcement_at=due)
    night.clock.advance(days=20)
    assert night.counts("rehearsal") == {"rehearsed": 1}
    memory = night.get(faded)
    assert (memory.next_reinforcement_at, memory.reinforcement_interval) == (
        due + timedelta(days=pause),
        after,
    )


def test_every_endangered_memory_is_rehearsed_if_so_configured(opening: Opening) -> None:
    """V9 names no worth: "Target: Memories with FSRS retention < 0.3", on its curve, after 12.4 days at S = 5."""
    settings = dreaming(rehearsal=RehearsalConfig(importance=0.0, utility=0.0))
    night = opening(**settings, strength=StrengthConfig(curve="power_v9"))
    endangered(night, importance=0.0, utility=0.0)
    night.clock.advance(days=12)
    assert night.counts("rehearsal") == {}
    night.clock.advance(days=1)
    assert night.counts("rehearsal") == {"rehearsed": 1}


@pytest.mark.parametrize("step", ["utility_drift", "emotional", "rehearsal"])
def test_zero_hours_are_once_per_moment(
    opening: Opening, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ "each idempotent"; two cycles at the same moment do what one does, whatever the pause between them."""
    monkeypatch.setattr(step_module("utility_drift"), "DRIFT_HOURS", 0.0)
    monkeypatch.setattr(step_module("utility_drift"), "LEAST_DRIFT", 0.0)
    monkeypatch.setattr(step_module("emotional"), "HOURS", 0.0)
    monkeypatch.setattr(step_module("rehearsal"), "HOURS", 0.0)
    night = opening()
    endangered(night, utility=0.9, flashbulb=True, stability=1.0)
    night.add("Sofia swims")
    night.clock.advance(days=20)
    first = night.counts(step)
    assert sum(first.values()) == 1
    assert night.counts(step) == {}
    night.clock.advance(seconds=1)
    assert night.counts(step) == first
