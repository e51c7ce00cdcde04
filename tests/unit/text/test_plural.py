"""Numbers and lists in messages to a person."""

from cogmem_core.text.plural import counted, first_of


def test_one_is_not_many() -> None:
    """With what they do, where they do something; none are many."""
    assert [counted(number) for number in (0, 1, 2)] == ["0 memories", "1 memory", "2 memories"]
    assert counted(1, "turn waits", "turns wait") == "1 turn waits"


def test_a_list_that_is_too_long_tells_how_much_is_missing() -> None:
    """Three of five, or all."""
    assert first_of(["a", "b", "c", "d", "e"], 3) == "a, b, c and 2 more"
    assert first_of(["a", "b", "c"], 3) == "a, b, c"
    assert first_of([], 3) == ""
