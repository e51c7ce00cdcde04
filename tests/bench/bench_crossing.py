"""Where Chroma begins to answer faster than the exact search of a namespace's matrix: what `index_above` stands for.

Vectors of 384 dimensions around 500 topics; the 50 nearest of 300 questions at each size, interleaved, in one process.
Run: python tests/bench/bench_crossing.py
"""

import math
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from bounds import held

from cogmem_core.ports import FloatArray
from cogmem_core.storage.vectors.chroma.client import connect_folder
from cogmem_core.storage.vectors.chroma.collections import Collections
from cogmem_core.storage.vectors.exact import VectorMatrix

SIZES = (1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 50_000, 100_000)
DIMENSION = 384
NEAREST = 50
QUESTIONS = 300
SLICE = 5_000


def vectors(count: int, seed: int) -> FloatArray:
    rng = np.random.default_rng(seed)
    topics = np.random.default_rng(1).standard_normal((500, DIMENSION), dtype=np.float32)
    noise = rng.standard_normal((count, DIMENSION), dtype=np.float32)
    rows: FloatArray = topics[rng.integers(0, 500, count)] + 0.7 * noise
    return rows


def timed(call: Callable[[FloatArray], object], question: FloatArray) -> tuple[float, float]:
    """Milliseconds of the clock on the wall, and of the processors."""
    wall = time.perf_counter()
    processors = time.process_time()
    call(question)
    return (time.perf_counter() - wall) * 1000, (time.process_time() - processors) * 1000


def main() -> None:
    data = vectors(SIZES[-1], 2)
    questions = vectors(QUESTIONS, 3)
    ids = [f"m{number:06d}" for number in range(len(data))]
    matrix = VectorMatrix(DIMENSION)
    filled = 0
    with tempfile.TemporaryDirectory() as folder:
        collections = Collections(connect_folder(Path(folder), 600.0), "bench", 1_000)
        for size in SIZES:
            for start in range(filled, size, SLICE):
                stop = min(start + SLICE, size)
                matrix.extend(ids[start:stop], data[start:stop])
                collections.upsert("one", ids[start:stop], data[start:stop])
            filled = size
            took: dict[str, list[tuple[float, float]]] = {"exact": [], "chroma": []}
            for question in questions:
                took["exact"].append(timed(lambda asked: matrix.top(asked, NEAREST), question))
                took["chroma"].append(
                    timed(lambda asked: collections.query("one", asked, NEAREST), question)
                )
            for kind, clock in enumerate(("wall", "processors")):
                medians = {
                    name: statistics.median(pair[kind] for pair in pairs)
                    for name, pairs in took.items()
                }
                for name, figure in medians.items():
                    held(f"{size:,} vectors, {name}, {clock}", figure, math.inf, "ms")
        collections.close()


if __name__ == "__main__":
    main()
