"""What only asks becomes no memory, with or without its question mark; what tells something on the way does."""

import cogmem_core
from cogmem_core.reading.pieces import corrects_what_was_said, is_fragment
from cogmem_core.testing import MANUAL
from cogmem_core.text.query.questions import asks_about_you, only_asks, polarity
from helpers.tables import each_row, each_row_of, rows_of

ASKS = rows_of("asking/asks", "en tr")
TELLS = rows_of("asking/tells", "de en es fr tr")


@each_row("text", ASKS)
def test_it_only_asks(text: str) -> None:
    """What a newcomer is promised: "greetings, questions … become no memory"."""
    assert only_asks(text)


@each_row("text", TELLS)
def test_it_tells_something(text: str) -> None:
    """Taken for a question it would be lost; these look like one, begin like one, or hold one."""
    assert not only_asks(text)


def test_a_question_is_not_found_in_place_of_its_answer() -> None:
    """Asked without a mark, as people do; remembered, it would be the nearest memory to itself."""
    with cogmem_core.open(embedder="hashing", config=MANUAL) as engine:
        bank = engine.bank("ann")
        bank.remember("I am allergic to peanuts.")
        assert bank.remember("what am I allergic to").receipts[0].reason == "question"
        assert [item.content for item in bank.recall("what am I allergic to").results] == [
            "I am allergic to peanuts."
        ]


def test_what_a_question_tells_on_its_way_is_remembered() -> None:
    """Seen: "I am vegan, can you book a table?" was passed over as a question."""
    with cogmem_core.open(embedder="hashing", config=MANUAL) as engine:
        bank = engine.bank("ann")
        bank.remember("I am vegan, can you book a table?")
        assert [memory.content for memory in bank.list()] == ["I am vegan, can you book a table?"]


@each_row_of("asking/hostile_texts_are_read_at_once", "en tr")
def test_hostile_texts_are_read_at_once(part: str) -> None:
    """100,000 characters; every repetition in a pattern is bounded."""
    assert only_asks(part * (100_000 // len(part))) in (True, False)


FRAGMENTS = rows_of("asking/fragments")
SENTENCES = rows_of("asking/sentences", "en tr")


@each_row("text", FRAGMENTS)
def test_a_piece_of_a_sentence_needs_its_question(text: str) -> None:
    """What such a text says depends on what was asked."""
    assert is_fragment(text)


@each_row("text", SENTENCES)
def test_a_sentence_says_enough(text: str) -> None:
    """Longer texts and those with a verb of their own are the same whatever was asked."""
    assert not is_fragment(text)


ABOUT_YOU = rows_of("asking/about_you", "en tr")
OFFERS = rows_of("asking/offers", "en tr")


@each_row("question", ABOUT_YOU)
def test_a_yes_to_it_tells_a_fact(question: str) -> None:
    """What a person is, has and does."""
    assert asks_about_you(question)


@each_row("question", OFFERS)
def test_a_yes_to_it_tells_no_fact(question: str) -> None:
    """Offers, checks, and what is not to be answered by yes or no."""
    assert not asks_about_you(question)


@each_row_of("asking/yes_and_no", "en tr")
def test_yes_and_no(text: str, expected: bool | None) -> None:
    """What answers an offer politely is neither."""
    assert polarity(text) is expected


@each_row_of("asking/what_corrects_what_was_just_said", "en tr")
def test_what_corrects_what_was_just_said(text: str, corrects: bool) -> None:
    assert corrects_what_was_said(text) is corrects
