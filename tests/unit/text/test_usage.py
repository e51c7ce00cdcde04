"""Whether an answer made use of a memory (agentos, "Detection Heuristic")."""

from __future__ import annotations

import pytest

from cogmem_core.text.usage import match_ratio, telling_words
from helpers.tables import each_row


@each_row(
    ("text", "expected"),
    [
        (
            "The user keeps bees in the garden",
            {"keep", "garden"},
        ),  # "bees" and "user" have four letters, "keeps" five
        ("garden garden GARDEN gardens", {"garden"}),
        ("Tea at 42 or 3.5", {"42", "3.5"}),
        ("Ayşe likes tea", {"ayş", "like"}),
        ("Met on 2023-05-08", {"2023-05-08", "2023", "may", "8"}),
        ("Toplantı İstanbul'da", {"toplanti", "istanbul"}),
        ("約束", {"約", "束", "約束"}),
        ("about there which", set()),
        ("", set()),
    ],
)
def test_which_words_tell(text: str, expected: set[str]) -> None:
    """ "unique keywords (> 4 characters)"; numbers and entities always count, bigrams without spaces."""
    assert telling_words(text) == expected


@each_row(
    ("memory", "answer", "expected"),
    [
        ("Emma keeps rabbits in her garden", "You should ask Emma about her garden.", 0.5),
        ("Emma keeps rabbits in her garden", "Emma's rabbit keeps to the GARDENS", 1.0),
        ("Emma keeps rabbits in her garden", "The weather is fine.", 0.0),
        (
            "Emma keeps rabbits in her garden",
            "gardenias, rabbitbrush",
            0.0,
        ),  # words, not letters within words
        ("The code is 4821", "It is 4821.", 1.0),
        ("The code is 4821", "It is 48210.", 0.0),
        ("The rent is 1,000 euros", "You pay 1000 euros.", 1.0),
        ("Deploys with Docker", "Use docker.", 0.5),
        ("The meeting is on 2023-05-08", "On 8 May, 2023 you meet", 0.8),
    ],
)
def test_english(memory: str, answer: str, expected: float) -> None:
    """The share of the memory's telling words that stand in the answer; the number of repeats does not count."""
    assert match_ratio(memory, answer) == pytest.approx(expected)


@each_row(
    ("memory", "answer", "expected"),
    [
        ("Kızı Ankara'da oturuyor", "Ankara'ya gidip dönüyor.", 0.5),
        ("Kızı Ankara'da oturuyor", "ANKARA'NIN merkezinde oturuyor", 1.0),
        ("Komşuları sessiz", "Komşularından memnun, hep sessizler.", 1.0),
        ("İSTANBUL'DAN döndü", "istanbul'u sevdi", 0.5),
        ("Kızı Ankara'da oturuyor", "İzmir'de hava güzel", 0.0),
    ],
)
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


@each_row(
    ("memory", "answer", "expected"),
    [
        ("So be it", "Well,  SO be\nit then.", 1.0),
        ("So be it", "So it be.", 0.0),
        ("So be it", "", 0.0),
        ("", "anything", 0.0),
        ("  \n ", "any  thing", 0.0),
        ("!?", "What!?", 1.0),
        ("Two.", "You have two cats.", 1.0),
        ("Two.", "You have twofold luck.", 0.0),
    ],
)
def test_a_memory_without_telling_words_must_stand_there_exactly(
    memory: str, answer: str, expected: float
) -> None:
    """ "a memory without keywords falls back to exact containment"; case and white space do not count."""
    assert match_ratio(memory, answer) == expected
