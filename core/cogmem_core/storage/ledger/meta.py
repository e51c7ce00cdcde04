"""Settings of the ledger itself."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, select

from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.table import upserting

__all__ = ["META", "MetaTable"]

META = select(schema.meta.c.value).where(schema.meta.c.key == bindparam("key"))
"""A query for the value of a setting."""


class MetaTable:
    """Settings by key."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, key: str) -> str | None:
        """The value of a setting; None if it has none."""
        return self._connection.scalar(META, {"key": key})

    def set(self, key: str, value: str) -> None:
        """Write a setting."""
        self._upsert(key, value, ("value",))

    def claim(self, key: str, value: str) -> str:
        """Write a setting unless it has a value; returns the value that it has then."""
        return self.get(key) or self.claim_missing(key, value)

    def claim_missing(self, key: str, value: str) -> str:
        """As `claim`, for a setting that had no value a moment ago."""
        self._upsert(key, value, ())
        return self.get(key) or value

    def _upsert(self, key: str, value: str, changed: tuple[str, ...]) -> None:
        query = upserting(self._connection.dialect.name, schema.meta, changed)
        self._connection.execute(query, [{"key": key, "value": value}])
