"""The write path without a language model, vectors given: cost of one message as the bank grows.

Run: python tests/bench/bench_encoding.py [SIZES...]
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from bench_engine import BATCH, open_engine
from bounds import held
from given import messages, sentences


def measure(folder: str, count: int) -> dict[str, float]:
    out: dict[str, float] = {}
    with open_engine(folder) as engine:
        # A few more than the size, so that a namespace that outgrows the exact search has moved before it is measured.
        bank, texts = engine.bank("one"), list(sentences(count + count // 20, 1))
        for position in range(0, len(texts), BATCH):
            bank.remember(texts[position : position + BATCH], mode="raw")
        engine.sync()
        bank.recall("warm up")
        for name, mode, part in (("raw", "raw", 0), ("auto", None, 1)):
            engine.sync()  # what is measured is the call, not the index that catches up with the calls before
            engine.pause()
            took = []
            for number, text in enumerate(messages(part, 5)):
                start = time.perf_counter()
                bank.remember(text, mode=mode, session_id=f"session {number // 20}")
                took.append((time.perf_counter() - start) * 1000)
            engine.resume()
            out[f"{name}_p50"], out[f"{name}_p95"] = (
                float(x) for x in np.percentile(took, [50, 95])
            )
        batch = [text for seed in range(4) for text in messages(2, seed)]
        start = time.perf_counter()
        bank.remember(batch, session_id="a batch")
        out["batch_per_second"] = len(batch) / (time.perf_counter() - start)
        took = []
        for text in messages(3, 9):
            start = time.perf_counter()
            bank.remember(text, wait=False)
            took.append((time.perf_counter() - start) * 1000)
        out["acknowledged_p50"] = float(np.percentile(took, 50))
    return out


def phase(count: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as root:
        command = [sys.executable, __file__, "--phase", str(Path(root) / "bank"), str(count)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{count:,} memories failed:\n{done.stderr}")
    result: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return result


def main(sizes: list[int]) -> None:
    print(
        f"one message through the write path, no language model, vectors given, {os.cpu_count()} cores"
    )
    found = {count: phase(count) for count in sizes}
    for count, one in found.items():
        cost = f"p50 {one['auto_p50']:.2f} ms, p95 {one['auto_p95']:.2f} (as said: {one['raw_p50']:.2f})"
        print(
            f"  {count:>7,} memories: {cost}; in batches {one['batch_per_second']:.0f}/s; "
            f"acknowledged after {one['acknowledged_p50']:.2f} ms"
        )
    middle = 10_000 if 10_000 in found else sizes[0]
    held(f"one message at {middle:,} memories, p50", found[middle]["auto_p50"], 6, "ms")
    held(
        "one message acknowledged with wait=False, p50", found[middle]["acknowledged_p50"], 10, "ms"
    )
    growth = found[sizes[-1]]["auto_p50"] / found[sizes[0]]["auto_p50"]
    held(f"one message: times as much at {sizes[-1]:,} as at {sizes[0]:,}", growth, 2, "x")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--phase"]:
        print(json.dumps(measure(sys.argv[2], int(sys.argv[3]))))
    else:
        main([int(size) for size in sys.argv[1:]] or [1_000, 10_000, 100_000])
