"""Processes that end without `close()`, on a busy machine: whether a signal ends them, and what is left."""

import os
import random
import signal
import subprocess
import sys
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import cogmem_core
from cogmem_core import Config
from cogmem_core.config import ConsolidationConfig, StorageConfig

WAYS = ("both", "plain", "indexing", "recalling")
_HUNG_SECONDS = 120  # of one process; then it tells where its threads stand, and ends
_TOLD = 20_000  # characters of what it said: the stacks of all threads stand there
_ENDS = """
import faulthandler, sys, threading, time
faulthandler.dump_traceback_later(float(sys.argv[4]), exit=True)
import cogmem_core
from cogmem_core import Config
from cogmem_core.config import ConsolidationConfig, StorageConfig

folder, way, rest = sys.argv[1], sys.argv[2], float(sys.argv[3])
storage = StorageConfig(index_above=0, index_linger_seconds=0.0) if way != "plain" else StorageConfig()
config = Config(storage=storage, consolidation=ConsolidationConfig(trigger="manual"))
engine = cogmem_core.open(folder, embedder="hashing", config=config)
bank = engine.bank("alice")
bank.remember([f"Note {i} says zq{i}xq and nothing else" for i in range(60)], mode="raw")
if way != "plain":
    engine.sync()
    bank.remember([f"Page {i} says zp{i}xq and nothing else" for i in range(150)], mode="raw")

def recalling():
    try:
        while True:
            bank.recall("zq7xq", floor=0)
    except cogmem_core.BankClosed:
        pass

if way in ("recalling", "both"):
    for _ in range(3):
        threading.Thread(target=recalling, daemon=True).start()
if way == "recalling":
    engine.pause()
time.sleep(rest)
bank.feedback(bank.recall("zq3xq", floor=0), "It is Note 3 says zq3xq and nothing else.", wait=False)
bank.remember("The last words are zlastxq", mode="raw", wait=False)
"""


@dataclass
class Exits:
    """Banks in `place`; `busy` processes burn the processor meanwhile."""

    place: Path
    seed: int
    busy: int = 3
    counts: Counter[str] = field(default_factory=Counter)
    troubles: list[str] = field(default_factory=list)

    def run(self, count: int, *, progress: Callable[[], object] = lambda: None) -> None:
        """So many processes, each way in turn."""
        rng = random.Random(self.seed)
        burn = [sys.executable, "-c", "while True: sum(range(10_000))"]
        burning = [subprocess.Popen(burn) for _ in range(self.busy)]
        try:
            for number in range(count):
                self._end(number, WAYS[number % len(WAYS)], rng.uniform(0, 0.3))
                progress()
        finally:
            for process in burning:
                process.kill()
                process.wait()

    def _end(self, number: int, way: str, rest: float) -> None:
        folder = self.place / f"exit{number}"
        told = [str(folder), way, str(rest), str(_HUNG_SECONDS)]
        command = [sys.executable, "-X", "faulthandler", "-c", _ENDS, *told]
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
        where = f"exit {number}, {way}, rest {rest:.3f}"
        self.counts[way] += 1
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                check=False,
                env=environment,
                timeout=_HUNG_SECONDS + 60,
            )
        except subprocess.TimeoutExpired as error:
            self.troubles.append(f"{where}: hung after Python had ended, said: {error.stderr!r}")
            return
        if done.returncode < 0:
            name = signal.Signals(-done.returncode).name
            self.troubles.append(f"{where}: ended by {name}: {done.stderr[-_TOLD:]}")
        elif done.returncode or done.stderr:
            said = done.stderr[-_TOLD:]
            self.troubles.append(f"{where}: exit code {done.returncode}, said: {said}")
        try:
            self.troubles += [f"{where}: {one}" for one in _missing(folder)]
        except Exception:  # noqa: BLE001 - whatever it is, it is reported
            self.troubles.append(f"{where}: the bank does not open: {traceback.format_exc()}")


def _missing(folder: Path) -> list[str]:
    """What of the last moments is not there when the bank is opened again."""
    config = Config(storage=StorageConfig(), consolidation=ConsolidationConfig(trigger="manual"))
    with cogmem_core.open(folder, embedder="hashing", config=config) as engine:
        bank = engine.bank("alice")
        engine.flush()
        faults = [memory.content for memory in bank.list(limit=1_000)]
        missing = [] if "The last words are zlastxq" in faults else ["the last words are lost"]
        used = next(memory for memory in bank.list(limit=1_000) if "zq3xq" in memory.content)
        with engine.services.ledger.whole() as reader:
            rows = [
                row
                for row in reader.at("alice").feedback.newest(limit=100)
                if row.memory_id == used.id
            ]
        return [*missing, *([] if rows else ["the feedback is lost"])]
