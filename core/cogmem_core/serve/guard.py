"""What stands before every route: the host's name, the size of a body, how often, who calls, and headers."""

from __future__ import annotations

import ipaddress
import re
import threading
from collections.abc import Awaitable, Callable, Collection
from functools import partial

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cogmem_core import checks
from cogmem_core.errors import InvalidInput
from cogmem_core.lru import LRUCache
from cogmem_core.runtime import monotonic
from cogmem_core.serve.access import Caller
from cogmem_core.serve.limits import Limits
from cogmem_core.serve.problems import problem_response
from cogmem_core.serve.refusal import Problem
from cogmem_core.serve.sessions import Sessions

__all__ = ["BEARER_PATHS", "FOLLOWING", "Guard", "RateLimit", "caller_of", "host_names"]

BEARER_PATHS = ("/v1", "/mcp", "/metrics")
"""Below these a key is needed; the pages have sessions."""
_CALLERS = 10_000
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_HOST_NAME = re.compile(rf"(?=.{{1,253}}\Z){_LABEL}(?:\.{_LABEL})*", re.IGNORECASE | re.ASCII)
_POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
FOLLOWING = f"{_POLICY}; script-src 'self'; connect-src 'self'"
"""The policy of a page that follows a piece of work: no other page runs any script."""
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class RateLimit:
    """Token buckets by name: so many at once, and as many a minute later. Thread-safe."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = monotonic) -> None:
        self._size = float(per_minute)
        self._clock = clock
        self._lock = threading.Lock()
        self._buckets: LRUCache[str, tuple[float, float]] = LRUCache(_CALLERS)

    def take(self, name: str, amount: float = 1.0) -> float:
        """Take from a bucket; returns the seconds to wait if it is empty, 0 if it was not.

        Args:
            name: of the bucket.
            amount: 0 only looks.
        """
        with self._lock:
            now = self._clock()
            tokens, since = self._buckets.get(name) or (self._size, now)
            tokens = min(self._size, tokens + (now - since) * self._size / 60.0)
            if tokens < 1.0:
                self._buckets.put(name, (tokens, now))
                return (1.0 - tokens) * 60.0 / self._size
            self._buckets.put(name, (tokens - amount, now))
            return 0.0


class Guard:
    """An ASGI middleware: refuses what is not to reach a route, and says who calls.

    `scope["state"]["caller"]` is the `Caller`, or None on pages before the login.

    Args:
        app: what it stands before.
        sessions: of the pages; their keys open the rest.
        hosts: names by which the server may be called besides `localhost`, as `host_names` gives
            them. Addresses are always right: a name that somebody points at this machine (DNS
            rebinding) is none.
        limits: what is taken.
        open_metrics: `/metrics` needs no key.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        sessions: Sessions,
        hosts: Collection[str],
        limits: Limits,
        open_metrics: bool,
    ) -> None:
        self._app = app
        self._sessions = sessions
        self._hosts = {"localhost", *hosts}
        self._limits = limits
        self._open_metrics = open_metrics
        self._requests = RateLimit(limits.requests_per_minute)
        self._failures = RateLimit(limits.failures_per_minute)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        send = _with_headers(send)
        request = Request(scope)
        try:
            self._check_host(request)
            caller = self._caller(request)
            self._check_rate(request, caller)
            receive = await self._body(request, receive)
        except Problem as problem:
            await problem_response(problem)(scope, receive, send)
            return
        request.state.caller = caller
        request.state.refuse_failure = partial(self._fail, request)
        await self._app(scope, receive, send)

    def _check_host(self, request: Request) -> None:
        hosts = request.headers.getlist("host")
        name = host_name(hosts[0]) if len(hosts) == 1 else ""
        if name not in self._hosts and not _is_address(name):
            raise Problem(
                421,
                "this server is not called by that name; `cogm serve --host-name NAME` adds one",
            )

    def _caller(self, request: Request) -> Caller | None:
        path = request.url.path
        bearer = _bearer(request.headers)
        keyed = any(path == root or path.startswith(f"{root}/") for root in BEARER_PATHS)
        if bearer is not None:
            caller = self._sessions.keys.caller(bearer)
        elif keyed:
            caller = None
        else:
            return self._sessions.caller(request)
        if caller is not None or (path == "/metrics" and self._open_metrics and bearer is None):
            return caller
        self._fail(request)
        raise Problem(
            401,
            "send `Authorization: Bearer KEY` with a key that is valid; `cogm keys add` makes one",
            headers={"www-authenticate": 'Bearer realm="cogmem"'},
        )

    def _fail(self, request: Request) -> None:
        """Count a refused key; somebody who tries many waits."""
        _refuse_often(self._failures.take(client_of(request)))

    def _check_rate(self, request: Request, caller: Caller | None) -> None:
        name = client_of(request) if caller is None else f"{caller.key_id}:{caller.name}"
        _refuse_often(self._requests.take(name))

    async def _body(self, request: Request, receive: Receive) -> Receive:
        """The body as it came, which is not too large, and came in time."""
        limit = self._limits.body_bytes
        length = request.headers.get("content-length", "0")
        if length.isdigit() and int(length) > limit:
            raise _too_large(limit)
        return _counted(receive, limit)


def caller_of(request: Request) -> Caller:
    """Who sent the request.

    Raises:
        Problem: 401, nobody that is known.
    """
    caller: Caller | None = getattr(request.state, "caller", None)
    if caller is None:
        raise Problem(401, "log in first")
    return caller


def client_of(request: Request) -> str:
    """The address that a request comes from."""
    return request.client.host if request.client is not None else "unknown"


def host_name(header: str) -> str:
    """The name or address in a `Host` header, without its port."""
    if header.startswith("["):
        return header[1:].partition("]")[0].lower()
    return header.partition(":")[0].lower()


def host_names(argument: str, names: object) -> tuple[str, ...]:
    """Names by which a server is called, as a `Host` header has them: in lower case, without a port.

    Args:
        argument: what the caller calls the list.
        names: the list.

    Raises:
        InvalidInput: it is none, or one of them can be no host's name.
    """
    listed = checks.listed(argument, names)
    for name in listed:
        if not isinstance(name, str) or not (_HOST_NAME.fullmatch(name) or _is_address(name)):
            raise InvalidInput(
                f"{argument} holds {checks.display(name)}, which can be no host's name; give one "
                "such as memory.example: letters, digits, dots and hyphens, without http:// and "
                "port (of other letters the form with xn--)"
            )
    return tuple(name.lower() for name in listed)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _bearer(headers: Headers) -> str | None:
    """The key of an `Authorization` header; None if there is no such header."""
    header = headers.get("authorization")
    if header is None:
        return None
    scheme, _, secret = header.partition(" ")
    return secret.strip() if scheme.lower() == "bearer" else ""


def _refuse_often(seconds: float) -> None:
    if seconds > 0:
        wait = {"retry-after": str(int(seconds) + 1)}
        raise Problem(429, "too many requests; wait and try again", headers=wait)


def _too_large(limit: int) -> Problem:
    return Problem(413, f"the body is larger than {limit:,} bytes; send less at once")


def _counted(receive: Receive, limit: int) -> Receive:
    """The messages of a body, until it is too large."""
    received = 0

    async def counted() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > limit:
            raise _too_large(limit)
        return message

    return counted


def _with_headers(send: Send) -> Callable[[Message], Awaitable[None]]:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("cache-control", "no-store")
        await send(message)

    return sending
