"""Several processes on one embedded bank: two write, two recall, and one of them owns the vector index; or three do all
sorts of things, and one after the other is killed.

Where the system can, they are forked from one process that has imported all that they need and opened nothing.
"""

import json
import multiprocessing
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import cogmem_core
from cogmem_core import Config, Engine
from cogmem_core.config import ConsolidationConfig, StorageConfig
from cogmem_core.testing import CountingEmbedder

NAMESPACE = "alice"
CONFIG = Config(
    storage=StorageConfig(index_above=10, index_linger_seconds=0.0),
    consolidation=ConsolidationConfig(trigger="manual"),
)
BATCH = 25
_WAYS = multiprocessing.get_all_start_methods()
_PROCESSES = multiprocessing.get_context("forkserver" if "forkserver" in _WAYS else "spawn")
_PROCESSES.set_forkserver_preload(["cogmem_core.engine", "chromadb.api.rust"])
_SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]


def _words(rng: random.Random) -> str:
    return " ".join("".join(rng.choice(_SYLLABLES) for _ in range(4)) for _ in range(4))


def opened(folder: str | Path) -> Engine:
    """The engine that all of them use."""
    return cogmem_core.open(folder, embedder=CountingEmbedder(), config=CONFIG)


def write(folder: str, name: str, count: int) -> dict[str, Any]:
    """Remember so many texts, some of them at once, some in the background; edit and pin a few."""
    rng = random.Random(name)
    with opened(folder) as engine:
        bank = engine.bank(NAMESPACE)
        for start in range(0, count, BATCH):
            texts = [
                f"{name}x{number}q {_words(rng)}"
                for number in range(start, min(count, start + BATCH))
            ]
            report = bank.remember(texts, mode="raw", wait=rng.random() < 0.8)
            if report.memories:
                memory = bank.pin(report.memories[0].id)
                bank.edit(memory.id, f"{memory.content} again")
        engine.flush()
    return {"wrote": count}


def read(folder: str, name: str, count: int) -> dict[str, Any]:
    """Recall until `count` memories of the others are there: what is listed is found, and nothing ever vanishes."""
    recalls = missed = 0
    degraded: Counter[str] = Counter()
    seen = 0
    with opened(folder) as engine:
        bank, rng = engine.bank(NAMESPACE), random.Random(name)
        until = time.monotonic() + 900
        while seen < count and time.monotonic() < until:
            now = bank.count()
            assert now >= seen, f"{seen} memories were there, now {now}"
            seen = now
            newest = list(bank.list(limit=100_000))[-50:]
            for memory in rng.sample(newest, min(3, len(newest))):
                # All of it: these vectors mean nothing, and one word alone may lose to them.
                found = bank.recall(memory.content, k=5, floor=0)
                recalls += 1
                missed += memory.id not in {result.memory.id for result in found.results}
                # What the others left to their workers is no trouble of this reader.
                degraded.update(n for n in found.degraded if not n.startswith("pending: "))
    return {"recalls": recalls, "missed": missed, "degraded": degraded, "seen": seen}


def shift(folder: str, name: str, count: int) -> dict[str, Any]:
    """So many operations of all kinds; a line for each memory that is acknowledged ("+word"), about to be erased
    ("?word") or erased ("-word").
    """
    rng = random.Random(name)
    with opened(folder) as engine:
        bank = engine.bank(NAMESPACE)
        for number in range(count):
            word = f"{name}x{number}q"
            if rng.random() < 0.7:
                bank.remember(f"{word} {_words(rng)}", mode="raw", wait=rng.random() < 0.7)
            else:
                memory = bank.add(f"{word} {_words(rng)}")
                if rng.random() < 0.2:
                    print(f"?{word}", flush=True)
                    bank.forget(memory.id, hard=True)
                    print(f"-{word}", flush=True)
            print(f"+{word}", flush=True)
            if rng.random() < 0.05:
                bank.recall(word, floor=0)
                bank.consolidate()
    return {}


def _tell(work: Callable[..., dict[str, Any]], told: Path, *arguments: Any) -> None:
    """Do it, and write what it tells into a file, and what goes wrong beside it."""
    with (
        told.open("w") as out,
        told.with_suffix(".wrong").open("w") as sys.stderr,
        redirect_stdout(out),
    ):
        print(json.dumps(work(*arguments)))


def _started(work: Callable[..., dict[str, Any]], told: Path, *arguments: Any) -> Any:
    process = _PROCESSES.Process(target=_tell, args=(work, told, *arguments))
    process.start()
    return process


def relay(folder: Path, kills: int, seed: int) -> dict[str, Any]:
    """Three processes do a `shift` each; after so many kills, each of a random one that is replaced, all are killed.

    Returns how many memories were acknowledged, and what is wrong.
    """
    with opened(folder):
        pass
    rng, shifts = random.Random(seed), list[tuple[Any, Path]]()
    notes = folder.with_name(f"{folder.name}-notes")
    notes.mkdir()

    def start() -> None:
        told = notes / f"s{seed}k{len(list(notes.iterdir()))}"
        told.touch()
        shifts.append((_started(shift, told, str(folder), told.name, 100_000), told))

    for _ in range(3):
        start()
    troubles = []
    for number in range(kills + 3):
        process, told = shifts.pop(rng.randrange(len(shifts)))
        lines, until = rng.randint(1, 60), time.monotonic() + 120
        while (
            process.is_alive()
            and told.read_bytes().count(b"\n") < lines
            and time.monotonic() < until
        ):
            time.sleep(0.005)
        process.kill()
        process.join()
        if process.exitcode != -signal.SIGKILL:
            troubles.append(f"a process failed: {told.with_suffix('.wrong').read_text()[-500:]}")
        if number < kills:
            start()
    said = [line for path in notes.iterdir() for line in path.read_text().splitlines(keepends=True)]
    heard: dict[str, set[str]] = {sign: set() for sign in "+?-"}
    for line in said:
        if line.endswith("\n") and line[0] in heard:
            heard[line[0]].add(line[1:].strip())
    kept, gone = heard["+"] - heard["?"], heard["-"]
    return {
        "acknowledged": len(kept),
        "erased": len(gone),
        "troubles": [*troubles, *_wrong(folder, kept, gone)],
    }


def together(folder: Path, count: int, *, timeout: float = 900) -> dict[str, Any]:
    """Two writers of `count` memories each beside two readers; what each of them told, and what is wrong."""
    with opened(folder):
        pass
    started, running = time.monotonic(), dict[Path, Any]()
    for work, name, number in (
        (write, "a", count),
        (write, "b", count),
        (read, "c", 2 * count),
        (read, "d", 2 * count),
    ):
        file = folder.with_name(f"{folder.name}-{work.__name__} {name}")
        running[file] = _started(work, file, str(folder), name, number)
    troubles, told = [], {}
    for file, process in running.items():
        role = file.name.rpartition("-")[2]
        process.join(timeout)
        if process.is_alive():
            process.kill()
            process.join()
            troubles.append(f"{role} did not end")
        if process.exitcode:
            wrong = file.with_suffix(".wrong").read_text()
            troubles.append(f"{role} failed: {wrong.strip()[-500:]}")
        said = file.read_text()
        told[role] = json.loads(said) if said.strip() else {}
    seconds = time.monotonic() - started
    wanted = {f"{name}x{number}q" for name in "ab" for number in range(count)}
    troubles += [
        f"{name} missed {said['missed']}" for name, said in told.items() if said.get("missed")
    ]
    troubles += [
        f"{name}: {said['degraded']}" for name, said in told.items() if said.get("degraded")
    ]
    return {"told": told, "troubles": [*troubles, *_wrong(folder, wanted)], "seconds": seconds}


def _wrong(folder: Path, wanted: set[str], gone: Collection[str] = ()) -> list[str]:
    """Everything is there once, what was erased is not, the index equals the table, and the doctor finds nothing."""
    with opened(folder) as engine:
        engine.flush()
        contents = Counter(
            memory.content.split()[0] for memory in engine.bank(NAMESPACE).list(limit=100_000)
        )
        lost = len(wanted - contents.keys())
        twice = sum(number > 1 for number in contents.values())
        troubles = [f"{lost} memories were lost"] if lost else []
        troubles += [f"{twice} memories are there twice"] if twice else []
        back = sum(word in contents for word in gone)
        troubles += [f"{back} erased memories are there"] if back else []
        engine.sync()
        found = engine.doctor()
        troubles += [finding.message for finding in found.findings] + list(found.skipped)
    return troubles
