"""Conditions on metadata: what they mean, and how unusable ones are refused."""

import re
from typing import Any

import pytest

from cogmem_core import InvalidInput
from cogmem_core.values.where import checked, holds, needed_keys
from helpers.tables import each_row, each_row_of, rows_of

TRIP = {
    "city": "Oslo",
    "score": 3,
    "vip": True,
    "tags": ["ski", "snow"],
    "day": "2026-03-13",
    "hotel": {"name": "Grand", "rooms": {"beds": 2}},
    "a.b": 1,
    "a": {"b": 2, "c": 3},
    "note": "",
    "seen": [],
}


@each_row_of("where/what_conditions_mean")
def test_what_conditions_mean(where: dict[str, Any], fits: bool) -> None:
    """Equality, any of several, operators, and their combinations."""
    assert holds(checked("where", where), TRIP) is fits


@each_row(
    ("where", "message"),
    [
        *rows_of("where/what_is_refused"),
        (["city"], "where is a list; give a dict of metadata keys"),
        ({1: "Oslo"}, "where is a dict; give a dict of metadata keys"),
        ({"city": object()}, "where['city'] holds a object; use texts, numbers"),
        ({"a": ["b"], **{str(n): n for n in range(200)}}, "where has 201 conditions; use at most"),
    ],
)
def test_what_is_refused(where: Any, message: str) -> None:
    """The message names the place, and what may stand there."""
    with pytest.raises(InvalidInput, match=re.escape(message)):
        checked("where", where)


def test_deep_nesting_is_refused() -> None:
    """Conditions are read by recursion."""
    where: dict[str, Any] = {"city": "Oslo"}
    for _ in range(12):
        where = {"$not": where}
    with pytest.raises(InvalidInput, match="nested deeper than 10"):
        checked("where", where)


def test_the_caller_may_change_what_he_gave() -> None:
    """The conditions are a copy."""
    given = {"city": ["Oslo"]}
    where = checked("where", given)
    given["city"].append("Bergen")
    assert where == {"city": ["Oslo"]}


def test_keys_without_which_nothing_matches() -> None:
    """A query may ask the ledger for them; a key that may be missing is not among them."""
    where = {
        "a": 1,
        "b": {"$ne": 2},
        "$and": [{"c": 3}],
        "$or": [{"d": 4}],
        "e": {"$exists": True},
        "f": {"$empty": True},
        "g.h": 5,
    }
    assert sorted(needed_keys(where)) == ["a", "c", "e"]
