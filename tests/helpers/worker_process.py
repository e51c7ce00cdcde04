"""A worker process of a bank on servers, told what to do line by line.

Answers each line with one line of JSON once it is done. With it, tests kill a worker at a moment of their choice.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any

import cogmem_core
from cogmem_core import Engine, MemoryBank
from cogmem_core.config import StorageConfig
from cogmem_core.testing import MANUAL, CountingEmbedder


class Worker:
    """A worker process, as its parent sees it; a context manager."""

    def __init__(self, *urls: str) -> None:
        command = [sys.executable, __file__, *urls]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def send(self, *order: str) -> None:
        """Give an order and do not wait."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()

    def answer(self) -> Any:
        """The next answer; None if the process is dead."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        return json.loads(line) if line.endswith("\n") else None

    def __call__(self, *order: str) -> Any:
        """Give an order and wait for its answer."""
        self.send(*order)
        return self.answer()

    def kill(self) -> None:
        """kill -9; returns when it is gone."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        """Let it end by itself."""
        if self._process.poll() is None and self._process.stdin is not None:
            self._process.stdin.close()
            self._process.wait(timeout=60)
            if self._process.stdout is not None:
                self._process.stdout.close()


def hang(engine: Engine, namespace: str) -> int | None:
    """Take the lease, as a cycle does, and never give it back."""
    with engine.services.ledger.writing(namespace) as writer:
        now = engine.services.runtime.now()
        seconds = engine.services.config.consolidation.lease_seconds
        return writer.at(namespace).runs.take_lease("hanging", now=now, seconds=seconds)


def dream(bank: MemoryBank) -> tuple[str, int]:
    """A cycle: why it did not run, and how many memories it merged."""
    report = bank.consolidate()
    return report.reason, report.merged


class AheadClock:
    """The machine's clock, and what it is ahead of it."""

    ahead = timedelta()

    def __call__(self) -> datetime:
        """The time it shows."""
        return datetime.now(timezone.utc) + self.ahead

    def advance(self, seconds: float) -> None:
        """Move it."""
        self.ahead += timedelta(seconds=seconds)


CLOCK = AheadClock()
ORDERS: dict[str, Callable[..., Any]] = {
    "remember": lambda bank, text: bank.remember(text).receipts[0].status,
    "texts": lambda bank: [memory.content for memory in bank.list(limit=10_000)],
    "recall": lambda bank, query: [
        result.content for result in bank.recall(query, floor=0, k=50).results
    ],
    "trouble": lambda bank: "; ".join(bank.recall("Is anything amiss?").degraded),
    "dream": dream,
    "hang": lambda bank: hang(bank.engine, bank.namespace),
    "sync": lambda bank: bank.engine.sync(),
    "flush": lambda bank: bank.engine.flush(),
    "advance": lambda _, seconds: CLOCK.advance(float(seconds)),
}


def main() -> None:
    """Obey until the input ends."""
    ledger, chroma = sys.argv[1:3]
    storage = StorageConfig(ledger_url=ledger, chroma_url=chroma, index_above=0)
    config = replace(MANUAL, storage=storage)
    with cogmem_core.open(embedder=CountingEmbedder(), clock=CLOCK, config=config) as engine:
        for line in sys.stdin:
            what, namespace, *given = json.loads(line)
            sys.stdout.write(json.dumps(ORDERS[what](engine.bank(namespace), *given)) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
