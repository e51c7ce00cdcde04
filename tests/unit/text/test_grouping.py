"""Grouping of notes: by topic and entity overlap, greedy, deterministic, bounded work."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogmem_core.text.grouping import Topic, group_topics, topic_of


def topic(words: str = "", entities: str = "") -> Topic:
    return Topic(frozenset(entities.split()), frozenset(words.split()))


def test_a_topic_has_names_and_index_tokens_but_no_dates_and_numbers() -> None:
    """Two notes with the same number are not about the same thing for that."""
    uris = ["entity://tech/docker", "entity://date/2026-06-02", "entity://number/3.5-gb"]
    found = topic_of("We deploy Docker with 3.5 GB in 2026", uris)
    assert found == Topic(
        frozenset({"entity://tech/docker"}), frozenset({"deploy", "docker", "gb"})
    )


def test_shared_entities_make_a_group() -> None:
    """'Groups related observation notes by topic/entity overlap': here only names are shared."""
    topics = [
        topic("cat", "ana oslo"),
        topic("rent", "rui"),
        topic("train", "ana"),
        topic("flat", "rui"),
    ]
    assert group_topics(topics, 0.5, min_size=1) == ((0, 2), (1, 3))


def test_shared_words_make_a_group() -> None:
    """Violin stands in three notes, concert and tram in two: the first two notes share 0.69 of that, not more."""
    topics = [topic("violin concert bow"), topic("violin concert tram"), topic("violin tram")]
    assert group_topics(topics, 0.68, min_size=1) == ((0, 1, 2),)
    assert group_topics(topics, 0.70, min_size=1) == ((0,), (1,), (2,))


def test_a_note_joins_the_group_of_its_nearest_note() -> None:
    """Of two groups that it fits, the one with which it shares more."""
    topics = [topic("a b c d"), topic("e f g h"), topic("a e f g")]
    assert group_topics(topics, 0.2, min_size=1) == ((0,), (1, 2))


def test_what_comes_back_more_often_counts_more() -> None:
    """The last note shares one word with the first and one with the second; that of the second stands in three."""
    topics = [topic("a x"), topic("b y"), topic("b z"), topic("x y z"), topic("a b")]
    assert group_topics(topics, 0.35, min_size=1) == ((0,), (1, 2, 4), (3,))


def test_what_stands_in_more_than_half_of_the_notes_tells_nothing() -> None:
    """A name in all six notes is no topic; in fewer than six notes nothing counts as frequent."""
    topics = [topic(word, "ana") for word in ["u", "v", "w", "x", "y", "z"]]
    assert group_topics(topics, 0.2, min_size=1) == ((0,), (1,), (2,), (3,), (4,), (5,))
    assert group_topics(topics[:5], 0.2, min_size=1) == ((0, 1, 2, 3, 4),)


def test_a_group_has_at_most_so_many_notes() -> None:
    """The thirteenth note of one topic starts another group."""
    topics = [topic("violin")] * 4 + [topic("boat")] * 4 + [topic("tent")] * 4
    assert group_topics(topics, 0.5, min_size=1, max_size=3) == (
        (0, 1, 2),
        (3,),
        (4, 5, 6),
        (7,),
        (8, 9, 10),
        (11,),
    )


def test_leftovers_are_put_together_in_the_order_of_time() -> None:
    """Notes that share nothing: eight neighbours each; the last few join the group before them."""
    topics = [topic(f"word{number}") for number in range(10)]
    assert group_topics(topics, 0.2) == ((0, 1, 2, 3, 4, 5, 6, 7, 8, 9),)
    assert group_topics([topic(f"word{number}") for number in range(14)], 0.2) == (
        (0, 1, 2, 3, 4, 5, 6, 7),
        (8, 9, 10, 11, 12, 13),
    )


def test_nothing_is_grouped_into_nothing() -> None:
    """No notes, no groups; an empty note is a leftover."""
    assert group_topics([], 0.2) == ()
    assert group_topics([topic()], 0.2) == ((0,),)


words = st.sampled_from(["violin", "boat", "tent", "lamp", "rain", "tram", "moss", "kite"])
topics_strategy = st.lists(
    st.builds(Topic, st.frozensets(words, max_size=2), st.frozensets(words, max_size=5)),
    max_size=60,
)


@given(topics_strategy, st.floats(0.0, 1.0), st.integers(1, 5))
def test_every_note_is_in_exactly_one_group(
    topics: list[Topic], overlap: float, least: int
) -> None:
    """Whatever the notes: all of them once, ascending, at most twelve together, the same when asked again."""
    groups = group_topics(topics, overlap, min_size=least)
    assert sorted(index for group in groups for index in group) == list(range(len(topics)))
    assert all(list(group) == sorted(group) and 1 <= len(group) <= 12 for group in groups)
    assert [group[0] for group in groups] == sorted(group[0] for group in groups)
    assert groups == group_topics(topics, overlap, min_size=least)


@pytest.mark.parametrize(("between", "together"), [(49, True), (50, False)])
def test_a_note_is_compared_with_the_fifty_before_it(between: int, together: bool) -> None:
    """So that the work grows with the notes and not with their square."""
    topics = [
        topic("boat harbour"),
        *(topic(f"w{number}") for number in range(between)),
        topic("boat harbour"),
    ]
    assert ((0, between + 1) in group_topics(topics, 0.5, min_size=1)) is together
