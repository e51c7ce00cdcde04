"""SQLite: one file, or a private database in memory.

WAL, synchronous=FULL, secure_delete, and BEGIN IMMEDIATE for every writing transaction, because a
read that turns into a write fails at once on a stale snapshot whatever the busy time-out says
(measured).
"""

from __future__ import annotations

import math
import shutil
import sqlite3
from collections import deque
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import PoolProxiedConnection, QueuePool, StaticPool
from sqlalchemy.util import LRUCache
from sqlalchemy.util.queue import Empty, Full, QueueCommon

from cogmem_core.base.interrupt_safe import pause, scope
from cogmem_core.base.runtime import monotonic
from cogmem_core.config import StorageConfig
from cogmem_core.errors import ConfigError
from cogmem_core.storage.ledger.sqlite_locks import raw as raw_file
from cogmem_core.storage.ledger.table import FACTS, KEPT, KNOWN

APPLICATION_ID = 0x636F676D  # "cogm": marks the SQLite file as ours
_PAGE_CACHE_KIB = 16_384
_AGAIN_SECONDS = 0.005  # between two looks for a connection that is free
_NAME = "sqlite+cogmem"
_IN_MEMORY = "sqlite+cogmem_memory"
_STATEMENTS = 1_000
_SAFE = ("synchronous=FULL", "secure_delete=ON")
_WRITE = "cogmem_write"
_VERSION = "cogmem_version"
_MOST_FACTS = 10_000
_COMPILED: LRUCache[Any, Any] = LRUCache(_STATEMENTS)


class SharedDialect(SQLiteDialect_pysqlite):
    """All are equal: a process has one SQLite, so what was compiled for one ledger serves all that it opens.

    To compile its statements once more is about half of the work of an engine that lives for a few
    calls (measured).
    """

    supports_statement_cache = True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SharedDialect)

    def __hash__(self) -> int:
        return hash(SharedDialect)

    def do_begin(self, dbapi_connection: PoolProxiedConnection) -> None:
        """Begin for real, as `begin` asked: Python's driver has no such call.

        Not a listener of the engine: with one, SQLAlchemy looks for listeners around every
        statement (measured).
        """
        write = dbapi_connection.info.pop(_WRITE, False)
        dbapi_connection.execute("BEGIN IMMEDIATE" if write else "BEGIN")

    def do_close(self, dbapi_connection: Any) -> None:
        """Close for real: while a statement of it lives on (in a traceback, say), a connection keeps its locks."""
        try:
            _rolled_back(dbapi_connection)
        finally:
            dbapi_connection.close()


class _Listing(sqlite3.Connection):
    """Knows the cursors of its transaction, so that none of them has to be left unfinished.

    One that lives on in a traceback would keep the snapshot that it reads, and with it what the
    write-ahead log holds of that, for as long.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.cursors: list[sqlite3.Cursor] = []

    def cursor(self, factory: Any = sqlite3.Cursor) -> Any:
        """A new one."""
        cursor = super().cursor(factory)
        self.cursors.append(cursor)
        return cursor


class MemoryDialect(SharedDialect):
    """Its one connection is the database: it goes with `end`, whatever the pool thinks of it."""

    supports_statement_cache = True
    _held: Any = None

    def connect(self, *cargs: Any, **cparams: Any) -> Any:
        """The connection, made when it is asked for first."""
        if self._held is None:
            connection = super().connect(*cargs, **cparams)
            self._furnish(connection)
            self._held = connection
        return self._held

    def on_connect(self) -> Callable[[Any], None]:
        """Does nothing: `connect` did it once for all, because it fails where a statement lives on."""
        return lambda _connection: None

    def _furnish(self, connection: Any) -> None:
        furnish = super().on_connect()
        if furnish is not None:
            furnish(connection)
        _on_connect(connection, None)

    def do_close(self, dbapi_connection: Any) -> None:
        """Take back what was not committed."""
        _rolled_back(dbapi_connection)

    def end(self, *, close: bool = True) -> None:
        """Close it.

        Or else only let go of it, as in a forked child, where another thread may have been using
        it.
        """
        held = self._held
        self._held = None
        if close and held is not None:
            super().do_close(held)


def _rolled_back(connection: _Listing) -> None:
    try:
        connection.rollback()
    except sqlite3.Error:
        return  # the disk failed, or it is closed: SQLite does it at the next opening
    finally:
        _end(connection.cursors)


def _end(cursors: list[sqlite3.Cursor]) -> None:
    """By calls of C alone, which nothing interrupts."""
    deque(map(sqlite3.Cursor.close, cursors), maxlen=0)
    cursors.clear()


for name, dialect in ((_NAME, SharedDialect), (_IN_MEMORY, MemoryDialect)):
    registry.register(name.replace("+", "."), __name__, dialect.__name__)


class _Idle(QueueCommon[Any]):
    """What SQLAlchemy's pool needs of a queue.

    Its own one locks with a `threading.Condition`: see `interrupt_safe`.
    """

    def __init__(self, maxsize: int = 0, use_lifo: bool = False) -> None:
        self.maxsize = maxsize
        self.use_lifo = use_lifo
        self._items: deque[Any] = deque()

    def empty(self) -> bool:
        """True if there is none."""
        return not self._items

    def full(self) -> bool:
        """True if there is room for no more."""
        return 0 < self.maxsize <= len(self._items)

    def qsize(self) -> int:
        """How many there are."""
        return len(self._items)

    def put_nowait(self, item: Any) -> None:
        """Add one, or raise `Full`."""
        if self.full():
            raise Full
        self._items.append(item)

    def put(self, item: Any, block: bool = True, timeout: float | None = None) -> None:  # noqa: ARG002
        """As `put_nowait`: the pool never waits to be rid of one."""
        self.put_nowait(item)

    def get_nowait(self) -> Any:
        """Take one, or raise `Empty`."""
        try:
            return self._items.pop() if self.use_lifo else self._items.popleft()
        except IndexError:
            raise Empty from None

    def get(self, block: bool = True, timeout: float | None = None) -> Any:
        """Take one; if it may `block`, wait so long for it."""
        end = math.inf if timeout is None else monotonic() + timeout
        while block and not self._items and monotonic() < end:
            pause(_AGAIN_SECONDS)
        return self.get_nowait()


class _FilePool(QueuePool):
    _queue_class = _Idle


def is_sqlite(url: str) -> bool:
    """Whether a URL names a SQLite file."""
    return url.startswith(("sqlite://", "sqlite+pysqlite://"))


def connect(target: Path | str | None, config: StorageConfig) -> Engine:
    """An engine for a file, for a URL of one, or for a database in memory (None).

    Raises:
        ConfigError: the URL cannot be used.
    """
    waiting = {
        "timeout": config.busy_timeout_seconds,
        "check_same_thread": False,
        "factory": _Listing,
    }
    shared = {"compiled_cache": _COMPILED}
    arguments: dict[str, Any] = {
        "connect_args": waiting,
        "hide_parameters": True,
        "execution_options": shared,
    }
    if target is None:
        return create_engine(f"{_IN_MEMORY}://", poolclass=StaticPool, **arguments)
    # Last in, first out: the connection used last has the pages in its cache that are needed next.
    try:
        url = URL.create(_NAME, database=str(target))
        if isinstance(target, str):
            url = make_url(target)
            url = url.set(drivername=_NAME, database=_file(url.database))
        sizes: dict[str, Any] = {"pool_size": 8, "max_overflow": 56, "pool_use_lifo": True}
        engine = create_engine(url, poolclass=_FilePool, **sizes, **arguments)
    except (SQLAlchemyError, TypeError, ValueError, OSError) as error:
        fix = "give sqlite:///FILE; for a bank in memory leave it and path out"
        raise ConfigError(
            f"storage.ledger_url is no usable address of a SQLite file; {fix}"
        ) from error
    event.listen(engine.pool, "connect", _on_connect)
    return engine


def _file(name: str | None) -> str:
    """Absolute: it is the same file when the program goes to another folder."""
    if not name or name == ":memory:" or name.startswith("file:"):
        raise ValueError("not the name of a file")
    return str(Path(name).absolute())


def _on_connect(connection: _Listing, _record: Any) -> None:
    try:
        _furnish(connection)
    finally:
        # What a pragma returns is not read to its end, and would stay in the way of commits.
        _end(connection.cursors)


def _furnish(connection: _Listing) -> None:
    connection.isolation_level = None
    (mark,), (pages,) = (
        connection.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "page_count")
    )
    if pages == 0:
        # A vector goes on in pages of its own and leaves little of the last one empty: a fifth less
        # room than with 8,192 bytes, a third less than with SQLite's own 4,096 (measured). A file
        # keeps the size with which it began.
        connection.execute("PRAGMA page_size=2048")
    if mark == APPLICATION_ID or pages == 0:
        # Write-ahead logging is a property of the file: another program's file is not to be
        # changed.
        connection.execute("PRAGMA journal_mode=WAL")
    for pragma in (
        *_SAFE,
        "foreign_keys=ON",
        f"cache_size=-{_PAGE_CACHE_KIB}",
        "temp_store=MEMORY",
    ):
        connection.execute(f"PRAGMA {pragma}")


@scope
def begun(engine: Engine, *, write: bool) -> Iterator[Connection]:
    """A connection in a new transaction: a snapshot to read from, or one that holds the file's only write lock.

    What is not committed is taken back, whatever ends the block.
    """
    connection = engine.connect()
    sound = False
    try:
        pooled = connection.connection
        pooled.info[_WRITE] = write
        raw: Any = pooled.driver_connection
        cursors = raw.cursors
        try:
            connection.begin()
            _check_facts(pooled.info, raw, write=write)
            yield connection
        finally:
            # First of all, and by calls of C alone: SQLAlchemy's own way can be interrupted.
            try:
                raw.rollback()
            except sqlite3.Error:
                connection.invalidate()
            finally:
                deque(map(sqlite3.Cursor.close, cursors), maxlen=0)
                cursors.clear()
        sound = True
        if kept := pooled.info.get(KEPT):
            pooled.info[FACTS] = kept
    finally:
        try:
            # A statement that lives on in a traceback keeps the snapshot that it reads: nobody
            # could write from there.
            if not sound:
                connection.invalidate()
        finally:
            connection.close()


def _check_facts(info: MutableMapping[Any, Any], raw: Any, *, write: bool) -> None:
    """Keep what was told on this connection while nobody has written since, see `table.FACTS`.

    The version that SQLite tells of a connection changes with the commits of all other ones, of any
    process, but not with its own: of what a transaction leaves only that is known which it tells.
    """
    ((version,),) = raw.execute("PRAGMA data_version").fetchall()
    facts = info.pop(FACTS, {})
    if info.get(_VERSION) != version or len(facts) > _MOST_FACTS:
        facts = {}
    info[_VERSION] = version
    info[KNOWN if write else FACTS] = facts
    info[KEPT] = {}


def copy_into(engine: Engine, path: Path, seconds: float) -> None:
    """Read a ledger into a database in memory; its folder stays as it is, and need not be writable.

    Args:
        engine: of the database in memory.
        path: the file.
        seconds: how long to wait for those who write there.
    """
    log = path.with_name(f"{path.name}-wal")
    with engine.connect() as connection, TemporaryDirectory() as scratch:
        target: Any = connection.connection.driver_connection
        if not log.exists():
            # Nobody has it open. SQLite makes no file beside one that it takes for unchangeable.
            _back_up(path, "immutable=1", target, seconds)
            return
        try:
            _back_up(path, "mode=ro", target, seconds)
        except sqlite3.OperationalError:
            # Beside the write-ahead log SQLite has to make a file, which it may not do there.
            copy = Path(scratch) / path.name
            with raw_file(path) as source, copy.open("wb") as file:
                shutil.copyfileobj(source, file)
            shutil.copyfile(log, copy.with_name(log.name))
            _back_up(copy, "mode=rw", target, seconds)


def _back_up(path: Path, how: str, target: sqlite3.Connection, seconds: float) -> None:
    with closing(sqlite3.connect(f"{path.as_uri()}?{how}", timeout=seconds, uri=True)) as source:
        source.backup(target)


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
    return int(connection.exec_driver_sql("PRAGMA application_id").scalar_one())
