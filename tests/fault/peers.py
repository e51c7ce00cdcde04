"""Other memories under `kill -9`, beside cogmem: python tests/fault/peers.py [--kills N] [--seed S]

A process writes one note after the other and says of each when it was told that it is kept; it is killed at a random
moment or, every other time (where strace is installed), at its n-th call of the system. Then another process opens the
store: which of the notes are there, and are they found by their own words? One store lives through several kills. All
embed with the same hashes; no language model is asked.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fault.harness import SYSTEM_CALLS, attached, has_strace
from helpers.peer_stores import KEPT, STORES, environment

KILLS_PER_STORE = 6
LONGEST_SECONDS = 1.0
PATIENCE_SECONDS = 120


class Trial:
    """One peer: its store is written to and killed, again and again."""

    def __init__(self, python: str, peer: str, place: Path, seed: int) -> None:
        self.python, self.peer, self.place, self.rng = python, peer, place, random.Random(seed)
        self.modes = ("clock", "syscall") if has_strace() else ("clock",)
        self.counts: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()

    def run(self, kills: int) -> None:
        """So many kills."""
        while self.counts["kills"] < kills:
            shutil.rmtree(self.place, ignore_errors=True)
            self.place.mkdir()
            kept: set[int] = set()
            first = 0
            for _ in range(min(KILLS_PER_STORE, kills - self.counts["kills"])):
                said, first = self._killed(first)
                kept |= said
                self.counts["kills"] += 1
                self.counts["acknowledged"] += len(said)
                if not self._as_it_should_be(kept):
                    break

    def _killed(self, first: int) -> tuple[set[int], int]:
        """Write from a number on, until the kill: what was acknowledged, and the first number that was not begun."""
        with self._started("write", first) as process:
            assert process.stdout is not None
            ready = process.stdout.readline()
            if ready.strip() != "ready":
                process.kill()
                return set(), first
            mode = self.modes[self.counts["kills"] % len(self.modes)]
            self.counts[f"killed by the {mode}"] += 1
            if mode == "syscall":
                self._at_a_call(process)
            else:
                time.sleep(self.rng.uniform(0.0, LONGEST_SECONDS))
            process.kill()
            lines = [
                line
                for line in process.stdout.read().splitlines(keepends=True)
                if line.endswith("\n")
            ]
        said = {int(line) for line in lines if line.strip().isdecimal()}
        return said, max(said, default=first - 1) + 2

    def _at_a_call(self, process: subprocess.Popen[str]) -> None:
        """Wait for the death at the n-th write, fsync, unlink, ...; who makes too few of them is killed in the end."""
        name, number = self.rng.choice(SYSTEM_CALLS), int(1.6 ** self.rng.uniform(0, 9))
        tracer = attached(process.pid, f"{name}:signal=KILL:when={number}")
        with suppress(subprocess.TimeoutExpired):
            process.wait(LONGEST_SECONDS * 2)
            self.counts["of these at a call"] += 1
        process.kill()
        tracer.wait(timeout=PATIENCE_SECONDS)

    def _as_it_should_be(self, kept: set[int]) -> bool:
        with self._started("read", 0) as process:
            try:
                out, _ = process.communicate(timeout=PATIENCE_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                out = "error: does not open within two minutes"
        last = (out.strip().splitlines() or ["error: the process died"])[-1]
        if not last.startswith("{"):
            self.counts["stores that cannot be read"] += 1
            self.errors[last[:90]] += 1
            return False
        told = json.loads(last)
        there = Counter(told["there"])
        lost = kept - there.keys()
        self.counts["acknowledged notes lost"] += len(lost)
        self.counts["notes kept twice"] += sum(number - 1 for number in there.values())
        self.counts["notes not found by their own words"] += len(
            (kept & there.keys()) - set(told["found"])
        )
        kept -= lost
        kept |= there.keys()
        return True

    def _started(self, what: str, number: int) -> subprocess.Popen[str]:
        command = [
            self.python,
            __file__,
            "--as",
            what,
            "--peer",
            self.peer,
            "--place",
            str(self.place),
        ]
        quiet = {
            "MEM0_TELEMETRY": "False",
            "MEM0_DIR": str(self.place / "home"),
            "ANONYMIZED_TELEMETRY": "False",
        }
        return subprocess.Popen(
            [*command, "--number", str(number)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, **quiet, "OPENBLAS_NUM_THREADS": "1"},
        )


def child(what: str, peer: str, place: Path, number: int) -> None:
    """What a killed process does, and the one that looks afterwards."""
    try:
        store = STORES[peer](place)
        if what == "write":
            say("ready")
            for one in numbers(number):
                store.keep(one)
                say(str(one))
        there = store.there()
        found = [one for one in set(there) if one in store.found(one)]
        say(json.dumps({"there": there, "found": found}))
    except Exception as error:  # noqa: BLE001 - whatever a library raises is what came of it
        say(f"error: {type(error).__name__}: {' '.join(str(error).split())}")


def say(line: str) -> None:
    """To whoever started this process, at once."""
    # Not `write`: the process may be killed there, on behalf of its store.
    os.writev(1, [f"{line}\n".encode()])


def numbers(first: int) -> Iterator[int]:
    """Whole numbers, without an end."""
    while True:
        yield first
        first += 1


def main() -> int:
    """Run all and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--kills", type=int, default=60, help="of each")
    parser.add_argument("--seed", type=int, default=1, help="of the moments")
    for hidden in ("as", "peer", "place"):
        parser.add_argument(f"--{hidden}", dest=f"{hidden}_", help=argparse.SUPPRESS)
    parser.add_argument("--number", type=int, default=0, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.as_:
        child(given.as_, given.peer_, Path(given.place_), given.number)
        return 0
    python, rows = environment(), []
    for peer in KEPT:
        with tempfile.TemporaryDirectory(prefix="cogmem-peers-") as folder:
            trial = Trial(python, peer, Path(folder) / "store", given.seed)
            trial.run(given.kills)
            rows.append(trial)
    names = sorted({name for trial in rows for name in trial.counts}, key=str)
    table = Table("after kill -9", *KEPT)
    for name in names:
        table.add_row(name, *(f"{trial.counts[name]:,}" for trial in rows))
    console = Console(highlight=False, markup=False)
    console.print(table)
    for trial in rows:
        for error, times in trial.errors.items():
            console.print(f"{trial.peer}: {times} x {error}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
