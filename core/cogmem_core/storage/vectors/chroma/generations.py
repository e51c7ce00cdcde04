"""Numbered Chroma folders: which one is current, whether it may be opened, who may open it.

Knows files and locks; knows neither SQL nor Chroma. A torn Chroma index can crash the process, hang
it or answer wrongly (measured), so a folder is judged here, from the outside, before Chroma touches
a file: it is opened only if the last close was clean and every byte is the one that was there then.
Anything else is rebuilt from the ledger.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
import sys
import threading
import weakref
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from cogmem_core.base.digests import file_digest
from cogmem_core.errors import StoreError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


_NAME = re.compile(r"gen-(\d{6,})")
_SETTLE_SECONDS = 0.05
_SETTLE_ATTEMPTS = 40
# A torn link_lists.bin grows without bound (338 GB seen); a sound one is a tenth of the vectors or
# less.
_LINKS_PER_DATA = 10


@dataclass(frozen=True, slots=True)
class GenerationState:
    """What the ledger remembers about the current generation.

    Attributes:
        number: current generation; 0 = none yet.
        fingerprint: the embedder it was built for.
        dirty: True from before Chroma opens the folder until a clean close.
        manifest: `manifest()` of the folder at the last clean close; empty while dirty.
        applied: which namespaces have a collection, and the last journal number applied to each.
        deleted: vectors deleted since it was built; they still take room in the files.
    """

    number: int = 0
    fingerprint: str = ""
    dirty: bool = False
    manifest: str = ""
    applied: Mapping[str, int] = field(default_factory=dict)
    deleted: int = 0


class GenerationStore(Protocol):
    """Where a `GenerationState` survives: one durable row."""

    def load_generation(self) -> GenerationState | None:
        """The state saved last, or None if there never was one."""

    def save_generation(self, state: GenerationState) -> None:
        """Replace the state, unless the one there has a higher number; durable on return."""


def generation_path(root: Path, number: int) -> Path:
    """The folder of a generation."""
    return root / f"gen-{number:06d}"


def gate(root: Path, state: GenerationState | None, fingerprint: str) -> str:
    """Why Chroma may not open the current generation; empty if it may.

    The size check comes before the hash, because a torn index may be hundreds of gigabytes.
    """
    if state is None or state.number < 1:
        return "there is no generation yet"
    if state.fingerprint != fingerprint:
        return "it was built for another embedder"
    if state.dirty or not state.manifest:
        return "it was not closed cleanly"
    try:
        return _damage(generation_path(root, state.number), state.manifest)
    except (OSError, StoreError) as error:
        return f"its files cannot be read: {error}"


def manifest(folder: Path) -> str:
    """The bytes of all files, a colon, and the SHA-256 over the sorted (relative path, size, SHA-256) of every file.

    Raises:
        StoreError: the folder holds something else than folders and regular files.
        OSError: a file cannot be read.
    """
    total = hashlib.sha256()
    files = sorted(_files(folder))
    for path, size in files:
        name = path.relative_to(folder).as_posix()
        total.update(os.fsencode(f"{name}\0{size}\0{file_digest(path)}\n"))
    return f"{sum(size for _, size in files)}:{total.hexdigest()}"


def settled_manifest(folder: Path) -> str:
    """The manifest of a folder whose writer was just stopped: waits until no file changes while it is read.

    Raises:
        StoreError: the files do not come to rest, or the folder holds a link.
        OSError: a file cannot be read.
    """
    for _ in range(_SETTLE_ATTEMPTS):
        stamps = _stamps(folder)
        digest = manifest(folder)
        if stamps == _stamps(folder):
            return digest
        threading.Event().wait(_SETTLE_SECONDS)
    raise StoreError(
        f"the files of {folder.name} keep changing after the index was closed; it will be rebuilt"
    )


def next_number(root: Path, state: GenerationState | None) -> int:
    """A number above every generation that is known or lies in the folder."""
    return max([state.number if state else 0, *(number for number, _ in _generations(root))]) + 1


def create_generation(root: Path, number: int) -> Path:
    """Make the empty folder of a generation, readable by its owner only, and return it.

    Raises:
        StoreError: it exists or cannot be made.
    """
    folder = generation_path(root, number)
    try:
        folder.mkdir(mode=0o700)
    except OSError as error:
        raise StoreError(
            f"cannot create the index folder {folder}: {error}; make it writable, or make room"
        ) from error
    return folder


def remove_others(root: Path, *keep: int) -> tuple[Path, ...]:
    """Delete every generation except `keep`; returns what could not be deleted.

    Only entries with a generation's name are touched, and a link is removed, never followed.
    """
    remaining = []
    for number, path in _generations(root):
        if number in keep:
            continue
        try:
            if path.is_symlink() or not path.is_dir():
                path.unlink()
            else:
                shutil.rmtree(path)
        except OSError:
            remaining.append(path)
    return tuple(remaining)


def leftovers(root: Path, state: GenerationState | None) -> tuple[Path, ...]:
    """Generations in the folder that are not the current one."""
    current = state.number if state else 0
    return tuple(path for number, path in _generations(root) if number != current)


class FolderLock:
    """An exclusive operating-system lock on a vectors folder.

    Two engines never share one, in one process or in two.
    """

    __slots__ = ("__weakref__", "_handle")

    def __init__(self, handle: int) -> None:
        self._handle: int | None = handle
        _LOCKS.add(self)

    @classmethod
    def acquire(cls, root: Path) -> FolderLock | None:
        """Take the lock without waiting; None if somebody else holds it or the file system has no locks.

        Raises:
            StoreError: the folder cannot be created or written.
        """
        real = Path(os.path.realpath(root))
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
        try:
            real.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle = os.open(real / "lock", flags, 0o600)
        except OSError as error:
            raise StoreError(
                f"cannot open the lock file in {real}: {error}; make the folder writable"
            ) from error
        if _try_lock(handle):
            return cls(handle)
        os.close(handle)
        return None

    def release(self) -> None:
        """Give the folder to the next engine."""
        handle = self._handle
        self._handle = None
        if handle is not None:
            os.close(handle)


_LOCKS: weakref.WeakSet[FolderLock] = weakref.WeakSet()


def _close_inherited_locks() -> None:
    # The lock belongs to the open file, which a forked child shares: it would outlive the parent's
    # release.
    for lock in list(_LOCKS):
        lock.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_inherited_locks)


def _try_lock(handle: int) -> bool:
    try:
        if sys.platform == "win32":
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _generations(root: Path) -> Iterator[tuple[int, Path]]:
    try:
        entries = sorted(root.iterdir())
    except FileNotFoundError:
        return
    for path in entries:
        match = _NAME.fullmatch(path.name)
        if match:
            yield int(match[1]), path


def _files(folder: Path) -> Iterator[tuple[Path, int]]:
    """Every file below a folder with its size.

    Anything that could lead elsewhere or block a reader is refused.
    """
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _files(Path(entry.path))
                continue
            status = entry.stat(follow_symlinks=False)
            if not stat.S_ISREG(status.st_mode):
                raise StoreError(f"{entry.name} is not a regular file")
            yield Path(entry.path), status.st_size


def _stamps(folder: Path) -> list[tuple[str, int, int]]:
    return sorted((str(path), size, path.stat().st_mtime_ns) for path, size in _files(folder))


def _damage(folder: Path, expected: str) -> str:
    if folder.is_symlink() or not folder.is_dir():
        return "its folder is missing"
    sizes = dict(_files(folder))
    for path, size in sizes.items():
        if path.name == "link_lists.bin" and size > _LINKS_PER_DATA * sizes.get(
            path.with_name("data_level0.bin"), 0
        ):
            return "its link lists are larger than its vectors can need"
    changed = "its files changed after the last clean close"
    if expected.partition(":")[0] != str(sum(sizes.values())):
        return changed
    return "" if manifest(folder) == expected else changed
