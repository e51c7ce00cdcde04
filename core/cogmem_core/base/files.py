"""Files that are written as a whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

_PREFIX = 40  # characters of a file's name in that of its draft


@contextmanager
def replacing(target: Path, *, keeps_mode: bool = False) -> Iterator[TextIO]:
    """A file that takes the place of what is there, as a whole, when the block ends; UTF-8.

    Lines end as they are written. Nobody but its owner can read it, or with `keeps_mode` whoever could read
    the one before.

    Raises:
        OSError: it cannot be written; what is there stays as it was.
    """
    # The name is nobody else's.
    number, name = tempfile.mkstemp(
        prefix=f".{target.name[:_PREFIX]}.", suffix=".part", dir=target.parent
    )
    draft = Path(name)
    try:
        with os.fdopen(number, "w", encoding="utf-8", newline="") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if keeps_mode and target.exists():
            draft.chmod(target.stat().st_mode & 0o777)
        draft.replace(target)
    finally:
        with suppress(OSError):
            draft.unlink()
