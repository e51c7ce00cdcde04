"""`changes.apply` asks what a person rejected: for every change that brings a text into recall."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest

from cogmem_core.changes import (
    REJECTED,
    Actor,
    Applied,
    Change,
    Put,
    Retire,
    Revive,
    Rewrite,
    apply,
)
from cogmem_core.config import StorageConfig
from cogmem_core.encoding.forgetting import put_away
from cogmem_core.models import Memory
from cogmem_core.ports import Stored
from cogmem_core.storage.ledger.ledger import Ledger
from cogmem_core.testing import FrozenClock

CLOCK = FrozenClock()
USER = Actor("user")
DREAM = Actor("dream", "run-1")
OSLO = "I live in Oslo."


def stored(name: str, content: str, **more: object) -> Stored:
    now = CLOCK()
    memory = Memory(name, "ns", content, f"hash-{name}", now, now, now, **more)  # type: ignore[arg-type]
    return Stored(memory, content, np.ones(4, dtype=np.float32), "test-4")


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    found = Ledger(None, StorageConfig(), CLOCK)
    found.write(
        "ns", lambda w: apply(w, "ns", [Put(stored("m", OSLO), "said")], now=CLOCK(), actor=USER)
    )
    found.write(
        "ns",
        lambda w: apply(
            w, "ns", [Retire("m", "forgotten", "asked", rejects=True)], now=CLOCK(), actor=USER
        ),
    )
    yield found
    found.close()


def applied(ledger: Ledger, actor: Actor, *changes: Change) -> Applied:
    given: Sequence[Change] = changes
    return ledger.write("ns", lambda w: apply(w, "ns", given, now=CLOCK(), actor=actor))


def reasons(result: Applied) -> list[str]:
    return [refusal.reason for refusal in result.refused]


def test_what_would_have_been_replaced_by_it_stays(ledger: Ledger) -> None:
    """The retirement in favour of a refused memory is refused as well."""
    applied(ledger, USER, Put(stored("other", "The user has a flat."), "said"))
    put = Put(stored("new", "The user lives in Oslo.", data_source="system"), "derived")
    retire = Retire("other", "superseded", "told by another", {"superseded_by": "new"})
    assert reasons(applied(ledger, DREAM, put, retire)) == [REJECTED, REJECTED]


def test_a_rewriting_does_not_bring_it_in(ledger: Ledger) -> None:
    """Only what the former text did not claim is asked for."""
    old = stored("old", "The user has a flat.")
    applied(ledger, USER, Put(old, "said"))
    new = replace(old, memory=replace(old.memory, content="The user has a flat. I live in Oslo."))
    assert reasons(applied(ledger, DREAM, Rewrite(new, "merged"))) == [REJECTED]
    assert reasons(applied(ledger, USER, Rewrite(new, "edited"))) == []
    assert reasons(applied(ledger, DREAM, Rewrite(new, "merged"))) == []


def test_only_a_person_brings_it_back(ledger: Ledger) -> None:
    """A cycle does not; taking back a cycle states nothing, and is not asked."""
    assert reasons(applied(ledger, DREAM, Revive("m", "back"))) == [REJECTED]
    assert applied(ledger, Actor("undo", "run-1"), Revive("m", "back")).refused == ()
    applied(ledger, USER, Retire("m", "forgotten", "asked", rejects=True))
    assert applied(ledger, USER, Revive("m", "back")).refused == ()
    assert reasons(applied(ledger, DREAM, Put(stored("n", OSLO), "derived"))) == []


def test_documents_and_what_is_out_of_recall_are_not_asked(ledger: Ledger) -> None:
    """They state nothing by themselves."""
    item = Put(stored("item", OSLO, category="item"), "document")
    away = Put(stored("away", OSLO, state="forgotten"), "imported")
    assert applied(ledger, Actor("import"), item, away).refused == ()


def test_what_rests_only_on_it_goes_with_it(ledger: Ledger) -> None:
    """Also what rests on that; not what rests on something else too, nor what is protected."""
    source = stored("source", "I play the cello.")
    derived = [
        stored("one", "Plays music.", support=("source",), write_source="dream"),
        stored("two", "Likes art.", support=("one",), write_source="dream"),
        stored("both", "Plays and reads.", support=("source", "m2"), write_source="dream"),
        stored("kept", "Musician.", support=("source",), write_source="dream", pinned=True),
    ]
    applied(ledger, USER, *(Put(row, "said") for row in (source, *derived)))
    with ledger.reading("ns") as ns:
        changes = put_away(ns, [source.memory], "asked")
    assert [change.target for change in changes] == ["source", "one", "two"]


def test_it_comes_back_by_none_of_the_six_ways(ledger: Ledger) -> None:
    """Extraction, import, a dream, what is derived, a restored row, what is shared: one place refuses."""
    memory = {"data_source": "assistant_message", "trust": 0.7}
    ways: tuple[tuple[Actor, Change], ...] = (
        (Actor("encoding"), Put(stored("extracted", OSLO, **memory), "said")),
        (Actor("import"), Put(stored("imported", OSLO), "imported")),
        (DREAM, Put(stored("dreamt", OSLO, write_source="dream"), "merged")),
        (DREAM, Put(stored("derived", OSLO, support=("x", "y"), write_source="dream"), "derived")),
        (Actor("feedback"), Revive("m", "it was asked for")),
        (Actor("import"), Put(stored("shared", OSLO, data_source="federation"), "shared")),
    )
    for actor, change in ways:
        (refusal,) = applied(ledger, actor, change).refused
        assert refusal.reason == REJECTED
