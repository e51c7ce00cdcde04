"""What is searched in memory, after an interrupt in the middle of its change: it is built anew, and is whole."""

import threading
from collections.abc import Callable
from types import FrameType

import pytest

import cogmem_core
from cogmem_core import MemoryBank
from cogmem_core.errors import StoreUnavailable
from cogmem_core.testing import MANUAL, CountingEmbedder
from helpers.interrupted_calls import interrupt_at
from helpers.tables import rows_of

TEXTS = [f"Note {number} says zq{number}xq and nothing else" for number in range(80)]
GROWING = rows_of("half_changed/growing")
CHANGING = rows_of("half_changed/changing")
READING = ("_accumulate", "_score", "columns", "_idf", "_best", "coverage", "top")


def broken_off(call: Callable[[], object], name: str, place: int) -> KeyboardInterrupt | None:
    """Interrupts a call at the n-th place within a function of that name; None if there are fewer."""

    def is_place(frame: FrameType, event: str) -> bool:
        here = frame.f_code.co_name == name and "cogmem" in frame.f_code.co_filename
        return here and event in {"call", "c_return"}

    return interrupt_at(call, place, is_place=is_place)


def sound(bank: MemoryBank) -> None:
    """Words and vectors find what is there, and what comes."""
    for number in (0, 42, 79):
        assert bank.recall(f"zq{number}xq", floor=0).results[0].content == TEXTS[number]
    bank.add("One more, zmorexq")
    recall = bank.recall("zmorexq", floor=0)
    assert (recall.results[0].content, recall.degraded) == ("One more, zmorexq", ())


def places(names: list[str], later: int) -> list[object]:
    """The first place of each function, and a later one of every third; in `make fault` of all."""
    return [
        *((name, 1) for name in names),
        *(
            pytest.param(name, later, marks=pytest.mark.thorough if number % 3 else [])
            for number, name in enumerate(names)
        ),
    ]


@pytest.mark.parametrize(("name", "place"), places(GROWING, 9))
def test_a_first_look_that_is_broken_off(name: str, place: int) -> None:
    """The first recall reads everything into memory; the traceback holds what it was working on."""
    with cogmem_core.open(embedder=CountingEmbedder(), config=MANUAL) as engine:
        bank = engine.bank("alice")
        bank.remember(TEXTS, mode="raw")
        engine.services.searcher.views.clear()
        error = broken_off(lambda: bank.recall("zq7xq", floor=0), name, place)
        sound(bank)
        assert place > 1 or error is not None


@pytest.mark.parametrize(("name", "place"), places(CHANGING, 5))
def test_a_change_that_is_broken_off(name: str, place: int) -> None:
    """What was written is in the ledger; what is in memory follows it."""
    with cogmem_core.open(embedder=CountingEmbedder(), config=MANUAL) as engine:
        bank = engine.bank("alice")
        bank.remember(TEXTS, mode="raw")
        bank.recall("zq7xq", floor=0)
        passing = bank.add("Note of today says ztodayxq")

        def change() -> None:
            bank.edit(passing.id, "Note of tomorrow says ztomorrowxq")
            bank.forget(passing.id)

        error = broken_off(change, name, place)
        sound(bank)
        assert place > 1 or error is not None


@pytest.mark.parametrize("place", [3])
@pytest.mark.parametrize("name", READING)
def test_a_search_that_is_broken_off(name: str, place: int) -> None:
    """A view into a buffer, kept in the traceback, would forbid the buffer to grow."""
    with cogmem_core.open(embedder=CountingEmbedder(), config=MANUAL) as engine:
        bank = engine.bank("alice")
        bank.remember(TEXTS, mode="raw")
        bank.recall("zq7xq", floor=0)
        error = broken_off(lambda: bank.recall("zq8xq says nothing", floor=0), name, place)
        sound(bank)
        assert place > 1 or error is not None


def test_another_thread_does_not_search_what_is_half_changed() -> None:
    """It is told to ask again; who asks then gets the whole answer."""
    with cogmem_core.open(embedder=CountingEmbedder(), config=MANUAL) as engine:
        bank = engine.bank("alice")
        bank.remember(TEXTS, mode="raw")
        bank.recall("zq7xq", floor=0)
        view = engine.services.searcher.views.get("alice")
        error = broken_off(lambda: bank.add("Note of today"), "_new_slot", 1)
        refusals = list[StoreUnavailable]()

        def look() -> None:
            try:
                view.share("zq7xq")
            except StoreUnavailable as refusal:
                refusals.append(refusal)

        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
        assert error is not None
        assert [str(refusal) for refusal in refusals] == [
            "what is searched in memory was left half changed and is built anew: ask again"
        ]
        sound(bank)
