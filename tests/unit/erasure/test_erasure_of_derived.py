"""Hard forgetting of what was summarised: whatever was derived from it goes, too, and the others come back."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Engine, Memory, MemoryBank
from cogmem_core.changes import Actor, Link, apply
from cogmem_core.config import FadingConfig
from cogmem_core.models import Relation
from cogmem_core.testing import MANUAL, FrozenClock, GivenVectors, ScriptedLLM
from helpers.bank_contents import files_holding

CANARY = "Zanzibar7741"
TEXTS = (*(f"trail number {number}" for number in range(4)), f"trail to {CANARY}")


@pytest.fixture
def llm() -> ScriptedLLM:
    return ScriptedLLM(default={"text": ""})


@pytest.fixture
def engine(folder: Path, clock: FrozenClock, llm: ScriptedLLM) -> Iterator[Engine]:
    config = replace(
        MANUAL, consolidation=replace(MANUAL.consolidation, fading=FadingConfig(rules=True))
    )
    vectors = GivenVectors({"trail": (1.0, 0.0), "walks": (0.9, 0.1)})
    with cogmem_core.open(folder, embedder=vectors, llm=llm, clock=clock, config=config) as engine:
        yield engine


def contents(bank: MemoryBank, state: str = "active") -> list[str]:
    return [memory.content for memory in bank.list(state=state)]


def said(bank: MemoryBank, *texts: str) -> list[Memory]:
    """Turns as they were said."""
    for number, text in enumerate(texts):
        bank.remember(text, mode="raw", speaker="Ana", ref=f"r{number}")
    return list(bank.list())


def consolidated(bank: MemoryBank, clock: FrozenClock) -> Memory:
    """The summary of five memories; the last one holds the canary."""
    for text in TEXTS:
        bank.add(text)
    clock.advance(days=100)
    assert bank.consolidate(steps=["fading"]).consolidated == 5
    return bank.list()[0]


def one(bank: MemoryBank, text: str) -> Memory:
    (found,) = [memory for memory in bank.list(state="any") if memory.content == text]
    return found


class TestSummary:
    def test_no_trace_of_one_of_five_is_left(
        self, bank: MemoryBank, clock: FrozenClock, folder: Path
    ) -> None:
        """ "it erases from every place on disk", the summary that quotes it included."""
        summary = consolidated(bank, clock)
        assert CANARY in summary.content
        memory = one(bank, TEXTS[4])
        receipt = bank.forget(memory.id, hard=True)

        assert receipt.remaining == ()
        assert receipt.memory_ids == (memory.id, summary.id)
        assert files_holding(folder, CANARY) == []

    def test_the_other_four_are_recalled_again(self, bank: MemoryBank, clock: FrozenClock) -> None:
        """The system itself never loses what nobody asked to erase."""
        consolidated(bank, clock)
        bank.forget(one(bank, TEXTS[4]).id, hard=True)
        found = bank.recall("trail number", floor=0.0, k=10)

        assert contents(bank) == list(TEXTS[:4]) == contents(bank, "any")
        assert sorted(item.memory.content for item in found.results) == list(TEXTS[:4])
        assert {memory.superseded_by for memory in bank.list()} == {None}

    def test_their_story_says_why_they_came_back(
        self, bank: MemoryBank, clock: FrozenClock
    ) -> None:
        """ "always explain"."""
        consolidated(bank, clock)
        bank.forget(one(bank, TEXTS[4]).id, hard=True)
        changes = bank.history(one(bank, TEXTS[0]).id).changes

        assert (changes[-1].kind, changes[-1].reason) == (
            "revive",
            "the summary that stood for it was erased",
        )

    def test_a_former_text_of_the_summary_goes_too(
        self, bank: MemoryBank, clock: FrozenClock, folder: Path
    ) -> None:
        """First forgotten softly, which wrote the summary again; its version 1 still holds the canary."""
        summary = consolidated(bank, clock)
        memory = one(bank, TEXTS[4])
        bank.forget(memory.id)
        bank.consolidate(steps=["cascade"])
        assert CANARY not in bank.get(summary.id).content
        receipt = bank.forget(memory.id, hard=True)

        assert receipt.remaining == ()
        assert files_holding(folder, CANARY) == []
        assert contents(bank, "any") == list(TEXTS[:4])

    def test_a_query_erases_what_holds_the_word_and_no_more(
        self, bank: MemoryBank, clock: FrozenClock, folder: Path
    ) -> None:
        """Memory and summary are named both; the summary's other members are not its words."""
        consolidated(bank, clock)
        receipt = bank.forget(CANARY, hard=True)

        assert (len(receipt.memory_ids), receipt.remaining) == (2, ())
        assert files_holding(folder, CANARY) == []
        assert contents(bank) == list(TEXTS[:4])

    def test_erasing_the_summary_brings_its_members_back(
        self, bank: MemoryBank, clock: FrozenClock
    ) -> None:
        """Only the summary was named."""
        summary = consolidated(bank, clock)
        receipt = bank.forget(summary.id, hard=True)

        assert (receipt.memory_ids, receipt.remaining) == ((summary.id,), ())
        assert contents(bank, "any") == list(TEXTS)

    def test_a_member_that_was_forgotten_stays_forgotten(
        self, bank: MemoryBank, clock: FrozenClock
    ) -> None:
        """Nobody restored it."""
        consolidated(bank, clock)
        bank.forget(one(bank, TEXTS[0]).id)
        bank.forget(one(bank, TEXTS[4]).id, hard=True)

        assert contents(bank) == list(TEXTS[1:4])
        assert contents(bank, "forgotten") == [TEXTS[0]]

    def test_the_turns_of_the_others_stay(
        self, bank: MemoryBank, clock: FrozenClock, folder: Path
    ) -> None:
        """A summary lists the turns of all its members; only those of the erased one go."""
        turns = [
            f"Yesterday I walked along trail number {number} with my dog Rex" for number in range(4)
        ]
        said(bank, *turns, f"Last week I walked along the trail to {CANARY} with Marta")
        clock.advance(days=100)
        assert bank.consolidate(steps=["fading"]).consolidated == 5
        (memory,) = [m for m in bank.list(state="superseded") if CANARY in m.content]
        receipt = bank.forget(memory.id, hard=True)

        assert (receipt.episodes, receipt.remaining) == (1, ())
        assert files_holding(folder, CANARY) == []
        assert sorted(contents(bank, "any")) == turns


def test_what_rests_on_a_derived_memory_goes_with_it(
    engine: Engine, bank: MemoryBank, clock: FrozenClock, llm: ScriptedLLM, folder: Path
) -> None:
    """An insight over summaries: two floors above the erased memory."""
    for number in range(20):
        bank.add(f"trail number {number}")
    for number in range(5):
        bank.add(f"trail to {CANARY} {number}")
    clock.advance(days=100)
    bank.consolidate(steps=["fading"])
    first, *others = bank.list()
    with engine.services.ledger.writing() as writer:
        links = [
            Link(
                Relation("alice", first.id, other.id, "co_activated", last_activated_at=clock()),
                "by hand",
            )
            for other in others
        ]
        apply(writer, "alice", links, now=clock(), actor=Actor("user"))
    llm.enqueue({"text": f"User walks every trail, also that to {CANARY}."})
    assert bank.consolidate(steps=["insights"]).derived == 1
    receipt = bank.forget(one(bank, f"trail to {CANARY} 0").id, hard=True)

    assert len(receipt.memory_ids) == 3
    assert [memory.metadata["derived"] for memory in bank.list() if memory.support] == [
        "summary"
    ] * 4
    assert contents(bank)[:4] == [f"trail to {CANARY} {number}" for number in range(1, 5)]


def test_a_theme_of_other_memories_stays(
    engine: Engine, bank: MemoryBank, llm: ScriptedLLM
) -> None:
    """Only what rests on the erased memory goes."""
    for text in ("trail one", "trail two", "trail three", f"nothing but {CANARY}"):
        bank.add(text)
    llm.enqueue({"text": "User likes every trail."})
    assert bank.consolidate(steps=["themes"]).derived == 1
    bank.forget(CANARY, hard=True)

    assert contents(bank, "any") == [
        "trail one",
        "trail two",
        "trail three",
        "User likes every trail.",
    ]
