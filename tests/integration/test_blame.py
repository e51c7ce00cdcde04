"""Whom an answer blames, and what being shown and not used costs: nothing, where recall itself was not sure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

import cogmem_core
from cogmem_core import Config, Memory, MemoryBank, Recall
from cogmem_core.config import FeedbackConfig, ForgettingConfig
from cogmem_core.embedders.minilm import MiniLM
from cogmem_core.testing import MANUAL, FrozenClock

SIX = [
    "My husband teaches chemistry at the lycée.",
    "I am allergic to hazelnuts.",
    "Our dog is called Rex.",
    "I work as a nurse in Porto.",
    "My favourite tea is oolong.",
]
SISTER = "My sister Lena lives in Oslo."
TEN = [
    *SIX,
    "My car is a blue Skoda.",
    "I play the cello.",
    "My dentist is Dr Costa.",
    "I was born in Faro.",
]
ASKED = [
    "Where does my sister live?",
    "In which city is my sister at home?",
    "Where is Lena living?",
]


@pytest.fixture
def bank(clock: FrozenClock) -> Iterator[MemoryBank]:
    with cogmem_core.open(embedder="hashing", clock=clock, config=MANUAL) as engine:
        yield engine.bank("alice")


def shown(bank: MemoryBank, query: str, prior: float) -> Recall:
    """A recall that held all it returned for so likely relevant."""
    found = bank.recall(query, floor=0.0)
    return replace(found, results=tuple(replace(item, prior=prior) for item in found.results))


def neglected(bank: MemoryBank, prior: float, times: int = 1) -> Memory:
    """A memory that was shown so often with that confidence, and never used."""
    memory = bank.add("Noah repairs old radios")
    for _ in range(times):
        bank.feedback(shown(bank, "Noah radios", prior), "I do not know.")
    return bank.get(memory.id)


@pytest.mark.parametrize(
    ("prior", "blamed"), [(0.0, 0), (0.02, 0), (0.2999, 0), (0.3, 1), (0.5, 1), (0.99, 1)]
)
def test_only_what_was_shown_with_confidence_is_blamed(
    bank: MemoryBank, prior: float, blamed: int
) -> None:
    """`feedback.blame_from`, 0.3: stability, utility, streak and counts stay as they are below it."""
    memory = neglected(bank, prior)
    assert (memory.ignored_streak, memory.retrieval_count) == (blamed, blamed)
    assert (memory.stability < memory.initial_stability, memory.utility < 0.5) == (
        blamed == 1,
        blamed == 1,
    )


def test_a_use_is_credited_however_unlikely_it_was(bank: MemoryBank) -> None:
    """Only blame asks how sure recall was."""
    memory = bank.add("Noah repairs old radios")
    bank.feedback(shown(bank, "Noah", 0.02), "Noah repairs old radios.")
    assert bank.get(memory.id).used_count == 1


def test_the_judgement_is_kept_for_the_confidences(bank: MemoryBank) -> None:
    """That an unlikely memory was not used is evidence about the likelihood, though none about its worth."""
    bank.add("Noah repairs old radios")
    (row,) = bank.feedback(shown(bank, "Noah radios", 0.02), "I do not know.")
    assert (row.signal, row.prior) == ("ignored", 0.02)


@pytest.mark.parametrize(("bound", "blamed"), [(0.0, 1), (0.05, 0)])
def test_the_bound_is_a_setting(clock: FrozenClock, bound: float, blamed: int) -> None:
    """0 blames all that was shown."""
    config = Config(feedback=FeedbackConfig(blame_from=bound), consolidation=MANUAL.consolidation)
    with cogmem_core.open(embedder="hashing", clock=clock, config=config) as engine:
        assert neglected(engine.bank("alice"), 0.02).ignored_streak == blamed


@pytest.mark.parametrize("name", ["agentos", "v9", "unified-update", "cognitive-memory"])
def test_the_documents_blame_all_that_was_shown(name: str) -> None:
    """None of them knows confidence."""
    assert cogmem_core.preset(name).feedback.blame_from == 0.0


def lived(bank: MemoryBank, clock: FrozenClock, facts: list[str], days: int) -> None:
    """One question a day about the sister, answered rightly; a cycle every night."""
    for text in (*facts, SISTER):
        bank.remember(text)
    for day in range(days):
        found = bank.recall(ASKED[day % len(ASKED)])
        bank.feedback(found, "Your sister Lena lives in Oslo.")
        clock.advance(days=1)
        bank.consolidate()


@pytest.mark.parametrize("facts", [SIX, TEN], ids=["six facts", "ten facts"])
def test_asking_for_one_thing_does_not_cost_the_others(
    minilm: MiniLM, clock: FrozenClock, facts: list[str]
) -> None:
    """After 35 days all are active, and what the husband teaches is found at once."""
    with cogmem_core.open(embedder=minilm, clock=clock, config=MANUAL) as engine:
        bank = engine.bank("alice")
        lived(bank, clock, facts, 35)
        assert sorted(memory.content for memory in bank.list(state="active")) == sorted(
            [*facts, SISTER]
        )
        assert bank.recall("What does my husband teach?").results[0].memory.content == SIX[0]


@pytest.mark.parametrize(
    ("uses", "days", "expected"), [(0, 6, "dormant"), (0, 3, "active"), (1, 6, "active")]
)
def test_useless_is_what_was_examined_often_and_never_used(
    clock: FrozenClock, uses: int, days: int, expected: str
) -> None:
    """Without room: passed over with full confidence, ten times on each of several days, a single use absolves."""
    forgetting = ForgettingConfig(roomy=0)
    config = Config(consolidation=replace(MANUAL.consolidation, forgetting=forgetting))
    with cogmem_core.open(embedder="hashing", clock=clock, config=config) as engine:
        bank = engine.bank("alice")
        memory = bank.add("Noah repairs old radios")
        for _ in range(uses):
            bank.feedback(bank.recall("Noah radios", floor=0.0), "Noah repairs old radios.")
        for _ in range(days):
            for _ in range(10):
                bank.feedback(shown(bank, "Noah radios", 0.9), "I do not know.")
            clock.advance(days=1)
        clock.advance(days=32)
        bank.consolidate(steps=["forgetting", "promotion"])
        found = bank.get(memory.id)
        assert (found.utility < 0.15, found.state) == (True, expected)
        if expected == "dormant":
            story = str(bank.explain(memory.id))
            assert "never useful: utility 0.12 at most, never used" in story


def test_where_there_is_room_nothing_is_useless(bank: MemoryBank, clock: FrozenClock) -> None:
    """Passed over a hundred times in ten days, and yet it stays."""
    memory = bank.add("Noah repairs old radios")
    for _ in range(100):
        bank.feedback(shown(bank, "Noah radios", 0.9), "I do not know.")
        clock.advance(hours=2)
    clock.advance(days=400)
    bank.consolidate()
    assert bank.get(memory.id).state == "active"


def test_what_is_only_shown_is_never_promoted(bank: MemoryBank, clock: FrozenClock) -> None:
    """Ignored nine times, sure or unsure: it proves nothing. Three uses do."""
    sure, unsure, used = (neglected(bank, prior, 9) for prior in (0.9, 0.02, 0.02))
    for _ in range(3):
        found = bank.recall("Noah radios", floor=0.0)
        bank.feedback(
            replace(
                found, results=tuple(item for item in found.results if item.memory.id == used.id)
            ),
            "Noah repairs old radios.",
        )
    clock.advance(days=8)
    bank.consolidate(steps=["promotion"])
    assert [bank.get(one.id).tier for one in (sure, unsure, used)] == [
        "episodic",
        "episodic",
        "semantic",
    ]
