"""Banks for the fault tests, and the single pieces of work that a process is killed in: each a job of the yard."""

import os
import random
import resource
import shutil
import sqlite3
from datetime import timedelta
from pathlib import Path
from typing import Any

import cogmem_core
from cogmem_core import Engine, MemoryBank
from cogmem_core.errors import CogMemError
from cogmem_core.testing import CountingEmbedder, FrozenClock
from fault.workload import CONFIG, NAMESPACE, START, Arg, Ready, opened, words


def filled(arg: Arg, ready: Ready) -> None:
    """A bank of `memories` memories, some of them edited and forgotten, closed cleanly or (`torn`) not at all."""
    with opened(arg["folder"]) as engine:
        bank, rng = engine.bank(NAMESPACE), random.Random(arg.get("seed", 0))
        texts = [f"zq0x{i}xq {words(rng, 4)}" for i in range(arg["memories"])]
        memories = bank.remember(texts, mode="raw").memories
        bank.edit(memories[0].id, f"zq0x0xq {words(rng, 4)}")
        bank.forget(memories[-1].id)
        engine.bank("bob").remember([f"bob says {words(rng, 3)}" for _ in range(5)], mode="raw")
        engine.sync()
        if arg.get("torn"):
            os._exit(0)


def canary(arg: Arg, ready: Ready) -> Arg:
    """A bank with memories to erase, in two versions each, with feedback beside them; one says something else, too."""
    with opened(arg["folder"]) as engine:
        bank, rng = engine.bank(NAMESPACE), random.Random(1)
        known = {
            "whole": _bird(bank, "Tweety3141592", "", ref="Tweety3141592"),
            "part": _bird(bank, "Woodstock2718281", ". My lamp is green"),
        }
        bank.remember([f"zq0x{i}xq {words(rng, 4)}" for i in range(40)], mode="raw")
        engine.sync()
    return known


def _bird(bank: MemoryBank, name: str, more: str, **about: str) -> Arg:
    """A memory that sings, and was edited; its vectors."""
    first = bank.remember(f"{name} sings at dawn{more}", mode="raw", **about).memories[0]
    vectors = [_vector(bank, first.id)]
    bank.edit(first.id, f"{name} sings at dawn and at dusk{more}")
    vectors.append(_vector(bank, first.id))
    bank.feedback(bank.recall(name), f"{name} sings")
    return {"name": name, "id": first.id, "vectors": vectors}


def _vector(bank: MemoryBank, memory_id: str) -> str:
    with bank.engine.services.ledger.whole() as reader:
        vectors = reader.at(NAMESPACE).memories.vectors([memory_id])
    return vectors[memory_id].tobytes().hex()


def erase(arg: Arg, ready: Ready) -> list[str]:
    """Erase what is meant (or, with `whole`, the namespace)."""
    with opened(arg["folder"], 1) as engine:
        ready()
        bank = engine.bank(NAMESPACE)
        if arg.get("whole"):
            return list(bank.forget_all(confirm=NAMESPACE, hard=True).remaining)
        return list(bank.forget(arg["meant"], hard=True).remaining)


def rebuild(arg: Arg, ready: Ready) -> list[str]:
    """Build the index anew, because it is asked for or because the folder was not closed."""
    embedder = CountingEmbedder()
    if arg["how"] == "open":
        ready()
    with opened(arg["folder"], 1, embedder) as engine:
        if arg["how"] == "reindex":
            ready()
            engine.reindex()
        engine.sync()
    return embedder.texts


def dream(arg: Arg, ready: Ready) -> None:
    """A whole dream cycle."""
    with dreaming(arg["folder"], arg["days"]) as engine:
        engine.pause()
        ready()
        engine.bank(NAMESPACE).consolidate()


def dreaming(folder: str | Path, days: float, **moved: float) -> Engine:
    """The engine of the bank that dreams."""
    clock = FrozenClock(START)
    clock.advance(days=days, **moved)
    return cogmem_core.open(folder, embedder="hashing", clock=clock, config=CONFIG)


def migrate(arg: Arg, ready: Ready) -> None:
    """Open a bank of an older schema."""
    ready()
    with opened(arg["folder"], 1):
        pass


_ADDED: dict[int, tuple[str, ...]] = {
    9: ("DROP TABLE rejections",),
    12: (
        *(f"DROP TABLE {name}" for name in ("intentions", "procedures", "task_runs")),
        "ALTER TABLE namespaces DROP COLUMN agent_seq",
    ),
    13: ("DROP TABLE reviews",),
    18: ("DROP TABLE erased",),
    20: ("ALTER TABLE namespaces DROP COLUMN seals",),
}


def downgraded(arg: Arg, ready: Ready) -> None:
    """Take back the schema's changes after version `version`: a bank as an older cogmem wrote it."""
    ledger = sqlite3.connect(Path(arg["folder"]) / "ledger.sqlite")
    for version in sorted(_ADDED, reverse=True):
        if version >= arg["version"]:
            for statement in _ADDED[version]:
                ledger.execute(statement)
    ledger.execute("UPDATE meta SET value = ? WHERE key = 'schema_version'", (str(arg["version"]),))
    ledger.commit()
    ledger.close()


def moved(arg: Arg, ready: Ready) -> None:
    """Import an exported file into an empty bank."""
    with opened(arg["folder"], 1) as engine:
        ready()
        engine.bank(NAMESPACE).import_(arg["file"])
        engine.sync()


def exported(arg: Arg, ready: Ready) -> int:
    """Write a bank to a file."""
    with opened(arg["folder"], 1) as engine:
        return engine.bank(NAMESPACE).export(arg["file"])


def lived(arg: Arg, ready: Ready) -> None:
    """A bank in which nearly every step of a dream cycle finds something to do."""
    with dreaming(arg["folder"], 0) as engine:
        live(engine)
        engine.sync()


def live(engine: Engine) -> None:
    """Fill a bank so that nearly every step of a dream cycle finds something to do."""
    from cogmem_core.changes import Actor, Touch, apply

    engine.pause()
    bank, clock = engine.bank(NAMESPACE), engine.services.runtime.now
    for day in (12, 15, 20, 25, 28):
        bank.add(f"Emma went hiking at the lake on March {day}", category="fact", importance=0.1)
    bank.add(
        "Emma flies to Rome on Friday", category="plan", valid_until=clock() + timedelta(days=3)
    )
    bank.add("Emma plays the cello", category="fact")
    bank.add("emma  plays the cello", category="fact")
    dear = bank.add("Emma was born in Oslo", category="fact", importance=0.9)
    useless = bank.add("The sky was grey again", category="other")
    useful = bank.add("Emma prefers trains", category="preference")
    values = {
        dear.id: {"retrieval_count": 4},
        useless.id: {"utility": 0.05},
        useful.id: {"utility": 0.9},
    }
    with engine.services.ledger.writing() as writer:
        changes = [Touch(memory_id, fields, "by hand") for memory_id, fields in values.items()]
        apply(writer, NAMESPACE, changes, now=clock(), actor=Actor("user"))


def copied(source: str | Path, target: Path) -> Path:
    """A copy of a bank's folder."""
    shutil.rmtree(target, ignore_errors=True)
    return Path(shutil.copytree(source, target, symlinks=True))


def state_of(bank: MemoryBank) -> list[Any]:
    """Everything that a cycle may change, without the ids of what it makes; as JSON would give it back."""
    memories = bank.list(state="any", limit=1_000)
    relations = sorted([r.type, round(r.weight, 9)] for m in memories for r in bank.relations(m.id))
    rows = sorted(
        [
            m.content,
            m.state,
            m.tier,
            round(m.stability, 9),
            round(m.utility, 9),
            m.version,
            len(m.support),
        ]
        for m in memories
    )
    return [*rows, *relations]


def left(arg: Arg, ready: Ready) -> None:
    """Open a bank and its index, and end without closing them."""
    engine = opened(arg["folder"])
    engine.sync()
    os._exit(0)


def refused(arg: Arg, ready: Ready) -> str:
    """What opening a bank says that cannot be written to."""
    try:
        with opened(arg["folder"], 1) as engine:
            engine.bank(NAMESPACE).add("something new")
    except CogMemError as error:
        return f"{type(error).__name__}: {error}"
    return "nothing"


def strangled(arg: Arg, ready: Ready) -> list[str]:
    """Empty the ledger's log while the database may not grow, and when it may again."""
    told = []
    with opened(arg["folder"]) as engine:
        engine.pause()
        engine.bank(NAMESPACE).remember(
            [f"zq0x{i}xq is long {'x' * 2_000}" for i in range(40)], mode="raw"
        )
        _, hardest = resource.getrlimit(resource.RLIMIT_FSIZE)
        for limit in ((Path(arg["folder"]) / "ledger.sqlite").stat().st_size, hardest):
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hardest))
            try:
                told.append(str(engine.services.ledger.database.checkpoint()))
            except CogMemError as error:
                told.append(f"{type(error).__name__}: {error}")
    return told
