"""The hot tier: chosen once in a while, read each time."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import numpy as np
import pytest

from cogmem_core.caches.hot_tier import HotTier
from cogmem_core.changes import Actor, Put, Retire, Rewrite, Touch, apply
from cogmem_core.config import HotTierConfig, StorageConfig
from cogmem_core.models import Memory
from cogmem_core.ports import Stored
from cogmem_core.storage.ledger.ledger import Ledger
from cogmem_core.testing import FrozenClock

USER = Actor("user")
CONFIG = HotTierConfig()


@dataclass
class Scene:
    """A ledger, a tier, and the two clocks: dates, and the seconds that a choice is kept."""

    ledger: Ledger
    clock: FrozenClock
    seconds: float = 0.0

    def __post_init__(self) -> None:
        self.tier = HotTier(lambda: self.seconds)

    def put(self, name: str, *, namespace: str = "ns", days: float = 1, **more: Any) -> None:
        at = self.clock() - timedelta(days=days)
        times = {"recorded_at": at, "created_at": at, "updated_at": at}
        values = {**times, "utility": 0.9, "access_count": 20, **more}
        self._apply(
            namespace,
            Put(_stored(Memory(name, namespace, f"text of {name}", name, **values)), "said"),
        )

    def touch(self, name: str, **fields: Any) -> None:
        self._apply("ns", Touch(name, fields, "used"))

    def retire(self, name: str, state: Any) -> None:
        self._apply("ns", Retire(name, state, "gone"))

    def rewrite(self, name: str, content: str) -> None:
        with self.ledger.whole() as reader:
            known = reader.at("ns").memories.by_ids([name])[name]
        self._apply(
            "ns", Rewrite(_stored(replace(known, content=content, content_hash=content)), "edited")
        )

    def _apply(self, namespace: str, change: Any) -> None:
        with self.ledger.writing() as writer:
            assert apply(writer, namespace, [change], now=self.clock(), actor=USER).refused == ()

    def hot(self, namespace: str = "ns", config: HotTierConfig = CONFIG) -> list[str]:
        with self.ledger.whole() as reader:
            return [
                m.content.removeprefix("text of ")
                for m in self.tier.of(reader, namespace, config, self.clock())
            ]


def _stored(memory: Memory) -> Stored:
    return Stored(memory, memory.content, np.ones(4, dtype=np.float32), "test-4")


@pytest.fixture
def scene() -> Iterator[Scene]:
    clock = FrozenClock()
    ledger = Ledger(None, StorageConfig(), clock)
    yield Scene(ledger, clock)
    ledger.close()


def test_a_choice_is_kept_for_five_minutes(scene: Scene) -> None:
    """V9: 'Results are TTL-cached (5 minutes)... recalculated on cache expiry'."""
    scene.put("a")
    assert scene.hot() == ["a"]
    scene.put("b")
    scene.seconds = 299.9
    assert scene.hot() == ["a"]
    scene.seconds = 300.0
    assert scene.hot() == ["a", "b"]


@pytest.mark.parametrize("state", ["forgotten", "superseded", "dormant", "quarantined"])
def test_what_left_recall_a_second_ago_is_not_shown(scene: Scene, state: str) -> None:
    """V9: 'State: active', also within the five minutes."""
    scene.put("a")
    scene.put("b")
    assert scene.hot() == ["a", "b"]
    scene.retire("a", state)
    assert scene.hot() == ["b"]


def test_what_was_edited_a_second_ago_has_its_new_text(scene: Scene) -> None:
    """Only ids are kept, never texts."""
    scene.put("a")
    assert scene.hot() == ["a"]
    scene.rewrite("a", "another text")
    assert scene.hot() == ["another text"]


def test_what_has_expired_is_not_worth_knowing_any_more(scene: Scene) -> None:
    """valid_until has passed: the memory is active, but no longer true."""
    scene.put("a", valid_until=scene.clock() + timedelta(minutes=1))
    assert scene.hot() == ["a"]
    scene.clock.advance(minutes=1)
    assert scene.hot() == []


def test_a_memory_grows_too_old_within_the_five_minutes(scene: Scene) -> None:
    """V9: 'Age < 30 days', counted from created_at."""
    scene.put("a", days=29.999)
    assert scene.hot() == ["a"]
    scene.clock.advance(minutes=5)
    assert scene.hot() == []


def test_age_counts_from_when_it_was_stored_not_said(scene: Scene) -> None:
    """An imported conversation of last year is new knowledge today."""
    scene.put("old", recorded_at=scene.clock() - timedelta(days=400))
    scene.put("late", days=400, recorded_at=scene.clock())
    assert scene.hot() == ["old"]


def test_zero_items_switch_the_tier_off_without_a_query(scene: Scene) -> None:
    """The reader is closed already: any query would fail."""
    scene.put("a")
    with scene.ledger.whole() as reader:
        pass
    assert scene.tier.of(reader, "ns", HotTierConfig(items=0, always_tokens=0), scene.clock()) == ()


def test_namespaces_are_apart(scene: Scene) -> None:
    """One person's core knowledge is nobody else's."""
    scene.put("a", namespace="alice")
    scene.put("b", namespace="bob")
    assert (scene.hot("alice"), scene.hot("bob"), scene.hot("carol")) == (["a"], ["b"], [])


def test_forgetting_a_namespace_drops_its_choice_only(scene: Scene) -> None:
    """After an erasure nothing of it stays in RAM."""
    assert (scene.hot("alice"), scene.hot("bob")) == ([], [])
    scene.put("a", namespace="alice")
    scene.put("b", namespace="bob")
    scene.tier.forget("alice")
    scene.tier.forget("nobody")
    assert (scene.hot("alice"), scene.hot("bob")) == (["a"], [])


def test_other_conditions_make_another_choice(scene: Scene) -> None:
    """A choice holds for the conditions it was made under."""
    scene.put("a", utility=0.9)
    scene.put("b", utility=0.5)
    assert scene.hot() == ["a"]
    assert scene.hot(config=HotTierConfig(utility=0.4)) == ["a", "b"]
    assert scene.hot(config=HotTierConfig(utility=0.4, items=1)) == ["a"]


def test_zero_seconds_choose_anew_each_time(scene: Scene) -> None:
    """`seconds` = 0: nothing is kept."""
    always = HotTierConfig(seconds=0)
    assert scene.hot(config=always) == []
    scene.put("a")
    assert scene.hot(config=always) == ["a"]


def test_the_namespace_asked_for_least_recently_leaves(scene: Scene) -> None:
    """At most 1,000 choices are kept."""
    for name in ("first", "second"):
        assert scene.hot(name) == []
        scene.put(name, namespace=name)
    for number in range(998):
        scene.hot(f"other {number}")
    assert (scene.hot("first"), scene.hot("one more")) == ([], [])
    assert scene.hot("first") == []
    assert scene.hot("second") == ["second"]


def test_the_clock_of_dates_may_go_back(scene: Scene) -> None:
    """The five minutes are counted by a clock that never goes back, whatever the calendar says."""
    scene.put("a")
    assert scene.hot() == ["a"]
    scene.clock.advance(hours=-2)
    scene.put("b")
    assert scene.hot() == ["a"]
    assert scene.clock() < datetime(2026, 6, 1, 12, tzinfo=scene.clock().tzinfo)
