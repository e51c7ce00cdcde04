"""Locks and scopes that an interrupt such as KeyboardInterrupt cannot break, at any point.

Python delivers it where a function of Python begins, where any call returns, and in loops; never
inside a function of C, nor between the call of a C function in a `with` and its block. So

* who takes a `threading.Lock` by `with` always gives it back; who takes a `threading.Condition` or
  uses a `threading.Event` may not, because these are written in Python: `Flag` is not;
* the end of a `with` of a class of Python, or of `contextlib.contextmanager`, may never begin, and
  what it should end lives on while somebody holds the traceback: `scope` makes one that always
  ends.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager
from functools import partial, wraps
from types import TracebackType
from typing import Any, ParamSpec, TypeVar, cast
from weakref import ref

Arguments = ParamSpec("Arguments")
Value = TypeVar("Value")


class Flag:
    """As `threading.Event`, but made of a bare lock, which is free while the flag is up."""

    def __init__(self) -> None:
        self._up = False
        self._lowered = threading.Lock()
        self._lowered.acquire()

    def set(self) -> None:
        """Raise it, and let go on who waits."""
        self._up = True
        try:
            self._lowered.release()
        except RuntimeError:
            return  # it was up already

    def clear(self) -> None:
        """Lower it."""
        self._up = False
        self._lowered.acquire(blocking=False)

    def is_set(self) -> bool:
        """True while it is up."""
        return self._up

    def wait(self, seconds: float = -1) -> bool:
        """Wait until it is up, at most `seconds`; whether it is. One thread at a time may wait."""
        while not self._up:
            if not self._lowered.acquire(timeout=min(seconds, threading.TIMEOUT_MAX)):
                break
        return self._up


def pause(seconds: float) -> None:
    """Let others run for a moment."""
    lock = threading.Lock()
    lock.acquire()
    lock.acquire(timeout=seconds)


class _Scope:
    """What `with` looks up here it gets from the instance: two callables of C."""

    __slots__ = ("__enter__", "__exit__")


class _Exit(partial[bool]):
    """Holds the block that it ends, so that the block ends with it.

    Only the `with` holds the exit itself.
    """

    block: Generator[Any, None, None]


def scope(
    function: Callable[Arguments, Iterator[Value]],
) -> Callable[Arguments, AbstractContextManager[Value]]:
    """As `contextlib.contextmanager`, for `with` only; an interrupt never skips the block's end.

    The end may come early (in the block's last call), or by the generator's `close`; never later
    than the exception leaves the function with the `with`, even if its traceback is kept.
    """

    @wraps(function)
    def open_scope(
        *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> AbstractContextManager[Value]:
        block = cast(Generator[Value, None, None], function(*args, **kwargs))
        leave = _Exit(_leave, ref(block))
        leave.block = block
        scoped: Any = _Scope()
        scoped.__enter__ = block.__next__
        scoped.__exit__ = leave
        return cast(AbstractContextManager[Value], scoped)

    return open_scope


def _leave(
    block_ref: ref[Generator[Any, None, None]],
    _kind: type[BaseException] | None,
    error: BaseException | None,
    _at: TracebackType | None,
) -> bool:
    # Until the block has ended, nothing here may call a function of Python: interrupted, it would
    # keep the block.
    block = block_ref()
    if block is None:
        raise RuntimeError("a scope is left twice")
    if error is None:
        for _ in block:
            raise RuntimeError("a scope has more than one block")
        return False
    try:
        block.throw(error)
    except StopIteration as end:
        return end is not error
    except RuntimeError as another:
        # A generator turns a StopIteration that it does not catch into another exception: it goes
        # on as it came.
        if isinstance(error, StopIteration) and another.__cause__ is error:
            return False
        raise
    raise RuntimeError("a scope has more than one block")
