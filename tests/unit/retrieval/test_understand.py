"""A query, read once: what it asks, of whom, and what sort of answer it wants."""

import gc
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogmem_core.retrieval.understand import Named, Question, understand
from cogmem_core.text.query.speaker_names import SpeakerNames
from helpers.tables import each_row_of

SPEAKERS = ("Caroline", "Melanie", "Ayşe", "Ana Silva", "Ana Costa")


def _calls(work: Callable[[], object]) -> Counter[str]:
    """How often a piece of work calls each function, of Python and of C.

    Nothing is collected meanwhile: hypothesis has functions called when garbage is.
    """
    counts: Counter[str] = Counter()

    def note(frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            counts[frame.f_code.co_name] += 1
        elif event == "c_call":
            counts[getattr(argument, "__qualname__", "")] += 1

    former = sys.getprofile()
    gc.disable()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(former)
        gc.enable()
    return counts


def test_a_question_is_read_as_a_whole() -> None:
    """Every attribute at once."""
    question = understand(
        "When did Caroline install Docker and where does Melanie work?", speakers=SPEAKERS
    )
    assert question.text == "When did Caroline install Docker and where does Melanie work?"
    assert (question.intent, question.trivial) == ("temporal", "")
    assert question.parts == ("When did Caroline install Docker?", "Where does Melanie work?")
    assert question.names == (
        Named("Caroline", "entity://person/caroline"),
        Named("Docker", "entity://tech/docker"),
        Named("Melanie", "entity://person/melanie"),
    )
    assert question.speakers == ("Caroline", "Melanie")
    assert (question.asks_when, question.about_self) == (True, False)


@pytest.mark.parametrize("query", ["hi", "ok, thanks!", "  "])
def test_a_trivial_query_has_nothing_else(query: str) -> None:
    """Specification, section 4.1: it needs no look-up."""
    question = understand(query, speakers=SPEAKERS)
    assert question.trivial
    assert question == Question(query, trivial=question.trivial)


class TestSpeakers:
    @each_row_of("query/speakers_are_found_however_they_are_written", "en tr")
    def test_speakers_are_found_however_they_are_written(
        self, query: str, expected: tuple[str, ...]
    ) -> None:
        """Any case, possessives, Turkish case endings, nicknames; a first name that two share is nobody's."""
        assert understand(query, speakers=SPEAKERS).speakers == expected

    def test_a_first_name_is_enough_where_it_is_one_persons(self) -> None:
        """Only one Ana speaks here."""
        assert understand("How old is Ana?", speakers=["Ana Silva", "Bob"]).speakers == (
            "Ana Silva",
        )

    def test_months_are_no_nicknames(self) -> None:
        """May is no Maya."""
        assert understand("What happened in May?", speakers=["Maya"]).speakers == ()

    def test_ten_thousand_speakers_cost_no_more_than_ten(self) -> None:
        """Names are folded when speakers come, not at each question: it counts calls of functions."""
        counts = []
        question = "What did Name00007 tell Nam and Bob last summer?"
        for number in (10, 10_000):
            names = SpeakerNames(f"Name{n:05} Family{n:05}" for n in range(number))
            understand(question, speakers=names)
            counts.append(_calls(partial(understand, question, speakers=names)))
        few, many = counts
        assert many == few

    def test_speakers_come_and_go(self) -> None:
        """A first name is nobody's while two have it; of names that fold alike the last one counts."""
        names = SpeakerNames(["Ana Silva"])
        query = "How old is Ana, and how old is Jos\u00e9?"
        assert understand(query, speakers=names).speakers == ("Ana Silva",)
        for name in ("Ana Costa", "Jose", "Jos\u00e9", "Jose"):
            names.add(name)
        assert understand(query, speakers=names).speakers == ("Jos\u00e9",)
        for name in ("Ana Silva", "Jos\u00e9", "nobody"):
            names.remove(name)
        assert understand(query, speakers=names).speakers == ("Ana Costa", "Jose")
        assert sorted(names) == ["Ana Costa", "Jose"]

    def test_without_speakers_there_are_none(self) -> None:
        """Names stay names."""
        question = understand("What did Caroline do?")
        assert question.speakers == ()
        assert question.names == (Named("Caroline", "entity://person/caroline"),)


@each_row_of("query/whether_the_answer_is_a_date", "en tr")
def test_whether_the_answer_is_a_date(query: str, expected: bool) -> None:
    """ "When", "what date", "how long ago", `ne zaman`."""
    assert understand(query).asks_when is expected


@each_row_of("query/whether_it_is_in_the_first_person", "en tr")
def test_whether_it_is_in_the_first_person(query: str, expected: bool) -> None:
    """Pronouns in English; in Turkish also the endings of verbs and nouns."""
    assert understand(query).about_self is expected


@given(st.text(max_size=150))
def test_any_text_is_understood(query: str) -> None:
    """Whatever is asked; a query that is not trivial has 1 to 4 parts."""
    question = understand(query, speakers=SPEAKERS)
    assert bool(question.trivial) == (not question.parts)
    assert len(question.parts) <= 4
