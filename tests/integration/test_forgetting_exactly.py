"""Hard forgetting takes only what is named as a whole, or by its id; what is merely like it stays."""

import pytest

from cogmem_core import InvalidInput, MemoryBank, NotFound
from helpers.tables import rows_of

SIBLINGS = rows_of("forgetting_exactly/siblings", "de en tr zh")
LONGER = rows_of("forgetting_exactly/longer")

ENGINE = {"embedder": "hashing", "clock": None}


@pytest.mark.parametrize(("query", "named", "other"), SIBLINGS)
def test_only_what_holds_the_query_as_a_whole_is_erased(
    bank: MemoryBank, query: str, named: str, other: str
) -> None:
    """The longer, the inflected, the other one stays, whether the named one is there or not."""
    memory, sibling = bank.add(named), bank.add(other)
    assert bank.forget(query, hard=True).memory_ids == (memory.id,)
    assert [left.id for left in bank.list(state="any")] == [sibling.id]
    with pytest.raises((InvalidInput, NotFound)):
        bank.forget(query, hard=True)
    assert [left.id for left in bank.list(state="any")] == [sibling.id]


@pytest.mark.parametrize(("query", "text"), LONGER)
def test_softly_no_longer_identifier_is_taken_either(
    bank: MemoryBank, query: str, text: str
) -> None:
    """A part of an identifier names nothing; for good, the message says which memory may be meant."""
    memory = bank.add(text)
    with pytest.raises(NotFound):
        bank.forget(query)
    with pytest.raises(InvalidInput) as refused:
        bank.forget(query, hard=True)
    assert memory.id in str(refused.value)
    assert "hard=False" not in str(refused.value)
    assert bank.get(memory.id).state == "active"


def test_loose_words_are_listed_and_nothing_is_erased(bank: MemoryBank) -> None:
    """Several words that only all occur somewhere: ids, texts, and the two ways on."""
    dog = bank.add("My dog runs in the park")
    bank.add("The cat sleeps")
    with pytest.raises(InvalidInput, match="give the id of each memory that is meant") as refused:
        bank.forget("park dogs", hard=True)
    assert f"{dog.id} (My dog runs in the park)" in str(refused.value)
    assert "hard=False" in str(refused.value)
    assert bank.count() == 2
    assert bank.forget("park dogs").memory_ids == (dog.id,)
    assert bank.forget(dog.id, hard=True).memory_ids == (dog.id,)


def test_a_long_list_is_cut(bank: MemoryBank) -> None:
    """Ten candidates, and how many more there are; long texts are shortened."""
    for number in range(13):
        bank.add(f"dogs bark in the park, said neighbour {number}, {'again and ' * 20}again")
    with pytest.raises(InvalidInput, match="and 3 more") as refused:
        bank.forget("park dogs", hard=True)
    assert len(str(refused.value)) < 1_500


def test_stop_words_alone_name_nothing(bank: MemoryBank) -> None:
    """Else `the` would erase half of what is known."""
    bank.add("the dog is old")
    with pytest.raises(NotFound):
        bank.forget("the")
    with pytest.raises(InvalidInput, match="Candidates"):
        bank.forget("the", hard=True)
    assert bank.count() == 1


def test_softly_words_meet_in_any_form_and_order(bank: MemoryBank) -> None:
    """As ever: inflected, in another order, beside an identifier that stands there as a whole."""
    memory = bank.add("rosa@delta.io keeps three dogs")
    bank.add("rosa.blum@delta.io keeps three dogs")
    assert bank.forget("dog keeping rosa@delta.io").memory_ids == (memory.id,)


def test_an_id_that_a_text_holds_is_an_identifier(bank: MemoryBank) -> None:
    """A memory's own id goes first; one of elsewhere is looked for in the texts."""
    other = bank.add("unrelated")
    bank.forget(other.id, hard=True)
    memory = bank.add(f"ticket {other.id} is closed")
    assert bank.forget(other.id, hard=True).memory_ids == (memory.id,)


def test_the_text_of_a_document_is_named_in_the_same_way(bank: MemoryBank) -> None:
    """What stands in `items()` is no exception."""
    bank.items().put(("notes",), "one", {"n": 1}, texts=["write to rosa.blum@delta.io"])
    with pytest.raises((InvalidInput, NotFound)):
        bank.forget("rosa@delta.io", hard=True)
    assert bank.items().get(("notes",), "one") is not None
