"""Connections: SQLite or PostgreSQL (see `sqlite`, `postgres`) behind one `reading()` and one `writing()`."""

from __future__ import annotations

import os
import sqlite3
import threading
import weakref
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.pool import QueuePool

from cogmem_core.base.interrupt_safe import pause, scope
from cogmem_core.base.runtime import monotonic
from cogmem_core.config import StorageConfig
from cogmem_core.errors import BankClosed, StoreError, StoreUnavailable
from cogmem_core.storage.files.folder import make_private
from cogmem_core.storage.ledger import postgres, sqlite
from cogmem_core.storage.ledger.sqlite_locks import Gate, Line, begin_use, end_use

_AGAIN_SECONDS = 0.02  # between two attempts to empty the write-ahead log
_NO_LOCKS = postgres.Locks()
_OPEN: weakref.WeakSet[Database] = weakref.WeakSet()


class _Fork:
    """One thread at a time copies the process."""

    lock = threading.Lock()
    databases: tuple[Database, ...] = ()


def _before_fork() -> None:
    _Fork.lock.acquire()
    _Fork.databases = tuple(_OPEN)
    for database in _Fork.databases:
        database.let_go()


def _after_fork_in_parent() -> None:
    for database in _Fork.databases:
        database.gate.open()
    _Fork.databases = ()
    _Fork.lock.release()


def _after_fork_in_child() -> None:
    _Fork.lock = threading.Lock()
    _Fork.databases = ()
    for database in list(_OPEN):
        database.inherit()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before_fork,
        after_in_parent=_after_fork_in_parent,
        after_in_child=_after_fork_in_child,
    )


class Database:
    """A pool of connections to one ledger.

    Args:
        target: a file for SQLite, a SQLAlchemy URL, or None for a private database in memory.
        config: how long to wait, for what.

    Attributes:
        path: the SQLite file, absolute; None for a server's database, or one in memory.

    Raises:
        ConfigError: the URL cannot be used.
        StoreError: the file cannot be opened or is not a database.
    """

    def __init__(self, target: Path | str | None, config: StorageConfig) -> None:
        self._config = config
        served = isinstance(target, str) and not sqlite.is_sqlite(target)
        self.engine = (
            postgres.connect(str(target), config) if served else sqlite.connect(target, config)
        )
        self.sqlite = self.engine.dialect.name == "sqlite"
        self._closed = False
        self._read_only = False
        self._alone = threading.Lock()
        # One shared connection holds an in-memory database, so its users take turns.
        self._sharing = threading.RLock() if target is None else None
        self._turn: Any = self._sharing or nullcontext()
        self._writers = Line()
        self.gate = Gate()
        self._quiet = False
        name = self.engine.url.database if self.sqlite and target is not None else None
        self.path = Path(name) if name else None
        if self.path:
            make_private(self.path)
        self._in_use = begin_use(self.path) if self.path else None
        self._file = self._found()
        _OPEN.add(self)

    def _found(self) -> tuple[int, int] | None:
        """Which file lies at the path; None if there is none."""
        if self.path is None:
            return None
        try:
            stats = self.path.stat()
        except OSError:
            return None
        return stats.st_dev, stats.st_ino

    @property
    def trouble(self) -> str:
        """What is wrong if another file, or none, lies where this one was opened; else empty.

        SQLite goes on with the file that it has, which nobody finds any more.
        """
        if self._file is None or self._found() == self._file:
            return ""
        return (
            f"the ledger {self.where} is no longer the file that was opened: its folder was moved, "
            "removed or replaced"
        )

    def take_over(self, path: Path) -> None:
        """Read the SQLite file into this database in memory.

        Raises:
            StoreError: it cannot be read.
        """
        try:
            sqlite.copy_into(self.engine, path, self._config.busy_timeout_seconds)
        except (OSError, sqlite3.Error, SQLAlchemyError) as error:
            raise StoreError(
                f"the ledger {path} cannot be read: {error}; make it readable"
            ) from error

    def freeze(self) -> None:
        """From now on nothing is written."""
        self._read_only = True

    @scope
    def reading(self) -> Iterator[Connection]:
        """A consistent snapshot.

        Raises:
            StoreUnavailable: the server cannot be reached, or takes too long.
            StoreError: the database failed.
        """
        with self._transaction(write=False) as connection:
            yield connection

    @scope
    def writing(self, locks: postgres.Locks = _NO_LOCKS) -> Iterator[Connection]:
        """One transaction: all of it or, on any exception, nothing.

        Args:
            locks: to take before anything is read; SQLite has one writer at a time anyhow.

        Raises:
            StoreUnavailable: nothing was written: the server cannot be reached, a lock is held for
                too long, or it collided with another transaction.
            StoreError: the database failed.
        """
        with self._transaction(write=True, locks=locks) as connection:
            yield connection

    @scope
    def _transaction(
        self, *, write: bool, locks: postgres.Locks = _NO_LOCKS
    ) -> Iterator[Connection]:
        ending = False
        try:
            # What was only read is committed, too: psycopg forgets the statements that it prepared
            # at every rollback.
            turn = self._turn
            if write and self.path:
                turn = self._writers.turn(self._config.busy_timeout_seconds)
            with self.gate.inside(), turn, self._begun(write, locks) as connection:
                yield connection
                ending = write
                connection.commit()
        except SQLAlchemyError as error:
            raise self._typed(error, unsure=ending) from error

    def _begun(self, write: bool, locks: postgres.Locks) -> AbstractContextManager[Connection]:
        if self._closed:
            raise BankClosed("the engine is closed; open it again with cogmem_core.open(...)")
        if write and self._read_only:
            raise StoreError(
                "the bank was opened read-only, so nothing was changed; open it without read_only"
            )
        if write and (trouble := self.trouble):
            raise StoreError(f"{trouble}; nothing was changed; close the engine and open it again")
        if self.sqlite:
            return sqlite.begun(self.engine, write=write)
        return postgres.begun(self.engine, self._config, write=write, locks=locks)

    def _typed(self, error: SQLAlchemyError, *, unsure: bool) -> StoreError:
        if unsure and postgres.lost(error):
            why = "the connection broke off during a commit, so it is not known whether it was carried out"
            return StoreError(f"the ledger {self.where} failed: {why}; look before you repeat it")
        if postgres.transient(error) or postgres.busy(error) or isinstance(error, PoolTimeout):
            return StoreUnavailable(
                f"the ledger {self.where} is not available: {_reason(error)}; nothing was changed"
            )
        return StoreError(self._advice(error))

    @property
    def where(self) -> str:
        """The file, or the server's URL without its password."""
        url = self.engine.url.set(drivername="sqlite") if self.sqlite else self.engine.url
        return str(self.path or url.render_as_string(hide_password=True))

    def _advice(self, error: SQLAlchemyError | sqlite3.Error) -> str:
        reason = _reason(error)
        hints = {
            "readonly": "make the folder writable, or open a copy of it",
            "unable to open": "check that the folder exists and is readable and writable, or open it with "
            "read_only=True",
            "malformed": "the file is damaged: restore it from a backup or from `cogm export`, or move it away",
            "not a database": "the file is damaged or not ours: restore it from a backup, or move it away",
            "locked": "another process holds it for too long: raise storage.busy_timeout_seconds or stop that process",
            "full": "free some disk space; everything acknowledged before is safe",
            "disk I/O": "the disk is full or damaged, or may not be written: free some space, or see the "
            "system's log; everything acknowledged before is safe",
        }
        fix = next((hint for key, hint in hints.items() if key in reason), "see the cause below")
        return f"the ledger {self.where} failed: {reason}; {fix}"

    def rewrite(self) -> None:
        """Write a SQLite file anew from what is in it, so that nothing stays of what was deleted.

        `secure_delete` is not enough: when a page is split, copies of what moved away stay in its
        gap (measured: 4 of 580 deleted rows could still be read). Takes as much disk space for the
        while as the file, and once more in SQLite's folder for temporary files, or else in memory.
        Other processes can read meanwhile; who writes, waits.

        Raises:
            StoreError: there is no room, or another process writes for too long; everything is as
                it was.
        """
        with self._at_the_file(self._config.busy_timeout_seconds) as connection:
            if connection is None:
                return
            try:
                connection.execute("VACUUM")
            except sqlite3.OperationalError as error:
                if "locked" in str(error):
                    raise
                # A container may have no folder for temporary files, or little room there.
                connection.execute("PRAGMA temp_store=MEMORY")
                connection.execute("VACUUM")

    def checkpoint(self, seconds: float | None = None) -> bool:
        """Copy the write-ahead log into the database and empty it; False if somebody is in the way (SQLite only).

        Args:
            seconds: how long to wait for those who read; None = `storage.busy_timeout_seconds`.

        Raises:
            StoreError: the disk failed; nothing is lost.
        """
        wait = self._config.busy_timeout_seconds if seconds is None else seconds
        end = monotonic() + wait
        with self._at_the_file(wait) as connection:
            # SQLite waits for readers, but not for another checkpoint, such as it begins itself
            # after many writes.
            while (
                connection is not None
                and connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            ):
                if monotonic() >= end:
                    return False
                pause(_AGAIN_SECONDS)
        return True

    @scope
    def _at_the_file(self, seconds: float) -> Iterator[sqlite3.Connection | None]:
        """A connection of its own, for one user at a time; None where there is no SQLite file."""
        if self.path is None:
            yield None
            return
        try:
            with (
                self.gate.inside(),
                self._alone,
                closing(sqlite.alone(self.path, seconds)) as connection,
            ):
                yield connection
        except sqlite3.Error as error:
            raise StoreError(self._advice(error)) from error

    def let_go(self) -> None:
        """Before the process is copied: end all connections to a SQLite file.

        Until the gate opens, none is made.
        """
        if self.sqlite:
            self._quiet = self.gate.shut(self._config.busy_timeout_seconds)
        if self.path:
            self.engine.dispose()

    def inherit(self) -> None:
        """In a forked child: begin with connections of its own.

        Of a database in memory it has a copy of its own.
        """
        self.gate = Gate()
        self._writers = Line()
        self._alone = threading.Lock()
        if self._sharing is None or not self._quiet:
            self.engine.dispose(close=False)
            self._end_memory(close=False)

    def close(self) -> None:
        """Return all connections; later use raises `BankClosed`.

        Who still reads (a recall that was given up, say) keeps his connection until he is done. The
        only one of a database in memory is waited for: to close it under a statement ends the
        process.
        """
        closed = self._closed
        self._closed = True
        _OPEN.discard(self)
        if self._sharing is None:
            used = self.engine.pool
            self.engine.dispose()
            checked_out = isinstance(used, QueuePool) and used.checkedout()
            if self._in_use and not closed and not checked_out:
                end_use(self._in_use)
        elif self._sharing.acquire(timeout=self._config.busy_timeout_seconds):
            try:
                self.engine.dispose()
                self._end_memory()
            finally:
                self._sharing.release()

    def _end_memory(self, *, close: bool = True) -> None:
        if isinstance(self.engine.dialect, sqlite.MemoryDialect):
            self.engine.dialect.end(close=close)


def _reason(error: SQLAlchemyError | sqlite3.Error) -> str:
    """SQLite speaks of files and tables.

    What a server says may quote a row, or what it was sent.
    """
    cause = getattr(error, "orig", None) or error
    return (
        str(cause)
        if isinstance(cause, (sqlite3.Error, PoolTimeout))
        else postgres.describe_error(cause)
    )
