"""Whether files can still grow where Chroma writes.

On a full disk a write of Chroma may not return, and it holds the interpreter lock meanwhile: the
whole process stood still for minutes, until it was killed (seen in a soak; one of Chroma's SQLite
threads slept and tried again).
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from cogmem_core.errors import StoreError
from cogmem_core.storage.files.scan import sizes

_ROOM_BYTES = (
    4 * 2**20
)  # for a slice of vectors, its journal and the pages of an index; a guess on the safe side


def check_room(folder: Path) -> None:
    """Reserve room for a moment, as if the largest file grew by 4 MiB.

    Raises:
        StoreError: the disk is full or read-only, a quota is used up, or files may not grow that
            large.
    """
    if not hasattr(os, "posix_fallocate"):
        return
    try:
        largest = max(sizes(folder), default=0)
        # Without a name where the system can do that: a process that is killed here leaves nothing.
        with tempfile.TemporaryFile(dir=folder) as file:
            os.posix_fallocate(file.fileno(), largest, _ROOM_BYTES)
    except OSError as error:
        raise StoreError(f"the vector index cannot grow: {error}; make room in {folder}") from error
