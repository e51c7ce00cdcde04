"""Fifty namespaces are consolidated by processes, one of which is killed, and by one after the other: the same result.

python tests/bench/bench_fan_out.py [NAMESPACES] [MEMORIES]
"""

import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import psutil
from bounds import held
from given import sentences

import cogmem_core
from cogmem_core import Config, Engine
from cogmem_core.config import ConsolidationConfig

CONFIG = Config(consolidation=ConsolidationConfig(trigger="manual", lease_seconds=10.0))


def filled(folder: Path, namespaces: int, memories: int) -> None:
    """Every tenth memory is stated twice."""
    with cogmem_core.open(folder, embedder="hashing", config=CONFIG) as engine:
        engine.pause()
        for number in range(namespaces):
            texts = list(sentences(memories * 8 // 10, number))
            again = random.Random(number).sample(texts, (memories - len(texts)) // 2)
            engine.bank(f"user {number}").remember(texts, mode="raw")
            for text in [*again, *again]:
                engine.bank(f"user {number}").add(f"Again: {text}")


def left(engine: Engine) -> dict[str, Counter[tuple[str, str]]]:
    found: dict[str, Counter[tuple[str, str]]] = {}
    for name in engine.namespaces():
        page = engine.bank(name).list(state="any", limit=1_000)
        found[name] = Counter((memory.content, memory.state) for memory in page)
        while page.cursor:
            page = engine.bank(name).list(state="any", limit=1_000, cursor=page.cursor)
            found[name].update((memory.content, memory.state) for memory in page)
    return found


def main() -> int:
    namespaces, memories = (
        int(text) for text in (sys.argv[1:3] if len(sys.argv) > 2 else ("50", "2000"))
    )
    with tempfile.TemporaryDirectory() as place:
        one, other = Path(place) / "one", Path(place) / "other"
        filled(one, namespaces, memories)
        shutil.copytree(one, other)
        with cogmem_core.open(one, embedder="hashing", config=CONFIG) as engine:
            engine.pause()
            began = time.perf_counter()
            for name in engine.namespaces():
                engine.bank(name).consolidate()
            alone = time.perf_counter() - began
            expected = left(engine)
        killed: list[int] = []

        def progress(done: int, _total: int) -> None:
            if done and not killed:
                killed.append(psutil.Process().children()[0].pid)
                os.kill(killed[0], signal.SIGKILL)

        with cogmem_core.open(other, embedder="hashing", config=CONFIG) as engine:
            engine.pause()
            report = engine.consolidate_all(on="processes", workers=3, progress=progress)
            same = left(engine) == expected
            states = Counter(
                run.state
                for name in engine.namespaces()
                for run in engine.bank(name).consolidation_runs()
            )
    print(
        f"{namespaces} namespaces x {memories} memories: one after the other {alone:.1f} s, three processes, one of "
        f"them killed, {report.duration_ms / 1000:.1f} s; {report.counts.get('merged', 0)} merged; runs "
        f"{dict(states)}; troubles: {list(report.troubles)}; the same result: {same}"
    )
    held(
        "namespaces that a fan-out leaves as a sequence does",
        namespaces if same else 0,
        namespaces,
        at_least=True,
    )
    return 0 if same and killed and states["done"] == namespaces and not report.failed else 1


if __name__ == "__main__":
    raise SystemExit(main())
