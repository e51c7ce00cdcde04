"""Hypothetical answers: what a memory that answers the question might look like."""

from cogmem_core.text.query.hyde import HydeIntent, hyde_intent, hypothetical
from helpers.tables import each_row, each_row_of


@each_row_of("hyde/each_question_wants_one_kind_of_answer", "en tr")
def test_each_question_wants_one_kind_of_answer(query: str, intent: HydeIntent) -> None:
    """V9: definition, howto, reasoning, lookup, technical, preference, general; EN and TR."""
    assert hyde_intent(query) == intent


@each_row_of("hyde/templates_are_filled_with_the_words_of_content", "en tr")
def test_templates_are_filled_with_the_words_of_content(
    query: str, documents: tuple[str, ...]
) -> None:
    """Question words and auxiliaries are gone, in the language of the question."""
    assert hypothetical(query) == documents


@each_row_of("hyde/the_first_person_becomes_the_user", "en tr")
def test_the_first_person_becomes_the_user(query: str, first: str) -> None:
    """Memories are in the third person."""
    assert hypothetical(query)[0] == first


@each_row("query", ["", "???", "What is it?", "Why?", "ne zaman?", "how do I do it"])
def test_without_content_there_is_nothing_to_imagine(query: str) -> None:
    """A template alone would draw every query to the same place."""
    assert hypothetical(query) == ()


def test_braces_in_a_question_are_text() -> None:
    """A query is no template."""
    assert hypothetical("Where is {topic} {0}?")[0] == "{topic} {0} in"
