"""Thoughts that a model wrote before its answer."""

from cogmem_core.llm.answers import validated
from cogmem_core.skills.form import FormAnswer
from cogmem_core.text.thoughts import without_thoughts
from helpers.tables import each_row_of

ANSWER = "The cello lesson is on Tuesday."


@each_row_of("thoughts/thoughts_are_left_out")
def test_thoughts_are_left_out(text: str, rest: str) -> None:
    """Whatever the tag and its case, closed or cut off, once or several times."""
    assert without_thoughts(text) == rest


FACT = '{"turn": 0, "quote": "", "text": "%s", "category": "fact", "entities": []}'
DRAFT = FACT % "Draft"
FINAL = FACT % "Final"


@each_row_of("thoughts/a_draft_is_not_taken_for_the_answer")
def test_a_draft_is_not_taken_for_the_answer(text: str, kept: str) -> None:
    """A whole JSON object is an answer, and its texts may speak of tags."""
    (fact,) = validated(text, FormAnswer).facts

    assert fact.text == kept
