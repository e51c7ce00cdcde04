"""How cogmem reaches Chroma: three ways to connect, a stop that really stops, errors made typed, forks survived.

chromadb is imported on first use (0.7 s). No collection is touched here.
"""

from __future__ import annotations

import ctypes
import os
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from cogmem.errors import ConfigError, StoreError

__all__ = [
    "Connection",
    "Guard",
    "connect_folder",
    "connect_memory",
    "connect_server",
    "fork_problem",
    "may_pass",
    "server_address",
]

_SERVER_TIMEOUT_SECONDS = 30.0

_connecting = threading.Lock()
_live: weakref.WeakSet[Connection] = weakref.WeakSet()


class _Process:
    """What a fork inherits: whether embedded Chroma ran in this process, and whether it ran in its parent."""

    used = False
    forked_after_use = False


def _after_fork_in_child() -> None:
    global _connecting  # noqa: PLW0603 - another thread may have held it at the fork
    _connecting = threading.Lock()
    _Process.forked_after_use = _Process.forked_after_use or _Process.used
    for connection in list(_live):
        connection.leak()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)


def may_pass(error: StoreError) -> bool:
    """True if it is worth trying once more.

    A search during a write may meet a row that is only half there; a connection may be that of a server before it was
    restarted.
    """
    import httpx
    from chromadb.errors import InternalError

    broken = (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError)
    return isinstance(error.__cause__, (InternalError, *broken))


def fork_problem() -> str:
    """Why embedded Chroma must not be opened in this process; empty if it may.

    Chroma's thread pools do not survive a fork: in the child any client hangs, a new one in a new folder too.
    """
    if _Process.forked_after_use:
        return "this process was forked after its parent had opened Chroma; open the engine after the fork"
    return ""


class Guard:
    """A context that turns whatever Chroma raises into a StoreError, after calling `on_failure`."""

    __slots__ = ("_action", "_on_failure")

    def __init__(self, action: str, on_failure: Callable[[], object] = lambda: None) -> None:
        self._action, self._on_failure = action, on_failure

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if error is not None and _is_chroma_failure(error):
            self._on_failure()
            raise StoreError(f"the vector index failed to {self._action}: {error}") from error


def _is_chroma_failure(error: BaseException) -> bool:
    import httpx
    from chromadb.errors import ChromaError

    # A panic of the Rust bindings derives from BaseException, and its class cannot be imported.
    builtin = (OSError, ValueError, TypeError, RuntimeError, LookupError, ArithmeticError, AttributeError, MemoryError)
    return isinstance(error, (ChromaError, httpx.HTTPError, *builtin)) or type(error).__name__ == "PanicException"


class Connection:
    """A Chroma client that can really be stopped."""

    __slots__ = ("__weakref__", "client", "kind")

    def __init__(self, client: Any, kind: str) -> None:
        self.client: Any = client
        self.kind = kind
        _live.add(self)

    def stop(self) -> None:
        """Stop the client and whatever runs below it; files are quiet soon after."""
        client, self.client = self.client, None
        if client is None:
            return
        with _connecting, Guard("close"):
            # A server's client and its inner admin client leave their sockets open when they are closed.
            sessions = [_session(owner) for owner in (client, getattr(client, "_admin_client", None))]
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
    # Before 1.5 a client had no close(): its system is stopped and forgotten, as the later close() does.
    from chromadb.api.shared_system_client import SharedSystemClient

    known = SharedSystemClient._identifier_to_system
    system = known.pop(client._identifier, None)
    if system is not None:
        system.stop()


def _chromadb() -> Any:
    try:
        import chromadb
    except (ImportError, RuntimeError) as error:
        raise StoreError(f"chromadb cannot be imported: {error}; reinstall it") from error
    return chromadb


def _settings(**values: Any) -> Any:
    from chromadb.config import Settings

    # Never the .env file of whatever folder the process was started in.
    make: Any = Settings
    return make(_env_file=None, anonymized_telemetry=False, allow_reset=False, **values)


def connect_folder(folder: Path) -> Connection:
    """Open embedded Chroma on a folder; only after `generations.gate` let it through.

    Raises:
        StoreError: Chroma cannot open it.
    """
    chroma = _chromadb()
    _Process.used = True
    with _connecting, Guard("open its folder"):
        return Connection(chroma.PersistentClient(path=str(folder), settings=_settings()), "folder")


def connect_memory() -> Connection:
    """Open Chroma in memory. All such clients of a process share one store, so names must be unique per engine.

    Raises:
        StoreError: Chroma cannot be opened.
    """
    chroma = _chromadb()
    _Process.used = True
    with _connecting, Guard("open in memory"):
        return Connection(chroma.EphemeralClient(settings=_settings(is_persistent=False)), "memory")


def connect_server(url: str) -> Connection:
    """Connect to a Chroma server at `http://host:port`.

    Raises:
        ConfigError: the address is not of that form.
        StoreError: the server does not answer.
    """
    host, port, secure = server_address(url)
    chroma = _chromadb()
    with _connecting, Guard("reach its server"):
        client = chroma.HttpClient(host=host, port=port, ssl=secure, settings=_settings())
        # Chroma sets no time limit, and a recall must not wait for ever.
        session = _session(client)
        if session is not None:
            session.timeout = _SERVER_TIMEOUT_SECONDS
        return Connection(client, "server")


def server_address(url: str) -> tuple[str, int, bool]:
    """Host, port and whether TLS is used.

    Raises:
        ConfigError: the address is not `http://host:port` or `https://host:port`.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        parts, host, port = urlsplit(""), None, None
    if parts.scheme not in {"http", "https"} or not host or parts.username or parts.path.strip("/"):
        raise ConfigError("storage.chroma_url is not of the form http://host:port, without credentials and path")
    secure = parts.scheme == "https"
    return host, port or (443 if secure else 8000), secure
