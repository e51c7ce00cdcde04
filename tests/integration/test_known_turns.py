"""A turn that is sent again is known: same session, ref, role and words change nothing."""

from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import MemoryBank, Turn
from cogmem_core.testing import MANUAL, FrozenClock
from helpers.bank_contents import contents

SAID = "My greyhound Juno sleeps in the conservatory."

ENGINE = {"embedder": "hashing", "paused": True}


def statuses(bank: MemoryBank, *turns: Turn, mode: str | None = None) -> list[str]:
    return [receipt.status for receipt in bank.remember(list(turns), mode=mode).receipts]


@pytest.mark.parametrize("mode", [None, "raw", "semantic", "hybrid"])
def test_five_sends_leave_the_memory_as_it_was(bank: MemoryBank, mode: str | None) -> None:
    """Neither use nor stability grows, and no version or source is added."""
    turn = Turn(SAID, session_id="s1", ref="m-17")
    assert statuses(bank, turn, mode=mode) == ["stored"]
    before = list(bank.list())

    assert [statuses(bank, turn, mode=mode) for _ in range(4)] == [["known"]] * 4
    assert list(bank.list()) == before


def test_the_receipt_names_the_first_turn(bank: MemoryBank) -> None:
    """It touched no memory."""
    turn = Turn(SAID, ref="m-17")
    first = bank.remember(turn).receipts[0]
    again = bank.remember(turn).receipts[0]

    assert (again.status, again.reason, again.memory_ids) == ("known", "sent before", ())
    assert again.episode_id == first.episode_id


def test_without_a_ref_it_is_said_again(bank: MemoryBank) -> None:
    """A person who repeats himself means it."""
    assert [*statuses(bank, Turn(SAID)), *statuses(bank, Turn(SAID))] == ["stored", "reinforced"]


@pytest.mark.parametrize(
    "other",
    [
        Turn(SAID, session_id="s2", ref="m-17"),
        Turn(SAID, ref="m-17"),
        Turn(SAID, session_id="s1", ref="m-18"),
        Turn(SAID, session_id="s1"),
    ],
    ids=["session", "no session", "ref", "no ref"],
)
def test_another_session_or_ref_is_another_turn(bank: MemoryBank, other: Turn) -> None:
    """The same words were said twice then."""
    assert statuses(bank, Turn(SAID, session_id="s1", ref="m-17")) == ["stored"]
    assert statuses(bank, other) == ["reinforced"]


def test_an_edited_message_is_not_lost(bank: MemoryBank) -> None:
    """Other words under the same ref are a turn of their own; each of both is known from then on."""
    first = Turn(SAID, session_id="s1", ref="m-17")
    edited = Turn("The piano tuner comes from Graz.", session_id="s1", ref="m-17")

    assert [statuses(bank, turn) for turn in (first, edited, first, edited)] == [
        ["stored"],
        ["stored"],
        ["known"],
        ["known"],
    ]
    assert sorted(contents(bank)) == [SAID, "The piano tuner comes from Graz."]


def test_in_one_batch(bank: MemoryBank) -> None:
    """The first one counts, and receipts keep their order."""
    turn = Turn(SAID, ref="m-17")
    other = Turn("The piano tuner comes from Graz.", ref="m-18")

    assert statuses(bank, turn, other, turn) == ["stored", "stored", "known"]
    assert statuses(bank, other, Turn("Flights leave at noon.", ref="m-19"), turn) == [
        "known",
        "stored",
        "known",
    ]


def test_in_the_background(bank: MemoryBank) -> None:
    """A turn that still waits is known as well."""
    turn = Turn(SAID, ref="m-17")
    sent = [bank.remember(turn, wait=False).receipts[0].status for _ in range(2)]
    bank.finish_pending()

    assert sent == ["queued", "known"]
    assert statuses(bank, turn) == ["known"]
    assert contents(bank) == [SAID]


def test_after_reopening(tmp_path: Path, clock: FrozenClock) -> None:
    """It stands in the ledger."""
    found = []
    for _ in range(2):
        with cogmem_core.open(tmp_path, embedder="hashing", clock=clock, config=MANUAL) as engine:
            found += statuses(engine.bank("alice"), Turn(SAID, session_id="s1", ref="m-17"))

    assert found == ["stored", "known"]


def test_another_namespace_knows_nothing_of_it(bank: MemoryBank, clock: FrozenClock) -> None:
    """Refs belong to their namespace."""
    with cogmem_core.open(embedder="hashing", clock=clock, config=MANUAL) as engine:
        turn = Turn(SAID, ref="m-17")
        found = [statuses(engine.bank(name), turn) for name in ("alice", "bob", "alice")]

    assert found == [["stored"], ["stored"], ["known"]]


def test_what_was_forgotten_does_not_come_back_by_a_retry(bank: MemoryBank) -> None:
    """A request that is sent again is not said again."""
    turn = Turn(SAID, ref="m-17")
    memory_id = bank.remember(turn).receipts[0].memory_ids[0]
    bank.forget(memory_id)

    assert statuses(bank, turn) == ["known"]
    assert contents(bank) == []


def test_a_transcript_lists_it_and_remembers_it_once(bank: MemoryBank) -> None:
    """What was remembered in passing is only listed when it comes as a message."""
    turn = Turn(SAID, session_id="s1", ref="m-17")
    bank.remember(turn)
    before = list(bank.list())
    bank.append_messages([turn], session_id="s1", remembered=["user"])
    bank.finish_pending()

    assert [entry.content for entry in bank.transcript("s1")] == [SAID]
    assert list(bank.list()) == before
