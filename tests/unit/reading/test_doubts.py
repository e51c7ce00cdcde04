"""What is asked about two versions of one thing, and what an answer says of them."""

import pytest

from cogmem_core.errors import InvalidInput
from cogmem_core.reading import of
from cogmem_core.reading.doubts import doubt
from cogmem_core.reading.pack import OWN, pack_from_toml, pack_of
from cogmem_core.text.query.questions import last_question
from helpers.tables import each_row_of


@each_row_of("doubts/what_is_asked", "de en es fr tr")
def test_one_sentence_asks_for_both_values(
    old: str, new: str, language: str, question: str
) -> None:
    """Of a slot with a sentence of its own; else in the user's words. A country and a town are no rivals."""
    found = doubt(of(new), of(old))
    asked = found.asked(language) if found else None
    assert (asked.question if asked else "") == question
    assert last_question(f"Sure, done. {question}") == question


@each_row_of("doubts/what_an_answer_settles", "de en es fr tr")
def test_an_answer_settles_what_it_says_plainly(
    language: str, old: str, new: str, reply: str, settles: str
) -> None:
    """Whoever names one, both or neither is understood; what is planned, limited or unsure decides nothing."""
    found = doubt(of(new), of(old))
    assert found is not None
    assert found.choice(reply, language) == settles


def test_every_pack_can_ask() -> None:
    """About whatever has no sentence of its own."""
    assert [code for code in OWN if "general" not in pack_of(code).ask] == []


@each_row_of("reading/a_question_without_its_places_is_refused")
def test_a_question_without_its_places_is_refused(asked: str) -> None:
    """Both versions stand in it, it ends as a question, and it is of a slot; the line is told."""
    with pytest.raises(InvalidInput, match="line 3"):
        pack_from_toml(f'code = "xx"\n[ask]\n{asked}\n')
