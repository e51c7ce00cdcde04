"""What a message changes in passing, in no sentence of its own, and in another language: a doubt each time."""

from __future__ import annotations

from cogmem_core.text.compare import revision, unclear_doses
from cogmem_core.text.query.questions import corrects_what_was_said
from helpers.tables import each_row, each_row_of, rows_of


def grade(old: str, new: str) -> str:
    found = revision(new, old, same_speaker=True)
    return found.grade if found else "none"


HOMES = rows_of("told_in_passing/homes", "de en fr")
JOBS = rows_of("told_in_passing/jobs", "de en es fr tr")
HABITS = rows_of("told_in_passing/habits")
GONE = rows_of("told_in_passing/gone")
DOSES = rows_of("told_in_passing/doses")
LANGUAGES = rows_of("told_in_passing/languages", "en tr")
FIGURES = rows_of("told_in_passing/figures", "de en es fr tr")
SYSTEMS = rows_of("told_in_passing/systems")


@each_row(("old", "new"), [*HOMES, *JOBS, *HABITS, *GONE, *DOSES, *LANGUAGES, *FIGURES])
def test_what_is_told_in_passing_leads_a_chain(old: str, new: str) -> None:
    assert grade(old, new) in ("soft", "hard")


STANDS = rows_of("told_in_passing/stands", "en tr")


@each_row(("old", "new"), STANDS)
def test_what_only_sounds_like_it_is_left_alone(old: str, new: str) -> None:
    """Others' homes and jobs, visits, wishes, seasons, other drugs, patients and courses."""
    assert grade(old, new) == "none"


@each_row_of("told_in_passing/short_sentences_that_differ_in_a_word_are_two", "en tr")
def test_short_sentences_that_differ_in_a_word_are_two(old: str, new: str) -> None:
    assert grade(old, new) == "none"


@each_row(("old", "new"), SYSTEMS)
def test_another_value_of_one_frame_is_a_change(old: str, new: str) -> None:
    assert grade(old, new) in ("soft", "hard")


def test_a_dose_of_one_of_two_medicines_is_left_alone() -> None:
    """Nobody can say which is meant."""
    thyroid, vitamin = "I take levothyroxine 50 mcg.", "I take vitamin K 75 mcg."
    raised = "My GP bumped me up to 100 mcg."
    assert unclear_doses(raised, [thyroid, vitamin]) == {thyroid, vitamin}
    assert unclear_doses(raised, [thyroid, "I'm on 60 mcg of levothyroxine."]) == frozenset()
    assert unclear_doses("I take vitamin K 90 mcg now.", [thyroid, vitamin]) == frozenset()


@each_row_of("told_in_passing/what_corrects_what_was_just_said", "en tr")
def test_what_corrects_what_was_just_said(text: str, corrects: bool) -> None:
    assert corrects_what_was_said(text) is corrects
