"""What a process does to a bank until it is killed. Every operation is noted before it begins and after it returned.

The notes are lines of a file, written with one system call each: a line that was cut off by the kill does not count.
"""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import sqlite3
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import cogmem
from cogmem import Config, ConsolidationConfig, Engine, MemoryBank, StorageConfig
from cogmem.errors import CogMemError, NotFound
from cogmem.testing import CountingEmbedder, FrozenClock

NAMESPACE = "alice"
START = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)
CONFIG = Config(
    storage=StorageConfig(
        exact_below=0, own_collection_above=25, index_linger_seconds=0.0, sync_threshold=100, write_seconds=5.0
    ),
    consolidation=ConsolidationConfig(trigger="manual"),
)
_SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
Arg = dict[str, Any]
Ready = Callable[[], None]


def warm() -> None:
    """Use everything once, without Chroma and without a thread, so that forked children need not import it."""
    with cogmem.open(embedder=CountingEmbedder(), clock=FrozenClock(), config=CONFIG) as engine:
        engine.pause()
        engine.worker.start = lambda: None  # type: ignore[method-assign] - no thread may be there at a fork
        bank = engine.bank(NAMESPACE)
        bank.remember("A first remark about boats", mode="raw")
        bank.feedback(bank.recall("boats"), "boats")
        bank.consolidate()


def clock_at(hours: float) -> FrozenClock:
    """A clock that stands so many hours after the beginning."""
    clock = FrozenClock(START)
    clock.advance(hours=hours)
    return clock


def opened(folder: str | Path, hours: float = 0.0, embedder: CountingEmbedder | None = None) -> Engine:
    """The engine that the jobs use."""
    return cogmem.open(folder, embedder=embedder or CountingEmbedder(), clock=clock_at(hours), config=CONFIG)


class Notes:
    """The file in which a process notes what it does."""

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def write(self, kind: str, **fields: Any) -> None:
        """`kind`: "begin", "done", or "refused" (a typed error)."""
        # Not `write`: that may have been made to fail.
        os.writev(self._file, [(json.dumps({"kind": kind, **fields}) + "\n").encode()])


def words(rng: random.Random, count: int) -> str:
    """Words that nothing else holds: no text is taken for another's likeness."""
    return " ".join("".join(rng.choice(_SYLLABLES) for _ in range(4)) for _ in range(count))


class Hand:
    """Does random operations on a bank.

    Every memory has a tag, a word that stands in it and in nothing else; edited, it keeps its tag.
    """

    def __init__(self, engine: Engine, arg: Arg) -> None:
        self.engine, self.bank, self.folder = engine, engine.bank(NAMESPACE), Path(arg["folder"])
        self.rng, self._seed, self._number = random.Random(arg["seed"]), arg["seed"], 0
        self.notes = Notes(arg["notes"])

    def tag(self) -> str:
        """A fresh one."""
        self._number += 1
        return f"zq{self._seed}x{self._number}xq"

    def text(self, tag: str) -> str:
        """A text with the tag."""
        return f"{tag} {words(self.rng, 4)}"

    def operate(self, name: str) -> None:
        """Do one operation; a typed error is noted, anything else ends the process."""
        try:
            _OPERATIONS[name][1](self)
        except NotFound:
            self.notes.write("refused", error="NotFound")
        except CogMemError as error:
            self.notes.write("refused", error=type(error).__name__, reason=str(error)[:300])

    def begin(self, op: str, **fields: Any) -> None:
        self.notes.write("begin", op=op, **fields)

    def done(self, **fields: Any) -> None:
        self.notes.write("done", **fields)

    def some(self, *, state: str = "active") -> Any:
        """A memory with a tag of its own, or None."""
        page = [m for m in self.bank.list(state=state, limit=1_000) if m.content.startswith("zq")]
        return self.rng.choice(page) if page else None


def _remember(hand: Hand) -> None:
    tags = [hand.tag() for _ in range(hand.rng.randint(1, 4))]
    texts = [hand.text(tag) for tag in tags]
    wait = hand.rng.random() < 0.6
    hand.begin("remember", texts=dict(zip(tags, texts, strict=True)), wait=wait)
    turns = [cogmem.Turn(text, ref=tag) for tag, text in zip(tags, texts, strict=True)]
    hand.bank.remember(turns, mode="raw", wait=wait)
    hand.done()


def _add(hand: Hand) -> None:
    tag = hand.tag()
    text, pinned = hand.text(tag), hand.rng.random() < 0.3
    hand.begin("add", texts={tag: text}, pinned=pinned)
    hand.bank.add(text, pinned=pinned)
    hand.done()


def _twins(hand: Hand) -> None:
    tag = f"tw{hand._seed}x{hand._number}xq"
    hand._number += 1
    text = f"{tag} {words(hand.rng, 4)}"
    for number in (1, 2):
        hand.begin("twin", text=text, tag=tag, number=number)
        hand.bank.add(text)
        hand.done()


def _edit(hand: Hand) -> None:
    memory = hand.some()
    if memory is None:
        return
    tag = memory.content.split()[0]
    text = hand.text(tag)
    hand.begin("edit", tag=tag, text=text)
    hand.bank.edit(memory.id, text)
    hand.done()


def _pin(hand: Hand) -> None:
    memory = hand.some()
    if memory is None:
        return
    hand.begin("pin", tag=memory.content.split()[0], pinned=not memory.pinned)
    (hand.bank.unpin if memory.pinned else hand.bank.pin)(memory.id)
    hand.done()


def _forget(hand: Hand) -> None:
    memory = hand.some()
    if memory is None:
        return
    hand.begin("state", tag=memory.content.split()[0], state="forgotten")
    hand.bank.forget(memory.id)
    hand.done()


def _restore(hand: Hand) -> None:
    memory = hand.some(state="forgotten")
    if memory is None:
        return
    hand.begin("state", tag=memory.content.split()[0], state="active")
    hand.bank.restore(memory.id)
    hand.done()


def _erase(hand: Hand) -> None:
    memory = hand.some()
    if memory is None:
        return
    with hand.engine.services.ledger.reading() as reader:
        vector = reader.vectors(NAMESPACE, [memory.id])[memory.id].tobytes().hex()
    hand.begin("erase", tag=memory.content.split()[0], id=memory.id, vector=vector)
    receipt = hand.bank.forget(memory.id, hard=True)
    hand.done(remaining=list(receipt.remaining))


def _feedback(hand: Hand) -> None:
    memory = hand.some()
    if memory is None:
        return
    found = hand.bank.recall(memory.content, k=3, floor=0)
    shown = [result.memory.id for result in found.results]
    hand.begin("feedback", recall=found.id, shown=shown, always=[one.id for one in found.hot])
    if hand.rng.random() < 0.5:
        hand.bank.feedback(found, f"It is {memory.content}.")
    else:
        hand.bank.credit(found, f"It is {memory.content}.")
        hand.engine.flush()
        # What is credited in passing waits in memory as long as the disk fails.
        if hand.engine.worker.troubles:
            hand.notes.write("refused", error="StoreError", reason="in the background")
            return
    hand.done()


def _put(hand: Hand) -> None:
    key, tag = f"key{hand.rng.randint(0, 5)}", f"it{hand._seed}x{hand._number}xq"
    hand._number += 1
    text = f"{tag} {words(hand.rng, 4)}"
    hand.begin("item", key=key, text=text)
    hand.bank.items().put(("notes",), key, {"text": text}, texts=[text])
    hand.done()


def _delete(hand: Hand) -> None:
    key = f"key{hand.rng.randint(0, 5)}"
    hand.begin("item", key=key, text=None)
    hand.bank.items().delete(("notes",), key)
    hand.done()


def _keep(hand: Hand) -> None:
    said = [f"line {hand._seed} {hand._number} {i}" for i in range(hand.rng.randint(1, 3))]
    hand._number += 1
    hand.begin("keep", said=said)
    hand.bank.keep(said, session_id="talk", remembered=())
    hand.done()


def _dream(hand: Hand) -> None:
    hand.begin("dream")
    report = hand.bank.consolidate()
    hand.done(run=report.run_id, failed={name: s.error for name, s in report.steps.items() if s.error})


def _undo(hand: Hand) -> None:
    run = next((run for run in hand.bank.runs() if run.state == "done"), None)
    if run is None:
        return
    hand.begin("undo", run=run.id)
    hand.bank.undo(run.id)
    hand.done()


def _move(hand: Hand) -> None:
    """Export, and import again what is there already."""
    path = hand.folder.parent / f"{hand.folder.name}-export.jsonl"
    hand.begin("export", path=str(path))
    count = hand.bank.export(path)
    hand.done(memories=count)
    hand.begin("import")
    report = hand.bank.import_(path)
    hand.done(stored=report.stored)


def _reindex(hand: Hand) -> None:
    hand.begin("reindex")
    hand.engine.reindex()
    hand.done()


def _flush(hand: Hand) -> None:
    hand.begin("flush")
    hand.engine.flush()
    hand.done()


def _recall(hand: Hand) -> None:
    hand.bank.recall(words(hand.rng, 2))


_OPERATIONS: dict[str, tuple[int, Callable[[Hand], None]]] = {
    "remember": (10, _remember),
    "add": (6, _add),
    "twins": (2, _twins),
    "edit": (6, _edit),
    "pin": (3, _pin),
    "forget": (3, _forget),
    "restore": (2, _restore),
    "erase": (2, _erase),
    "feedback": (4, _feedback),
    "put": (4, _put),
    "delete": (1, _delete),
    "keep": (2, _keep),
    "dream": (2, _dream),
    "undo": (1, _undo),
    "move": (1, _move),
    "reindex": (1, _reindex),
    "flush": (4, _flush),
    "recall": (3, _recall),
}


def mixed(arg: Arg, ready: Ready) -> None:
    """Random operations: `operations` of them, on the bank in `folder`, `hours` after the beginning."""
    if arg.get("from_start"):
        ready()
    with opened(arg["folder"], arg["hours"]) as engine:
        hand = Hand(engine, arg)
        if not arg.get("from_start"):
            ready()
        weights = [weight for weight, _ in _OPERATIONS.values()]
        for _ in range(arg["operations"]):
            hand.operate(hand.rng.choices(list(_OPERATIONS), weights)[0])


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
    """A bank with one memory to erase, in several versions, with feedback and a document beside it."""
    with opened(arg["folder"]) as engine:
        bank, rng = engine.bank(NAMESPACE), random.Random(1)
        first = bank.remember("Tweety3141592 sings at dawn", mode="raw", ref="Tweety3141592").memories[0]
        bank.remember([f"zq0x{i}xq {words(rng, 4)}" for i in range(40)], mode="raw")
        with engine.services.ledger.reading() as reader:
            vectors = [reader.vectors(NAMESPACE, [first.id])[first.id].tobytes().hex()]
        bank.edit(first.id, "Tweety3141592 sings at dawn and at dusk")
        with engine.services.ledger.reading() as reader:
            vectors.append(reader.vectors(NAMESPACE, [first.id])[first.id].tobytes().hex())
        bank.feedback(bank.recall("Tweety3141592"), "Tweety3141592 sings")
        engine.sync()
    return {"id": first.id, "vectors": vectors}


def erase(arg: Arg, ready: Ready) -> list[str]:
    """Erase the canary (or, with `whole`, the namespace)."""
    with opened(arg["folder"], 1) as engine:
        ready()
        bank = engine.bank(NAMESPACE)
        if arg.get("whole"):
            return list(bank.forget_all(confirm=NAMESPACE, hard=True).remaining)
        return list(bank.forget(arg["id"], hard=True).remaining)


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
    return cogmem.open(folder, embedder="hashing", clock=clock, config=CONFIG)


def migrate(arg: Arg, ready: Ready) -> None:
    """Open a bank of an older schema."""
    ready()
    with opened(arg["folder"], 1):
        pass


_ADDED: dict[int, tuple[str, ...]] = {
    1: (
        "DROP TABLE synaptic_tags",
        "DROP TABLE short_term",
        "DROP TABLE notes",
        "ALTER TABLE episodes DROP COLUMN zone",
    ),
    2: ("DROP TABLE feedback",),
    3: ("DROP TABLE dreams", "DROP TABLE runs", "DROP INDEX IF EXISTS feedback_by_recall"),
    4: ("DROP INDEX episodes_by_position", "ALTER TABLE episodes DROP COLUMN position"),
    5: ("DROP TABLE items",),
    6: (
        *(f"ALTER TABLE namespaces DROP COLUMN {name}" for name in ("position", "chain")),
        *(f"ALTER TABLE journal DROP COLUMN {name}" for name in ("position", "salt", "detail", "standing", "chain")),
    ),
    7: ("DROP INDEX episodes_queued",),
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
    from cogmem.changes import Actor, Touch, apply

    engine.pause()
    bank, clock = engine.bank(NAMESPACE), engine.services.runtime.now
    for day in (12, 15, 20, 25, 28):
        bank.add(f"Emma went hiking at the lake on March {day}", category="fact", importance=0.1)
    bank.add("Emma flies to Rome on Friday", category="plan", valid_until=clock() + timedelta(days=3))
    bank.add("Emma plays the cello", category="fact")
    bank.add("emma  plays the cello", category="fact")
    dear = bank.add("Emma was born in Oslo", category="fact", importance=0.9)
    useless = bank.add("The sky was grey again", category="other")
    useful = bank.add("Emma prefers trains", category="preference")
    values = {dear.id: {"retrieval_count": 4}, useless.id: {"utility": 0.05}, useful.id: {"utility": 0.9}}
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
        [m.content, m.state, m.tier, round(m.stability, 9), round(m.utility, 9), m.version, len(m.support)]
        for m in memories
    )
    return [*rows, *relations]


def left(arg: Arg, ready: Ready) -> None:
    """Open a bank and its index, and end without closing them."""
    engine = opened(arg["folder"])
    engine.sync()
    os._exit(0)


def strained(arg: Arg, ready: Ready) -> None:
    """Random operations while the disk fails; nothing but typed errors may come out.

    `file_bytes`: how much the ledger may grow; the limit is lifted at the end, and the bank must be usable at once.
    `ballast`, `free`: a file that fills the file system but for so many bytes; it is removed at the end.
    """
    notes = Notes(arg["notes"])
    try:
        _strained(arg)
    except CogMemError as error:
        notes.write("refused", error=type(error).__name__, reason=str(error)[:300])


def _strained(arg: Arg) -> None:
    with opened(arg["folder"], arg["hours"]) as engine:
        hand = Hand(engine, arg)
        largest, hardest = resource.getrlimit(resource.RLIMIT_FSIZE)
        if "file_bytes" in arg:
            size = (Path(arg["folder"]) / "ledger.sqlite").stat().st_size + arg["file_bytes"]
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, hardest))
        if "ballast" in arg:
            _fill(Path(arg["ballast"]), arg["free"])
        weights = [weight for weight, _ in _OPERATIONS.values()]
        for _ in range(arg["operations"]):
            hand.operate(hand.rng.choices(list(_OPERATIONS), weights)[0])
        if "file_bytes" in arg or "ballast" in arg:
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest, hardest))
            Path(arg.get("ballast", "nothing")).unlink(missing_ok=True)
            # There is room again: no reopening may be needed.
            for name in ("add", "remember", "flush", "erase", "dream"):
                _OPERATIONS[name][1](hand)


def _fill(ballast: Path, free: int) -> None:
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(1 << 16))
        except OSError:
            pass
        size = os.fstat(file.fileno()).st_size
    os.truncate(ballast, max(0, size - free))


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
        engine.bank(NAMESPACE).remember([f"zq0x{i}xq is long {'x' * 2_000}" for i in range(40)], mode="raw")
        _, hardest = resource.getrlimit(resource.RLIMIT_FSIZE)
        for limit in ((Path(arg["folder"]) / "ledger.sqlite").stat().st_size, hardest):
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hardest))
            try:
                told.append(str(engine.services.ledger.database.checkpoint()))
            except CogMemError as error:
                told.append(f"{type(error).__name__}: {error}")
    return told
