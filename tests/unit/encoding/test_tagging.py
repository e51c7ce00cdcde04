"""Synaptic tagging and capture (Frey & Morris 1997; v9) as a pure function."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from cogmem_core.encoding.tagging import Tagging, tag_and_capture
from cogmem_core.models import Memory, SynapticTag

NOON = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)
FOUR = NOON + timedelta(hours=4)


def memory(name: str, importance: float, session: str | None = "s") -> Memory:
    return Memory(
        name, "ns", name, name, NOON, NOON, NOON, session_id=session, importance=importance
    )


def tag(name: str, session: str = "s") -> SynapticTag:
    before = NOON - timedelta(hours=1)
    return SynapticTag(name, session, before, before + timedelta(hours=4))


def tagged(stored: list[Memory], *live: SynapticTag) -> Tagging:
    return tag_and_capture(live, stored, now=NOON)


def test_a_weak_memory_is_tagged_for_four_hours() -> None:
    """ "importance < 0.5 (weak), it receives a synaptic tag with a 4-hour TTL"; 0.5 itself is not weak."""
    found = tagged([memory("weak", 0.49), memory("not weak", 0.5)])
    assert found == Tagging((SynapticTag("weak", "s", NOON, FOUR),), ())


def test_a_strong_memory_captures_all_tags_of_its_session() -> None:
    """ "If a strong memory (importance >= 0.7) is stored within the tag TTL, all tagged memories ...": 0.69 is not."""
    assert tagged([memory("strong", 0.7)], tag("a"), tag("b")).captured == ("a", "b")
    assert tagged([memory("nearly", 0.69)], tag("a")).captured == ()


def test_a_strong_memory_of_another_session_captures_nothing() -> None:
    """ "in the same session"."""
    assert tagged([memory("strong", 0.9, "other")], tag("a")) == Tagging((), ())


def test_what_is_stored_before_the_strong_event_in_one_batch_is_captured_at_once() -> None:
    """The batch is walked in the order in which it was said: weak, strong, weak."""
    found = tagged([memory("before", 0.2), memory("strong", 0.8), memory("after", 0.2)])
    assert [(one.memory_id, one.captured) for one in found.tags] == [
        ("before", True),
        ("after", False),
    ]
    assert found.captured == ("before",)


def test_a_tag_is_captured_once_however_many_strong_events_follow() -> None:
    """ "captures all its tags (S x 1.3, once)"."""
    assert tagged([memory("strong", 0.8), memory("stronger", 0.9)], tag("a")).captured == ("a",)


def test_without_a_session_there_is_no_tag_and_no_capture() -> None:
    """Nothing tells that two such memories belong together."""
    assert tagged([memory("weak", 0.1, None), memory("strong", 0.9, None)], tag("a")) == Tagging(
        (), ()
    )
