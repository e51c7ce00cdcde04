"""The folder of a bank on this machine, and who may read what is in it: its owner only.

A folder that was there before keeps its mode, which others may rely on; every file and folder that
is made in it is private. What an earlier version made is tightened when the bank is opened, if it
is ours.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from cogmem_core.errors import StoreError

LEDGER_FILE = "ledger.sqlite"
ERASED_FILE = f"{LEDGER_FILE}.erased"
"""What was erased, as keyed digests, beside the ledger: it outlives a restored backup."""
_EXPECTED = ("cogmem.toml", "chroma", ERASED_FILE)
"""What may lie in a folder without a ledger that is to become a bank's."""
_MADE = (f"{LEDGER_FILE}*", "ledger.schema-*", "ops-log*.jsonl", "chroma", "views")


def make_private(path: Path) -> None:
    """Make the file, empty, if it is not there, and keep others from reading it and what SQLite keeps beside it.

    SQLite gives its write-ahead log and its journal the mode of the file. What cannot be done is
    left to who opens the file.
    """
    with suppress(OSError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600))
    for name in (path.name, *(f"{path.name}-{end}" for end in ("wal", "shm", "journal"))):
        tighten(path.with_name(name))


def tighten(path: Path) -> None:
    """Take everybody else's rights to a file or folder away, if it is there and ours."""
    with suppress(OSError):
        stats = path.stat()
        is_own = not hasattr(os, "geteuid") or stats.st_uid == os.geteuid()
        if is_own and stats.st_mode & 0o077:
            path.chmod(stat.S_IMODE(stats.st_mode) & 0o700)


def tighten_below(folder: Path) -> None:
    """As `tighten`, of a folder and everything in it; links are not followed."""
    tighten(folder)
    with suppress(OSError):
        for entry in sorted(folder.rglob("*")):
            if not entry.is_symlink():
                tighten(entry)


def tighten_bank(folder: Path) -> None:
    """As `tighten`, of what cogmem makes in a bank's folder.

    Of the index below when it is opened.
    """
    for pattern in _MADE:
        for path in folder.glob(pattern):
            tighten(path)


def prepare_folder(folder: Path) -> Path:
    """Make the folder if need be; returns the ledger's path in it.

    Raises:
        StoreError: it is a file, belongs to something else, or cannot be used.
    """
    path = folder / LEDGER_FILE
    try:
        strangers = sorted(item.name for item in folder.iterdir() if item.name not in _EXPECTED)
    except (OSError, ValueError) as error:
        raise StoreError(
            f"cannot use the folder {folder}: {error}; make it readable and writable, or open it with "
            "read_only=True"
        ) from error
    if strangers and not path.exists():
        raise StoreError(
            f"{folder} is not a cogmem folder: it holds {strangers[0]!r} but no {LEDGER_FILE}; "
            "name a new folder"
        )
    return path
