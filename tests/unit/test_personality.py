"""What HEXACO traits decide: which of two contradictory statements is right, and what the observer looks at."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from cogmem_core.config import ObservationConfig
from cogmem_core.observation import Reflection, resolve
from cogmem_core.observation.personality import high_traits, settle
from helpers.tables import each_row

NOON = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)
PLAIN = ObservationConfig()


def person(**traits: float) -> ObservationConfig:
    return ObservationConfig(personality=traits)


@each_row(
    ("config", "newer", "older", "verdict"),
    [
        (person(honesty=0.61), 0.1, 0.9, "newer"),
        (person(honesty=0.6), 0.1, 0.9, "older"),
        (person(agreeableness=0.61), 0.9, 0.1, "both"),
        (person(agreeableness=0.6), 0.9, 0.1, "newer"),
        (person(honesty=0.9, agreeableness=1.0), 0.1, 0.9, "newer"),
        (PLAIN, 0.9, 0.6, "newer"),
        (PLAIN, 0.6, 0.9, "older"),
        (PLAIN, 0.9, 0.7, "both"),
        (PLAIN, 0.7, 0.9, "both"),
        (PLAIN, 0.5, 0.5, "both"),
    ],
)
def test_resolution(config: ObservationConfig, newer: float, older: float, verdict: str) -> None:
    """Honesty > 0.6 newer wins; agreeableness > 0.6 both; else the surer one if the difference is > 0.2."""
    assert resolve(newer, older, config) == verdict


def test_traits_above_the_threshold_are_high() -> None:
    """In agentos's order; extraversion emphasises nothing, and 0.6 itself is not high."""
    config = person(honesty=0.7, emotionality=0.9, extraversion=1.0, openness=0.6)
    assert high_traits(config) == ("emotionality", "honesty")


def said(text: str, day: int, **changes: Any) -> Reflection:
    plain: dict[str, Any] = {
        "observed_at": NOON + timedelta(days=day),
        "confidence": 0.9,
        "speaker": "Ana",
        "refs": (f"d{day}",),
    }
    return Reflection(text, "informational", **{**plain, **changes})


OLD, NEW = said("Ana lives in Lisbon.", 0), said("Ana lives in Porto.", 3)


def test_the_newer_statement_supersedes_the_older_one() -> None:
    """'Prefer newer information, supersede old traces': the winner names the loser and has its refs."""
    (winner,) = settle([NEW, OLD], person(honesty=0.8))
    assert (winner.text, winner.supersedes, winner.refs) == (
        "Ana lives in Porto.",
        ("Ana lives in Lisbon.",),
        ("d0", "d3"),
    )


def test_both_statements_are_kept_and_name_each_other() -> None:
    """'Keep both versions, note discrepancy'."""
    first, second = settle([OLD, NEW], person(agreeableness=0.8))
    assert (first.text, first.differs_from) == ("Ana lives in Lisbon.", ("Ana lives in Porto.",))
    assert (second.text, second.differs_from) == ("Ana lives in Porto.", ("Ana lives in Lisbon.",))


def test_the_surer_statement_wins() -> None:
    """'Prefer higher confidence (only if difference > 0.2)': here the older one."""
    (winner,) = settle([OLD, said("Ana lives in Porto.", 3, confidence=0.4)], PLAIN)
    assert (winner.text, winner.supersedes) == ("Ana lives in Lisbon.", ("Ana lives in Porto.",))


def test_a_chain_of_changes_is_not_lost() -> None:
    """The last of three names both of those before it."""
    newest = said("Ana lives in Faro.", 9)
    (winner,) = settle([OLD, NEW, newest], person(honesty=0.8))
    assert (winner.text, winner.supersedes) == (
        "Ana lives in Faro.",
        ("Ana lives in Porto.", "Ana lives in Lisbon."),
    )


@pytest.mark.parametrize(
    "other",
    [
        said("Rui lives in Porto.", 3),
        said("Ana likes Porto.", 3),
        said("I live in Porto.", 3, role="system", speaker=None),
    ],
    ids=["other person", "compatible", "nobody knows who I am"],
)
def test_statements_about_other_things_are_left_alone(other: Reflection) -> None:
    """Only contradictions are resolved."""
    assert settle([OLD, other], person(honesty=0.8)) == (OLD, other)
