"""What is on the tip of the tongue: stored deeply, hardly retrievable (v9)."""

from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

import cogmem_core
from cogmem_core import Config, EmbedderUnavailable, Memory, MemoryBank
from cogmem_core.changes import Retire, Touch
from cogmem_core.config import ConsolidationConfig
from cogmem_core.testing import CountingEmbedder, FrozenClock, GivenVectors
from helpers.store_kinds import change

START = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)
MANUAL = ConsolidationConfig(trigger="manual")
BOAT = "The boat is moored in Sausalito"


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(START)


@pytest.fixture
def embedder() -> CountingEmbedder:
    return CountingEmbedder(384)


ENGINE = {"config": Config(consolidation=MANUAL)}


def deep(
    bank: MemoryBank, text: str = BOAT, *, storage: float = 4.0, fields: Any = None, **more: Any
) -> Memory:
    """A memory that was used often, long ago."""
    memory = bank.add(text, **more)
    change(bank, Touch(memory.id, {"storage_strength": storage, **(fields or {})}, "by hand"))
    return bank.get(memory.id)


def texts(bank: MemoryBank, query: str = "where is the boat?", **more: Any) -> list[str]:
    return [tip.memory.content for tip in bank.tip_of_tongue(query, **more).tips]


def test_stored_deeply_and_hard_to_retrieve(bank: MemoryBank, clock: FrozenClock) -> None:
    """V9: "high storage (deeply encoded) but low retrieval (not recently accessed)"."""
    memory = deep(bank)
    assert texts(bank) == []
    clock.advance(days=90)
    (tip,) = bank.tip_of_tongue("where is the boat?").tips
    assert (tip.memory, tip.label) == (memory, "3 months ago")
    assert tip.retention == pytest.approx(0.5407, abs=1e-3)


def test_what_comes_to_mind_easily_is_none(bank: MemoryBank, clock: FrozenClock) -> None:
    """Retention at or above endangered: 0.7 is crossed after 15.5 days."""
    deep(bank)
    clock.advance(days=15)
    assert texts(bank) == []
    clock.advance(days=1)
    assert texts(bank) == [BOAT]


@pytest.mark.parametrize(("storage", "expected"), [(1.99, []), (2.0, [BOAT])])
def test_what_was_never_stored_deeply_is_none(
    bank: MemoryBank, clock: FrozenClock, storage: float, expected: list[str]
) -> None:
    """2: a new memory has 1, each use adds to it."""
    deep(bank, storage=storage)
    clock.advance(days=90)
    assert texts(bank) == expected


def test_dormant_memories_too(bank: MemoryBank, clock: FrozenClock) -> None:
    """They are frozen at 1; counted is the retention they would have had."""
    memory = deep(bank)
    change(bank, Retire(memory.id, "dormant", "by hand"))
    assert texts(bank) == []
    clock.advance(days=90)
    (tip,) = bank.tip_of_tongue("where is the boat?").tips
    assert (tip.memory.state, round(tip.retention, 3)) == ("dormant", 0.541)


@pytest.mark.parametrize("state", ["superseded", "forgotten", "quarantined"])
def test_what_was_replaced_or_forgotten_does_not_come_back(
    bank: MemoryBank, clock: FrozenClock, state: Any
) -> None:
    """Active and dormant memories only."""
    change(bank, Retire(deep(bank).id, state, "by hand"))
    clock.advance(days=90)
    assert texts(bank) == []


@pytest.mark.parametrize("more", [{"pinned": True}, {"category": "preference"}])
def test_what_never_fades_is_none(
    bank: MemoryBank, clock: FrozenClock, more: dict[str, Any]
) -> None:
    """Pinned memories and permanent categories keep retention 1."""
    deep(bank, **more)
    clock.advance(days=900)
    assert texts(bank) == []


def test_a_weak_match_is_enough(bank: MemoryBank, clock: FrozenClock) -> None:
    """One word in common."""
    deep(bank)
    clock.advance(days=90)
    assert texts(bank, "something about a boat, an anchor, or the sea in winter") == [BOAT]


@pytest.mark.parametrize(("cosine", "expected"), [(0.19, []), (0.21, [BOAT])])
def test_a_meaning_not_too_far(clock: FrozenClock, cosine: float, expected: list[str]) -> None:
    """Without a word in common a cosine of 0.2 makes a match; nothing unrelated is offered."""
    vectors = {"boat": (1.0, 0.0), "yacht": (cosine, (1 - cosine**2) ** 0.5)}
    with cogmem_core.open(
        None, embedder=GivenVectors(vectors), clock=clock, config=Config(consolidation=MANUAL)
    ) as engine:
        bank = engine.bank("alice")
        deep(bank)
        clock.advance(days=90)
        assert texts(bank, "my yacht") == expected


def test_the_best_match_first_and_at_most_k(bank: MemoryBank, clock: FrozenClock) -> None:
    """In the order of recall."""
    deep(bank, "The harbour master knows about the ferry")
    deep(bank, "The boat needs new sails before winter")
    deep(bank, BOAT)
    clock.advance(days=90)
    assert texts(bank, "boat moored in Sausalito")[0] == BOAT
    assert len(texts(bank, "boat moored in Sausalito")) == 2
    assert texts(bank, "boat moored in Sausalito", k=1) == [BOAT]


class TestNothing:
    def test_without_vectors_words_are_enough(
        self, bank: MemoryBank, clock: FrozenClock, embedder: CountingEmbedder
    ) -> None:
        """An embedder that fails degrades the answer, and it says so."""
        deep(bank)
        clock.advance(days=90)
        embedder.failure = EmbedderUnavailable("the embedder is away")
        found = bank.tip_of_tongue("where is the boat?")
        assert [tip.memory.content for tip in found.tips] == [BOAT]
        assert found.degraded == ("vector: the embedder is away",)


def test_it_changes_nothing(bank: MemoryBank, clock: FrozenClock, tmp_path: Path) -> None:
    """Looking reinforces nothing, so the same is on the tip of the tongue again."""
    deep(bank)
    clock.advance(days=90)
    bank.export(tmp_path / "before.jsonl")
    assert texts(bank) == [BOAT]
    bank.export(tmp_path / "after.jsonl")
    assert (tmp_path / "before.jsonl").read_text() == (tmp_path / "after.jsonl").read_text()
    assert texts(bank) == [BOAT]
