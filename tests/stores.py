"""The kinds of store that a suite runs on: in memory; SQLite and embedded Chroma; PostgreSQL and a Chroma server."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from servers import run_sql

from cogmem import Config

__all__ = ["STORES", "Store"]

STORES = ("in memory", "folder", "servers")
_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"


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
