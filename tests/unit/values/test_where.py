"""Conditions on metadata: what they mean, and how unusable ones are refused."""

from __future__ import annotations

import re
from typing import Any

import pytest

from cogmem_core import InvalidInput
from cogmem_core.values.where import checked, holds, needed_keys
from helpers.tables import each_row

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


@each_row(
    ("where", "fits"),
    [
        ({}, True),
        ({"city": "Oslo"}, True),
        ({"city": "oslo"}, False),
        ({"city": ["Bergen", "Oslo"]}, True),
        ({"city": []}, False),
        ({"city": "Oslo", "score": 4}, False),
        ({"score": 3.0}, True),
        ({"score": True}, False),
        ({"vip": 1}, False),
        ({"vip": True}, True),
        ({"zip": None}, False),
        ({"tags": "ski"}, True),
        ({"tags": ["sun", "snow"]}, True),
        ({"tags": {"$contains": "snow"}}, True),
        ({"city": {"$contains": "sl"}}, True),
        ({"city": {"$contains": 1}}, False),
        ({"score": {"$contains": 3}}, False),
        ({"score": {"$gte": 3, "$lt": 4}}, True),
        ({"score": {"$gt": 3}}, False),
        ({"score": {"$lte": 2}}, False),
        ({"score": {"$gt": "2"}}, False),
        ({"vip": {"$gte": 0}}, False),
        ({"day": {"$gte": "2026-03-01", "$lte": "2026-03-31"}}, True),
        ({"city": {"$eq": "Oslo", "$ne": "Bergen"}}, True),
        ({"city": {"$in": ["Oslo"], "$nin": ["Bergen"]}}, True),
        ({"zip": {"$ne": "1"}}, True),
        ({"zip": {"$nin": ["1"]}}, True),
        ({"zip": {"$exists": False}}, True),
        ({"city": {"$exists": False}}, False),
        ({"$or": [{"city": "Bergen"}, {"score": 3}]}, True),
        ({"$and": [{"city": "Oslo"}, {"score": 4}]}, False),
        ({"$not": {"city": "Bergen"}}, True),
        ({"$not": {}}, False),
        ({"city": {"$icontains": "OSL"}}, True),
        ({"city": {"$icontains": "berg"}}, False),
        ({"tags": {"$icontains": "ski"}}, False),
        ({"note": {"$empty": True}}, True),
        ({"seen": {"$empty": True}}, True),
        ({"zip": {"$empty": True}}, True),
        ({"score": {"$empty": True}}, False),
        ({"city": {"$empty": False}}, True),
        ({"zip": {"$empty": False}}, False),
        ({"hotel.name": "Grand"}, True),
        ({"hotel.rooms.beds": {"$gte": 2}}, True),
        ({"hotel.rooms.baths": {"$exists": False}}, True),
        ({"hotel.name.first": "G"}, False),
        ({"a.b": 1}, True),
        ({"a.b": 2}, False),
        ({"a.c": 3}, True),
    ],
)
def test_what_conditions_mean(where: dict[str, Any], fits: bool) -> None:
    """Equality, any of several, operators, and their combinations."""
    assert holds(checked("where", where), TRIP) is fits


@each_row(
    ("where", "message"),
    [
        (["city"], "where is a list; give a dict of metadata keys"),
        ({1: "Oslo"}, "where is a dict; give a dict of metadata keys"),
        ({"$gt": 3}, "where['$gt'] stands where a metadata key is expected"),
        ({"score": {"$above": 3}}, "where['score'] has no operator '$above'; use one of $eq,"),
        ({"score": {}}, "where['score'] is an empty dict; give a value or an operator"),
        ({"score": {"$gt": True}}, "where['score']['$gt'] is True; give a number or a text"),
        ({"score": {"$in": 3}}, "where['score']['$in'] is 3; give a list of values"),
        ({"score": {"$ne": [3]}}, "where['score']['$ne'] is a list; $ne takes one value"),
        ({"score": {"$exists": 1}}, "where['score']['$exists'] is 1; use True or False"),
        ({"score": {"$empty": None}}, "where['score']['$empty'] is None; use True or False"),
        ({"city": {"$icontains": 1}}, "where['city']['$icontains'] is 1; give a text"),
        ({"city": object()}, "where['city'] holds a object; use texts, numbers"),
        ({"$or": []}, "where['$or'] is no list with entries; give a list of dicts"),
        ({"$and": [{"$or": [3]}]}, "where['$and'][0]['$or'][0] is a int; give a dict"),
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
