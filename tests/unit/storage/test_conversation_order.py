"""What came before what in a session, against a plain list."""

from hypothesis import given, settings
from hypothesis import strategies as st

from cogmem_core.storage.search.conversation_order import ConversationOrder, neighbours

NAMES, SESSIONS = st.sampled_from("abcdef"), st.sampled_from(["s", "t", None])


def test_turns_are_ordered_by_time_then_id_within_their_session() -> None:
    """The turn before and after a strong hit in the same session may be drawn in."""
    order = ConversationOrder()
    for name, session, at in (
        ("c", "s", 30),
        ("a", "s", 10),
        ("x", "t", 15),
        ("b", "s", 10),
        ("alone", None, 20),
    ):
        order.add(name, session, at)

    assert {
        name: neighbours([order], name) for name in ("a", "b", "c", "x", "alone", "unknown")
    } == {
        "a": (None, "b"),
        "b": ("a", "c"),
        "c": ("b", None),
        "x": (None, None),
        "alone": (None, None),
        "unknown": (None, None),
    }


def test_a_conversation_may_lie_in_two_parts() -> None:
    """A turn that was put away keeps its place between those that were not, wherever one asks from."""
    active, cold = ConversationOrder(), ConversationOrder()
    for at, name in enumerate("abcd"):
        (cold if name == "b" else active).add(name, "s", at)

    assert neighbours([active], "c") == ("a", "d")
    assert [neighbours([active, cold], name) for name in "abc"] == [
        (None, "b"),
        ("a", "c"),
        ("b", "d"),
    ]


def test_a_memory_that_leaves_closes_the_gap() -> None:
    """Forgotten turns are no neighbours; a turn that moves is found at its new place only."""
    order = ConversationOrder()
    for at, name in enumerate("abc"):
        order.add(name, "s", at)
    order.remove("b")
    order.remove("b")
    order.add("a", "s", 9)

    assert (neighbours([order], "a"), neighbours([order], "c")) == (("c", None), (None, "a"))


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.sampled_from("abcdef"), st.sampled_from(["s", "t", None]), st.integers(0, 5)),
        max_size=25,
    )
)
def test_random_changes_agree_with_a_sorted_list(
    changes: list[tuple[str, str | None, int]],
) -> None:
    """Every add replaces an earlier place; every third change removes."""
    order, places = ConversationOrder(), dict[str, tuple[str | None, int]]()
    for number, (name, session, at) in enumerate(changes):
        if number % 3 == 2:
            order.remove(name)
            places.pop(name, None)
        else:
            order.add(name, session, at)
            places[name] = (session, at)
    for name, (session, _) in places.items():
        line = sorted(
            (at, other)
            for other, (where, at) in places.items()
            if where == session and session is not None
        )
        names = [other for _, other in line]
        before = names[names.index(name) - 1] if name in names and names.index(name) else None
        assert neighbours([order], name)[0] == before
