"""Compression: what is made of good answers of a model, of bad ones, and without a model."""

import json
from datetime import timedelta
from typing import Any

from cogmem_core.models import ObservationNote
from cogmem_core.skills import Skill, run_skill
from cogmem_core.skills.digest_notes import CompressInput, Digest, compressing, priority_of
from helpers.tables import each_row_of
from unit.helpers.skill_answers import NOON, run


def note(text: str, number: int = 0, **changes: Any) -> ObservationNote:
    plain: dict[str, Any] = {
        "id": f"id-{number}",
        "namespace": "alice",
        "level": "note",
        "content": text,
        "observed_at": NOON + timedelta(minutes=number),
        "created_at": NOON,
        "speaker": "Ana",
        "priority": priority_of(text, NOON),
        "confidence": 0.9,
        "characters": len(text),
    }
    return ObservationNote(**{**plain, **changes})


def notes(*texts: str, start: int = 0, **changes: Any) -> tuple[ObservationNote, ...]:
    return tuple(note(text, number, **changes) for number, text in enumerate(texts, start=start))


def told(skill: Skill[Any, Any, Any], given: Any) -> tuple[str, Any]:
    """The task and the data of the prompt."""
    system, user = skill.prompt(given)
    return system["content"], json.loads(
        user["content"].removeprefix("<data>\n").removesuffix("\n</data>")
    )


VIOLIN = notes(
    "I started violin lessons on Thursday.",
    "My violin teacher is called Marta and she lives near the harbour.",
    "The concert is tomorrow, so I practise 2 hours a day.",
)
BOAT = notes("We bought a small boat.", "The boat is not insured yet.", start=3)
GIVEN = CompressInput((VIOLIN, BOAT))
VIOLIN_DIGEST = (
    "Ana takes violin lessons with Marta and practises 2 hours a day for the concert on 2026-06-02."
)
BOAT_DIGEST = "Ana bought a small boat that is not insured yet."


def digest(group: int, text: str, ids: list[str], priority: str = "important") -> dict[str, Any]:
    return {"group": group, "text": text, "priority": priority, "notes": ids}


GOOD = [
    digest(0, VIOLIN_DIGEST, ["n1", "n2", "n3"]),
    digest(1, BOAT_DIGEST, ["n4", "n5"], "informational"),
]


class TestCompress:
    """Groups of notes become digests."""

    def test_a_good_answer_is_used(self) -> None:
        """One digest per group, in the order of the groups, whatever the order of the answer."""
        value = run(compressing(), GIVEN, {"digests": GOOD[::-1]}).value

        assert value == (
            Digest(VIOLIN_DIGEST, "important", "llm"),
            Digest(BOAT_DIGEST, "informational", "llm"),
        )

    def test_the_prompt_shows_who_said_what_when(self) -> None:
        """Short aliases for the ids; the weekday, because of "Thursday"."""
        task, data = told(compressing(), GIVEN)

        assert task.startswith("Condense notes of a conversation")
        assert data["groups"][0]["notes"][0] == {
            "id": "n1",
            "speaker": "Ana",
            "said": "Monday 2026-06-01T12:00+00:00",
            "text": "I started violin lessons on Thursday.",
            "characters": 37,
            "confidence": 0.9,
        }
        assert [entry["id"] for entry in data["groups"][1]["notes"]] == ["n4", "n5"]

    @each_row_of("skills_observation/a_bad_digest_leaves_its_group_to_the_twin")
    def test_a_bad_digest_leaves_its_group_to_the_twin(self, bad: dict[str, Any]) -> None:
        """The other group keeps the model's words."""
        value = run(compressing(), GIVEN, {"digests": [GOOD[0], bad]}).value

        assert value == (
            Digest(VIOLIN_DIGEST, "important", "llm"),
            Digest("We bought a small boat.", "informational", "heuristic"),
        )

    def test_a_negation_that_nobody_said_is_refused(self) -> None:
        """ "never" is in no note of the violin."""
        bad = digest(0, "Ana never takes violin lessons with Marta.", ["n1", "n2", "n3"])

        assert [
            one.source for one in run(compressing(), GIVEN, {"digests": [bad, GOOD[1]]}).value
        ] == ["heuristic", "llm"]

    def test_a_date_that_a_note_points_to_is_no_invention(self) -> None:
        """ "tomorrow" may become "2 June 2026"; the day after may not."""
        fine = digest(0, "Ana has a violin concert on 2 June 2026.", ["n1", "n2", "n3"])
        wrong = digest(0, "Ana has a violin concert on 3 June 2026.", ["n1", "n2", "n3"])

        assert run(compressing(), GIVEN, {"digests": [fine]}).value[0].source == "llm"
        assert (
            run(compressing(), GIVEN, {"digests": [wrong, GOOD[1]]}).value[0].source == "heuristic"
        )


LONG = notes(
    "Oh, what a day!",
    "Emma moved from Oslo to Bergen in 2021 and works at Google there.",
    "That sounds really nice, I must say.",
    "Do you think so?",
    "I had some tea and looked out of the window for quite a while this morning.",
    "The weather was grey, and there was little to do but to wait for better days.",
    "Well, it is what it is, as people like to say on such days.",
    "Then I went to bed.",
)


def quoted(group: tuple[ObservationNote, ...]) -> str:
    return str(run_skill(compressing(), CompressInput((group,)), None, timeout=5.0).value[0].text)


class TestCompressTwin:
    """Without a model the sentences that say most are quoted."""

    def test_the_densest_sentence_is_quoted_as_it_was_said(self) -> None:
        """Of eight notes, the one with names, a date and two facts; the rest says little."""
        assert quoted(LONG) == "Emma moved from Oslo to Bergen in 2021 and works at Google there."

    def test_sentences_keep_their_order(self) -> None:
        """Up to three, at most a fifth of the characters of the group."""
        filler = [
            f"It was a rather ordinary kind of afternoon, and nothing much came of it, number {n}."
            for n in "abcdefgh"
        ]
        group = notes("Ben works at Google.", *filler, "Emma lives in Oslo.", "Rui moved to Porto.")

        assert quoted(group) == "Ben works at Google. Emma lives in Oslo. Rui moved to Porto."

    def test_relative_dates_become_absolute(self) -> None:
        """A quotation is read later than it was said."""
        assert quoted(notes("Emma visits Oslo tomorrow")) == "Emma visits Oslo on 2026-06-02."

    def test_several_voices_are_told_apart(self) -> None:
        """In the third person where that names the speaker, else with the name in front."""
        filler = " ".join(["and so on it went for a while"] * 20)
        first = note("I moved to Lisbon with Google.", 0, characters=200)
        second = note("We met in Oslo with Docker.", 1, speaker="Rui", characters=200)
        assert (
            quoted((first, second, note(filler, 2)))
            == "Ana moved to Lisbon with Google. Rui: We met in Oslo with Docker."
        )

    def test_critical_sentences_come_first(self) -> None:
        """However many names stand in the others."""
        group = notes(
            "Emma moved from Oslo to Bergen and works at Google.", "Note that the server crashed."
        )
        assert quoted(group) == "Note that the server crashed."

    def test_the_same_sentence_is_quoted_once(self) -> None:
        """Said twice, kept once."""
        group = tuple(note("Emma lives in Oslo.", number, characters=500) for number in range(2))
        assert quoted(group) == "Emma lives in Oslo."

    def test_a_sentence_without_an_end_is_cut_between_words(self) -> None:
        """400 characters."""
        text = quoted((note("Lisbon " * 200),))
        assert (len(text), text[-8:]) == (399, " Lisbon…")

    @each_row_of("skills_observation/priorities", "en tr")
    def test_priorities(self, text: str, priority: str) -> None:
        """Deadlines, security, errors, health, arousal; decisions, corrections, preferences, plans; the rest."""
        assert priority_of(text, NOON) == priority

    def test_a_digest_is_as_important_as_its_most_important_note(self) -> None:
        """Critical, important, informational, in this order."""
        group = notes("Emma lives in Oslo.", "I prefer tea.")
        assert (
            run_skill(compressing(), CompressInput((group,)), None, timeout=5.0).value[0].priority
            == "important"
        )
