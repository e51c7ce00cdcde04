"""Calls with a time limit: each runs in another thread, and is given up when time is over.

Threads stand by for the next call: to start one takes longer than most calls.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextvars import Context
from typing import Any, ClassVar, Generic, TypeVar

from cogmem_core.base.interrupt_safe import Flag
from cogmem_core.base.runtime import monotonic

_LINGER_SECONDS = 10.0  # that a thread stands by
_END_SECONDS = 1.0  # until one that is dismissed has ended

Value = TypeVar("Value")


class CallTimeout(TimeoutError):
    """A call was given up; it goes on in its thread, and its value is not used."""


class Deadline:
    """A moment by which an answer is due: `seconds` from now, None = no limit."""

    def __init__(self, seconds: float | None = None) -> None:
        self._end = None if seconds is None else monotonic() + seconds

    @property
    def left(self) -> float | None:
        """Seconds left, 0 or more; None = no limit."""
        return None if self._end is None else max(0.0, self._end - monotonic())

    @property
    def passed(self) -> bool:
        """True once the moment is over."""
        return self.left == 0.0

    def within(self, seconds: float) -> float:
        """The smaller of `seconds` and the seconds left."""
        left = self.left
        return seconds if left is None else min(seconds, left)


class _Call(Generic[Value]):
    """One call, and what came of it."""

    def __init__(self, call: Callable[[], Value], on_end: Callable[[_Call[Value]], None]) -> None:
        self._call = call
        self._on_end = on_end
        self.done = Flag()
        self.values: list[Value] = []
        self.error: BaseException | None = None

    def run(self, before_end: Callable[[], object] = lambda: None) -> None:
        """Make the call; `before_end`: what is done before anybody hears of its end."""
        try:
            self.values.append(Context().run(self._call))
            before_end()
        except BaseException as error:  # noqa: BLE001  # raised to whoever waits
            self.error = error
            before_end()
        finally:
            self._on_end(self)
            self.done.set()


class _Standing(threading.Thread):
    """A thread that makes one call after the other, and ends when there was none for a while.

    A daemon, so that a call that never returns does not keep the process. Whoever takes it out of
    `idle` gives it a call at once.
    """

    idle: ClassVar[list[_Standing]] = []

    def __init__(self) -> None:
        super().__init__(name="cogmem-patience", daemon=True)
        self._given = threading.Lock()
        self._given.acquire()
        self._work: _Call[Any] | None = None

    @classmethod
    def take(cls, work: _Call[Any]) -> None:
        """Have a thread make a call: one that is idle, or else a new one."""
        while True:
            try:
                thread = cls.idle.pop()
            except IndexError:
                thread = cls()
                thread._work = work
                thread._given.release()
                thread.start()
                return
            # A forked child knows its parent's threads, but has none of them.
            if thread.is_alive():
                thread._work = work
                thread._given.release()
                return

    @classmethod
    def dismiss(cls) -> None:
        """End those that stand by."""
        dismissed: list[_Standing] = []
        while cls.idle:
            try:
                dismissed.append(cls.idle.pop())
            except IndexError:
                break
        for thread in dismissed:
            thread._given.release()
        for thread in dismissed:
            thread.join(_END_SECONDS)

    def run(self) -> None:
        while self._waited() and self._work is not None:
            work = self._work
            self._work = None
            work.run(before_end=self._stand_by)
            del work

    def _stand_by(self) -> None:
        self.idle.append(self)

    def _waited(self) -> bool:
        """Wait for a call; False if it is time to end."""
        if self._given.acquire(timeout=_LINGER_SECONDS):
            return True
        try:
            self.idle.remove(self)
        except ValueError:
            return self._given.acquire(timeout=_LINGER_SECONDS)  # it was just taken
        return False


def end_idle_threads() -> None:
    """End the threads that stand by for the next call; one that is needed later is started anew."""
    _Standing.dismiss()


class TimeLimitedCaller:
    """Calls functions that may hang; while an abandoned call still runs, it refuses further ones.

    So a service that hangs costs one wait, not one per question, and holds one thread. Thread-safe.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._late: set[int] = set()

    def call(self, call: Callable[[], Value], seconds: float) -> Value:
        """The value of the call.

        Raises:
            CallTimeout: it took longer than `seconds`, or an earlier one still hangs.
            BaseException: the call raised it.
        """
        if self.late:
            raise CallTimeout("an earlier call has not come back yet")
        work = _Call(call, self._finish)
        if not threading.main_thread().is_alive():
            work.run()  # the process ends, and no thread can be started any more
        else:
            _Standing.take(work)
        if not work.done.wait(seconds):
            with self._lock:
                if not work.done.is_set():
                    self._late.add(id(work))
                    raise CallTimeout(f"no answer within {seconds:.3g} s")
        if work.error is not None:
            raise work.error
        return work.values[0]

    @property
    def late(self) -> bool:
        """True while a call that was given up has not come back."""
        return bool(self._late)

    def _finish(self, work: _Call[Value]) -> None:
        with self._lock:
            self._late.discard(id(work))
            work.done.set()
