"""V9, Working Memory (session-scoped): one test per claim."""

import pytest

import cogmem_core
from cogmem_core.maths.working import eviction_score
from cogmem_core.testing import FrozenClock

ENGINE = {"embedder": "hashing", "config": None, "paused": True}


def texts(session: cogmem_core.Session) -> list[str]:
    return [item.text for item in session.working.items()]


def test_max_9_items_per_session(bank: cogmem_core.MemoryBank) -> None:
    """'Max 9 items per session (Miller's 7+/-2 upper bound)'."""
    with bank.session("s") as session:
        session.remember([f"thing number {n}" for n in range(12)])
        assert len(session.working) == 9
        assert bank.count() == 12


def test_eviction_by_composite_score() -> None:
    """'Eviction by composite score: importance * recency * (1 + accessCount * 0.1)'."""
    score = eviction_score(
        importance=0.5, minutes_since_access=30, access_count=2, recency_minutes=30
    )
    assert score == pytest.approx(0.5 * 0.36787944117 * 1.2)


def test_recency_decays_with_30_minutes() -> None:
    """'const recency = Math.exp(-ageMinutes / 30)'."""
    at = {
        m: eviction_score(importance=1, minutes_since_access=m, access_count=0, recency_minutes=30)
        for m in (0, 60)
    }
    assert at == {0: 1.0, 60: pytest.approx(0.1353352832)}


def test_the_least_recent_of_equals_is_evicted(
    bank: cogmem_core.MemoryBank, clock: FrozenClock
) -> None:
    """What was not accessed for longest makes room."""
    with bank.session("s") as session:
        for number in range(9):
            session.working.add([bank.add(f"thing number {number}", importance=0.5)])
            clock.advance(minutes=1)
        session.working.add([bank.add("the tenth thing", importance=0.5)])
        assert "thing number 0" not in texts(session)
        assert len(session.working) == 9


def test_duplicate_ids_update_in_place(bank: cogmem_core.MemoryBank, clock: FrozenClock) -> None:
    """'Duplicate IDs update in-place (no eviction triggered)'."""
    with bank.session("s") as session:
        session.remember([f"thing number {n}" for n in range(9)])
        clock.advance(minutes=5)
        session.remember("thing number 3")
        counts = {item.text: item.access_count for item in session.working.items()}
        assert counts == {f"thing number {n}": int(n == 3) for n in range(9)}


def test_promotion_candidates(bank: cogmem_core.MemoryBank) -> None:
    """'Promotion candidates: accessCount >= 2 OR importance >= 0.6': an item tells both."""
    with bank.session("s") as session:
        session.remember(["my cat is called Mochi", "I moved to Lisbon"])
        session.recall("what is my cat called?", k=1)
        session.recall("the cat called Mochi", k=1)
        session.working.add([bank.add("the house is on fire", importance=0.6)])
        items = session.working.items()
        assert {
            item.text for item in items if item.access_count >= 2 or item.importance >= 0.6
        } == {"my cat is called Mochi", "the house is on fire"}


def test_cleared_on_session_end_even_on_error(bank: cogmem_core.MemoryBank) -> None:
    """'Cleared on session end via finally block (guaranteed cleanup)'."""
    session = bank.session("s")
    session.remember("I moved to Lisbon")
    assert len(session.working) == 1
    with pytest.raises(ZeroDivisionError), session:
        raise ZeroDivisionError
    assert len(session.working) == 0
    assert bank.count() == 1


def test_sessions_do_not_share_their_buffers(bank: cogmem_core.MemoryBank) -> None:
    """B1: 'Global Maps replaced with per-session Maps': nothing leaks between sessions."""
    with bank.session("a") as first, bank.session("b") as second:
        first.remember("I moved to Lisbon")
        assert (len(first.working), len(second.working)) == (1, 0)
        assert [m.session_id for m in bank.list()] == ["a"]
