"""In which language a plain statement is, and whether it denies."""

from cogmem_core.languages.detect import language_shown
from cogmem_core.text.compare import is_negative
from helpers.tables import each_row_of


@each_row_of("attributes/language", "en tr")
def test_language(text: str, expected: str) -> None:
    """Function words, letters and verbs tell; a name alone does not."""
    assert language_shown(text) == expected


@each_row_of("attributes/negation", "en tr")
def test_negation(text: str, expected: bool) -> None:
    """Words and Turkish verb endings that deny; two of them cancel out."""
    assert is_negative(text) is expected
