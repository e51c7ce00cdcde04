"""The kinds of store that a suite runs on: in memory; SQLite and embedded Chroma; PostgreSQL and a Chroma server.

And what tests do to what is stored: changes as a person would make them, edits behind the engine's back, an erasure of
which only the rows are gone, as when the process ended in the middle of it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from cogmem_core import Config, Memory, MemoryBank
from cogmem_core.changes import Actor, Change, Touch, apply
from cogmem_core.config import FeedbackConfig
from cogmem_core.storage.ledger import erasure
from cogmem_core.storage.ledger.erasure import RowsToErase
from cogmem_core.storage.ledger.ledger import Ledger
from cogmem_core.testing import MANUAL
from helpers.servers import run_sql

__all__ = ["BLAMING", "STORES", "Store", "change", "edit", "erase_rows", "states", "touched"]

BLAMING = replace(MANUAL, feedback=FeedbackConfig(own_words=False, blame_from=0.0))
"""The documents' rule: what is shown and not used is ignored, so that a bank of a few memories can tell who judged
how often."""

STORES = ("in memory", "folder", "servers")
_LONG_AGO = datetime(2026, 1, 1, tzinfo=timezone.utc)
_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"


def change(bank: MemoryBank, *changes: Change) -> None:
    """Carry out changes as a person would."""
    services = bank._engine.services
    with services.ledger.writing() as writer:
        applied = apply(
            writer, bank.namespace, changes, now=services.runtime.now(), actor=Actor("user")
        )
    assert applied.refused == ()


def touched(bank: MemoryBank, memory: Memory, **fields: Any) -> Memory:
    """A memory with other values."""
    change(bank, Touch(memory.id, fields, "by hand"))
    return bank.get(memory.id)


def states(bank: MemoryBank, *memories: Memory) -> list[str]:
    """How memories are now."""
    return [bank.get(memory.id).state for memory in memories]


def edit(folder: Path, *statements: str) -> None:
    """Change the ledger's file behind the engine's back."""
    with closing(sqlite3.connect(folder / "ledger.sqlite")) as ledger, ledger:
        for statement in statements:
            ledger.execute(statement)


def erase_rows(
    ledger: Ledger,
    namespace: str,
    ids: Sequence[str] = (),
    *,
    job: str = "job",
    whole: bool = False,
) -> None:
    """Delete memories' rows for ever; the job stays on record, because indexes and files are not yet clean."""
    with ledger.writing(namespace) as writer:
        erasure.erase_rows(writer.at(namespace), RowsToErase(job, ids, {}, _LONG_AGO, whole))


@dataclass(frozen=True, slots=True)
class Store:
    """One kind of store, which can be emptied for the next example.

    Attributes:
        ledger_url, chroma_url: of the servers, if any.
    """

    name: str
    ledger_url: str | None = None
    chroma_url: str | None = None

    @classmethod
    def of(cls, name: str, request: pytest.FixtureRequest) -> Store:
        """The store of that name; starts the servers if it needs them."""
        if name != "servers":
            return cls(name)
        return cls(
            name, request.getfixturevalue("ledger_url"), request.getfixturevalue("chroma_server")
        )

    @property
    def keeps(self) -> bool:
        """Whether anything is left after it was closed."""
        return self.name != "in memory"

    def fresh(self, config: Config) -> Config:
        """The settings that lead to it; what was in it is gone."""
        if self.ledger_url is not None:
            tables = ", ".join(row[0] for row in run_sql(self.ledger_url, _TABLES))
            if tables:
                run_sql(self.ledger_url, f"DROP TABLE {tables}")
        storage = replace(config.storage, ledger_url=self.ledger_url, chroma_url=self.chroma_url)
        return replace(config, storage=storage)
