"""A disk that is full while people talk: what they said waits and is written later, and health tells it."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from llama_index.core.base.llms.types import ChatMessage

import cogmem_core
from cogmem_core import Engine, MemoryBank, StoreError
from cogmem_core.testing import MANUAL, FrozenClock
from helpers.llamaindex_models import contents
from helpers.store_kinds import edit
from llamaindex_cogmem import CogMemMemory, CogMemMemoryBlock

FULL = "CREATE TRIGGER full BEFORE INSERT ON episodes BEGIN SELECT RAISE(ABORT, 'disk full'); END"
ROOM = "DROP TRIGGER full"
SAID = ["I have a cat called Tom.", "My bicycle is red.", "I work in Lisbon."]
WAITS = "turns wait in memory, since the disk or the database failed"


@pytest.fixture
def engine(tmp_path: Path, clock: FrozenClock) -> Iterator[Engine]:
    with cogmem_core.open(tmp_path / "brain", embedder="hashing", config=MANUAL, clock=clock) as it:
        yield it


@pytest.fixture
def bank(engine: Engine) -> MemoryBank:
    return engine.bank("ann")


def ledger(bank: MemoryBank) -> Path:
    assert bank.engine.folder is not None
    return bank.engine.folder


def talk(memory: CogMemMemory, clock: FrozenClock) -> None:
    for text in SAID:
        memory.put(ChatMessage(text))
        memory.get()
        memory.put(ChatMessage("I see.", role="assistant"))
        clock.advance(hours=1)


def warnings(bank: MemoryBank) -> list[str]:
    return [text for text in bank.health()["warnings"] if WAITS in text]


@pytest.mark.parametrize("again", ["next turn", "recall", "flush", "close"])
def test_what_was_said_is_written_when_there_is_room(
    bank: MemoryBank, clock: FrozenClock, caplog: pytest.LogCaptureFixture, again: str
) -> None:
    """One warning in the log; nothing is lost, nothing twice, and each turn keeps its time."""
    folder = ledger(bank)
    memory = CogMemMemory.from_defaults(bank)
    began = clock.now
    edit(folder, FULL)
    with caplog.at_level(logging.WARNING, logger="cogmem_core"):
        talk(memory, clock)
    assert len(caplog.records) == 1
    assert warnings(bank)[0].startswith("3 turns wait in memory")
    assert warnings(bank) == [text for text in bank.engine.warnings() if WAITS in text]
    assert bank.count() == 0

    edit(folder, ROOM)
    if again == "next turn":
        memory.put(ChatMessage("It rains."))
        memory.put(ChatMessage("I see.", role="assistant"))
    elif again == "recall":
        memory.get("And my cat?")
    elif again == "flush":
        bank.engine.flush()
    else:
        bank.engine.close()

    with cogmem_core.open(folder, embedder="hashing", config=MANUAL, clock=clock) as engine:
        if again == "close":
            bank = engine.bank("ann")
        assert contents(bank)[:3] == SAID
        assert [bank.list()[index].recorded_at.hour for index in range(3)] == [
            (began.hour + index) % 24 for index in range(3)
        ]
        assert warnings(bank) == []


async def test_what_a_block_takes_in_waits_too(bank: MemoryBank) -> None:
    """What `Memory` drops for want of room; with `raise_errors` it is raised, and waits all the same."""
    folder = ledger(bank)
    edit(folder, FULL)
    await CogMemMemoryBlock(bank).aput([ChatMessage(SAID[0])])
    with pytest.raises(StoreError, match="disk full"):
        await CogMemMemoryBlock(bank, raise_errors=True).aput([ChatMessage(SAID[1])])
    edit(folder, ROOM)

    assert contents(bank) == SAID[:2]


def test_what_is_forgotten_does_not_come_back(engine: Engine, clock: FrozenClock) -> None:
    """A namespace, and a conversation; what others said waits on."""
    folder = ledger(engine.bank("ann"))
    edit(folder, FULL)
    for name, session in (("ann", "monday"), ("bob", "monday"), ("bob", "tuesday")):
        memory = CogMemMemory.from_defaults(engine.bank(name), session_id=session)
        memory.put(ChatMessage(f"I live in a house of {name}'s, since {session}."))
        memory.put(ChatMessage("I see.", role="assistant"))
    engine.bank("ann").forget_all(confirm="ann")
    engine.bank("bob").forget_session("monday")
    edit(folder, ROOM)
    engine.flush()

    assert contents(engine.bank("ann")) == []
    assert contents(engine.bank("bob")) == ["I live in a house of bob's, since tuesday."]


def test_what_waits_is_kept_as_the_seals_of_its_moment_say(bank: MemoryBank) -> None:
    """What was sealed meanwhile is not written when there is room."""
    edit(ledger(bank), FULL)
    memory = CogMemMemory.from_defaults(bank)
    for text in ("I was diagnosed with diabetes.", *SAID[2:]):
        memory.put(ChatMessage(text))
        memory.put(ChatMessage("I see.", role="assistant"))
    edit(ledger(bank), ROOM)
    bank.seal("health")
    bank.engine.flush()

    assert contents(bank) == SAID[2:]
    assert b"diabetes" not in (ledger(bank) / "ledger.sqlite").read_bytes()
