"""The table of pages, and what happens around each: login, forms, errors that a person can read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from cogmem_serve.access import Scope
from cogmem_serve.pages import (
    agenda,
    asking,
    memories,
    nights,
    portrait,
    settings,
    timeline,
    work,
)
from cogmem_serve.pages.language import COOKIE as LANGUAGE_COOKIE
from cogmem_serve.pages.language import LANGUAGES
from cogmem_serve.pages.moments import ZONE_COOKIE, zone_named
from cogmem_serve.pages.page import (
    STATIC,
    THEME_COOKIE,
    THEMES,
    Page,
    default_namespace,
    local,
    rendered,
)
from cogmem_serve.problems import Problem
from cogmem_serve.sessions import LoginTokens, Sessions

_YEAR = 365 * 24 * 3600
_FIELDS = 100
_PREFERENCES = (
    (THEME_COOKIE, "theme", THEMES),
    (LANGUAGE_COOKIE, "language", tuple(LANGUAGES)),
)
View = Callable[[Page], Response]


@dataclass(frozen=True, slots=True)
class PageRoute:
    """One page, or what a form on one does.

    Attributes:
        verb: GET shows, POST does.
        path: with parameters in braces.
        view: makes the answer.
        scope: what the caller must have; a view may ask for more.
    """

    verb: str
    path: str
    view: View
    scope: Scope


@dataclass(frozen=True, slots=True)
class Form:
    """What a form sent.

    Attributes:
        fields: by name.
        file: its name and content; None = none was sent.
    """

    fields: Mapping[str, str]
    file: tuple[str, bytes] | None = None


PAGES: tuple[PageRoute, ...] = (
    PageRoute("GET", "/ui", portrait.show, "read"),
    PageRoute("GET", "/ui/of", portrait.show_other, "read"),
    PageRoute("GET", "/ui/map", timeline.show_map, "read"),
    PageRoute("GET", "/ui/timeline", timeline.show_timeline, "read"),
    PageRoute("GET", "/ui/settings", settings.show, "read"),
    PageRoute("POST", "/ui/seal", settings.seal, "admin"),
    PageRoute("POST", "/ui/unseal", settings.unseal, "admin"),
    PageRoute("POST", "/ui/copy", settings.copy, "admin"),
    PageRoute("GET", "/ui/memories", memories.show_list, "read"),
    PageRoute("POST", "/ui/memories", memories.remember, "write"),
    PageRoute("POST", "/ui/import", memories.import_file, "admin"),
    PageRoute("GET", "/ui/memories/{memory_id}", memories.show_one, "read"),
    PageRoute("POST", "/ui/memories/{memory_id}/erase", memories.erase, "admin"),
    PageRoute("POST", "/ui/memories/{memory_id}/{action}", memories.act, "write"),
    PageRoute("GET", "/ui/ask", asking.show, "read"),
    PageRoute("GET", "/ui/review", memories.show_review, "review"),
    PageRoute("POST", "/ui/review/{review_id}/{decision}", memories.decide, "review"),
    PageRoute("POST", "/ui/doubts/{memory_id}", memories.settle, "review"),
    PageRoute("GET", "/ui/nights", nights.show, "read"),
    PageRoute("POST", "/ui/nights", nights.dream, "admin"),
    PageRoute("POST", "/ui/nights/{run_id}/undo", nights.undo, "admin"),
    PageRoute("GET", "/ui/nights/jobs/{job_id}", nights.show_job, "read"),
    PageRoute("GET", "/ui/plans", agenda.show_plans, "read"),
    PageRoute("POST", "/ui/plans", agenda.intend, "write"),
    PageRoute("GET", "/ui/procedures", agenda.show_procedures, "read"),
    PageRoute("POST", "/ui/settle", agenda.settle, "write"),
    PageRoute("GET", "/ui/sharing", settings.show_sharing, "admin"),
    PageRoute("POST", "/ui/sharing", settings.grant, "admin"),
    PageRoute("POST", "/ui/sharing/principals", settings.add_principal, "admin"),
    PageRoute("POST", "/ui/sharing/{grant_id}/revoke", settings.revoke, "admin"),
    PageRoute("GET", "/ui/audit", settings.show_audit, "read"),
    PageRoute("POST", "/ui/audit", settings.look, "read"),
    PageRoute("GET", "/ui/audit/jobs/{job_id}", settings.show_job, "read"),
    PageRoute("GET", "/ui/health", settings.show_health, "read"),
    PageRoute("POST", "/ui/health", settings.rebuild, "admin"),
    PageRoute("GET", "/ui/work/{job_id}", work.show, "read"),
    PageRoute("GET", "/ui/work/{job_id}/events", work.events, "read"),
)
"""Every page; a screen of a feature to come is a row here and one of `page.SCREENS`."""


def page_routes() -> list[Route]:
    """The routes of the pages."""
    pages = [
        Route(page.path, _endpoint(page), methods=[page.verb], name=page.view.__name__)
        for page in PAGES
    ]
    return [
        Route("/", _home),
        Route("/login", _login_page),
        Route("/login", _login, methods=["POST"]),
        Route("/logout", _logout, methods=["POST"]),
        Route("/preferences", _prefer, methods=["POST"]),
        Route("/static/{name}", _static),
        *pages,
    ]


def problem_page(request: Request, problem: Problem) -> Response:
    """An error as a person can read it."""
    title = HTTPStatus(problem.status).phrase
    page = rendered(request, "problem.html", problem.status, title=title, detail=problem.detail)
    page.headers.update(problem.headers)
    return page


def _endpoint(page: PageRoute) -> Callable[[Request], object]:
    async def endpoint(request: Request) -> Response:
        caller = getattr(request.state, "caller", None)
        if caller is None:
            return RedirectResponse("/login", status_code=303)
        form = await _checked_form(request) if page.verb == "POST" else Form({})
        caller.need(page.scope)
        return await run_in_threadpool(_answer, page, request, form)

    return endpoint


def _answer(page: PageRoute, request: Request, form: Form) -> Response:
    caller = request.state.caller
    state = request.app.state
    namespace = request.query_params.get("namespace") or default_namespace(
        state.engine, caller, state.namespace
    )
    shown = Page(request, caller, caller.enter(namespace), form.fields, form.file)
    shown.need("read")
    return page.view(shown)


async def _logout(request: Request) -> Response:
    await _checked_form(request)
    response = RedirectResponse("/login", status_code=303)
    await run_in_threadpool(_sessions(request).end, request, response)
    return response


async def _prefer(request: Request) -> Response:
    """Choose colours or a language, and show the page again."""
    form = await _checked_form(request)
    response = RedirectResponse(local(form.fields.get("back", ""), "/ui"), status_code=303)
    keep = partial(response.set_cookie, max_age=_YEAR, httponly=True, samesite="strict")
    for cookie, name, allowed in _PREFERENCES:
        if form.fields.get(name) in allowed:
            keep(cookie, form.fields[name])
    if zone := form.fields.get("zone", "").strip():
        if str(zone_named(zone)) != zone:
            raise Problem(400, "zone is no time zone; give one such as Europe/Lisbon")
        keep(ZONE_COOKIE, zone)
    return response


async def _checked_form(request: Request) -> Form:
    """What a form sent, if this session was shown it.

    Raises:
        Problem: 400 or 403.
    """
    form = await _read_form(request)
    _sessions(request).check_form(request, form.fields.get("csrf", ""))
    return form


async def _read_form(request: Request) -> Form:
    """Fields of a form; one from another site is refused.

    Raises:
        Problem: 400 or 403.
    """
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise Problem(403, "the form is from another site")
    if request.headers.get("content-type", "").startswith("multipart/form-data"):
        return await _form_with_file(request)
    body = await request.body()
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=_FIELDS)
    except ValueError as error:
        raise Problem(400, "the form cannot be read") from error
    return Form(dict(pairs))


async def _form_with_file(request: Request) -> Form:
    """A form with at most one file."""
    file = None
    async with request.form(max_files=1, max_fields=_FIELDS) as parts:
        fields = {name: part for name, part in parts.items() if isinstance(part, str)}
        for part in parts.values():
            if isinstance(part, UploadFile) and part.size:
                file = (part.filename or "", await part.read())
    return Form(fields, file)


def _sessions(request: Request) -> Sessions:
    sessions: Sessions = request.app.state.sessions
    return sessions


def _home(_: Request) -> Response:
    return RedirectResponse("/ui", status_code=303)


def _login_page(request: Request) -> Response:
    """Log in by a token, or show where a key can be given."""
    token = request.query_params.get("token")
    if token is None:
        return rendered(request, "login.html", refused=False)
    logins: LoginTokens = request.app.state.logins
    if not logins.redeem(token):
        request.state.refuse_failure()
        return rendered(request, "login.html", 403, refused=True)
    return _logged_in(request, "")


async def _login(request: Request) -> Response:
    form = await _read_form(request)
    caller = _sessions(request).keys.caller(form.fields.get("key", "").strip())
    if caller is None:
        request.state.refuse_failure()
        return rendered(request, "login.html", 403, refused=True)
    return _logged_in(request, caller.key_id)


def _logged_in(request: Request, key_id: str) -> Response:
    response = RedirectResponse("/ui", status_code=303)
    _sessions(request).begin(request, response, key_id)
    return response


def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in STATIC:
        raise Problem(404, "there is no such file")
    content, kind = STATIC[name]
    headers = {"cache-control": "public, max-age=31536000, immutable"}
    return Response(content, media_type=kind, headers=headers)
