"""The same sentence with other punctuation, width or case is no second memory, in every script."""

from cogmem_core.text.compare import entailment, same_words
from helpers.tables import each_row_of


@each_row_of("same_words/marks_that_nobody_reads_make_no_other_sentence", "ar de en es fr ja ru zh")
def test_marks_that_nobody_reads_make_no_other_sentence(old: str, new: str) -> None:
    """Full stops, commas, quotation marks, full-width figures, ё."""
    assert same_words(new, old)
    assert entailment(new, old) == "same"


@each_row_of("same_words/marks_that_are_read_do", "ar en zh")
def test_marks_that_are_read_do(old: str, new: str) -> None:
    """Those within numbers, signs, and question marks."""
    assert not same_words(new, old)
