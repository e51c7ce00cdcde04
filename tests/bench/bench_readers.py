"""No reader takes over 20 ms for 5,000 characters, whatever they are; run `python tests/bench/bench_readers.py`."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "core"))

from bounds import held
from readers import PIECES, READERS

from cogmem.text.observe import observe

LENGTH, BOUND_MS, TYPICAL_MS = 4_999, 20.0, 2.0  # 4,999 characters pass the length gate, 5,000 do not
ROUNDS, SEED = 400, 7
TYPICAL = "Actually, Ayşe moved from Ankara to Lisbon on 8 May 2023 and prefers PostgreSQL over MySQL; she's happy! "


def inputs(chance: random.Random) -> Iterator[str]:
    """Every piece repeated, alone and as a value, random rhythms of up to five pieces repeated, and random mixtures."""
    for piece in PIECES:
        yield from (stretched(piece), ("I live in " + stretched(piece))[:LENGTH])
    for _ in range(ROUNDS):
        yield stretched("".join(chance.choice((*PIECES, " ")) for _ in range(chance.randint(2, 5))))
        yield stretched("".join(chance.choice((*PIECES, " ")) for _ in range(LENGTH)))


def stretched(text: str) -> str:
    return (text * LENGTH)[:LENGTH]


def milliseconds(call: Callable[[str], object], text: str, tries: int = 1) -> float:
    """Processor time of one call, the best of several, so that a busy machine does not decide.

    Each reads one character less: some readers remember what they read.
    """
    taken = []
    for shorter in range(tries):
        given = text[: len(text) - shorter]
        start = time.thread_time()
        call(given)
        taken.append(time.thread_time() - start)
    return min(taken) * 1e3


def worst(call: Callable[[str], object], texts: list[str]) -> tuple[float, str]:
    slowest = sorted(((milliseconds(call, text), text) for text in texts), reverse=True)[:10]
    return max((milliseconds(call, text, tries=5), text) for _, text in slowest)


def main() -> int:
    texts = list(inputs(random.Random(SEED)))
    observe(TYPICAL)  # reads VADER's lexicon once
    results = [held("observe, a typical message", milliseconds(observe, TYPICAL, tries=20), TYPICAL_MS, "ms")]
    for name, call in READERS.items():
        call(TYPICAL)
        figure, text = worst(call, texts)
        slowest = f"{name}, slowest of {len(texts)} hostile texts"
        results.append(held(slowest, figure, BOUND_MS, "ms", note=repr(text[:24])))
    figure = milliseconds(observe, "word " * 2_000_000, tries=3)
    results.append(held("observe, 10 million characters", figure, BOUND_MS, "ms"))
    return 0 if all(results) else 1


if __name__ == "__main__":
    raise SystemExit(main())
