"""The heuristic gate: what becomes of a new fact beside its most similar memories (specification, section 3.3)."""

from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from helpers.tables import each_row_of
from unit.helpers.gate_texts import Verdict, decided, fact, neighbor

DAY = datetime(2026, 3, 1, 12, 0, tzinfo=timezone.utc)


def beside(new: str, old: str, similarity: float, **fields: Any) -> Verdict:
    """The verdict on one text beside one memory; `importance` belongs to the fact, the rest to the memory."""
    importance = fields.pop("importance", 0.5)
    memory = neighbor("old", old, similarity, fields.pop("voice", "user"), **fields)
    return decided(fact(new, "user"), [memory], importance=importance)


@pytest.mark.parametrize(("days", "action"), [(0, "reinforce"), (1, "elaborate")])
def test_the_same_words_about_another_day_are_another_event(days: int, action: str) -> None:
    """Two runs of 5 km on two days are two memories."""
    claim = fact("I ran 5 km", "user", referenced_at=DAY + timedelta(days=days))
    old = neighbor("old", "I ran 5 km", 1.0, "user", referenced_at=DAY)
    assert decided(claim, [old]).action == action
    assert decided(replace(claim, referenced_at=None), [old]).action == "reinforce"


def test_the_most_similar_contradicted_memory_is_the_target_and_the_others_are_conflicts() -> None:
    """Two stale memories of one attribute are both named."""
    stale = [
        neighbor("b", "I live in Faro", 0.6, "user"),
        neighbor("a", "I live in Lisbon", 0.8, "user"),
    ]
    verdict = decided(fact("I live in Porto", "user"), stale)
    assert (verdict.action, verdict.target, verdict.conflicts) == ("supersede", "a", ("b",))


def test_a_protected_memory_is_contradicted_but_not_retired() -> None:
    """Pinned and immutable memories stay; the new one is created and linked."""
    stale = [
        neighbor("pinned", "I live in Lisbon", 0.8, "user", protected=True),
        neighbor("b", "I live in Faro", 0.6, "user"),
    ]
    verdict = decided(fact("I live in Porto", "user"), stale)
    assert (verdict.action, verdict.target, verdict.conflicts) == (
        "create",
        "pinned",
        ("pinned", "b"),
    )


@each_row_of("rule_gate/the_bands_hold_only_for_what_says_the_same")
def test_the_bands_hold_only_for_what_says_the_same(
    new: str, old: str, similarity: float, action: str
) -> None:
    """0.92, 0.75 and 0.70, and in each band what is said decides: "never weld different things together"."""
    assert beside(new, old, similarity).action == action


@each_row_of("rule_gate/an_update_needs_entities_that_agree")
def test_an_update_needs_entities_that_agree(
    mine: tuple[str, ...], other: tuple[str, ...], action: str
) -> None:
    """ "entities agree (Jaccard >= 0.5, or both empty)"."""
    claim = fact("I live in Ghent, near the harbour", "user", mine)
    old = neighbor("old", "I live in Ghent", 0.85, "user", other)
    assert decided(claim, [old]).action == action


@pytest.mark.parametrize("similarity", [0.80, 0.95])
def test_a_protected_memory_is_not_rewritten(similarity: float) -> None:
    """ "and target not pinned/immutable"; it may still be reinforced."""
    new, old = "I live in Ghent, near the harbour", "I live in Ghent"
    assert beside(new, old, similarity, protected=True).action == "elaborate"
    assert beside(old, new, similarity, protected=True).action == "reinforce"


def test_a_less_similar_memory_that_says_the_same_wins() -> None:
    """A vector of a look-alike may be nearer than that of a paraphrase."""
    near = [
        neighbor("alike", "My brother loves hiking in Rome", 0.95, "user"),
        neighbor("same", "My sister loves hiking in Rome", 0.80, "user"),
    ]
    verdict = decided(fact("My sister really enjoys hiking in Rome", "user"), near)
    assert (verdict.action, verdict.target) == ("reinforce", "same")


def test_among_equals_the_most_similar_memory_is_the_target() -> None:
    """Whatever order the neighbours come in; equal similarities go by id."""
    near = [neighbor(name, "My brother lives in Rome", 0.9, "user") for name in ("c", "b")]
    near.append(neighbor("a", "My uncle lives in Rome", 0.93, "user"))
    claim = fact("My sister lives in Rome", "user")
    assert (
        decided(claim, near)
        == decided(claim, near[::-1])
        == Verdict("elaborate", "a", "alike, but something else")
    )
    assert decided(claim, near[:2]).target == "b"
