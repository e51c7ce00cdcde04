"""One recall and one write on PostgreSQL and a Chroma server against SQLite and embedded Chroma, in the same run.

Vectors are given, so that only the store is measured. Both servers run on this machine: a network adds its round trips.
Run: python tests/bench/bench_servers.py [MEMORIES]
"""

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import numpy as np
from given import GivenVectors, sentences

import cogmem_core
from cogmem_core import Engine
from cogmem_core.config import StorageConfig
from cogmem_core.testing import MANUAL

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from helpers.servers import Databases, chroma_url, postgres_url

TIMES, BATCH = 200, 500
BESIDE = 10  # calls of one store before it is the other one's turn: both see the same load of the machine


def measured(call: Callable[[str], object], texts: list[str]) -> list[float]:
    """Milliseconds of each call."""
    spent = []
    for text in texts:
        started = time.perf_counter()
        call(text)
        spent.append((time.perf_counter() - started) * 1000)
    return spent


def stores(stack: ExitStack) -> Iterator[tuple[str, Path | None, StorageConfig]]:
    """Name, folder and settings of each store that is compared."""
    place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    databases, chroma = (
        Databases(stack.enter_context(postgres_url())),
        stack.enter_context(chroma_url()),
    )
    for how, index_above in (("exact", 10_000), ("Chroma", 0)):
        ledger = stack.enter_context(databases.fresh())
        yield f"embedded, {how}", place / how, StorageConfig(index_above=index_above)
        yield (
            f"servers, {how}",
            None,
            StorageConfig(ledger_url=ledger, chroma_url=chroma, index_above=index_above),
        )


def filled(stack: ExitStack, count: int) -> dict[str, Engine]:
    """Every store with the same memories, caught up."""
    engines = {}
    for name, folder, storage in stores(stack):
        config = replace(MANUAL, storage=storage)
        engine = stack.enter_context(
            cogmem_core.open(folder, embedder=GivenVectors(), config=config)
        )
        texts = list(sentences(count, seed=1))
        for start in range(0, count, BATCH):
            engine.bank("alice").remember(texts[start : start + BATCH], mode="raw")
        engine.flush()
        engine.bank("alice").recall(texts[0])
        engine.flush()
        engine.pause()
        engines[name] = engine
    return engines


def main(count: int) -> int:
    """Print one table."""
    with ExitStack() as stack:
        engines = filled(stack, count)
        spent: dict[tuple[str, str], list[float]] = {}
        asked, said = list(sentences(TIMES, seed=2)), list(sentences(TIMES, seed=3))
        for start in range(0, TIMES, BESIDE):
            part = slice(start, start + BESIDE)
            for name, engine in engines.items():
                bank = engine.bank("alice")
                spent.setdefault(("recall", name), []).extend(measured(bank.recall, asked[part]))
                write = measured(
                    lambda text, bank=bank: bank.remember(text, mode="raw"), said[part]
                )
                spent.setdefault(("write", name), []).extend(write)
        print(f"{count:,} memories, {TIMES} calls each    p50 ms   p95 ms   ratio of p50")
        for kind in ("recall", "write"):
            for how in ("exact", "Chroma"):
                embedded = float(np.median(spent[kind, f"embedded, {how}"]))
                for name in (f"embedded, {how}", f"servers, {how}"):
                    middle, high = np.percentile(spent[kind, name], [50, 95])
                    print(
                        f"{kind:7} {name:24} {middle:14.1f} {high:8.1f} {middle / embedded:14.2f}"
                    )
        troubles = [engine.warnings() for engine in engines.values() if engine.warnings()]
        print("warnings:", troubles or "none")
    return 1 if troubles else 0


if __name__ == "__main__":
    raise SystemExit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000))
