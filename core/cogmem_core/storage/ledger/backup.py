"""Copies of the ledger: a person's, and one before its schema is changed (SQLite; a server's database has its own)."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from cogmem_core.errors import InvalidInput, StoreError
from cogmem_core.storage.files.folder import make_private
from cogmem_core.storage.ledger.database import Database
from cogmem_core.storage.ledger.meta import MetaTable
from cogmem_core.storage.ledger.sqlite import APPLICATION_ID
from cogmem_core.values.results import BackupReport

_NAME = "{}.schema-{}{}"
_BACKUPS_KEY = "backups"
_MOST_KNOWN = 100


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
    try:
        _copy(database, path)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(
            f"the ledger could not be copied to {path} before its schema is changed: {error}; "
            "nothing was changed; free as much disk space as the ledger takes, or make the folder writable"
        ) from error
    return path


def copy_ledger(database: Database, path: Path) -> BackupReport:
    """Copy the ledger as it is at one moment, while others write, and check the copy.

    Args:
        database: of the ledger.
        path: the new file.

    Raises:
        StoreError: there is no room, or the copy is not sound; there is no copy then.
    """
    try:
        _copy(database, path)
    except (OSError, sqlite3.Error) as error:
        with suppress(OSError):  # the disk that failed may fail again
            path.with_suffix(".draft").unlink(missing_ok=True)
        raise StoreError(
            f"the ledger could not be copied to {path}: {error}; free as much disk space as it takes"
        ) from error
    try:
        return checked_copy(path)
    except InvalidInput as error:
        with suppress(OSError):
            path.unlink(missing_ok=True)
        raise StoreError(f"the copy {path} is not sound: {error}; make another one") from error


def checked_copy(path: Path) -> BackupReport:
    """Read every page of a copied ledger, and count what it holds.

    Raises:
        InvalidInput: it is no ledger, or damaged.
    """
    try:
        address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        with closing(sqlite3.connect(address, uri=True)) as copy:
            (mark,) = copy.execute("PRAGMA application_id").fetchone()
            if mark != APPLICATION_ID:
                raise InvalidInput(f"{path} is no ledger of cogmem; give a backup")
            problems = [row[0] for row in copy.execute("PRAGMA integrity_check(3)")]
            if problems != ["ok"]:
                raise InvalidInput(f"{path} is damaged: {'; '.join(problems)}; give another backup")
            memories, turns, namespaces = (
                copy.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608 - ours
                for table in ("memories", "episodes", "namespaces")
            )
    except sqlite3.Error as error:
        raise InvalidInput(f"{path} cannot be read as a ledger: {error}; give a backup") from error
    return BackupReport(str(path), memories, turns, namespaces, path.stat().st_size)


def _copy(database: Database, path: Path) -> None:
    draft = path.with_suffix(".draft")
    draft.unlink(missing_ok=True)
    make_private(draft)  # empty: SQLite writes into it
    with database.engine.connect() as connection:
        raw = connection.connection.driver_connection
        if raw is not None:
            raw.execute("VACUUM INTO ?", (str(draft),))
    with draft.open("rb+") as file:
        os.fsync(file.fileno())
    draft.replace(path)


def note_backup(meta: MetaTable, path: Path) -> None:
    """A backup was made there."""

    def added(told: str) -> str:
        paths = [*(json.loads(told) if told else ()), str(path)]
        return json.dumps(list(dict.fromkeys(paths))[-_MOST_KNOWN:])

    meta.exchange(_BACKUPS_KEY, added)


def known_backups(meta: MetaTable) -> list[Path]:
    """Where backups were made, the newest last; they may be gone."""
    return [Path(path) for path in json.loads(meta.get(_BACKUPS_KEY) or "[]")]


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
