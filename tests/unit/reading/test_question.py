"""What a question asks for, read by the tables that read statements, and which statements answer it."""

from cogmem_core.reading import of
from cogmem_core.reading.between import change, gives_up
from cogmem_core.reading.question import answers, asked, tells_of_another
from helpers.tables import each_row_of


@each_row_of("questions/what_a_question_asks_for", "de en es fr tr")
def test_what_a_question_asks_for(
    question: str, subject: str, slot: str, named: bool, topic: str
) -> None:
    """Of whom or what, and a slot that everybody has, a verb, or a class of things."""
    found = asked(question)
    assert (found.subject, found.slot, found.named, found.topic) == (subject, slot, named, topic)


@each_row_of("questions/which_statements_answer_it", "de en es fr tr")
def test_which_statements_answer_it(
    question: str, answers_: tuple[str, ...], others: tuple[str, ...]
) -> None:
    """Those of its slot, about whom it asks, that hold; nothing wished, over, or told of others."""
    wanted = asked(question)
    assert [text for text in answers_ if not answers(of(text), wanted)] == []
    assert [text for text in others if answers(of(text), wanted)] == []


@each_row_of("reading/what_kind_of_message_it_is")
def test_what_kind_of_message_it_is(text: str, kind: str) -> None:
    assert asked(text).kind == kind


@each_row_of("reading/what_tells_the_like_of_somebody_else")
def test_what_tells_the_like_of_somebody_else(question: str, text: str, foreign: bool) -> None:
    assert tells_of_another(of(text), asked(question)) == foreign


@each_row_of("questions/what_is_given_up", "de en")
def test_what_is_given_up_is_what_the_old_statement_tells(old: str, new: str, named: bool) -> None:
    """By the same person, of the same thing, and not denied."""
    assert gives_up(of(new), of(old)) == named


def test_what_is_asked_about_is_no_answer_that_is_given_up() -> None:
    closed, helps = of("I closed my shop for Bastille Day."), of("My sister helps in the shop.")
    assert not gives_up(closed, helps, asked="Who helps in my shop?")


@each_row_of("reading/an_end_that_is_denied_ends_nothing")
def test_an_end_that_is_denied_ends_nothing(new: str, old: str) -> None:
    assert change(of(new), of(old)) is None


@each_row_of("reading/what_an_assistant_noted")
def test_what_an_assistant_noted_of_the_user_is_about_who_speaks(
    new: str, noted: str, grade: str
) -> None:
    """Not what it noted of another user or of a thing, and no scrap of its own."""
    found = change(of(new), of(noted), same_speaker=None)
    assert (found.grade if found else "") == grade
