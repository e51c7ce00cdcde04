"""`bank.end`: what holds no more, and has no successor, stays as what was so until a day, and can be taken back."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Engine, InvalidInput, MemoryBank, NotAllowed, Protected
from cogmem_core.testing import MANUAL, FrozenClock

DAY = timedelta(days=1)
CONFIG = replace(MANUAL, guard=replace(MANUAL.guard, review=("shared",)))
ACME = "I work at Acme."


@pytest.fixture
def engine(tmp_path: Path, clock: FrozenClock) -> Iterator[Engine]:
    with cogmem_core.open(tmp_path / "b", embedder="hashing", config=CONFIG, clock=clock) as opened:
        yield opened


def told(bank: MemoryBank, **when: object) -> list[str]:
    return [item.memory.content for item in bank.recall("Where do I work?", **when).results]  # type: ignore[arg-type]


def lines(bank: MemoryBank, **when: object) -> list[str]:
    return [line.text for line in bank.profile(**when).lines]  # type: ignore[arg-type]


def test_what_ended_was_so_until_then(engine: Engine, clock: FrozenClock, tmp_path: Path) -> None:
    """It leaves recall and profile at once, in every process; an earlier day and a timeline have it."""
    bank = engine.bank("ann")
    (memory,) = bank.remember(ACME).memories
    said = clock()
    clock.advance(days=30)
    with cogmem_core.open(tmp_path / "b", embedder="hashing", config=CONFIG, clock=clock) as other:
        elsewhere = other.bank("ann")
        assert (told(elsewhere), lines(elsewhere)) == ([ACME], ["I work at Acme"])
        ended = bank.end(memory.id, said + 20 * DAY)
        assert (ended.state, ended.superseded_by, ended.valid_until, ended.content) == (
            "superseded",
            None,
            said + 20 * DAY,
            ACME,
        )
        for each in (bank, elsewhere):
            assert (told(each), lines(each)) == ([], [])
            assert told(each, as_of=said + 19 * DAY) == [ACME]
            assert told(each, as_of=said + 21 * DAY) == []
            assert told(each, mode="timeline") == [ACME]
            assert lines(each, as_of=said + 19 * DAY) == ["I work at Acme"]
            assert lines(each, as_of=said + 21 * DAY) == []
            # On that day nobody knew it yet.
            assert told(each, known_at=said + 25 * DAY) == [ACME]
        (line,) = bank.learnt().lines
        assert (line.what, line.words, line.memory_ids) == ("ended", "I work at Acme", (memory.id,))
        assert elsewhere.consolidate().changes == ()
    restored = bank.restore(memory.id)
    assert (restored.state, restored.valid_until, restored.superseded_by) == ("active", None, None)
    assert (told(bank), lines(bank)) == ([ACME], ["I work at Acme"])
    assert [entry.kind for entry in bank.history(memory.id).changes] == ["put", "retire", "revive"]
    # What the person says again holds again.
    bank.end(memory.id)
    assert (told(bank), bank.get(memory.id).valid_until) == ([], clock())
    clock.advance(hours=1)
    assert bank.remember(ACME).receipts[0].status == "stored"
    assert told(bank) == [ACME]


def test_what_cannot_have_ended_is_refused(engine: Engine, clock: FrozenClock) -> None:
    """A moment to come, one before it began, what holds no more, a document's text; the message names the argument."""
    bank = engine.bank("ann")
    until = clock() + 90 * DAY
    memory = bank.add(ACME, valid_from=clock(), valid_until=until)
    clock.advance(days=9)
    for moment, words in (
        (clock() + DAY, "at is .* in the future"),
        (clock() - 10 * DAY, "at is .* before memory .* began to hold"),
        (clock().replace(tzinfo=None), "at is .*timezone"),
    ):
        with pytest.raises(InvalidInput, match=words):
            bank.end(memory.id, moment)
    assert bank.get(memory.id) == memory
    assert bank.end(memory.id).valid_until == clock()
    assert bank.restore(memory.id).valid_until == until
    bank.forget(memory.id)
    with pytest.raises(InvalidInput, match="forgotten"):
        bank.end(memory.id)
    bank.items().put(("notes",), "one", {"n": 1}, texts=["The garden is closed."])
    (text,) = bank.list()
    with pytest.raises(Protected, match="document"):
        bank.end(text.id)


def test_what_is_pinned_or_guards_ends_by_a_person_alone(engine: Engine) -> None:
    """Where others read, an agent's word for it does not do."""
    pinned = engine.bank("team").add("The code of the gate is green", pinned=True, immutable=True)
    nuts = engine.bank("team").add("I'm allergic to nuts.")
    for name, kind, owner in (
        ("ann", "person", None),
        ("ben", "person", None),
        ("scout", "agent", "ben"),
    ):
        engine.add_principal(name, kind=kind, owner=owner)
        engine.grant(name, "team", "write")
    scout = engine.as_("scout").bank("team")
    with pytest.raises(NotAllowed, match="waits for a person"):
        scout.end(nuts.id)
    ben = engine.as_("ben").bank("team")
    assert [ben.end(each.id).state for each in (pinned, nuts)] == ["superseded", "superseded"]
    assert ben.recall("anything").results == ()
