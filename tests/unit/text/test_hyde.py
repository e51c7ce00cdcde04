"""Hypothetical answers: what a memory that answers the question might look like."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cogmem_core.text.query.hyde import HydeIntent, hyde_intent, hypothetical
from helpers.tables import each_row


@each_row(
    ("query", "intent"),
    [
        ("What is Docker?", "definition"),
        ("What does API mean?", "definition"),
        ("Define idempotency", "definition"),
        ("Docker nedir?", "definition"),
        ("API ne demek?", "definition"),
        ("How do I install Docker?", "howto"),
        ("How to bake bread?", "howto"),
        ("What are the steps to renew a passport?", "howto"),
        ("Docker nasıl kurulur?", "howto"),
        ("Nasıl kayıt olurum?", "howto"),
        ("Why did Jon shut down his bank account?", "reasoning"),
        ("What motivated Caroline to pursue counseling?", "reasoning"),
        ("Neden işten ayrıldım?", "reasoning"),
        ("Where do I live?", "lookup"),
        ("Who is my dentist?", "lookup"),
        ("When did Caroline move?", "lookup"),
        ("How many kids does Ana have?", "lookup"),
        ("Nerede yaşıyorum?", "lookup"),
        ("Köpeğimin adı ne?", "lookup"),
        ("Adım nedir?", "lookup"),
        ("Which port does the server use?", "technical"),
        ("What was the error in the deploy script?", "technical"),
        ("Sunucu ayarları ne?", "technical"),
        ("What is Gina's favorite style of dance?", "preference"),
        ("Do I like tea?", "preference"),
        ("En sevdiğim renk ne?", "preference"),
        ("Ayşe hangi filmleri sever?", "preference"),
        ("What did Caroline research?", "general"),
        ("my trip to Japan", "general"),
        ("Ayşe dün ne yaptı?", "general"),
        ("", "general"),
    ],
)
def test_each_question_wants_one_kind_of_answer(query: str, intent: HydeIntent) -> None:
    """V9: definition, howto, reasoning, lookup, technical, preference, general; EN and TR."""
    assert hyde_intent(query) == intent


@each_row(
    ("query", "documents"),
    [
        ("What is Docker?", ("Docker is a kind of", "Docker means that", "Docker is used for")),
        (
            "How do I install Docker?",
            (
                "To install Docker, first",
                "The steps to install Docker are",
                "It was explained how to install Docker",
            ),
        ),
        (
            "Where does Caroline work?",
            ("Caroline works in", "Caroline works at", "Caroline works, a place"),
        ),
        (
            "What did Caroline research?",
            ("Caroline research", "It was mentioned that Caroline research"),
        ),
        (
            "Docker nedir?",
            ("Docker bir çeşit", "Docker şu anlama gelir", "Docker şunun için kullanılır"),
        ),
        (
            "Caroline ne zaman taşındı?",
            ("Caroline taşındı dün", "Caroline taşındı geçen hafta", "Caroline taşındı o gün"),
        ),
    ],
)
def test_templates_are_filled_with_the_words_of_content(
    query: str, documents: tuple[str, ...]
) -> None:
    """Question words and auxiliaries are gone, in the language of the question."""
    assert hypothetical(query) == documents


@each_row(
    ("query", "first"),
    [
        ("Where do I live?", "User lives in"),
        ("Who is my dentist?", "User's dentist"),
        ("Do I like tea?", "User likes tea a lot"),
        ("Nerede yaşıyorum?", "User yaşıyor şehrinde"),
        ("How many kids does Ana have?", "kids Ana has"),
    ],
)
def test_the_first_person_becomes_the_user(query: str, first: str) -> None:
    """Memories are in the third person."""
    assert hypothetical(query)[0] == first


@each_row("query", ["", "???", "What is it?", "Why?", "ne zaman?", "how do I do it"])
def test_without_content_there_is_nothing_to_imagine(query: str) -> None:
    """A template alone would draw every query to the same place."""
    assert hypothetical(query) == ()


def test_braces_in_a_question_are_text() -> None:
    """A query is no template."""
    assert hypothetical("Where is {topic} {0}?")[0] == "{topic} {0} in"


@given(st.text(max_size=200))
def test_documents_are_few_and_different(query: str) -> None:
    """At most three, none twice, none blank."""
    documents = hypothetical(query)
    assert len(documents) <= 3
    assert len(set(documents)) == len(documents)
    assert all(document.strip() for document in documents)
