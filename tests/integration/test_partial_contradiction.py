"""A newer statement that contradicts one half of a memory leaves the other half in recall."""

from collections.abc import Iterator
from itertools import count

import pytest

import cogmem_core
from cogmem_core import Engine, Turn
from cogmem_core.testing import FrozenClock
from helpers.tables import each_row_of

_namespaces = count()


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    """One for all rows; each has a namespace of its own."""
    with cogmem_core.open(embedder="minilm", clock=FrozenClock()) as opened:
        yield opened


def test_what_changed_is_marked_in_one_sentence_with_two_facts() -> None:
    """The sentence stays one memory, of which the other fact still holds."""
    with cogmem_core.open(embedder="minilm", clock=FrozenClock()) as engine:
        bank = engine.bank("a")
        bank.remember("I live in Berlin and I work at Acme")
        bank.remember("I live in Lisbon now")

        states = {memory.text: memory.state for memory in bank.list(state="any")}
    assert states == {
        "[until 1 June 2026: I live in Berlin] and I work at Acme": "active",
        "I live in Lisbon now": "active",
    }


@pytest.mark.parametrize("mode", ["auto", "semantic"])
def test_a_memory_of_two_facts_loses_the_one_that_changed(mode: str) -> None:
    """Principle 1: never lose; the text stays, and of the clause that changed it is told that it is over."""
    text = "I live in Berlin and I work at Acme"
    with cogmem_core.open(embedder="minilm") as engine:
        bank = engine.bank("a")
        bank.remember(text, mode="raw")
        (fact,) = bank.remember("I live in Lisbon now", mode=mode).receipts[0].facts
        old = next(memory for memory in bank.list() if "Acme" in memory.content)
        history = bank.history(old.id)
        found = bank.recall("Where does the user work?", k=5, floor=0.0)

    (ended,) = old.clause_states
    assert (fact.status, old.content, old.version) == ("superseded", text, 1)
    assert (ended.number, ended.state, ended.by) == (0, "ended", fact.memory_id)
    assert history.changes[-1].reason == "a part no longer holds: Berlin, now Lisbon"
    assert text in [item.content for item in found.results]


def test_another_speaker_changes_nothing() -> None:
    """Two people may live in two places."""
    with cogmem_core.open(embedder="minilm") as engine:
        bank = engine.bank("a")
        bank.remember(Turn("I live in Berlin and I work at Acme", speaker="Ana"), mode="raw")
        bank.remember(Turn("I live in Lisbon now", speaker="Bob"))

        assert {memory.state for memory in bank.list(state="any")} == {"active"}
        assert bank.count() == 2


@each_row_of("partial_contradiction/what_tells_more_is_not_retired", "de en es fr")
def test_what_tells_more_is_not_retired(engine: Engine, old: str, new: str, left: str) -> None:
    """It stays; of a clause that is over it is told, else the new statement is its newer version."""
    bank = engine.bank(f"more-{next(_namespaces)}")
    bank.remember(old)
    (fact,) = bank.remember(new).receipts[0].facts

    assert [(memory.text, memory.state) for memory in bank.list(state="any")] == [
        (left or old, "active"),
        (new, "active"),
    ]
    assert fact.reason.startswith("may be a newer version: ") == (not left)


@each_row_of("partial_contradiction/a_circumstance_goes_with_what_is_over")
def test_a_circumstance_goes_with_what_is_over(engine: Engine, old: str, new: str) -> None:
    """With what is over goes where, when or how it was."""
    bank = engine.bank(f"circumstance-{next(_namespaces)}")
    bank.remember(old)
    bank.remember(new)

    assert [memory.content for memory in bank.list()] == [new]
