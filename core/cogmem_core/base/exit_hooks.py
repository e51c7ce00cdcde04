"""Closes what is still open at the end of the process, while its libraries are all there.

A thread in the middle of a native library when Python takes it away ends the process with a signal.
"""

from __future__ import annotations

import atexit
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Protocol

from cogmem_core.base.runtime import monotonic
from cogmem_core.errors import EmbedderUnavailable

_HELD_SECONDS = 60.0
"""A library that hangs does not keep the process for longer."""
_POLL_SECONDS = 0.01


class Leaver(Protocol):
    """What is to be closed."""

    def leave(self, *, hurry: bool) -> None:
        """The process ends.

        Args:
            hurry: an interrupt came; nothing that takes long.
        """


_OPEN: weakref.WeakValueDictionary[int, Leaver] = weakref.WeakValueDictionary()
_NUMBERS = count()
_HOLDING: set[threading.Thread] = set()
"""Daemons in the middle of a native library."""
_ENDED = threading.Event()


def close_at_exit(resource: Leaver) -> None:
    """Close a resource at the end of the process, before older ones, if it still exists."""
    _OPEN[next(_NUMBERS)] = resource
    leave_first()


def leave_first() -> None:
    """Run before all exit hooks registered so far; call it after starting something."""
    if _OPEN:
        atexit.unregister(_leave)
        atexit.register(_leave)


@contextmanager
def holding_exit() -> Iterator[None]:
    """The process does not end while its thread is in here, in a library that loads or computes.

    Python waits for threads by itself, but not for daemons.

    Raises:
        EmbedderUnavailable: in a daemon, after the process has begun to end.
    """
    thread = threading.current_thread()
    if not thread.daemon or thread in _HOLDING:
        yield
        return
    _HOLDING.add(thread)
    try:
        if _ENDED.is_set():
            raise EmbedderUnavailable("the process ends; nothing is loaded or computed any more")
        yield
    finally:
        _HOLDING.discard(thread)


def _leave() -> None:
    try:
        _close(sorted(_OPEN), hurry=False)
    finally:
        _ENDED.set()
        end = monotonic() + _HELD_SECONDS
        # A forked child knows its parent's threads, but has none of them.
        while monotonic() < end and (held := [t for t in tuple(_HOLDING) if t.is_alive()]):
            held[0].join(_POLL_SECONDS)


def _close(numbers: list[int], *, hurry: bool) -> None:
    """The last one first; the others whatever happens to it."""
    if not numbers:
        return
    resource = _OPEN.pop(numbers.pop(), None)
    try:
        if resource is not None:
            resource.leave(hurry=hurry)
    except KeyboardInterrupt:
        hurry = True
    finally:
        _close(numbers, hurry=hurry)
