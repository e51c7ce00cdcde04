"""Splitting messages into facts: where, and above all where not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cogmem_core.text.sentences import Piece, split_facts
from helpers.tables import each_row


@each_row(
    ("text", "facts"),
    [
        ("I live in Lisbon. I work at Marea.", ["I live in Lisbon.", "I work at Marea."]),
        ("Ana lives in Porto and Rui lives in Braga", ["Ana lives in Porto", "Rui lives in Braga"]),
        (
            "My sister moved to Rome and my brother stayed",
            ["My sister moved to Rome", "my brother stayed"],
        ),
        ("I live in Lisbon and work at Marea", ["I live in Lisbon", "I work at Marea"]),
        ("I like Oslo but I hate Rome", ["I like Oslo", "I hate Rome"]),
        ("I watched Tom and Jerry and Ana slept", ["I watched Tom and Jerry", "Ana slept"]),
        (
            "The server has 16 GB; the client has 8 GB",
            ["The server has 16 GB", "the client has 8 GB"],
        ),
        (
            "Dr. Smith is here. He met J. R. Tolkien.",
            ["Dr. Smith is here.", "He met J. R. Tolkien."],
        ),
        ("I am 40. I live here.", ["I am 40.", "I live here."]),
        (
            "Ayşe Berlin'de yaşıyor ve Mehmet Paris'te çalışıyor",
            ["Ayşe Berlin'de yaşıyor", "Mehmet Paris'te çalışıyor"],
        ),
        ("3. Mayıs günü geldi. Sonra gitti.", ["3. Mayıs günü geldi.", "Sonra gitti."]),
    ],
)
def test_several_facts(text: str, facts: list[str]) -> None:
    """Sentences, and clauses with a verb and a subject or an entity of their own."""
    assert [piece.text for piece in split_facts(text)] == facts


@each_row(
    "text",
    [
        "Tom and Jerry are coming",
        "I like Rock and Roll",
        "Ana said Tom and Jerry are coming",
        "If it rains and Ana comes, we stay",
        "I applied but I didn't get it",
        "I swim every day and it helps me",
        "I like tea but I hate coffee",
        "Searching for a studio has been hard but the help was great",
        'She said "I came and Ana left" to me',
        "He left (Ana stayed and Rui slept) early",
        "I paid 1,000.50 and 3.5 percent",
        "I want to see Rome and visit Oslo",
        "I won't go to Rome and see Ana",
        "My cat likes the sofa and the chair that is red",
        "Do you like Ana and does Rui know?",
        "We bought bread and milk and eggs",
        "Kedi ve köpek severim",
        "Eve geldim ve uyudum",
        "Ayşe geldi ve Mehmet gitti diye duydum",
        "Ich wohne in Berlin; meine Schwester lebt in Rom.",
    ],
)
def test_one_fact_stays_whole(text: str) -> None:
    """Names, quotations, brackets, numbers, questions, what a word governs on both sides; a language without rules."""
    assert [piece.text for piece in split_facts(text)] == [text]


def test_a_piece_knows_its_place() -> None:
    """A subject that was put first is not part of the place."""
    assert split_facts("I live in Lisbon and work at Marea.") == (
        Piece("I live in Lisbon", 0, 16),
        Piece("I work at Marea.", 21, 35),
    )


def test_a_fact_has_at_most_500_characters() -> None:
    """Longer sentences are cut after a comma, and nothing but white space is lost."""
    text = "word, " * 300
    pieces = split_facts(text)
    assert max(len(piece.text) for piece in pieces) <= 500
    assert " ".join(piece.text for piece in pieces) == text.strip()


@given(st.text(alphabet=st.sampled_from("ab I.,;!?\n\"'()and ve but Anaé"), max_size=300))
def test_pieces_are_in_order_and_say_what_stands_there(text: str) -> None:
    """Whatever the text is: spans are apart, and each piece ends with what stands at its place."""
    position = 0
    for piece in split_facts(text):
        assert position <= piece.start < piece.end <= len(text)
        assert piece.text.endswith(text[piece.start : piece.end].strip())
        position = piece.end
