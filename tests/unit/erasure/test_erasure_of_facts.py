"""Hard forgetting of facts: several memories come from one turn, keys quote it, notes repeat it; no trace stays."""

from datetime import datetime, timezone
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Config, Engine, MemoryBank, Turn
from cogmem_core.errors import EmbedderUnavailable
from cogmem_core.models import ObservationNote
from cogmem_core.storage.ledger.codec import encode_vector
from cogmem_core.testing import CountingEmbedder, FrozenClock, ScriptedLLM
from helpers.bank_contents import files_holding
from helpers.model_answers import formed

TURN = "My locker code is Tweety3141. I work at Acme in Oslo."
NOON = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)
CODE, WORK = "User's locker code is Tweety3141.", "User works at Acme in Oslo."

ENGINE = {"folder": True, "config": Config()}


def contents(bank: MemoryBank) -> list[str]:
    return [memory.content for memory in bank.list(state="any")]


def one(bank: MemoryBank, text: str) -> str:
    """The id of the memory with that text."""
    (memory_id,) = [memory.id for memory in bank.list(state="any") if memory.content == text]
    return memory_id


def key_of(engine: Engine, memory_id: str) -> str:
    with engine.services.ledger.whole() as reader:
        return reader.at("alice").memories.stored([memory_id])[memory_id].key


def vector_of(engine: Engine, memory_id: str) -> bytes:
    with engine.services.ledger.whole() as reader:
        return encode_vector(reader.at("alice").memories.stored([memory_id])[memory_id].vector)


def notes(engine: Engine) -> list[ObservationNote]:
    with engine.services.ledger.whole() as reader:
        return [
            *reader.at("alice").notes.of_level("note"),
            *reader.at("alice").notes.of_level("trace"),
        ]


class TestSemanticMode:
    def test_a_fact_goes_with_its_turn_and_the_other_fact_gets_a_key_of_its_own(
        self, engine: Engine, bank: MemoryBank, folder: Path
    ) -> None:
        """Erased from every place on disk, the keys and vectors of its siblings included."""
        bank.remember(TURN, mode="semantic", session_id="s1")
        engine.flush()
        code, work = one(bank, CODE), one(bank, WORK)
        before = vector_of(engine, work)
        assert key_of(engine, work) == f"[1 June, 2026]\n: {WORK}\n{TURN}"
        assert "ledger.sqlite-wal" in files_holding(
            folder, "Tweety3141"
        ) or "ledger.sqlite" in files_holding(folder, "Tweety3141")

        receipt = bank.forget(code, hard=True)

        assert (receipt.memory_ids, receipt.episodes, receipt.remaining) == ((code,), 1, ())
        assert contents(bank) == [WORK]
        assert key_of(engine, work) == f"[1 June, 2026]\n: {WORK}"
        engine.flush()
        assert files_holding(folder, "Tweety3141", "tweety3141", before) == []

    def test_the_fact_that_stays_is_found_by_its_own_words_and_not_by_the_erased_ones(
        self, engine: Engine, bank: MemoryBank
    ) -> None:
        """The word index and the vectors follow the new key."""
        bank.remember(TURN, mode="semantic")
        bank.forget(one(bank, CODE), hard=True)

        (result,) = bank.recall("Where in Oslo does the user work?").results
        assert result.found_by == {"vector": 1, "lexical": 1}
        assert [item.found_by.get("lexical") for item in bank.recall("Tweety3141").results] == [
            None
        ]
        assert bank.history(result.memory.id).changes[-1].kind == "rekey"

    def test_another_engine_follows_the_new_key(
        self, bank: MemoryBank, embedder: CountingEmbedder, folder: Path
    ) -> None:
        """What it holds in memory is brought up to date by the journal."""
        bank.remember(TURN, mode="semantic")
        with cogmem_core.open(
            folder, embedder=embedder, clock=FrozenClock(), config=Config()
        ) as other:
            again = other.bank("alice")
            assert (
                len([r for r in again.recall("Tweety3141").results if "lexical" in r.found_by]) == 2
            )
            bank.forget(one(bank, CODE), hard=True)
            assert [r.found_by.get("lexical") for r in again.recall("Tweety3141").results] == [None]

    def test_a_former_version_whose_key_quotes_the_turn_gets_a_new_one_too(
        self, engine: Engine, bank: MemoryBank, folder: Path
    ) -> None:
        """An edited fact keeps its former text, but not the rest of the turn."""
        bank.remember(TURN, mode="semantic")
        work = one(bank, WORK)
        bank.edit(work, "User works at Globex.")
        receipt = bank.forget(one(bank, CODE), hard=True)

        assert receipt.remaining == ()
        assert [version.content for version in bank.history(work).versions] == [WORK]
        assert files_holding(folder, "Tweety3141") == []

    def test_a_fact_that_once_held_the_erased_text_goes_too(self, bank: MemoryBank) -> None:
        """Its history would tell."""
        bank.remember(TURN, mode="semantic")
        work = one(bank, WORK)
        bank.edit(work, f"{WORK} {CODE}")
        bank.edit(work, WORK)
        code = one(bank, CODE)
        receipt = bank.forget(code, hard=True)

        assert set(receipt.memory_ids) == {code, work}
        assert receipt.memory_ids[0] == code
        assert contents(bank) == []

    def test_a_forgotten_sibling_is_searched_too(self, bank: MemoryBank, folder: Path) -> None:
        """States do not matter to what lies on disk."""
        bank.remember(TURN, mode="semantic")
        bank.forget(one(bank, WORK))
        bank.forget(one(bank, CODE), hard=True)

        assert contents(bank) == [WORK]
        assert files_holding(folder, "Tweety3141") == []

    def test_the_same_turn_said_again_goes_with_it(self, bank: MemoryBank, folder: Path) -> None:
        """Both turns are sources of both facts."""
        bank.remember(TURN, mode="semantic")
        bank.remember(TURN, mode="semantic")
        receipt = bank.forget(one(bank, CODE), hard=True)

        assert (receipt.episodes, bank.health()["turns"]) == (2, {})
        assert (contents(bank), files_holding(folder, "Tweety3141")) == ([WORK], [])

    def test_why_a_memory_was_superseded_no_longer_quotes_what_was_erased(
        self, bank: MemoryBank, folder: Path
    ) -> None:
        """The journal of the other memory says "Lisbon, now Oslo"; that it was blanked, too."""
        bank.remember("I live in Lisbon.", mode="semantic")
        bank.remember("I live in Oslo now.", mode="semantic")
        new = one(bank, "User lives in Oslo now.")
        old = one(bank, "User lives in Lisbon.")
        assert "Oslo" in bank.history(old).changes[-1].reason
        bank.forget(new, hard=True)

        assert [change.reason for change in bank.history(old).changes] == [
            "erased",
            "erased",
            "erased",
        ]
        assert files_holding(folder, "Oslo", "oslo") == []


class TestHybridMode:
    def test_the_turn_goes_with_a_fact_of_it(self, bank: MemoryBank, folder: Path) -> None:
        """The memory of the whole turn holds the words that the fact came from."""
        bank.remember(TURN, mode="hybrid")
        code, turn = one(bank, CODE), one(bank, TURN)
        receipt = bank.forget(code, hard=True)

        assert (receipt.memory_ids, receipt.episodes, receipt.remaining) == ((code, turn), 1, ())
        assert (contents(bank), files_holding(folder, "Tweety3141")) == ([WORK], [])

    def test_the_facts_go_with_their_turn(self, bank: MemoryBank, folder: Path) -> None:
        """They say nothing but what the turn said."""
        bank.remember(TURN, mode="hybrid")
        turn = one(bank, TURN)
        receipt = bank.forget(turn, hard=True)

        assert receipt.memory_ids[0] == turn
        assert len(receipt.memory_ids) == 3
        assert (contents(bank), files_holding(folder, "Tweety3141", "Acme")) == ([], [])

    def test_a_fact_that_was_also_said_elsewhere_stays(
        self, engine: Engine, bank: MemoryBank, folder: Path
    ) -> None:
        """The other turn still says it, and its key is its own."""
        bank.remember(TURN, mode="hybrid")
        bank.remember("I work at Acme in Oslo.", mode="semantic")
        bank.forget(one(bank, TURN), hard=True)

        assert contents(bank) == [WORK]
        assert key_of(engine, one(bank, WORK)) == f"[1 June, 2026]\n: {WORK}"
        assert (bank.health()["turns"], files_holding(folder, "Tweety3141")) == ({"done": 1}, [])

    def test_a_clause_of_a_turn_in_auto_mode(self, bank: MemoryBank, folder: Path) -> None:
        """It goes alone: the rest of its turn stays a memory."""
        bank.remember("My name is Ann Quagga. I work at Acme.")
        assert contents(bank) == ["My name is Ann Quagga. I work at Acme."]
        bank.forget("Quagga", hard=True)
        assert (contents(bank), files_holding(folder, "Quagga", "quagga")) == (
            ["I work at Acme."],
            [],
        )


class TestTurns:
    def test_a_turn_that_waits_with_the_same_words_goes(
        self, engine: Engine, bank: MemoryBank, embedder: CountingEmbedder, folder: Path
    ) -> None:
        """Nothing comes back when the queue is worked off."""
        bank.remember(TURN, mode="semantic")
        engine.pause()
        bank.remember([TURN, "Something else entirely waits here."], mode="semantic", wait=False)
        receipt = bank.forget(one(bank, CODE), hard=True)
        engine.resume()
        engine.flush()

        assert receipt.episodes == 2
        assert contents(bank)[0] == WORK
        assert files_holding(folder, "Tweety3141") == []

    def test_a_turn_that_waits_and_says_more_waits_on(
        self, engine: Engine, bank: MemoryBank
    ) -> None:
        """What nobody has read yet is not thrown away."""
        bank.remember("My cat is called Mochi.", mode="raw")
        engine.pause()
        bank.remember("My cat is called Mochi. My dog is called Rex.", mode="raw", wait=False)
        receipt = bank.forget(bank.list()[0].id, hard=True)
        engine.resume()
        engine.flush()
        assert (receipt.episodes, contents(bank)) == (
            1,
            ["My cat is called Mochi. My dog is called Rex."],
        )

    def test_an_echo_of_the_assistant_goes(self, bank: MemoryBank, folder: Path) -> None:
        """It became no memory, so nobody could name it; it holds the words all the same."""
        bank.remember("My locker code is Tweety3141.", mode="raw")
        (receipt,) = bank.remember(Turn("My locker code is Tweety3141.", role="assistant")).receipts
        assert receipt.memory_ids == ()
        assert bank.forget(bank.list()[0].id, hard=True).episodes == 2
        assert files_holding(folder, "Tweety3141") == []

    def test_what_another_voice_said_stays_with_its_memory(self, bank: MemoryBank) -> None:
        """A memory of its own, which can be named and forgotten."""
        bank.remember("My locker code is Tweety3141.", mode="raw")
        bank.remember(Turn("My locker code is Tweety3141.", role="assistant"), mode="raw")
        receipt = bank.forget(bank.list()[0].id, hard=True)
        assert (receipt.episodes, bank.count(), bank.health()["turns"]) == (1, 1, {"done": 1})


class TestNotes:
    def test_notes_and_traces_that_hold_the_words_go(
        self, engine: Engine, bank: MemoryBank, folder: Path
    ) -> None:
        """What else was observed waits on."""
        bank.observe([TURN, "My brother Can lives in Bonn."])
        texts = ("My locker code is Tweety3141, and the garden has roses.", "Elif lives in Porto.")
        written = [
            ObservationNote(f"n{i}", "alice", "trace", text, NOON, NOON)
            for i, text in enumerate(texts)
        ]
        with engine.services.ledger.writing() as writer:
            writer.at("alice").notes.add(written)
        bank.remember(TURN, mode="semantic")
        bank.forget(one(bank, CODE), hard=True)

        assert [note.content for note in notes(engine)] == [
            "My brother Can lives in Bonn.",
            "Elif lives in Porto.",
        ]
        assert files_holding(folder, "Tweety3141") == []

    def test_the_head_of_a_long_turn_goes(
        self, engine: Engine, bank: MemoryBank, folder: Path
    ) -> None:
        """A note of a document is shorter than the document."""
        text = "In the garden there are " + "roses and tulips and " * 150 + "the code Tweety3141."
        (note,) = bank.observe(text).notes
        assert (text.startswith(note.content), len(note.content) <= 2000, len(text)) == (
            True,
            True,
            3194,
        )
        bank.remember(text, mode="raw")
        bank.forget(bank.list()[0].id, hard=True)
        assert (notes(engine), files_holding(folder, "Tweety3141")) == ([], [])

    def test_a_reflection_of_the_turn_goes(self, bank: MemoryBank, folder: Path) -> None:
        """It knows its turn by the caller's own id."""
        bank.observe(Turn("My locker code is Tweety3141.", ref="t1"))
        (reflected,) = bank.reflect().memory_ids
        assert bank.get(reflected).content == "User's locker code is Tweety3141."
        bank.remember(Turn("My locker code is Tweety3141.", ref="t1"), mode="raw")
        named = one(bank, "My locker code is Tweety3141.")
        assert bank.forget(named, hard=True).memory_ids == (named, reflected)
        assert files_holding(folder, "Tweety3141") == []


class TestReceipt:
    def test_marks_go_with_the_memory(self, engine: Engine, bank: MemoryBank) -> None:
        """The turn has a tag, the fact is on probation; neither outlives the memory that it marks."""
        bank.remember("I am at the dentist right now.", mode="semantic", session_id="s1")

        def marks() -> tuple[int, int]:
            with engine.services.ledger.whole() as reader:
                return len(reader.at("alice").synaptic_tags.all()), len(
                    reader.at("alice").synaptic_tags.short_term()
                )

        assert marks() == (1, 1)
        bank.forget(one(bank, "User is at the dentist right now."), hard=True)
        assert (marks(), contents(bank)) == ((0, 0), [])

    def test_nothing_is_erased_without_the_vectors_that_others_need(
        self, engine: Engine, bank: MemoryBank, embedder: CountingEmbedder
    ) -> None:
        """The error says so, and everything is as it was."""
        bank.remember(TURN, mode="semantic")
        before, key = contents(bank), key_of(engine, one(bank, WORK))
        embedder.failure = RuntimeError("down")
        with pytest.raises(EmbedderUnavailable) as caught:
            bank.forget(one(bank, CODE), hard=True)

        assert str(caught.value).startswith(
            "nothing was erased: 1 other memories of the same turns stay"
        )
        assert (contents(bank), key_of(engine, one(bank, WORK))) == (before, key)
        assert bank.health()["turns"] == {"done": 1}

    def test_a_memory_without_siblings_needs_no_embedder(
        self, bank: MemoryBank, embedder: CountingEmbedder
    ) -> None:
        """Nothing stays that would need a vector."""
        bank.remember(TURN, mode="raw")
        embedder.failure = RuntimeError("down")
        assert bank.forget(bank.list()[0].id, hard=True).remaining == ()

    @pytest.mark.parametrize("left", [TURN, CODE, "My locker code is Tweety3141."])
    def test_what_is_left_is_told(self, bank: MemoryBank, folder: Path, left: str) -> None:
        """The scan looks for the fact, for the words it came from, and for the turn."""
        bank.remember(TURN, mode="semantic")
        (folder / "copy.txt").write_text(f"somebody copied: {left}", encoding="utf-8")
        assert bank.forget(one(bank, CODE), hard=True).remaining == (
            "copy.txt still holds erased text",
        )

    def test_what_others_still_say_is_not_left(self, bank: MemoryBank, folder: Path) -> None:
        """A copy of words that a memory of this bank still holds is no trace."""
        bank.remember("Tea is served at nine.", mode="raw")
        bank.remember(Turn("Tea is served at nine.", speaker="Ana"), mode="raw")
        (folder / "copy.txt").write_text("Tea is served at nine.", encoding="utf-8")
        assert bank.forget(bank.list()[0].id, hard=True).remaining == ()


def test_facts_of_a_language_model_that_tell_no_span(folder: Path) -> None:
    """They come from the whole turn; forgetting one of them leaves the other, with a key of its own."""
    llm = ScriptedLLM(formed("User's locker code is Tweety3141", "User works at Acme"))
    with cogmem_core.open(
        folder, embedder="hashing", clock=FrozenClock(), config=Config(), llm=llm
    ) as engine:
        bank = engine.bank("alice")
        report = bank.remember(TURN)
        assert (contents(bank), report.degraded) == (
            ["User's locker code is Tweety3141", "User works at Acme"],
            (),
        )
        code, work = (memory.id for memory in bank.list())
        assert "Tweety3141" in key_of(engine, work)
        receipt = bank.forget(code, hard=True)

        assert (receipt.memory_ids, receipt.remaining) == ((code,), ())
        assert key_of(engine, work) == "[1 June, 2026]\n: User works at Acme"
        assert files_holding(folder, "Tweety3141", "tweety3141") == []
