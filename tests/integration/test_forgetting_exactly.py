"""Hard forgetting takes only what is named as a whole, or by its id; what is merely like it stays."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import cogmem_core
from cogmem_core import InvalidInput, MemoryBank, NotFound
from cogmem_core.testing import MANUAL

SIBLINGS = [
    ("rosa@delta.io", "Rosa's address is Rosa@Delta.io.", "Rosa's boss is rosa.blum@delta.io"),
    ("rosa@delta.io", "mail <rosa@delta.io>, she answers", "mail rosa@delta.io.uk, she answers"),
    ("rosa@delta.io", "rosa@delta.io's box is full", "rosa+news@delta.io's box is full"),
    ("delta.io", "the firm is at https://delta.io/", "the firm's mail is rosa@delta.io"),
    ("delta.io", "their site delta.io is down", "their site mail.delta.io is down"),
    ("+1 555 010 4477", "call +1 (555) 010-4477!", "call +1 (555) 010-44779!"),
    ("+1 555 010", "the short line is +1-555-010", "the long line is +1-555-010-4477"),
    ("555-0134", "the desk has 555 0134", "the flat has 1-555-0134"),
    ("4111 1111 1111 1112", "the card is 4111111111111112.", "the card is 4111-1111-1111-1112-22."),
    ("DE88 3704 0044 0532 0130 00", "pay DE88370400440532013000", "pay DE8837040044053201300099"),
    ("192.168.1.10", "the printer is 192.168.1.10.", "the scanner is 192.168.11.0."),
    (
        "550E8400-E29B-41D4-A716-446655440000",
        "order {550e8400-e29b-41d4-a716-446655440000}",
        "order 550e8400-e29b-41d4-a716-446655440000-2",
    ),
    ("550e8400", "the build is 550e8400.", "the order is 550e8400-e29b-41d4-a716-446655440000"),
    ("@ann", "ping @ann, please", "ping @ann_b, please"),
    ("@ann", "(@Ann's post)", "rosa@ann.io"),
    ("https://x.io/a", "read (https://x.io/a).", "read (https://x.io/a/b)."),
    ("https://x.io/a", "it moved to x.io/a/", "it moved to x.io/a?page=2"),
    ("youtu.be/aB3", "watch https://youtu.be/aB3", "watch https://youtu.be/ab3"),
    ("/home/ann", "her files are in /home/ann", "her files are in /home/ann/music"),
    ("AB-12", "ticket (AB-12)", "ticket AB-12-9"),
    ("Ann", "I met Ann.", "I met Anna."),
    ("Ann", "Ann's dog is old", "Ann-Marie's dog is old"),
    ("Marie", "Marie – my aunt – sings", "Ann-Marie, my aunt, sings"),
    ("O'Brien", "Mr O’Brien left", "Mr O’Brien-Smith left"),
    ("IŞIK", "Işık'ın evi Ankara'da", "Işıklar Ankara'da"),
    ("istanbul", "İSTANBUL'da yaşıyor", "İstanbullu bir aile"),
    ("kılıç", "Bay KILIÇ geldi", "Bay Kiliç geldi"),
    ("Straße 5", "she lives in STRASSE 5", "she lives in Straße 57"),
    ("Blue Moon", "we ate at the 'Blue  Moon'", "the moon was blue"),
    ("number 3", "this is number 3.", "this is number 3.5."),
    ("2023", "born in 2023.", "born on 2023-05-08."),
    ("Bell", "Bell is a firm", "Bell&Howell is another"),
    ("rosa@delta.io", "邮箱是rosa@delta.io吗", "邮箱是b.rosa@delta.io吗"),
]
LONGER = [
    ("rosa@delta.io", "mail rosa.blum@delta.io"),
    ("+1 555 010", "call +1 555 010 4477"),
    ("555", "call +1 555 010 4477"),
    ("550e8400", "order 550e8400-e29b-41d4-a716-446655440000"),
    ("@ann", "ping @ann_b"),
    ("https://x.io/a", "read https://x.io/a/b"),
]


@pytest.fixture
def bank() -> Iterator[MemoryBank]:
    with cogmem_core.open(embedder="hashing", config=MANUAL) as engine:
        yield engine.bank("alice")


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
