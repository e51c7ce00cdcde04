"""A call that is broken off, by Ctrl-C, a notebook's stop button or a soft time limit, takes nothing with it."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import MemoryBank
from cogmem_core.ports import FloatArray
from cogmem_core.testing import MANUAL, CountingEmbedder, FrozenClock

TEXTS = [f"Note {number} says zq{number}xq and nothing else" for number in range(70)]


class SoftTimeLimit(Exception):
    """What a queue of tasks raises in the middle of one."""


class Breaking(FrozenClock):
    """Raises when it is asked for the time once more than `left` times."""

    def __init__(self) -> None:
        super().__init__()
        self.left: int | None = None
        self.error: BaseException = KeyboardInterrupt()

    def __call__(self):
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                self.left = None
                raise self.error
        return super().__call__()


class BreakingEmbedder(CountingEmbedder):
    """Is broken off while it embeds."""

    error: BaseException | None = None

    def embed_documents(self, texts) -> FloatArray:
        error, self.error = self.error, None
        if error is not None:
            raise error
        return super().embed_documents(texts)


CALLS: dict[str, Callable[[MemoryBank], object]] = {
    "recall": lambda bank: bank.recall("zq3xq", floor=0),
    "remember": lambda bank: bank.remember("Something else, zelsexq", mode="raw"),
    "add": lambda bank: bank.add("Something else, zelsexq"),
    "consolidate": lambda bank: bank.consolidate(),
    "edit": lambda bank: bank.edit(bank.list(limit=1).memories[0].id, TEXTS[0]),
}


def whole(bank: MemoryBank, folder: Path | None) -> None:
    """Nothing is lost, locked or wrong."""
    if folder is not None:
        with closing(
            sqlite3.connect(folder / "ledger.sqlite", timeout=5, isolation_level=None)
        ) as other:
            other.execute("BEGIN IMMEDIATE")
            other.execute("ROLLBACK")
    assert set(TEXTS) <= {memory.content for memory in bank.list(state="any", limit=1_000)}
    assert bank.recall("zq42xq", floor=0).results[0].content == TEXTS[42]
    bank.add("One more, zmorexq")
    assert bank.recall("zmorexq", floor=0).results[0].content == "One more, zmorexq"
    assert bank.consolidate().reason == ""


ERRORS = (KeyboardInterrupt, SystemExit, SoftTimeLimit)
# In `make test` each call meets two of the errors: one in memory, one in a file.
BROKEN = [
    pytest.param(
        place,
        call,
        error,
        marks=[] if number % 3 == (row + 2 * column) % 3 else pytest.mark.thorough,
    )
    for row, call in enumerate(CALLS)
    for column, place in enumerate(("memory", "file"))
    for number, error in enumerate(ERRORS)
]


@pytest.mark.parametrize(("place", "call", "error"), BROKEN)
def test_a_call_broken_off_where_it_reads_the_clock(
    tmp_path: Path, place: str, call: str, error: type[BaseException]
) -> None:
    """In and between its transactions; the exception is kept, with all that its traceback holds."""
    clock, folder, kept = (
        Breaking(),
        tmp_path / "bank" if place == "file" else None,
        list[BaseException](),
    )
    with cogmem_core.open(
        folder, embedder=CountingEmbedder(), clock=clock, config=MANUAL
    ) as engine:
        bank = engine.bank("alice")
        bank.remember(TEXTS, mode="raw")
        engine.pause()
        for number in range(4):
            clock.error, clock.left = error(), number
            try:
                CALLS[call](bank)
            except error as raised:
                kept.append(raised)
            clock.left = None
            whole(bank, folder)
        engine.resume()


@pytest.mark.parametrize("place", ["memory", "file"])
def test_turns_that_were_kept_before_the_embedder_was_broken_off_become_memories(
    tmp_path: Path, place: str
) -> None:
    """They are on disk already: the worker finishes them."""
    embedder = BreakingEmbedder()
    with cogmem_core.open(
        tmp_path / "bank" if place == "file" else None, embedder=embedder, config=MANUAL
    ) as engine:
        bank = engine.bank("alice")
        embedder.error = KeyboardInterrupt()
        with pytest.raises(KeyboardInterrupt):
            bank.remember("I moved to Lisbon in May", mode="raw")
        engine.flush()
        assert [memory.content for memory in bank.list()] == ["I moved to Lisbon in May"]


def test_an_answer_whose_judgement_is_broken_off_is_judged_later() -> None:
    """What waits in memory stays there until it is done."""
    with cogmem_core.open(embedder=CountingEmbedder(), config=MANUAL) as engine:
        bank = engine.bank("alice")
        memory = bank.add("I moved to Lisbon in May")
        engine.pause()
        broken = [KeyboardInterrupt()]

        def similarity(_text: str, _answer: str) -> float:
            if broken:
                raise broken.pop()
            return 1.0

        bank.feedback(
            bank.recall("Lisbon", floor=0),
            "You moved to Lisbon in May.",
            similarity_fn=similarity,
            wait=False,
        )
        try:
            engine.flush()
        except KeyboardInterrupt:
            engine.flush()
        engine.flush()
        assert bank.get(memory.id).used_count == 1
