"""What is asked, checked, and how it will be answered: the route, how many candidates, the vectors."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from cogmem_core.base.timeouts import CallTimeout, Deadline
from cogmem_core.config import Config, RetrievalConfig, Route
from cogmem_core.edge import checks
from cogmem_core.errors import EmbedderUnavailable
from cogmem_core.ports import FloatArray
from cogmem_core.process.services import Services
from cogmem_core.reading.question import Question as Wanted
from cogmem_core.reading.question import asked
from cogmem_core.retrieval.understand import Question, understand
from cogmem_core.storage.ledger.memories import EVERYTHING, Filter
from cogmem_core.storage.search.in_memory_index import NamespaceView
from cogmem_core.text.observe.emotion import emotion
from cogmem_core.text.query.aim import Aim, read_aim, searched
from cogmem_core.text.query.asked import Asked, asked_for
from cogmem_core.text.query.hyde import hypothetical
from cogmem_core.text.time.days import in_zone
from cogmem_core.text.time.find import find_times
from cogmem_core.text.time.hints import DateHints, date_hints
from cogmem_core.text.time.zones import zone_or_utc
from cogmem_core.text.tokens import strip_words, tokens

FREQUENT_SHARE = 0.3
"""Names of speakers that stand in a larger share of the memories are left out of the embedded query."""
FREQUENT_MINIMUM = 20
"""... in namespaces of at least so many memories."""
DEADLINE_SHARE = 0.7
"""Of a deadline the embedder may use up so much; the rest is for the search by words."""
MOOD_FROM = 0.4
"""A message in the first person shows a mood from this valence on (either sign); an explicit
`mood=` always counts."""

LIST_LIMIT = 50
"""A question for a list brings all that is relevant, up to so many."""
LIST_FROM = 8
"""... unless the caller wants fewer results than this."""

_MODES = ("current", "timeline")


def _mood(name: str, value: object) -> float:
    return float(checks.between(name, value, -1, 1, "a number from -1 to 1", int, float))


_OPTIONAL: Mapping[str, Callable[[str, object], object]] = {
    "as_of": checks.moment,
    "known_at": checks.moment,
    "mood": _mood,
    "max_tokens": checks.positive,
    "deadline": checks.seconds,
    "floor": checks.fraction,
}
"""How what may be None is checked otherwise."""


@dataclass(frozen=True, slots=True)
class Request:
    """A checked query; attributes as the arguments of `MemoryBank.recall`, None = any.

    `within` holds the other filters: metadata, speaker, times, and the session that is meant by
    `only_session`. `principal`: who asks; "" = the operator.
    """

    namespace: str
    query: str
    k: int | None = 8
    session_id: str | None = None
    mode: str = "current"
    as_of: datetime | None = None
    known_at: datetime | None = None
    deep: bool = False
    again: bool = False
    mood: float | None = None
    categories: tuple[str, ...] | None = None
    tags: tuple[str, ...] | None = None
    max_tokens: int | None = None
    deadline: float | None = None
    floor: float | None = None
    within: Filter = EVERYTHING
    also: tuple[str, ...] = ()
    audience: str | None = None
    principal: str = ""

    @classmethod
    def checked(
        cls, config: Config, namespace: str, query: str, *, k: int | None = None, **given: Any
    ) -> Request:
        """The request of these arguments; `InvalidInput` names the one that is unusable."""
        limits = config.limits
        made = cls(namespace, query, k, **given)
        checked: dict[str, Any] = {
            name: check(name, getattr(made, name))
            for name, check in _OPTIONAL.items()
            if getattr(made, name) is not None
        }
        also = [checks.namespace(name, config) for name in checks.listed("also", made.also)]
        categories = made.categories
        return replace(
            made,
            **checked,
            query=checks.text("query", query, limits.query_bytes),
            k=None if k is None else checks.k_results(k, config.retrieval.max_k),
            session_id=checks.label("session_id", made.session_id, limits),
            mode=checks.choice("mode", made.mode, _MODES),
            deep=checks.flag("deep", made.deep),
            categories=None if categories is None else checks.categories(categories, limits),
            tags=None if made.tags is None else checks.labels("tags", made.tags, limits),
            also=tuple(name for name in dict.fromkeys(also) if name != namespace),
            audience=checks.label("audience", made.audience, limits),
        )

    def but(self, **fields: Any) -> Request:
        """The same request with other values of some fields."""
        return replace(self, **fields)


@dataclass(frozen=True, slots=True)
class Plan:
    """How a question is answered.

    Attributes:
        question: the query, as it was understood.
        intent: decides the route; from key words, or from the language model.
        route: the settings for this kind of question.
        k: results at most.
        size: candidates that each list brings.
        queries: what is asked: the question, then its parts if it is compound.
        texts: what is searched for, for each of them.
        aim: which of the relevant memories are wanted, and in what order.
        asked: the kind of answer that is wanted; None if the words do not tell.
        wanted: whom it is about, and what of that is asked for.
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
    texts: tuple[str, ...]
    aim: Aim
    asked: Asked | None
    wanted: Wanted
    categories: tuple[str, ...] | None
    mood: float
    hints: DateHints

    @property
    def compound(self) -> bool:
        """True if the parts are searched beside the whole."""
        return len(self.queries) > 1

    @property
    def most(self) -> int:
        """Results at most, also of a question for a list."""
        return LIST_LIMIT if self.aim.lists and self.k >= LIST_FROM else self.k


def nothing_to_look_up(question: Question) -> str:
    """Why a query is not worth a search; empty if it is.

    Emoji alone may be what a memory is known by.
    """
    kind = question.trivial
    signs = bool(question.text.strip()) and not any(map(str.isalnum, question.text))
    return f"there is nothing to look up: the query is a mere {kind}" if kind and not signs else ""


def local_now(services: Services, now: datetime) -> datetime:
    """The present in the time zone of the people who speak and ask, `encoding.timezone`."""
    return in_zone(now, zone_or_utc(services.config.encoding.timezone))


def make_plan(
    request: Request, question: Question, intent: str, settings: RetrievalConfig, now: datetime
) -> Plan:
    """The plan for a question.

    Args:
        request: what is asked, as it was given.
        question: what is asked, as it was understood.
        intent: one of the six routes.
        settings: of retrieval.
        now: the present, in the time zone of the person who asks; see `local_now`.
    """
    route: Route = getattr(settings.routes, intent)
    k = route.limit if request.k is None else request.k
    queries: tuple[str, ...] = (request.query,)
    if settings.decompose and len(question.parts) > 1:
        queries = (*queries, *question.parts)
    categories = request.categories
    if categories is None and route.only:
        categories = route.only
    mood = request.mood
    if mood is None:
        # What a message in the first person shows, if it is plain enough.
        valence = emotion(question.text).valence if question.about_self else 0.0
        mood = valence if abs(valence) >= MOOD_FROM else 0.0
    times = find_times(request.query, now)
    aim = read_aim(request.query, times)
    # A list, what comes first or last, and what matters most is found only among many.
    size = max(settings.pool, 3 * k, 4 * LIST_LIMIT if aim.by_time or aim.overview else 0)
    texts = [searched(request.query, times)]
    texts += [searched(query, find_times(query, now)) for query in queries[1:]]
    return Plan(
        question=question,
        intent=intent,
        route=route,
        k=k,
        size=size,
        queries=queries,
        texts=tuple(texts),
        aim=aim,
        asked=asked_for(request.query),
        wanted=asked(request.query),
        categories=categories,
        mood=mood,
        hints=date_hints(request.query, now, times),
    )


class EmbeddedQuery(NamedTuple):
    """What is looked for, with all that it takes to look.

    Attributes:
        request: the question.
        plan: how it is answered.
        vectors: one per query of the plan; None = it could not be embedded.
        trouble: why not; empty if it could.
        now: when it was asked.
        deadline: when an answer is due.
    """

    request: Request
    plan: Plan
    vectors: Sequence[FloatArray | None]
    trouble: str
    now: datetime
    deadline: Deadline


def look_for(
    services: Services, request: Request, now: datetime, intent: str | None = None
) -> EmbeddedQuery | str:
    """What is looked for; or why a query is not worth a search.

    Args:
        services: of the engine.
        request: what is asked.
        now: when it is asked.
        intent: what the question is taken for; None = as its words tell.
    """
    with services.ledger.whole() as reader:
        view = services.searcher.view(reader, request.namespace)
    question = understand(request.query, speakers=view.speakers)
    reason = nothing_to_look_up(question)
    if reason:
        return reason
    settings = services.config.retrieval
    plan = make_plan(
        request, question, intent or question.intent, settings, local_now(services, now)
    )
    return embed_query(services, view, request, plan, now=now, deadline=Deadline())


def embed_at_once(
    services: Services,
    view: NamespaceView,
    request: Request,
    plan: Plan,
    *,
    now: datetime,
    deadline: Deadline,
) -> EmbeddedQuery | None:
    """As `embed_query` where the embedder need not be waited for; else None."""
    groups, texts = _text_groups(services, view, plan)
    try:
        rows = services.embedder.queries_at_once(texts)
    except EmbedderUnavailable as error:
        return EmbeddedQuery(request, plan, [None] * len(groups), f"vector: {error}", now, deadline)
    if rows is None:
        return None
    vectors = _vectors(groups, dict(zip(texts, rows, strict=True)))
    return EmbeddedQuery(request, plan, vectors, "", now, deadline)


def embed_query(
    services: Services,
    view: NamespaceView,
    request: Request,
    plan: Plan,
    *,
    now: datetime,
    deadline: Deadline,
) -> EmbeddedQuery:
    """A vector for each query of the plan.

    An embedder may take its time, so no snapshot of the ledger is held meanwhile. With HyDE a
    vector is the centroid of the query and its hypothetical answers (Gao et al. 2022).
    """
    query = embed_at_once(services, view, request, plan, now=now, deadline=deadline)
    if query is not None:
        return query
    groups, texts = _text_groups(services, view, plan)
    seconds = services.config.embedding.query_seconds
    if deadline.left is not None:
        seconds = min(seconds, DEADLINE_SHARE * deadline.left)
    vectors: Sequence[FloatArray | None] = [None] * len(groups)
    trouble = ""
    try:
        rows = services.patience.call(lambda: services.embedder.embed_queries(texts), seconds)
        vectors = _vectors(groups, dict(zip(texts, rows, strict=True)))
    except (EmbedderUnavailable, CallTimeout) as error:
        trouble = f"vector: {error}"
    return EmbeddedQuery(request, plan, vectors, trouble, now, deadline)


def _text_groups(
    services: Services, view: NamespaceView, plan: Plan
) -> tuple[list[list[str]], list[str]]:
    """For each query of the plan the texts whose vectors it is looked for by; and all of them, each once."""
    names = {word for speaker in plan.question.speakers for word in tokens(speaker)}
    groups = []
    for searched_text in plan.texts:
        text = searched_text
        if len(view) >= FREQUENT_MINIMUM:
            text = _without_frequent_names(view, text, names)
        group = [text]
        if services.config.retrieval.hyde:
            group += hypothetical(searched_text)
        groups.append(group)
    return groups, list(dict.fromkeys(chain.from_iterable(groups)))


def _vectors(
    groups: Sequence[Sequence[str]], vector_of: Mapping[str, FloatArray]
) -> list[FloatArray]:
    """A vector for each group; `vector_of`: by text."""
    vectors: list[FloatArray] = []
    for group in groups:
        each = [vector_of[text] for text in group]
        vectors.append(each[0] if len(each) == 1 else _centroid(each))
    return vectors


def _without_frequent_names(view: NamespaceView, text: str, names: Collection[str]) -> str:
    """The text without names of speakers that stand in most memories: they carry no direction.

    What else most memories are about is just what is asked for (measured on chats with an assistant).
    """

    def frequent(word: str) -> bool:
        terms = tokens(word)
        return set(terms) <= set(names) and any(view.share(term) > FREQUENT_SHARE for term in terms)

    return strip_words(text, frequent)


def _centroid(rows: Sequence[FloatArray]) -> FloatArray:
    mean: FloatArray = np.mean(np.stack(rows), axis=0, dtype=np.float32)
    length = float(np.linalg.norm(mean))
    return mean / np.float32(length) if length else mean
