"""What stands before every route: the host's name, the size of a body, how often, who calls, and headers."""

from __future__ import annotations

import asyncio
import ipaddress
import re
import threading
from collections.abc import Collection
from dataclasses import dataclass
from functools import partial

import anyio
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cogmem_core.base.lru import LRUCache
from cogmem_core.base.runtime import monotonic
from cogmem_core.edge import checks
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.errors import InvalidInput, StoreError
from cogmem_serve.access import Caller
from cogmem_serve.problems import Problem, problem_response
from cogmem_serve.sessions import Sessions


@dataclass(frozen=True, slots=True)
class Limits:
    """What the server takes.

    Attributes:
        body_bytes: of one request, 1 or more.
        requests_per_minute: of one key, 1 or more; so many at once, and as many a minute later.
        failures_per_minute: refused keys and logins of one address, 1 or more.
        body_seconds: in which a body must arrive, above 0.
        head_bytes: of the address and headers of one request, 1 or more.
        head_seconds: in which they must arrive, above 0.
        waiting: connections on which a request has not arrived as a whole, 1 or more; beyond these,
            or half of the files that the process may open, the one that waits longest is closed.
        drain_seconds: what is being answered may take when the server is to stop, above 0.
        readers: threads that answer what only reads, 1 or more. Measured with 64 clients on two
            cores: with 4 or more the slowest of them wait three times longer, and no more is done.
            More help where a recall waits for an embedder or a language model on a server.
    """

    body_bytes: int = 4 * 2**20
    requests_per_minute: int = 6_000
    failures_per_minute: int = 30
    body_seconds: float = 30.0
    head_bytes: int = 64 * 2**10
    head_seconds: float = 10.0
    waiting: int = 512
    drain_seconds: float = 10.0
    readers: int = 2


BEARER_PATHS = ("/v1/", "/mcp/", "/metrics/")
"""Below these a key is needed; the pages have sessions."""
_CALLERS = 10_000
_BEFORE_LOGIN = 2**16
"""Bytes of a body from whom nobody knows yet: a key is shorter."""
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_HOST_NAME = re.compile(rf"(?=.{{1,253}}\Z){_LABEL}(?:\.{_LABEL})*", re.IGNORECASE | re.ASCII)
_POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
FOLLOWING = f"{_POLICY}; script-src 'self'; connect-src 'self'"
"""The policy of a page that follows a piece of work, or asks for the zone: no other runs any script."""
INCOGNITO = "X-Cogmem-Incognito"
"""The header of a request of which nothing is kept."""
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

    def __init__(self, per_minute: int) -> None:
        self._size = float(per_minute)
        self._lock = threading.Lock()
        self._buckets: LRUCache[str, tuple[float, float]] = LRUCache(_CALLERS)

    def take(self, name: str) -> float:
        """Take from a bucket; returns the seconds to wait if it is empty, 0 if it was not."""
        with self._lock:
            now = monotonic()
            tokens, since = self._buckets.get(name) or (self._size, now)
            tokens = min(self._size, tokens + (now - since) * self._size / 60.0)
            if tokens < 1.0:
                self._buckets.put(name, (tokens, now))
                return (1.0 - tokens) * 60.0 / self._size
            self._buckets.put(name, (tokens - 1.0, now))
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
        answer = _Answer(send)
        request = Request(scope, receive)
        try:
            self._check_host(request)
            caller = self._caller(request)
            name = client_of(request) if caller is None else f"{caller.key_id}:{caller.name}"
            _refuse_often(self._requests.take(name))
            whole = _again(await self._body(request, caller), receive)
        except (Problem, StoreError) as problem:
            await problem_response(problem)(scope, receive, answer.send)
            return
        request.state.caller = caller
        request.state.refuse_failure = partial(self._fail, request)
        try:
            await self._app(scope, whole, answer.send)
        except asyncio.CancelledError:
            if answer.has_begun:
                raise
            await problem_response(_stopped())(scope, receive, answer.send)

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
        if bearer is not None:
            caller = self._sessions.keys.caller(bearer)
        elif f"{path}/".startswith(BEARER_PATHS):
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

    async def _body(self, request: Request, caller: Caller | None) -> bytes:
        """All of the body, which is not too large, and arrives in time; nothing is done before."""
        limit, seconds = self._limits.body_bytes, self._limits.body_seconds
        if caller is None:
            limit = min(limit, _BEFORE_LOGIN)
        length = request.headers.get("content-length", "")
        _check_size(int(length) if length.isdecimal() else 0, limit)
        body = bytearray()
        try:
            with anyio.fail_after(seconds):
                async for part in request.stream():
                    _check_size(len(body) + len(part), limit)
                    body += part
        except TimeoutError as error:
            raise Problem(408, f"the body took more than {seconds:g} s") from error
        except ClientDisconnect as error:
            raise Problem(400, "the body broke off; nothing was changed") from error
        return bytes(body)


class _Answer:
    """An answer as it is sent, with the headers that all have.

    Attributes:
        has_begun: its status was sent.
    """

    def __init__(self, send: Send) -> None:
        self._send = send
        self.has_begun = False

    async def send(self, message: Message) -> None:
        """Send a part."""
        if message["type"] == "http.response.start":
            self.has_begun = True
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("cache-control", "no-store")
        await self._send(message)


def caller_of(request: Request) -> Caller:
    """Who sent the request.

    Raises:
        Problem: 401, nobody that is known.
    """
    caller: Caller | None = getattr(request.state, "caller", None)
    if caller is None:
        raise Problem(401, "log in first")
    return caller


def bank_of(request: Request, engine: Engine, namespace: str | None) -> MemoryBank:
    """The memories of a request, as `Caller.bank`; incognito if its header says so.

    Raises:
        Problem: 400, the header says something else than 1 or 0; as of `caller_of` and `Caller.bank`.
    """
    told = request.headers.get(INCOGNITO, "0")
    if told not in ("0", "1"):
        raise Problem(400, f"{INCOGNITO} is neither 1 nor 0; give 1, or leave it out")
    return caller_of(request).bank(engine, namespace).incognito(told == "1")


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


def _check_size(size: int, limit: int) -> None:
    if size > limit:
        raise Problem(
            413,
            f"the body is larger than {limit:,} bytes; send less at once, and log in before",
        )


def _stopped() -> Problem:
    return Problem(
        503,
        "the server is stopping before this was done; what it has kept of it is finished when it "
        "starts again: look before you send it once more",
        headers={"retry-after": "30"},
    )


def _again(body: bytes, receive: Receive) -> Receive:
    """A body that was read, as if it arrived now, and what comes after it."""
    parts: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def received() -> Message:
        return parts.pop() if parts else await receive()

    return received
