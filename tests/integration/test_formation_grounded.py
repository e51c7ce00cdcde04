"""What a model forms of a turn is kept where the turn says it; an assistant's thoughts are nothing that was said."""

from typing import Any

import pytest

import cogmem_core
from cogmem_core import MemoryBank, Turn
from cogmem_core.testing import MANUAL, FrozenClock, ScriptedLLM
from helpers.bank_contents import contents
from helpers.tables import each_case_of


def answer(*texts: str) -> dict[str, Any]:
    facts = [{"turn": "0", "quote": None, "text": text, "category": "fact"} for text in texts]
    return {"facts": facts}


ENGINE = {"embedder": "hashing"}


class TestGrounding:
    """The fact that nobody said is told in the receipt and in the report, and is no memory."""

    def test_an_invention_beside_a_fact(self, clock: FrozenClock) -> None:
        """The turn itself is kept as well, for words of it may be lost with what was dropped."""
        said = "I adopted a greyhound called Juno in Leeds."
        llm = ScriptedLLM(
            answer("User adopted a greyhound called Juno.", "User adopted 3 greyhounds in York.")
        )
        with cogmem_core.open(embedder="hashing", clock=clock, config=MANUAL, llm=llm) as engine:
            bank = engine.bank("alice")
            report = bank.remember(said)

            assert sorted(contents(bank)) == [said, "User adopted a greyhound called Juno."]
            assert report.degraded == ("form: 1 fact was dropped, which nobody said (number 1)",)
            dropped = report.receipts[0].facts[-1]
            assert (dropped.status, dropped.text, dropped.reason, dropped.by) == (
                "skipped",
                "User adopted 3 greyhounds in York.",
                "not said: number",
                "model",
            )
            assert report.receipts[0].status == "stored"

    def test_nothing_but_inventions(self, clock: FrozenClock) -> None:
        """The turn is kept as it was said, and the report counts what was dropped."""
        said = "I adopted a greyhound called Juno in Leeds."
        llm = ScriptedLLM(answer("User is vegan.", "User adopted a cat called Milo."))
        with cogmem_core.open(embedder="hashing", clock=clock, config=MANUAL, llm=llm) as engine:
            report = engine.bank("alice").remember(said)

            assert contents(engine.bank("alice")) == [said]
            assert report.degraded == (
                "form: ValueError: 2 facts were dropped, which nobody said (name 1, words 1)",
            )


class TestThoughts:
    """What a model thinks before it answers is no memory, and uses none."""

    @pytest.mark.parametrize("mode", ["auto", "raw", "semantic", "hybrid"])
    @each_case_of("formation_grounded/only_the_answer_is_kept")
    def test_only_the_answer_is_kept(self, bank: MemoryBank, mode: str, spoken: str) -> None:
        """In every mode, whatever the tags."""
        text = "The concert in Winterthur is on 12 June 2026."
        bank.remember(Turn(f"{spoken}{text}", role="assistant"), mode=mode)

        assert contents(bank) == [text]

    def test_a_turn_of_thoughts_alone_is_skipped(self, bank: MemoryBank) -> None:
        """The receipt says so."""
        turn = Turn("<think>The user lives in Zurich, perhaps.</think>", role="assistant")
        receipts = [bank.remember(turn, mode=mode).receipts[0] for mode in ("auto", "raw")]

        assert [(receipt.status, receipt.reason) for receipt in receipts] == [
            ("skipped", "thoughts"),
            ("skipped", "thoughts"),
        ]

    def test_a_person_may_write_about_tags(self, bank: MemoryBank) -> None:
        """What a person says is kept as it was said."""
        text = "My parser removes </think> tags from answers of the model in Leipzig."
        bank.remember(text, mode="raw")

        assert contents(bank) == [text]

    def test_notes_are_taken_without_thoughts(self, bank: MemoryBank) -> None:
        """`observe` reads the answer only."""
        turn = Turn("<think>Zurich?</think>The cello is in Winterthur.", role="assistant")
        (note,) = bank.observe([turn]).notes

        assert note.content == "The cello is in Winterthur."

    @pytest.mark.parametrize("tags", [("<think>", "</think>"), ("[THINK]", "[/THINK]")])
    def test_what_was_only_thought_of_was_not_used(
        self, bank: MemoryBank, tags: tuple[str, str]
    ) -> None:
        """Feedback judges by the answer."""
        bank.remember("My greyhound Juno sleeps in the conservatory.", mode="raw")
        recall = bank.recall("Where does the greyhound sleep?")
        thought = f"{tags[0]}The greyhound Juno sleeps in the conservatory.{tags[1]}"

        signals = [row.signal for row in bank.feedback(recall, f"{thought}I cannot tell.")]
        assert "used" not in signals
