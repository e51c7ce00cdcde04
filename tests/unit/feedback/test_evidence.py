"""The ladder of evidence: what shows that an answer was made of a memory, and what does not."""

import pytest

from cogmem_core.embedders.hashing import HashingEmbedder
from cogmem_core.embedders.minilm import MiniLM
from cogmem_core.errors import EmbedderUnavailable
from cogmem_core.feedback.evidence import confirmed, residue, spoken, traces
from cogmem_core.feedback.ladder import Answer, find_evidence
from cogmem_core.ports import FloatArray
from helpers.tables import each_row_of, rows_of

BANK = rows_of("evidence/bank")
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


@each_row_of("evidence/short_answers_name_the_memory_they_come_from")
def test_short_answers_name_the_memory_they_come_from(
    question: str, answer: str, expected: dict[str, str]
) -> None:
    """Short words and numbers count, number words are figures, and the question's words say nothing."""
    assert used(BANK, answer, question) == expected


@each_row_of("evidence/values_tell_apart_what_is_worded_alike", "en ja tr")
def test_values_tell_apart_what_is_worded_alike(
    texts: list[str], answer: str, expected: set[str], question: str
) -> None:
    """A memory whose number or date, or name if it is asked for, the answer replaced was not used."""
    assert set(used(texts, answer, question)) == expected


@each_row_of("evidence/twins_share_the_credit_as_one", "en tr")
def test_twins_share_the_credit_as_one(texts: list[str], answer: str, expected: list[int]) -> None:
    """What several memories say alike does not speak against any of them."""
    found = find_evidence(texts, [0.5] * len(texts), Answer(answer, ""), HASHING)
    assert [place for place, item in enumerate(found) if item.evidence] == expected


@each_row_of("evidence/what_is_unknown_or_declined_shows_nothing")
def test_what_is_unknown_or_declined_shows_nothing(answer: str, kept: str) -> None:
    """Thoughts, refusals and what is not known are no use of a memory."""
    assert spoken(answer).strip() == kept


@each_row_of("evidence/a_yes_or_no_confirms_the_one_memory_it_is_about", "en tr")
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


@each_row_of("evidence/what_tools_were_given_is_evidence")
def test_what_tools_were_given_is_evidence(arguments: str, expected: list[str]) -> None:
    """Also where the model said nothing to anybody."""
    texts = ["I live in Lisbon.", "Our reports lie in /srv/harbour/reports."]
    found = find_evidence(texts, [0.5, 0.5], Answer("", "Book it.", arguments), HASHING)
    assert [item.evidence for item in found] == expected


@each_row_of("evidence/meaning_decides_where_few_words_speak", "en tr")
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
