"""Letters folded, whatever the alphabet."""

import string

from cogmem_core.text.folding import fold_letters
from cogmem_core.text.tokens import tokens


def test_ascii_is_folded_as_beside_other_letters() -> None:
    """`fold_letters`: "Lower-case, [...] apostrophes straight"; the short way for ASCII says what the long one says."""
    text = "".join(map(chr, range(128)))
    assert fold_letters(text) == fold_letters(f"{text}ı")[:-1]
    assert fold_letters(string.ascii_uppercase + "`'") == string.ascii_lowercase + "''"


def test_turkish_and_plain_spelling_are_one() -> None:
    """`fold_letters`: "`YARIN`, `yarın` and `yarin` are one"."""
    assert {fold_letters(word) for word in ("YARIN", "yarın", "yarin", "Yarİn")} == {"yarin"}


def test_letters_that_people_replace_are_one_for_patterns_and_for_the_index() -> None:
    """Who lacks ø, æ, œ, ß, đ or ł on the keyboard finds Søren, Łódź and Đorđe all the same."""
    assert fold_letters("Søren Łódź Đorđe José Straße") == "soren lodz dorde jose strase"
    for spelt, typed in (
        ("Søren", "soren"),
        ("Łódź", "Lodz"),
        ("Đorđe", "dorde"),
        ("Æsop", "aesop"),
        ("cœur", "coeur"),
        ("José", "jose"),
        ("Straße", "strasse"),
    ):
        assert tokens(spelt) == tokens(typed)
