"""Compound questions become two to four that stand on their own; all others stay whole."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from cogmem_core.text.query.decompose import CONJUNCTIONS, decompose
from cogmem_core.text.tokens import tokens
from helpers.tables import each_row


@each_row(
    ("query", "parts"),
    [
        ("Where do I live? What is my job?", ("Where do I live?", "What is my job?")),
        ("where do I live; what is my dog called", ("Where do I live", "What is my dog called")),
        (
            "When did Caroline move and where does Melanie work?",
            ("When did Caroline move?", "Where does Melanie work?"),
        ),
        (
            "Does Ana like tea and does Bob like coffee?",
            ("Does Ana like tea?", "Does Bob like coffee?"),
        ),
        (
            "In May, what did Ana do and where did Bob go?",
            ("In May, what did Ana do?", "Where did Bob go?"),
        ),
        ("What is my job and also my salary?", ("What is my job?", "What is my salary?")),
        ("Tell me about my job and also my dog", ("Tell me about my job", "Tell me about my dog")),
        ("Where do I live and also what is my job?", ("Where do I live?", "What is my job?")),
    ],
)
def test_questions_in_a_row_are_cut_apart(query: str, parts: tuple[str, ...]) -> None:
    """V9: several question marks, "and also", conjunctions with distinct entities."""
    assert decompose(query) == parts


@each_row(
    ("query", "parts"),
    [
        ("When and where did Ana move?", ("When did Ana move?", "Where did Ana move?")),
        ("When did Caroline move and why?", ("When did Caroline move?", "Why did Caroline move?")),
        (
            "When did Caroline move and why did she leave?",
            ("When did Caroline move?", "Why did Caroline leave?"),
        ),
        (
            "What is Ana's job and what does her dog eat?",
            ("What is Ana's job?", "What does Ana's dog eat?"),
        ),
        (
            "When did Caroline move? Where does she work?",
            ("When did Caroline move?", "Where does Caroline work?"),
        ),
        (
            "Do you remember what I said and why I left?",
            ("Do you remember what I said?", "Do you remember why I left?"),
        ),
        (
            "Where does Ana work, what does she earn, and when did she start?",
            ("Where does Ana work?", "What does Ana earn?", "When did Ana start?"),
        ),
    ],
)
def test_what_is_shared_is_carried_over(query: str, parts: tuple[str, ...]) -> None:
    """Each part is understood without the others."""
    assert decompose(query) == parts


@each_row(
    ("query", "parts"),
    [
        ("What do Ana and Bob like?", ("What does Ana like?", "What does Bob like?")),
        (
            "What did Ana, Bob and Carl eat?",
            ("What did Ana eat?", "What did Bob eat?", "What did Carl eat?"),
        ),
        ("Do Ana and Bob like tea?", ("Does Ana like tea?", "Does Bob like tea?")),
        (
            "Which city have both Jean and John visited?",
            ("Which city has Jean visited?", "Which city has John visited?"),
        ),
        (
            "What are Ana's and Bob's hobbies?",
            ("What are Ana's hobbies?", "What are Bob's hobbies?"),
        ),
        (
            "Tell me about Docker and Kubernetes",
            ("Tell me about Docker", "Tell me about Kubernetes"),
        ),
    ],
)
def test_joined_names_are_asked_about_one_by_one(query: str, parts: tuple[str, ...]) -> None:
    """The verb agrees with one name."""
    assert decompose(query) == parts


@each_row(
    ("query", "parts"),
    [
        (
            "Caroline ne zaman taşındı ve Melanie nerede çalışıyor?",
            ("Caroline ne zaman taşındı?", "Melanie nerede çalışıyor?"),
        ),
        (
            "Caroline ne zaman taşındı ve nerede çalışıyor?",
            ("Caroline ne zaman taşındı?", "Caroline nerede çalışıyor?"),
        ),
        (
            "Nerede oturuyorum ve ayrıca ne iş yapıyorum?",
            ("Nerede oturuyorum?", "Ne iş yapıyorum?"),
        ),
        ("Nerede yaşıyorum, bir de maaşım ne?", ("Nerede yaşıyorum?", "Maaşım ne?")),
        ("Hem Ayşe'nin hem de Ali'nin yaşı kaç?", ("Ayşe'nin yaşı kaç?", "Ali'nin yaşı kaç?")),
        (
            "Ayşe hem nerede çalışıyor hem de nerede yaşıyor?",
            ("Ayşe nerede çalışıyor?", "Ayşe nerede yaşıyor?"),
        ),
        ("Ayşe ve Ali nerede yaşıyor?", ("Ayşe nerede yaşıyor?", "Ali nerede yaşıyor?")),
        ("Nerede yaşıyorum? Köpeğimin adı ne?", ("Nerede yaşıyorum?", "Köpeğimin adı ne?")),
    ],
)
def test_turkish_is_cut_as_well(query: str, parts: tuple[str, ...]) -> None:
    """`ve ayrıca`, `bir de`, `hem … hem de`."""
    assert decompose(query) == parts


@each_row(
    "query",
    [
        "Where do I live?",
        "What do Jon and Gina both have in common?",
        "When did Caroline and Melanie go to a pride festival together?",
        "How did Ana and Bob meet?",
        "What did Mel and her kids make during the pottery workshop?",
        "Who wrote Romeo and Juliet?",
        "Did I say yes; or no?",
        'Did Ana read "War and what is Peace"?',
        "What did Ana say about Bob, who is her boss?",
        "Where do I keep my keys and passport?",
        "Is Ana happy and healthy?",
        "Why did John start blogging about politics and policies?",
        "When did I buy the car and how much did it cost?",
        "Where is my bike? When did I buy it?",
        "When did Ana meet Maria and where does she live?",
        "I moved last year. Where do I live now?",
        "Ayşe ve Ali nerede tanıştı, birlikte mi yaşıyorlar?",
        "Annem ve babam nerede yaşıyor?",
        "docker and kubernetes",
        "",
        "???",
        "and",
    ],
)
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


@settings(max_examples=400)
@given(PIECES.map(" ".join) | st.text(max_size=120))
def test_no_word_of_content_is_lost(query: str) -> None:
    """The index tokens of the parts are those of the query, conjunctions apart; one to four parts."""
    parts = decompose(query)
    kept = {token for part in parts for token in tokens(part)}
    dropped = {token for word in CONJUNCTIONS for token in tokens(word)}
    assert 1 <= len(parts) <= 4
    assert set(tokens(query)) - dropped <= kept
    assert kept <= set(tokens(query))
