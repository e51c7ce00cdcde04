"""Ordering nodes of any search by what a bank knows of its memories."""

import pytest

from cogmem_core import InvalidInput, Memory, MemoryBank
from cogmem_core.adapters.reranking import rerank
from cogmem_core.testing import FrozenClock
from helpers.tables import each_row

ENGINE = {"embedder": "hashing"}
NAMESPACE = "ann"


def used(bank: MemoryBank, question: str, times: int, answer: str) -> None:
    for _ in range(times):
        found = bank.recall(question, k=1, floor=0)
        bank.feedback(found, answer)


def taken_back(bank: MemoryBank, memory: Memory, times: int, words: str) -> None:
    for _ in range(times):
        found = bank.recall(memory.content, k=1, floor=0)
        bank.feedback(found, "I see.", query=words)


def test_documents_keep_their_relevance(bank: MemoryBank) -> None:
    """No memory: nothing is known of it. Proportions are kept."""
    assert rerank(bank, [(None, 8.0), (None, 2.0), ("unknown", 4.0), (None, None)]) == (
        1.0,
        0.25,
        0.5,
        0.0,
    )
    assert rerank(bank, []) == ()
    assert rerank(bank, [(None, 0.0), (None, None)]) == (0.0, 0.0)


def test_scores_below_zero_are_stretched(bank: MemoryBank) -> None:
    """Cross-encoders give logits."""
    assert rerank(bank, [(None, -4.0), (None, 0.0), (None, 4.0)]) == (0.0, 0.5, 1.0)


def test_what_answers_used_rises_and_what_was_taken_back_falls(bank: MemoryBank) -> None:
    """Utility: 0.5 for a memory that nobody judged (agentos)."""
    hiking, coffee = (
        bank.add("Ann likes hiking on Mount Rainier"),
        bank.add("Ann drinks coffee from Guatemala"),
    )
    used(bank, "What does Ann like doing on weekends?", 3, "hiking on Mount Rainier")
    taken_back(bank, coffee, 3, "Ann no longer drinks coffee from Guatemala.")
    first, second, document = rerank(
        bank, [(coffee.id, 1.0), (hiking.id, 1.0), (None, 1.0)], utility=1.0, strength=0
    )

    assert first == pytest.approx(0.5 + bank.get(coffee.id).utility)
    assert second == pytest.approx(0.5 + bank.get(hiking.id).utility)
    assert first < document == 1.0 < second


def test_what_an_answer_merely_left_out_stays(bank: MemoryBank) -> None:
    """Being shown and unused says nothing of the worth of a memory."""
    coffee = bank.add("Ann drinks coffee from Guatemala")
    used(bank, "Where does the coffee of Ann come from?", 3, "No idea")

    assert rerank(bank, [(coffee.id, 1.0), (None, 1.0)], utility=1.0, strength=0) == (1.0, 1.0)


def test_what_faded_falls(bank: MemoryBank, clock: FrozenClock) -> None:
    """Retention 1 when it is new; pinned memories never fade."""
    pinned, fading = (
        bank.add("Ann is Bob's sister", pinned=True),
        bank.add("We had dinner at the harbour"),
    )
    found = [(pinned.id, 1.0), (fading.id, 1.0)]
    assert rerank(bank, found, strength=1.0) == (1.0, 1.0)
    clock.advance(days=400)
    first, second = rerank(bank, found, strength=1.0)

    assert first == 1.0
    assert 0.0 < second < 0.6
    assert rerank(bank, found, strength=0.0) == (1.0, 1.0)


def test_what_left_recall_counts_as_faded(bank: MemoryBank) -> None:
    """An index of documents may hold what the bank has put away since."""
    old = bank.add("Ann lives in Oslo")
    bank.forget(old.id)

    assert rerank(bank, [(old.id, 1.0)], strength=0.4) == (0.6,)


@each_row(
    ("found", "options", "message"),
    [
        ([(None, float("nan"))], {}, "a relevance is nan"),
        ([(None, "abc")], {}, "a relevance is 'abc'; give finite numbers, or None"),
        ([(None, "1.5")], {}, "a relevance is '1.5'"),
        ([(None, [1])], {}, r"a relevance is \[1\]"),
        ([(None, object())], {}, "a relevance is <object"),
        ([(None, 10**400)], {}, "a relevance is 10000"),
        ([(7, 1.0)], {}, "a memory's id is 7; give a string, or None"),
        ("abc", {}, "candidates is 'abc'; give pairs"),
        ([1], {}, r"candidates is \[1\]; give pairs"),
        (object(), {}, "candidates is <object"),
        ([(None, 1.0)], {"strength": -1}, "strength is -1; use a number from 0"),
        ([(None, 1.0)], {"utility": float("inf")}, "utility is inf"),
        ([(None, 1.0)], {"utility": True}, "utility is True"),
    ],
)
def test_bad_numbers_are_refused(
    bank: MemoryBank, found: object, options: dict[str, float], message: str
) -> None:
    """Typed errors that name the argument and the fix."""
    with pytest.raises(InvalidInput, match=message):
        rerank(bank, found, **options)  # type: ignore[arg-type]
