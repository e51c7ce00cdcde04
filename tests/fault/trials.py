"""A bank whose calls are interrupted: what it acknowledged, and what is wrong with it afterwards."""

import contextlib
import itertools
import random
import sqlite3
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cogmem_core
from cogmem_core import Engine, MemoryBank, NotFound
from cogmem_core.results import ConsolidationReport
from cogmem_core.testing import FrozenClock
from fault.bystander import LINGERS_SECONDS, SHARED, Bystander
from fault.expected import traces
from fault.jobs import live
from fault.workload import CONFIG, NAMESPACE, START, words

GROUPS = {
    "read": ("recall", "due"),
    "write": ("remember", "add", "edit", "intend", "observe_run"),
    "dream": ("consolidate",),
    "erase": ("forget",),
    "import": ("import_",),
}
"""The methods of a bank that are interrupted."""
DAYS = 40  # then a cycle finds something to do
_IMPORTED = 6  # memories in a file
_BUSY_SECONDS = 5.0  # on a busy machine the worker may be at it
_HUNG_SECONDS = 120.0

_NEVER = "\0"


def told_of(error: Exception) -> str:
    """What it is, and where it came from."""
    frames = traceback.extract_tb(error.__traceback__)[-3:]
    where = " < ".join(f"{Path(one.filename).name}:{one.lineno}" for one in reversed(frames))
    return f"{type(error).__name__}: {error} ({where})"


def _nothing(_: Any) -> None:
    """What most calls return is not looked at."""


@dataclass
class Call:
    """One call of a method: what comes of it if it returns, and what may be said after it in any case."""

    method: str
    args: tuple[Any, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    acknowledged: Callable[[Any], object] = _nothing
    settle: Callable[[], list[str]] = list

    def run(self, bank: MemoryBank) -> None:
        """As somebody calls it."""
        self.acknowledged(getattr(bank, self.method)(*self.args, **self.options))

    async def arun(self, bank: MemoryBank) -> None:
        """As somebody awaits it."""
        twin = getattr(bank, f"a{self.method}")
        self.acknowledged(await twin(*self.args, **self.options))


class Trial:
    """A bank in memory (`folder` None) or on disk, alone or with a bystander in another process."""

    def __init__(
        self, folder: Path | None, files: Path, rng: random.Random, bystander: Bystander | None
    ) -> None:
        self.folder, self.files, self.rng, self.bystander = folder, files, rng, bystander
        self.clock = FrozenClock(START)
        self._numbers = itertools.count()
        self.texts, self.intentions, self.runs = list[str](), set[str](), list[str]()
        self._erased: dict[str, list[str]] = {}
        self.lingers = False  # the thread of a cancelled task does not stop
        self.engine = self._opened()
        self._donor = cogmem_core.open(embedder="hashing", clock=self.clock, config=CONFIG)
        # Enough for a view to be filled in bulk, too.
        self.texts = [self._text() for _ in range(80)]
        self.bank.remember(self.texts, mode="raw")
        live(self.engine)
        self.engine.resume()
        self.clock.advance(days=DAYS)

    def _opened(self) -> Engine:
        return cogmem_core.open(self.folder, embedder="hashing", clock=self.clock, config=CONFIG)

    @property
    def bank(self) -> MemoryBank:
        return self.engine.bank(NAMESPACE)

    def _text(self) -> str:
        return f"zq{next(self._numbers)}xq {words(self.rng, 4)}"

    def close(self) -> None:
        """The engine, and the process beside it."""
        if self.bystander is not None:
            self.bystander.leave()
        self.engine.close()
        self._donor.close()

    def chill(self) -> None:
        """The next call is the first one, as after opening; a bank on disk is opened anew."""
        if self.folder is None:
            self.engine.services.searcher.views.clear()
        else:
            self.engine.close()
            self.engine = self._opened()

    def prepared(self, method: str) -> Call:
        """The next call of a method, with something to do for it."""
        made: Call = getattr(self, f"_{method.strip('_')}")()
        return made

    def _recall(self) -> Call:
        return Call("recall", (self.rng.choice(self.texts),), {"floor": 0})

    def _due(self) -> Call:
        kept = self.bank.intend(self._text(), on_session=True, times=1)
        self.intentions.add(kept.id)
        return Call("due", (), {"session_id": f"session {next(self._numbers)}"})

    def _remember(self) -> Call:
        text = self._text()
        return Call("remember", (text,), {"mode": "raw"}, lambda _: self.texts.append(text))

    def _add(self) -> Call:
        text = self._text()
        return Call("add", (text,), {}, lambda _: self.texts.append(text))

    def _edit(self) -> Call:
        before, after = self._text(), self._text()
        memory = self.bank.add(before)

        def settled() -> list[str]:
            content = self.bank.get(memory.id).content
            self.texts.append(content)
            return [] if content in (before, after) else [f"wrong: {before} became {content}"]

        def acknowledged(_: Any) -> None:
            self.texts.append(after)

        return Call("edit", (memory.id, after), {}, acknowledged, settled)

    def _intend(self) -> Call:
        options = {"when": f"zw{next(self._numbers)}xw"}
        return Call("intend", (self._text(),), options, lambda one: self.intentions.add(one.id))

    def _observe_run(self) -> Call:
        task = f"book {self._text()}"
        calls = [{"tool": "find", "arguments": {"what": task}}, {"tool": "book", "ok": True}]
        options = {"session_id": "runs"}
        return Call("observe_run", (task, calls), options, lambda run: self.runs.append(run.id))

    def _consolidate(self) -> Call:
        self.clock.advance(days=1)
        for _ in range(3):
            text = f"Emma went rowing {words(self.rng, 1)} on March {self.rng.randint(1, 28)}"
            self.bank.add(text, category="fact", importance=0.1)
        return Call("consolidate")

    def _forget(self) -> Call:
        text = self._text()
        memory = self.bank.add(text)

        def settled() -> list[str]:
            with contextlib.suppress(NotFound):
                self.bank.forget(memory.id, hard=True)
            there = any(one.id == memory.id for one in self.bank.list(state="any", limit=100_000))
            self._erased[text.split()[0]] = []
            return [f"wrong: {text} is still there"] if there else []

        return Call("forget", (memory.id,), {"hard": True}, settle=settled)

    def _traces(self) -> list[str]:
        """What holds an erased word; while others read, the log of the ledger may, and is emptied later."""
        if self.folder is None or not self._erased:
            return []
        read_by_others = "ledger.sqlite-wal" if self.bystander is not None else _NEVER
        found = list[str]()
        for _ in range(int(LINGERS_SECONDS / 0.1)):
            self.engine.flush()
            found = [
                one
                for one in traces(self.folder, self._erased)
                if not one.startswith(read_by_others)
            ]
            if not found:
                break
            time.sleep(0.1)
        return [f"wrong: {one}" for one in found]

    def _import(self) -> Call:
        donor = self._donor.bank(f"donor {next(self._numbers)}")
        texts = [donor.add(self._text()).content for _ in range(_IMPORTED)]
        file = self.files / f"{next(self._numbers)}.jsonl"
        donor.export(file)

        def settled() -> list[str]:
            self.bank.import_(file)
            self.texts += texts
            there = [memory.content for memory in self.bank.list(state="any", limit=100_000)]
            return [f"wrong: {text} was imported twice" for text in texts if there.count(text) > 1]

        return Call("import_", (file,), {}, settle=settled)

    def troubles(self, call: Call) -> list[str]:
        """What is wrong after a call; what kind of trouble it is comes first."""
        faults = self._locked()
        thread = threading.Thread(target=self._elsewhere, args=(faults,), daemon=True)
        thread.start()
        thread.join(_HUNG_SECONDS)
        faults += ["hung: another thread does not come back"] if thread.is_alive() else []
        if faults:
            return faults
        try:
            self.bank.finish_pending()
            return [*call.settle(), *self._beside(), *self._traces(), *self._lost(), *self._next()]
        except Exception as error:  # noqa: BLE001 - whatever it is, it is reported
            return [f"wrong: {told_of(error)}"]

    def _locked(self) -> list[str]:
        if self.folder is None:
            return []
        file = self.folder / "ledger.sqlite"
        with contextlib.closing(
            sqlite3.connect(file, timeout=_BUSY_SECONDS, isolation_level=None)
        ) as other:
            try:
                other.execute("BEGIN IMMEDIATE")
                other.execute("ROLLBACK")
                # The log can be emptied only if nobody is left who reads. For another checkpoint, as
                # an erasure makes, SQLite does not wait.
                for _ in self._tries():
                    (busy, _, _) = other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                    if not busy or self.bystander is not None:
                        return []
            except sqlite3.Error as error:
                return [f"locked: {error}"]
        return ["locked: somebody still reads"]

    def _elsewhere(self, faults: list[str]) -> None:
        try:
            text = self._text()
            self.bank.add(text)
            self.texts.append(text)
            faults += self._sought(text)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is reported
            faults.append(f"wrong: in another thread {told_of(error)}")

    def _beside(self) -> list[str]:
        """What the other process has to say, if there is one."""
        if self.bystander is None:
            return []
        texts, faults = self.bystander.told(self.texts[-1])
        self.texts += texts
        return [*faults, *(self._sought(texts[-1]) if texts else ())]

    def _lost(self) -> list[str]:
        there = {memory.content for memory in self.bank.list(state="any", limit=100_000)}
        lost = [f"lost: {text}" for text in self.texts if text not in there]
        kept = {intention.id for intention in self.bank.intentions()}
        lost += [f"lost: an intention {one}" for one in self.intentions - kept]
        for run in self.runs[-1:]:
            self.bank.outcome(run, True)
        return lost

    def _next(self) -> list[str]:
        text = self._text()
        self.bank.remember(text, mode="raw")
        self.texts.append(text)
        faults = [
            one for wanted in (text, self.rng.choice(self.texts)) for one in self._sought(wanted)
        ]
        report = self._cycle()
        failed = {name: step.error for name, step in report.steps.items() if step.error}
        faults += [f"locked: consolidate says {report.reason}"] if report.reason else []
        faults += [f"wrong: steps failed: {failed}"] if failed else []
        self.engine.flush()
        expected = SHARED if self.bystander is not None else _NEVER
        faults += [f"wrong: {one}" for one in self.engine.warnings() if expected not in one]
        return faults

    def _cycle(self) -> ConsolidationReport:
        """A cycle, as soon as none is running any more."""
        report = self.bank.consolidate()
        for _ in range(int(LINGERS_SECONDS / 0.1)):
            if not report.reason:
                break
            time.sleep(0.1)
            report = self.bank.consolidate()
        return report

    def _sought(self, text: str) -> list[str]:
        faults = list[str]()
        for _ in self._tries():
            recall = self.bank.recall(text, k=3, floor=0, deep=True)
            shown = [item.memory.content for item in recall.results]
            faults = [f"wrong: {text} is not found, but {shown}"] if text not in shown else []
            # A turn that the interrupt left to the worker is told, and is no trouble.
            trouble = [one for one in recall.degraded if not one.startswith("pending: ")]
            faults += [f"wrong: degraded: {one}" for one in trouble]
            if not faults:
                break
        return faults

    def _tries(self) -> Iterator[None]:
        """One; as many as it takes while a call goes on whose task was cancelled."""
        yield
        for _ in range(int(LINGERS_SECONDS / 0.1) if self.lingers else 0):
            time.sleep(0.1)
            yield
