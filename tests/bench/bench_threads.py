"""64 threads on one bank in a file, all at once: who waits longest? python tests/bench/bench_threads.py"""

import math
import sys
import tempfile
import threading
import time
from collections.abc import Callable

from bounds import held

import cogmem_core
from cogmem_core import MemoryBank
from cogmem_core.testing import MANUAL

THREADS = 64
CALLS = 12
MEMORIES = 400
UNFAIR = 5.0  # how much longer than the median one of a hundred may wait


def waits(call: Callable[[int, int], object]) -> list[float]:
    """Seconds of each call, sorted; every thread makes so many, one after the other."""
    start = threading.Barrier(THREADS)
    taken: list[float] = []

    def work(thread: int) -> None:
        start.wait()
        for number in range(CALLS):
            began = time.perf_counter()
            call(thread, number)
            taken.append(time.perf_counter() - began)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(taken)


def calls_of(bank: MemoryBank) -> dict[str, Callable[[int, int], object]]:
    return {
        "recall": lambda thread, number: bank.recall(f"topic {number} place {thread}", floor=0),
        "remember": lambda thread, number: bank.remember(
            f"Thread {thread} says number {number} of its own", mode="raw"
        ),
    }


def main() -> int:
    verdicts: list[bool] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        cogmem_core.open(folder, embedder="hashing", config=MANUAL) as engine,
    ):
        bank = engine.bank("alice")
        texts = [f"Note {i} about topic {i % 37}, place {i % 11}" for i in range(MEMORIES)]
        bank.remember(texts, mode="raw")
        engine.flush()
        bank.recall("topic 3")
        for name, call in calls_of(bank).items():
            taken = waits(call)
            assert len(taken) == THREADS * CALLS
            middle, late = (taken[int(len(taken) * share)] for share in (0.5, 0.99))
            held(f"{name}, {THREADS} threads: p50, s", middle, math.inf)
            held(f"{name}, {THREADS} threads: p99, s", late, math.inf)
            verdicts.append(held(f"{name}: p99 by p50", late / middle, UNFAIR))
    return int(not all(verdicts))


if __name__ == "__main__":
    sys.exit(main())
