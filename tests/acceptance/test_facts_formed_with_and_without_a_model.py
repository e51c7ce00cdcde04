"""V9, formation through `bank.remember`: the path with a language model, and the heuristic fallback."""

import json
from datetime import datetime, timedelta, timezone
from typing import Any

import cogmem_core
from cogmem_core import Config, MemoryBank
from cogmem_core.models import Memory
from cogmem_core.testing import FrozenClock, ScriptedLLM
from helpers import model_answers
from helpers.tables import each_case_of

NOON = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)  # a Monday

ENGINE = {"embedder": "hashing", "config": Config(), "paused": True}


def formed(bank: MemoryBank, *texts: str, **more: Any) -> list[str]:
    """The facts that the rules make of turns of one session, as they are stored."""
    for text in texts:
        bank.remember(text, mode="semantic", session_id="s", **more)
    return [memory.content for memory in bank.list() if memory.write_source == "formation"]


def fact(text: str, **changes: Any) -> dict[str, Any]:
    """One fact as a model writes it."""
    (one,) = model_answers.formed(text, **changes)["facts"]
    return dict(one)


class TestLanguageModel:
    """ "LLM Path (primary)": everything in one structured call."""

    SAID = "I met Emma at the harbour yesterday. She plans to open a bakery in Porto by the end of July."

    def remembered(
        self, *facts: dict[str, Any], text: str = SAID, **more: Any
    ) -> tuple[list[Memory], ScriptedLLM]:
        llm = ScriptedLLM({"facts": list(facts)})
        with cogmem_core.open(
            embedder="hashing", clock=FrozenClock(), llm=llm, config=Config()
        ) as engine:
            bank = engine.bank("alice")
            bank.remember(text, **more)
            return list(bank.list()), llm

    def test_atomic_facts_become_memories_of_their_own(self) -> None:
        """ "atomicFacts: string[]"; "atomic fact splitting"."""
        memories, llm = self.remembered(
            fact("User met Emma at the harbour on 2026-05-31"),
            fact("Emma has a plan for a bakery in Porto"),
        )
        assert [m.content for m in memories] == [
            "User met Emma at the harbour on 2026-05-31",
            "Emma has a plan for a bakery in Porto",
        ]
        assert {m.write_source for m in memories} == {"formation"}
        assert len(llm.calls) == 1

    def test_what_is_bounded_expires_but_the_turn_stays(self) -> None:
        """ "Core Rule: Never delete — invalidate": the sentence in which it was said is kept without an end."""
        memories, _ = self.remembered(fact("Emma plans a bakery in Porto", foresight=True))
        assert [m.temporal_type for m in memories if m.content == self.SAID] == ["persistent"]

    def test_the_model_sees_date_weekday_and_the_turns_before(self) -> None:
        """ "coreference resolution" needs what was said before; "temporal normalization" the day of the turn."""
        first = {"facts": [fact("User met Emma at the harbour")]}
        llm = ScriptedLLM(first, {"facts": [fact("Emma plans a bakery")]}, {"decisions": []})
        with cogmem_core.open(
            embedder="hashing", clock=FrozenClock(), llm=llm, config=Config()
        ) as engine:
            bank = engine.bank("alice")
            bank.remember("I met Emma at the harbour", session_id="s")
            bank.remember("She opens a bakery in Porto in May", session_id="s")
        asked = [call for call in llm.calls if call.response_model.__name__ == "FormAnswer"][-1]
        data = json.loads(
            asked.messages[1]["content"].removeprefix("<data>\n").removesuffix("\n</data>")
        )
        assert data == {
            "earlier": [
                {
                    "speaker": "user",
                    "date": "Monday 2026-06-01T12:00+00:00",
                    "text": "I met Emma at the harbour",
                }
            ],
            "turns": [
                {
                    "turn": 0,
                    "speaker": "user",
                    "date": "Monday 2026-06-01T12:00+00:00",
                    "text": "She opens a bakery in Porto in May",
                }
            ],
        }


class TestFallback:
    """ "Heuristic Fallback", mode `semantic` without a language model."""

    def test_coreference_in_english(self, bank: MemoryBank) -> None:
        """ "Coreference: pronouns → last known entity (EN + TR)": of an earlier turn, and of the same one."""
        assert (
            formed(bank, "I saw Emma in Porto.", "She lives in Braga now.")[1]
            == "Emma lives in Braga now."
        )
        assert (
            formed(bank, "I called Oliver in Rome. He works in Turin.")[-1]
            == "Oliver works in Turin."
        )

    def test_the_newest_entity_wins(self, bank: MemoryBank) -> None:
        """ "last known entity": the one of the same turn, not that of the turn before."""
        found = formed(bank, "I saw Emma in Porto.", "I met Sophie in Rome. She lives in Turin.")
        assert found[-1] == "Sophie lives in Turin."

    def test_who_a_pronoun_stands_for_is_an_entity_of_the_fact(self, bank: MemoryBank) -> None:
        """ "resolvedText", "entities": the hub of Emma finds it."""
        formed(bank, "I saw Emma in Porto.", "She lives in Braga now.")
        (memory,) = [one for one in bank.list() if one.content == "Emma lives in Braga now."]
        assert sorted(memory.entities) == ["entity://person/emma", "entity://place/braga"]

    def test_coreference_in_turkish(self, bank: MemoryBank) -> None:
        """ "Coreference: pronouns → last known entity (EN + TR)"."""
        assert formed(bank, "Ayşe Berlin'de yaşıyor.", "Onun kedisi dün öldü.")[1] == (
            "Ayşe'nin kedisi 2026-05-31 tarihinde öldü."
        )

    @each_case_of("facts_formed_with_and_without_a_model/atomic_split", "en tr")
    def test_atomic_split(self, bank: MemoryBank, text: str, facts: list[str]) -> None:
        """ "Atomic split: " and "/" ve " with different entities on each side"."""
        assert formed(bank, text) == facts

    @each_case_of("facts_formed_with_and_without_a_model/relative_days_become_iso_dates", "en tr")
    def test_relative_days_become_iso_dates(self, bank: MemoryBank, text: str, stored: str) -> None:
        """ "Temporal: bugün→today, yarın→tomorrow, dün→yesterday → ISO dates"."""
        assert formed(bank, text) == [stored]

    @each_case_of("facts_formed_with_and_without_a_model/foresight_holds_for_seven_days")
    def test_foresight_holds_for_seven_days(self, bank: MemoryBank, text: str) -> None:
        """ "Foresight: "plan to", "will", "going to" → validUntil = +7 days default"."""
        formed(bank, text)
        (plan,) = [memory for memory in bank.list() if memory.write_source == "formation"]
        assert (plan.category, plan.temporal_type) == ("plan", "time_bounded")
        assert plan.valid_until == NOON + timedelta(days=7)

    def test_standalone_rewriting(self, bank: MemoryBank) -> None:
        """ "Converts first-person to third-person ("I prefer X" → "User prefers X"), removes filler words"."""
        assert formed(bank, "Um, well, I prefer, you know, dark mode") == ["User prefers dark mode"]
        assert formed(bank, "I moved to Lisbon", speaker="Emma")[-1] == "Emma moved to Lisbon"

    @each_case_of("facts_formed_with_and_without_a_model/category")
    def test_category(self, bank: MemoryBank, text: str, category: str) -> None:
        """ "category: "preference" | "fact" | "decision" | "correction" | "plan" | "entity""."""
        formed(bank, text)
        assert [
            memory.category for memory in bank.list() if memory.write_source == "formation"
        ] == [category]

    def test_the_speaker_without_a_name_is_no_entity(self, bank: MemoryBank) -> None:
        """ "User" stands for whoever speaks; else every fact would be about one and the same entity."""
        formed(bank, "Yesterday I saw Emma", "Yesterday I saw Oliver")
        assert {uri for memory in bank.list() for uri in memory.entities} == {
            "entity://date/2026-05-31",
            "entity://person/emma",
            "entity://person/oliver",
        }
