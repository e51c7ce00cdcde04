"""The intent of a question decides how it is answered: v9's six, in two languages."""

from hypothesis import given
from hypothesis import strategies as st

from cogmem_core.languages.reading import language_told
from cogmem_core.text.query.intent import INTENTS, Intent, classify_intent
from helpers.tables import each_row, each_row_of, rows_of

LABELLED = rows_of("intent/each_question_has_its_intent", "en tr")


@each_row("query, intent, language", LABELLED)
def test_each_question_has_its_intent(query: str, intent: Intent, language: str) -> None:
    """Specification, section 4.2: factual, temporal, causal, entity profile, preference, general."""
    assert classify_intent(query)[0] == intent


def test_both_languages_know_every_intent() -> None:
    """The tables above hold at least 60 English and 30 Turkish questions."""
    for language, least in (("en", 60), ("tr", 30)):
        intents = [intent for _, intent, said in LABELLED if said == language]
        assert set(intents) == set(INTENTS)
        assert len(intents) >= least


def test_a_question_word_in_front_is_surer_than_one_inside() -> None:
    """ "Why" asks for a reason; "what Ana said why" asks for what she said as much."""
    assert classify_intent("Why did I move?") == ("causal", 0.98)
    assert classify_intent("What did Ana say, and why?") == ("causal", 0.57)


def test_a_rival_makes_it_less_sure() -> None:
    """A preference inside of a question for the time."""
    alone, rivalled = (
        classify_intent("When was Ana born?"),
        classify_intent("When did Ana say her favorite colour is red?"),
    )
    assert (alone[0], rivalled[0]) == ("temporal", "temporal")
    assert alone[1] > rivalled[1]


def test_what_matches_nothing_is_general_without_confidence() -> None:
    """Nothing is claimed about a bare topic."""
    assert classify_intent("quarterly budget") == ("general", 0.0)


def test_of_equal_scores_the_fixed_order_decides() -> None:
    """Cause comes before time."""
    assert classify_intent("Why and when did it happen?")[0] == "causal"
    assert INTENTS == ("causal", "temporal", "preference", "entity_profile", "factual", "general")


@each_row_of("intent/the_language_of_a_question_is_that_of_its_words", "en tr")
def test_the_language_of_a_question_is_that_of_its_words(query: str, expected: bool) -> None:
    """A Turkish name does not make a question Turkish."""
    assert (language_told(query) == "tr") is expected


@given(st.text(max_size=200))
def test_the_confidence_is_a_number_between_zero_and_one(query: str) -> None:
    """Whatever is asked; only `general` has none."""
    intent, confidence = classify_intent(query)
    assert 0 <= confidence < 1
    assert (intent == "general") == (confidence == 0)
