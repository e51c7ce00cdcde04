"""Fresh memory for Chroma: what it writes of memory that it never filled must hold nothing of ours.

Chroma allocates its vector file in slots and writes the unused ones as they came from the
allocator: with whatever the process had freed before, an erased vector for instance. While
`blank_memory` is in force the C library hands out zeros. Only glibc can do that; elsewhere nothing
changes.
"""

from __future__ import annotations

import ctypes
import platform
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

_M_PERTURB = -6  # malloc.h; memory handed out is filled with the complement of the value
_ZEROS = 255
_OFF = 0
_lock = threading.Lock()
_users = 0


@contextmanager
def blank_memory() -> Iterator[None]:
    """Let malloc return zeroed memory, in all threads, until the block ends."""
    libc = _glibc()
    if libc is None:
        yield
        return
    _count(libc, 1)
    try:
        yield
    finally:
        _count(libc, -1)


def _count(libc: Any, change: int) -> None:
    global _users  # noqa: PLW0603 - one count per process
    with _lock:
        former_users = _users
        _users = _users + change
        if (former_users == 0) != (_users == 0):
            libc.mallopt(_M_PERTURB, _ZEROS if _users else _OFF)


@lru_cache(maxsize=1)
def _glibc() -> Any:
    return ctypes.CDLL(None) if platform.libc_ver()[0] == "glibc" else None
