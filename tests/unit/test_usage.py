"""Whether an answer made use of a memory (agentos, "Detection Heuristic")."""

from __future__ import annotations

import pytest

from cogmem_core.text.usage import match_ratio, own_match_ratios, telling_words
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


BACKUPS = "The Heron database is backed up at midnight"
OWNER = "The Heron database belongs to Sofia"


@each_row(
    ("memories", "question", "answer", "expected"),
    [
        # Both hold "heron" and "database": 1/2 each. "backed", "midnight" and "belong", "sofia" are one's own: 1 each.
        (
            [BACKUPS, OWNER],
            "Who is in charge?",
            "The Heron database belongs to Sofia.",
            [1 / 3, 1.0],
        ),
        # In the question, too: 1 / (2 + 2) each.
        (
            [BACKUPS, OWNER],
            "Who owns the Heron database?",
            "The Heron database belongs to Sofia.",
            [0.2, 1.0],
        ),
        ([BACKUPS, OWNER], "Who owns the Heron database?", "Sofia.", [0.0, 0.4]),
        # Alone, each word counts 1.
        ([BACKUPS], "Who is in charge?", "The Heron database belongs to Sofia.", [0.5]),
        # What two memories tell alike is credited to both.
        (
            ["Lena lives in Oslo", "Lena lives in Oslo"],
            "Where does Lena live?",
            "In Oslo.",
            [2 / 3, 2 / 3],
        ),
        # An answer that only confirms uses the memory all the same.
        (["Lena lives in Oslo"], "Does Lena live in Oslo?", "Yes, Lena lives there.", [0.5]),
        (["tea"], "tea or coffee?", "tea", [1.0]),
        ([], "Who?", "Nobody.", []),
    ],
)
def test_memories_shown_together_are_judged_by_what_each_adds(
    memories: list[str], question: str, answer: str, expected: list[float]
) -> None:
    """`feedback.own_words`: a word counts 1 / (memories that hold it); the question's as if two more held it."""
    assert own_match_ratios(memories, answer, question=question, asked_weighs=2.0) == pytest.approx(
        expected
    )
