"""Hard forgetting leaves nothing, and no namespace sees or touches another."""

from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Engine, MemoryBank
from cogmem_core.testing import MANUAL, FrozenClock
from helpers.bank_contents import contents, files_holding


class TestHardForgetting:
    def test_a_hard_forgotten_memory_is_gone_with_its_turns(self, bank: MemoryBank) -> None:
        """No state, no history, no restore; the receipt counts the turns."""
        memory = bank.remember("My desk is 4711", ref="a").memories[0]
        bank.remember("My desk is 4711", ref="b")
        bank.edit(memory.id, "My desk is 0815")
        receipt = bank.forget(memory.id, hard=True)

        assert (receipt.memory_ids, receipt.hard, receipt.episodes, receipt.remaining) == (
            (memory.id,),
            True,
            2,
            (),
        )
        for call in (bank.get, bank.history, bank.restore, bank.explain):
            with pytest.raises(cogmem_core.NotFound):
                call(memory.id)
        assert (bank.count(state="any"), bank.health()["turns"], contents(bank.recall("desk"))) == (
            0,
            {},
            [],
        )

    def test_turns_that_a_memory_no_longer_lists_are_erased_too(self, clock: FrozenClock) -> None:
        """The list of sources is bounded, the erasure is not."""
        with cogmem_core.open(embedder="hashing", clock=clock) as engine:
            bank = engine.bank("alice")
            bank.remember(["My desk is 4711"] * 70 + ["Something else"])
            bank.remember("my desk  is 4711", role="assistant", mode="raw")
            receipt = bank.forget(bank.list()[0].id, hard=True)

            assert receipt.episodes == 70
            assert bank.health()["turns"] == {"done": 2}
            assert contents(bank.list()) == ["Something else", "my desk  is 4711"]

    def test_what_was_erased_and_imported_again_can_be_erased_again(
        self, bank: MemoryBank, tmp_path: Path
    ) -> None:
        """A file alone does not bring it back; then a tombstone does not stand in the way of a second death."""
        memory = bank.remember("My desk is 4711").memories[0]
        bank.export(tmp_path / "backup")
        bank.forget(memory.id, hard=True)
        refused = bank.import_(tmp_path / "backup")
        assert (refused.stored, refused.rejected) == (0, 1)
        again = bank.remember("My desk is 4711").memories[0]
        bank.forget(again.id, hard=True)
        bank.remember("My desk is 4711", role="assistant")
        assert bank.count(state="any") == 0
        bank.remember("My desk is 4711")
        bank.forget_all(confirm="alice", hard=True)
        report = bank.import_(tmp_path / "backup")
        found = contents(bank.recall("desk"))
        bank.forget(memory.id, hard=True)

        assert (report.stored, found) == (1, ["My desk is 4711"])
        assert (bank.count(state="any"), contents(bank.recall("desk"))) == (0, [])

    def test_a_long_text_can_be_erased(self, bank: MemoryBank) -> None:
        """The search for other holders of the text has no limit of its own."""
        memory = bank.add("a long story " * 10_000)
        assert bank.forget(memory.id, hard=True).remaining == ()

    def test_forget_all_hard_erases_turns_that_wait(self, engine: Engine, bank: MemoryBank) -> None:
        """Nothing is finished afterwards that was queued before."""
        engine.pause()
        bank.remember("A secret that waits", wait=False)
        bank.remember("A secret that is known")
        receipt = bank.forget_all(confirm="alice", hard=True)
        engine.flush()

        assert receipt.episodes == 2
        assert (bank.count(state="any"), bank.health()["turns"]) == (0, {})


def test_forgetting_a_whole_namespace_for_good_forgets_its_name(
    tmp_path: Path, clock: FrozenClock
) -> None:
    """A namespace is often a person's mail address."""
    folder, name = tmp_path / "brain", "maria.secret@example.com"
    with cogmem_core.open(folder, embedder="hashing", clock=clock, config=MANUAL) as engine:
        engine.bank(name).remember(["I moved to Lisbon", "My cat is called Mochi"])
        engine.bank("bob").remember("I like tea")
        engine.bank(name).forget("Mochi", hard=True)
        assert engine.bank(name).forget_all(confirm=name, hard=True).remaining == ()
        assert engine.namespaces() == ["bob"]
        assert files_holding(folder, name) == []
        engine.bank(name).remember("I am back")
        assert contents(engine.bank(name).recall("back")) == ["I am back"]
        assert contents(engine.bank("bob").recall("tea")) == ["I like tea"]
