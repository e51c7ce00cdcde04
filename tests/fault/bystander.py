"""Another process that works on the same bank: it writes without a pause while the first one is interrupted."""

import itertools
import json
import os
import random
import select
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import cogmem_core
from cogmem_core import Engine, MemoryBank
from cogmem_core.testing import FrozenClock
from fault.workload import CONFIG, NAMESPACE, START, words

SHARED = "another engine holds this folder's vector index"
"""Said by the second of two engines that have one bank open, and no trouble."""
LINGERS_SECONDS = 10.0
"""Who cancels a task does not stop the thread that does its work."""
_BETWEEN_SECONDS = 0.005  # between two writes
_PATIENCE_SECONDS = 60.0


class Bystander:
    """Forks at once, and opens the bank when it is first told to work."""

    def __init__(self, folder: Path, days: int, seed: int) -> None:
        read, self._orders = os.pipe()
        self._answers, write = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            os.close(self._orders)
            os.close(self._answers)
            _live(folder, days, random.Random(seed), _Pipes(read, write, _lines(read)))
        os.close(read)
        os.close(write)
        self._heard = _lines(self._answers)

    def work(self) -> None:
        """Let it write until it is asked what it did."""
        self._order({"do": "work"})

    def told(self, sought: str) -> tuple[list[str], list[str]]:
        """What it wrote since, and what it has to complain of.

        Args:
            sought: a text that the other process wrote: it is to find it.
        """
        self._order({"do": "tell", "sought": sought})
        if not select.select([self._answers], [], [], _PATIENCE_SECONDS)[0]:
            return [], ["hung: the other process does not answer"]
        answer = next(self._heard, {"texts": [], "faults": ["wrong: the other process has ended"]})
        return answer["texts"], answer["faults"]

    def leave(self) -> None:
        """End it."""
        os.close(self._orders)
        os.waitpid(self._pid, 0)
        os.close(self._answers)

    def _order(self, what: dict[str, Any]) -> None:
        os.write(self._orders, (json.dumps(what) + "\n").encode())


def _lines(pipe: int) -> Iterator[dict[str, Any]]:
    with os.fdopen(os.dup(pipe)) as file:
        for line in file:
            yield json.loads(line)


class _Pipes(NamedTuple):
    orders: int
    answers: int
    heard: Iterator[dict[str, Any]]


def _live(folder: Path, days: int, rng: random.Random, pipes: _Pipes) -> None:
    """Never returns."""
    code = 1
    try:
        if next(pipes.heard, None) is not None:
            _work(folder, days, rng, pipes)
        code = 0
    finally:
        os._exit(code)


def _work(folder: Path, days: int, rng: random.Random, pipes: _Pipes) -> None:
    clock = FrozenClock(START)
    clock.advance(days=days)
    texts, faults, works = list[str](), list[str](), True
    with cogmem_core.open(folder, embedder="hashing", clock=clock, config=CONFIG) as engine:
        bank = engine.bank(NAMESPACE)
        for number in itertools.count():
            if works:
                text = f"zp{number}xp {words(rng, 4)}"
                faults += _kept(bank, text)
                texts += [text] if not faults else []
                if not select.select([pipes.orders], [], [], 0)[0]:
                    time.sleep(_BETWEEN_SECONDS)
                    continue
            order = next(pipes.heard, None)
            if order is None:
                return
            works = order["do"] == "work"
            if not works:
                # Of what others erased, the engine that holds the index erases the vectors.
                faults += [*_sought(bank, order["sought"]), *_flushed(engine)]
                told = {"texts": texts, "faults": faults}
                os.write(pipes.answers, (json.dumps(told) + "\n").encode())
                texts, faults = [], []


def _kept(bank: MemoryBank, text: str) -> list[str]:
    try:
        bank.add(text)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is reported
        return [f"wrong: in another process {type(error).__name__}: {error}"]
    return []


def _flushed(engine: Engine) -> list[str]:
    """What the engine still warns of when nobody is at work any more.

    The thread of a cancelled `aforget()` goes on: meanwhile its erasure is, and is said to be, unfinished.
    """
    warnings = list[str]()
    for _ in range(int(LINGERS_SECONDS / 0.1)):
        engine.flush()
        warnings = [one for one in engine.warnings() if SHARED not in one]
        if not warnings:
            break
        time.sleep(0.1)
    return [f"wrong: in another process: {one}" for one in warnings]


def _sought(bank: MemoryBank, text: str) -> list[str]:
    try:
        shown = [item.memory.content for item in bank.recall(text, k=3, floor=0, deep=True).results]
    except Exception as error:  # noqa: BLE001 - whatever it is, it is reported
        return [f"wrong: in another process {type(error).__name__}: {error}"]
    return [] if text in shown else [f"wrong: another process does not find {text}, but {shown}"]
