"""The observer's filters, trivial gate, classification and density, case by case."""

import pytest

from cogmem_core.text.observe.classify import read_signals
from cogmem_core.text.observe.filters import code_share, count_emoji, markdown_lines
from cogmem_core.text.observe.observer import Observation, observe
from cogmem_core.text.observe.small_talk import is_trivial
from helpers.tables import each_row, each_row_of


@each_row(
    ("text", "skipped"),
    [
        ("I like tea", "length"),
        ("I like teas", None),
        ("   I like tea   ", "length"),
        ("I like tea. " + "x" * 4_987, None),
        ("I like tea. " + "x" * 4_988, "length"),
        ("中文" * 5, "length"),
    ],
)
def test_the_length_gate_counts_characters_without_the_white_space_around(
    text: str, skipped: str | None
) -> None:
    """10 < n < 5000, both bounds excluded."""
    assert observe(text).skipped == skipped


@each_row_of("observe/each_filter_names_itself", "en tr")
def test_each_filter_names_itself(text: str, reason: str) -> None:
    """The reason says which of the seven filters kept a message out."""
    assert observe(text) == Observation(skipped=reason)  # type: ignore[arg-type]


@each_row_of("observe/ordinary_messages_pass_the_filters", "en tr")
def test_ordinary_messages_pass_the_filters(text: str) -> None:
    """A tag, a rule, two bullets, inline code or a family of four is no reason to look away."""
    assert observe(text).skipped is None


@each_row_of("observe/an_emoji_is_what_a_reader_sees_as_one")
def test_an_emoji_is_what_a_reader_sees_as_one(text: str, count: int) -> None:
    """Joined families, skin tones, flags and keycaps count once."""
    assert count_emoji(text) == count


def test_code_share_is_the_part_between_fences() -> None:
    """An unclosed fence runs to the end; text without a fence has none."""
    assert code_share("no code") == 0.0
    assert code_share("ab```cd```ef") == pytest.approx(2 / 12)
    assert code_share("ab~~~cdefg") == pytest.approx(0.5)


def test_markdown_lines_are_bullets_numbers_and_bold() -> None:
    """A line counts once; a minus in front of a number is no bullet."""
    assert markdown_lines("- a\n* **b**\n12. c\n**d**\n-5 degrees\nplain\n• e") == 5


@each_row_of("observe/trivial_messages_are_recognised", "en tr")
def test_trivial_messages_are_recognised(text: str, kind: str) -> None:
    """English and Turkish, with stretched letters, without Turkish letters, in capitals, with signs."""
    assert is_trivial(text) == kind


@each_row_of("observe/what_says_something_is_not_trivial", "en tr zh")
def test_what_says_something_is_not_trivial(text: str) -> None:
    """One word that is no courtesy is enough, in any script."""
    assert is_trivial(text) is None


@each_row_of("observe/the_highest_pattern_score_decides_the_category", "en tr")
def test_the_highest_pattern_score_decides_the_category(
    text: str, category: str, confidence: float
) -> None:
    """Base confidence of the kind, 0.1 for each further hit."""
    seen = observe(text)
    assert (seen.skipped, seen.category, seen.confidence) == (None, category, confidence)


def test_confidence_ends_at_nine_tenths() -> None:
    """However many hits there are."""
    text = "Actually no longer: it was wrong, incorrect, a typo, my mistake, I meant blue, scratch that, not correct"
    assert observe(text).confidence == 0.9


def test_many_entities_do_not_outvote_a_correction() -> None:
    """Two or more named entities are one hit, however many they are."""
    seen = observe("Actually the team uses Docker, Redis, Kafka, Django and PostgreSQL")
    assert (seen.category, seen.confidence, len(seen.entities)) == ("correction", 0.4, 5)


def test_dates_and_numbers_make_no_message_entity_rich() -> None:
    """The permanent category `entity` is for names."""
    assert observe("On 8 May 2023 there was 2.5 mg of it").category == "other"


@pytest.mark.parametrize(
    "text", ["Where do I live these days?", "What's my name, by the way?", "Do I like mushrooms?"]
)
def test_a_question_states_nothing(text: str) -> None:
    """Otherwise every question about a fact would be remembered as one."""
    assert observe(text).skipped == "low_density"


def test_a_tag_question_states_something() -> None:
    """`right?` asks for a nod only."""
    assert observe("I live in Oslo, right?").category == "fact"


def test_density_counts_different_phrases_once() -> None:
    """Two entities, two facts, two times, one correction; repeating them adds nothing."""
    said = "Actually, I moved to Oslo yesterday and I met Emma on 8 May 2023. "
    assert read_signals(said).density(2) == read_signals(said * 3).density(2)
    assert read_signals("see you today and tomorrow, today").density(0) == 2


def test_low_density_says_what_it_saw() -> None:
    """Unlike a filter, it leaves emotion and density in the observation."""
    seen = observe("The weather is just wonderful!")
    assert (seen.skipped, seen.category, seen.emotion.label) == ("low_density", "other", "joy")


@pytest.mark.parametrize("role", ["user", "assistant"])
def test_users_and_assistants_are_observed_alike(role: str) -> None:
    """Both roles say things worth keeping."""
    assert observe("I moved to Oslo", role).category == "fact"  # type: ignore[arg-type]


@pytest.mark.parametrize("role", ["system", "tool"])
def test_other_roles_are_not_observed(role: str) -> None:
    """What the machinery says is no memory."""
    assert observe("I moved to Oslo", role) == Observation(skipped="role")  # type: ignore[arg-type]


@each_row(
    "text", ["\x00" * 50, "\ud800" * 50, "\u0301" * 4_999, "\u202e" * 4_000, "<" * 4_999, "’" * 99]
)
def test_hostile_text_is_only_text(text: str) -> None:
    """Whatever the characters, the answer is an observation, and the same one again."""
    assert observe(text) == observe(text)
