"""Searching files for many byte strings at once: the proof that nothing is left of what was erased."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np

from cogmem_core.storage.ledger.sqlite_locks import raw

SHORTEST = 8
"""Bytes; a shorter string ("ok") stands in many places for other reasons."""

_BLOCK = 4 * 2**20
_LOOK = 64  # bytes of a string in which the eight that are looked for first are chosen
_Kinds = dict[tuple[int, int], set[bytes]]
"""By the place of the eight bytes in the string and the string's length."""


def files(folder: Path | None) -> list[Path]:
    """Every file below a folder, sorted; none without a folder."""
    # os.walk passes over folders that vanish meanwhile; Path.rglob would fail.
    walk = () if folder is None else os.walk(folder)
    return sorted(Path(place) / name for place, _, names in walk for name in names)


def sizes(folder: Path) -> Iterator[int]:
    """Bytes of every file below a folder, in any order.

    Those that vanish meanwhile are left out.
    """
    pending = [str(folder)]
    while pending:
        with suppress(OSError), os.scandir(pending.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
                    continue
                with suppress(FileNotFoundError):
                    yield entry.stat().st_size


class Sought:
    """Byte strings to look for, each of at least `SHORTEST` bytes; blank ones are left out."""

    def __init__(self, strings: Iterable[bytes]) -> None:
        self.kinds: dict[int, _Kinds] = {}
        self.longest = 0
        for string in strings:
            place = _telling(string)
            if place is not None:
                head = int.from_bytes(string[place : place + 8], "little")
                self.kinds.setdefault(head, {}).setdefault((place, len(string)), set()).add(string)
                self.longest = max(self.longest, len(string))
        self.heads = np.sort(np.array(list(self.kinds), dtype="<u8"))


def held(path: Path, sought: Sought) -> set[bytes]:
    """Those of the strings that a file holds.

    Eight bytes of each string are looked up at every place, so that the time grows with the file
    and hardly with the number of strings.

    Raises:
        OSError: the file cannot be read.
    """
    if not sought.kinds:
        return set()
    matches = set[bytes]()
    tail = b""
    with raw(path) as file:
        while block := file.read(_BLOCK):
            window = tail + block
            matches.update(_matches(window, sought))
            tail = window[-sought.longest :]
    return matches


def _telling(string: bytes) -> int | None:
    """Where the eight bytes that tell most begin: many vectors and texts begin alike."""
    first = len(string) - len(string.lstrip(b"\0"))
    if first == len(string):
        return None
    last = len(string) - 8
    places = range(min(max(0, first - 4), last), min(first + _LOOK, last) + 1)
    return max(places, key=lambda place: len(set(string[place : place + 8])))


def _matches(window: bytes, sought: Sought) -> Iterator[bytes]:
    heads = sought.heads
    for shift in range(min(8, max(0, len(window) - 7))):
        values = np.frombuffer(window, dtype="<u8", count=(len(window) - shift) // 8, offset=shift)
        near = np.minimum(np.searchsorted(heads, values), len(heads) - 1)
        for hit in np.flatnonzero(heads[near] == values).tolist():
            at = shift + 8 * hit
            for (place, length), strings in sought.kinds[int(values[hit])].items():
                start = at - place
                if start >= 0 and (string := window[start : start + length]) in strings:
                    yield string
