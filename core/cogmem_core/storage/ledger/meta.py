"""Settings of the ledger itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlalchemy import Connection, bindparam, select

from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.table import upserting

SETTINGS = "settings"
"""A fact of the whole ledger: settings by key."""
REJECTIONS_KEY = "rejection_key"
"""The setting that holds the key of the digests of what was rejected."""
ACCESS_KEY = "access_seq"
"""The setting that counts the changes of principals, grants and compartments."""
ERASURES_KEY = "erasure_key"
"""The setting that holds the key of the digests of what was erased."""

_META = select(schema.meta.c.value).where(schema.meta.c.key == bindparam("key"))


class MetaTable:
    """Settings by key."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._known: dict[str, str | None] = {}

    @property
    def known(self) -> dict[str, str | None]:
        """The settings that no statement would read."""
        return dict(self._known)

    def take(self, settings: Mapping[str, str | None]) -> None:
        """Settings as they were just read in this transaction: no statement reads them again."""
        self._known.update(settings)

    def get(self, key: str) -> str | None:
        """The value of a setting; None if it has none."""
        if key in self._known:
            return self._known[key]
        return self._connection.scalar(_META, {"key": key})

    def set(self, key: str, value: str) -> None:
        """Write a setting."""
        self._upsert(key, value, ("value",))

    def exchange(self, key: str, change: Callable[[str], str]) -> None:
        """Write what becomes of a setting, "" if it had no value; of two, one waits for the other."""
        self._upsert(key, "", ())
        stored = self._connection.scalar(_META.with_for_update(), {"key": key})
        self.set(key, change(stored or ""))

    def claim(self, key: str, value: str) -> str:
        """Write a setting unless it has a value; returns the value that it has then."""
        stored_value = self.get(key)
        if not stored_value:
            self._upsert(key, value, ())
            stored_value = self.get(key)
        return stored_value or value

    def _upsert(self, key: str, value: str, changed: tuple[str, ...]) -> None:
        query = upserting(self._connection.dialect.name, schema.meta, changed)
        self._connection.execute(query, [{"key": key, "value": value}])
        self._known.pop(key, None)
