"""The ladder of evidence: what shows that an answer was made of a memory, and what does not."""

from __future__ import annotations

import pytest

from cogmem_core.embedders.hashing import HashingEmbedder
from cogmem_core.embedders.minilm import MiniLM
from cogmem_core.errors import EmbedderUnavailable
from cogmem_core.feedback.ladder import Answer, find_evidence
from cogmem_core.ports import FloatArray
from cogmem_core.text.evidence import confirmed, residue, spoken, traces
from helpers.tables import each_row

BANK = [
    "My sister Lena lives in Oslo with her two cats.",
    "My left knee hurts when I run downhill.",
    "My daughter Mia is six and goes to the German school.",
    "My car is a red Volvo and its plate is KX 4471.",
    "The rent is 1,250 euros and due on the fifth of each month.",
    "My husband teaches mathematics at a secondary school.",
]
HASHING = HashingEmbedder()


def used(texts: list[str], answer: str, question: str = "", prior: float = 0.5) -> dict[str, str]:
    """The first words of each memory that the answer used → what shows it; no meaning counts."""
    given = Answer(answer, question)
    found = find_evidence(texts, [prior] * len(texts), given, HASHING)
    return {
        " ".join(text.split()[:3]): item.evidence
        for text, item in zip(texts, found, strict=True)
        if item.evidence
    }


@each_row(
    ("question", "answer", "expected"),
    [
        ("Where does my sister live?", "Oslo.", {"My sister Lena": "quotation"}),
        ("What is my licence plate?", "KX 4471.", {"My car is": "quotation"}),
        ("Why not run?", "Because of the left knee.", {"My left knee": "own words"}),
        ("How old is Mia?", "Six.", {"My daughter Mia": "quotation"}),
        ("How old is Mia?", "She is 6 years old.", {"My daughter Mia": "quotation"}),
        ("When is the rent due?", "By the 5th.", {"The rent is": "quotation"}),
        ("How much is the flat?", "€1250 each month.", {"The rent is": "quotation"}),
        ("What is his job?", "He's a maths teacher.", {"My husband teaches": "own words"}),
        ("What car?", '{"colour": "red", "brand": "Volvo"}', {"My car is": "quotation"}),
        ("Was lehrt er?", "Mathematik.", {"My husband teaches": "own words"}),
        ("Where is Norway's parliament?", "I don't know.", {}),
        ("How do I help?", "Done.", {}),
        ("Book a table.", "Yes.", {}),
        ("What's up?", "", {}),
    ],
)
def test_short_answers_name_the_memory_they_come_from(
    question: str, answer: str, expected: dict[str, str]
) -> None:
    """Short words and numbers count, number words are figures, and the question's words say nothing."""
    assert used(BANK, answer, question) == expected


@each_row(
    ("texts", "answer", "expected"),
    [
        (["Room 12", "Room 31"], "You are in room 31.", {"Room 31"}),
        (["+44 20 7946 0733", "+44 20 7946 0018"], "Call +44 20 7946 0733.", {"+44 20 7946"}),
        (["Train at 9:15", "Train at 10:40"], "The train leaves at 10:40.", {"Train at 10:40"}),
        (["Gym on Monday", "Choir on Friday"], "See you at the gym on Monday.", {"Gym on Monday"}),
        (["Oda 204", "Oda 117"], "117 numaralı oda hazır.", {"Oda 117"}),
        (["Zeytin kedimiz", "Bursa'da yaşıyor"], "Zeytin için mama aldım.", {"Zeytin kedimiz"}),
        # A small figure alone is no evidence in a longer text.
        (["Three kittens", "Baking"], "Write the three things that matter on paper first.", set()),
        # A part of a word is little, and so are words of another matter.
        (["Owns a blackboard", "Has a kayak"], "Ask the board of the club about it.", set()),
        (["好きな飲み物は抹茶ラテ", "趣味は登山"], "登山が趣味ですね。", {"趣味は登山"}),
    ],
)
def test_values_tell_apart_what_is_worded_alike(
    texts: list[str], answer: str, expected: set[str]
) -> None:
    """A memory whose own number or date the answer replaced by another one was not used."""
    assert set(used(texts, answer)) == expected


@each_row(
    ("texts", "answer", "expected"),
    [
        (["I live in Lyon.", "I live in Lyon.", "I own a kayak."], "You live in Lyon.", [0, 1]),
        (["I love teal.", "I like teal.", "I own a kayak."], "Teal, your favourite.", [0, 1]),
        (["İzmir'de oturuyorum.", "İzmir'de oturuyorum."], "İzmir'de oturuyorsunuz.", [0, 1]),
    ],
)
def test_twins_share_the_credit_as_one(texts: list[str], answer: str, expected: list[int]) -> None:
    """What several memories say alike does not speak against any of them."""
    found = find_evidence(texts, [0.5] * len(texts), Answer(answer, ""), HASHING)
    assert [place for place, item in enumerate(found) if item.evidence] == expected


@each_row(
    ("answer", "kept"),
    [
        ("<think>Lena lives in Oslo</think>She moved.", "She moved."),
        ("[THINK]Oslo[/THINK]Hello.", "Hello."),
        ("<reasoning>never closed Oslo", ""),
        ("I don't know where Lena lives.", ""),
        (
            "I don't know the code, but the sticker is on the fridge.",
            "but the sticker is on the fridge.",
        ),
        ("The tap drips, the cause is unknown to me.", "The tap drips,"),
        ("I don't know more than what you told me about Moonfish.",) * 2,
        ("You have never told me your age.", ""),
        ("The code is 4482. I won't share it.", ""),
        ("I leave the diagnosis aside.", ""),
        ("Buy bread. I won't mention the salary.", "Buy bread."),
        ("Maaşını bilmiyorum.", ""),
        ("Plakası 34 ABC 12. Onu kullanmıyorum.", "Plakası 34 ABC 12."),
        ("Adres kayıtlı. Ama paylaşmayacağım onu.", ""),
        ("First.\nSecond.", "First.\nSecond."),
    ],
)
def test_what_is_unknown_or_declined_shows_nothing(answer: str, kept: str) -> None:
    """Thoughts, refusals and what is not known are no use of a memory."""
    assert spoken(answer).strip() == kept


@each_row(
    ("memories", "question", "answer", "place"),
    [
        (["I am allergic to walnuts.", "I like tea."], "Am I allergic to walnuts?", "Yes.", 0),
        (["I like tea.", "I gave up alcohol."], "Do I still drink alcohol?", "No.", 1),
        (["I am vegetarian."], "Am I vegetarian? Answer as JSON.", '{"vegetarian": true}', 0),
        (["Vejetaryenim.", "Çayı severim."], "Vejetaryen miyim?", "Evet.", 0),
        (["Lena lives in Oslo"], "Does Lena live in Oslo?", "Yes, Lena lives there.", 0),
        (["Are you vegan?"], "Am I vegan?", "You are vegan.", 0),
        # Not clear which, or whether.
        (["I eat fish.", "My cat eats fish."], "Do I eat fish?", "Yes.", None),
        (["My dentist is Dr. Costa."], "Can you book the dentist?", "Yes.", None),
        (["My dentist is Dr. Costa."], "Do I need a coat?", "Yes.", None),
        (["My dentist is Dr. Costa."], "", "Yes.", None),
        (["I like tea."], "Do I like tea?", "Some do.", None),
    ],
)
def test_a_yes_or_no_confirms_the_one_memory_it_is_about(
    memories: list[str], question: str, answer: str, place: int | None
) -> None:
    """Only a question that asks whether, and one memory alone that holds its words."""
    assert confirmed(memories, answer, question=question) == place


@pytest.mark.parametrize(("prior", "evidence"), [(0.1, ""), (0.2, "confirmation")])
def test_a_confirmation_needs_a_likely_memory(prior: float, evidence: str) -> None:
    """It has to be the best result, and recall at least a little sure of it."""
    (found,) = find_evidence(["I am vegan."], [prior], Answer("Yes.", "Am I vegan?"), HASHING)
    assert found.evidence == evidence


@each_row(
    ("arguments", "expected"),
    [
        ('{"to": "Lisbon", "via": "train"}', ["tool argument", ""]),
        ('{"path": "/srv/harbour/reports"}', ["", "tool argument"]),
        ('{"limit": 10}', ["", ""]),
    ],
)
def test_what_tools_were_given_is_evidence(arguments: str, expected: list[str]) -> None:
    """Also where the model said nothing to anybody."""
    texts = ["I live in Lisbon.", "Our reports lie in /srv/harbour/reports."]
    found = find_evidence(texts, [0.5, 0.5], Answer("", "Book it.", arguments), HASHING)
    assert [item.evidence for item in found] == expected


@each_row(
    ("texts", "answer", "expected"),
    [
        (
            ["User sleeps badly", "User runs a bakery"],
            "A cup of decaf after dinner will keep you from lying awake.",
            ["nearness", ""],
        ),
        (
            ["Et yemiyor", "Mutfağında fırın yok"],
            "Tarife kıyma yerine mercimek koydum, size uygun olsun diye.",
            ["nearness", ""],
        ),
        (
            ["User drives a van", "User's aunt is a judge"],
            "The speed of sound is 340 metres a second.",
            ["", ""],
        ),
    ],
)
def test_meaning_decides_where_few_words_speak(
    minilm: MiniLM, texts: list[str], answer: str, expected: list[str]
) -> None:
    """Words of one matter and nearness of what is left together; neither is enough alone."""
    found = find_evidence(texts, [0.5, 0.5], Answer(answer, ""), minilm)
    assert [item.evidence for item in found] == expected


class Broken(HashingEmbedder):
    """An embedder whose server is away."""

    def embed_documents(self, texts: object) -> FloatArray:
        """Fail."""
        raise EmbedderUnavailable("away")


def test_without_an_embedder_words_decide() -> None:
    """An embedder that fails costs the nearness and nothing else."""
    texts = ["User is allergic to shellfish", "User plays the banjo"]
    answer = Answer("Better leave out the prawns; take your banjo.", "")
    found = find_evidence(texts, [0.5, 0.5], answer, Broken())
    assert [item.evidence for item in found] == ["", "own words"]


def test_the_residue_has_no_word_of_the_question() -> None:
    """What memory and answer say beside it."""
    assert residue("My car is a red Volvo.", "What car is mine?") == "My a red Volvo."


def test_a_trace_names_what_was_found() -> None:
    """The memory's own words, and those that no other memory holds."""
    first, second = traces(
        ["Lena lives in Oslo", "Lena works in Bergen"],
        "Lena is in Bergen on 3 May.",
        question="Where is Lena?",
        alike=[{0}, {1}],
    )
    assert (first.hits, first.share, first.best) == ((), pytest.approx(1 / 13.25, abs=0.1), False)
    assert (second.hits, second.exact, second.own) == (("bergen",), ("bergen",), 3)
    assert (second.apart, second.telling, second.conflict, second.best) == (True, True, False, True)


def test_words_of_two_languages_that_sound_alike_are_one() -> None:
    """An answer in Spanish was made of a memory in English."""
    answer = "Tu marido da clases de matemática en secundaria."
    assert used(BANK, answer, "¿Qué enseña mi marido?") == {"My husband teaches": "own words"}
