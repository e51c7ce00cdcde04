"""The kinds of store that a suite runs on: in memory; SQLite and embedded Chroma; PostgreSQL and a Chroma server.

And an erasure of which only the rows are gone, as when the process ended in the middle of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone

import pytest
from servers import run_sql

from cogmem import Config
from cogmem.storage.erasing import Going, erase
from cogmem.storage.ledger import Ledger

__all__ = ["STORES", "Store", "erase_rows"]

STORES = ("in memory", "folder", "servers")
_LONG_AGO = datetime(2026, 1, 1, tzinfo=timezone.utc)
_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"


def erase_rows(
    ledger: Ledger, namespace: str, ids: Sequence[str] = (), *, job: str = "job", whole: bool = False
) -> None:
    """Delete memories' rows for ever; the job stays on record, because indexes and files are not yet clean."""
    with ledger.writing(namespace) as writer:
        erase(writer, namespace, Going(job, ids, (), _LONG_AGO, whole))


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
        return cls(name, request.getfixturevalue("ledger_url"), request.getfixturevalue("chroma_server"))

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
