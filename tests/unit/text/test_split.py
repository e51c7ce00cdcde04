"""Splitting messages into facts: where, and above all where not."""

from hypothesis import given
from hypothesis import strategies as st

from cogmem_core.text.sentences import Piece, split_facts
from helpers.tables import each_row_of


@each_row_of("split/several_facts", "en tr")
def test_several_facts(text: str, facts: list[str]) -> None:
    """Sentences, and clauses with a verb and a subject or an entity of their own."""
    assert [piece.text for piece in split_facts(text)] == facts


@each_row_of("split/one_fact_stays_whole", "de en tr")
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
