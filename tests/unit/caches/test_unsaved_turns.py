"""Turns that wait for a disk: bounded, in order, written by one at a time."""

from datetime import datetime, timezone

import pytest

from cogmem_core.caches.unsaved_turns import UnsavedTurns
from cogmem_core.errors import StoreError
from cogmem_core.models import Turn

NOON = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)


def turns(*numbers: int) -> list[Turn]:
    return [Turn(f"book {number}", at=NOON) for number in numbers]


def written(unsaved: UnsavedTurns, namespace: str) -> list[str]:
    """Everything that waits in a namespace, written in order."""
    texts: list[str] = []
    while unsaved.waiting(namespace):
        with unsaved.writing(namespace) as waiting:
            texts += [turn.content for turn in waiting]
    return texts


def test_of_more_than_500_the_oldest_are_given_up() -> None:
    """Whoever they belong to; how many is counted."""
    unsaved = UnsavedTurns()
    unsaved.hold("ann", turns(1, 2, 3))
    unsaved.hold("bob", turns(*range(499)))

    assert (unsaved.waiting(), unsaved.waiting("ann"), unsaved.lost) == (500, 1, 2)
    assert written(unsaved, "ann") == ["book 3"]
    assert written(unsaved, "bob") == [f"book {number}" for number in range(499)]
    assert unsaved.namespaces() == []


def test_what_fails_waits_on() -> None:
    """In its order, and before what comes later."""
    unsaved = UnsavedTurns()
    unsaved.hold("ann", turns(1, 2))

    def fail() -> None:
        with unsaved.writing("ann"):
            unsaved.hold("ann", turns(3))
            raise StoreError("disk full")

    with pytest.raises(StoreError):
        fail()
    assert written(unsaved, "ann") == ["book 1", "book 2", "book 3"]
