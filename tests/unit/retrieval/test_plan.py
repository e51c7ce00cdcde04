"""From a question to a plan: what is looked up at all, by which route, how much of it."""

from datetime import datetime, timezone
from typing import Any

import pytest

import cogmem_core
from cogmem_core.config import RetrievalConfig
from cogmem_core.config.presets import preset
from cogmem_core.retrieval.plan import Plan, Request, make_plan, nothing_to_look_up
from cogmem_core.retrieval.understand import understand
from cogmem_core.testing import FrozenClock
from cogmem_core.text.time.hints import DateHints
from helpers.tables import each_row, each_row_of

NOON = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)
DEFAULT = RetrievalConfig()
V9 = preset("v9").retrieval
TWO = "Why did Ana move and when did she sell the house?"


def planned(
    query: str, intent: str = "", *, settings: RetrievalConfig = DEFAULT, **asked: Any
) -> Plan:
    question = understand(query)
    return make_plan(
        Request("ns", query, **asked), question, intent or question.intent, settings, NOON
    )


class TestNothingToLookUp:
    @each_row("query", ["🥳🎉", "👍", "Where is the key?", "hello, where is the key?", "Mochi"])
    def test_emoji_and_questions_are_searched(self, query: str) -> None:
        """Emoji alone may be what somebody remembers by."""
        assert nothing_to_look_up(understand(query)) == ""

    def test_a_bank_is_found_by_emoji_and_not_by_greetings(self) -> None:
        """What a user gets."""
        with cogmem_core.open(embedder="hashing", clock=FrozenClock()) as engine:
            bank = engine.bank("alice")
            bank.add("hello world was my first program")
            bank.add("We passed the exam 🥳🎉")
            bank.add("green tea at night")
            assert bank.recall("🥳🎉").results[0].content == "We passed the exam 🥳🎉"
            greeted = bank.recall("hello")
        assert (greeted.results, greeted.withheld) == ((), ())
        assert greeted.empty_reason == "there is nothing to look up: the query is a mere greeting"


class TestHowMany:
    def test_without_a_k_the_route_decides(self) -> None:
        """V9, retrieval strategy router: 'Limit' per intent, by default as in the preset."""
        intents = ("factual", "temporal", "causal", "entity_profile", "preference", "general")
        assert [planned("Where is the key?", intent, k=None).k for intent in intents] == [
            10,
            15,
            20,
            15,
            10,
            10,
        ]
        asked = (planned("Where is the key?", intent, settings=V9, k=None).k for intent in intents)
        assert list(asked) == [10, 15, 20, 15, 10, 10]

    def test_who_says_a_number_gets_it(self) -> None:
        """`k` is the caller's."""
        assert planned("Where is the key?", "causal", k=3).k == 3

    @each_row(("k", "size"), [(8, 64), (21, 64), (22, 66), (100, 300)])
    def test_each_list_brings_three_times_as_many(self, k: int, size: int) -> None:
        """At least the configured pool of 64."""
        assert planned("Where is the key?", k=k).size == size

    def test_a_bank_takes_no_k_as_well(self) -> None:
        """Twelve of thirty notes would be one k too many for a general question: ten come."""
        with cogmem_core.open(embedder="hashing", clock=FrozenClock()) as engine:
            bank = engine.bank("alice")
            for number in range(30):
                bank.add(f"The museum has a room with {number + 20} statues")
            assert len(bank.recall("museum statues", k=None, floor=0).results) == 10
            assert len(bank.recall("museum statues", k=12, floor=0).results) == 12


class TestRoute:
    def test_the_intent_decides_whatever_the_words_say(self) -> None:
        """A language model may know better than key words."""
        assert planned("Where is the key?").intent == "factual"
        told = planned("Where is the key?", "causal")
        assert (told.intent, told.route.hops, told.route.limit) == ("causal", 2, 20)

    def test_the_preset_searches_preferences_only(self) -> None:
        """V9: 'preference: Filter to preference/correction'; by default they are lifted instead."""
        assert planned("What do I like?", settings=V9).categories == ("preference", "correction")
        assert planned("What do I like?").categories is None
        assert planned("What do I like?").route.favoured == ("preference", "correction")

    @pytest.mark.parametrize("asked", [("fact",), ()])
    def test_categories_of_the_caller_go_before_those_of_the_route(
        self, asked: tuple[str, ...]
    ) -> None:
        """None at all is an answer, too."""
        assert planned("What do I like?", settings=V9, categories=asked).categories == asked

    def test_dates_of_the_question_are_hints(self) -> None:
        """For the signal `date`."""
        hints = planned("What happened in July 2022?").hints
        assert hints == DateHints(years=frozenset({2022}), months=frozenset({7}))


class TestMood:
    @each_row_of("plan/a_message_in_the_first_person_shows_a_mood")
    def test_a_message_in_the_first_person_shows_a_mood(
        self, query: str, asked: float | None, mood: float
    ) -> None:
        """V9: mood-congruent recall; what the caller says counts in any case, 0 included."""
        assert planned(query, mood=asked).mood == mood

    def test_a_faint_mood_is_none(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Below the threshold, either sign."""
        assert planned("I am tired").mood == -0.4404
        monkeypatch.setattr("cogmem_core.retrieval.plan.MOOD_FROM", 0.45)
        assert planned("I am tired").mood == 0.0
