"""The step that forms facts from turns."""

import re
from datetime import datetime, timedelta, timezone
from typing import Any

from cogmem_core.llm import Usage
from cogmem_core.skills import Outcome
from cogmem_core.skills.form import DroppedFact, Formed, FormInput, FormTurn, forming
from helpers.tables import each_row, each_row_of
from unit.helpers.skill_answers import NOON, run

LISBON_TIME = timezone(timedelta(hours=1))
TURNS = FormInput(
    turns=(
        FormTurn(
            "I moved to Lisbon in May. My sister Ana  visits tomorrow!",
            NOON.astimezone(LISBON_TIME),
            speaker="Caroline",
        ),
        FormTurn("Dün Ayşe ile İstanbul'a gittim.", NOON, speaker="Mehmet"),
    ),
    earlier=(FormTurn("How is Tom's new guitar?", NOON, role="assistant"),),
)
FORM = forming(lambda _given: ())


def fact(**changes: Any) -> dict[str, Any]:
    plain = {
        "turn": 0,
        "quote": "I moved to Lisbon in May.",
        "text": "Caroline moved to Lisbon in May 2026.",
        "category": "fact",
        "entities": ["Lisbon", "Caroline"],
        "about": "2026-05-01",
        "until": None,
        "foresight": False,
        "passing": False,
    }
    return {**plain, **changes}


class TestForm:
    """From turns to facts."""

    def test_a_fact_names_its_span_entities_and_dates(self) -> None:
        """A day is kept as its midnight UTC, in whatever time zone it was named."""
        assert run(FORM, TURNS, {"facts": [fact()]}).value == (
            Formed(
                turn=0,
                text="Caroline moved to Lisbon in May 2026.",
                start=0,
                end=25,
                entities=("Lisbon", "Caroline"),
                referenced_at=datetime(2026, 5, 1, tzinfo=timezone.utc),
            ),
        )

    def test_a_plan_holds_until_its_day_ends(self) -> None:
        """A period is referenced at its first day and valid until the last moment of its last, where the speaker is."""
        plan = fact(
            quote="My sister Ana visits tomorrow",
            text="Caroline's sister Ana visits on 2026-06-02.",
            category="plan",
            about="2026-06-02",
            until="2026-06-02",
            foresight=True,
        )
        (formed,) = run(FORM, TURNS, {"facts": [plan]}).value

        assert (formed.start, formed.end) == (26, 56)
        assert formed.valid_until == datetime(2026, 6, 2, 22, 59, 59, 999_999, tzinfo=timezone.utc)

    def test_an_expectation_without_a_date_holds_for_a_week(self) -> None:
        """Else +7 days; what is not foreseen stays open."""
        (formed,) = run(
            FORM, TURNS, {"facts": [fact(about="soon", until="one day", foresight=True)]}
        ).value

        assert (formed.referenced_at, formed.valid_until) == (None, NOON + timedelta(days=7))

    def test_where_the_calendar_ends_within_a_week_it_holds_until_its_last_moment(self) -> None:
        """The model's answer counts there, too."""
        last = datetime.max.replace(tzinfo=timezone.utc)
        given = FormInput(turns=(FormTurn("I moved to Lisbon in May.", last, speaker="Caroline"),))
        told = fact(foresight=True, text="Caroline moved to Lisbon in May.")
        outcome = run(FORM, given, {"facts": [told]})

        assert (outcome.source, [formed.valid_until for formed in outcome.value]) == ("llm", [last])

    def test_what_passes_soon_is_marked(self) -> None:
        """Where somebody is right now needs no place in a memory of years; a model that does not say means no."""
        silent = fact(quote="", text="Ana visits.")
        del silent["passing"]
        answer = {"facts": [fact(passing=True), silent]}

        assert [formed.passing for formed in run(FORM, TURNS, answer).value] == [True, False]
        assert (
            "- passing: true if it will be of no use after a few hours or days"
            in FORM.prompt(TURNS)[0]["content"]
        )

    @each_row("date", ["2026-13-40", "0000-01-01", "May 2026", ""])
    def test_an_impossible_date_is_no_date(self, date: str) -> None:
        """The fact is kept without it."""
        (formed,) = run(FORM, TURNS, {"facts": [fact(about=date)]}).value

        assert formed.referenced_at is None

    def test_a_quote_that_was_not_said_makes_the_turn_the_span(self) -> None:
        """Both ends are 0."""
        (formed,) = run(FORM, TURNS, {"facts": [fact(quote="I live in Lisbon")]}).value

        assert (formed.start, formed.end) == (0, 0)

    def test_the_language_of_the_source_is_kept(self) -> None:
        """A fact in its turn's language shares words with it; a translation or an invention does not and is dropped."""
        kept = fact(
            turn=1,
            text="Mehmet 31 Mayıs 2026'da Ayşe ile İstanbul'a gitti.",
            quote="Ayşe ile",
            entities=[],
        )
        translated = fact(turn=1, text="They travelled yesterday", entities=[])
        value = run(FORM, TURNS, {"facts": [kept, translated]}).value

        assert [formed.text for formed in value] == [
            "Mehmet 31 Mayıs 2026'da Ayşe ile İstanbul'a gitti."
        ]

    def test_entities_that_nobody_named_are_left_out(self) -> None:
        """At most 8, each once, none invented."""
        (formed,) = run(
            FORM, TURNS, {"facts": [fact(entities=["Lisbon", "Lisbon", "Paris", "", "Ana"])]}
        ).value

        assert formed.entities == ("Lisbon", "Ana")

    def test_the_same_fact_twice_is_one(self) -> None:
        """Facts come in the order of their turns."""
        other = fact(turn=1, text="Ayşe ile İstanbul", quote="")
        value = run(FORM, TURNS, {"facts": [other, fact(), fact()]}).value

        assert [formed.turn for formed in value] == [0, 1]

    def test_a_long_fact_is_cut_between_words(self) -> None:
        """500 characters; the turn itself keeps the rest."""
        (formed,) = run(FORM, TURNS, {"facts": [fact(text="Lisbon " * 100)]}).value

        assert len(formed.text) == 497
        assert formed.text.endswith(" Lisbon…")

    def test_nothing_worth_remembering_is_an_answer(self) -> None:
        """Small talk yields no facts, and that is the model's word."""
        assert run(FORM, TURNS, {"facts": []}) == Outcome((), "llm", None, Usage(10, 5, 1))

    @each_row_of("skills_form/an_answer_that_is_a_little_off_is_read")
    def test_an_answer_that_is_a_little_off_is_read(self, changes: dict[str, Any]) -> None:
        """Numbers and flags may be texts, and nothing at all may stand for an empty list."""
        (formed,) = run(FORM, TURNS, {"facts": [fact(**changes)]}).value

        assert formed.text == "Caroline moved to Lisbon in May 2026."
        assert (formed.turn, formed.valid_until, formed.passing) == (0, None, False)

    def test_no_list_is_an_empty_one(self) -> None:
        """`facts: null` says that there is nothing worth remembering."""
        assert run(FORM, TURNS, {"facts": None}).value == ()

    def test_what_nobody_said_is_dropped_and_told(self) -> None:
        """The other facts of the answer stay."""
        invented = fact(text="Caroline moved to Madrid in May 2026.")
        outcome = run(FORM, TURNS, {"facts": [invented, fact()]})

        assert [formed.text for formed in outcome.value] == [
            "Caroline moved to Lisbon in May 2026."
        ]
        assert outcome.value.dropped == (
            DroppedFact(0, "Caroline moved to Madrid in May 2026.", "name"),
        )

    def test_the_prompt_gives_no_example_that_could_be_taken_for_a_fact(self) -> None:
        """Small models copy examples: what the prompt quotes are the words "I" and a format."""
        task = FORM.prompt(TURNS)[0]["content"].partition("What stands between")[0]

        assert re.findall(r'"([^"]+)"', task) == ["I"]
        assert "vegan" not in task

    def test_the_prompt_shows_dates_and_speakers(self) -> None:
        """Relative dates need the weekday, pronouns the earlier turns."""
        data = FORM.prompt(TURNS)[1]["content"]

        assert '"speaker": "Caroline", "date": "Monday 2026-06-01T13:00+01:00"' in data
        assert "How is Tom's new guitar?" in data
