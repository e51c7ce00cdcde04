"""The engine's bounds with vectors given: 100,000 memories in one namespace, and 1,000 namespaces of 100.

Each phase runs in a process of its own, so that memory and start-up are measured honestly.
Run: python tests/bench/bench_engine.py [MEMORIES]
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import psutil
from bounds import held
from given import GivenVectors, questions, sentences

import cogmem_core

BATCH, QUERIES = 500, 300


def open_engine(folder: str) -> cogmem_core.Engine:
    return cogmem_core.open(folder, embedder=GivenVectors())


def latencies(call: Callable[[str], object], queries: list[str]) -> tuple[float, float]:
    took = []
    for query in queries:
        start = time.perf_counter()
        call(query)
        took.append((time.perf_counter() - start) * 1000)
    return float(np.percentile(took, 50)), float(np.percentile(took, 95))


def build(folder: str, count: int) -> dict[str, float]:
    out: dict[str, float] = {}
    with open_engine(folder) as engine:
        bank, texts = engine.bank("one"), list(sentences(count, 1))
        start = time.perf_counter()
        for position in range(0, count, BATCH):
            bank.remember(texts[position : position + BATCH], mode="raw")
        out["writes_per_second"] = count / (time.perf_counter() - start)
        bank.recall("warm up")
        out["exact_p50"], out["exact_p95"] = latencies(
            lambda q: bank.recall(q, k=10), questions(60, 99)
        )
        start = time.perf_counter()
        engine.sync()
        out["index_seconds"] = time.perf_counter() - start
        bank.recall("warm up again")
        out["recall_p50"], out["recall_p95"] = latencies(
            lambda q: bank.recall(q, k=10), questions(QUERIES, 99)
        )
        out["add_p50"], out["add_p95"] = latencies(bank.add, list(sentences(100, 2)))
        engine.sync()
        out["rss_mb"] = psutil.Process().memory_info().rss / 2**20
    return out


def reopen(folder: str, _: int) -> dict[str, float]:
    start = time.perf_counter()
    with open_engine(folder) as engine:
        bank = engine.bank("one")
        found = bank.recall(questions(1, 99)[0], k=10)
        first = time.perf_counter() - start
        after = latencies(lambda q: bank.recall(q, k=10), questions(60, 99))
        ready = engine.follower.index.ready
        rss = psutil.Process().memory_info().rss / 2**20
        return {
            "first_recall_s": first,
            "p50": after[0],
            "p95": after[1],
            "n": len(found.results),
            "rss_mb": rss,
        } | {"chroma_ready": float(ready)}


def crash(folder: str, _: int) -> dict[str, float]:
    engine = open_engine(folder)
    engine.bank("one").add("the last words before the crash")
    engine.sync()
    os.kill(os.getpid(), signal.SIGKILL)
    return {}


def many(folder: str, count: int) -> dict[str, float]:
    with open_engine(folder) as engine:
        texts = list(sentences(100, 3))
        for number in range(count):
            engine.bank(f"user-{number}").remember(texts, mode="raw")
    with open_engine(folder) as engine:
        engine.pause()
        names = [f"user-{number * 37 % count}" for number in range(QUERIES)]
        asked = iter(zip(names, questions(QUERIES, 99), strict=True))

        def ask(_: str) -> object:
            name, query = next(asked)
            return engine.bank(name).recall(query, k=10)

        cold = latencies(ask, names)
        asked = iter(zip(names, questions(QUERIES, 99), strict=True))
        warm = latencies(ask, names)
    return {"cold_p50": cold[0], "cold_p95": cold[1], "warm_p50": warm[0], "warm_p95": warm[1]}


def phase(name: str, folder: str, count: int) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, __file__, "--phase", name, folder, str(count)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, -signal.SIGKILL):
        raise SystemExit(f"phase {name} failed:\n{done.stderr}")
    result: dict[str, float] = (
        json.loads(done.stdout.splitlines()[-1]) if done.stdout.strip() else {}
    )
    return result


def main(count: int) -> None:
    print(f"engine, {count:,} memories, vectors given, {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as root:
        folder = str(Path(root) / "one")
        built = phase("build", folder, count)
        held(
            "batched writes of turns as said",
            built["writes_per_second"],
            800,
            "memories/s",
            at_least=True,
        )
        held("recall p50", built["recall_p50"], 20, "ms")
        held("recall p95", built["recall_p95"], 50, "ms")
        held("recall p50, exactly (index not built yet)", built["exact_p50"], 20, "ms")
        held("one add p50", built["add_p50"], 20, "ms")
        held("resident memory", built["rss_mb"], 1536, "MB")
        print(
            f"  (index caught up in {built['index_seconds']:.0f} s; add p95 {built['add_p95']:.1f} ms)"
        )
        clean = phase("reopen", folder, count)
        held("re-open after a clean close, first recall", clean["first_recall_s"], 6, "s")
        phase("crash", folder, count)
        torn = phase("reopen", folder, count)
        held("re-open after kill -9, first recall", torn["first_recall_s"], 6, "s")
        print(
            f"  (recall while the index is rebuilt: p50 {torn['p50']:.1f}, p95 {torn['p95']:.1f} ms)"
        )
        several = phase("many", str(Path(root) / "many"), max(1, count // 100))
        held("recall in one of 1,000 namespaces of 100, p50", several["warm_p50"], 10, "ms")
        held(
            "... the first time in each of the 1,000 namespaces, p50", several["cold_p50"], 10, "ms"
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--phase"]:
        phases = {"build": build, "reopen": reopen, "crash": crash, "many": many}
        print(json.dumps(phases[sys.argv[2]](sys.argv[3], int(sys.argv[4]))))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
