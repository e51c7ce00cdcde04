"""An edit loses nothing it does not change; `supersede` leaves a pointer, and can be taken back."""

from collections.abc import Callable

import pytest

from cogmem_core import InvalidInput, MemoryBank, Protected
from cogmem_core.testing import FrozenClock
from helpers.tables import each_row, rows_of

COMPOUND = rows_of("edit_and_supersede/compound", "en tr")
WHOLE = rows_of("edit_and_supersede/whole", "en tr")

ENGINE = {"embedder": "hashing"}


@each_row("old, new, rest", COMPOUND)
def test_the_half_that_an_edit_does_not_speak_of_stays(
    fresh: Callable[[], MemoryBank], old: str, new: str, rest: str
) -> None:
    """As a memory of its own, linked to the edited one."""
    bank = fresh()
    memory = bank.add(old, tags=["home"])
    assert bank.edit(memory.id, new).id == memory.id
    assert {item.content for item in bank.list()} == {new, rest}
    (half,) = [item for item in bank.list() if item.content == rest]
    assert half.tags == ("home",)
    assert memory.id in {link.target_id for link in bank.relations(half.id)}


@each_row("old, new", WHOLE)
def test_nothing_else_is_added(fresh: Callable[[], MemoryBank], old: str, new: str) -> None:
    """What the new text says too, what it leaves out of the same statement, another subject."""
    bank = fresh()
    memory = bank.add(old)
    bank.edit(memory.id, new)
    assert [item.content for item in bank.list()] == [new]


def test_an_edit_leaves_version_pointer_and_timeline(bank: MemoryBank, clock: FrozenClock) -> None:
    """The former value is found in the timeline, behind the present one, and is not current."""
    memory = bank.add("I live in Oslo.")
    clock.advance(days=9)
    bank.edit(memory.id, "I live in Bergen.")
    assert [version.content for version in bank.history(memory.id).versions] == ["I live in Oslo."]
    (former,) = bank.list(state="superseded")
    assert (former.content, former.superseded_by) == ("I live in Oslo.", memory.id)
    told = [
        item.memory.content for item in bank.recall("Where do I live?", mode="timeline").results
    ]
    assert set(told) == {"I live in Bergen.", "I live in Oslo."}
    current = [item.memory.content for item in bank.recall("Where do I live?", floor=0).results]
    assert current == ["I live in Bergen."]


def test_a_mere_correction_of_spelling_leaves_a_version_only(bank: MemoryBank) -> None:
    """It gives no other value."""
    memory = bank.add("The museum opnes at nine.")
    bank.edit(memory.id, "The museum opens at nine.")
    assert bank.count(state="any") == 1
    assert len(bank.history(memory.id).versions) == 1


def test_a_shortened_text_leaves_a_version_only(bank: MemoryBank) -> None:
    """What only leaves words out gives no other value; what denies does."""
    memory = bank.add("I park behind the old library.")
    bank.edit(memory.id, "I park behind the library.")
    assert bank.count(state="any") == 1
    bank.edit(memory.id, "I don't park behind the library.")
    assert [old.content for old in bank.list(state="superseded")] == ["I park behind the library."]


def test_erasing_after_forgetting_takes_the_former_text_too(bank: MemoryBank) -> None:
    """A soft forget, restored or not, hides no text from a hard one."""
    for again in (False, True):
        memory = bank.add("I live in Oslo.")
        bank.edit(memory.id, "I live in Bergen.")
        bank.forget(memory.id)
        if again:
            bank.restore(memory.id)
        bank.forget(memory.id, hard=True)
        assert bank.count(state="any") == 0


@pytest.mark.parametrize("hard", [False, True])
def test_forgetting_an_edited_memory_takes_its_former_text(bank: MemoryBank, hard: bool) -> None:
    """What it said before an edit is no other memory."""
    memory = bank.add("I live in Oslo.")
    bank.edit(memory.id, "I live in Bergen.")
    bank.forget(memory.id, hard=hard)
    assert bank.count(state="active") == bank.count(state="superseded") == 0
    assert bank.count(state="any") == (0 if hard else 2)


def test_a_memory_is_superseded_by_hand(bank: MemoryBank, clock: FrozenClock) -> None:
    """The old one points to the new one; `restore` brings it back."""
    old = bank.add("I live in Oslo and work at Siemens.", tags=["home"], importance=0.8)
    clock.advance(days=9)
    new = bank.supersede(old.id, "I live in Bergen.")
    assert (new.content, new.tags, new.importance) == ("I live in Bergen.", ("home",), 0.8)
    gone = bank.get(old.id)
    assert (gone.state, gone.superseded_by) == ("superseded", new.id)
    assert {item.content for item in bank.list()} == {"I live in Bergen.", "I work at Siemens."}
    assert ("supersedes", old.id) in {
        (link.type, link.target_id) for link in bank.relations(new.id)
    }
    assert bank.restore(old.id).state == "active"


def test_what_does_not_hold_is_not_superseded(bank: MemoryBank) -> None:
    """Nor is a document's text, nor a memory by its own words."""
    memory = bank.add("I live in Oslo.")
    with pytest.raises(InvalidInput, match="says already"):
        bank.supersede(memory.id, "I live in  OSLO.")
    bank.forget(memory.id)
    with pytest.raises(InvalidInput, match="forgotten"):
        bank.supersede(memory.id, "I live in Bergen.")
    bank.items().put(("notes",), "one", {"n": 1}, texts=["The garden is closed."])
    (text,) = bank.list()
    with pytest.raises(Protected, match="document"):
        bank.supersede(text.id, "The garden is open.")
