"""Long use with a clock that is moved: memory and files must stay as large as they were.

Users come and go: each has a namespace, uses it for a while, and is then erased as a whole. Meanwhile the embedder
fails now and then, files may not grow for a while, and a dream cycle runs every few hundred operations.
"""

import ctypes
import gc
import random
import resource
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

import cogmem_core
from cogmem_core import CogMemError, EmbedderUnavailable, Engine, MemoryBank
from cogmem_core.testing import CountingEmbedder, FrozenClock
from fault.workload import CONFIG, START, Arg, Ready, words

_USERS = 8
_LIFE = 500  # operations of a user
_SECONDS = 20  # that pass between two operations
_SAMPLES = 20


class _Embedder(CountingEmbedder):
    """Forgets what it was asked: a test's own list must not look like a leak."""

    def embed_documents(self, texts: Any) -> Any:
        del self.texts[:], self.queries[:]
        return super().embed_documents(texts)


def soak(arg: Arg, ready: Ready) -> dict[str, Any]:
    """Do `operations` operations; tells sizes of memory and files (bytes), what was refused, what the doctor found."""
    clock, embedder, folder = FrozenClock(START), _Embedder(), Path(arg["folder"])
    rng, told = random.Random(arg["seed"]), Counter[str]()
    samples: list[dict[str, int]] = []
    every = max(1, arg["operations"] // _SAMPLES)
    with cogmem_core.open(folder, embedder=embedder, clock=clock, config=CONFIG) as engine:
        users, born = list(range(_USERS)), _USERS
        for number in range(arg["operations"]):
            clock.advance(seconds=_SECONDS)
            place = number % _USERS
            _fail(embedder, number)
            try:
                if _is_over(number, place):
                    name = f"user{users[place]}"
                    engine.bank(name).forget_all(confirm=name, hard=True)
                    users[place], born = born, born + 1
                    told["erased users"] += 1
                else:
                    _operate(engine, f"user{users[place]}", rng, number)
            except CogMemError as error:
                told[type(error).__name__] += 1
            if (number + 1) % every == 0:
                samples.append(_sample(engine, folder))
        _fail(embedder, 0)
        engine.flush()
        engine.sync()
        found = engine.doctor()
        hours = (clock() - START).total_seconds() / 3600
    findings = [finding.message for finding in found.findings] + list(found.skipped)
    return {"samples": samples, "told": told, "findings": findings, "hours": hours}


def _is_over(number: int, place: int) -> bool:
    """Whether the user at a place goes: the lives are of equal length, and one ends when another is in its middle.

    Once each of the first users has gone there are always as many memories, but for chance.
    """
    return (number // _USERS + place * _LIFE // _USERS) % _LIFE == _LIFE - 1


def _fail(embedder: CountingEmbedder, number: int) -> None:
    """Of each 1,000 operations 20 without an embedder, and 20 without room for files to grow."""
    step = number % 1_000
    embedder.failure = EmbedderUnavailable("it is down") if 300 <= step < 320 else None
    _, hardest = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4_096 if 700 <= step < 720 else hardest, hardest))


def _learn(bank: MemoryBank, rng: random.Random, text: str) -> None:
    found = bank.recall(words(rng, 2), floor=0, k=3)
    if found.results:
        bank.feedback(found, found.results[0].content, wait=False)


def _newest(bank: MemoryBank) -> str:
    """Some memory's id; there is always one."""
    page = bank.list(limit=5)
    return page[0].id if page else bank.add("n0q the first").id


_OPERATIONS: dict[str, tuple[int, Callable[[MemoryBank, random.Random, str], object]]] = {
    "remember": (30, lambda bank, rng, text: bank.remember(text, mode="raw")),
    "remember later": (15, lambda bank, rng, text: bank.remember(text, mode="raw", wait=False)),
    "recall": (15, lambda bank, rng, text: bank.recall(words(rng, 2))),
    "learn": (15, _learn),
    "forget": (5, lambda bank, rng, text: bank.forget(_newest(bank))),
    "pin": (3, lambda bank, rng, text: bank.pin(_newest(bank))),
    "edit": (5, lambda bank, rng, text: bank.edit(_newest(bank), text)),
    "document": (
        5,
        lambda bank, rng, text: bank.items().put(("n",), rng.choice("abcdef"), {}, texts=[text]),
    ),
    "add": (5, lambda bank, rng, text: bank.add(text)),
    "dream": (1, lambda bank, rng, text: bank.consolidate()),
    "erase": (1, lambda bank, rng, text: bank.forget(_newest(bank), hard=True)),
}


def _operate(engine: Engine, name: str, rng: random.Random, number: int) -> None:
    weights = [weight for weight, _ in _OPERATIONS.values()]
    (chosen,) = rng.choices(list(_OPERATIONS), weights)
    _OPERATIONS[chosen][1](engine.bank(name), rng, f"n{number}q {words(rng, 4)}")


def _sample(engine: Engine, folder: Path) -> dict[str, int]:
    """What the process and the bank's files hold once their slack is given back."""
    engine.flush()
    engine.reindex()
    gc.collect()
    # What the C library keeps for later is its slack, as free pages are the ledger's; musl and macOS keep none.
    with suppress(AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
    sizes = Counter[str]()
    for path in folder.rglob("*"):
        if path.is_file():
            kind = (
                "index"
                if "chroma" in path.parts
                else "log"
                if path.suffix == ".jsonl"
                else "ledger"
            )
            sizes[kind] += path.stat().st_size
    with engine.services.ledger.database.reading() as connection:
        pages, free, size = (
            int(connection.exec_driver_sql(f"PRAGMA {name}").scalar_one())
            for name in ("page_count", "freelist_count", "page_size")
        )
    memories = sum(engine.bank(name).count(state="any") for name in engine.namespaces())
    rss = psutil.Process().memory_info().rss
    files = len(psutil.Process().open_files())
    return {
        **sizes,
        "rss": rss,
        "used": (pages - free) * size,
        "memories": memories,
        "files": files,
    }


def slope(samples: list[int]) -> float:
    """Growth from the third to the last quarter, as a share: the first half warms up."""
    quarter = max(1, len(samples) // 4)
    before, after = samples[2 * quarter : 3 * quarter], samples[-quarter:]
    return sum(after) / len(after) / (sum(before) / len(before)) - 1
