"""Bounds of the observer: no input of 5,000 characters takes over 20 ms; run `python tests/bench/bench_observer.py`."""

# ruff: noqa: SIM905 - a table is read as a table

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "core"))

from bounds import held

from cogmem.text.emotion import emotion
from cogmem.text.entities import entities
from cogmem.text.observe import observe
from cogmem.text.trivial import is_trivial

LENGTH, BOUND_MS, TYPICAL_MS = 4_999, 20.0, 2.0  # 4,999 characters pass the length gate, 5,000 do not
ROUNDS, SEED = 400, 7
PIECES = """
a A Aa aB' ' " "A <a </a> <system - ** ``` ~~~ 1 1. 1, 1.1 12/ 2023- $5 ignore act no should be last in
onceki tum öldü fuck! HELP good but not never so \u0301 \u200b 中 文 é & / /a may 5 5 may Paris Ayşe'nin x@
my name is I live in Ankara and seviyorum yapıyorum docker google cloud C++ Go [system heartbeat { | <| \\ İ ı ş _ + # .
i was i have been he really 😀 👨‍👩‍👧 🇹🇷 1️⃣ system-reminder you are now disregard all previous don't
""".split()
PIECES += [
    " ",
    "\n",
    "\t",
    "  ",
    " a ",
    "- a\n",
    "**a** ",
    "i really ",
    "artik a ",
    "gecen a ",
    "in a b ",
    "at least so ",
]
TYPICAL = "Actually, Ayşe moved from Ankara to Lisbon on 8 May 2023 and prefers PostgreSQL over MySQL; she's happy! "


def inputs(chance: random.Random) -> Iterator[str]:
    """Every piece repeated, random rhythms of up to five pieces repeated, and random mixtures."""
    for piece in PIECES:
        for joint in ("", " "):
            yield stretched(piece + joint)
    for _ in range(ROUNDS):
        yield stretched("".join(chance.choice((*PIECES, " ")) for _ in range(chance.randint(2, 5))))
        yield stretched("".join(chance.choice((*PIECES, " ")) for _ in range(LENGTH)))


def stretched(text: str) -> str:
    return (text * LENGTH)[:LENGTH]


def milliseconds(call: Callable[[str], object], text: str, tries: int = 1) -> float:
    """Processor time of one call, the best of several, so that a busy machine does not decide."""
    taken = []
    for _ in range(tries):
        start = time.thread_time()
        call(text)
        taken.append(time.thread_time() - start)
    return min(taken) * 1e3


def worst(call: Callable[[str], object], texts: list[str]) -> tuple[float, str]:
    slowest = sorted(((milliseconds(call, text), text) for text in texts), reverse=True)[:10]
    return max((milliseconds(call, text, tries=5), text) for _, text in slowest)


def main() -> int:
    texts = list(inputs(random.Random(SEED)))
    observe(TYPICAL)  # reads VADER's lexicon once
    results = [held("observe, a typical message", milliseconds(observe, TYPICAL, tries=20), TYPICAL_MS, "ms")]
    for name, call in (("observe", observe), ("entities", entities), ("emotion", emotion), ("is_trivial", is_trivial)):
        figure, text = worst(call, texts)
        slowest = f"{name}, slowest of {len(texts)} hostile texts"
        results.append(held(slowest, figure, BOUND_MS, "ms", note=repr(text[:24])))
    figure = milliseconds(observe, "word " * 2_000_000, tries=3)
    results.append(held("observe, 10 million characters", figure, BOUND_MS, "ms"))
    return 0 if all(results) else 1


if __name__ == "__main__":
    raise SystemExit(main())
