"""A test of a table tells every row that fails."""

from __future__ import annotations

import pytest

from helpers.tables import each_row


def test_all_rows_are_tried_and_every_failing_one_is_told() -> None:
    tried = []

    @each_row("number, half", [(2, 1), (3, 1), (4, 0), (6, 3)])
    def halves(number: int, half: int) -> None:
        tried.append(number)
        assert number == 2 * half, f"{number} is odd"
        with pytest.raises(ZeroDivisionError):
            assert number // (number - 6)

    with pytest.raises(pytest.fail.Exception) as caught:
        halves()
    assert tried == [2, 3, 4, 6]
    assert [line for line in str(caught.value).splitlines() if not line.startswith(" ")] == [
        "3 of 4 rows fail:",
        "{'number': 2, 'half': 1}",
        "{'number': 3, 'half': 1}",
        "{'number': 4, 'half': 0}",
    ]


@each_row("word", ["one", "two"])
def test_what_a_test_asks_for_beside_its_row_is_given(
    word: str, request: pytest.FixtureRequest
) -> None:
    assert (word in {"one", "two"}, request.node.name) == (
        True,
        "test_what_a_test_asks_for_beside_its_row_is_given",
    )


def test_a_table_without_rows_is_a_mistake() -> None:
    with pytest.raises(AssertionError, match="without rows"):
        each_row("word", [])
