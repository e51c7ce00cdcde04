"""Connections: SQLite or PostgreSQL behind one `reading()` and one `writing()`.

PostgreSQL: see `postgres`. SQLite: WAL, synchronous=FULL, secure_delete, and BEGIN IMMEDIATE for every writing
transaction, because a read that turns into a write fails at once on a stale snapshot whatever the busy time-out says
(measured).
"""

from __future__ import annotations

import os
import sqlite3
import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Transaction, create_engine, event, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.pool import StaticPool

from cogmem.config import StorageConfig
from cogmem.errors import BankClosed, ConfigError, StoreError, StoreUnavailable
from cogmem.storage import postgres

__all__ = ["APPLICATION_ID", "Database", "application_id"]

APPLICATION_ID = 0x636F676D  # "cogm": marks the SQLite file as ours
_PAGE_CACHE_KIB = 16_384
_OPEN: weakref.WeakSet[Database] = weakref.WeakSet()


def _after_fork_in_child() -> None:
    for database in list(_OPEN):
        database.engine.dispose(close=False)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)


class Database:
    """A pool of connections to one ledger.

    Args:
        target: a file for SQLite, a SQLAlchemy URL, or None for a private database in memory.
        config: how long to wait, for what.

    Raises:
        ConfigError: the URL cannot be used. StoreError: the file cannot be opened or is not a database.
    """

    def __init__(self, target: Path | str | None, config: StorageConfig) -> None:
        self.path = target if isinstance(target, Path) else None
        self._config = config
        self.engine = _engine(target, config)
        self.sqlite = self.engine.dialect.name == "sqlite"
        self._closed = False
        # One shared connection holds an in-memory database, so its users take turns.
        self._checkpointing = threading.Lock()
        self._turn: Any = threading.RLock() if target is None else nullcontext()
        _OPEN.add(self)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A consistent snapshot.

        Raises:
            StoreUnavailable: the server cannot be reached, or takes too long. StoreError: the database failed.
        """
        with self._transaction(write=False) as connection:
            yield connection

    @contextmanager
    def writing(self, *, alone: Sequence[int] = (), beside: Sequence[int] = ()) -> Iterator[Connection]:
        """One transaction: all of it or, on any exception, nothing.

        Args:
            alone: PostgreSQL's advisory locks to take before anything is read; SQLite has one writer at a time anyhow.
            beside: those that others may hold beside us.

        Raises:
            StoreUnavailable: nothing was written: the server cannot be reached, a lock is held for too long, or it
                collided with another transaction. StoreError: the database failed.
        """
        with self._transaction(write=True, alone=alone, beside=beside) as connection:
            yield connection

    @contextmanager
    def _transaction(
        self, *, write: bool, alone: Sequence[int] = (), beside: Sequence[int] = ()
    ) -> Iterator[Connection]:
        if self._closed:
            raise BankClosed("the engine is closed; open it again with cogmem.open(...)")
        ending = False
        try:
            with self._turn, self._begun(write, alone, beside) as connection, self._within(connection):
                yield connection
                ending = True
        except SQLAlchemyError as error:
            raise self._typed(error, unsure=write and ending) from error

    def _begun(self, write: bool, alone: Sequence[int], beside: Sequence[int]) -> Connection:
        if self.sqlite:
            return self.engine.connect().execution_options(cogmem_write=write)
        config = self._config
        return postgres.reaching(
            lambda: postgres.begin(self.engine, config, write=write, alone=alone, beside=beside), config
        )

    def _within(self, connection: Connection) -> Transaction:
        begun = connection.get_transaction()
        return connection.begin() if begun is None else begun

    def _typed(self, error: SQLAlchemyError, *, unsure: bool) -> StoreError:
        if unsure and postgres.lost(error):
            why = "the connection broke off during a commit, so it is not known whether it was carried out"
            return StoreError(f"the ledger {self.where} failed: {why}; look before you repeat it")
        if postgres.transient(error) or postgres.busy(error) or isinstance(error, PoolTimeout):
            reason = str(getattr(error, "orig", None) or error).strip()
            return StoreUnavailable(f"the ledger {self.where} is not available: {reason}; nothing was changed")
        return StoreError(self._advice(error))

    @property
    def where(self) -> str:
        """The file, or the server's URL without its password."""
        return str(self.path or self.engine.url.render_as_string(hide_password=True))

    def _advice(self, error: SQLAlchemyError | sqlite3.Error) -> str:
        reason = str(getattr(error, "orig", None) or error)
        hints = {
            "readonly": "make the folder writable, or open a copy of it",
            "unable to open": "check that the folder exists and is readable and writable",
            "malformed": "the file is damaged: restore it from a backup or from `cogmem export`, or move it away",
            "not a database": "the file is damaged or not ours: restore it from a backup, or move it away",
            "locked": "another process holds it for too long: raise storage.busy_timeout_seconds or stop that process",
            "full": "free some disk space; everything acknowledged before is safe",
        }
        fix = next((hint for key, hint in hints.items() if key in reason), "see the cause below")
        return f"the ledger {self.where} failed: {reason}; {fix}"

    def checkpoint(self) -> bool:
        """Copy the write-ahead log into the database and empty it; False if a reader is in the way (SQLite only).

        Raises:
            StoreError: the disk failed; nothing is lost.
        """
        if not self.sqlite or self.path is None:
            return True
        # SQLite waits for readers, but not for another checkpoint.
        try:
            with self._checkpointing, self.engine.connect() as connection:
                raw = connection.connection.driver_connection
                busy = None if raw is None else raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except (SQLAlchemyError, sqlite3.Error) as error:
            raise StoreError(self._advice(error)) from error
        return busy is not None and busy[0] == 0

    def close(self) -> None:
        """Return all connections; later use raises `BankClosed`."""
        self._closed = True
        self.engine.dispose()
        _OPEN.discard(self)


def _engine(target: Path | str | None, config: StorageConfig) -> Engine:
    if isinstance(target, str) and not target.startswith(("sqlite://", "sqlite+pysqlite://")):
        return postgres.connect(target, config)
    waiting = {"timeout": config.busy_timeout_seconds, "check_same_thread": False}
    arguments: dict[str, Any] = {"connect_args": waiting, "hide_parameters": True}
    if target is None:
        engine = create_engine("sqlite://", poolclass=StaticPool, **arguments)
    else:
        url = target if isinstance(target, str) else f"sqlite:///{target}"
        # Last in, first out: the connection used last has the pages in its cache that are needed next.
        try:
            engine = create_engine(url, pool_size=8, max_overflow=56, pool_use_lifo=True, **arguments)
        except (SQLAlchemyError, TypeError) as error:
            fix = "give sqlite:///FILE; for a bank in memory leave it and path out"
            raise ConfigError(f"storage.ledger_url is no usable address of a SQLite file; {fix}") from error
    event.listen(engine, "connect", _on_connect)
    event.listen(engine, "begin", _on_begin)
    return engine


def _on_connect(connection: Any, _record: Any) -> None:
    connection.isolation_level = None
    (mark,), (pages,) = (connection.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "page_count"))
    if mark == APPLICATION_ID or pages == 0:
        # Write-ahead logging is a property of the file: another program's file is not to be changed.
        connection.execute("PRAGMA journal_mode=WAL")
    for pragma in (
        "foreign_keys=ON",
        "synchronous=FULL",
        "secure_delete=ON",
        f"cache_size=-{_PAGE_CACHE_KIB}",
        "temp_store=MEMORY",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _on_begin(connection: Connection) -> None:
    write = connection.get_execution_options().get("cogmem_write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


def application_id(connection: Connection) -> int:
    """The mark of a SQLite file: 0 for a new one, `APPLICATION_ID` for ours."""
    return int(connection.execute(text("PRAGMA application_id")).scalar_one())
