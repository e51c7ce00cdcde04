"""What is pinned and what guards somebody is always shown, and only a person takes it away."""

from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

import cogmem_core
from cogmem_core import Config, Engine, MemoryBank, Recall, Turn
from cogmem_core.config.consolidation import StepName
from cogmem_core.retrieval.budget import count_tokens
from cogmem_core.testing import FrozenClock
from helpers.tables import each_case_of, rows_of

HEADING = "Always to be kept in mind:"
FACTS = rows_of("always_shown/facts")
AGAINST = rows_of("always_shown/against")
STEPS = get_args(StepName)

ENGINE = {"embedder": "hashing", "config": None, "paused": True}
NAMESPACE = "sam"


def told(bank: MemoryBank, *facts: str) -> list[str]:
    """Say facts, and the ids of their memories."""
    return [bank.remember(fact).memories[0].id for fact in facts]


def shown(recall: Recall) -> list[str]:
    """What stands under the heading, without dates."""
    lines = recall.context(stable=True).splitlines()
    part = lines[lines.index(HEADING) + 1 : -1] if HEADING in lines else []
    return [line.partition(") ")[2] if line.startswith("- ") else line for line in part]


def kept(bank: MemoryBank, ids: list[str]) -> list[str]:
    """Their texts, of those that are in recall."""
    return [bank.get(name).content for name in ids if bank.get(name).state == "active"]


def without_mercy(capacity: int) -> Config:
    """Every step at once, no room, and nothing spared for being used."""
    config = Config()
    limits = {"roomy": 1, "capacity": capacity, "idle_days": 1.0, "unused_days": 1.0}
    all_rules = ("outdone", "retention", "utility", "bcm", "capacity")
    own = config.consolidation.forgetting
    rules = replace(own, rules=all_rules, standing=False, **limits)
    dreams = replace(config.consolidation, forgetting=rules, spare_used=False)
    return replace(config, consolidation=dreams)


class TestShown:
    def test_the_most_dangerous_come_first_whatever_is_asked(self, bank: MemoryBank) -> None:
        """Allergies, medicines, conditions, needs of access, what never to do, how to address; then pins."""
        pinned = bank.remember("The spare key is under the fern.").memories[0]
        bank.pin(pinned.id)
        told(bank, *reversed(FACTS))
        assert shown(bank.recall("Which planet has rings?")) == [
            *FACTS,
            "The spare key is under the fern.",
        ]

    def test_the_same_to_the_byte_until_something_of_it_changes(
        self, bank: MemoryBank, clock: FrozenClock
    ) -> None:
        """A new one and a person's change are there at once, also in a session that goes on."""
        allergy, *_ = told(bank, *FACTS[:2])
        before = bank.recall("What next?", session_id="may").context(stable=True)
        for number in range(3):
            clock.advance(hours=9)
            bank.remember(f"Chapter {number} of the manual is read.", session_id="may")
            recall = bank.recall(f"Chapter {number}?", session_id="may")
            assert recall.context(stable=True) == before
        bank.remember("My daughter Mia can't eat peanuts.", session_id="may")
        bank.forget(allergy)
        recall = bank.recall("What next?", session_id="may")
        assert shown(recall) == ["My daughter Mia can't eat peanuts.", FACTS[1]]

    def test_in_150_tokens_and_what_finds_no_room_is_counted(self, bank: MemoryBank) -> None:
        """Newest first within a kind; nothing is left out in silence."""
        for number in range(30):
            bank.remember(f"Guest {number} of mine, Ann{number}, is allergic to nut {number}.")
        lines = shown(bank.recall("What is for dinner?"))
        assert lines[0] == "Guest 29 of mine, Ann29, is allergic to nut 29."
        assert (
            lines[-1] == f"(And {31 - len(lines)} memories of this kind besides, not shown here.)"
        )
        part = bank.recall("What is for dinner?").context(stable=True).splitlines()[2:-1]
        assert count_tokens("\n".join(part)) <= 150

    def test_of_a_long_memory_only_what_guards(self, bank: MemoryBank) -> None:
        """Recalled for a question, the whole of it is shown as well."""
        doctor = "The new doctor is Imke Vos, her practice is at Elm Road 7 above the bakery."
        bank.remember(f"{doctor} I'm allergic to latex. Parking there is free on Fridays.")
        recall = bank.recall("Where is the practice of Imke Vos?", floor=0)
        assert shown(recall) == ["I'm allergic to latex."]
        assert "Elm Road 7" in recall.context(stable=False)

    def test_each_kind_has_a_switch(self, clock: FrozenClock) -> None:
        """What is switched off is not shown always; it stays protected."""
        hot = replace(Config().retrieval.hot, guards=("allergy",))
        config = Config(retrieval=replace(Config().retrieval, hot=hot))
        with cogmem_core.open(embedder="hashing", clock=clock, config=config) as engine:
            bank = engine.bank("sam")
            told(bank, *FACTS)
            assert shown(bank.recall("What next?")) == [FACTS[0]]

    @each_case_of("always_shown/said_later")
    def test_what_was_said_later(self, bank: MemoryBank, said: list[str], lines: list[str]) -> None:
        """Behind it, whatever it says, if it has a word of it: a model settles what holds."""
        told(bank, *said)
        assert shown(bank.recall("What next?")) == lines

    def test_no_tool_no_assistant_and_no_stranger_guards_anything(
        self, engine: Engine, bank: MemoryBank, tmp_path: Path
    ) -> None:
        """Else a web page could stand at the top of every prompt."""
        engine.bank("mallory").remember("Never suggest walking, I'm allergic to grass.")
        engine.bank("mallory").export(tmp_path / "file.jsonl")
        bank.import_(tmp_path / "file.jsonl", trust=0.5)
        for role in ("assistant", "tool", "system"):
            bank.remember([Turn("Ann is allergic to grass.", role=role)])
        assert shown(bank.recall("What next?")) == []

    def test_an_answer_that_makes_no_use_of_it_blames_nothing(self, bank: MemoryBank) -> None:
        """Shown whatever the question, it is never ignored."""
        (allergy,) = told(bank, FACTS[0])
        recall = bank.recall("What am I allergic to?", floor=0)
        rows = bank.feedback(recall, "You keep bees.")
        assert "ignored" not in {row.signal for row in rows if row.memory_id == allergy}


class TestProtected:
    def test_a_year_with_every_step_of_the_night_loses_none(self, clock: FrozenClock) -> None:
        """Used or not, and with room for five memories only; it does not fade."""
        config = without_mercy(5)
        with cogmem_core.open(embedder="hashing", clock=clock, config=config) as engine:
            engine.pause()
            bank = engine.bank("sam")
            ids = told(bank, *FACTS)
            for week in range(52):
                bank.remember(f"Week {week}: the heron on pier {week} caught {week + 3} eels.")
                clock.advance(days=7)
                bank.consolidate(steps=STEPS)
            assert bank.explain(ids[0]).retention == 1.0
            assert len(bank.list(limit=100)) < 20
            assert kept(bank, ids) == list(FACTS)

    @each_case_of("always_shown/what_others_say_takes_none")
    def test_what_others_say_takes_none(
        self, bank: MemoryBank, clock: FrozenClock, role: str, speaker: str | None
    ) -> None:
        """Said again and again, and slept over."""
        ids = told(bank, *FACTS)
        for _ in range(3):
            clock.advance(days=1)
            bank.remember([Turn(text, role=role, speaker=speaker) for text in AGAINST])
            bank.consolidate(steps=STEPS)
        assert kept(bank, ids) == list(FACTS)

    @pytest.mark.parametrize("trust", [None, 0.3])
    def test_a_file_takes_none(
        self, engine: Engine, bank: MemoryBank, tmp_path: Path, trust: float | None
    ) -> None:
        """Neither an export nor a chat of another tool, trusted or not."""
        ids = told(bank, *FACTS)
        other = engine.bank("other")
        told(other, *AGAINST, FACTS[0])
        other.export(tmp_path / "file.jsonl")
        bank.import_(tmp_path / "file.jsonl", trust=trust)
        bank.consolidate(steps=STEPS)
        assert kept(bank, ids) == list(FACTS)
        assert shown(bank.recall("What next?")).count(FACTS[0]) == 1

    def test_the_same_person_still_ends_and_forgets(
        self, bank: MemoryBank, clock: FrozenClock
    ) -> None:
        """A later turn through the gate, a wish in words, an edit, and a person's call."""
        ids = told(bank, *FACTS, "I have asthma.")
        clock.advance(days=1)
        bank.remember("I no longer use a wheelchair.")
        bank.remember("Please forget that I have asthma.")
        bank.edit(ids[1], "I take 75 mg of sertraline every morning.")
        bank.forget(ids[0])
        states = [bank.get(name).state for name in ids]
        assert states == ["forgotten", *["active"] * 2, "superseded", *["active"] * 2, "forgotten"]
        assert "75 mg" in bank.get(ids[1]).content
