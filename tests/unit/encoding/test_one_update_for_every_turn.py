"""The unified update pipeline: problems 1 to 9 and tiers 1 to 3, with a model and with one that fails."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

import cogmem_core
from cogmem_core import Config, MemoryBank
from cogmem_core.config import LLMConfig
from cogmem_core.embedders import MiniLM
from cogmem_core.models import Memory
from cogmem_core.results import WriteReport
from cogmem_core.testing import MANUAL, FrozenClock, ScriptedLLM
from cogmem_core.text.rewrite.third_person import third_person
from helpers.model_answers import decided, formed
from helpers.tables import each_case_of


def asked(llm: ScriptedLLM, model: str) -> list[dict[str, Any]]:
    """The data of the calls that asked for this answer."""
    calls = [call for call in llm.calls if call.response_model.__name__ == model]
    return [
        json.loads(c.messages[1]["content"].removeprefix("<data>\n").removesuffix("\n</data>"))
        for c in calls
    ]


@pytest.fixture
def tell(minilm: MiniLM) -> Callable[..., Any]:
    """Tells two things, a day apart, to a model that answers as scripted; yields bank, first memory, last report.

    The model takes one fact from each turn: what was said, in the third person.
    """

    @contextmanager
    def telling(
        old: str, new: str, *answers: Any
    ) -> Iterator[tuple[MemoryBank, Memory, WriteReport]]:
        clock, known = FrozenClock(), [formed(third_person(text, None)) for text in (old, new)]
        llm = ScriptedLLM(*known, *answers)
        with cogmem_core.open(embedder=minilm, clock=clock, llm=llm, config=MANUAL) as engine:
            bank = engine.bank("alice")
            first = bank.remember(old).memories[0]
            clock.advance(days=1)
            report = bank.remember(new)
            assert len(llm.calls) == 2 + len(answers)
            yield bank, first, report

    return telling


ENGINE = {"embedder": "minilm", "paused": True}


def contents(bank: MemoryBank) -> list[str]:
    return [memory.content for memory in bank.list()]


class TestProblems:
    """ "| # | Current behaviour | Problem |"."""

    def test_1_semantic_duplicates_are_found(self, tell: Callable[..., Any]) -> None:
        """1: "Misses semantic duplicates ("Allergic to shellfish" vs "can't eat prawns")"."""
        same = decided("NOOP", "m1", relation="subsumed")
        with tell("I am allergic to shellfish", "I can't eat prawns", same) as (
            bank,
            first,
            report,
        ):
            assert report.receipts[0].status == "reinforced"
            assert (contents(bank), bank.get(first.id).access_count) == ([first.content], 1)

    def test_1_paraphrases_are_found_without_a_model(self, bank: MemoryBank) -> None:
        """1: "exact subject + substring": neither subject string nor wording has to be the same."""
        bank.remember("I take the bus to work every day")
        assert bank.remember("Every day I take the bus to work").receipts[0].status == "reinforced"
        assert bank.count() == 1

    @pytest.mark.parametrize("action", ["DELETE", "UPDATE"])
    def test_2_contradictions_are_resolved(self, tell: Callable[..., Any], action: str) -> None:
        """2: "uses a standing desk" then "switched back to sitting" → one row is current, not two."""
        new = "User switched back to sitting"
        answer = decided(action, "m1", relation="contradictory", text=new)
        with tell("I use a standing desk", "I switched back to sitting", answer) as (
            bank,
            first,
            report,
        ):
            assert report.receipts[0].status == "superseded"
            assert contents(bank) == [new]
            assert [item.content for item in bank.recall("standing desk or sitting?").results] == [
                new
            ]
            assert bank.get(first.id).state == "superseded"

    @each_case_of("one_update_for_every_turn/2_contradictions_are_resolved_without_a_model")
    def test_2_contradictions_are_resolved_without_a_model(
        self, bank: MemoryBank, old: str, new: str
    ) -> None:
        """2: "two conflicting long-term rows, both injected indefinitely"."""
        bank.remember(old)
        assert bank.remember(new).receipts[0].status == "superseded"
        assert contents(bank) == [new]

    def test_3_a_shorter_correction_stands_before_a_longer_text(self, bank: MemoryBank) -> None:
        """3: "a corrected shorter fact never replaces a stale longer one"."""
        bank.remember("My sister lives in Rome, as everybody in the whole family knows")
        bank.remember("My sister lives in Milan")
        assert bank.recall("Where does my sister live?").results[0].content == (
            "My sister lives in Milan"
        )

    def test_7_nothing_is_dropped_while_the_model_rests(self, minilm: MiniLM) -> None:
        """7: a model that failed is left alone for a while; the turns of that while become memories all the same."""
        llm = ScriptedLLM()
        config = Config(llm=LLMConfig(cooldown_failures=1, cooldown_seconds=3_600))
        with cogmem_core.open(embedder=minilm, llm=llm, config=config) as engine:
            bank = engine.bank("alice")
            texts = [f"My locker number {n} is in Porto" for n in range(4)]
            reports = [bank.remember(text) for text in texts]
            assert contents(bank) == texts
            assert len(llm.calls) == 1
            assert all(report.degraded for report in reports)

    def test_8_dates_are_in_the_decision_prompt(self, tell: Callable[..., Any]) -> None:
        """8: "Consolidation prompt has no timestamps": created, updated, what it is about, and when it was said."""
        seen: list[Any] = []

        def answer(messages: Any) -> dict[str, Any]:
            seen.append(
                json.loads(
                    messages[1]["content"].removeprefix("<data>\n").removesuffix("\n</data>")
                )
            )
            return decided()

        with tell("I play chess", "I play chess in the park", answer) as (_bank, first, _report):
            assert seen == [
                {
                    "said": "2026-06-02T12:00+00:00",
                    "facts": [
                        {
                            "fact": 0,
                            "text": "User plays chess in the park",
                            "category": "fact",
                            "about": None,
                            "candidates": [
                                {
                                    "id": "m1",
                                    "text": first.content,
                                    "category": "fact",
                                    "created": "2026-06-01",
                                    "updated": "2026-06-01",
                                    "about": None,
                                }
                            ],
                        }
                    ],
                }
            ]


class TestTier1:
    """ "Unified ADD/UPDATE/DELETE/NOOP update pipeline"."""

    def test_delete_archives_and_links_and_never_erases(self, tell: Callable[..., Any]) -> None:
        """ "contradiction → DELETE/UPDATE"; specification 3.3: the old one can be restored, the cause is kept."""
        new = "User sold the cello to a friend"
        answer = decided("DELETE", "m1", relation="contradictory")
        with tell("I play the cello", "I sold the cello to a friend", answer) as (
            bank,
            first,
            report,
        ):
            (cause,) = bank.list()
            assert cause.content == new
            old = bank.get(first.id)
            assert (old.content, old.state, old.superseded_by) == (
                "User plays the cello",
                "superseded",
                cause.id,
            )
            assert {(link.type, link.target_id) for link in bank.relations(cause.id)} == {
                ("supersedes", first.id),
                ("contradicts", first.id),
            }
            assert bank.restore(first.id).state == "active"
            assert report.receipts[0].facts[0].reason == "contradicts it, says the model"

    def test_one_decision_call_per_message(self, minilm: MiniLM) -> None:
        """ "One LLM call returns one operation": all facts of one message in one call."""
        old = ("User plays chess", "User lives in Lisbon", "User is allergic to nuts")
        new = (
            "User plays chess in the park",
            "User lives in Lisbon near the river",
            "User is allergic to nuts and soy",
        )
        answer = {"decisions": [decided(fact=number)["decisions"][0] for number in range(3)]}
        llm = ScriptedLLM(formed(*old), formed(*new), answer)
        with cogmem_core.open(
            embedder=minilm, clock=FrozenClock(), llm=llm, config=MANUAL
        ) as engine:
            bank = engine.bank("alice")
            bank.remember("I play chess, live in Lisbon and am allergic to nuts")
            report = bank.remember(
                "I play chess in the park, live in Lisbon near the river and am allergic to nuts and soy"
            )
            assert len(asked(llm, "DecideAnswer")) == 1
            assert [fact["text"] for fact in asked(llm, "DecideAnswer")[0]["facts"]] == list(new)
            assert (report.llm_calls, bank.count()) == (2, 6)

    def test_without_a_candidate_nobody_is_asked(self, minilm: MiniLM) -> None:
        """ "No candidate → ADD with no LLM call"."""
        llm = ScriptedLLM(formed("User plays chess"))
        with cogmem_core.open(
            embedder=minilm, clock=FrozenClock(), llm=llm, config=MANUAL
        ) as engine:
            report = engine.bank("alice").remember("I play chess in Porto")
            assert (len(llm.calls), report.degraded) == (1, ())
