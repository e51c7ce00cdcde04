"""`/metrics` for Prometheus: requests by route, and how the engine is doing; no text and no namespace in it."""

from __future__ import annotations

from collections.abc import Iterable

from prometheus_client import CollectorRegistry, Counter, Histogram
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cogmem_core.base.runtime import monotonic
from cogmem_core.engine import Engine
from cogmem_core.observability.prometheus import CONTENT_TYPE, PrometheusExporter

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """The figures of one application.

    Attributes:
        registry: holds them; others may add theirs.
        paths: the path of each endpoint, with its parameters in braces.
    """

    def __init__(self, engine: Engine) -> None:
        self.registry = CollectorRegistry()
        self.paths: dict[object, str] = {}
        self.requests = Counter(
            "cogmem_http_requests",
            "Requests by route and status.",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "cogmem_http_request_seconds",
            "Seconds that a request took.",
            ("route",),
            buckets=_SECONDS,
            registry=self.registry,
        )
        self._exporter = PrometheusExporter(engine.metrics, self.registry)

    def name_routes(self, routes: Iterable[BaseRoute]) -> None:
        """Know the routes by their endpoints."""
        for route in routes:
            if isinstance(route, Route):
                self.paths[route.endpoint] = route.path

    def route_of(self, scope: Scope) -> str:
        """The path of the route that answered; of what is mounted, where; "none" if none did."""
        return self.paths.get(scope.get("endpoint")) or scope.get("root_path") or "none"

    def response(self, _: Request) -> Response:
        """All figures, in the text format of Prometheus."""
        return Response(self._exporter.text(), media_type=CONTENT_TYPE)

    def close(self) -> None:
        """Count no more of what the engine does."""
        self._exporter.close()


class Measured:
    """An ASGI middleware that counts and times requests, by the route that answered."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = monotonic()
        status = 500

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, sending)
        finally:
            route = self._metrics.route_of(scope)
            method = scope["method"] if scope["method"] in _METHODS else "other"
            self._metrics.requests.labels(method, route, str(status)).inc()
            self._metrics.seconds.labels(route).observe(monotonic() - started)


_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
