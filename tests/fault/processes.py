"""Several processes on one embedded bank: two write, two recall, and one of them owns the vector index.

As a program: python processes.py ROLE FOLDER NAME COUNT, where ROLE is `write` or `read`.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import cogmem
from cogmem import Config, ConsolidationConfig, Engine, StorageConfig
from cogmem.testing import CountingEmbedder

NAMESPACE = "alice"
CONFIG = Config(
    storage=StorageConfig(exact_below=0, own_collection_above=100, index_linger_seconds=0.0),
    consolidation=ConsolidationConfig(trigger="manual"),
)
BATCH = 25
_SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]


def _words(rng: random.Random) -> str:
    return " ".join("".join(rng.choice(_SYLLABLES) for _ in range(4)) for _ in range(4))


def opened(folder: str | Path) -> Engine:
    """The engine that all of them use."""
    return cogmem.open(folder, embedder=CountingEmbedder(), config=CONFIG)


def write(folder: str, name: str, count: int) -> dict[str, Any]:
    """Remember so many texts, some of them at once, some in the background; edit and pin a few."""
    rng = random.Random(name)
    with opened(folder) as engine:
        bank = engine.bank(NAMESPACE)
        for start in range(0, count, BATCH):
            texts = [f"{name}x{number}q {_words(rng)}" for number in range(start, min(count, start + BATCH))]
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
                found = bank.recall(memory.content.split()[0], k=5, floor=0)
                recalls += 1
                missed += memory.id not in {result.memory.id for result in found.results}
                degraded.update(found.degraded)
    return {"recalls": recalls, "missed": missed, "degraded": degraded, "seen": seen}


def together(folder: Path, count: int, *, timeout: float = 900) -> dict[str, Any]:
    """Two writers of `count` memories each beside two readers; what each of them told, and what is wrong."""
    with opened(folder):
        pass
    roles = [("write", "a", count), ("write", "b", count), ("read", "c", 2 * count), ("read", "d", 2 * count)]
    started = time.monotonic()
    command = [sys.executable, str(Path(__file__))]
    running = [
        subprocess.Popen(
            [*command, role, str(folder), name, str(number)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for role, name, number in roles
    ]
    troubles, told = [], {}
    for (role, name, _), process in zip(roles, running, strict=True):
        try:
            said, wrong = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            said, wrong = process.communicate()
            troubles.append(f"{role} {name} did not end")
        if process.returncode:
            troubles.append(f"{role} {name} failed: {wrong.strip()[-500:]}")
        told[f"{role} {name}"] = json.loads(said) if said.strip() else {}
    seconds = time.monotonic() - started
    return {"told": told, "troubles": [*troubles, *_wrong(folder, count, told)], "seconds": seconds}


def _wrong(folder: Path, count: int, told: dict[str, Any]) -> list[str]:
    """Everything is there once, the index equals the table, and the doctor finds nothing."""
    troubles = [f"{name} missed {said['missed']}" for name, said in told.items() if said.get("missed")]
    troubles += [f"{name}: {said['degraded']}" for name, said in told.items() if said.get("degraded")]
    with opened(folder) as engine:
        engine.flush()
        contents = Counter(memory.content.split()[0] for memory in engine.bank(NAMESPACE).list(limit=100_000))
        wanted = {f"{name}x{number}q" for name in "ab" for number in range(count)}
        lost = len(wanted - contents.keys())
        twice = sum(number > 1 for number in contents.values())
        troubles += [f"{lost} memories were lost"] if lost else []
        troubles += [f"{twice} memories are there twice"] if twice else []
        engine.sync()
        found = engine.doctor()
        troubles += [finding.message for finding in found.findings] + list(found.skipped)
    return troubles


if __name__ == "__main__":
    ROLE, FOLDER, NAME, COUNT = sys.argv[1:]
    print(json.dumps({"write": write, "read": read}[ROLE](FOLDER, NAME, int(COUNT))))
