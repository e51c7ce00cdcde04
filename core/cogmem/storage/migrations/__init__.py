"""Numbered changes of the schema: `MIGRATIONS[n]` goes from version n to n + 1. A landed one is never edited."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection

from cogmem.storage.schema import metadata

__all__ = ["MIGRATIONS", "SCHEMA_VERSION"]


def _create_all(connection: Connection) -> None:
    metadata.create_all(connection)


MIGRATIONS: tuple[Callable[[Connection], None], ...] = (_create_all,)
SCHEMA_VERSION = len(MIGRATIONS)
