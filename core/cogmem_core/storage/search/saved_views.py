"""What is searched in memory of large namespaces, written down at close: the next process need not read every row.

A file is a cache. It is used only if the ledger's audit trail is, at the place where the file was
written, what the file says; whatever does not fit is read from the ledger. Nobody can write to the
ledger while a file is written, so it never holds what is erased already; an erasure removes all of
them.
"""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cogmem_core.base.digests import text_digest
from cogmem_core.storage.files.folder import tighten
from cogmem_core.storage.ledger.codec import ANALYSER_MARK
from cogmem_core.storage.ledger.transaction import Namespace

SAVED_FOLDER = "views"
WORTH_SAVING = 5_000
"""Memories from which a file is written: fewer are read from the ledger as fast."""
_FORMAT = 1
_MOST_FILES = 4
_UNREADABLE = (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile)

Columns = Mapping[str, NDArray[Any]]
"""What a view holds, as arrays by name."""


def texts_of(texts: Sequence[str | None]) -> NDArray[np.uint8]:
    """Texts as an array of bytes."""
    return np.frombuffer(json.dumps(texts, ensure_ascii=False).encode(), dtype=np.uint8)


def texts_in(column: NDArray[Any]) -> list[Any]:
    """The inverse of `texts_of`."""
    texts: list[Any] = json.loads(column.tobytes())
    return texts


class SavedViews:
    """The files of one bank; none without a folder.

    Args:
        bank: the bank's folder; None = nothing is written or read.
    """

    def __init__(self, bank: Path | None) -> None:
        self._folder = None if bank is None else bank / SAVED_FOLDER

    def __bool__(self) -> bool:
        """Whether there is a folder to write to."""
        return self._folder is not None

    def namespaces(self) -> list[str]:
        """Whose views are written down, those used last first."""
        names: list[str] = []
        for path in self._files():
            with suppress(*_UNREADABLE), path.open("rb") as file, np.load(file) as saved:
                names.append(str(json.loads(saved["head"].tobytes())["namespace"]))
        return names

    def write(self, ns: Namespace, applied: int, columns: Columns) -> None:
        """Write a view down; what the disk refuses is left out.

        Args:
            ns: a transaction in which nobody else writes.
            applied: the journal number up to which the view follows.
            columns: what it holds.
        """
        if self._folder is None:
            return
        path = _path_in(self._folder, ns.name)
        temporary = path.with_suffix(f".{os.getpid()}")
        head = {**self._head(ns), "applied": applied, "at": list(ns.audit.head())}
        with suppress(OSError):
            self._folder.mkdir(mode=0o700, exist_ok=True)
            tighten(self._folder)
            try:
                with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
                    np.savez(
                        file,
                        allow_pickle=False,
                        head=np.frombuffer(json.dumps(head).encode(), dtype=np.uint8),
                        **columns,
                    )
                temporary.replace(path)
            finally:
                temporary.unlink(missing_ok=True)
            for surplus in self._files()[_MOST_FILES:]:
                surplus.unlink(missing_ok=True)

    def read(self, ns: Namespace) -> tuple[int, Columns] | None:
        """The journal number of a view and what it held; None if there is no file that fits the ledger."""
        if self._folder is None:
            return None
        path = _path_in(self._folder, ns.name)
        with suppress(*_UNREADABLE), path.open("rb") as file, np.load(file) as saved:
            head = json.loads(saved["head"].tobytes())
            applied = int(head.pop("applied"))
            position, chain = head.pop("at")
            if head == self._head(ns) and ns.audit.chain_at(int(position)) == chain:
                return applied, {name: saved[name] for name in saved.files}
        return None

    def drop(self, namespace: str) -> None:
        """Remove the file of one namespace."""
        if self._folder is not None:
            with suppress(OSError):
                _path_in(self._folder, namespace).unlink(missing_ok=True)

    def clear(self) -> list[str]:
        """Remove all files; returns what is in the way."""
        if self._folder is None:
            return []
        try:
            shutil.rmtree(self._folder)
        except FileNotFoundError:
            return []
        except OSError as error:
            return [f"{self._folder.name} cannot be removed: {error}"]
        return []

    def _head(self, ns: Namespace) -> dict[str, Any]:
        return {"format": _FORMAT, "analyser": ANALYSER_MARK, "namespace": ns.name}

    def _files(self) -> list[Path]:
        if self._folder is None:
            return []
        with suppress(OSError):
            files = self._folder.glob("*.npz")
            return sorted(files, key=lambda path: (-path.stat().st_mtime, path))
        return []


def _path_in(folder: Path, namespace: str) -> Path:
    name = text_digest(namespace, 32)
    return folder / f"{name}.npz"
