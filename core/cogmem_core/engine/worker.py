"""One background thread per engine that does what callers do not wait for: indexing, queued turns."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, suppress

from cogmem_core.base.error_texts import report
from cogmem_core.base.interrupt_safe import Flag, pause, scope
from cogmem_core.base.runtime import monotonic

Task = Callable[[], bool]
Tasks = Mapping[str, Task]
_IDLE_SECONDS = 30.0
PATIENCE_SECONDS = 0.25
# The first recall after opening loads what it searches; importing Chroma beside it would only slow
# it down.
_FIRST_PATIENCE_SECONDS = 10.0
_LONGEST_REST_SECONDS = 0.1
_AGAIN_SECONDS = 0.002  # between two looks at the calls that are running
# Who leaves work here is mostly about to answer somebody: beginning at once would make him wait for
# the interpreter lock, and for the ledger if he writes again.
_BREATH_SECONDS = 0.01
_FORK_SECONDS = 10.0


class Foreground:
    """Counts calls that somebody waits for; background work lets them pass.

    A Chroma write holds the interpreter lock, so a recall that lets go of it once per SQL statement
    would otherwise wait for one write at each of them.
    """

    def __init__(self) -> None:
        self._running: set[object] = set()

    @scope
    def call(self) -> Iterator[None]:
        """Such a call, until the block ends."""
        mark = object()
        running = self._running
        try:
            running.add(mark)
            yield
        finally:
            running.discard(mark)

    def wait_for_quiet(self, seconds: float) -> None:
        """Wait until no such call is running, at most `seconds`."""
        end = monotonic() + seconds
        while self._running and monotonic() < end:
            pause(_AGAIN_SECONDS)


class Worker:
    """Runs tasks whenever it is woken, each a bounded piece of work that returns True if there is more.

    A task that raises is reported in `troubles` and tried again at the next wake-up; the others go
    on.

    Args:
        tasks: by name, in the order in which they run.
        linger: seconds between a wake-up and the work, so that several writes become one piece.
        urgent: names of the tasks that do not wait so long.
        chores: tasks that nobody waits for: they run when there is nothing else to do, and not in
            `flush`.
    """

    def __init__(
        self,
        tasks: Tasks,
        *,
        linger: float,
        urgent: Collection[str] = (),
        chores: Tasks | None = None,
    ) -> None:
        self._tasks = dict(tasks)
        self._chores = dict(chores or {})
        self._linger = linger
        self._urgent = frozenset(urgent)
        self.calls = Foreground()
        self._wake = Flag()
        self._stop = Flag()
        self._paused = Flag()
        self._turn = threading.RLock()
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()
        self.troubles: dict[str, str] = {}
        _WORKERS.add(self)

    def hold(self) -> None:
        """Wait, a few seconds at most, until the worker is between two rounds; it stays there until `let_go`.

        Before a fork: what its thread has locked would stay locked in the child for ever.
        """
        self._turn.acquire(timeout=_FORK_SECONDS)

    def let_go(self) -> None:
        """Go on."""
        with suppress(RuntimeError):  # another thread has it: `hold` waited in vain
            self._turn.release()

    def renew(self) -> None:
        """In a forked child, which has none of the threads: start over with locks of its own."""
        self._wake = Flag()
        self._turn = threading.RLock()
        self._thread = None
        self._starting = threading.Lock()
        self.calls = Foreground()

    @property
    def foreground(self) -> AbstractContextManager[None]:
        """For a call that somebody waits for: the worker lets it pass."""
        return self.calls.call()

    def start(self) -> None:
        """Start the thread if it is not running; it looks for work by itself now and then."""
        with self._starting:
            if not self._stop.is_set() and (self._thread is None or not self._thread.is_alive()):
                self._thread = threading.Thread(
                    target=self._loop, name="cogmem-worker", daemon=True
                )
                self._thread.start()

    def notify(self) -> None:
        """There is something to do; starts the thread if it is not running."""
        self.start()
        self._wake.set()

    def flush(self) -> None:
        """Do all there is to do now, in the calling thread, even if paused.

        What fails is left for later.
        """
        with self._turn:
            tasks: Tasks = self._tasks
            while self._round(tasks, interruptible=False):
                tasks = self._sound(tasks)

    def pause(self) -> None:
        """Start no new work until `resume`; `flush` still works."""
        self._paused.set()

    def resume(self) -> None:
        """Go on working."""
        self._paused.clear()
        self.notify()

    @property
    def paused(self) -> bool:
        """True between `pause` and `resume`."""
        return self._paused.is_set()

    @property
    def stopped(self) -> bool:
        """True as soon as the worker is being stopped."""
        return self._stop.is_set()

    @property
    def halting(self) -> bool:
        """True if a long piece of work should come to an end: the worker is being stopped or was paused."""
        return self._stop.is_set() or self._paused.is_set()

    def stop(self, seconds: float | None = None) -> None:
        """Stop after the current piece of work.

        Returns when the thread has ended, or after so many seconds.
        """
        with self._starting:
            self._stop.set()
            thread = self._thread
        self._wake.set()
        if thread is not None and thread is not threading.current_thread():
            thread.join(seconds)

    def _loop(self) -> None:
        patience = _FIRST_PATIENCE_SECONDS
        while not self._stop.is_set():
            if self._wake.wait(_IDLE_SECONDS):
                self._gather()
            tasks: Tasks = self._tasks
            more = True
            while more and not self.halting:
                self.calls.wait_for_quiet(patience)
                patience = PATIENCE_SECONDS
                more = self._paced(tasks)
                tasks = self._sound(tasks)
            # A chore may take minutes: whoever flushes does not wait for it.
            while not (self.halting or self._wake.is_set()) and self._round(
                self._chores, interruptible=True
            ):
                self.calls.wait_for_quiet(PATIENCE_SECONDS)

    def _gather(self) -> None:
        """Do at once what is urgent, and let more of the rest come together."""
        until = monotonic() + self._linger
        urgent = {name: task for name, task in self._tasks.items() if name in self._urgent}
        while not self._stop.is_set():
            self._wake.clear()
            tasks: Tasks = urgent
            more = bool(urgent) and not self._stop.wait(_BREATH_SECONDS)
            while more and not self.halting:
                self.calls.wait_for_quiet(PATIENCE_SECONDS)
                more = self._paced(tasks)
                tasks = self._sound(tasks)
            remaining_seconds = until - monotonic()
            if remaining_seconds <= 0 or not self._wake.wait(remaining_seconds):
                return

    def _paced(self, tasks: Tasks) -> bool:
        """A round, and after it a rest: half of the time belongs to the callers."""
        started = monotonic()
        with self._turn:
            more = self._round(tasks, interruptible=True)
        self._stop.wait(min(_LONGEST_REST_SECONDS, monotonic() - started) if more else 0.0)
        return more

    def _sound(self, tasks: Tasks) -> Tasks:
        """Those of a round that did not fail: an erasure that fails and begins anew would make others work for ever."""
        return {name: task for name, task in tasks.items() if name not in self.troubles}

    def _round(self, tasks: Tasks, *, interruptible: bool) -> bool:
        more = False
        for name, task in tasks.items():
            if interruptible and self._stop.is_set():
                return False
            try:
                more = task() or more
                self.troubles.pop(name, None)
            except Exception as error:  # noqa: BLE001 - the thread must outlive any failure; health() shows it
                self.troubles[name] = report(error)
        return more


_WORKERS: weakref.WeakSet[Worker] = weakref.WeakSet()


def _each(act: Callable[[Worker], None]) -> Callable[[], None]:
    def run() -> None:
        for worker in list(_WORKERS):
            act(worker)

    return run


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_each(Worker.hold),
        after_in_parent=_each(Worker.let_go),
        after_in_child=_each(Worker.renew),
    )
