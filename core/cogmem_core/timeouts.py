"""Waiting no longer than one means to: a call in a thread of its own, given up when its time is over."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from cogmem_core.errors import CogMemError
from cogmem_core.runtime import monotonic

__all__ = ["CallTimeout", "Deadline", "TimeLimitedCaller"]

Value = TypeVar("Value")


class CallTimeout(TimeoutError):
    """A call was given up; it goes on in its thread, and what it returns is not used."""


class Deadline:
    """A moment by which an answer is due; `seconds` from now, None = whenever."""

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
        """As many seconds, or what is left if that is less."""
        left = self.left
        return seconds if left is None else min(seconds, left)


class _Call(threading.Thread, Generic[Value]):
    """One call; daemonic, so that one that never returns does not keep the process."""

    def __init__(self, call: Callable[[], Value], ended: Callable[[_Call[Value]], None]) -> None:
        super().__init__(name="cogmem-patience", daemon=True)
        self._call = call
        self._ended = ended
        self.done = threading.Event()
        self.values: list[Value] = []
        self.error: CogMemError | None = None

    def run(self) -> None:
        try:
            self.values.append(self._call())
        except CogMemError as error:
            self.error = error
        finally:
            self._ended(self)
            self.done.set()


class TimeLimitedCaller:
    """Calls something that may hang. While a call that was given up still runs, further ones are refused at once.

    So a service that hangs costs one wait, not one per question, and holds one thread. Thread-safe.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._late: set[int] = set()

    def call(self, call: Callable[[], Value], seconds: float) -> Value:
        """The value of the call.

        Raises:
            CallTimeout: it took longer than `seconds`, or an earlier one still hangs.
            CogMemError: the call's own.
            RuntimeError: it failed with anything else.
        """
        if self.late:
            raise CallTimeout("an earlier call has not come back yet")
        work = _Call(call, self._back)
        work.start()
        if not work.done.wait(seconds):
            with self._lock:
                if not work.done.is_set():
                    self._late.add(id(work))
                    raise CallTimeout(f"no answer within {seconds:.3g} s")
        if work.error is not None:
            raise work.error
        if not work.values:
            # A defect, not lateness; the thread has printed where it is.
            raise RuntimeError("a call in another thread failed; see the traceback that it printed")
        return work.values[0]

    @property
    def late(self) -> bool:
        """True while a call that was given up has not come back."""
        return bool(self._late)

    def _back(self, work: _Call[Value]) -> None:
        with self._lock:
            self._late.discard(id(work))
            work.done.set()
