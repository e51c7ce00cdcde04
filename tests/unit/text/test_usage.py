"""Whether an answer made use of a memory (agentos, "Detection Heuristic")."""

import pytest

from cogmem_core.text.usage import match_ratio, telling_words
from helpers.tables import each_row_of


@each_row_of("usage/which_words_tell", "en tr zh")
def test_which_words_tell(text: str, expected: set[str]) -> None:
    """ "unique keywords (> 4 characters)"; numbers and entities always count, bigrams without spaces."""
    assert telling_words(text) == expected


@each_row_of("usage/english")
def test_english(memory: str, answer: str, expected: float) -> None:
    """The share of the memory's telling words that stand in the answer; the number of repeats does not count."""
    assert match_ratio(memory, answer) == pytest.approx(expected)


@each_row_of("usage/turkish_words_with_endings", "tr")
def test_turkish_words_with_endings(memory: str, answer: str, expected: float) -> None:
    """A case ending after an apostrophe, a plural and a possessive do not hide the word; I and İ are one letter."""
    assert match_ratio(memory, answer) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("memory", "answer", "expected"),
    [
        ("東京", "東京に住んでいます", 1.0),
        ("東京", "京都に住んでいます", 1 / 3),
        ("東京", "大阪です", 0.0),
    ],
)
def test_scripts_without_spaces(memory: str, answer: str, expected: float) -> None:
    """ "for scripts without spaces use character bigrams"; 東, 京 and 東京."""
    assert match_ratio(memory, answer) == pytest.approx(expected)


@each_row_of("usage/a_memory_without_telling_words_must_stand_there_exactly")
def test_a_memory_without_telling_words_must_stand_there_exactly(
    memory: str, answer: str, expected: float
) -> None:
    """ "a memory without keywords falls back to exact containment"; case and white space do not count."""
    assert match_ratio(memory, answer) == expected
