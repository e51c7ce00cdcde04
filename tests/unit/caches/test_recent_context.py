"""What this process saw lately: what went into prompts, what sessions are about, vectors; bounded, and forgotten."""

import numpy as np
import pytest

from cogmem_core.caches.recent_context import RecentContext
from cogmem_core.ports import FloatArray
from helpers.monotonic_clock import Seconds


@pytest.fixture
def clock() -> Seconds:
    return Seconds()


@pytest.fixture
def recent(clock: Seconds) -> RecentContext:
    return RecentContext(clock)


def vector(value: float) -> FloatArray:
    return np.array([value, 1.0], dtype=np.float32)


class TestAsked:
    def test_what_a_model_asked_is_known_for_so_many_seconds(
        self, recent: RecentContext, clock: Seconds
    ) -> None:
        """The last sentence of its answer; what came next was no question, or is another session's."""
        recent.record_answer("alice", None, "How nice. What is it called?")
        recent.record_answer("alice", "s", "And the other?")
        recent.record_answer("bob", None, "I see.")
        clock.now += 60
        told = [
            recent.open_question(*where, seconds=60)
            for where in (("alice", None), ("alice", "s"), ("bob", None))
        ]
        assert told == ["What is it called?", "And the other?", ""]
        clock.now += 1
        assert recent.open_question("alice", None, seconds=60) == ""

    def test_an_erasure_forgets_it(self, recent: RecentContext) -> None:
        """What is erased is not said again by what comes next."""
        recent.record_answer("alice", None, "What is it called?")
        recent.forget("alice")
        assert recent.open_question("alice", None, seconds=60) == ""


class TestInjected:
    def test_what_went_into_a_prompt_is_known_newest_first(self, recent: RecentContext) -> None:
        """Each text once, at its newest place."""
        recent.inject("alice", ["tea", "coffee"])
        recent.inject("alice", ["tea", "milk"])
        assert recent.injected("alice", seconds=60) == ("milk", "tea", "coffee")

    def test_it_counts_for_so_many_seconds(self, recent: RecentContext, clock: Seconds) -> None:
        """What was injected lately creates nothing; later it may be said anew."""
        recent.inject("alice", ["tea"])
        clock.now += 60
        recent.inject("alice", ["milk"])
        assert recent.injected("alice", seconds=60) == ("milk", "tea")
        clock.now += 1
        assert recent.injected("alice", seconds=60) == ("milk",)

    def test_namespaces_do_not_see_each_other(self, recent: RecentContext) -> None:
        """Principle 6: one namespace never sees another."""
        recent.inject("alice", ["tea"])
        assert recent.injected("bob", seconds=60) == ()

    def test_the_oldest_of_more_than_200_texts_are_dropped(self, recent: RecentContext) -> None:
        """A namespace that recalls all day holds no more than the last 200."""
        recent.inject("alice", [f"text {number}" for number in range(203)])
        found = recent.injected("alice", seconds=60)
        assert (len(found), found[0], found[-1]) == (200, "text 202", "text 3")

    def test_the_namespace_used_longest_ago_makes_room(self, recent: RecentContext) -> None:
        """1,000 namespaces are held; asking for one keeps it."""
        for number in range(1_000):
            recent.inject(f"user {number}", ["tea"])
        recent.injected("user 0", seconds=60)
        recent.inject("one more", ["tea"])
        held = [recent.injected(name, seconds=60) for name in ("user 0", "user 1", "one more")]
        assert held == [("tea",), (), ("tea",)]


class TestSessions:
    def test_a_session_is_about_its_last_five_vectors(self, recent: RecentContext) -> None:
        """V9: "Attention: how relevant to current context?"; oldest first."""
        recent.attend("alice", "s", [vector(number) for number in range(4)])
        recent.attend("alice", "s", [vector(4), vector(5)])
        assert [float(one[0]) for one in recent.context("alice", "s")] == [1.0, 2.0, 3.0, 4.0, 5.0]

    def test_sessions_and_namespaces_are_apart(self, recent: RecentContext) -> None:
        """B1: "Global Maps replaced with per-session Maps"."""
        recent.attend("alice", "monday", [vector(1)])
        assert recent.context("alice", "tuesday") == ()
        assert recent.context("bob", "monday") == ()

    def test_no_more_than_2000_sessions_are_held(self, recent: RecentContext) -> None:
        """The one that was used longest ago starts neutral again."""
        for number in range(2_001):
            recent.attend("alice", f"s{number}", [vector(number)])
        assert recent.context("alice", "s0") == ()
        assert len(recent.context("alice", "s1")) == 1


class TestVectors:
    def test_vectors_come_back_by_key(self, recent: RecentContext) -> None:
        """Unknown keys are missing."""
        recent.keep_vectors([("a", vector(1)), ("b", vector(2))])
        assert {key: one.tolist() for key, one in recent.vectors(["b", "c"]).items()} == {
            "b": [2.0, 1.0]
        }

    def test_a_kept_vector_is_a_copy(self, recent: RecentContext) -> None:
        """Its row of a batch may be changed or freed afterwards."""
        row = vector(1)
        recent.keep_vectors([("a", row)])
        row[:] = 9
        assert recent.vectors(["a"])["a"].tolist() == [1.0, 1.0]

    def test_no_more_than_2000_vectors_are_held(self, recent: RecentContext) -> None:
        """3 MB at 384 dimensions."""
        recent.keep_vectors((str(number), vector(number)) for number in range(2_001))
        assert sorted(recent.vectors(["0", "1", "2000"])) == ["1", "2000"]


def test_forgetting_leaves_nothing_of_a_namespace_in_ram(recent: RecentContext) -> None:
    """A hard forget erases from RAM, too: texts of the namespace, and every vector and session."""
    for name in ("alice", "bob"):
        recent.inject(name, ["tea"])
        recent.attend(name, "s", [vector(1)])
    recent.keep_vectors([("a", vector(1))])
    recent.forget("alice")
    assert recent.injected("alice", seconds=60) == ()
    assert recent.context("alice", "s") == ()
    assert recent.vectors(["a"]) == {}
    assert recent.injected("bob", seconds=60) == ("tea",)
