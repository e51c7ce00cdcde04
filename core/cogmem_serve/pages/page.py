"""One request for a page: who asks, in which namespace, in which language; and how pages are written."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timezone, tzinfo
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.reading import of
from cogmem_core.reading.topics import NAMES, topics_of
from cogmem_serve.access import Caller, Scope
from cogmem_serve.guard import FOLLOWING
from cogmem_serve.pages.jobs import Job, Jobs, Progress
from cogmem_serve.pages.language import LANGUAGES, catalogue, language_of, translator
from cogmem_serve.pages.moments import (
    ZONE_COOKIE,
    Translate,
    day_of,
    day_text,
    day_typed,
    minute_text,
    month_text,
    zone_named,
)
from cogmem_serve.problems import Problem
from cogmem_serve.sessions import Sessions

THEMES = ("auto", "light", "dark")
THEME_COOKIE = "cogm_theme"
_LISTED = 40
"""Namespaces in the list to choose from; of more, the name is typed."""
_COUNTED = 12
"""Namespaces whose memories are counted for it."""


@dataclass(frozen=True, slots=True)
class Screen:
    """An entry of the menu.

    Attributes:
        path: of its page.
        title: in English.
        scope: whoever has it finds it there.
        is_everywhere: it is about all namespaces, not about one.
    """

    path: str
    title: str
    scope: Scope = "read"
    is_everywhere: bool = False


SCREENS: tuple[Screen, ...] = (
    Screen("/ui", "Portrait"),
    Screen("/ui/ask", "Ask"),
    Screen("/ui/timeline", "Timeline"),
    Screen("/ui/nights", "Last night"),
    Screen("/ui/plans", "Plans"),
    Screen("/ui/settings", "Settings"),
)
"""The menu, in its order; the last one leads to the others."""
SETTINGS: tuple[Screen, ...] = (
    Screen("/ui/memories", "All memories"),
    Screen("/ui/review", "Review", "review"),
    Screen("/ui/procedures", "Procedures"),
    Screen("/ui/sharing", "Sharing", "admin", is_everywhere=True),
    Screen("/ui/audit", "Audit"),
    Screen("/ui/health", "Health"),
)
"""What is one click further."""
_UNDOES = ("unpin", "pin", "restore", "unedit", "unsupersede")
"""What takes back what was done to a memory."""
STATIC: Mapping[str, tuple[bytes, str]] = {
    name: ((files(__package__) / "static" / name).read_bytes(), kind)
    for name, kind in (
        ("style.css", "text/css; charset=utf-8"),
        ("icon.svg", "image/svg+xml"),
        ("progress.js", "text/javascript; charset=utf-8"),
        ("zone.js", "text/javascript; charset=utf-8"),
    )
}
"""Files beside the pages: their content and type."""


class Page:
    """A request for a page.

    Attributes:
        request: as it came.
        caller: who is logged in.
        namespace: whose memories it is about.
        form: what was sent, of a POST.
        file: the name and content of the file that was sent with it; None = none was.
    """

    def __init__(
        self,
        request: Request,
        caller: Caller,
        namespace: str,
        form: Mapping[str, str],
        file: tuple[str, bytes] | None = None,
    ) -> None:
        self.request = request
        self.caller = caller
        self.namespace = namespace
        self.form = form
        self.file = file

    @property
    def engine(self) -> Engine:
        """Whose banks are served."""
        engine: Engine = self.request.app.state.engine
        return engine

    @property
    def bank(self) -> MemoryBank:
        """The memories of the namespace."""
        return self.caller.bank(self.engine, self.namespace)

    @property
    def jobs(self) -> Jobs:
        """Work that takes longer."""
        jobs: Jobs = self.request.app.state.jobs
        return jobs

    def job(self, kind: str = "work") -> Job:
        """The work that the address names, of whoever began it.

        Raises:
            Problem: 404.
        """
        job = self.jobs.get(self.request.path_params["job_id"], self.caller.key_id)
        if job is None or job.namespace != self.namespace:
            raise Problem(404, f"this process does not know that {kind}; what it did is on record")
        return job

    @cached_property
    def zone(self) -> tzinfo:
        """Where the reader is: as configured, else as was chosen or as the browser says, else UTC."""
        configured = self.engine.open_services.config.encoding.timezone
        return zone_named(configured or self.request.cookies.get(ZONE_COOKIE, ""))

    @property
    def now(self) -> datetime:
        """The moment, as the engine's clock shows it."""
        return self.engine.open_services.runtime.now()

    @property
    def today(self) -> date:
        """The day that it is where the reader is."""
        return day_of(self.now, self.zone)

    @property
    def translate(self) -> Translate:
        """Texts in the reader's language."""
        return translator(language_of(self.request))

    def may(self, scope: Scope) -> bool:
        """Whether the caller has a scope here and, if rights decide, the right."""
        return self.caller.may_in(self.engine, self.namespace, scope)

    def need(self, scope: Scope) -> None:
        """Refuse what the caller may not do here.

        Raises:
            Problem: 403.
        """
        self.caller.need_in(self.engine, self.namespace, scope)

    def asked(self, name: str) -> str | None:
        """A parameter of the address; None if it is missing or empty."""
        return self.request.query_params.get(name, "").strip() or None

    def asked_day(self, name: str) -> date | None:
        """A day that the address names; None if it names none."""
        text = self.asked(name)
        return None if text is None else day_typed(name, text)

    def typed(self, name: str) -> str:
        """What stands in a field of the form; empty if there is none."""
        return self.form.get(name, "")

    def address(self, path: str, **parameters: object) -> str:
        """A path with parameters, the namespace among them; those that are empty are left out."""
        values = {"namespace": self.namespace, **parameters}
        filled = {name: value for name, value in values.items() if value not in (None, "", False)}
        return f"{quote(path)}?{urlencode(filled)}"

    def show(self, template: str, **values: Any) -> Response:
        """A page of this namespace."""
        path = self.request.url.path
        screen = next((one for one in SCREENS[1:] if path.startswith(one.path)), None)
        if screen is None:
            is_home = path in ("/ui", "/ui/of", "/ui/map")
            screen = SCREENS[0] if is_home else SCREENS[-1]
        waiting = self.bank.reviews() if self.may("review") else ()
        configured = self.engine.open_services.config.encoding.timezone
        asks_zone = self.request.method == "GET" and not (
            configured or ZONE_COOKIE in self.request.cookies
        )
        response = rendered(
            self.request,
            template,
            url=self.address,
            caller=self.caller,
            may=self.may,
            namespace=self.namespace,
            namespaces=self._namespaces(),
            screens=SCREENS,
            screen=screen,
            waiting=len(waiting),
            zone=self.zone,
            today=self.today,
            done=self.asked("done"),
            undo=self._undo(),
            asks_zone=asks_zone,
            **values,
        )
        if asks_zone:
            response.headers["content-security-policy"] = FOLLOWING
        return response

    def show_work(self, job: Job) -> Response:
        """How far a piece of work is: the page follows it, or without JavaScript loads itself anew."""
        response = self.show("working.html", job=job)
        response.headers["content-security-policy"] = FOLLOWING
        return response

    def begin(self, name: str, work: Callable[[Progress], Any], after: str = "") -> Job:
        """Begin a piece of work in this namespace; see `Jobs.start`."""
        return self.jobs.start(name, self.caller.key_id, self.namespace, work, after=after)

    def follow(self, name: str, work: Callable[[Progress], Any], after: str) -> Response:
        """Begin a piece of work, and show how far it is; when it is done, the page `after`."""
        return self.go(f"/ui/work/{self.begin(name, work, after).id}")

    def go(self, path: str, **parameters: object) -> Response:
        """Show another page, after something was done."""
        return RedirectResponse(self.address(path, **parameters), status_code=303)

    def back(self, path: str, **parameters: object) -> Response:
        """The page on which a form was, after it did something; `path` if it does not say."""
        at = urlsplit(local(self.form.get("back", ""), path))
        kept = {name: value for name, value in parse_qsl(at.query) if name not in ("done", "undo")}
        return self.go(at.path, **{**kept, **parameters})

    def settings(self) -> list[Screen]:
        """The pages one click further that are open to the caller."""
        return [screen for screen in SETTINGS if self._is_open(screen)]

    def _undo(self) -> tuple[str, dict[str, str]] | None:
        """What takes the last deed back: where its form goes, with what; None if nothing does."""
        name, _, undone = (self.asked("undo") or "").partition(":")
        if name == "unseal" and undone and self.may("admin"):
            return "/ui/unseal", {"topic": undone}
        memory = name in _UNDOES and undone and self.may("write")
        return (f"/ui/memories/{undone}/{name}", {}) if memory else None

    def _is_open(self, screen: Screen) -> bool:
        if screen.is_everywhere:
            return self.caller.is_everywhere and self.caller.may(screen.scope)
        return self.may(screen.scope)

    def _namespaces(self) -> Sequence[tuple[str, int | None]]:
        """The namespaces to choose from, the first ones with their active memories."""
        names = self.caller.namespaces_of(self.engine)
        if self.namespace not in names:
            names.insert(0, self.namespace)
        if len(names) > _LISTED:
            return [(self.namespace, None)]
        return [
            (name, self._count(name) if place < _COUNTED else None)
            for place, name in enumerate(names)
        ]

    def _count(self, namespace: str) -> int | None:
        if not self.caller.may_in(self.engine, namespace, "read"):
            return None
        return self.caller.bank(self.engine, namespace).count(state="active")


def rendered(request: Request, template: str, status: int = 200, **values: Any) -> Response:
    """A page, in the language and colours that were chosen."""
    language = language_of(request)
    theme = request.cookies.get(THEME_COOKIE, "auto")
    sessions: Sessions = request.app.state.sessions
    text = (
        environment()
        .get_template(template)
        .render(
            _=translator(language),
            language=language,
            languages=LANGUAGES,
            theme=theme if theme in THEMES else "auto",
            themes=THEMES,
            csrf=sessions.form_token(request),
            path=request.url.path,
            here=request.url.path + (f"?{request.url.query}" if request.url.query else ""),
            static=_versions(),
            known_notes=catalogue("en"),
            **{
                "caller": None,
                "done": None,
                "undo": None,
                "screens": (),
                "screen": None,
                "asks_zone": False,
                "zone": timezone.utc,
                **values,
            },
        )
    )
    return HTMLResponse(text, status_code=status)


def default_namespace(engine: Engine, caller: Caller, served: str) -> str:
    """The namespace of whoever names none: the one that is served, else the first of theirs.

    Raises:
        Problem: 403, they have none.
    """
    if served and caller.may_in(engine, served, "read"):
        return served
    namespaces = caller.namespaces_of(engine)
    exact = [pattern for pattern in caller.namespaces if not pattern.endswith("*")]
    names = [*namespaces, *exact, *(["default"] if caller.sees("default") else [])]
    if not names:
        raise Problem(403, "this key is for no namespace that holds something")
    return names[0]


@lru_cache(maxsize=1)
def environment() -> Environment:
    """Templates: what is put into them is escaped, and a misspelt name is an error."""
    templates = Environment(
        loader=PackageLoader("cogmem_serve.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters.update(
        day=_day,
        minute=_minute,
        month=_month,
        translated=_translated,
        percent=lambda value: f"{100 * value:.0f} %",
        topic=_topic,
        topics=_topics,
        number=lambda value: f"{value:,}".replace(",", "\u202f"),
        short=lambda memory_id: memory_id[-12:],
        entity=lambda entity: entity.rpartition("/")[2].replace("_", " "),
    )
    return templates


@pass_context
def _day(context: Context, moment: date | datetime | str | None) -> str:
    """A day in words, or that of a moment where the reader is."""
    if moment is None:
        return ""
    day = day_of(moment, context["zone"]) if isinstance(moment, (datetime, str)) else moment
    return day_text(day, context.resolve("_"))


@pass_context
def _month(context: Context, day: date) -> str:
    return month_text(day, context.resolve("_"))


@pass_context
def _translated(context: Context, text: str) -> str:
    return str(context.resolve("_")(text))


@pass_context
def _topic(context: Context, name: str) -> str:
    """The name of a topic in the reader's language; words of one's own as they are."""
    return str(context.resolve("_")(f"topic: {name}")) if name in NAMES else name


def _topics(text: str) -> list[str]:
    """The topics that a text tells of."""
    reading = of(text)
    told = frozenset().union(*(topics_of(reading, clause) for clause in reading.clauses))
    return [name for name in NAMES if name in told]


@pass_context
def _minute(context: Context, moment: datetime | str | None) -> str:
    return "" if moment is None else minute_text(moment, context["zone"], context.resolve("_"))


def local(address: str, otherwise: str) -> str:
    """An address of a page here; another one is not followed."""
    is_page = address.startswith("/ui") and "\\" not in address and address.isprintable()
    return address if is_page else otherwise


@lru_cache(maxsize=1)
def _versions() -> Mapping[str, str]:
    """The address of each file beside the pages, which changes with its content."""
    return {
        name: f"/static/{name}?v={hashlib.sha256(content).hexdigest()[:12]}"
        for name, (content, _) in STATIC.items()
    }
