"""A person's "Forget my salary": acted upon where one thing is clearly meant, and never else."""

import dataclasses
from collections.abc import Callable

import cogmem_core
from cogmem_core import MemoryBank, Turn
from cogmem_core.models import Role
from cogmem_core.testing import MANUAL
from helpers.tables import each_row, each_row_of, rows_of

KNOWN = rows_of("forget_requests/known")
LOOK_ALIKES = rows_of("forget_requests/look_alikes")

ENGINE = {"embedder": "hashing", "clock": None}


@each_row_of("forget_requests/a_clear_wish_is_granted_and_can_be_taken_back")
def test_a_clear_wish_is_granted_and_can_be_taken_back(
    fresh: Callable[[], MemoryBank], wish: str, text: str
) -> None:
    """The receipt lists what was forgotten; `restore` brings it back; a bystander stays."""
    bank = fresh()
    (known,) = bank.remember(text).memories
    bystander = bank.add("The museum opens at nine.")
    receipt = bank.remember(wish).receipts[0]
    assert (receipt.status, receipt.memory_ids) == ("forgotten", (known.id,))
    assert bank.get(known.id).state == "forgotten"
    assert [memory.id for memory in bank.list()] == [bystander.id]
    assert bank.restore(known.id).state == "active"


@each_row_of("forget_requests/only_the_part_that_is_meant_is_forgotten")
def test_only_the_part_that_is_meant_is_forgotten(
    bank: MemoryBank, wish: str, text: str, left: str
) -> None:
    """What else a memory says stays as one of its own; where that may be of what goes, all of it goes."""
    (known,) = bank.remember(text).memories
    try:
        receipt = bank.remember(wish).receipts[0]
        assert (receipt.status, receipt.memory_ids) == ("forgotten", (known.id,))
        assert receipt.reason.endswith("; what else it said stays") is bool(left)
        assert [memory.content for memory in bank.list()] == [left] * bool(left)
        bank.engine.flush()
        assert len(bank.recall(left or "What do you know?", floor=0).results) == bool(left)
        assert bank.restore(known.id).content == text
    finally:
        bank.forget_all(confirm="alice", hard=True)


def test_what_only_sounds_like_a_wish_forgets_nothing(bank: MemoryBank) -> None:
    """Habits, reproaches, idioms, quotations, orders to do something else, for a moment only."""
    known = {bank.add(text).id for text in KNOWN}
    acted = [text for text in LOOK_ALIKES if bank.remember(text).receipts[0].status == "forgotten"]
    assert acted == []
    assert known <= {memory.id for memory in bank.list(limit=500)}


def test_other_words_for_it_are_enough_where_vectors_tell_what_words_mean() -> None:
    """One memory is near, no other nearly so, and a word of it was said: else it is at most asked back."""
    with cogmem_core.open(embedder="minilm", config=MANUAL) as engine:
        bank = engine.bank("alice")
        known = bank.add("My dad died two years ago.")
        kept = bank.add("My dad was a whaler before the war.")
        receipt = bank.remember("Could you stop remembering that my dad passed away?").receipts[0]
        assert (receipt.status, receipt.memory_ids) == ("forgotten", (known.id,))
        assert bank.remember("Please forget that my mum passed away.").receipts[0].memory_ids == ()
        assert bank.get(kept.id).state == "active"
        earned = bank.add("My salary is 3000 euros.")
        receipt = bank.remember("Forget that I earn 3000 euros").receipts[0]
        assert [one.memory_id for one in receipt.candidates] == [earned.id]
        assert bank.remember("Forget that I'm pregnant").receipts[0].candidates == ()
        assert bank.get(earned.id).state == "active"


def test_what_is_not_clear_is_asked_back(bank: MemoryBank) -> None:
    """Several things may be meant: nothing is forgotten, and the receipt lists them."""
    first = bank.add("Rosa is my aunt.")
    second = bank.add("Rosa lives in Rome.")
    receipt = bank.remember("Forget everything about Rosa").receipts[0]
    assert (receipt.status, receipt.reason, receipt.memory_ids) == ("skipped", "which?", ())
    assert {candidate.memory_id for candidate in receipt.candidates} == {first.id, second.id}
    for text in ("My son Leo has epilepsy.", "My son takes Keppra for epilepsy."):
        bank.add(text)
    assert bank.remember("Forget that my son has epilepsy").receipts[0].reason == "which?"
    assert bank.count() == 4


def test_what_is_told_beside_a_wish_is_not_lost_with_it(bank: MemoryBank) -> None:
    """What holds now replaces what is to be forgotten; where nothing is found, what is told is kept."""
    bank.add("I live in Oslo.")
    bank.remember("Please forget that I live in Oslo. I live in Bergen now.")
    assert ["Bergen" in memory.content for memory in bank.list()] == [True]
    bank.remember("Please erase the parrot from your memory. The parrot eats my aunt's curtains.")
    assert ["curtains" in memory.content for memory in bank.list()] == [False, True]


@each_row_of("forget_requests/a_wish_for_what_is_not_known_is_only_skipped", "en hi ko pl ru")
def test_a_wish_for_what_is_not_known_is_only_skipped(bank: MemoryBank, wish: str) -> None:
    """And leaves no memory of its own."""
    receipt = bank.remember(wish).receipts[0]
    assert (receipt.status, receipt.reason) == ("skipped", "forget_request")
    assert bank.count() == 0


def test_a_wish_meets_what_was_said_before_it_and_not_after(bank: MemoryBank) -> None:
    """Also within one batch of turns."""
    report = bank.remember(["I live in Oslo.", "Forget where I live.", "I live in Bergen."])
    assert [receipt.status for receipt in report.receipts] == ["stored", "forgotten", "stored"]
    assert [memory.content for memory in bank.list()] == ["I live in Bergen."]


@each_row("role", ["assistant", "tool", "system"])
def test_only_a_person_may_ask(bank: MemoryBank, role: Role) -> None:
    """No assistant, tool or page has anything forgotten."""
    known = bank.add("My salary is 3,000 euros.")
    bank.remember("Forget my salary", role=role)
    assert bank.get(known.id).state == "active"


@each_row_of("forget_requests/a_wish_reaches_only_what_the_same_voice_said")
def test_a_wish_reaches_only_what_the_same_voice_said(
    fresh: Callable[[], MemoryBank], said: list[list[str | None]], left: list[str]
) -> None:
    """ "My salary" is the salary of whoever asks, also what an assistant noted of it."""
    bank = fresh()
    for text, speaker, *role in said:
        bank.remember(Turn(str(text), "assistant" if role else "user", speaker=speaker))
    assert [memory.content for memory in bank.list()] == list(left)


def test_acting_can_be_switched_off() -> None:
    """`encoding.forget_requests = "skip"`: the turn is skipped, and nothing else happens."""
    encoding = dataclasses.replace(MANUAL.encoding, forget_requests="skip")
    config = dataclasses.replace(MANUAL, encoding=encoding)
    with cogmem_core.open(embedder="hashing", config=config) as engine:
        bank = engine.bank("alice")
        known = bank.add("My salary is 3,000 euros.")
        receipt = bank.remember("Forget my salary").receipts[0]
        assert (receipt.status, receipt.reason) == ("skipped", "forget_request")
        assert bank.get(known.id).state == "active"
        raw = bank.remember("Forget my salary", mode="raw").receipts[0]
        assert raw.status == "stored"


def test_a_pinned_memory_goes_when_its_person_asks(bank: MemoryBank) -> None:
    """Pins hold against the system, not against the person."""
    known = bank.add("My salary is 3,000 euros.", pinned=True)
    bank.remember("Forget my salary")
    assert bank.get(known.id).state == "forgotten"


def test_a_wish_in_the_background_is_granted_too(bank: MemoryBank) -> None:
    """With `wait=False` the worker acts."""
    known = bank.add("My salary is 3,000 euros.")
    bank.remember("Forget my salary", wait=False)
    bank.finish_pending()
    assert bank.get(known.id).state == "forgotten"
