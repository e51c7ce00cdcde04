"""What right answers must never do: put away what is true because nobody asked for it."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cogmem_core
from cogmem_core import MemoryBank
from cogmem_core.testing import MANUAL, FrozenClock
from helpers.tables import rows_of

# A fact, a question about it, and an answer.
THIRTY = rows_of("nothing_true_is_lost/thirty")

ENGINE = {"embedder": "minilm"}


def right(number: int) -> str:
    """What a good model says."""
    return THIRTY[number][2]


def lost(number: int) -> str:
    """What a model says that makes nothing of what it is given."""
    return f"I do not know that. Ask me something else, please. ({number})"


def wrong(number: int) -> str:
    """What a weak model says: the answer to another question."""
    return THIRTY[(number + 7) % 30][2]


@pytest.mark.parametrize(
    ("answer", "busy"),
    [
        (right, 6),
        (lost, 6),
        (wrong, 6),
        *(pytest.param(answer, 60, marks=pytest.mark.thorough) for answer in (right, lost, wrong)),
    ],
)
def test_a_heavy_life_loses_no_fact(
    bank: MemoryBank, clock: FrozenClock, answer: Callable[[int], str], busy: int
) -> None:
    """Thirty facts, five answered questions a day for so many days, nightly cycles, half as many quiet days: top 3."""
    for text, _, _ in THIRTY:
        bank.remember(text)
        clock.advance(minutes=1)
    for day in range(busy * 3 // 2):
        for turn in range(5 if day < busy else 0):
            # Some are asked far more often than others.
            number = (day * turn) % 30 if turn < 3 else turn
            bank.feedback(bank.recall(THIRTY[number][1]), answer(number))
        clock.advance(days=1)
        bank.consolidate()
    missing = []
    for text, question, _ in THIRTY:
        if text not in [result.memory.content for result in bank.recall(question).results][:3]:
            missing.append(text)
    assert missing == []
    assert bank.count() == 30


@settings(max_examples=5)
@given(st.lists(st.integers(0, 29), min_size=1, max_size=20), st.integers(0, 3))
def test_being_shown_changes_nothing(asked: list[int], nights: int) -> None:
    """Whatever is recalled how often: no strength, no utility, no tier and no count of uses moves."""
    clock = FrozenClock()
    with cogmem_core.open(embedder="hashing", clock=clock, config=MANUAL) as engine:
        bank = engine.bank("alice")
        for text, _, _ in THIRTY:
            bank.remember(text)
        before = strengths(bank)
        for number in asked:
            bank.recall(THIRTY[number][1])
            clock.advance(hours=1)
        for _ in range(nights):
            clock.advance(days=1)
            bank.consolidate()
        assert strengths(bank) == before


def strengths(bank: MemoryBank) -> dict[str, tuple[float, float, str, str, int]]:
    """What learning changes, by text."""
    return {
        memory.content: (
            memory.stability,
            memory.utility,
            memory.tier,
            memory.state,
            memory.used_count,
        )
        for memory in bank.list(state="any")
    }
