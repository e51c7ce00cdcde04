"""The application: its routes, and what stands before them."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from cogmem_core.engine import Engine
from cogmem_core.errors import CogMemError
from cogmem_serve.api import api_routes
from cogmem_serve.guard import Guard, Limits, host_names
from cogmem_serve.keys import KeyRing
from cogmem_serve.metrics import Measured, Metrics
from cogmem_serve.operations import in_requests, without_calls
from cogmem_serve.pages import page_routes, problem_page
from cogmem_serve.pages.jobs import Jobs
from cogmem_serve.problems import Problem, problem_of, problem_response
from cogmem_serve.sessions import LoginTokens, Sessions

_PAGE_PATHS = ("/ui/", "/logout/", "/preferences/")
_WAIT_SECONDS = 10.0
"""For what pages have begun, when the server is to stop."""
Lifespan = Callable[[], AbstractAsyncContextManager[object]]


def create_app(
    engine: Engine,
    *,
    keys: KeyRing | None = None,
    logins: LoginTokens | None = None,
    hosts: Collection[str] = (),
    limits: Limits | None = None,
    namespace: str = "",
    open_metrics: bool = False,
    mounts: Mapping[str, ASGIApp] | None = None,
    lifespans: Sequence[Lifespan] = (),
) -> Starlette:
    """The ASGI application of an open engine; who opened the engine closes it.

    Args:
        engine: whose banks are served. Its public methods are all that is called.
        keys: who may call; None = keys of this process only.
        logins: tokens of `/login?token=...`, each for one login as the owner.
        hosts: names by which the server may be called, besides `localhost` and addresses.
        limits: of bodies and rates; the defaults if None.
        namespace: that the pages open with, for whoever may read it; "" = the first that holds something.
        open_metrics: `/metrics` needs no key.
        mounts: further applications by their path, such as `/mcp`. Below the paths in
            `guard.BEARER_PATHS` a request has a valid key, and `scope["state"]["caller"]` is its
            holder.
        lifespans: entered when the server starts, left when it stops.

    Raises:
        InvalidInput: one of the hosts can be no host's name.
    """
    sessions = Sessions(keys or KeyRing(None))
    metrics = Metrics(engine)
    limits = limits or Limits()
    jobs = Jobs()

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for enter in lifespans:
                await stack.enter_async_context(enter())
            yield
        metrics.close()
        await run_in_threadpool(jobs.wait, _WAIT_SECONDS)

    routes: list[BaseRoute] = [
        Route("/healthz", healthz),
        Route("/metrics", metrics.response),
        *api_routes(limits),
        *page_routes(),
        *(route for path, app in (mounts or {}).items() for route in _mounted(path, app)),
    ]
    metrics.name_routes(routes)
    guard = Middleware(
        Guard,
        sessions=sessions,
        hosts=host_names("hosts", hosts),
        limits=limits,
        open_metrics=open_metrics,
    )
    app = Starlette(
        routes=routes,
        middleware=[Middleware(Measured, metrics=metrics), guard],
        exception_handlers=dict.fromkeys((Problem, CogMemError, HTTPException, Exception), _told),
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    app.state.engine = engine
    app.state.namespace = namespace
    app.state.metrics = metrics
    app.state.jobs = jobs
    app.state.sessions = sessions
    app.state.logins = logins or LoginTokens()
    return app


def _mounted(path: str, app: ASGIApp) -> list[BaseRoute]:
    """The routes of another application: its path with and without a slash, and all below."""

    class WithSlash:
        async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
            below = {
                **scope,
                "path": f"{path}/",
                "root_path": f"{scope.get('root_path', '')}{path}",
            }
            await app(below, receive, send)

    return [Route(path, WithSlash()), Mount(path, app=app)]


def healthz(request: Request) -> Response:
    """Whether the engine is open."""
    request.app.state.engine.check_open()
    return JSONResponse({"status": "ok"})


def _told(request: Request, error: Exception) -> Response:
    """A problem: as a page to who looks at pages, else as JSON."""
    path = request.url.path
    problem = problem_of(error)
    if path == "/login" or f"{path}/".startswith(_PAGE_PATHS):
        problem.detail = without_calls(problem.detail)
        return problem_page(request, problem)
    problem.detail = in_requests(problem.detail)
    return problem_response(problem)
