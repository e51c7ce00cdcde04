"""The same sentence with other punctuation, width or case is no second memory, in every script."""

from __future__ import annotations

from cogmem_core.text.compare import entailment, same_words
from helpers.tables import each_row


@each_row(
    ("old", "new"),
    [
        ("我住在北京。我喜欢茶。", "我住在北京，我喜欢茶"),
        ("私の猫はミミです。", "私の猫はミミです"),
        ("मेरा नाम अमित है।", "मेरा नाम अमित है"),
        ("¡Vivo en Madrid con mi perro!", "Vivo en Madrid con mi perro."),
        ("My phone number is 555 0101", "My phone number is ５５５ ０１０１"),
        ("Моё имя Пётр, я живу в Казани.", "Мое имя Петр, я живу в Казани"),
        ("I have a dog, a cat and a bird.", "i have a dog a cat and a bird"),
        ("أعيش في القاهرة.", "أعيش في القاهرة"),
        ("저는 서울에 살아요.", "저는 서울에 살아요"),
        ("J'habite à Lyon !", "J\u2019habite à Lyon."),
        ("Ich wohne in \u201eKöln\u201c.", 'Ich wohne in "Köln".'),
    ],
)
def test_marks_that_nobody_reads_make_no_other_sentence(old: str, new: str) -> None:
    """Full stops, commas, quotation marks, full-width figures, ё."""
    assert same_words(new, old)
    assert entailment(new, old) == "same"


@each_row(
    ("old", "new"),
    [
        ("I earn 1.5 k", "I earn 15 k"),
        ("The meeting is at 10:30", "The meeting is at 1030"),
        ("I use C", "I use C++"),
        ("I use C", "I use C#"),
        ("It is 5 degrees", "It is -5 degrees"),
        ("I live in Oslo", "I live in Oslo?"),
        ("我住在北京", "我住在北京？"),
        ("أعيش في القاهرة", "أعيش في القاهرة؟"),
        ("My rating is A", "My rating is A+"),
        ("我住在北京", "我住在北平"),
        ("Room 1 2", "Room 12"),
    ],
)
def test_marks_that_are_read_do(old: str, new: str) -> None:
    """Those within numbers, signs, and question marks."""
    assert not same_words(new, old)
