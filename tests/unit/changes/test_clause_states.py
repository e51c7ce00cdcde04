"""How the clauses of a memory stand is part of it: whatever knows memories knows that, too."""

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import get_args

import pytest

import cogmem_core
from cogmem_core import Memory, MemoryBank, Protected
from cogmem_core.changes import Actor, Withdraw, apply
from cogmem_core.config import GuardConfig
from cogmem_core.models import ClauseState
from cogmem_core.testing import MANUAL, FrozenClock
from cogmem_core.values.readings import ClauseStanding, Reading
from helpers.store_kinds import change
from helpers.tables import each_case_of

TEXT = "I live in Berlin and I work at Acme"
NEWER = "I live in Lisbon now"
CLOCK_START = FrozenClock()()

ENGINE = {"embedder": "hashing"}


def told(bank: MemoryBank, clock: FrozenClock) -> tuple[Memory, Memory]:
    """A memory of two clauses, and ten days later the memory that ends the first of them."""
    old = bank.add(TEXT, valid_from=clock())
    clock.advance(days=10)
    (newer_id,) = bank.remember(NEWER).receipts[0].memory_ids
    clock.advance(days=10)
    return bank.get(old.id), bank.get(newer_id)


def standing(memory: Memory) -> list[tuple[int, str]]:
    return [(state.number, state.state) for state in memory.clause_states]


def withdraw(
    bank: MemoryBank, memory: Memory, *numbers: int, state: ClauseStanding = "ended"
) -> None:
    states = tuple(ClauseState(number, state, until=memory.recorded_at) for number in numbers)
    change(bank, Withdraw(memory.id, states, "by hand: it said 900"))


def test_a_clause_that_ended_says_since_when_until_when_and_why(
    bank: MemoryBank, clock: FrozenClock
) -> None:
    """The text stays; the journal has the whole reason, the clause none of the other memory's words."""
    old, newer = told(bank, clock)
    moved = CLOCK_START + timedelta(days=10)
    reason = "a part no longer holds"
    assert (old.content, old.state) == (TEXT, "active")
    assert old.clause_states == (ClauseState(0, "ended", moved, moved, newer.id, reason),)
    assert bank.history(old.id).changes[-1].kind == "withdraw"
    assert bank.history(old.id).changes[-1].before == {"clause_states": ()}


@each_case_of("clause_states/a_memory_leaves_with_the_last_clause_that_tells_something")
def test_a_memory_leaves_with_the_last_clause_that_tells_something(
    bank: MemoryBank, state: ClauseStanding, left: str
) -> None:
    """A question beside it is not enough; restoring brings all of it back."""
    memory = bank.add(f"{TEXT}. Do you like Berlin?")
    withdraw(bank, memory, 0, state=state)
    assert bank.get(memory.id).state == "active"
    withdraw(bank, memory, 1, state=state)
    assert bank.get(memory.id).state == left
    assert {state for _, state in standing(bank.get(memory.id))} == {state}
    if left != "active":
        assert standing(bank.restore(memory.id)) == [(0, state)]
        assert standing(bank.restore(memory.id)) == []


def test_every_standing_is_tried_above() -> None:
    """A new one has to say whether a memory leaves with it."""
    assert get_args(ClauseStanding) == (
        *("holds", "doubted", "ended", "retracted", "expired", "forgotten"),
    )


def test_of_what_is_protected_no_clause_goes_by_itself(bank: MemoryBank) -> None:
    """Pinned, immutable, a document's text, a guardian fact; nor a clause that is not there."""
    pinned = bank.add(TEXT, pinned=True)
    fixed = bank.add(f"{TEXT}!", immutable=True)
    bank.items().put(("cv",), "1", {"text": TEXT}, texts=[TEXT])
    document = bank.get(bank.items().get(("cv",), "1").memory_ids[0])
    other = bank.add(f"{TEXT}?!")
    guarded = bank.add("I live in Berlin and I am allergic to nuts")
    services = bank.engine.open_services
    changes = [Withdraw(m.id, (ClauseState(0, "ended"),), "") for m in (pinned, fixed, document)]
    changes.append(Withdraw(other.id, (ClauseState(7, "ended"),), ""))
    changes += [Withdraw(guarded.id, (ClauseState(n, "ended"),), "") for n in (0, 1)]
    with services.ledger.writing() as writer:
        applied = apply(writer, "alice", changes, now=services.runtime.now(), actor=Actor("dream"))
    assert [refusal.reason for refusal in applied.refused] == [
        "pinned",
        "immutable",
        "the text of a document",
        "no such clause",
        "a guardian fact",
    ]
    assert standing(bank.get(guarded.id)) == [(0, "ended")]


def test_looking_back_clauses_stand_as_they_did(bank: MemoryBank, clock: FrozenClock) -> None:
    """What ended since, held; what had ended by then, had; before it was said, nobody knew."""

    def seen(**at: datetime) -> list[tuple[int, str]]:
        results = bank.recall("Where do I work and live?", floor=0, **at).results
        return next(standing(item.memory) for item in results if item.content == TEXT)

    told(bank, clock)
    early, late = (CLOCK_START + timedelta(days=days) for days in (5, 15))
    assert seen() == [(0, "ended")]
    assert (seen(as_of=early), seen(as_of=late)) == ([], [(0, "ended")])
    assert (seen(known_at=early), seen(known_at=late)) == ([], [(0, "ended")])


def test_what_was_retracted_never_held(bank: MemoryBank, clock: FrozenClock) -> None:
    """As of no day; the whole memory as of none either."""
    memory = bank.add(TEXT, valid_from=clock())
    clock.advance(days=10)
    retracted = (ClauseState(0, "retracted"),)
    change(bank, Withdraw(memory.id, retracted, "misheard"))
    early = CLOCK_START + timedelta(days=5)
    (item,) = bank.recall("Where do I work?", floor=0, as_of=early).results
    assert standing(item.memory) == [(0, "retracted")]
    change(bank, Withdraw(memory.id, (ClauseState(1, "retracted"),), "misheard"))
    assert bank.recall("Where do I work?", floor=0, as_of=early).results == ()


def test_undoing_a_cycle_gives_clauses_back(bank: MemoryBank) -> None:
    """Those that it withdrew, and the memory that left with the last of them."""
    one, other = bank.add(TEXT), bank.add("My dog is called Rex. My cat is called Tom.")
    run_id = bank.consolidate().run_id
    services = bank.engine.open_services
    changes = [
        Withdraw(one.id, (ClauseState(0, "ended"),), "it ended"),
        Withdraw(other.id, (ClauseState(0, "ended"), ClauseState(1, "ended")), "it ended"),
    ]
    with services.ledger.writing() as writer:
        now = services.runtime.now()
        applied = apply(writer, "alice", changes, now=now, actor=Actor("dream", run_id))
    services.update_indexes("alice", applied)
    assert [bank.get(memory.id).state for memory in (one, other)] == ["active", "superseded"]
    assert set(bank.undo(run_id).restored) >= {one.id, other.id}
    for memory in (one, other):
        assert (bank.get(memory.id).state, bank.get(memory.id).clause_states) == ("active", ())
    assert bank.verify_audit().ok
    assert bank.engine.doctor().findings == ()


def test_a_file_takes_them_along(bank: MemoryBank, clock: FrozenClock, tmp_path: Path) -> None:
    """Also where another reader counts the clauses otherwise, and not to a text that was edited in it."""
    old, _ = told(bank, clock)
    bank.export(tmp_path / "file")
    lines = (tmp_path / "file").read_text(encoding="utf-8")
    other = bank.engine.bank("other")
    other.import_(tmp_path / "file")
    (imported,) = (memory for memory in other.list() if memory.content == TEXT)
    assert imported.clause_states == old.clause_states
    assert isinstance(imported.reading, Reading)
    edited = lines.replace(f'"{TEXT}"', f'"{TEXT} as a cook"')
    (tmp_path / "edited").write_text(edited, encoding="utf-8")
    bank.engine.bank("edited").import_(tmp_path / "edited")
    texts = {m.content: m.clause_states for m in bank.engine.bank("edited").list()}
    assert texts[f"{TEXT} as a cook"] == ()


def test_an_erasure_takes_its_clauses_and_what_quotes_it(
    clock: FrozenClock, tmp_path: Path
) -> None:
    """Of the newer memory no word is left beside the older one; of the older one no row."""
    with cogmem_core.open(tmp_path, embedder="hashing", clock=clock, config=MANUAL) as engine:
        bank = engine.bank("alice")
        old, newer = told(bank, clock)
        assert bank.forget(newer.id, hard=True).remaining == ()
        assert standing(bank.get(old.id)) == [(0, "ended")]
        engine.sync()
        files = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
        assert not any(b"isbon" in content for content in files)
        bank.forget(old.id, hard=True)
        with engine.open_services.ledger.reading("alice") as ns:
            assert ns.clauses.by_memory() == {}
        assert engine.doctor().findings == ()
        assert bank.verify_audit().ok


def test_what_an_agent_says_withdraws_nothing_that_waits_for_a_person(clock: FrozenClock) -> None:
    """The clause stands until the review is approved; rejected, it stays."""
    config = replace(MANUAL, guard=GuardConfig(review=("contradicting",)))
    with cogmem_core.open(None, embedder="hashing", clock=clock, config=config) as engine:
        bank = engine.bank("alice")
        old, _ = told(bank, clock)
        assert standing(old) == []
        (review,) = bank.reviews()
        bank.approve(review.id)
        assert standing(bank.get(old.id)) == [(0, "ended")]


def test_a_text_of_which_a_clause_ended_can_be_said_again(
    bank: MemoryBank, clock: FrozenClock
) -> None:
    """It is not taken for the memory of the same words, of which only a part holds."""
    old, newer = told(bank, clock)
    bank.remember(TEXT)
    assert bank.get(newer.id).state == "superseded"
    assert standing(bank.get(old.id)) == [(0, "ended")]
    again = next(memory for memory in bank.list() if memory.id != old.id)
    assert (again.content, standing(again)) == (TEXT, [])


def test_a_later_change_meets_only_what_holds(bank: MemoryBank, clock: FrozenClock) -> None:
    """The clause that ended is not ended again, and the other one stays with its memory."""
    old, _ = told(bank, clock)
    bank.remember("I live in Porto now")
    assert (bank.get(old.id).state, standing(bank.get(old.id))) == ("active", [(0, "ended")])
    bank.remember("I work at Initech now")
    assert bank.get(old.id).state == "superseded"


def test_an_edit_by_a_person_says_all_of_it_anew(bank: MemoryBank, clock: FrozenClock) -> None:
    """What the new text does not say has no state; a protected memory cannot be superseded."""
    old, _ = told(bank, clock)
    edited = bank.edit(old.id, "I work at Initech")
    assert (edited.clause_states, edited.reading and len(edited.reading.clauses)) == ((), 1)
    bank.pin(old.id)
    with pytest.raises(Protected):
        bank.edit(bank.add("x y", immutable=True).id, "z")
