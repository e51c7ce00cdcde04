"""SQLite: one file, or a private database in memory.

WAL, synchronous=FULL, secure_delete, and BEGIN IMMEDIATE for every writing transaction, because a read that turns into
a write fails at once on a stale snapshot whatever the busy time-out says (measured).
"""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import PoolProxiedConnection, StaticPool
from sqlalchemy.util import LRUCache

from cogmem_core.config import StorageConfig
from cogmem_core.errors import ConfigError

__all__ = ["APPLICATION_ID", "SharedDialect", "alone", "application_id", "begin", "connect", "is_sqlite"]

APPLICATION_ID = 0x636F676D  # "cogm": marks the SQLite file as ours
_PAGE_CACHE_KIB = 16_384
_NAME = "sqlite+cogmem"
_STATEMENTS = 1_000
_SAFE = ("synchronous=FULL", "secure_delete=ON")
_WRITE = "cogmem_write"
_COMPILED: LRUCache[Any, Any] = LRUCache(_STATEMENTS)


class SharedDialect(SQLiteDialect_pysqlite):
    """All are equal: a process has one SQLite, so what was compiled for one ledger serves all that it opens.

    To compile its statements once more is about half of the work of an engine that lives for a few calls (measured).
    """

    supports_statement_cache = True

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))

    def do_begin(self, dbapi_connection: PoolProxiedConnection) -> None:
        """Begin for real, as `begin` asked: Python's driver has no such call.

        Not a listener of the engine: with one, SQLAlchemy looks for listeners around every statement (measured).
        """
        write = dbapi_connection.info.pop(_WRITE, False)
        dbapi_connection.execute("BEGIN IMMEDIATE" if write else "BEGIN")


registry.register(_NAME.replace("+", "."), __name__, SharedDialect.__name__)


def is_sqlite(url: str) -> bool:
    """Whether a URL names a SQLite file."""
    return url.startswith(("sqlite://", "sqlite+pysqlite://"))


def connect(target: Path | str | None, config: StorageConfig) -> Engine:
    """An engine for a file, for a URL of one, or for a database in memory (None).

    Raises:
        ConfigError: the URL cannot be used.
    """
    waiting = {"timeout": config.busy_timeout_seconds, "check_same_thread": False}
    shared = {"compiled_cache": _COMPILED}
    arguments: dict[str, Any] = {"connect_args": waiting, "hide_parameters": True, "execution_options": shared}
    if target is None:
        engine = create_engine(f"{_NAME}://", poolclass=StaticPool, **arguments)
    else:
        # Last in, first out: the connection used last has the pages in its cache that are needed next.
        try:
            url = make_url(target) if isinstance(target, str) else URL.create(_NAME, database=str(target))
            if isinstance(target, str):
                url = url.set(drivername=_NAME, database=_file(url.database))
            engine = create_engine(url, pool_size=8, max_overflow=56, pool_use_lifo=True, **arguments)
        except (SQLAlchemyError, TypeError, ValueError, OSError) as error:
            fix = "give sqlite:///FILE; for a bank in memory leave it and path out"
            raise ConfigError(f"storage.ledger_url is no usable address of a SQLite file; {fix}") from error
    event.listen(engine.pool, "connect", _on_connect)
    return engine


def _file(name: str | None) -> str:
    """Absolute: it is the same file when the program goes to another folder."""
    if not name or name == ":memory:" or name.startswith("file:"):
        raise ValueError("not the name of a file")
    return str(Path(name).absolute())


def _on_connect(connection: Any, _record: Any) -> None:
    connection.isolation_level = None
    (mark,), (pages,) = (connection.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "page_count"))
    if mark == APPLICATION_ID or pages == 0:
        # Write-ahead logging is a property of the file: another program's file is not to be changed.
        connection.execute("PRAGMA journal_mode=WAL")
    for pragma in (*_SAFE, "foreign_keys=ON", f"cache_size=-{_PAGE_CACHE_KIB}", "temp_store=MEMORY"):
        connection.execute(f"PRAGMA {pragma}")


def begin(engine: Engine, *, write: bool) -> Connection:
    """A connection in a new transaction: a snapshot to read from, or one that holds the file's only write lock."""
    connection = engine.connect()
    with ExitStack() as undone:
        undone.callback(connection.close)
        connection.connection.info[_WRITE] = write
        connection.begin()
        undone.pop_all()
    return connection


def alone(path: Path, seconds: float) -> sqlite3.Connection:
    """A connection outside of the pool, for what concerns the file as a whole.

    Its temporary files are files: what is written anew is as large as the ledger.

    Args:
        seconds: how long it waits for others.
    """
    with ExitStack() as undone:
        connection = sqlite3.connect(path, timeout=seconds, isolation_level=None)
        undone.callback(connection.close)
        for pragma in _SAFE:
            connection.execute(f"PRAGMA {pragma}")
        undone.pop_all()
    return connection


def application_id(connection: Connection) -> int:
    """The mark of a SQLite file: 0 for a new one, `APPLICATION_ID` for ours."""
    return int(connection.execute(text("PRAGMA application_id")).scalar_one())
