"""Where an export goes to and an import comes from: files, streams, and what only looks like a file."""

from __future__ import annotations

import codecs
import io
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TextIO

from cogmem_core.base.files import replacing
from cogmem_core.errors import InvalidInput

LARGEST = 32 * 1024 * 1024
"""Characters of one entry of a file; the whole may be of any length."""
_LINKS = 40  # as many as Linux follows
_KERNEL = ("/proc/", "/dev/fd/", "/dev/std")
"""What is reached through them is the process's own, even if it is a file: it is written into, never replaced.

`/dev/shm` is a folder like any other.
"""


@dataclass(frozen=True, slots=True)
class Stream:
    """An open binary file, such as standard input; who opened it closes it.

    `name`: what messages call it.
    """

    name: str
    file: BinaryIO

    def __str__(self) -> str:
        return self.name


Place = Path | Stream


class Lines:
    """The lines of a text; those of one entry are bounded."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self.begin()

    def begin(self) -> None:
        """What comes now belongs to another entry."""
        self._length = 0

    def __iter__(self) -> Iterator[str]:
        while line := self._file.readline(LARGEST + 1):
            self._length += len(line)
            check_length(self._length)
            yield line


def check_length(length: int) -> None:
    """Refuse an entry that is too long to be held.

    Raises:
        ValueError: it is.
    """
    if length > LARGEST:
        raise ValueError(f"an entry is longer than {LARGEST:,} characters, or broken")


@contextmanager
def reading(place: Place) -> Iterator[TextIO]:
    """The text of a file or stream, UTF-8; a stream stays open."""
    if isinstance(place, Path):
        with place.open(encoding="utf-8") as file:
            yield file
        return
    text = io.TextIOWrapper(place.file, encoding="utf-8")
    try:
        yield text
    finally:
        text.detach()


@contextmanager
def writing(place: Place) -> Iterator[TextIO | codecs.StreamWriter]:
    """A text to be written, UTF-8.

    A file, or the one that a link leads to, appears whole when the block ends, for its owner's eyes
    only, and is as it was if the block fails. A FIFO or a character device is written into.

    Raises:
        InvalidInput: the place is a folder, or nothing that an export can be written into.
        OSError: it cannot be written.
    """
    if isinstance(place, Stream):
        yield codecs.getwriter("utf-8")(place.file)
        place.file.flush()
        return
    target = _target(place)
    kind = _kind(target)
    if stat.S_ISDIR(kind):
        raise InvalidInput(f"path is {str(place)!r}, a folder; give the path of the file to write")
    if stat.S_ISBLK(kind) or stat.S_ISSOCK(kind):
        raise InvalidInput(
            f"path is {str(place)!r}, a disk or a socket; give the path of the file to write"
        )
    if kind and (not stat.S_ISREG(kind) or str(target).startswith(_KERNEL)):
        with os.fdopen(os.open(target, os.O_WRONLY | os.O_APPEND), "w", encoding="utf-8") as file:
            yield file
        return
    with replacing(target) as file:
        yield file


def _target(path: Path) -> Path:
    """What a link leads to; a link of the kernel's, such as `/dev/stdout`, is left as it is."""
    target = path.absolute()
    for _ in range(_LINKS):
        if str(target).startswith(_KERNEL) or not target.is_symlink():
            break
        target = target.parent / target.readlink()
    return target


def _kind(path: Path) -> int:
    """The type of what is there, 0 = nothing."""
    try:
        return stat.S_IFMT(path.stat().st_mode)
    except FileNotFoundError:
        return 0
