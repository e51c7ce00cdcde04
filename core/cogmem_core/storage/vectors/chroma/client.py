"""How cogmem reaches Chroma: three ways to connect, a stop that really stops, errors made typed, forks survived.

chromadb is imported on first use (0.7 s). No collection is touched here.
"""

from __future__ import annotations

import ctypes
import os
import threading
import weakref
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from cogmem_core.base.error_texts import reason
from cogmem_core.base.exit_hooks import leave_first
from cogmem_core.base.timeouts import CallTimeout, TimeLimitedCaller
from cogmem_core.errors import ConfigError, StoreError
from cogmem_core.storage.files.folder import tighten_below

_SERVER_TIMEOUT_SECONDS = 30.0
_REMEDIES: Mapping[str, str] = {
    "folder": "check the disk, or build the index anew with `cogm reindex`",
    "memory": "make room in memory, or open the engine again",
    "server": "see that the server at storage.chroma_url runs, or correct the address",
}
"""What to do about a failure, by where Chroma runs. Searches are exact meanwhile."""
Answer = TypeVar("Answer")

_connecting = threading.Lock()
_live: weakref.WeakSet[Connection] = weakref.WeakSet()


class _Process:
    """What a fork inherits: whether embedded Chroma ran in this process, and whether it ran in its parent."""

    used = False
    forked_after_use = False


def _after_fork_in_child() -> None:
    global _connecting  # noqa: PLW0603 - another thread may have held it at the fork
    _connecting = threading.Lock()
    _Process.forked_after_use |= _Process.used
    for connection in list(_live):
        connection.leak()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)


def may_pass(error: StoreError) -> bool:
    """True if it is worth trying once more.

    A search during a write may meet a row that is only half there; a connection may be that of a
    server before it was restarted.
    """
    import httpx
    from chromadb.errors import InternalError

    broken = (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError)
    return isinstance(error.__cause__, (InternalError, *broken))


def fork_problem() -> str:
    """Why embedded Chroma must not be opened in this process; empty if it may.

    Chroma's thread pools do not survive a fork: in the child any client hangs, a new one in a new
    folder too.
    """
    if _Process.forked_after_use:
        return "this process was forked after its parent had opened Chroma; open the engine after the fork"
    return ""


class _Guard:
    """A context that turns whatever Chroma raises into a StoreError, after calling `on_failure`.

    Args:
        action: what Chroma was to do.
        remedy: what to do about a failure.
    """

    __slots__ = ("_action", "_on_failure", "_remedy")

    def __init__(self, action: str, on_failure: Callable[[], object], remedy: str) -> None:
        self._action = action
        self._on_failure = on_failure
        self._remedy = remedy

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: object, error: BaseException | None, _at: object) -> None:
        if error is not None and _is_chroma_failure(error):
            self._on_failure()
            raise StoreError(
                f"the vector index failed to {self._action}: {reason(error)}; {self._remedy}"
            ) from error


def _is_chroma_failure(error: BaseException) -> bool:
    import httpx
    from chromadb.errors import ChromaError

    # A panic of the Rust bindings derives from BaseException, and its class cannot be imported.
    builtin = (
        OSError,
        ValueError,
        TypeError,
        RuntimeError,
        LookupError,
        ArithmeticError,
        AttributeError,
        MemoryError,
    )
    return (
        isinstance(error, (ChromaError, httpx.HTTPError, *builtin))
        or type(error).__name__ == "PanicException"
    )


class Caller:
    """Calls Chroma: whatever it raises is a StoreError, and a call that does not return in time is given up as one.

    Chroma never returns from a write whose journal the disk does not let it delete (measured), nor
    do the calls that come after it: while such a call runs, others are refused at once.
    """

    def __init__(self, kind: str, seconds: float) -> None:
        self._patience = TimeLimitedCaller()
        self._seconds = seconds
        self._remedy = _REMEDIES[kind]

    def __call__(
        self,
        action: str,
        call: Callable[[], Answer],
        on_failure: Callable[[], object] = lambda: None,
    ) -> Answer:
        """What the call returns.

        Raises:
            StoreError: it failed, did not return in time, or an earlier one has not come back yet.
        """

        def guarded() -> Answer:
            with self.guard(action, on_failure):
                return call()

        try:
            return self._patience.call(guarded, self._seconds)
        except CallTimeout as error:
            raise StoreError(
                f"the vector index does not {action}: {error}; {self._remedy}"
            ) from error

    def guard(self, action: str, on_failure: Callable[[], object]) -> _Guard:
        """For a call that somebody else times."""
        return _Guard(action, on_failure, self._remedy)

    @property
    def hung(self) -> bool:
        """True while a call that was given up has not come back."""
        return self._patience.late


class Connection:
    """A Chroma client that can really be stopped, and the caller through which it is asked."""

    __slots__ = ("__weakref__", "broken", "call", "client", "folder", "kind")

    def __init__(self, client: Any, kind: str, call: Caller) -> None:
        self.client: Any = client
        self.kind = kind
        self.call = call
        self.broken = False
        self.folder: Path | None = None
        _live.add(self)

    @property
    def lost(self) -> bool:
        """True if nothing can be asked any more: a call hangs, or a write of embedded Chroma failed.

        What was called after such a write did not return for minutes, and held the interpreter lock
        (seen in a soak).
        """
        return self.broken or self.call.hung

    def wrote(self) -> None:
        """A write was done: what Chroma made meanwhile is nobody else's."""
        if self.folder is not None:
            tighten_below(self.folder)

    def fail(self) -> None:
        """A write failed."""
        self.broken = self.kind == "folder"

    def stop(self) -> None:
        """Stop the client and whatever runs below it; files are quiet soon after.

        One that hangs is left alone.
        """
        client = self.client
        if self.call.hung:
            self.leak()
        self.client = None
        if client is not None and not self.call.hung:
            self.call("close", lambda: self._stop(client))

    def _stop(self, client: Any) -> None:
        with _connecting:
            # A server's client and its inner admin client leave their sockets open when they are
            # closed.
            sessions = list(map(_session, (client, getattr(client, "_admin_client", None))))
            if hasattr(client, "close"):
                client.close()
            elif self.kind != "memory":
                _stop_old_client(client)
            for session in sessions:
                if session is not None:
                    session.close()

    def leak(self) -> None:
        """Never free the client: in a forked child its destructor waits for threads that do not exist."""
        server = getattr(self.client, "_server", None)
        for item in (self.client, server, getattr(server, "bindings", None)):
            if item is not None:
                ctypes.pythonapi.Py_IncRef(ctypes.py_object(item))
        self.client = None


def _session(client: Any) -> Any:
    return getattr(getattr(client, "_server", None), "_session", None)


def _stop_old_client(client: Any) -> None:
    # Before 1.5 a client had no close(): its system is stopped and forgotten, as the later close()
    # does.
    from chromadb.api.shared_system_client import SharedSystemClient

    systems = SharedSystemClient._identifier_to_system
    system = systems.pop(client._identifier, None)
    if system is not None:
        system.stop()


def _chromadb() -> Any:
    try:
        import chromadb
    except (ImportError, RuntimeError) as error:
        raise StoreError(f"chromadb cannot be imported ({reason(error)}); reinstall it") from error
    leave_first()
    return chromadb


def _settings(**values: Any) -> Any:
    from chromadb.config import Settings

    # Never the .env file of whatever folder the process was started in.
    make: Any = Settings
    return make(_env_file=None, anonymized_telemetry=False, allow_reset=False, **values)


def connect_folder(folder: Path, seconds: float) -> Connection:
    """Open embedded Chroma on a folder; only after `generations.gate` let it through.

    Args:
        seconds: how long this call, and each of those that follow on the connection, may take.

    Raises:
        StoreError: Chroma cannot open it.
    """
    chroma = _chromadb()
    settings = _settings()
    _Process.used = True
    opened = _connected(
        "open its folder", "folder", seconds, lambda: chroma.PersistentClient(str(folder), settings)
    )
    opened.folder = folder
    return opened


def connect_memory(seconds: float) -> Connection:
    """Open Chroma in memory. All such clients of a process share one store, so names must be unique per engine.

    Raises:
        StoreError: Chroma cannot be opened.
    """
    chroma = _chromadb()
    settings = _settings(is_persistent=False)
    _Process.used = True
    return _connected("open in memory", "memory", seconds, lambda: chroma.EphemeralClient(settings))


def connect_server(url: str, seconds: float) -> Connection:
    """Connect to a Chroma server at `http://host:port`.

    Raises:
        ConfigError: the address is not of that form.
        StoreError: the server does not answer.
    """
    host, port, secure = server_address(url)
    chroma = _chromadb()

    def connect() -> Any:
        client = chroma.HttpClient(host=host, port=port, ssl=secure, settings=_settings())
        # Chroma sets no time limit, and a recall must not wait for ever.
        session = _session(client)
        if session is not None:
            session.timeout = _SERVER_TIMEOUT_SECONDS
        return client

    return _connected("reach its server", "server", seconds, connect)


def _connected(action: str, kind: str, seconds: float, connect: Callable[[], Any]) -> Connection:
    call = Caller(kind, seconds)

    def one_at_a_time() -> Any:
        with _connecting:
            return connect()

    return Connection(call(action, one_at_a_time), kind, call)


def server_address(url: str) -> tuple[str, int, bool]:
    """Host, port and whether TLS is used.

    Raises:
        ConfigError: the address is not `http://host:port` or `https://host:port`.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        parts = urlsplit("")
        port = None
    host = parts.hostname
    if parts.scheme not in {"http", "https"} or not host or parts.username or parts.path.strip("/"):
        raise ConfigError(
            "storage.chroma_url is not of the form http://host:port, without credentials and path"
        )
    secure = parts.scheme == "https"
    return host, port or (443 if secure else 8000), secure
