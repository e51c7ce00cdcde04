"""What SQLite's locks need of the process around them.

They are the system's, by process and file (POSIX), and so

* a process that closes any handle of a file drops all locks that it has there, SQLite's too, and
  SQLite is not told (https://www.sqlite.org/howtocorrupt.html, 2.2): `raw` reads a ledger without
  closing it.
* a forked child inherits SQLite's notes of the locks, and not the locks (2.6): connections that it
  opens would join what nobody holds. `Gate` lets the parent close its connections first.

Either way the next process that opens or closes the ledger would take itself for the only one, and
remove the write-ahead log under those that still write there: what they are told is kept would be
lost.
"""

from __future__ import annotations

import os
import threading
from collections import Counter, deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from cogmem_core.base.interrupt_safe import pause, scope
from cogmem_core.base.runtime import monotonic

_AGAIN_SECONDS = 0.002  # between two looks at a gate
_LOOK_SECONDS = 0.25  # between two looks of who waits in line, should nobody wake him
_INDEX = "-shm"  # the locks of the write-ahead log are on this file
_guard = threading.Lock()
_in_use: Counter[str] = Counter()
_kept: dict[str, list[BinaryIO]] = {}


def begin_use(ledger: Path) -> str:
    """SQLite is about to open this file in this process; returns what `end_use` has to be given."""
    real = os.path.realpath(ledger)
    with _guard:
        _in_use[real] += 1
    return real


def end_use(real: str) -> None:
    """SQLite has closed the file.

    With the last use of it the handles that were kept are closed, too.
    """
    with _guard:
        _in_use[real] -= 1
        if _in_use[real] <= 0:
            del _in_use[real]
            for file in _kept.pop(real, ()):
                file.close()


@scope
def raw(path: Path) -> Iterator[BinaryIO]:
    """A file's bytes, whoever has locks on it.

    Raises:
        OSError: it cannot be opened.
    """
    ledger = os.path.realpath(str(path).removesuffix(_INDEX))
    file = _reopened(ledger, path) or path.open("rb", buffering=0)
    try:
        file.seek(0)
        yield file
    finally:
        with _guard:
            if ledger in _in_use:
                _kept.setdefault(ledger, []).append(file)
            else:
                file.close()


def _reopened(ledger: str, path: Path) -> BinaryIO | None:
    """A handle that was kept, if it is of the file that is there now."""
    status = path.stat()
    with _guard:
        files = _kept.get(ledger, [])
        for number, file in enumerate(files):
            if os.path.samestat(os.fstat(file.fileno()), status):
                return files.pop(number)
    return None


class Gate:
    """Who uses a connection is inside; it can be shut until everybody has left."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside: dict[object, int] = {}
        self._shut_by: int | None = None

    @scope
    def inside(self) -> Iterator[None]:
        """Wait until it is open; inside until the block ends."""
        mark = object()
        inside = self._inside
        try:
            while not self._entered(mark):
                pause(_AGAIN_SECONDS)
            yield
        finally:
            inside.pop(mark, None)

    def _entered(self, mark: object) -> bool:
        me = threading.get_ident()
        with self._lock:
            # Who is inside already may go further in, or nobody would ever leave.
            free = self._shut_by in (None, me) or me in self._inside.values()
            if free:
                self._inside[mark] = me
        return free

    def shut(self, seconds: float) -> bool:
        """Let nobody else in, and wait so long for those inside, unless one is the caller; whether all left.

        One at a time may do so.
        """
        end = monotonic() + seconds
        me = threading.get_ident()
        with self._lock:
            self._shut_by = me
        while (users := list(self._inside.values())) and me not in users and monotonic() < end:
            pause(_AGAIN_SECONDS)
        return not users

    def open(self) -> None:
        """Let them in again."""
        self._shut_by = None


class Line:
    """The writers of one process, one after the other, as they came.

    Left to SQLite, each would try again at random, and some would wait for ever.
    """

    def __init__(self) -> None:
        self._waiting: deque[Any] = deque()

    @scope
    def turn(self, seconds: float) -> Iterator[None]:
        """Wait until it is one's turn, which ends with the block.

        Another process may hold the file for long: whoever has waited so many seconds goes on and
        tries, too.
        """
        own_lock = threading.Lock()
        waiting = self._waiting
        end = monotonic() + seconds
        try:
            own_lock.acquire()
            waiting.append(own_lock)
            while waiting[0] is not own_lock and monotonic() < end:
                if own_lock.acquire(timeout=_LOOK_SECONDS):
                    break
            yield
        finally:
            # An interrupt that comes in between leaves the next one to look by himself.
            try:
                waiting.remove(own_lock)
                waiting[0].release()
            except (IndexError, RuntimeError, ValueError):
                pass  # nobody waits, or whoever is next knows already
