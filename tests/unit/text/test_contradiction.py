"""Contradictions told without a language model: 128 labelled pairs, half of them look-alikes, English and Turkish."""

from __future__ import annotations

from cogmem_core.text.compare import (
    Attribute,
    announces_correction,
    attribute_of,
    contradicts,
    is_negative,
)
from cogmem_core.text.compare.wording import language_of
from helpers.tables import each_row, each_row_of, rows_of

CONTRADICTIONS = rows_of("contradiction/contradictions", "en tr")

LOOK_ALIKES = rows_of("contradiction/look_alikes", "de en es tr")


@each_row(("new", "old"), CONTRADICTIONS)
def test_a_changed_value_or_a_denial_is_a_contradiction(new: str, old: str) -> None:
    """Another value of one attribute, something that ended, a denial, or a correction."""
    assert contradicts(new, old, same_speaker=True) is not None


@each_row(("new", "old"), LOOK_ALIKES)
def test_look_alikes_about_different_things_are_left_alone(new: str, old: str) -> None:
    """Other people, other things, other times, plans, the past and questions contradict nothing."""
    assert contradicts(new, old, same_speaker=True) is None


@each_row("text", sorted({text for pair in CONTRADICTIONS + LOOK_ALIKES for text in pair}))
def test_nothing_contradicts_itself(text: str) -> None:
    """A statement repeated is no contradiction."""
    assert contradicts(text, text, same_speaker=True) is None


@each_row_of("contradiction/a_plain_statement_is_read_as_subject_attribute_and_value", "en tr")
def test_a_plain_statement_is_read_as_subject_attribute_and_value(
    text: str, attribute: tuple[str, str, str]
) -> None:
    """Whose it is, what it is, and its value, folded."""
    assert attribute_of(text) == Attribute(*attribute)


@each_row_of("contradiction/what_is_not_plain_has_no_attribute")
def test_what_is_not_plain_has_no_attribute(text: str) -> None:
    """The past, wishes, questions, hearsay and judgements are not read."""
    assert attribute_of(text) is None


def test_two_speakers_do_not_contradict_each_other() -> None:
    """ "I" is another person when another person says it; names stay the same."""
    assert contradicts("I live in Porto", "I live in Lisbon", same_speaker=False) is None
    assert contradicts("Ana lives in Porto", "Ana lives in Lisbon", same_speaker=False) is not None
    assert (
        contradicts("Pardon, kızım altı yaşında", "Kızım beş yaşında", same_speaker=False) is None
    )


def test_a_contradiction_says_why() -> None:
    """The log needs the attribute, the subject and both values."""
    found = contradicts("I live in Porto", "I live in Lisbon", same_speaker=True)
    assert found is not None
    assert (found.kind, found.reason) == ("value", "residence of speaker: lisbon, now porto")


@each_row_of("contradiction/a_contradiction_says_whether_both_are_about_one_attribute")
def test_a_contradiction_says_whether_both_are_about_one_attribute(
    new: str, old: str, expected: bool
) -> None:
    """ "or of equal subject and attribute": then no similarity of vectors is needed."""
    found = contradicts(new, old, same_speaker=True)
    assert found is not None
    assert found.same_attribute is expected


@each_row_of("contradiction/language", "en tr")
def test_language(text: str, expected: str) -> None:
    """Function words, letters and verbs tell; a name alone does not."""
    assert language_of(text) == expected


def test_switching_back_needs_the_old_value_or_similarity() -> None:
    """Without the old value in the text, only very similar statements are taken for the same choice."""
    pair = ("I switched back to Emacs", "I use Vim as my editor")
    assert contradicts(*pair, same_speaker=True) is None
    assert contradicts(*pair, same_speaker=True, similarity=0.8) is not None


@each_row_of("contradiction/correction_cues", "en tr")
def test_correction_cues(text: str, expected: bool) -> None:
    """Words that announce a correction, English and Turkish."""
    assert announces_correction(text) is expected


@each_row_of("contradiction/negation", "en tr")
def test_negation(text: str, expected: bool) -> None:
    """Words and Turkish verb endings that deny; two of them cancel out."""
    assert is_negative(text) is expected
