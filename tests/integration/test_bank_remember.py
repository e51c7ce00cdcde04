"""What a bank is told, as its specification: every expectation is literal, the clock stands still."""

from collections.abc import Sequence

import pytest

import cogmem_core
from cogmem_core import EmbedderUnavailable, Engine, MemoryBank, Turn
from cogmem_core.embedders.hashing import HashingEmbedder
from cogmem_core.ports import FloatArray
from cogmem_core.testing import MANUAL, CountingEmbedder, FrozenClock


class TestRemember:
    def test_the_same_words_of_another_voice_are_another_memory(self, bank: MemoryBank) -> None:
        """Ana's wish is not Bob's, and the assistant's sentence not the user's."""
        for speaker, role in (
            ("Ana", "user"),
            ("Bob", "user"),
            (None, "user"),
            (None, "assistant"),
            ("Ana", "user"),
        ):
            bank.remember("I want a dog", speaker=speaker, role=role, mode="raw")
        assert [(m.speaker, m.data_source) for m in bank.list()] == [
            ("Ana", "user_message"),
            ("Bob", "user_message"),
            (None, "user_message"),
            (None, "assistant_message"),
        ]

    def test_a_list_is_one_batch_with_one_receipt_per_turn(
        self, bank: MemoryBank, embedder: CountingEmbedder
    ) -> None:
        """Receipts come in order; a repeat inside the batch reinforces; bare strings share the keywords."""
        calls: list[int] = []
        inner = embedder.embed_documents
        embedder.embed_documents = lambda texts: (calls.append(len(texts)), inner(texts))[1]  # type: ignore[method-assign]
        report = bank.remember(
            ["one thing", Turn("two things", role="assistant", ref="own"), "one thing"],
            session_id="s9",
            ref="alike",
        )

        assert [receipt.status for receipt in report.receipts] == ["stored", "stored", "reinforced"]
        assert report.receipts[0].memory_ids == report.receipts[2].memory_ids
        assert [(m.content, m.session_id, m.refs) for m in bank.list()] == [
            ("one thing", "s9", ("alike",)),
            ("two things", None, ("own",)),
        ]
        assert calls == [2]

    def test_what_was_forgotten_and_is_said_again_is_a_new_memory(self, bank: MemoryBank) -> None:
        """A forgotten memory stays forgotten."""
        old = bank.remember("I like jazz").memories[0]
        bank.forget(old.id)
        report = bank.remember("I like jazz")

        assert report.receipts[0].status == "stored"
        assert report.receipts[0].memory_ids != (old.id,)
        assert (bank.count(), bank.count(state="forgotten")) == (1, 1)

    def test_if_the_embedder_fails_the_turn_waits_and_is_finished_exactly_once(
        self, engine: Engine, bank: MemoryBank, embedder: CountingEmbedder
    ) -> None:
        """The receipt says why; a later flush makes one memory of it, however often it is called."""
        embedder.failure = RuntimeError("no more memory")
        receipt = bank.remember("Remember the milk", ref="r1").receipts[0]
        engine.flush()
        still = (bank.count(), bank.health()["queue_length"])
        troubled = engine.health()["worker"]["troubles"]
        embedder.failure = None
        for _ in range(3):
            engine.flush()

        assert receipt.status == "queued"
        assert receipt.reason.endswith("embed_documents failed with RuntimeError")
        assert still == (0, 1)
        assert troubled["encode"].endswith("embed_documents failed with RuntimeError")
        assert [(m.content, m.refs, m.access_count) for m in bank.list()] == [
            ("Remember the milk", ("r1",), 0)
        ]
        assert (bank.health()["queue_length"], engine.health()["worker"]["troubles"]) == (0, {})
        assert len(embedder.texts) == 1

    def test_a_turn_that_waits_is_said_to_wait(
        self, bank: MemoryBank, embedder: CountingEmbedder
    ) -> None:
        """health() counts it and names the remedy."""
        embedder.failure = RuntimeError("down")
        bank.remember(["one", "two"])
        health = bank.health()

        assert health["turns"] == {"queued": 2}
        assert "2 turns wait to be encoded; engine.flush() finishes them" in health["warnings"]

    def test_said_with_and_without_a_working_embedder_makes_one_memory(
        self, engine: Engine, bank: MemoryBank, embedder: CountingEmbedder
    ) -> None:
        """A queued turn that was said again meanwhile reinforces what that made."""
        embedder.failure = RuntimeError("down")
        bank.remember("I live in Porto", ref="early")
        embedder.failure = None
        bank.remember("I live in Porto", ref="late")
        engine.flush()

        assert [sorted(memory.refs) for memory in bank.list()] == [["early", "late"]]

    def test_only_the_first_and_the_newest_sources_are_listed(self, clock: FrozenClock) -> None:
        """A sentence said a thousand times does not grow without end."""
        with cogmem_core.open(embedder="hashing", clock=clock) as engine:
            bank = engine.bank("alice")
            bank.remember([Turn("My desk is 4711", ref=f"r{number}") for number in range(66)])
            assert bank.list()[0].refs == ("r0", *(f"r{number}" for number in range(3, 66)))
            assert bank.list()[0].access_count == 65


class TestAdd:
    def test_without_a_vector_nothing_is_stored(
        self, bank: MemoryBank, embedder: CountingEmbedder
    ) -> None:
        """A statement is all or nothing; there is no queue for it."""
        embedder.failure = RuntimeError("down")
        with pytest.raises(EmbedderUnavailable, match="RuntimeError"):
            bank.add("Tea")
        assert (bank.count(state="any"), bank.health()["turns"]) == (0, {})


class Picky(HashingEmbedder):
    """An embedder that chokes on one word, as remote ones do on what their filter refuses."""

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        if any("poison" in text for text in texts):
            raise ValueError("refused")
        return super().embed_documents(texts)


@pytest.mark.parametrize("place", [0, 7, 19])
def test_one_text_that_cannot_be_embedded_does_not_hold_up_the_others(
    clock: FrozenClock, place: int
) -> None:
    """It alone stays queued, with the reason; the rest of its batch becomes memories."""
    texts = [f"Fact number {i}" for i in range(20)]
    texts[place] = "poison"
    with cogmem_core.open(embedder=Picky(48), clock=clock, config=MANUAL) as engine:
        bank = engine.bank("alice")
        assert {r.status for r in bank.remember(texts).receipts} == {"queued"}
        engine.flush()
        assert (bank.count(), bank.health()["turns"]) == (19, {"done": 19, "queued": 1})
        assert "ValueError" in engine.health()["worker"]["troubles"]["encode"]
