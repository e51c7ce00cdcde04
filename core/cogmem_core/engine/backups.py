"""Backups of a bank in a folder: made while it is used, checked, and restored into a new folder."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cogmem_core.errors import InvalidInput, StoreError
from cogmem_core.storage.files.folder import LEDGER_FILE, make_private, prepare_folder
from cogmem_core.storage.ledger.backup import (
    checked_copy,
    copy_ledger,
    note_backup,
)
from cogmem_core.storage.ledger.erased import read_beside, write_beside
from cogmem_core.values.results import BackupReport

if TYPE_CHECKING:
    from cogmem_core.engine.engine import Engine


_SETTINGS = "cogmem.toml"


def back_up(engine: Engine, target: Path) -> BackupReport:
    """Copy an engine's ledger; see `Engine.backup`."""
    database = engine.open_services.ledger.database
    if not database.sqlite:
        raise InvalidInput(
            "the memories are in PostgreSQL, which has backups of its own: pg_dump, or a snapshot of "
            "the server (cookbook/guide/servers.md)"
        )
    target = target.absolute()
    if engine.folder is not None and engine.folder.resolve() in (
        target.resolve(),
        *target.resolve().parents,
    ):
        raise InvalidInput(f"{target} is in the bank's own folder; give a place elsewhere")
    into_folder = target.is_dir() or not target.suffix
    file = target / LEDGER_FILE if into_folder else target
    if file.exists():
        raise InvalidInput(
            f"{file} exists already; give another name, with the date in it for example"
        )
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise StoreError(f"{file.parent} cannot be made: {error}; give another place") from error
    copy = copy_ledger(database, file)
    with engine.services.ledger.beside() as writer:
        note_backup(writer.meta, file)
    if into_folder and engine.folder is not None:
        _copy_settings(engine.folder, target)
    return replace(copy, path=str(target))


def restore(source: Path, folder: Path, *, replaces: Path | None = None) -> BackupReport:
    """Make a bank of a backup; indexes are built anew when it is opened.

    What was erased since, as far as that is noted beside the backup, in the folder or in that of the
    bank that it replaces, is noted in the new bank: `MemoryBank.verify_erasures` tells what came back.

    Args:
        source: the file or folder of a backup.
        folder: of the new bank; it may be there, but no bank in it.
        replaces: the folder of the bank that it replaces.

    Raises:
        InvalidInput: it is no backup, or damaged; or there is a bank in the folder. Nothing was changed.
        StoreError: the folder cannot be written.
    """
    file = source / LEDGER_FILE if source.is_dir() else source
    if not file.is_file():
        raise InvalidInput(f"there is no backup at {source}; give its file or its folder")
    copy = checked_copy(file)
    if (folder / LEDGER_FILE).exists():
        raise InvalidInput(
            f"there is a bank in {folder}; give a folder without one, or move that bank away first"
        )
    path = folder / LEDGER_FILE
    draft = path.with_suffix(".draft")
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        prepare_folder(folder)
        draft.unlink(missing_ok=True)
        make_private(draft)
        shutil.copyfile(file, draft)
        for ledger in (file, *(() if replaces is None else (replaces / LEDGER_FILE,))):
            write_beside(path, read_beside(ledger))
        draft.replace(path)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error}; make room") from error
    if source.is_dir():
        _copy_settings(source, folder)
    return replace(copy, path=str(folder))


def _copy_settings(source: Path, target: Path) -> None:
    """Settings of the folder go with it."""
    if (source / _SETTINGS).is_file() and not (target / _SETTINGS).exists():
        try:
            shutil.copyfile(source / _SETTINGS, target / _SETTINGS)
        except OSError as error:
            raise StoreError(
                f"{target / _SETTINGS} cannot be written: {error}; make room"
            ) from error
