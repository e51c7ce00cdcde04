"""No reader takes over 20 ms for 5,000 characters, whatever they are; run `python tests/bench/bench_readers.py`."""

import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "core"))

import numpy as np
from bounds import held

from cogmem_core.maths.clusters import by_cosine, connected_groups, greedy_groups
from cogmem_core.maths.products import normalised
from cogmem_core.text.compare import without_echoes
from cogmem_core.text.grouping import Topic, group_topics
from cogmem_core.text.observe.observer import observe
from cogmem_core.text.safety.prompt_injection import normalized
from unit.helpers.text_readers import PIECES, READERS, echoed, shown

TALK = Path(__file__).parents[2] / "core" / "cogmem_core" / "data" / "elif.jsonl"
LENGTH, BOUND_MS, TYPICAL_MS = (
    4_999,
    20.0,
    2.0,
)  # 4,999 characters pass the length gate, 5,000 do not
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


def seconds(call: Callable[[], object]) -> float:
    return milliseconds(lambda _: call(), "", tries=2) / 1e3


def growth(piece: str) -> float:
    """How many times as long eight times the text takes: some eight times, where quadratic time takes 64 times."""
    text = (piece * 40_000)[:40_000]
    # 50 ms are granted: neither the clock nor the allocator is exact.
    return max(0.0, milliseconds(echoed, text, tries=3) - 50) / milliseconds(
        echoed, text[:5_000], tries=3
    )


def told() -> object:
    """An answer beside what went into the prompts of the last hour; answers before it stood there, too."""
    said = [json.loads(row)["content"] for row in TALK.read_text(encoding="utf-8").splitlines()]
    return without_echoes(
        " ".join(said[3:6]),
        [f"{text} {part}" for part in range(2) for text in said][:500],
        exact=False,
    )


def alike() -> object:
    rows = np.random.default_rng(SEED).normal(size=(2_000, 384)).astype(np.float32)
    return greedy_groups(2_000, by_cosine(normalised(rows), 0.7), min_size=5, max_size=5)


def noted() -> object:
    words = (frozenset(f"w{(note * 7 + k * k) % 997}" for k in range(10)) for note in range(4_000))
    return group_topics([Topic(frozenset(), mine) for mine in words], 0.2)


LARGE: dict[str, tuple[Callable[[], object], float]] = {
    **{
        f"letters, 16,000 times {marks[:2]!a}": (partial(normalized, "a" + marks * 16_000), 0.5)
        for marks in ("\u0301\u0316", "\u0f73", "\u0301\uff9e", "\u05b0\u0591" * 15 + "\u200b")
    },
    **{
        f"prompt of a thousand memories of {len(text):,} characters": (
            partial(shown, *[text] * 1_000),
            1.0,
        )
        for text in ("I went hiking with Ana", "word " * 2_000, "漢字" * 250_000, "a" * 200_000)
    },
    "an answer beside 500 memories of earlier prompts": (told, 0.02),
    "greedy groups of 2,000 vectors": (alike, 2.0),
    "connected groups in a chain of 100,000": (
        partial(
            connected_groups,
            [(f"{n:06}", f"{n + 1:06}", 0.5) for n in range(100_000)],
            min_size=5,
            max_size=20,
        ),
        3.0,
    ),
    "groups of 4,000 notes": (noted, 5.0),
}
ECHOED = (
    "a. ",
    "1. ",
    "`a`. ",
    "you told me that ",
    "i remember ",
    "<memories>",
    "> ",
    "```\n",
    "\u0301",
    "a'",
    "acak",
    " ",
)


def main() -> int:
    texts = list(inputs(random.Random(SEED)))
    observe(TYPICAL)  # reads VADER's lexicon once
    results = [
        held(
            "observe, a typical message", milliseconds(observe, TYPICAL, tries=20), TYPICAL_MS, "ms"
        )
    ]
    for name, call in READERS.items():
        call(TYPICAL)
        figure, text = worst(call, texts)
        slowest = f"{name}, slowest of {len(texts)} hostile texts"
        results.append(held(slowest, figure, BOUND_MS, "ms", note=repr(text[:24])))
    results += [held(name, seconds(call), most, "s") for name, (call, most) in LARGE.items()]
    grows = max((growth(piece), piece) for piece in ECHOED)
    results.append(
        held("echo, 40,000 characters against 5,000", grows[0], 24, "x", note=repr(grows[1]))
    )
    figure = milliseconds(observe, "word " * 2_000_000, tries=3)
    results.append(held("observe, 10 million characters", figure, BOUND_MS, "ms"))
    return 0 if all(results) else 1


if __name__ == "__main__":
    raise SystemExit(main())
