"""How a question will be answered: what it asks, the route for its intent, how many candidates."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from cogmem_core.config import RetrievalConfig, Route
from cogmem_core.retrieval.request import Request
from cogmem_core.services import Services
from cogmem_core.storage.search.in_memory_index import NamespaceView
from cogmem_core.text.observe.emotion import emotion
from cogmem_core.text.query.understand import Question, understand
from cogmem_core.text.time.days import in_zone
from cogmem_core.text.time.hints import DateHints, date_hints
from cogmem_core.text.time.zones import zone_or_utc

__all__ = ["Plan", "here", "make_plan", "nothing_to_look_up", "question_of"]


@dataclass(frozen=True, slots=True)
class Plan:
    """What the read path works by.

    Attributes:
        intent: decides the route; told by key words, or by the language model.
        k: results at most.
        size: candidates that each list brings.
        queries: what is searched for: the question, then its parts if it is compound.
        categories: None = any.
        mood: valence of the present mood, -1..1; 0 = none.
        hints: the dates that the question names.
    """

    question: Question
    intent: str
    route: Route
    k: int
    size: int
    queries: tuple[str, ...]
    categories: tuple[str, ...] | None
    mood: float
    hints: DateHints

    @property
    def compound(self) -> bool:
        """True if the parts are searched beside the whole."""
        return len(self.queries) > 1


def nothing_to_look_up(question: Question) -> str:
    """Why a query is not worth a search; empty if it is. Emoji alone may be what somebody remembers by."""
    kind = question.trivial
    if kind is None or (kind == "acknowledgement" and not any(map(str.isalnum, question.text))):
        return ""
    return f"there is nothing to look up: the query is a mere {kind}"


def here(services: Services, now: datetime) -> datetime:
    """The present in the time zone of the people who speak and ask, `encoding.timezone`."""
    return in_zone(now, zone_or_utc(services.config.encoding.timezone))


def question_of(request: Request, view: NamespaceView) -> Question:
    """The query, understood beside those who speak in the namespace."""
    return understand(request.query, speakers=view.speakers)


def make_plan(request: Request, question: Question, intent: str, settings: RetrievalConfig, now: datetime) -> Plan:
    """The plan for a question.

    Args:
        request, question: what is asked, as it was given and as it was understood.
        intent: one of the six routes.
        settings: of retrieval.
        now: the present, in the time zone of who asks; see `here`.
    """
    route: Route = getattr(settings.routes, intent)
    k = route.limit if request.k is None else request.k
    parts = question.parts if settings.decompose and len(question.parts) > 1 else ()
    categories = request.categories
    if categories is None and route.only:
        categories = route.only
    return Plan(
        question=question,
        intent=intent,
        route=route,
        k=k,
        size=max(settings.pool, 3 * k),
        queries=(request.query, *parts),
        categories=categories,
        mood=request.mood if request.mood is not None else _mood(question, settings.boosts.mood_from),
        hints=date_hints(request.query, now),
    )


def _mood(question: Question, least: float) -> float:
    """The mood that a message in the first person shows, if it is plain enough."""
    if not question.about_self:
        return 0.0
    valence = emotion(question.text).valence
    return valence if abs(valence) >= least else 0.0
