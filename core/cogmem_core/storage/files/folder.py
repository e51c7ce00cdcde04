"""The folder of a bank on this machine."""

from __future__ import annotations

from pathlib import Path

from cogmem_core.errors import StoreError

__all__ = ["LEDGER_FILE", "prepare_folder"]

LEDGER_FILE = "ledger.sqlite"


def prepare_folder(folder: Path) -> Path:
    """Make the folder if need be; returns the ledger's path in it.

    Raises:
        StoreError: it is a file, belongs to something else, or cannot be used.
    """
    path = folder / LEDGER_FILE
    try:
        strangers = sorted(item.name for item in folder.iterdir() if item.name not in ("cogmem.toml", "chroma"))
    except (OSError, ValueError) as error:
        raise StoreError(f"cannot use the folder {folder}: {error}; make it readable and writable") from error
    if strangers and not path.exists():
        raise StoreError(
            f"{folder} is not a cogmem folder: it holds {strangers[0]!r} but no {LEDGER_FILE}; name a new folder"
        )
    return path
