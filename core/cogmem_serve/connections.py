"""Connections: how long a request may take to arrive, and how many may wait for theirs."""

from __future__ import annotations

import asyncio
import sys
from functools import partial
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from cogmem_serve.guard import Limits

IDLE_SECONDS = 75
"""How long a connection is kept for the next request: longer than a proxy keeps it."""


class Connection(H11Protocol):
    """A connection, which is closed if a request does not arrive in time, or too many wait for theirs.

    Args:
        limits: of the server.
        waiting: its connections whose request is not there as a whole, in the order in which they
            began to wait.
    """

    def __init__(
        self, *args: Any, limits: Limits, waiting: dict[Connection, None], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        # The guard answers what a body lacks in time; this ends what goes on after its answer.
        body_seconds = limits.head_seconds + limits.body_seconds
        self._seconds = {h11.IDLE: limits.head_seconds, h11.SEND_BODY: body_seconds}
        self._most = _most(limits.waiting)
        self._waiting = waiting
        self._awaited: object = None
        self._end: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody connects: the head of a request is awaited."""
        super().connection_made(transport)
        self._queue()
        self._bound()

    def data_received(self, data: bytes) -> None:
        """A piece arrives; it gives no more time."""
        super().data_received(data)
        self._bound()

    def handle_events(self) -> None:
        """Look what is there; after an answer the next request is awaited, as long as uvicorn says."""
        super().handle_events()
        self._queue()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is closed."""
        super().connection_lost(exc)
        self._waiting.pop(self, None)
        self._set_end(None)

    def _queue(self) -> None:
        if self.conn.their_state not in self._seconds:
            self._waiting.pop(self, None)
            return
        self._waiting.setdefault(self)
        if len(self._waiting) > self._most:
            oldest = next(iter(self._waiting))
            del self._waiting[oldest]
            oldest.transport.abort()

    def _bound(self) -> None:
        """Set the end of the part that is awaited, once."""
        if self.conn.their_state is not self._awaited:
            self._awaited = self.conn.their_state
            self._set_end(self._seconds.get(self._awaited))

    def _set_end(self, seconds: float | None) -> None:
        if self._end is not None:
            self._end.cancel()
        self._end = None if seconds is None else self.loop.call_later(seconds, self.transport.abort)


def server(app: Any, limits: Limits) -> uvicorn.Server:
    """What serves an application until a signal comes; what is being answered then is answered."""
    config = uvicorn.Config(
        app,
        http=partial(Connection, limits=limits, waiting={}),  # type: ignore[arg-type]
        ws="none",
        h11_max_incomplete_event_size=limits.head_bytes,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=limits.drain_seconds,  # type: ignore[arg-type]
        timeout_keep_alive=IDLE_SECONDS,
    )
    return uvicorn.Server(config)


def _most(wanted: int) -> int:
    """At most half of the files that the process may open: the rest is for answers, and the bank."""
    if sys.platform == "win32":
        return wanted
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return wanted if soft == resource.RLIM_INFINITY else min(wanted, soft // 2)
