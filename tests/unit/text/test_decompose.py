"""Compound questions become two to four that stand on their own; all others stay whole."""

from hypothesis import given, settings
from hypothesis import strategies as st

from cogmem_core.languages.reading import codes_of, reading
from cogmem_core.text.query.decompose import CONJUNCTIONS, decompose
from cogmem_core.text.tokens import tokens
from helpers.servers import examples
from helpers.tables import each_row_of


@each_row_of("decompose/questions_in_a_row_are_cut_apart")
def test_questions_in_a_row_are_cut_apart(query: str, parts: tuple[str, ...]) -> None:
    """V9: several question marks, "and also", conjunctions with distinct entities."""
    assert decompose(query) == parts


@each_row_of("decompose/what_is_shared_is_carried_over")
def test_what_is_shared_is_carried_over(query: str, parts: tuple[str, ...]) -> None:
    """Each part is understood without the others."""
    assert decompose(query) == parts


@each_row_of("decompose/joined_names_are_asked_about_one_by_one")
def test_joined_names_are_asked_about_one_by_one(query: str, parts: tuple[str, ...]) -> None:
    """The verb agrees with one name."""
    assert decompose(query) == parts


@each_row_of("decompose/turkish_is_cut_as_well", "tr")
def test_turkish_is_cut_as_well(query: str, parts: tuple[str, ...]) -> None:
    """`ve ayrıca`, `bir de`, `hem … hem de`."""
    assert decompose(query) == parts


@each_row_of("decompose/in_doubt_a_question_stays_whole", "en tr")
def test_in_doubt_a_question_stays_whole(query: str) -> None:
    """One subject, a unit, a relative clause, or a word that leans on the other half."""
    assert decompose(query) == (query,)


def test_there_are_never_more_than_four_parts() -> None:
    """Specification, section 4.3: 2-4 sub-queries; the last one holds the rest."""
    assert decompose("Who is Ana? Who is Bob? Who is Carl? Who is Dan? Who is Eve?") == (
        "Who is Ana?",
        "Who is Bob?",
        "Who is Carl?",
        "Who is Dan? Who is Eve?",
    )


def test_the_same_question_twice_is_one() -> None:
    """Twice the same candidates would only count twice."""
    assert decompose("Where do I live? Where do I live?") == ("Where do I live? Where do I live?",)


def test_a_long_text_is_no_compound_question() -> None:
    """More than 600 characters are left whole."""
    query = "Where do I live? What is my job? " + "x" * 600
    assert decompose(query) == (query,)


WORDS = """
When where did does do Ana Bob Caroline's Melanie move work, and also and ; ? ve ayrıca bir de hem nerede yaşıyor
ne zaman she her my job the dog both tell me about I it live like tea what is
"""
PIECES = st.lists(st.sampled_from(WORDS.split()), max_size=25)


@settings(max_examples=examples(40))
@given(PIECES.map(" ".join) | st.text(max_size=120))
def test_no_word_of_content_is_lost(query: str) -> None:
    """The index tokens of the parts are those of the query, conjunctions apart; one to four parts."""
    with reading(codes_of(query)):
        parts = decompose(query)
        kept = {token for part in parts for token in tokens(part)}
        dropped = {token for word in CONJUNCTIONS for token in tokens(word)}
        asked = set(tokens(query))
    assert 1 <= len(parts) <= 4
    assert asked - dropped <= kept <= asked
