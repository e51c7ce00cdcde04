"""Closes what is still open at the end of the process, while its libraries are all there.

A thread in the middle of a native library when Python takes it away ends the process with a signal.
"""

from __future__ import annotations

import atexit
import weakref
from itertools import count
from typing import Protocol

__all__ = ["close_at_exit", "leave_first"]


class Leaver(Protocol):
    """What is to be closed."""

    def leave(self, *, hurry: bool) -> None:
        """The process ends.

        Args:
            hurry: an interrupt came; nothing that takes long.
        """


_OPEN: weakref.WeakValueDictionary[int, Leaver] = weakref.WeakValueDictionary()
_NUMBERS = count()


def close_at_exit(resource: Leaver) -> None:
    """Close a resource at the end of the process, before older ones, if it still exists."""
    _OPEN[next(_NUMBERS)] = resource
    leave_first()


def leave_first() -> None:
    """Run before all exit hooks registered so far; call it after starting something."""
    if _OPEN:
        atexit.unregister(_leave)
        atexit.register(_leave)


def _leave() -> None:
    _close(sorted(_OPEN), hurry=False)


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
