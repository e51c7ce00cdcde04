"""PostgreSQL: how it is connected to, how long it may take, and which of its failures pass by themselves.

Nothing here lives longer than a transaction: time-outs are set in it, locks end with it, statements
are not prepared (unless asked for). So a pooler may hand every transaction another session.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, Engine, create_engine, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from cogmem_core.base.error_texts import reason
from cogmem_core.base.interrupt_safe import scope
from cogmem_core.config import StorageConfig
from cogmem_core.errors import ConfigError
from cogmem_core.storage.ledger.schema import narrow_for_postgresql

Value = TypeVar("Value")
_FORM = "postgresql+psycopg://user@host/db"
_KIND = ("postgresql", "psycopg")
_ENCODE = "percent-encode @, :, / and ? in the password (@ is %40)"
# Of the driver: it takes less for a mistake, and prepares what was sent so often.
_LEAST_CONNECT_SECONDS = 2
_PREPARED_FROM = 5
_IDLE_CONNECTIONS = 5
_READING = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
_LIMITS = "SELECT set_config('lock_timeout', :locks, true), set_config('statement_timeout', :statements, true)"
# Serialization failure and deadlock: the transaction was rolled back, and may succeed when it is
# tried again.
_COLLIDED = frozenset({"40001", "40P01"})
# A lock or a statement took too long; too many sessions.
_BUSY = frozenset({"55P03", "57014", "53300"})
# Shut down by the administrator, crashed, not up yet.
_DOWN = frozenset({"57P01", "57P02", "57P03"})
# What a server says when it refuses a session for good; such errors carry no state.
_REFUSED = (
    "authentication failed",
    "no password supplied",
    "does not exist",
    "pg_hba.conf",
    "permission denied",
)
# The parts of a message that are always the same: what stands beside them may be anybody's words.
_PHRASES = (
    *_REFUSED,
    "connection refused",
    "could not translate host name",
    "failed to resolve host",
    "no route to host",
    "connection timeout expired",
    "timeout expired",
    "server closed the connection unexpectedly",
    "the database system is starting up",
    "the database system is shutting down",
    "too many clients already",
    "remaining connection slots are reserved",
    "certificate verify failed",
    "server does not support ssl",
)
_STATES = {
    "40001": "it collided with another transaction",
    "40P01": "it collided with another transaction",
    "53100": "the server's disk is full",
    "53300": "there are too many sessions",
    "55P03": "a lock was held for too long (lock timeout)",
    "57014": "a statement took too long (statement timeout)",
    "57P01": "the administrator ended the session",
    "57P03": "the server does not take sessions now",
}
_FIRST_WAIT_SECONDS = 0.05
_LONGEST_WAIT_SECONDS = 1.0


class Locks(NamedTuple):
    """PostgreSQL's advisory locks, by their keys.

    Attributes:
        alone: those that nobody else has meanwhile.
        shared: such that others may have at the same time.
    """

    alone: Sequence[int] = ()
    shared: Sequence[int] = ()


def lock_key(*names: str) -> int:
    """The number of an advisory lock: 64 bits of a SHA-256 of its names, signed."""
    return int.from_bytes(
        hashlib.sha256("\0".join(names).encode()).digest()[:8], "big", signed=True
    )


def connect(url: str, config: StorageConfig) -> Engine:
    """A pool of connections; none is opened yet.

    Raises:
        ConfigError: the URL cannot be read, its password is not encoded, or its driver is not
            installed. The message does not quote the URL.
    """
    if re.match(r"postgres\b", url):
        raise ConfigError(
            f"storage.ledger_url begins with postgres; write postgresql+psycopg, as in {_FORM}"
        )
    try:
        target = make_url(url)
        torn = _torn(target)
        kind = (target.get_backend_name(), target.get_driver_name())
        engine = create_engine(target, **_settings(config)) if kind == _KIND and not torn else None
    except ImportError:
        raise ConfigError(
            "storage.ledger_url cannot be used: its driver is not installed; pip install "
            "'psycopg[binary]>=3.1.18', "
            f"and give a URL such as {_FORM}"
        ) from None
    except (ArgumentError, NoSuchModuleError, ValueError):
        raise ConfigError(
            "storage.ledger_url cannot be used: it is not a SQLAlchemy URL; give one such as "
            f"{_FORM}, and {_ENCODE}"
        ) from None
    if torn:
        raise ConfigError(f"storage.ledger_url has more than one @; {_ENCODE}")
    if engine is None:
        raise ConfigError(
            f"storage.ledger_url names {'+'.join(kind)}; give {_FORM}, or sqlite:///file"
        )
    narrow_for_postgresql()
    return engine


def _torn(target: URL) -> bool:
    """Whether the end of a password was taken for a host, and would stand in every error about it."""
    return "@" in f"{target.host or ''}{target.database or ''}"


def _settings(config: StorageConfig) -> dict[str, Any]:
    return {
        "pool_pre_ping": True,
        "pool_size": min(_IDLE_CONNECTIONS, config.connections),
        "max_overflow": max(0, config.connections - _IDLE_CONNECTIONS),
        "pool_timeout": config.busy_timeout_seconds,
        # What somebody said must not stand in an error.
        "hide_parameters": True,
        "connect_args": {
            "connect_timeout": max(_LEAST_CONNECT_SECONDS, round(config.reach_seconds)),
            "application_name": "cogmem",
            "prepare_threshold": _PREPARED_FROM if config.prepared_statements else None,
        },
    }


@scope
def begun(
    engine: Engine,
    config: StorageConfig,
    *,
    write: bool,
    locks: Locks,
) -> Iterator[Connection]:
    """A connection in a new transaction: a snapshot to read from, or one that writes once it has its locks.

    What is not committed is taken back, whatever ends the block.
    """
    connection = persistent(  # the server may be restarting
        lambda: _begin(engine, config, write=write, locks=locks), config, lost
    )
    try:
        yield connection
    finally:
        try:
            connection.close()
        finally:
            if not connection.closed:
                connection.close()  # an interrupt came first


def _begin(
    engine: Engine,
    config: StorageConfig,
    *,
    write: bool,
    locks: Locks,
) -> Connection:
    connection = engine.connect()
    with ExitStack() as undone:
        undone.callback(connection.close)
        if not write:
            connection = connection.execution_options(**_READING)
        connection.begin()
        calls = [f"pg_advisory_xact_lock_shared({key})" for key in locks.shared]
        calls += [f"pg_advisory_xact_lock({key})" for key in locks.alone]
        limits = {
            "locks": _milliseconds(config.busy_timeout_seconds),
            "statements": _milliseconds(config.statement_seconds),
        }
        # One round trip; the list is worked off from left to right, so the time-out holds for the
        # locks.
        connection.execute(text(", ".join([_LIMITS, *calls])), limits)
        undone.pop_all()
    return connection


def _milliseconds(seconds: float) -> str:
    return str(max(1, round(seconds * 1000)))


def _state(error: BaseException) -> str:
    return str(getattr(getattr(error, "orig", None), "sqlstate", None) or "")


def lost(error: BaseException) -> bool:
    """True if the server cannot be reached, or the session broke off."""
    if not isinstance(error, DBAPIError) or isinstance(error.orig, sqlite3.Error):
        return False
    state = _state(error)
    broken = error.connection_invalidated or state in _DOWN or state.startswith("08")
    refused = any(words in str(error.orig) for words in _REFUSED)
    # A connection that could not be made has no state at all.
    return broken or (not state and not refused and type(error.orig).__name__ == "OperationalError")


def describe_error(error: BaseException) -> str:
    """What may be shown of a failure: its class, its state and known phrases, since a message may quote a row."""
    state = str(getattr(error, "sqlstate", None) or "")
    text = str(error).lower()
    phrases = [phrase for phrase in _PHRASES if phrase in text] if not state else []
    cause = _STATES.get(state) or ", ".join(phrases[:2])
    name = f"{type(error).__name__}, state {state}" if state else type(error).__name__
    if cause:
        return f"{cause} ({name})"
    return name if state else reason(error)


def busy(error: BaseException) -> bool:
    """True if a lock or a statement took too long, or there are too many sessions."""
    return isinstance(error, DBAPIError) and _state(error) in _BUSY


def transient(error: BaseException) -> bool:
    """True if the same transaction may succeed when it is tried again now: it collided, or the session was lost."""
    return lost(error) or (isinstance(error, DBAPIError) and _state(error) in _COLLIDED)


def persistent(
    attempt: Callable[[], Value], config: StorageConfig, may_retry: Callable[[BaseException], bool]
) -> Value:
    """Try a whole transaction again while its failure is one that passes, for `storage.reach_seconds`."""
    import tenacity

    return tenacity.Retrying(
        retry=tenacity.retry_if_exception(may_retry),
        wait=tenacity.wait_random_exponential(
            multiplier=_FIRST_WAIT_SECONDS, max=_LONGEST_WAIT_SECONDS
        ),
        stop=tenacity.stop_after_delay(config.reach_seconds),
        reraise=True,
    )(attempt)
