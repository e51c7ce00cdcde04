"""Of two statements that answer a question about the present nearly equally well, the newer one stands first.

Without a chain between them: nothing showed that the one took the place of the other.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from itertools import count
from typing import Literal

import pytest

import cogmem_core
from cogmem_core import Engine, MemoryBank, Turn
from cogmem_core.testing import FrozenClock
from helpers.tables import each_row_of, rows_of

NOW = datetime(2026, 11, 20, 12, tzinfo=timezone.utc)
NUMBERS = count()
OTHERS = rows_of("newer_answers/others")


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with cogmem_core.open(embedder="minilm", clock=FrozenClock(NOW)) as engine:
        yield engine


def told(
    engine: Engine,
    *texts: str,
    speakers: tuple[str | None, ...] = (None, None, None),
    mode: Literal["auto", "raw"] = "raw",
) -> MemoryBank:
    """A bank to which the texts were told after others, with a month between them."""
    bank = engine.bank(f"bank {next(NUMBERS)}")
    said = [*zip(OTHERS, [None] * len(OTHERS), strict=True), *zip(texts, speakers, strict=False)]
    turns = [
        Turn(content=text, at=NOW - timedelta(days=30 * (len(said) - number)), speaker=speaker)
        for number, (text, speaker) in enumerate(said)
    ]
    bank.remember(turns[: len(OTHERS)], mode=mode)
    for turn in turns[len(OTHERS) :]:
        bank.remember(turn, mode=mode)
    return bank


def first(
    engine: Engine,
    question: str,
    *texts: str,
    speakers: tuple[str | None, ...] = (None, None, None),
    mode: Literal["auto", "raw"] = "raw",
) -> str:
    """The first result of such a bank."""
    bank = told(engine, *texts, speakers=speakers, mode=mode)
    return bank.recall(question, floor=0).results[0].content


@each_row_of("newer_answers/the_newer_of_two_answers_stands_first")
def test_the_newer_of_two_answers_stands_first(
    engine: Engine, question: str, old: str, new: str
) -> None:
    assert first(engine, question, old, new) == new


@each_row_of("newer_answers/a_newer_version_stands_first")
def test_a_newer_version_stands_first(engine: Engine, question: str, old: str, new: str) -> None:
    """Each tells a part of it, and both are kept."""
    bank = told(engine, old, new, mode="auto")
    found = bank.recall(question, floor=0).results
    assert [(item.content, item.earlier) for item in found[:2]] == [(new, False), (old, True)]


@each_row_of("newer_answers/what_a_part_of_it_gave_way_to_stands_first")
def test_what_a_part_of_it_gave_way_to_stands_first(
    engine: Engine, question: str, old: str, new: str, *, rest: bool
) -> None:
    """It is an earlier version of that part; for a question about the rest of it, it is none."""
    found = told(engine, old, new, mode="auto").recall(question, floor=0).results
    earlier = {item.content: item.earlier for item in found}
    assert (found[0].content, earlier[old]) == ((old, False) if rest else (new, True))


@each_row_of("newer_answers/what_says_that_the_older_answer_is_over_stands_first", "de en es fr tr")
def test_what_says_that_the_older_answer_is_over_stands_first(
    engine: Engine, question: str, old: str, new: str
) -> None:
    """It shares hardly a word with the question, and it need not say what the question asks for."""
    assert first(engine, question, old, new) == new


@each_row_of("newer_answers/the_later_answer_stands_first_in_whatever_words", "en tr")
def test_the_later_answer_stands_first_in_whatever_words(
    engine: Engine, question: str, old: str, new: str
) -> None:
    """However little it has in common with the question and the older answer."""
    assert first(engine, question, old, new) == new
    assert first(engine, question, new, old) == old


@each_row_of("newer_answers/what_was_said_since_is_shown_beside")
def test_what_was_said_since_is_shown_beside(
    engine: Engine, question: str, old: str, new: str
) -> None:
    """Among much else, though the words of the question do not show it."""
    life = rows_of("newer_answers/a_life")
    bank = told(engine, *life, old, new, speakers=(None,) * 10, mode="auto")
    assert {old, new} <= {item.content for item in bank.recall(question).results}


@each_row_of("newer_answers/what_does_not_answer_it_newly_stands_behind", "en es tr")
def test_what_does_not_answer_it_newly_stands_behind(
    engine: Engine, question: str, old: str, new: str, speakers: tuple[str | None, str | None]
) -> None:
    """The past, another kind of answer, a question, a memory of former times, another speaker."""
    assert first(engine, question, old, new, speakers=speakers) == old


@each_row_of("newer_answers/a_stored_question_stands_behind_its_answer")
def test_a_stored_question_stands_behind_its_answer(engine: Engine, told: str, asked: str) -> None:
    assert first(engine, asked.partition("?")[0] + "?", told, asked) == told


def test_what_asks_and_answers_is_found_once(engine: Engine) -> None:
    both = "Where do I live? We moved to Bruges, boxes everywhere."
    found = told(engine, both).recall("Where do I live?", floor=0).results
    assert [item.content for item in found if "Bruges" in item.content] == [both]


@each_row_of("newer_answers/a_value_that_returns_stands_first", "de en tr")
def test_a_value_that_returns_stands_first(
    engine: Engine, question: str, former: str, between: str
) -> None:
    """Said again it is the newest word, though it is no second memory."""
    assert first(engine, question, former, between, former) == former
    assert first(engine, question, former, between, former, mode="auto") == former
    assert first(engine, question, former, former, between) == between


def test_a_value_that_returns_retires_nothing_and_tells_when_it_was_said_again(
    engine: Engine,
) -> None:
    study, kitchen = "I put the key into the study.", "I put the key into the kitchen."
    bank = told(engine, study, kitchen, study, mode="auto")
    found = [memory for memory in bank.list() if "key" in memory.content]
    assert [(memory.content, memory.state) for memory in found] == [
        (study, "active"),
        (kitchen, "active"),
    ]
    returned = found[0]
    assert returned.last_said_at - returned.recorded_at == timedelta(days=60)
    block = bank.recall("Where is the key?").context()
    assert "(2026-08-22, 3 months ago, again last month) I put the key into the study." in block


def test_of_what_speaks_of_many_things_nothing_takes_the_place(engine: Engine) -> None:
    """Two long turns with no frame in common are no versions of one another."""
    museum = (
        "That's awesome, Ana! Congrats on following your dreams. Yesterday I took the kids to the museum, "
        "it was so cool spending time with them and seeing their eyes light up at the dinosaurs."
    )
    music = (
        "That's so cool, Ana! That's a great way to show off and be proud of everyone's skills. You know "
        "I love live music. Can't wait to hear about it, and what they make of it in June!"
    )
    bank = told(engine, museum, music, speakers=("Mel", "Mel", None), mode="auto")
    found = bank.recall("Where did Mel take the kids?", floor=0).results
    assert len(bank.versions(found[0].memory.id)) == 1
    assert [found[0].content, found[0].earlier] == [museum, False]


@each_row_of("newer_answers/of_the_speaker_before_the_like_of_others", "de en es fr tr")
def test_of_the_speaker_before_the_like_of_others(
    engine: Engine, question: str, own: str, foreign: str
) -> None:
    assert first(engine, question, own, foreign) == own
    assert first(engine, question, foreign, own) == own


@each_row_of("newer_answers/an_answer_in_passing_is_at_least_as_likely_as_not")
def test_an_answer_in_passing_is_at_least_as_likely_as_not(
    engine: Engine, question: str, answer: str, other: str
) -> None:
    found = told(engine, answer, other).recall(question, floor=0)
    likely = {item.content: item.confidence >= 0.5 for item in found.results}
    assert (found.results[0].content, likely[answer], likely[other]) == (answer, True, False)


@each_row_of("newer_answers/where_others_are_asked_about_what_tells_of_them_stands_first")
def test_where_others_are_asked_about_what_tells_of_them_stands_first(
    engine: Engine, question: str, answer: str, own: str
) -> None:
    assert first(engine, question, answer, own) == answer
    assert first(engine, question, own, answer) == answer
