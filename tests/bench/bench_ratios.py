"""One table of ratios: what cogmem costs beside Chroma, the least possible, and other libraries, in one run.

Every store holds the same texts with the same vectors, in a process of its own; they take turns, so that all see the
same load of the machine. A figure is the median of the rounds, each the median of its calls, over Chroma's of the same
round: processor time first, because a shared machine's clock tells little. Peers are measured where they are installed.

python tests/bench/bench_ratios.py [SIZE ...] [--keep FOLDER] [--rounds 5]: filled stores stay in the folder as they
are; copies of them are measured, because a store grows while its writes are measured.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from given import lines, messages, questions
from ratio_stores import FLEETING, STORES, Store, is_here
from ratio_tables import LARGE, READS, THREADS, Size, enter

BATCHED = ("cogmem", "Chroma")
CALLS = 12  # of each operation in a round
FEW = 1_000  # memories above which only cogmem, Chroma and the floor are compared
RECALLS = 160  # by one thread, and by several together


class Peer:
    """A process that holds one store, as its parent sees it."""

    def __init__(self, name: str, place: Path) -> None:
        quiet = {
            "MEM0_TELEMETRY": "False",
            "MEM0_DIR": str(place.parent / "home"),
            "ANONYMIZED_TELEMETRY": "False",
            "OPENBLAS_NUM_THREADS": "1",
        }
        environ = {**os.environ, **quiet}
        for variable in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "PYTHONDONTWRITEBYTECODE"):
            environ.pop(variable, None)
        self.started = time.time()
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--as", name, str(place)],
            text=True,
            env=environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def ask(self, **order: Any) -> Any:
        """Give an order and wait for its answer."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.process.args} failed")
        return json.loads(line)

    def close(self) -> None:
        """Let the store be closed."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


@contextmanager
def opened(name: str, place: Path) -> Iterator[Peer]:
    """A process with a store, which is closed when the block ends."""
    peer = Peer(name, place)
    try:
        yield peer
    finally:
        peer.close()


def serve(name: str, place: Path) -> None:
    """What such a process does."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    store: Store | None = None
    for line in sys.stdin:
        order = json.loads(line)
        if store is None and name in STORES:
            store = STORES[name][0](place)
        answer = carry_out(store, order) if store is not None else {}
        answer["since start"] = time.process_time()
        answer["now"] = time.time()
        answer["rss"] = int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 2**20
        answer["threads"] = threading.active_count()
        if Path("/proc/self/task").is_dir():
            answer["threads"] = len(list(Path("/proc/self/task").iterdir()))
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
    if store is not None:
        store.close()
    os._exit(0)


def carry_out(store: Store, order: Mapping[str, Any]) -> dict[str, Any]:
    """Do what a parent wants of a store, and tell what it took."""
    if order["what"] == "operations":
        return {"names": list(store.operations)}
    if order["what"] == "fill":
        cpu, wall = time.process_time(), time.perf_counter()
        store.fill(list(lines(order["count"], order["seed"])))
        return {"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall}
    if order["what"] == "threads":
        cpu, wall = time.process_time(), time.perf_counter()
        together(store, order["name"], order["threads"])
        return {"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall}
    texts = order["texts"]
    operation = store.operations[order["name"]]
    cpu_times, wall_times = [], []
    for text in texts:
        cpu, wall = time.process_time(), time.perf_counter()
        operation(text)
        cpu_times.append(time.process_time() - cpu)
        wall_times.append(time.perf_counter() - wall)
    return {"cpu": statistics.median(cpu_times), "wall": statistics.median(wall_times)}


def together(store: Store, name: str, count: int) -> None:
    """Ask all questions by several threads."""
    asked = questions(RECALLS, seed=23)
    parts = [asked[start::count] for start in range(count)]

    def work(part: Sequence[str]) -> None:
        for text in part:
            store.operations[name](text)

    threads = [threading.Thread(target=work, args=(part,)) for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def measure(count: int, keep: Path | None, rounds: int) -> Size:
    """Fill the stores, or take those that are kept, and compare them."""
    size = Size(count)
    names = [
        name
        for name, (_, module) in STORES.items()
        if is_here(module) and (count <= FEW or name in LARGE)
    ]
    with tempfile.TemporaryDirectory(prefix="cogmem-ratios-") as folder:
        root = keep or Path(folder)
        filled = {name: root / str(count) / name.replace(" ", "-") for name in names}
        fill(size, filled)
        places = {name: Path(folder) / "measured" / place.name for name, place in filled.items()}
        for name, place in filled.items():
            shutil.copytree(place, places[name])
        cold(size, {name: places[name] for name in names if name in ("cogmem", "Chroma")}, rounds)
        warm(size, places, rounds)
    return size


def fill(size: Size, places: Mapping[str, Path]) -> None:
    for name, place in places.items():
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.exists():
            unfinished = place.with_suffix(f".{os.getpid()}")
            with opened(name, unfinished) as peer:
                peer.ask(what="fill", count=size.count, seed=1)
            unfinished.rename(place)
        files = [Path(folder) / file for folder, _, found in os.walk(place) for file in found]
        size.disk[name] = sum(file.stat().st_size for file in files) / size.count


def cold(size: Size, places: Mapping[str, Path], rounds: int) -> None:
    """From the start of a process to its first answer, in turns."""
    operations = {"cogmem": "recall", "Chroma": "query"}
    bare, rss, threads = [], [], []
    for turn in range(rounds + 1):  # the first one fills the caches of the disk
        for name, place in places.items():
            with opened(name, place) as peer:
                told = peer.ask(
                    what="do", name=operations[name], texts=questions(1, seed=turn + 40)
                )
            if turn:
                clocks = size.first.setdefault(name, {"cpu": [], "wall": []})
                clocks["cpu"].append(told["since start"])
                clocks["wall"].append(told["now"] - peer.started)
            if name == "cogmem":
                rss.append(told["rss"])
                threads.append(told["threads"])
        with opened("nothing", Path("nowhere")) as peer:
            bare.append(peer.ask(what="nothing")["rss"])
    size.rss = statistics.median(rss) - statistics.median(bare)
    size.threads = max(threads)


def warm(size: Size, places: Mapping[str, Path], rounds: int) -> None:
    """The operations of all stores in turns, reads before writes."""
    with ExitStack() as stack:
        peers = {name: stack.enter_context(opened(name, place)) for name, place in places.items()}
        todo: list[tuple[str, str]] = []
        for name, peer in peers.items():
            count = size.count if name in FLEETING else 1  # what is loaded at first is here
            peer.ask(what="fill", count=count, seed=2)
            todo += [(name, operation) for operation in peer.ask(what="operations")["names"]]
        todo.sort(key=lambda one: one[1] not in READS)
        for turn in range(rounds + 1):
            said = [text for seed in range(4) for text in messages(1, turn * 4 + seed)]
            asked = questions(CALLS, seed=100 + turn)
            for place, (name, operation) in enumerate(todo):
                texts = asked if operation in READS else said[place * CALLS :][:CALLS]
                told = peers[name].ask(what="do", name=operation, texts=texts)
                if turn:
                    size.note(name, operation, told)
        for turn in range(rounds if size.count <= FEW else 0):
            for name in BATCHED:
                size.note(name, "batch", peers[name].ask(what="fill", count=1_000, seed=turn + 7))
        for _ in range(rounds):
            for name, operation in (("cogmem", "recall"), ("Chroma", "query")):
                alone, several = (
                    peers[name].ask(what="threads", name=operation, threads=threads)
                    for threads in (1, THREADS)
                )
                clocks = size.concurrency.setdefault(name, {"cpu": [], "wall": []})
                clocks["wall"].append(alone["wall"] / several["wall"])
                clocks["cpu"].append(several["cpu"] / alone["cpu"])


def main(counts: Sequence[int], keep: Path | None, rounds: int) -> int:
    """Measure, enter the tables and the figures, and hold the bounds; the exit code."""
    sizes = [measure(count, keep, rounds) for count in sorted(counts)]
    return int(not enter(sizes))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--as"]:
        serve(sys.argv[2], Path(sys.argv[3]))
    else:
        asked_for = argparse.ArgumentParser()
        asked_for.add_argument("sizes", nargs="*", type=int, default=[1_000, 10_000])
        asked_for.add_argument("--keep", type=Path)
        asked_for.add_argument("--rounds", type=int, default=5)
        given = asked_for.parse_args()
        raise SystemExit(main(given.sizes, given.keep, given.rounds))
