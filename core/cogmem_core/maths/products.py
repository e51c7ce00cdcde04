"""Products of vectors, computed without threads that spin on other cores.

A BLAS library spreads a product over all cores and lets its threads spin until the last is done.
Two processes that do so on the same cores wait for each other: on two cores, a vector of a short
text took 520 ms in each of two processes (6 ms in one alone), and 12 to 18 ms on one core each
(measured).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Item = TypeVar("Item")
Value = TypeVar("Value")
_FEW_ROWS = 8_192  # up to here, summing without BLAS is as fast (measured)
# From here on a second thread is worth its start: 100,000 rows take 8 ms instead of 18 (measured).
_MANY_ROWS = 32_768


class _Limit:
    lock = threading.Lock()
    users = 0
    limiter: Any = None


def _start_over() -> None:
    """Reset the limit in a forked child, where the parent's threads cannot end their blocks."""
    _Limit.lock = threading.Lock()
    limiter = _Limit.limiter
    if _Limit.users and limiter is not None:
        _release_controller()
        limiter.restore_original_limits()
    _Limit.users = 0


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_over)


@contextmanager
def one_core() -> Iterator[None]:
    """BLAS computes on one core, in all threads of the process, until the last such block ends."""
    _count(1)
    try:
        yield
    finally:
        _count(-1)


def _count(change: int) -> None:
    with _Limit.lock:
        _Limit.users += change
        if change > 0 and _Limit.users == 1:
            _release_controller()
            _Limit.limiter = _libraries().limit(limits=1, user_api="blas")
        elif _Limit.users == 0:
            _release_controller()
            _Limit.limiter.restore_original_limits()


def _release_controller() -> None:
    """Let any thread set a limit.

    From version 3.8 on, threadpoolctl accepts only the first thread that ever set one; here a lock
    keeps the threads apart.
    """
    import threadpoolctl

    clear = getattr(threadpoolctl.OpenBLASController, "clear_controlling_thread", None)
    if clear is not None:
        clear(force=True)


@lru_cache(maxsize=1)
def _libraries() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def dots(rows: NDArray[np.float32], vector: NDArray[np.float32]) -> NDArray[np.float32]:
    """Dot product of each row, shape (n, d), with a vector, shape (d,); shape (n,)."""
    if len(rows) <= _FEW_ROWS:
        sums: NDArray[np.float32] = np.einsum("ij,j->i", rows, vector)
        return sums
    blocks = [rows]
    if len(rows) >= _MANY_ROWS:
        blocks = np.array_split(rows, cores())
    with one_core():
        return np.concatenate(each(lambda block: block @ vector, blocks))


def normalised(
    rows: NDArray[np.float32], into: NDArray[np.float32] | None = None
) -> NDArray[np.float32]:
    """Rows of length 1: float32, a new array of the same shape (n, d); rows of zeros stay zero.

    Finite rows of any size: squares are summed in float64, where the largest float32 does not
    overflow and the smallest does not vanish.

    Args:
        rows: the vectors.
        into: an array of their shape to write to, instead of a new one.
    """
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))
    lengths[lengths == 0.0] = 1.0
    target = np.empty(rows.shape, dtype=np.float32) if into is None else into
    np.divide(rows, lengths[:, None], out=target, casting="same_kind")
    return target


def cores() -> int:
    """Cores that this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def each(work: Callable[[Item], Value], items: Sequence[Item]) -> list[Value]:
    """The value of each item, several at a time, for work that releases the interpreter lock."""
    # When the process ends, after its main thread, no other thread can be started.
    if len(items) < 2 or cores() < 2 or not threading.main_thread().is_alive():
        return list(map(work, items))
    # A new pool per call: the threads of a lasting pool would be missing in a forked child.
    with ThreadPoolExecutor(min(len(items), cores())) as pool:
        return list(pool.map(work, items))
