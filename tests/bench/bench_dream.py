"""What a dream cycle costs: three sizes, and what a recall and a feedback feel of it.

python tests/bench/bench_dream.py [sizes, e.g. 10000,30000,100000]
"""

import math
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from bench_engine import BATCH, QUERIES, latencies
from bounds import held
from given import GivenVectors, questions, sentences

import cogmem_core
from cogmem_core import MemoryBank
from cogmem_core.testing import MANUAL

SIZES = (10_000, 30_000, 100_000)
SECONDS = {10_000: 20.0, 100_000: 240.0}
"""Bounds on a cycle, by the number of memories."""


@contextmanager
def opened(folder: str) -> Iterator[MemoryBank]:
    with cogmem_core.open(folder, embedder=GivenVectors(), config=MANUAL) as engine:
        yield engine.bank("one")


def fill(folder: str, count: int) -> None:
    with opened(folder) as bank:
        texts = list(sentences(count, 1))
        for start in range(0, count, BATCH):
            bank.remember(texts[start : start + BATCH], mode="raw")
        bank._engine.sync()


def feedback_ms(bank: MemoryBank) -> float:
    """Median of judging eight memories."""
    took = []
    for query in questions(60, 99):
        found = bank.recall(query, k=8, floor=0)
        answer = " ".join(item.content for item in found.results[:3])
        start = time.perf_counter()
        bank.feedback(found, answer)
        took.append((time.perf_counter() - start) * 1000)
    return float(np.median(took))


def cycle(bank: MemoryBank) -> tuple[float, float, float]:
    """Seconds of a cycle, and the 95th percentile of a recall beside it and before it."""
    asked = questions(QUERIES, 99)
    for query in asked[:50]:
        bank.recall(query, k=10)
    _, idle = latencies(lambda query: bank.recall(query, k=10), asked[50:150])
    took: list[float] = []
    thread = threading.Thread(target=lambda: took.append(bank.consolidate().duration_ms / 1000))
    thread.start()
    beside: list[float] = []
    while thread.is_alive():
        for query in asked[150:]:
            start = time.perf_counter()
            bank.recall(query, k=10)
            beside.append((time.perf_counter() - start) * 1000)
            time.sleep(0.05)
            if not thread.is_alive():
                break
    thread.join()
    return took[0], float(np.percentile(beside, 95)), idle


def main() -> None:
    sizes = [int(size) for size in sys.argv[1].split(",")] if len(sys.argv) > 1 else list(SIZES)
    first: float | None = None
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            fill(folder, size)
            with opened(folder) as bank:
                judged = feedback_ms(bank)
                alone = bank.consolidate()
                slowest = max(alone.steps.items(), key=lambda item: item[1].duration_ms)
                seconds, beside, idle = cycle(bank)
                rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        whole = alone.duration_ms / 1000
        unit = whole / (size * math.log2(size))
        first = first or unit
        print(
            f"{size:>7} memories: first cycle {whole:6.1f} s (n log n: {unit / first:.2f}; slowest {slowest[0]} "
            f"{slowest[1].duration_ms / 1000:.1f} s), next {seconds:5.1f} s, recall p95 {beside:.1f} ms beside it, "
            f"{idle:.1f} ms idle ({beside / idle:.2f}x), feedback of 8: {judged:.1f} ms, {rss:.0f} MB",
            flush=True,
        )
        told = f"{size:,} memories"
        held(f"a dream cycle over {told}", whole, SECONDS.get(size, math.inf), "s")
        held(
            f"a cycle over {told}: seconds by n log n, to those of the least",
            unit / first,
            2.0,
            "x",
        )
        held(f"recall p95 beside a cycle over {told}, to that of idle", beside / idle, 2.0, "x")
        held(
            f"feedback for 8 of {told}, p50", judged, 10.0 if size == sizes[-1] else math.inf, "ms"
        )
        held(f"resident memory with {told}", rss, 1536, "MB")


if __name__ == "__main__":
    main()
