"""The connection to an OpenAI-compatible server: key, address, and failures worth a retry.

Environment variables:
    OPENAI_API_KEY: the key, unless one is passed.
    OPENAI_BASE_URL: the server, unless one is passed; default https://api.openai.com/v1.
"""

from __future__ import annotations

import importlib.util
import os
import threading
import weakref
from typing import TYPE_CHECKING

from cogmem_core.errors import CogMemError

if TYPE_CHECKING:
    import openai
    import tenacity


_OLLAMA = "http://localhost:11434"

_RETRIED_STATUS = (408, 409, 429)


class Connection:
    """A client, made on first use; thread-safe.

    Building one neither imports `openai` nor connects.

    A forked child makes one of its own: over a connection that two processes share one reads the
    other's answer.

    Args:
        base_url: the server, up to and including `/v1`.
        api_key: the key; a server given by address may need none.
        timeout: seconds for a request that brings no limit of its own, > 0.
    """

    def __init__(self, base_url: str | None, api_key: str | None, timeout: float = 600.0) -> None:
        self._base_url = base_url
        self._api_key = api_key
        self._timeout = timeout
        self._lock = threading.Lock()
        self._client: openai.OpenAI | None = None
        _CONNECTIONS.add(self)

    def client(self, who: str, error: type[CogMemError]) -> openai.OpenAI:
        """The client.

        Args:
            who: as it stands in the message of the error.
            error: raised if `openai` is not installed or there is no key.
        """
        with self._lock:
            if self._client is None:
                problem = unusable(self._base_url, self._api_key)
                if problem:
                    raise error(f"{who} {problem}")
                self._client = self._connect()
            return self._client

    def close(self) -> None:
        """Close the connections; the next `client` opens new ones."""
        with self._lock:
            client = self._client
            self._client = None
        if client is not None:
            client.close()

    def renew(self) -> None:
        """In a forked child: leave the parent's client alone."""
        if self._client is not None:
            _INHERITED.append(self._client)
        self._lock = threading.Lock()
        self._client = None

    def _connect(self) -> openai.OpenAI:
        import openai

        # Local servers take any key, but the client insists on one.
        api_key = self._api_key or os.environ.get("OPENAI_API_KEY") or "unused"
        base_url = self._base_url or os.environ.get("OPENAI_BASE_URL")
        return openai.OpenAI(
            api_key=api_key, base_url=base_url, timeout=self._timeout, max_retries=0
        )


_CONNECTIONS: weakref.WeakSet[Connection] = weakref.WeakSet()
# These are kept, because a client that is collected closes its connections.
_INHERITED: list[openai.OpenAI] = []


def _renew() -> None:
    for connection in list(_CONNECTIONS):
        connection.renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)


def unusable(base_url: str | None = None, api_key: str | None = None) -> str | None:
    """Why no client can be made, to be put after a name; None if it can."""
    if importlib.util.find_spec("openai") is None:
        install = "pip install 'openai>=1.55.3'"
        return (
            f"needs the `openai` package; install it with `{install}` (the extra "
            "`cogmem-core[openai]`)"
        )
    if not any(
        (base_url, api_key, os.environ.get("OPENAI_BASE_URL"), os.environ.get("OPENAI_API_KEY"))
    ):
        return "has no key; set OPENAI_API_KEY or pass api_key"
    return None


def public_address(client: openai.OpenAI) -> str:
    """Where a client sends its requests, without credentials and parameters."""
    url = client.base_url
    return f"{url.scheme}://{url.netloc.decode()}{url.path}"


def is_transient(error: BaseException) -> bool:
    """Whether a request may be tried again: not reached, too late, or status 408, 409, 429 or 5xx.

    No spent quota.
    """
    import openai

    if isinstance(error, openai.APIStatusError):
        exhausted = getattr(error, "code", None) == "insufficient_quota"
        return not exhausted and (error.status_code in _RETRIED_STATUS or error.status_code >= 500)
    return isinstance(error, openai.APIConnectionError)


def retrying(attempts: int, backoff_seconds: float) -> tenacity.Retrying:
    """Calls again what failed for a reason that may pass (see `is_transient`), and raises what failed last.

    Args:
        attempts: in total.
        backoff_seconds: wait before the second attempt; doubles with each further one, at most 20
            seconds.
    """
    import tenacity

    return tenacity.Retrying(
        stop=tenacity.stop_after_attempt(attempts),
        wait=tenacity.wait_exponential(multiplier=backoff_seconds, max=20.0),
        retry=tenacity.retry_if_exception(is_transient),
        reraise=True,
    )


def ollama_address(host: str) -> str:
    """Where Ollama answers as OpenAI does, for what `OLLAMA_HOST` holds: a host, a port, or both."""
    text = host.strip().rstrip("/")
    if not text:
        return f"{_OLLAMA}/v1"
    if "://" in text:
        return text if text.endswith("/v1") else f"{text}/v1"
    name, _, port = text.rpartition(":")
    if not name:
        name, port = (text, "11434") if ":" not in text else ("localhost", port)
    # A server listens on all addresses there; a client has to name one.
    name = "localhost" if name == "0.0.0.0" else name  # noqa: S104
    return f"http://{name}:{port}/v1"
