"""Whom an answer blames: what it passed over for something else, never what was merely shown."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cogmem_core
from cogmem_core import Config, Memory, MemoryBank, Recall
from cogmem_core.config import FeedbackConfig, ForgettingConfig
from cogmem_core.embedders.minilm import MiniLM
from cogmem_core.results import Recalled
from cogmem_core.testing import MANUAL, FrozenClock
from helpers.tables import each_case_of, each_row, rows_of

SIX = rows_of("blame/six")
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

ENGINE = {"embedder": "hashing"}


def shown(bank: MemoryBank, query: str, prior: float) -> Recall:
    """A recall that held all it returned for so likely relevant."""
    found = bank.recall(query, floor=0.0)
    return replace(found, results=tuple(replace(item, prior=prior) for item in found.results))


MADRID, LISBON = "I live in Madrid.", "I live in Lisbon."
MOVED = "You live in Lisbon."


def passed_over(bank: MemoryBank, prior: float, answer: str = MOVED, query: str = "Where?") -> str:
    """The signal of a memory that was shown with that confidence beside one that says otherwise."""
    first, second = bank.add(MADRID), bank.add(LISBON)
    found = Recall(
        f"r{prior}",
        query,
        tuple(Recalled(one, 0.0, prior, {}, {}, {}, "", prior=prior) for one in (first, second)),
    )
    rows = {row.memory_id: row for row in bank.feedback(found, answer)}
    return f"{rows[first.id].signal} {rows[first.id].evidence}".strip()


@each_case_of("blame/only_what_was_shown_with_confidence_is_blamed")
def test_only_what_was_shown_with_confidence_is_blamed(
    bank: MemoryBank, prior: float, told: str
) -> None:
    """`feedback.blame_from`, 0.5: below it a memory stays as it is, though its rival was used."""
    assert passed_over(bank, prior) == told
    memory = next(one for one in bank.list(state="any") if one.content == MADRID)
    blamed = int(told != "unjudged")
    assert (memory.ignored_streak, memory.utility < 0.5) == (blamed, blamed == 1)


@each_case_of("blame/what_nothing_speaks_about_is_unjudged")
def test_what_nothing_speaks_about_is_unjudged(
    bank: MemoryBank, answer: str, query: str, told: str
) -> None:
    """Sure as recall was: only a rival that was used, or the user's own word, counts against a memory."""
    assert passed_over(bank, 0.9, answer, query) == told


@pytest.mark.parametrize(
    ("first", "second", "answer", "query"),
    [
        ("Luca", "Luca", "Nice.", "I moved to Bari."),
        ("Luca", "Mina", "Mina is in Lisbon.", "Where?"),
    ],
)
def test_nobody_takes_back_what_somebody_else_said(
    bank: MemoryBank, first: str, second: str, answer: str, query: str
) -> None:
    """Whoever asks in a group; and what another person says of himself is no rival."""
    bank.add(MADRID, speaker=first), bank.add(LISBON, speaker=second)
    rows = bank.feedback(shown(bank, query, 0.9), answer)
    assert {row.signal for row in rows if row.signal == "ignored"} == set()


def test_a_use_is_credited_however_unlikely_it_was(bank: MemoryBank) -> None:
    """Only blame asks how sure recall was."""
    memory = bank.add("Noah repairs old radios")
    bank.feedback(shown(bank, "Noah", 0.02), "Noah repairs old radios.")
    assert bank.get(memory.id).used_count == 1


def test_that_it_was_shown_is_kept_for_the_confidences(bank: MemoryBank) -> None:
    """Beside a used one it is evidence about the likelihood, though none about its worth."""
    bank.add("Noah repairs old radios")
    (row,) = bank.feedback(shown(bank, "Noah radios", 0.02), "I do not know.")
    assert (row.signal, row.prior, row.evidence) == ("unjudged", 0.02, "")


@pytest.mark.parametrize(("bound", "told"), [(0.0, "ignored rival used"), (0.05, "unjudged")])
def test_the_bound_is_a_setting(clock: FrozenClock, bound: float, told: str) -> None:
    """0 blames whatever a rival stands for."""
    config = Config(feedback=FeedbackConfig(blame_from=bound), consolidation=MANUAL.consolidation)
    with cogmem_core.open(embedder="hashing", clock=clock, config=config) as engine:
        assert passed_over(engine.bank("alice"), 0.02) == told


@each_row("name", ["agentos", "v9", "unified-update", "cognitive-memory"])
def test_the_documents_blame_all_that_was_shown(name: str) -> None:
    """None of them knows confidence."""
    assert cogmem_core.preset(name).feedback.blame_from == 0.0


def unused(bank: MemoryBank, prior: float, times: int) -> Memory:
    """A memory that was shown so often with that confidence, and never used."""
    memory = bank.add("Noah repairs old radios")
    for _ in range(times):
        bank.feedback(shown(bank, "Noah radios", prior), "I do not know.")
    return bank.get(memory.id)


def lived(bank: MemoryBank, clock: FrozenClock, facts: list[str], days: int) -> None:
    """One question a day about the sister, answered rightly; a cycle every night."""
    for text in (*facts, SISTER):
        bank.remember(text)
    for day in range(days):
        found = bank.recall(ASKED[day % len(ASKED)])
        bank.feedback(found, "Your sister Lena lives in Oslo.")
        clock.advance(days=1)
        bank.consolidate()


@pytest.mark.parametrize(
    "facts", [SIX, pytest.param(TEN, marks=pytest.mark.thorough)], ids=["six facts", "ten facts"]
)
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
    config = Config(
        consolidation=replace(MANUAL.consolidation, forgetting=forgetting),
        feedback=FeedbackConfig(own_words=False),
    )
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


def test_where_there_is_room_nothing_is_useless(clock: FrozenClock) -> None:
    """Passed over fifty times in ten days, and yet it stays."""
    config = replace(MANUAL, feedback=FeedbackConfig(own_words=False))
    with cogmem_core.open(embedder="hashing", clock=clock, config=config) as engine:
        bank = engine.bank("alice")
        memory = bank.add("Noah repairs old radios")
        for _ in range(50):
            bank.feedback(shown(bank, "Noah radios", 0.9), "I do not know.")
            clock.advance(hours=5)
        clock.advance(days=400)
        bank.consolidate()
        assert bank.get(memory.id).state == "active"


LEARNT = rows_of("blame/learnt")
UNRELATED = st.lists(
    st.sampled_from(
        ["Done.", "I do not know.", "Yes.", "Here is the list.", "Bitti.", "Try again later!", "42"]
    ),
    min_size=1,
    max_size=6,
)


@given(
    answers=UNRELATED,
    prior=st.floats(0.0, 1.0),
    query=st.sampled_from(["Noah?", "Is it late?", "Sofia", ""]),
)
@settings(max_examples=10)
def test_exposure_alone_changes_nothing(answers: list[str], prior: float, query: str) -> None:
    """Shown and unused, however often and however sure recall was: no strength, utility, count or tier moves."""
    with cogmem_core.open(embedder="hashing", config=MANUAL) as engine:
        bank = engine.bank("alice")
        before = [bank.add(text) for text in ("Noah repairs old radios", "Sofia studies law")]
        results = tuple(Recalled(one, 0.0, prior, {}, {}, {}, "", prior=prior) for one in before)
        for number, answer in enumerate(answers):
            rows = bank.feedback(Recall(f"r{number}", query, results), answer)
            assert {row.signal for row in rows} == {"unjudged"}
        for memory in before:
            after = bank.get(memory.id)
            assert [getattr(after, name) for name in LEARNT] == [
                getattr(memory, name) for name in LEARNT
            ]


def test_what_is_only_shown_is_never_promoted(bank: MemoryBank, clock: FrozenClock) -> None:
    """Shown nine times, sure or unsure: it proves nothing. Three uses do."""
    sure, unsure, used = (unused(bank, prior, 9) for prior in (0.9, 0.02, 0.02))
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
