"""Step 15 of the dream cycle: one summary per category, updated in place (v9, category summaries)."""

from datetime import timedelta
from typing import Any

import pytest

from cogmem_core import Memory, MemoryBank
from cogmem_core.changes import Mark
from cogmem_core.config import CategorySummaryConfig
from cogmem_core.models import ShortTerm
from cogmem_core.testing import FrozenClock, ScriptedLLM
from helpers.step_modules import step_module
from helpers.store_kinds import change, touched
from unit.helpers.derived_memories import Opener, derived, ran

FIRST, SECOND = "Overview: User walks many a trail.", "Overview: User walks a trail in any weather."
RULES = CategorySummaryConfig(rules=True)


def told() -> ScriptedLLM:
    return ScriptedLLM({"text": FIRST}, {"text": SECOND})


def stated(bank: MemoryBank, count: int, **more: Any) -> list[Memory]:
    return [
        bank.add(f"User walks trail {number} in the overview of any weather", **more)
        for number in range(count)
    ]


def summary(bank: MemoryBank) -> Memory:
    (found,) = derived(bank, "category_summary")
    return found


class TestSummaries:
    def test_ten_memories_of_a_category_have_a_summary(self, opened: Opener) -> None:
        """V9: "Triggered when a category accumulates 10+", "semantic-tier memory with importance 0.8"."""
        llm = told()
        bank = opened(llm)
        members = stated(bank, 10)
        report = ran(bank, "category_summaries")
        found = summary(bank)

        assert report.steps["category_summaries"].counts == {"derived": 1, "category_summaries": 1}
        assert (found.content, found.importance, found.tier, found.category) == (
            FIRST,
            0.8,
            "semantic",
            "summary",
        )
        assert found.support == tuple(memory.id for memory in members)
        # Unlike fading memories they are still recalled; `summarizes` leads from it to them.
        assert [memory for memory in bank.list() if not memory.support] == members
        assert {
            link.target_id for link in bank.relations(found.id) if link.type == "summarizes"
        } == {memory.id for memory in members}
        assert found.tags == ("category:fact",)
        assert '"category": "fact"' in llm.calls[0].messages[1]["content"]

    def test_it_is_made_of_the_most_important(
        self, opened: Opener, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A bound on rows: three of twelve."""
        monkeypatch.setattr(step_module("category_summaries"), "MOST_MEMORIES", 3)
        bank = opened(told())
        members = stated(bank, 12)
        for memory in members[2:5]:
            touched(bank, memory, importance=0.9)
        ran(bank, "category_summaries")

        assert summary(bank).support == tuple(memory.id for memory in members[2:5])

    @pytest.mark.parametrize("category", ["summary", "pattern"])
    def test_summaries_and_patterns_have_none(self, opened: Opener, category: str) -> None:
        """They are no raw material."""
        bank = opened(told())
        stated(bank, 10, category=category)

        assert ran(bank, "category_summaries").changes == ()

    def test_immutable_memories_and_probation_do_not_count(
        self, opened: Opener, clock: FrozenClock
    ) -> None:
        """Immutable memories are never summarised."""
        bank = opened(told())
        stated(bank, 9)
        bank.add("trail", immutable=True)
        short = bank.add("a trail")
        change(bank, Mark(ShortTerm(short.id, clock(), clock() + timedelta(days=1)), "by hand"))

        assert ran(bank, "category_summaries").changes == ()

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "Overview: User walks a trail with Marta.",
            "Overview: 77 trails.",
            "User walks. " * 9,
            "trail " * 300,
        ],
    )
    def test_an_unusable_answer_makes_none(self, opened: Opener, text: str) -> None:
        """Names and numbers of the memories only, at most eight sentences and 1,500 characters."""
        bank = opened(ScriptedLLM({"text": text}))
        stated(bank, 10)

        assert ran(bank, "category_summaries").changes == ()


class TestRules:
    def test_without_a_model_there_is_none_by_default(self, opened: Opener) -> None:
        """It says so."""
        bank = opened()
        stated(bank, 10)

        assert (
            ran(bank, "category_summaries").steps["category_summaries"].note
            == "skipped: no language model"
        )

    def test_without_a_model_it_can_quote(self, opened: Opener) -> None:
        """Eight sentences, as they were said and in their order; of those that say equally much the first ones."""
        bank = opened(summaries=RULES)
        stated(bank, 10)
        ran(bank, "category_summaries")
        sentences = [
            f"User walks trail {number} in the overview of any weather." for number in range(8)
        ]

        assert summary(bank).content == " ".join(sentences)

    def test_sentences_that_say_little_are_left_out(self, opened: Opener) -> None:
        """Beside one with names and numbers plain words are not worth their place."""
        bank = opened(summaries=RULES)
        stated(bank, 9)
        bank.add("User walks a trail of 12 km near Gdansk")
        ran(bank, "category_summaries")

        assert summary(bank).content == "User walks a trail of 12 km near Gdansk."

    def test_a_refused_answer_leaves_it_to_the_rules(self, opened: Opener) -> None:
        """Each step has a heuristic twin."""
        bank = opened(ScriptedLLM({"text": ""}), summaries=RULES)
        stated(bank, 10)
        ran(bank, "category_summaries")

        assert summary(bank).content.startswith("User walks trail ")


class TestUpdates:
    def test_a_new_member_updates_it_in_place(self, opened: Opener, clock: FrozenClock) -> None:
        """V9: "Summaries are updated (not duplicated) on subsequent triggers"."""
        bank = opened(told())
        stated(bank, 10)
        ran(bank, "category_summaries")
        first = summary(bank)
        clock.advance(minutes=2)
        stated(bank, 1)
        report = ran(bank, "category_summaries")
        second = summary(bank)

        assert report.steps["category_summaries"].counts == {"updated": 1}
        assert (second.id, second.content, second.version, len(second.support)) == (
            first.id,
            SECOND,
            2,
            11,
        )

    def test_not_within_a_minute(self, opened: Opener, clock: FrozenClock) -> None:
        """V9: "Debounced: 60-second cooldown per category to prevent LLM call storms"."""
        llm = told()
        bank = opened(llm)
        stated(bank, 10)
        ran(bank, "category_summaries")
        stated(bank, 1)
        clock.advance(seconds=59)
        assert ran(bank, "category_summaries").changes == ()
        clock.advance(seconds=1)

        assert ran(bank, "category_summaries").total("updated") == 1
        assert len(llm.calls) == 2

    def test_the_cooldown_is_per_category(self, opened: Opener) -> None:
        """V9: "per category"."""
        bank = opened(told())
        stated(bank, 10)
        ran(bank, "category_summaries")
        stated(bank, 10, category="decision")

        assert ran(bank, "category_summaries").derived == 1

    def test_a_forgotten_summary_does_not_come_back(
        self, opened: Opener, clock: FrozenClock
    ) -> None:
        """As long as it would be made of the same."""
        bank = opened(told())
        stated(bank, 10)
        ran(bank, "category_summaries")
        bank.forget(summary(bank).id)
        clock.advance(days=1)

        assert ran(bank, "category_summaries").changes == ()

    def test_an_immutable_summary_stays_as_it_is(self, opened: Opener, clock: FrozenClock) -> None:
        """ "immutable in addition is never edited"."""
        llm = told()
        bank = opened(llm)
        stated(bank, 10)
        ran(bank, "category_summaries")
        touched(bank, summary(bank), immutable=True)
        clock.advance(days=1)
        stated(bank, 1)

        assert (ran(bank, "category_summaries").changes, len(llm.calls)) == ((), 1)
