"""How long an index write holds everybody else: ticks of an event loop and of a thread while vectors are indexed.

python tests/bench/bench_index_writes.py [MEMORIES]. Chroma holds the interpreter lock while it writes, so the worker
writes in slices of `storage.write_slice`.
"""

import asyncio
import sys
import tempfile
import threading
import time

from bounds import held
from given import GivenVectors, sentences

import cogmem_core
from cogmem_core import Config
from cogmem_core.config import ConsolidationConfig, StorageConfig

CONFIG = Config(
    storage=StorageConfig(index_above=0, index_linger_seconds=0.0),
    consolidation=ConsolidationConfig(trigger="manual"),
)


def ticks_of_a_thread(done: threading.Event, late: list[float]) -> None:
    """Milliseconds by which a sleep of 1 ms is late."""
    while not done.is_set():
        start = time.perf_counter()
        time.sleep(0.001)
        late.append((time.perf_counter() - start) * 1000 - 1)


async def ticks_of_a_loop(engine: cogmem_core.Engine) -> list[float]:
    """The same in an event loop, until the index has caught up."""
    late = []
    until = time.monotonic() + 600
    while engine.health()["index"]["lag"] and time.monotonic() < until:
        for _ in range(200):
            start = time.perf_counter()
            await asyncio.sleep(0.001)
            late.append((time.perf_counter() - start) * 1000 - 1)
    return late


def told(late: list[float]) -> str:
    """The middle, the 99th percentile and the worst."""
    ranked = sorted(late)
    return f"{ranked[len(ranked) // 2]:.1f} / {ranked[int(len(ranked) * 0.99)]:.1f} / {ranked[-1]:.1f} ms"


def main() -> None:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 3_000
    with (
        tempfile.TemporaryDirectory() as folder,
        cogmem_core.open(folder, embedder=GivenVectors(), config=CONFIG) as engine,
    ):
        engine.pause()
        engine.bank("one").remember(list(sentences(size, 1)), mode="raw")
        engine.bank("one").recall("warm")
        engine.follower.step()
        done, late = threading.Event(), list[float]()
        thread = threading.Thread(target=ticks_of_a_thread, args=(done, late))
        thread.start()
        engine.resume()
        loop = asyncio.run(ticks_of_a_loop(engine))
        done.set()
        thread.join()
    print(
        f"{size:>7} vectors indexed in the background: a thread is late by {told(late)}, "
        f"an event loop by {told(loop)} (median / p99 / worst)"
    )
    held("a thread's tick while vectors are indexed, late", max(late), 50, "ms")
    held("an event loop's tick while vectors are indexed, late", max(loop), 50, "ms")


if __name__ == "__main__":
    main()
