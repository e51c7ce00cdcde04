"""Facts that stand on their own: third person, no filler, names for pronouns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogmem_core.languages.en.words import third_person_of
from cogmem_core.text.rewrite.third_person import (
    Antecedent,
    resolve_pronouns,
    rewrite,
    strip_filler,
    third_person,
)
from helpers.tables import each_row_of

KNOWN = (
    Antecedent("Rui", "male"),
    Antecedent("Docker", "tech"),
    Antecedent("Ana", "female"),
    Antecedent("Marea", "org"),
)


@each_row_of("rewrite/the_first_person_becomes_the_third")
def test_the_first_person_becomes_the_third(text: str, expected: str) -> None:
    """Verbs agree; quotations, numerals, `we` and `you` stay."""
    assert third_person(text) == expected
    assert third_person(expected) == expected


def test_the_speakers_name_is_used_if_known() -> None:
    """A name says more than "User"."""
    assert third_person("I love my dog and my wife", "Ana") == "Ana loves their dog and their wife"


@each_row_of("rewrite/turkish_is_rewritten_only_where_it_is_sure", "tr")
def test_turkish_is_rewritten_only_where_it_is_sure(text: str, expected: str) -> None:
    """The verb says who speaks; "my mother" would need another ending, so that sentence stays."""
    assert third_person(text) == expected


@each_row_of("rewrite/the_third_person_of_verbs")
def test_the_third_person_of_verbs(verb: str, third: str) -> None:
    """Irregular and regular endings."""
    assert third_person_of(verb) == third


@each_row_of("rewrite/filler_is_left_out_and_content_is_not", "en tr")
def test_filler_is_left_out_and_content_is_not(text: str, expected: str) -> None:
    """A filler stands between commas or before one; "actually" announces a correction."""
    assert strip_filler(text) == expected


@pytest.mark.parametrize("space", ["", "  ", "\n" * 6])
def test_white_space_before_a_quotation_moves_nothing(space: str) -> None:
    """What stands inside of quotation marks stays, also where blanks before the text are dropped."""
    said = 'He said "it is, um, fine"'
    assert strip_filler(space + said) == said


def test_a_long_text_is_cut() -> None:
    """What follows the first 5,000 characters is gone."""
    assert len(strip_filler(" " + "tea " * 2_000)) == 4_999


@each_row_of("rewrite/a_pronoun_becomes_the_last_entity_that_fits", "en tr")
def test_a_pronoun_becomes_the_last_entity_that_fits(text: str, expected: str) -> None:
    """Not where the text names somebody itself, nor where "it" stands for nothing."""
    assert resolve_pronouns(text, KNOWN) == expected


def test_without_anything_known_pronouns_stay() -> None:
    """A guess would be worse."""
    assert resolve_pronouns("She called him", ()) == "She called him"


def test_a_rewritten_fact_has_at_most_500_characters() -> None:
    """It is cut at a space."""
    rewritten = rewrite("I like " + "very " * 200)
    assert len(rewritten) <= 500
    assert rewritten.endswith("very")


@each_row_of("rewrite/rewriting_twice_changes_nothing_more", "en tr")
def test_rewriting_twice_changes_nothing_more(text: str) -> None:
    """Also with entities known."""
    once = rewrite(text, antecedents=KNOWN)
    assert rewrite(once, antecedents=KNOWN) == once


@given(st.text(max_size=300))
def test_any_text_can_be_rewritten(text: str) -> None:
    """No text makes it fail, and the result fits."""
    assert len(rewrite(text, speaker="Ana", antecedents=KNOWN)) <= 500
