"""Whether two statements say the same: labelled pairs, English and Turkish, most of them look-alikes."""

from hypothesis import given, settings
from hypothesis import strategies as st

from cogmem_core.text.compare import entailment
from helpers.tables import each_row, each_row_of, rows_of

SAME = rows_of("entailment/same", "en tr")

REFINES = rows_of("entailment/refines", "en tr")

DIFFERENT = rows_of("entailment/different", "en tr")

WORDS = """
I my we he Ana Rome likes loves has is not don't never only in at with before every and
who because 5 two , . ? dog dog's work working to said ben köpeğim Roma'da seviyorum
sevmiyorum için ile dün geçen hafta bir var yok user
"""
TEXTS = st.one_of(
    st.text(max_size=80), st.lists(st.sampled_from(WORDS.split()), max_size=12).map(" ".join)
)


@each_row(("new", "old"), SAME)
def test_soft_words_and_interchangeable_words_make_no_difference(new: str, old: str) -> None:
    """ "never weld different things together": this much may differ."""
    assert (entailment(new, old), entailment(old, new)) == ("same", "same")


@each_row(("new", "old"), REFINES)
def test_a_phrase_or_a_sentence_more_refines(new: str, old: str) -> None:
    """Unified-update, problem 1: containment of what is said, not of the characters; the other side covers."""
    assert (entailment(new, old), entailment(old, new)) == ("refines", "covered")


@each_row(("one", "other"), DIFFERENT)
def test_look_alikes_are_different_from_both_sides(one: str, other: str) -> None:
    """Other people, directions, times, tenses, modes and owners, however alike the sentences."""
    assert (entailment(one, other), entailment(other, one)) == ("different", "different")


@each_row_of("entailment/two_speakers_mean_the_same_only_if_no_word_depends_on_who_speaks", "en tr")
def test_two_speakers_mean_the_same_only_if_no_word_depends_on_who_speaks(
    text: str, expected: str
) -> None:
    """ "I", "my" and "she" are other people when another person says them."""
    assert entailment(text, text, same_speaker=False) == expected


def test_a_text_of_more_than_2000_characters_is_the_same_only_as_itself() -> None:
    """It is no fact; and a difference behind what is read must not be overlooked."""
    long = "I live in Rome. " * 320
    assert entailment(long + "My cat is ill.", long + "My dog is ill.") == "different"
    assert entailment(long, long) == "same"
    assert entailment(long[:1_900], long[:1_900].replace("live", "still live", 1)) == "same"
    assert entailment(long[:2_100], long[:2_100].replace("live", "still live", 1)) == "different"


@given(TEXTS)
def test_every_text_says_the_same_as_itself(text: str) -> None:
    """Reflexive, whatever the text."""
    assert entailment(text, text) == "same"


@settings(max_examples=100)
@given(TEXTS, TEXTS)
def test_refines_and_covered_are_mirror_images(one: str, other: str) -> None:
    """Which text is the new one only turns the answer around."""
    mirror = {"same": "same", "different": "different", "refines": "covered", "covered": "refines"}
    assert entailment(other, one) == mirror[entailment(one, other)]


@given(st.lists(st.sampled_from(WORDS.split()[:12]), min_size=3, max_size=8), st.booleans())
def test_a_denied_statement_is_never_the_same_as_the_statement(
    words: list[str], turkish: bool
) -> None:
    """A negation anywhere in one of two texts keeps them apart."""
    plain = [word for word in words if word not in ("not", "don't", "never")]
    text = " ".join(plain)
    denied = f"{text} değil" if turkish else f"it is not true that {text}"
    assert entailment(denied, text) == "different"


@each_row_of("entailment/long_texts_of_one_piece_are_answered", "en fr")
@each_row("length", [1_990, 4_990])
def test_long_texts_of_one_piece_are_answered(piece: str, length: int) -> None:
    """Against itself with another end; the patterns take linear time."""
    text = (piece * 5_000)[:length]
    assert entailment(text + " rome", text + " oslo") == "different"
