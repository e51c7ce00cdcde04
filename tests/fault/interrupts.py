"""Single interrupts: an exception in the middle of a call, and what the same engine is worth afterwards.

Two ways, both from a seed: at the n-th place where Python could deliver a signal (where a function begins or a call
returns: `sys.setprofile`; a line's event would also hit places where no signal can), and by a timer (`setitimer`).
A third one is no exception in the call itself: the task that awaits its async twin is cancelled.

The bank is in memory, in a folder, or in a folder where another process works at the same time.
"""

import asyncio
import contextlib
import gc
import inspect
import itertools
import random
import shutil
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from cogmem_core import MemoryBank
from fault.bystander import Bystander
from fault.harness import Yard
from fault.trials import DAYS, GROUPS, Call, Trial
from fault.workload import Arg, Ready

PLACES = ("memory", "file", "processes")
TRACEBACKS = ("kept", "dropped")
KINDS = ("lost", "locked", "hung", "wrong")
Cell = tuple[str, str, str]
CELLS: tuple[Cell, ...] = tuple(itertools.product(GROUPS, PLACES, TRACEBACKS))
_EACH = 10  # interrupts in one process
_MOST = 4  # times as many calls as are to be interrupted: a timer may come late
_FIRST = 0.3  # the share of calls that are the first ones
_TIMED = 0.4  # the share of interrupts that a timer brings
_CANCELLED = 0.15  # the share of interrupts that are a task's cancellation


class SoftTimeLimit(Exception):
    """What the handler of a signal raises where a queue of tasks ends one."""


EXCEPTIONS: tuple[type[BaseException], ...] = (
    KeyboardInterrupt,
    SystemExit,
    MemoryError,
    SoftTimeLimit,
)
CANCELLED = "cancelled"
NAMES = (*(one.__name__ for one in EXCEPTIONS), CANCELLED)
"""What is counted: the exceptions, and tasks that were cancelled."""


def deliverable(frame: FrameType, event: str) -> bool:
    """Whether a signal could arrive here; at the entry of a generator it could not always."""
    return event == "c_return" or (
        event == "call" and not frame.f_code.co_flags & inspect.CO_GENERATOR
    )


class Interrupter:
    """Runs one call and interrupts it once."""

    def __init__(self, rng: random.Random) -> None:
        self._rng, self._armed, self._left = rng, False, 0
        self._raised: type[BaseException] = KeyboardInterrupt
        self.place = ""
        self._places, self._seconds = dict[str, list[int]](), dict[str, float]()
        signal.signal(signal.SIGALRM, self._arrived)

    def learn(self, trial: Trial, method: str) -> None:
        """Run a method undisturbed, to learn which places it passes, when first, and how long it takes."""
        trial.prepared(method).run(trial.bank)
        call = trial.prepared(method)
        started = time.monotonic()
        call.run(trial.bank)
        self._seconds[method] = time.monotonic() - started
        passed, first = itertools.count(1), dict[tuple[Any, ...], int]()

        def note(frame: FrameType, event: str, _: Any) -> None:
            if deliverable(frame, event):
                first.setdefault((frame.f_code, frame.f_lineno, event), next(passed))

        call = trial.prepared(method)
        sys.setprofile(note)
        try:
            call.run(trial.bank)
        finally:
            sys.setprofile(None)
        self._places[method] = list(first.values())

    def interrupt(
        self, bank: MemoryBank, call: Call, raised: type[BaseException], *, timed: bool
    ) -> BaseException | None:
        """What the caller gets to see; None if the call came to its end, interrupted or not: `place` tells.

        That may be another exception: a lock of `threading` or an assertion of a library, which the interrupt broke.
        """
        self._armed, self.place, self._raised = True, "", raised
        seconds, places = self._seconds[call.method], self._places[call.method]
        try:
            if timed:
                signal.setitimer(signal.ITIMER_REAL, max(1e-6, self._rng.uniform(0, seconds)))
            else:
                anywhere = self._rng.randint(1, places[-1])
                self._left = self._rng.choice((anywhere, self._rng.choice(places)))
                sys.setprofile(self._passed)
            call.run(bank)
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

    def cancel(self, bank: MemoryBank, call: Call) -> None:
        """Cancel the task that awaits the call; the thread that carries it out goes on."""
        self.place = ""

        async def awaited() -> None:
            task = asyncio.ensure_future(call.arun(bank))
            await asyncio.sleep(self._rng.uniform(0, self._seconds[call.method]))
            if task.cancel():
                self.place = CANCELLED
            with contextlib.suppress(asyncio.CancelledError):
                await task

        asyncio.run(awaited())

    def _arrived(self, _number: int, frame: FrameType | None) -> None:
        if self._armed:
            self._armed = False
            self.place = _place(frame, "timer")
            raise self._raised

    def _passed(self, frame: FrameType, event: str, _: Any) -> None:
        if deliverable(frame, event):
            self._left -= 1
            if self._left == 0:
                sys.setprofile(None)
                self.place = _place(frame, event)
                raise self._raised


def _place(frame: FrameType | None, event: str) -> str:
    return (
        event
        if frame is None
        else f"{event} {Path(frame.f_code.co_filename).name}:{frame.f_lineno}"
    )


def tried(arg: Arg, ready: Ready) -> Arg:
    """Interrupts in one process, one after the other; a job of the yard."""
    rng, tracebacks = random.Random(arg["seed"]), list[BaseException]()
    files = Path(arg["folder"])
    folder = None if arg["place"] == "memory" else files / "bank"
    bystander = (
        Bystander(files / "bank", DAYS, arg["seed"]) if arg["place"] == "processes" else None
    )
    trial, interrupter = Trial(folder, files, rng, bystander), Interrupter(rng)
    methods = GROUPS[arg["group"]]
    for method in methods:
        interrupter.learn(trial, method)
    outcome: dict[str, Any] = {"interrupted": [], "troubles": []}
    ready()
    for _ in range(arg["count"]):
        call = trial.prepared(rng.choice(methods))
        first, timed = rng.random() < _FIRST, rng.random() < _TIMED
        raised = None if rng.random() < _CANCELLED else rng.choice(EXCEPTIONS)
        name = CANCELLED if raised is None else raised.__name__
        trial.lingers = raised is None
        if first:
            trial.chill()
        if bystander is not None:
            bystander.work()
        if raised is None:
            interrupter.cancel(trial.bank, call)
        else:
            error = interrupter.interrupt(trial.bank, call, raised, timed=timed)
            if error is not None and arg["traceback"] == "kept":
                tracebacks.append(error)
            del error
        outcome["interrupted"] += [name] if interrupter.place else []
        gc.collect()
        where = f"{call.method}, {name}, {'first' if first else 'later'} call, {interrupter.place}"
        faults = trial.troubles(call)
        outcome["troubles"] += [f"{where}: {one}" for one in faults]
        if faults:
            break
    trial.close()
    return outcome


@dataclass
class Interrupts:
    """Interrupts in `place`, a folder for the banks."""

    yard: Yard
    place: Path
    seed: int
    counts: Counter[Cell] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    unnoticed: int = 0
    troubles: list[str] = field(default_factory=list)

    def run(
        self,
        each: int,
        cells: Iterable[Cell] = CELLS,
        *,
        progress: Callable[[], object] = lambda: None,
    ) -> None:
        """So many of every group of methods, place and fate of the traceback."""
        for cell in cells:
            start = 0
            while self.counts[cell] < each and start < _MOST * each:
                count = min(_EACH, each - self.counts[cell])
                self._job(cell, start, count)
                start += count
                progress()

    def _job(self, cell: Cell, start: int, count: int) -> None:
        group, place, traceback = cell
        folder = self.place / "interrupted"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        arg = {"group": group, "place": place, "traceback": traceback, "folder": str(folder)}
        seed = (self.seed * 100 + CELLS.index(cell)) * 10_000 + start
        answer = self.yard.run(
            "interrupts:tried", {**arg, "seed": seed, "count": count}, timeout=600
        )
        where = f"{group} {place} {traceback} seed {seed}"
        if answer["end"] != "done":
            kind = "hung" if answer["end"] == "hung" else "wrong"
            self.troubles.append(f"{where}: {kind}: {answer['end']}")
            return
        outcome = answer["value"]
        self.counts[cell] += len(outcome["interrupted"])
        self.kinds.update(outcome["interrupted"])
        self.unnoticed += count - len(outcome["interrupted"])
        self.troubles += [f"{where}: {one}" for one in outcome["troubles"]]
