"""`bank.seal`: what a person never wants kept, from now on and in every process, until it is lifted."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Engine, InvalidInput, MemoryBank, NotAllowed, NotFound, Turn
from cogmem_core.testing import MANUAL, FrozenClock
from helpers.tables import each_row_of

CONFIG = replace(MANUAL, encoding=replace(MANUAL.encoding, never_keep=("religion",)))
ILL = "I was diagnosed with diabetes."
CHURCH = "I pray in church every morning."
WORK = "I work at Acme."
SKIPPED = ("skipped", "not kept: sealed topic 'health'")


def opened(folder: Path) -> Engine:
    return cogmem_core.open(folder, embedder="hashing", config=CONFIG, clock=FrozenClock())


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with opened(tmp_path / "bank") as found:
        yield found


def kept(bank: MemoryBank) -> list[str]:
    return [memory.content for memory in bank.list()]


def told(bank: MemoryBank, said: str = ILL, asked: str = "") -> tuple[str, str]:
    (receipt,) = bank.remember(Turn(said, asked=asked)).receipts
    return receipt.status, receipt.reason


def test_what_is_sealed_is_kept_by_no_process(engine: Engine, tmp_path: Path) -> None:
    """By whatever way it comes; what is there stays, other namespaces are their own, and lifted it is kept again."""
    bank = engine.bank("ann")
    bank.remember("My migraine is back.")
    with opened(tmp_path / "bank") as other:
        elsewhere = other.bank("ann")
        elsewhere.remember(WORK)
        assert bank.seal("  Health ") == ("religion", "health")
        assert (
            bank.seal("religion")
            == bank.seal("health")
            == elsewhere.seals()
            == ("religion", "health")
        )
        assert told(elsewhere) == told(bank) == SKIPPED
        assert told(elsewhere, CHURCH) == ("skipped", "not kept: sealed topic 'religion'")
        assert (
            told(elsewhere, f"I live in Oslo. {ILL}")[1] == "new; not kept: sealed topic 'health'"
        )
        assert told(other.bank("ben"))[0] == "stored"
        for refused in (
            lambda: elsewhere.add(ILL),
            lambda: elsewhere.edit(elsewhere.list().memories[1].id, ILL),
            lambda: elsewhere.supersede(elsewhere.list().memories[1].id, ILL),
            lambda: elsewhere.intend(ILL, when="Ana calls"),
        ):
            with pytest.raises(InvalidInput, match=r"sealed topic \('health'\).*bank\.unseal"):
                refused()
        elsewhere.append_messages([Turn(ILL)], session_id="s")
        (turn,) = elsewhere.transcript("s")
        assert turn.content == "[not kept]"
        elsewhere.items().put(("notes",), "one", {"text": ILL}, texts=[ILL])
        assert "diabetes" not in str(elsewhere.items().get(("notes",), "one"))
        assert elsewhere.observe([ILL]).notes == ()
        run = elsewhere.observe_run(ILL, [{"tool": "look"}], session_id="s")
        assert run.task == "[not kept]"
        assert sorted(kept(bank)) == ["I live in Oslo.", WORK, "My migraine is back."]
        assert [hit.memory.content for hit in bank.recall("my migraine").results][:1] == [
            "My migraine is back."
        ]
        assert other.bank("ann").unseal("health") == ("religion",)
        assert told(bank)[0] == "stored"


@each_row_of("sealed_at_run_time/words_of_ones_own")
def test_words_of_ones_own_seal_in_any_case_and_script(
    engine: Engine, words: str, said: str, sealed: bool, asked: str
) -> None:
    """As a part of the text where words are not written apart; an answer of "he" with its question."""
    bank = engine.bank(f"{words}/{said}")
    bank.seal(words)
    assert (told(bank, said, asked)[0] == "skipped") is sealed


def test_what_is_no_seal_is_refused(engine: Engine) -> None:
    """The message names the argument; what the settings seal is lifted there alone; a namespace has so many."""
    bank = engine.bank("ann")
    for topic in ("", "  ", "42!", "\U0001f355", "the", "Before", "in my", "x" * 201, None, 7):
        with pytest.raises(InvalidInput, match="topic is"):
            bank.seal(topic)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="topic holds a secret"):
        bank.seal("sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD")
    with pytest.raises(
        InvalidInput, match=r"topic is 'religion', which encoding\.never_keep seals"
    ):
        bank.unseal("religion")
    with pytest.raises(NotFound, match="topic is 'pets', which is not sealed"):
        bank.unseal("pets")
    for number in range(100):
        bank.seal(f"friend {number}")
    with pytest.raises(InvalidInput, match="the limit is 100"):
        bank.seal("pets")
    assert len(bank.seals()) == 101
    assert bank.incognito().seals() == bank.seals()
    with pytest.raises(NotAllowed, match="incognito"):
        bank.incognito().seal("pets")
    engine.add_principal("ben")
    engine.grant("ben", "ann", "write")
    with pytest.raises(NotAllowed, match="admin"):
        engine.as_("ben").bank("ann").unseal("friend 1")


def test_seals_go_with_their_namespace(engine: Engine, tmp_path: Path) -> None:
    """Into an export and a new bank, not from strangers; away with all of it; an erasure of their words tells."""
    bank = engine.bank("ann")
    bank.remember([WORK, "Daniel Craig lives in Oslo."])
    bank.seal("my ex Daniel")
    bank.seal("health")
    bank.remember("I live in Lisbon.")
    bank.export(tmp_path / "ann.jsonl")
    bank.export(tmp_path / "some.jsonl", speaker="Ann")
    for name, trust, seals in (("own", None, ("my ex Daniel", "health")), ("strange", 0.5, ())):
        new = engine.bank(name)
        assert new.import_(tmp_path / "ann.jsonl", trust=trust).stored == 3
        assert new.seals() == ("religion", *seals)
        assert new.import_(tmp_path / "some.jsonl", trust=trust).stored == 0
        assert new.seals() == ("religion", *seals)
    receipt = bank.forget("Daniel", hard=True)
    assert receipt.remaining == (
        "a sealed topic stays that holds these words; bank.unseal(topic) takes it away",
    )
    bank.forget_all(confirm="ann")
    assert told(bank) == SKIPPED
    bank.forget_all(confirm="ann", hard=True)
    assert (bank.seals(), engine.namespaces()) == (("religion",), ["own", "strange"])
    assert told(bank)[0] == "stored"
