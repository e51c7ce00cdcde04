"""Filters mean the same in recall, list, count, forget and export, and hold before anything is searched."""

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

import cogmem_core
from cogmem_core import InvalidInput, MemoryBank, NotFound
from helpers.tables import each_row

NOW = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)
CITIES = ("Oslo", "Bergen", "Oslo", "Turku")


def fill(bank: MemoryBank) -> None:
    for number, city in enumerate(CITIES):
        bank.add(
            f"The trip number {number} went north.",
            metadata={"city": city, "score": number},
            speaker="Ann" if number < 2 else "Bob",
            at=NOW - timedelta(days=number),
            session_id=f"s{number}",
            tags=["winter"] if number == 3 else ["summer", "long"],
            category="fact" if number else "plan",
        )


@pytest.fixture(scope="module")
def bank() -> Iterator[MemoryBank]:
    with cogmem_core.open(embedder="hashing") as engine:
        fill(engine.bank("ana"))
        engine.bank("ben").add(
            "The trip number 9 went north.", metadata={"city": "Oslo"}, speaker="Ann", at=NOW
        )
        yield engine.bank("ana")


def numbers(texts: list[str]) -> str:
    return "".join(sorted(text.split()[3] for text in texts))


FILTERS: list[tuple[dict[str, Any], str]] = [
    ({}, "0123"),
    ({"where": {"city": "Oslo"}}, "02"),
    ({"where": {"city": ["Bergen", "Turku"]}}, "13"),
    ({"where": {"score": {"$gte": 1, "$lt": 3}}}, "12"),
    ({"where": {"$or": [{"city": "Turku"}, {"score": 0}]}}, "03"),
    ({"where": {"zip": {"$exists": True}}}, ""),
    ({"speaker": "Bob"}, "23"),
    ({"since": NOW - timedelta(days=1)}, "01"),
    ({"until": NOW - timedelta(days=2)}, "23"),
    ({"since": NOW - timedelta(days=2), "until": NOW - timedelta(days=1)}, "12"),
    ({"tags": ["winter", "spring"]}, "3"),
    ({"categories": ["plan", "preference"]}, "0"),
    ({"session_id": "s2"}, "2"),
    ({"where": {"city": "Oslo"}, "speaker": "Bob", "tags": ["long"]}, "2"),
]


@each_row(("given", "kept"), FILTERS)
def test_list_count_and_recall_agree(bank: MemoryBank, given: dict[str, Any], kept: str) -> None:
    """Whichever is asked, the same memories are left, of this namespace alone."""
    asked = {"only_session" if name == "session_id" else name: given[name] for name in given}
    assert numbers([memory.content for memory in bank.list(**given)]) == kept
    assert bank.count(**given) == len(kept)
    assert (
        numbers([item.content for item in bank.recall("trip north", floor=0, **asked).results])
        == kept
    )


def test_pages_of_a_filtered_list_follow_each_other(bank: MemoryBank) -> None:
    """A page is full although rows between its memories do not match."""
    first = bank.list(where={"city": "Oslo"}, limit=1)
    second = bank.list(where={"city": "Oslo"}, limit=1, cursor=first.cursor)
    assert numbers([memory.content for memory in (*first, *second)]) == "02"
    assert second.cursor is None


def test_what_no_list_would_have_found_is_found(bank: MemoryBank) -> None:
    """The filter decides what is searched: one of many is found though the others fit better."""
    with cogmem_core.open(embedder="hashing") as engine:
        large = engine.bank("many")
        for number in range(150):
            large.add(f"tea tea tea number {number}", metadata={"kept": number == 149})
        large.add("Once there was coffee and some tea.", metadata={"kept": True})
        results = large.recall("tea tea tea", k=2, floor=0, where={"kept": True}).results
    assert len(results) == 2


def test_the_hot_tier_keeps_to_the_filters(bank: MemoryBank) -> None:
    """What is always worth knowing is not shown where it was filtered out."""
    recall = bank.recall("trip north", where={"city": "nowhere"})
    assert (recall.results, recall.hot) == ((), ())
    assert recall.empty_reason == "no memory matches the given filters"


def test_a_filter_tells_why_a_memory_is_missing(bank: MemoryBank) -> None:
    """`missed` names the filters."""
    (turku,) = bank.list(where={"city": "Turku"})
    recall = bank.recall("trip north", where={"city": "Oslo"})
    assert "the given filters leave it out" in recall.missed(turku.id)


def test_export_and_import_of_a_part(bank: MemoryBank, tmp_path: Path) -> None:
    """The file holds what the filter leaves, and reads like any other."""
    assert bank.export(tmp_path / "part.jsonl", where={"city": "Oslo"}) == 2
    copy = bank.engine.bank("copy")
    assert copy.import_(tmp_path / "part.jsonl").stored == 2
    assert numbers([memory.content for memory in copy.list()]) == "02"


@pytest.mark.parametrize("hard", [False, True])
def test_forgetting_what_a_filter_leaves(hard: bool) -> None:
    """Without a query all of it, with one what it names of it; nothing of another namespace."""
    with cogmem_core.open(embedder="hashing") as engine:
        bank, other = engine.bank("ana"), engine.bank("ben")
        for each in (bank, other):
            fill(each)
        assert len(bank.forget(where={"city": "Oslo"}, hard=hard).memory_ids) == 2
        assert numbers([memory.content for memory in bank.list()]) == "13"
        one = "The trip number 1 went north." if hard else "trip north"
        assert len(bank.forget(one, speaker="Ann", hard=hard).memory_ids) == 1
        assert numbers([memory.content for memory in bank.list()]) == "3"
        with pytest.raises(NotFound, match="or the given filters leave it out"):
            bank.forget("The trip number 3 went north.", speaker="Ann", hard=hard)
        with pytest.raises(NotFound, match="matches the given filters"):
            bank.forget(speaker="Zoe", hard=hard)
        with pytest.raises(InvalidInput, match="no filter is given"):
            bank.forget(where={}, hard=hard)
        assert other.count() == 4


def test_unusable_filters_are_named(bank: MemoryBank) -> None:
    """The error names the argument and the repair, in every method."""
    for method in (bank.list, bank.count, bank.forget):
        with pytest.raises(InvalidInput, match="where is a str; give a dict"):
            method(where="city=Oslo")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match=r"since is .*, after until, .*; exchange them"):
        bank.recall("trip", since=NOW, until=NOW - timedelta(days=1))
    with pytest.raises(InvalidInput, match=r"since is .*timezone"):
        bank.recall("trip", since=NOW.replace(tzinfo=None))
    with pytest.raises(InvalidInput, match="category and categories are both given"):
        bank.list(category="fact", categories=["plan"])
