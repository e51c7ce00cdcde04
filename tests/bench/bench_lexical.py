"""Bounds of the lexical index at 100,000 documents; run `python tests/bench/bench_lexical.py`."""

import gc
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from bounds import held
from rank_bm25 import BM25Okapi

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "core"))

from cogmem_core.storage.search.bm25 import Bm25Index
from cogmem_core.text.tokens import tokens

DOCUMENTS, VOCABULARY, LENGTH = 100_000, 20_000, 12
ENDINGS = ("", "", "", "s", "ing", "ed", "er", "ation", "lar", "ların")


def corpus(rng: np.random.Generator, documents: int) -> list[list[str]]:
    """Documents of about twelve words whose frequencies follow Zipf's law."""
    shares = 1 / np.arange(1, VOCABULARY + 1)
    lengths = rng.poisson(LENGTH, documents)
    drawn = rng.choice(VOCABULARY, size=int(lengths.sum()), p=shares / shares.sum())
    spelt = [spelling(number) for number in range(VOCABULARY)]
    listed = [spelt[number] for number in drawn]
    ends = np.cumsum(lengths)
    return [listed[end - length : end] for length, end in zip(lengths, ends, strict=True)]


def spelling(number: int) -> str:
    """A pronounceable word for a number, different for each."""
    letters, rest = [], number + 100
    while rest:
        rest, digit = divmod(rest, 80)
        letters.append("bcdfghklmnprstvz"[digit // 5] + "aeiou"[digit % 5])
    return "".join(letters) + ENDINGS[number % len(ENDINGS)]


def seconds(call: Callable[[], object]) -> float:
    """Processor time of one call, so that a busy machine does not decide."""
    start = time.thread_time()
    call()
    return time.thread_time() - start


def percentiles(samples: Sequence[float]) -> tuple[float, float]:
    """p50 and p99 in microseconds."""
    return float(np.percentile(samples, 50)) * 1e6, float(np.percentile(samples, 99)) * 1e6


def bench_tokens(texts: list[str]) -> list[bool]:
    """Tokenising with a cold cache of stems."""
    taken = seconds(lambda: [tokens(text) for text in texts])
    return [held("tokenise 100k documents", taken, 4.0, "s")]


def bench_hostile() -> list[bool]:
    """100 kB of whatever repeats badly, and of words that no cache of stems knows."""
    rng = np.random.default_rng(3)
    parts = ("a", "1.", "1,", "a'", "'", "2023-05-", "\u0315\u0300", "İ", "東", "👍", "ş ", "x y ")
    texts = [part * (100_000 // len(part.encode())) for part in parts]
    letters = np.array(list("abcdefgilmnorstuş"))
    texts.append(" ".join("".join(rng.choice(letters, 12)) + "lerinden" for _ in range(4_500)))
    slowest = max(seconds(lambda text=text: tokens(text)) for text in texts)  # type: ignore[misc]
    return [held("tokenise the worst 100 kB", slowest * 1000, 1000, "ms")]


def bench_load(items: list[tuple[str, list[str]]]) -> tuple[Bm25Index, list[bool]]:
    """Bulk load: time, and memory in a second run because tracing slows it."""
    index = Bm25Index()
    taken = seconds(lambda: index.extend(items))
    gc.collect()
    tracemalloc.start()
    traced = Bm25Index()
    traced.extend(items)
    megabytes = tracemalloc.get_traced_memory()[0] / 1e6
    tracemalloc.stop()
    return index, [held("bulk load", taken, 2.5, "s"), held("memory", megabytes, 150, "MB")]


def bench_queries(index: Bm25Index, library: BM25Okapi, queries: list[list[str]]) -> list[bool]:
    """Top 10 against the library's loop over all documents; scores must agree."""
    few = queries[:10]
    theirs = float(
        np.median([seconds(lambda query=query: library.get_scores(query)) for query in few])
    )
    ours = [seconds(lambda query=query: index.top(query, 10)) for query in queries]
    difference = max(
        float(np.abs(index.get_scores(query) - library.get_scores(query)).max()) for query in few
    )
    median, worst = percentiles(ours)
    return [
        held("query: times faster than rank_bm25", theirs * 1e6 / median, 50, "x", at_least=True),
        held("query: top 10, p50", median / 1e3, 1.5, "ms"),
        held("query: top 10, p99", worst / 1e3, float("inf"), "ms"),
        held("query: rank_bm25 get_scores, for comparison", theirs * 1e3, float("inf"), "ms"),
        held("query: difference of scores, in 1e-9", difference * 1e9, 1, ""),
    ]


def bench_changes(
    index: Bm25Index, documents: list[list[str]], queries: list[list[str]]
) -> list[bool]:
    """Single adds, replacements, removes, and queries that follow a change."""
    adds = [seconds(lambda n=n: index.add(f"new{n}", documents[n])) for n in range(5_000)]
    after = []
    for number, query in enumerate(queries):
        index.add(f"new{number}", documents[number + 1])
        after.append(seconds(lambda query=query: index.top(query, 10)))
    removes = [seconds(lambda n=n: index.remove(f"new{n}")) for n in range(5_000)]
    (add50, add99), (out50, out99) = percentiles(adds), percentiles(removes)
    return [
        held("add, p50", add50, 100, "us"),
        held("add, p99", add99, float("inf"), "us"),
        held("remove, p50", out50, 200, "us"),
        held("remove, p99", out99, float("inf"), "us"),
        held("query after a change: top 10, p50", percentiles(after)[0] / 1e3, 2, "ms"),
    ]


def main() -> int:
    """Run everything; exit status 1 if a bound is missed."""
    rng = np.random.default_rng(7)
    spelt = corpus(rng, DOCUMENTS + 5_500)
    passed = bench_hostile() + bench_tokens([" ".join(words) for words in spelt[:DOCUMENTS]])
    documents = [tokens(" ".join(words)) for words in spelt]
    index, loaded = bench_load(
        [(f"m{n}", document) for n, document in enumerate(documents[:DOCUMENTS])]
    )
    library = BM25Okapi(documents[:DOCUMENTS], k1=0.9, b=0.4, epsilon=0.25)
    queries = [document[:6] for document in documents[DOCUMENTS : DOCUMENTS + 400] if document]
    passed += loaded + bench_queries(index, library, queries)
    passed += bench_changes(index, documents[DOCUMENTS:], queries)
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
