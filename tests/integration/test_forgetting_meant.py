"""`forget_matching` takes what a person means, and only that, and says how it was named."""

from collections.abc import Callable

import pytest

from cogmem_core import InvalidInput, MemoryBank, NotFound, Turn
from helpers.tables import each_row, each_row_of, rows_of

OWN = rows_of("forgetting_meant/own", "de en es fr tr")

STATEMENTS = rows_of("forgetting_meant/statements", "en tr")
WISHES = rows_of("forgetting_meant/wishes", "de en es fr tr")
EXACTLY = list(rows_of("forgetting_meant/exactly"))

ENGINE = {"embedder": "hashing", "clock": None}


@each_row("query, taken, left", [*OWN, *STATEMENTS, *WISHES, *EXACTLY])
def test_what_is_meant_goes_and_its_look_alike_stays(
    fresh: Callable[[], MemoryBank], query: str, taken: str, left: str
) -> None:
    """Of two memories that share words with the query, the one that it names is forgotten."""
    bank = fresh()
    meant, other = bank.add(taken), bank.add(left)
    seen = bank.forget_matching(query, dry_run=True)
    assert (seen.memory_ids, seen.dry_run) == ((meant.id,), True)
    assert bank.get(meant.id).state == "active"
    assert bank.forget(query).memory_ids == (meant.id,)
    assert (bank.get(meant.id).state, bank.get(other.id).state) == ("forgotten", "active")


@each_row("query, text", [(query, left) for query, _, left in [*OWN, *STATEMENTS]])
def test_a_look_alike_alone_is_not_taken_for_what_is_meant(
    fresh: Callable[[], MemoryBank], query: str, text: str
) -> None:
    """Nothing is forgotten for want of something better."""
    bank = fresh()
    memory = bank.add(text)
    assert bank.forget_matching(query).memory_ids == ()
    with pytest.raises(NotFound):
        bank.forget(query)
    assert bank.get(memory.id).state == "active"


@each_row_of("forgetting_meant/a_candidate_tells_how_it_was_named")
def test_a_candidate_tells_how_it_was_named(
    fresh: Callable[[], MemoryBank], query: str, text: str, reason: str
) -> None:
    """The receipt lists id, text, reason, and whether it is meant."""
    bank = fresh()
    memory = bank.add(text)
    (candidate,) = bank.forget_matching(query, dry_run=True).candidates
    assert (candidate.memory_id, candidate.text) == (memory.id, text)
    assert (candidate.reason, candidate.meant) == (reason, True)


def test_what_is_only_near_is_listed_and_stays(bank: MemoryBank) -> None:
    """A person sees what else might have been meant."""
    mine, boss = bank.add("My salary is 3,000 euros."), bank.add("My boss's salary is 9,000.")
    receipt = bank.forget_matching("my salary")
    assert [(c.memory_id, c.reason, c.meant) for c in receipt.candidates] == [
        (mine.id, "slot", True),
        (boss.id, "near", False),
    ]


@each_row_of("forgetting_meant/what_several_told_of_themselves_is_asked_back")
def test_what_several_told_of_themselves_is_asked_back(
    fresh: Callable[[], MemoryBank], query: str, first: str, second: str
) -> None:
    """Whose "my salary" is meant, nobody can tell: nothing is forgotten, softly or for good."""
    bank = fresh()
    bank.remember([Turn(first, speaker="Ada"), Turn(second, speaker="Ben")])
    assert [one.meant for one in bank.forget_matching(query).candidates] == [False, False]
    for hard in (False, True):
        with pytest.raises((NotFound, InvalidInput), match="several speakers"):
            bank.forget(query, hard=hard)
    assert len(bank.forget(query, speaker="Ben").memory_ids) == 1
    assert [memory.content for memory in bank.list()] == [first]


def test_an_id_names_itself(bank: MemoryBank) -> None:
    """However much its text is like another one's."""
    first = bank.add("The same words.")
    bank.add("The same words.")
    receipt = bank.forget_matching(first.id)
    assert (receipt.memory_ids, receipt.candidates[0].reason) == ((first.id,), "id")


def test_for_good_only_what_stands_there_as_a_whole(bank: MemoryBank) -> None:
    """A slot or loose words may be listed, never erased."""
    memory = bank.add("I live in Oslo.")
    seen = bank.forget_matching("where I live", hard=True, dry_run=True)
    assert seen.memory_ids == ()
    assert [candidate.memory_id for candidate in seen.candidates] == [memory.id]
    with pytest.raises(InvalidInput, match="give the id of each memory that is meant"):
        bank.forget_matching("where I live", hard=True)
    erased = bank.forget_matching("live in Oslo", hard=True)
    assert (erased.memory_ids, erased.candidates) == ((memory.id,), ())


def test_nothing_is_said_about_nothing(bank: MemoryBank) -> None:
    """`forget` refuses a query that names nothing, `forget_matching` returns an empty receipt."""
    receipt = bank.forget_matching("my unicorn")
    assert (receipt.memory_ids, receipt.candidates) == ((), ())
    with pytest.raises(NotFound):
        bank.forget("my unicorn")


@each_row_of("forgetting_meant/all_about_somebody_is_what_names_him")
def test_all_about_somebody_is_what_names_him(
    fresh: Callable[[], MemoryBank], query: str, taken: int, left: str
) -> None:
    """However that is put, softly; nobody else's goes."""
    bank = fresh()
    bank.add("Mara is my aunt."), bank.add("The flat in Kiel is Mara's."), bank.add(left)
    assert len(bank.forget_matching(query).memory_ids) == taken
    assert [memory.content for memory in bank.list()] == [left]


def test_a_record_is_that_of_what_it_is_called_after(bank: MemoryBank) -> None:
    """A word for the record itself need not stand there; where it does, it counts."""
    customer = bank.add("Customer 4471 pays by card.")
    assert bank.forget_matching("customer 4471 record").memory_ids == (customer.id,)
    vinyl = bank.add("Customer 4471 broke a record.")
    bank.add("Customer 4471 lives in Linz.")
    assert bank.forget_matching("customer 4471 record").memory_ids == (vinyl.id,)
