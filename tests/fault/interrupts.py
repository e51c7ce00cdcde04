"""Single interrupts: KeyboardInterrupt in the middle of a call, and what the same engine is worth afterwards.

Two ways, both from a seed: at the n-th place where Python could deliver a signal (where a function begins or a call
returns: `sys.setprofile`; a line's event would also hit places where no signal can), and by a timer (`setitimer`).
"""

from __future__ import annotations

import contextlib
import gc
import inspect
import itertools
import random
import shutil
import signal
import sqlite3
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import cogmem_core
from cogmem_core import Engine, MemoryBank
from cogmem_core.testing import FrozenClock
from fault.harness import Yard
from fault.jobs import live
from fault.workload import CONFIG, NAMESPACE, START, Arg, Ready, words

OPERATIONS = ("recall", "remember", "add", "consolidate")
PLACES = ("memory", "file")
TRACEBACKS = ("kept", "dropped")
KINDS = ("lost", "locked", "hung", "wrong")
_DAYS = 40  # then a cycle finds something to do
_EACH = 10  # interrupts in one process
_MOST = 4  # times as many calls as are to be interrupted: a timer may come late
_FIRST = 0.3  # the share of calls that are the first ones
_TIMED = 0.4  # the share of interrupts that a timer brings
_BUSY_SECONDS = 5.0  # on a busy machine the worker may be at it
_HUNG_SECONDS = 30.0


def deliverable(frame: FrameType, event: str) -> bool:
    """Whether a signal could arrive here; at the entry of a generator it could not always."""
    return event == "c_return" or (
        event == "call" and not frame.f_code.co_flags & inspect.CO_GENERATOR
    )


class Interrupter:
    """Runs one call and interrupts it once."""

    def __init__(self, rng: random.Random) -> None:
        self._rng, self._armed, self._left = rng, False, 0
        self.place = ""
        self.places, self.seconds = list[int](), 0.0
        signal.signal(signal.SIGALRM, self._arrived)

    def learn(self, call: Callable[[], object]) -> None:
        """Run it undisturbed, to learn which places it passes, when first, and how long it takes."""
        call()
        started = time.monotonic()
        call()
        self.seconds = time.monotonic() - started
        passed, first = itertools.count(1), dict[tuple[Any, ...], int]()

        def note(frame: FrameType, event: str, _: Any) -> None:
            if deliverable(frame, event):
                first.setdefault((frame.f_code, frame.f_lineno, event), next(passed))

        sys.setprofile(note)
        try:
            call()
        finally:
            sys.setprofile(None)
        self.places = list(first.values())

    def interrupt(self, call: Callable[[], object], *, timed: bool) -> BaseException | None:
        """What the caller gets to see; None if the call came to its end.

        That may be another exception: a lock of `threading` or an assertion of a library, which the interrupt broke.
        """
        self._armed, self.place = True, ""
        try:
            if timed:
                signal.setitimer(signal.ITIMER_REAL, max(1e-6, self._rng.uniform(0, self.seconds)))
            else:
                anywhere = self._rng.randint(1, self.places[-1])
                self._left = self._rng.choice((anywhere, self._rng.choice(self.places)))
                sys.setprofile(self._passed)
            call()
            self._armed = False
        except BaseException as error:
            if not self.place:
                raise
            return error
        finally:
            self._armed = False
            sys.setprofile(None)
            signal.setitimer(signal.ITIMER_REAL, 0)
        return None

    def _arrived(self, _number: int, frame: FrameType | None) -> None:
        if self._armed:
            self._armed = False
            self.place = _place(frame, "timer")
            raise KeyboardInterrupt

    def _passed(self, frame: FrameType, event: str, _: Any) -> None:
        if deliverable(frame, event):
            self._left -= 1
            if self._left == 0:
                sys.setprofile(None)
                self.place = _place(frame, event)
                raise KeyboardInterrupt


def _place(frame: FrameType | None, event: str) -> str:
    return (
        event
        if frame is None
        else f"{event} {Path(frame.f_code.co_filename).name}:{frame.f_lineno}"
    )


class Trial:
    """A bank, what it acknowledged, and what is wrong with it after an interrupt."""

    def __init__(self, folder: Path | None, operation: str, rng: random.Random) -> None:
        self.folder, self.operation, self.rng, self.clock = (
            folder,
            operation,
            rng,
            FrozenClock(START),
        )
        self._numbers = itertools.count()
        self.texts: list[str] = []
        self.engine = self._opened()
        # Enough for a view to be filled in bulk, too.
        self.texts = [self._text() for _ in range(80)]
        self.bank.remember(self.texts, mode="raw")
        live(self.engine)
        self.engine.resume()
        self.clock.advance(days=_DAYS)

    def _opened(self) -> Engine:
        return cogmem_core.open(self.folder, embedder="hashing", clock=self.clock, config=CONFIG)

    @property
    def bank(self) -> MemoryBank:
        return self.engine.bank(NAMESPACE)

    def _text(self) -> str:
        return f"zq{next(self._numbers)}xq {words(self.rng, 4)}"

    def chill(self) -> None:
        """The next call is the first one, as after opening; a bank on disk is opened anew."""
        if self.folder is None:
            self.engine.services.searcher.views.clear()
        else:
            self.engine.close()
            self.engine = self._opened()

    def call(self) -> None:
        """The operation, as somebody calls it; what it acknowledges is noted."""
        text = self._text()
        if self.operation == "recall":
            self.bank.recall(self.rng.choice(self.texts), floor=0)
        elif self.operation == "consolidate":
            self.bank.consolidate()
        elif self.operation == "add":
            self.bank.add(text)
            self.texts.append(text)
        else:
            self.bank.remember(text, mode="raw")
            self.texts.append(text)

    def renew(self) -> None:
        """Something to do for the next cycle."""
        if self.operation == "consolidate":
            self.clock.advance(days=1)
            for _ in range(3):
                text = f"Emma went rowing {words(self.rng, 1)} on March {self.rng.randint(1, 28)}"
                self.bank.add(text, category="fact", importance=0.1)

    def troubles(self) -> list[str]:
        """What is wrong; what kind of trouble it is comes first."""
        faults = self._locked()
        thread = threading.Thread(target=self._elsewhere, args=(faults,), daemon=True)
        thread.start()
        thread.join(_HUNG_SECONDS)
        faults += ["hung: another thread does not come back"] if thread.is_alive() else []
        if faults:
            return faults
        try:
            return [*self._lost(), *self._next()]
        except Exception as error:  # noqa: BLE001 - whatever it is, it is reported
            return [f"wrong: {type(error).__name__}: {error}"]

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
            except sqlite3.Error as error:
                return [f"locked: {error}"]
        return []

    def _elsewhere(self, faults: list[str]) -> None:
        try:
            text = self._text()
            self.bank.add(text)
            self.texts.append(text)
            faults += self._sought(text)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is reported
            faults.append(f"wrong: in another thread {type(error).__name__}: {error}")

    def _lost(self) -> list[str]:
        there = {memory.content for memory in self.bank.list(state="any", limit=100_000)}
        return [f"lost: {text}" for text in self.texts if text not in there]

    def _next(self) -> list[str]:
        text = self._text()
        self.bank.remember(text, mode="raw")
        self.texts.append(text)
        faults = [
            one for wanted in (text, self.rng.choice(self.texts)) for one in self._sought(wanted)
        ]
        report = self.bank.consolidate()
        failed = {name: step.error for name, step in report.steps.items() if step.error}
        faults += [f"locked: consolidate says {report.reason}"] if report.reason else []
        faults += [f"wrong: steps failed: {failed}"] if failed else []
        self.engine.flush()
        faults += [f"wrong: {warning}" for warning in self.engine.warnings()]
        return faults

    def _sought(self, text: str) -> list[str]:
        recall = self.bank.recall(text, k=3, floor=0, deep=True)
        shown = [item.memory.content for item in recall.results]
        wrong = [f"wrong: {text} is not found, but {shown}"] if text not in shown else []
        # A turn that the interrupt left to the worker is told, and is no trouble.
        trouble = [one for one in recall.degraded if not one.startswith("pending: ")]
        return [*wrong, *(f"wrong: degraded: {one}" for one in trouble)]


def tried(arg: Arg, ready: Ready) -> Arg:
    """Interrupts in one process, one after the other; a job of the yard."""
    rng, tracebacks = random.Random(arg["seed"]), list[BaseException]()
    folder = None if arg["place"] == "memory" else Path(arg["folder"])
    trial, interrupter = Trial(folder, arg["operation"], rng), Interrupter(rng)
    interrupter.learn(trial.call)
    outcome: dict[str, Any] = {"interrupted": 0, "troubles": []}
    ready()
    for _ in range(arg["count"]):
        trial.renew()
        first = rng.random() < _FIRST
        timed = rng.random() < _TIMED
        if first:
            trial.chill()
        error = interrupter.interrupt(trial.call, timed=timed)
        outcome["interrupted"] += error is not None
        where = f"{'first' if first else 'later'} call, {interrupter.place}"
        if error is not None and arg["traceback"] == "kept":
            tracebacks.append(error)
        del error
        gc.collect()
        faults = trial.troubles()
        outcome["troubles"] += [f"{where}: {one}" for one in faults]
        if faults:
            break
    trial.engine.close()
    return outcome


@dataclass
class Interrupts:
    """Interrupts in `place`, a folder for the banks."""

    yard: Yard
    place: Path
    seed: int
    counts: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    unnoticed: int = 0
    troubles: list[str] = field(default_factory=list)

    def run(self, each: int, *, progress: Callable[[], object] = lambda: None) -> None:
        """So many of every operation, place and fate of the traceback."""
        for cell in itertools.product(OPERATIONS, PLACES, TRACEBACKS):
            start = 0
            while self.counts[cell] < each and start < _MOST * each:
                count = min(_EACH, each - self.counts[cell])
                self._job(cell, start, count)
                start += count
                progress()

    def _job(self, cell: tuple[str, str, str], start: int, count: int) -> None:
        operation, place, traceback = cell
        folder = self.place / "interrupted"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        number = (OPERATIONS.index(operation) * 2 + PLACES.index(place)) * 2 + TRACEBACKS.index(
            traceback
        )
        arg = {
            "operation": operation,
            "place": place,
            "traceback": traceback,
            "folder": str(folder),
        }
        arg |= {"seed": (self.seed * 100 + number) * 10_000 + start, "count": count}
        answer = self.yard.run("interrupts:tried", arg, timeout=300)
        where = f"{operation} {place} {traceback} seed {arg['seed']}"
        if answer["end"] != "done":
            kind = "hung" if answer["end"] == "hung" else "wrong"
            self.troubles.append(f"{where}: {kind}: {answer['end']}")
            return
        outcome = answer["value"]
        self.counts[cell] += outcome["interrupted"]
        self.unnoticed += count - outcome["interrupted"]
        self.troubles += [f"{where}: {one}" for one in outcome["troubles"]]
