"""What backing up and restoring return."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BackupReport:
    """What a backup holds, counted in the backup itself after every page of it was read.

    Attributes:
        path: the file or folder.
        memories: in whatever state.
        turns: kept as they were said.
        namespaces: how many hold, or held, memories.
        bytes: of the ledger's file.
    """

    path: str
    memories: int
    turns: int
    namespaces: int
    bytes: int
