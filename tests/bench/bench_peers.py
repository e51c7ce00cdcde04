"""The same work on cogmem and on other memories, with the same vectors, in the same run: make bench-peers

One note after the other is kept, then each tenth is searched for by its own words, then the store is opened again in a
new process. No language model is asked (mem0: `infer=False`). Each store works in a process of its own, and they take
turns with a part of the work each, so that all see the same load of the machine.

python tests/bench/bench_peers.py [NOTES]
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from helpers.peer_stores import STORES, environment

PARTS = 10


class Peer:
    """A process that holds one store, as its parent sees it."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.kept: list[float] = []
        self.searched: list[float] = []
        self.found = 0

    def ask(self, *order: object) -> Any:
        """Give an order and wait for its answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())


@contextmanager
def opened(name: str, place: Path) -> Iterator[Peer]:
    """A process with a store."""
    quiet = {
        "MEM0_TELEMETRY": "False",
        "MEM0_DIR": str(place / "home"),
        "ANONYMIZED_TELEMETRY": "False",
    }
    environ = {**os.environ, **quiet, "OPENBLAS_NUM_THREADS": "1"}
    command = [environment(), __file__, "--as", name, str(place)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, text=True, env=environ, **pipes) as process:  # type: ignore[call-overload]
        yield Peer(process)
        process.stdin.close()


def serve(name: str, place: Path) -> None:
    """What such a process does."""
    import psutil

    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    store = None
    for line in sys.stdin:
        what, first, last, step = json.loads(line)
        start = time.perf_counter()
        if store is None:
            store = STORES[name](place)
        took, found = [], 0
        for number in range(first, last, step):
            began = time.perf_counter()
            if what == "keep":
                store.keep(number)
            else:
                found += number in store.found(number)
            took.append((time.perf_counter() - began) * 1000)
        whole, rss = time.perf_counter() - start, psutil.Process().memory_info().rss / 2**20
        answers.write(
            json.dumps({"took": took, "found": found, "seconds": whole, "rss": rss}) + "\n"
        )
        answers.flush()
    os._exit(0)


def main(notes: int) -> None:
    """Print one table."""
    part = max(1, notes // PARTS)
    with tempfile.TemporaryDirectory(prefix="cogmem-peers-") as folder, ExitStack() as stack:
        places = {name: Path(folder) / str(number) for number, name in enumerate(STORES)}
        for place in places.values():
            place.mkdir()
        peers = {name: stack.enter_context(opened(name, place)) for name, place in places.items()}
        rss: dict[str, float] = {}
        for first in range(0, part * PARTS, part):
            for peer in peers.values():
                peer.kept += peer.ask("keep", first, first + part, 1)["took"]
        for first in range(0, part * PARTS, part):
            for name, peer in peers.items():
                told = peer.ask("search", first, first + part, 10)
                peer.searched += told["took"]
                peer.found += told["found"]
                rss[name] = told["rss"]
        stack.pop_all().close()
        again = {}
        for name, place in places.items():
            with opened(name, place) as peer:
                told = peer.ask("search", 0, 1, 1)
                again[name] = f"{told['seconds']:.2f} s" if told["found"] else "nothing is left"
    table = Table(f"{part * PARTS:,} notes, the same vectors", *STORES)
    table.add_row("keep one, p50, ms", *(f"{np.median(peer.kept):.1f}" for peer in peers.values()))
    table.add_row(
        "keep one, p95, ms", *(f"{np.percentile(peer.kept, 95):.1f}" for peer in peers.values())
    )
    table.add_row(
        "search, p50, ms", *(f"{np.median(peer.searched):.1f}" for peer in peers.values())
    )
    table.add_row(
        "search, p95, ms", *(f"{np.percentile(peer.searched, 95):.1f}" for peer in peers.values())
    )
    table.add_row(
        "found by their own words",
        *(f"{peer.found}/{len(peer.searched)}" for peer in peers.values()),
    )
    table.add_row("resident memory, MB", *(f"{rss[name]:.0f}" for name in STORES))
    table.add_row("opened again, and the first search", *again.values())
    Console(highlight=False, markup=False, width=140).print(table)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--as"]:
        serve(sys.argv[2], Path(sys.argv[3]))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000)
