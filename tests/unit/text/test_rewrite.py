"""Facts that stand on their own: third person, no filler, names for pronouns."""

from __future__ import annotations

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
from helpers.tables import each_row

KNOWN = (
    Antecedent("Rui", "male"),
    Antecedent("Docker", "tech"),
    Antecedent("Ana", "female"),
    Antecedent("Marea", "org"),
)


@each_row(
    ("text", "expected"),
    [
        ("I prefer tea", "User prefers tea"),
        ("I'm happy and I've a dog", "User is happy and User has a dog"),
        ("I don't like my job", "User doesn't like their job"),
        ("My cat is called Pamuk", "User's cat is called Pamuk"),
        ("I really love hiking and work at Marea", "User really loves hiking and works at Marea"),
        ("I have two cats but have no dog", "User has two cats but has no dog"),
        ("I do yoga every day", "User does yoga every day"),
        ("I go to Rome and carry a bag", "User goes to Rome and carries a bag"),
        ("I went to Rome with my sister", "User went to Rome with their sister"),
        ("I'd like a dog", "User would like a dog"),
        ("I'd never seen Rome", "User had never seen Rome"),
        ("I'll call him myself", "User will call him themselves"),
        ("I was late and I can swim", "User was late and User can swim"),
        ("I read every day", "User reads every day"),
        ("Am I late?", "Is User late?"),
        ("i like tea", "User likes tea"),
        ("She called me yesterday", "She called User yesterday"),
        ("World War I was long", "World War I was long"),
        ('She told me "I love my dog"', 'She told User "I love my dog"'),
        ("We moved to Porto", "We moved to Porto"),
        ("You like tea", "You like tea"),
        ("A victim of the storm", "A victim of the storm"),
    ],
)
def test_the_first_person_becomes_the_third(text: str, expected: str) -> None:
    """Verbs agree; quotations, numerals, `we` and `you` stay."""
    assert third_person(text) == expected
    assert third_person(expected) == expected


def test_the_speakers_name_is_used_if_known() -> None:
    """A name says more than "User"."""
    assert third_person("I love my dog and my wife", "Ana") == "Ana loves their dog and their wife"


@each_row(
    ("text", "expected"),
    [
        ("Kahveyi seviyorum.", "User kahveyi seviyor."),
        ("Ben Lizbon'da yaşıyorum", "User Lizbon'da yaşıyor"),
        ("Ankara'ya taşındım", "User Ankara'ya taşındı"),
        ("yarın gideceğim", "User yarın gidecek"),
        ("Annemi seviyorum", "Annemi seviyorum"),
        ("Bana yardım etti", "Bana yardım etti"),
        ("Kedim çok tatlı", "Kedim çok tatlı"),
    ],
)
def test_turkish_is_rewritten_only_where_it_is_sure(text: str, expected: str) -> None:
    """The verb says who speaks; "my mother" would need another ending, so that sentence stays."""
    assert third_person(text) == expected


@each_row(
    ("verb", "third"),
    [
        ("have", "has"),
        ("do", "does"),
        ("go", "goes"),
        ("carry", "carries"),
        ("play", "plays"),
        ("watch", "watches"),
    ],
)
def test_the_third_person_of_verbs(verb: str, third: str) -> None:
    """Irregular and regular endings."""
    assert third_person_of(verb) == third


@each_row(
    ("text", "expected"),
    [
        ("Well, I like tea", "I like tea"),
        ("Um, so, I like tea", "I like tea"),
        ("I think, you know, tea is fine", "I think tea is fine"),
        ("Honestly, tea is fine", "Tea is fine"),
        ("I like, um, tea", "I like, tea"),
        ("You know the place", "You know the place"),
        ("I mean the red one", "I mean the red one"),
        ("Actually, it is Thursday", "Actually, it is Thursday"),
        ("Yani, çay içerim", "Çay içerim"),
        ("Şey, çay içerim", "Çay içerim"),
        ("İşte çalışıyorum", "İşte çalışıyorum"),
    ],
)
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


@each_row(
    ("text", "expected"),
    [
        ("She called Tom", "Ana called Tom"),
        ("He said he likes his dog", "Rui said he likes his dog"),
        ("her dog barks at him", "Ana's dog barks at Rui"),
        ("They hired Tom", "Marea hired Tom"),
        ("It's slow", "Marea is slow"),
        ("She's been ill", "Ana has been ill"),
        ("Ana said she was tired", "Ana said she was tired"),
        ("It is raining", "It is raining"),
        ("Onun kedisi çok tatlı", "Ana'nın kedisi çok tatlı"),
        ("O hâlâ Ankara'da", "Ana hâlâ Ankara'da"),
        ("O kitap güzel", "O kitap güzel"),
    ],
)
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


@each_row(
    "text",
    [
        "I use it daily",
        "I don't like my job",
        "They hired me with my sister",
        "Yani, yarın gideceğim",
        "So, I mean it",
    ],
)
def test_rewriting_twice_changes_nothing_more(text: str) -> None:
    """Also with entities known."""
    once = rewrite(text, antecedents=KNOWN)
    assert rewrite(once, antecedents=KNOWN) == once


@given(st.text(max_size=300))
def test_any_text_can_be_rewritten(text: str) -> None:
    """No text makes it fail, and the result fits."""
    assert len(rewrite(text, speaker="Ana", antecedents=KNOWN)) <= 500
