"""What a plain statement says: whose attribute has what value, in which language, and whether it denies."""

from __future__ import annotations

from cogmem_core.text.compare import Attribute, attribute_of, is_negative
from cogmem_core.text.compare.wording import language_of
from helpers.tables import each_row_of


@each_row_of("attributes/a_plain_statement_is_read_as_subject_attribute_and_value", "en tr")
def test_a_plain_statement_is_read_as_subject_attribute_and_value(
    text: str, attribute: tuple[str, str, str]
) -> None:
    """Whose it is, what it is, and its value, folded."""
    assert attribute_of(text) == Attribute(*attribute)


@each_row_of("attributes/what_is_not_plain_has_no_attribute")
def test_what_is_not_plain_has_no_attribute(text: str) -> None:
    """The past, wishes, questions, hearsay and judgements are not read."""
    assert attribute_of(text) is None


@each_row_of("attributes/language", "en tr")
def test_language(text: str, expected: str) -> None:
    """Function words, letters and verbs tell; a name alone does not."""
    assert language_of(text) == expected


@each_row_of("attributes/negation", "en tr")
def test_negation(text: str, expected: bool) -> None:
    """Words and Turkish verb endings that deny; two of them cancel out."""
    assert is_negative(text) is expected
