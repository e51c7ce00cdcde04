"""Erasing while others write: what was found to go and what goes are the same."""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Engine
from cogmem_core.ports import FloatArray
from cogmem_core.testing import MANUAL, CountingEmbedder

ROUNDS, TURNS = 6, 15

ENGINE = {"folder": True, "clock": None}


def test_nothing_is_left_without_its_namespace(engine: Engine) -> None:
    """A worker that finishes turns meanwhile leaves no memory that nobody lists."""
    bank = engine.bank("ann")
    for number in range(ROUNDS):
        talk = threading.Thread(
            target=lambda n=number: [  # type: ignore[misc]
                bank.remember(f"n{n} Note {turn} on boats and rain", mode="raw", wait=False)
                for turn in range(TURNS)
            ]
        )
        talk.start()
        bank.forget_all(confirm="ann", hard=True)
        talk.join()
    engine.flush()
    assert engine.doctor().findings == ()
    assert bank.forget_all(confirm="ann", hard=True).remaining == ()
    assert bank.count(state="any") == 0
    assert engine.namespaces() == []


def test_memories_are_erased_while_others_are_written(engine: Engine) -> None:
    """The same for single memories."""
    bank = engine.bank("ann")
    ids = [bank.add(f"n{number} I keep a boat").id for number in range(ROUNDS)]
    done = threading.Event()

    def talk() -> None:
        number = 0
        while not done.is_set():
            bank.remember(f"Note {number} on trains", mode="raw", wait=False)
            number += 1
            done.wait(0.002)

    talking = threading.Thread(target=talk)
    talking.start()
    for memory_id in ids:
        assert bank.forget(memory_id, hard=True).remaining == ()
    done.set()
    talking.join()
    engine.flush()
    assert [memory.content for memory in bank.list(limit=1_000) if "boat" in memory.content] == []
    assert engine.doctor().findings == ()


class Repeating(CountingEmbedder):
    """Before it embeds for the next time, somebody says something: `said` once, not again."""

    said: Callable[[], object] | None = None

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """The usual vectors."""
        said, self.said = self.said, None
        if said is not None:
            said()
        return super().embed_documents(texts)


@pytest.mark.parametrize("wait", [True, False])
def test_what_is_said_again_meanwhile_is_erased_with_it(tmp_path: Path, wait: bool) -> None:
    """Words said once more after the search began, while siblings are embedded, do not outlive it."""
    embedder = Repeating()
    with cogmem_core.open(tmp_path / "brain", embedder=embedder, config=MANUAL) as engine:
        bank = engine.bank("ann")
        bank.remember("My locker code is Tweety3141. I work at Acme in Oslo.", mode="semantic")
        (code,) = [memory for memory in bank.list() if "Tweety3141" in memory.content]
        embedder.said = lambda: bank.remember(
            "My locker code is Tweety3141.", mode="semantic", wait=wait
        )
        receipt = bank.forget(code.id, hard=True)
        engine.flush()
        assert embedder.said is None
        assert receipt.remaining == ()
        assert [memory.content for memory in bank.list(state="any")] == [
            "User works at Acme in Oslo."
        ]
        assert engine.doctor().findings == ()
    held = [
        path.name
        for path in tmp_path.rglob("*")
        if path.is_file() and b"Tweety3141" in path.read_bytes()
    ]
    assert held == []
