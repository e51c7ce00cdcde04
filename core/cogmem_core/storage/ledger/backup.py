"""A copy of the ledger before its schema is changed (SQLite; a server's database has backups of its own)."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from cogmem_core.errors import StoreError
from cogmem_core.storage.files.folder import make_private
from cogmem_core.storage.ledger.database import Database

__all__ = ["back_up", "drop_backups"]

_NAME = "{}.schema-{}{}"


def back_up(database: Database, version: int) -> Path | None:
    """Copy the ledger to `ledger.schema-<version>.sqlite` beside it; None if it is no file, or was copied before.

    Raises:
        StoreError: there is no room, or the folder cannot be written; nothing was changed.
    """
    if database.path is None:
        return None
    path = database.path.with_name(_NAME.format(database.path.stem, version, database.path.suffix))
    if path.exists():
        return None
    draft = path.with_suffix(".draft")
    try:
        draft.unlink(missing_ok=True)
        make_private(draft)  # empty: SQLite writes into it
        with database.engine.connect() as connection:
            raw = connection.connection.driver_connection
            if raw is not None:
                raw.execute("VACUUM INTO ?", (str(draft),))
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        draft.replace(path)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(
            f"the ledger could not be copied to {path} before its schema is changed: {error}; "
            "nothing was changed; "
            "free as much disk space as the ledger takes, or make the folder writable"
        ) from error
    return path


def drop_backups(database: Database) -> list[str]:
    """Remove every such copy: it holds what is to be forgotten.

    Returns what could not be removed, and why.
    """
    if database.path is None:
        return []
    remaining = []
    for pattern in (f"*{database.path.suffix}", "*.draft"):
        for path in database.path.parent.glob(_NAME.format(database.path.stem, "", pattern)):
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                remaining.append(f"the copy {path.name} could not be removed: {error}")
    return remaining
