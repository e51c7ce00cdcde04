"""Whether files can still grow where Chroma writes.

On a full disk a write of Chroma does not fail: a transaction that could not be ended keeps its lock, the next one waits
for it, 1,000 seconds at least, and holds the interpreter lock meanwhile: the whole process stands still (measured).
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from cogmem.errors import StoreError

__all__ = ["check_room"]

_ROOM_BYTES = 4 * 2**20  # a slice of vectors, its journal and the pages of an index take less than 1 MiB


def check_room(folder: Path) -> None:
    """Reserve room for a moment, as if the largest file grew by 4 MiB.

    Raises:
        StoreError: the disk is full or read-only, a quota is used up, or files may not grow that large.
    """
    if not hasattr(os, "posix_fallocate"):
        return
    try:
        largest = max((path.stat().st_size for path in folder.rglob("*") if path.is_file()), default=0)
        # Without a name where the system can do that: a process that is killed here leaves nothing.
        with tempfile.TemporaryFile(dir=folder) as file:
            os.posix_fallocate(file.fileno(), largest, _ROOM_BYTES)
    except OSError as error:
        raise StoreError(f"the vector index cannot grow: {error}; make room in {folder}") from error
