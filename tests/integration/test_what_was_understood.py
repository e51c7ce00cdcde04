"""A receipt says in words what was understood of a turn."""

from cogmem_core import MemoryBank


def test_a_receipt_says_what_was_understood(bank: MemoryBank) -> None:
    """Also of what is skipped, and of what waits; of much only the beginning."""
    said = bank.remember("I moved to Porto. Do you know it?").receipts[0]
    assert said.reading == "kept: I moved to Porto (home); not kept: a question"
    (skipped,) = bank.remember("Where do I live?").receipts
    assert (skipped.status, skipped.reading) == ("skipped", "not kept: a question")
    (queued,) = bank.remember("My dog is called Rex.", wait=False).receipts
    assert queued.reading.startswith("kept: My dog is called Rex")
    many = " ".join(f"My locker number {number} is green." for number in range(40))
    assert bank.remember(many).receipts[0].reading.endswith("; and 32 more")


def test_what_is_redacted_is_not_told(bank: MemoryBank) -> None:
    """A receipt is made of the turn as it is stored."""
    receipt = bank.remember("My password is hunter2hunter2, and I live in Rome.").receipts[0]
    assert "hunter2hunter2" not in receipt.reading


def test_limits_and_moods_are_told() -> None:
    """So a user sees why a statement changed nothing."""
    import cogmem_core

    with cogmem_core.open(embedder="hashing") as engine:
        bank = engine.bank("ann")
        assert bank.remember("At weekends I live in Graz.").receipts[0].reading == (
            "kept: I live in Graz (home, only 'At weekends')"
        )
        assert bank.remember("I moved to Bergen. Kidding!").receipts[0].reading == (
            "kept: I moved to Bergen (home, joke)"
        )
