"""What a process does to a bank until it is killed. Every operation is noted before it begins and after it returned.

The notes are lines of a file, written with one system call each: a line that was cut off by the kill does not count.
"""

import json
import os
import random
import resource
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

import cogmem_core
from cogmem_core import Config, Engine
from cogmem_core.config import ConsolidationConfig, GuardConfig, StorageConfig
from cogmem_core.errors import CogMemError, NotFound, StoreError
from cogmem_core.testing import CountingEmbedder, FrozenClock
from cogmem_serve import create_app
from cogmem_serve.keys import KeyRing

NAMESPACE = "alice"
START = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)
CONFIG = Config(
    storage=StorageConfig(
        index_above=5, index_linger_seconds=0.0, sync_threshold=100, write_seconds=5.0
    ),
    consolidation=ConsolidationConfig(trigger="manual"),
    guard=GuardConfig(review=("untrusted",)),
)
_SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
Arg = dict[str, Any]
Ready = Callable[[], None]


def warm() -> None:
    """Use everything once, without Chroma and without a thread, so that forked children need not import it."""
    with cogmem_core.open(
        embedder=CountingEmbedder(), clock=FrozenClock(), config=CONFIG
    ) as engine:
        engine.pause()
        engine.worker.start = lambda: None  # type: ignore[method-assign] - no thread may be there at a fork
        bank = engine.bank(NAMESPACE)
        bank.remember("A first remark about boats", mode="raw")
        bank.feedback(bank.recall("boats"), "boats")
        bank.consolidate()


class HereOrThere(CountingEmbedder):
    """Says now that it computes here and now, and now that it does not.

    Turns that wait for nothing but this process are written in the transaction of what they cause, others before it.
    """

    local = False


def clock_at(hours: float) -> FrozenClock:
    """A clock that stands so many hours after the beginning."""
    clock = FrozenClock(START)
    clock.advance(hours=hours)
    return clock


def opened(
    folder: str | Path, hours: float = 0.0, embedder: CountingEmbedder | None = None
) -> Engine:
    """The engine that the jobs use."""
    return cogmem_core.open(
        folder, embedder=embedder or HereOrThere(), clock=clock_at(hours), config=CONFIG
    )


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

    def __init__(self, engine: Engine, arg: Arg, embedder: HereOrThere) -> None:
        self.embedder = embedder
        self.engine, self.bank, self.folder = engine, engine.bank(NAMESPACE), Path(arg["folder"])
        self.rng, self._seed, self._number = random.Random(arg["seed"]), arg["seed"], 0
        self.notes = Notes(arg["notes"])
        self.runs: dict[str, str] = {}
        self._client: TestClient | None = None
        self._key: dict[str, str] = {}

    def tag(self, kind: str = "zq") -> str:
        """A fresh one; `kind`: what it begins with."""
        self._number += 1
        return f"{kind}{self._seed}x{self._number}xq"

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

    def post(self, path: str, body: Mapping[str, Any]) -> None:
        """What somebody else asks of the served bank; a refusal is the engine's own."""
        if self._client is None:
            ring = KeyRing(None)
            _, secret = ring.add("test", scopes=["admin"])
            self._key = {"authorization": f"Bearer {secret}"}
            self._client = TestClient(create_app(self.engine, keys=ring), "http://localhost")
        answer = self._client.post(
            f"/v1{path}?namespace={NAMESPACE}", json=dict(body), headers=self._key
        )
        if answer.status_code == 503:
            raise StoreError(answer.text)
        assert answer.status_code == 200, f"status {answer.status_code}: {answer.text}"

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
    hand.embedder.local = hand.rng.random() < 0.5
    hand.begin("remember", texts=dict(zip(tags, texts, strict=True)), wait=wait)
    turns = [cogmem_core.Turn(text, ref=tag) for tag, text in zip(tags, texts, strict=True)]
    hand.bank.remember(turns, mode="raw", wait=wait)
    hand.done()


def _serve(hand: Hand) -> None:
    """The same over HTTP, by hand of a server in this process."""
    tag = hand.tag()
    text = hand.text(tag)
    hand.embedder.local = hand.rng.random() < 0.5
    hand.begin("remember", texts={tag: text}, wait=True)
    hand.post("/remember", {"content": text, "ref": tag, "mode": "raw"})
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
    with hand.engine.services.ledger.whole() as reader:
        vector = reader.at(NAMESPACE).memories.vectors([memory.id])[memory.id].tobytes().hex()
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
        hand.bank.feedback(found, f"It is {memory.content}.", wait=False)
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
    hand.bank.append_messages(said, session_id="talk", remembered=())
    hand.done()


def _dream(hand: Hand) -> None:
    hand.begin("dream")
    report = hand.bank.consolidate()
    hand.done(
        run=report.run_id, failed={name: s.error for name, s in report.steps.items() if s.error}
    )


def _undo(hand: Hand) -> None:
    run = next((run for run in hand.bank.consolidation_runs() if run.state == "done"), None)
    if run is None:
        return
    hand.begin("undo", run=run.id)
    hand.bank.undo(run.id)
    hand.done()


def _record(hand: Hand, tag: str, state: str, act: Callable[[], object]) -> None:
    """Something that brings a record into a state."""
    hand.begin("record", tag=tag, state=state)
    act()
    hand.done()


def _intend(hand: Hand) -> None:
    tag = hand.tag("zi")
    text = hand.text(tag)
    _record(hand, tag, "open", lambda: hand.bank.intend(text, when=words(hand.rng, 1)))


def _settle(hand: Hand) -> None:
    held = hand.bank.intentions("open")
    if held:
        intention = hand.rng.choice(held)
        tag = intention.text.split()[0]
        _record(hand, tag, "done", lambda: hand.bank.settle(intention.id, "done"))


def _observe_run(hand: Hand) -> None:
    """Such tasks are done alike, so that a procedure is mined."""
    tag = hand.tag("zt")
    calls = [{"tool": tool, "arguments": {"door": tag}} for tool in ("take_key", "unlock_door")]
    session = f"session {tag}"

    def act() -> None:
        run = hand.bank.observe_run(f"{tag} unlock the door", calls, session_id=session, ok=True)
        hand.runs[tag] = run.id

    _record(hand, tag, "True", act)


def _outcome(hand: Hand) -> None:
    """How a run ended after all."""
    if hand.runs:
        tag, ok = hand.rng.choice(list(hand.runs)), hand.rng.random() < 0.5
        _record(hand, tag, str(ok), lambda: hand.bank.outcome(hand.runs[tag], ok))


def _grant(hand: Hand) -> None:
    """Somebody is added, and granted a right; what he writes with it is a memory like any other."""
    tag, name = hand.tag("zg"), hand.tag("zp")
    _record(hand, name, "person", lambda: hand.engine.add_principal(name))
    _record(hand, tag, "granted", lambda: hand.engine.grant(name, f"{tag}/*", "read"))
    hand.engine.grant(name, NAMESPACE, "write")
    tag = hand.tag()
    text = hand.text(tag)
    hand.begin("add", texts={tag: text}, pinned=False)
    hand.engine.as_(name).bank(NAMESPACE).add(text)
    hand.done()


def _revoke(hand: Hand) -> None:
    held = [grant for grant in hand.engine.grants() if grant.namespaces.startswith("zg")]
    if held:
        grant = hand.rng.choice(held)
        tag = grant.namespaces.partition("/")[0]
        _record(hand, tag, "revoked", lambda: hand.engine.revoke(grant.id))


def _propose(hand: Hand) -> None:
    """What the assistant says waits for a person."""
    tag = hand.tag("zr")
    turn = cogmem_core.Turn(hand.text(tag), role="assistant", ref=tag)
    _record(hand, tag, "waiting", lambda: hand.bank.remember(turn, mode="raw"))


def _decide(hand: Hand) -> None:
    held = hand.bank.reviews()
    if held:
        review, approved = hand.rng.choice(held), hand.rng.random() < 0.5
        tag = review.content.split()[0]
        act = hand.bank.approve if approved else hand.bank.reject
        state = "approved" if approved else "rejected"
        _record(hand, tag, state, lambda: act(review.id))


def _backup(hand: Hand) -> None:
    copy = hand.folder.parent / f"copy-{hand.tag()}.sqlite"
    hand.begin("backup")
    hand.engine.backup(copy)
    hand.done()
    with suppress(OSError):  # the disk may fail right then
        copy.unlink()


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
    "intend": (2, _intend),
    "settle": (1, _settle),
    "observe_run": (2, _observe_run),
    "outcome": (1, _outcome),
    "serve": (4, _serve),
    "grant": (2, _grant),
    "revoke": (1, _revoke),
    "propose": (2, _propose),
    "decide": (1, _decide),
    "backup": (1, _backup),
}


def mixed(arg: Arg, ready: Ready) -> None:
    """Random operations: `operations` of them, on the bank in `folder`, `hours` after the beginning.

    `each`: before them one of each kind, so that all failpoints are passed.
    """
    if arg.get("from_start"):
        ready()
    embedder = HereOrThere()
    with opened(arg["folder"], arg["hours"], embedder) as engine:
        hand = Hand(engine, arg, embedder)
        if not arg.get("from_start"):
            ready()
        weights = [weight for weight, _ in _OPERATIONS.values()]
        each = list(_OPERATIONS) if arg.get("each") else []
        hand.rng.shuffle(each)
        for name in each:
            hand.operate(name)
        for _ in range(arg["operations"]):
            hand.operate(hand.rng.choices(list(_OPERATIONS), weights)[0])


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
    embedder = HereOrThere()
    with opened(arg["folder"], arg["hours"], embedder) as engine:
        hand = Hand(engine, arg, embedder)
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
