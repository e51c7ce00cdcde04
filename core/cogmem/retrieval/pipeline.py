"""A query, walked: embed, find candidates by meaning and by words, score, diversify, present."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cogmem.errors import EmbedderUnavailable
from cogmem.models import Memory
from cogmem.ports import FloatArray, Hit
from cogmem.results import Recall, Recalled
from cogmem.retrieval.narrate import narrate
from cogmem.retrieval.present import presenter
from cogmem.retrieval.score import Ranked, rank
from cogmem.retrieval.signals import Pool
from cogmem.services import Services
from cogmem.storage.codec import encode_time
from cogmem.storage.reader import Candidate, Filter, Reader
from cogmem.storage.views import NamespaceView
from cogmem.text.datehints import asks_when, date_hints
from cogmem.text.relative import relative_time_label
from cogmem.text.tokens import strip_words, tokens

__all__ = ["Request", "recall"]

_COLD = ("dormant", "superseded")
_CONFIDENCE_FLOOR, _CONFIDENCE_SPAN = 0.1, 0.6


@dataclass(frozen=True, slots=True)
class Request:
    """A checked query. `categories` and `tags`: None = any; `deep` also searches dormant and superseded memories."""

    namespace: str
    query: str
    k: int
    categories: tuple[str, ...] | None = None
    tags: tuple[str, ...] | None = None
    deep: bool = False
    max_tokens: int | None = None

    @property
    def states(self) -> tuple[str, ...]:
        """The states that are searched."""
        return ("active", *_COLD) if self.deep else ("active",)

    @property
    def restricted(self) -> bool:
        """True if only some of the active memories, or more than those, are searched."""
        return self.deep or self.categories is not None or self.tags is not None


@dataclass(frozen=True, slots=True)
class _Found:
    """Both candidate lists, the query vector, and what went wrong."""

    dense: Sequence[Hit]
    sparse: Sequence[Hit]
    vector: FloatArray | None
    degraded: tuple[str, ...]


def recall(services: Services, request: Request) -> Recall:
    """Rank the namespace's memories for a query.

    Vector or lexical search may fail alone: the other answers and `Recall.degraded` says so.

    Raises:
        CogMemError: nothing was left to search with.
    """
    terms = tokens(request.query)
    vector, trouble = _embed(services, request)
    with services.ledger.reading() as reader:
        view = services.searcher.view(reader, request.namespace)
        found = _search(services, (reader, view), request, (vector, terms), trouble)
        pool = _pool(services, (reader, view), request, found, terms)
        chosen = rank(pool, request.k, services.config.retrieval)
        ids = [item.id for item in chosen]
        memories, ranks = reader.memories(request.namespace, ids), _ranks(found, ids)
        reason = "" if chosen else _why_empty(reader, request)
    results = tuple(_recalled(services, item, memories[item.id], ranks[item.id]) for item in chosen)
    services.recent.inject(request.namespace, [item.memory.content for item in results])
    return Recall(
        id=services.runtime.new_id(),
        query=request.query,
        results=results,
        empty_reason=reason,
        degraded=found.degraded,
        render=presenter(services.runtime.now(), request.max_tokens or services.config.retrieval.context_tokens),
        narrate=narrate,
    )


def _embed(services: Services, request: Request) -> tuple[FloatArray | None, tuple[str, ...]]:
    """The query's vector without words that stand in most memories: they carry no direction (measured on LoCoMo)."""
    with services.ledger.reading() as reader:
        view = services.searcher.view(reader, request.namespace)
    text, settings = request.query, services.config.retrieval
    if len(view) >= settings.frequent_minimum:
        text = strip_words(text, lambda word: _is_frequent(view, word, settings.frequent_share))
    try:
        return services.embedder.embed_query(text), ()
    except EmbedderUnavailable as error:
        return None, (f"vector: {error}",)


def _is_frequent(view: NamespaceView, word: str, limit: float) -> bool:
    return any(view.share(term) > limit for term in tokens(word))


def _search(
    services: Services,
    source: tuple[Reader, NamespaceView],
    request: Request,
    query: tuple[FloatArray | None, Sequence[str]],
    trouble: tuple[str, ...],
) -> _Found:
    (reader, view), (vector, terms) = source, query
    allowed: set[str] | None = None
    if request.restricted:
        wanted = Filter(states=request.states, categories=request.categories, tags=request.tags)
        allowed = set(reader.ids(request.namespace, wanted))
    size = max(services.config.retrieval.pool, 3 * request.k)
    sparse = view.by_words(terms, size, allowed)
    if vector is None:
        return _Found((), sparse, None, trouble)
    if allowed is None:
        near = services.searcher.nearest(reader, view, vector, size)
    else:
        near = services.searcher.among(reader, view, allowed, vector, size)
    degraded = (*trouble, f"vector: {near.trouble}") if near.trouble else trouble
    return _Found(near.hits, sparse, vector, degraded)


def _pool(
    services: Services,
    source: tuple[Reader, NamespaceView],
    request: Request,
    found: _Found,
    terms: Sequence[str],
) -> Pool:
    """The candidates with their rows; a hit whose row is gone or in another state does not count: fail closed."""
    reader, view = source
    hits = [hit.id for hit in (*found.dense, *found.sparse)]
    rows = reader.candidates(request.namespace, [*hits, *_beside(services, view, request, found)])
    candidates = [row for row in rows.values() if row.state in request.states]
    ours, blank = services.embedder.fingerprint, np.zeros(services.embedder.dimension, dtype=np.float32)
    vectors = [row.vector if row.fingerprint == ours else blank for row in candidates]
    return Pool(
        candidates=candidates,
        vectors=np.stack(vectors) if vectors else blank.reshape(1, -1)[:0],
        query=found.vector,
        lexical=view.scores(terms, [row.id for row in candidates]),
        now=encode_time(services.runtime.now()) or 0,
        strength=services.config.strength,
        terms=terms,
        hints=date_hints(request.query, services.runtime.now()),
        asks_when=asks_when(request.query),
        previous=_previous(view, candidates),
        settings=services.config.retrieval,
    )


def _beside(services: Services, view: NamespaceView, request: Request, found: _Found) -> list[str]:
    """The turns before and after the best hits: an answer seldom repeats the words of its question."""
    if request.restricted:
        return []
    best = services.config.retrieval.neighbours
    with view.lock:
        ids = [hit.id for hits in (found.dense, found.sparse) for hit in hits[:best]]
        near = [beside for i in dict.fromkeys(ids) for beside in (view.order.before(i), view.order.after(i))]
    return [memory_id for memory_id in near if memory_id is not None]


def _previous(view: NamespaceView, candidates: Sequence[Candidate]) -> list[int]:
    """Per candidate: the place of the turn before it, -1 if that is no candidate."""
    places = {row.id: place for place, row in enumerate(candidates)}
    with view.lock:
        before = [view.order.before(row.id) for row in candidates]
    return [places.get(memory_id, -1) if memory_id is not None else -1 for memory_id in before]


def _recalled(services: Services, ranked: Ranked, memory: Memory, ranks: Mapping[str, int]) -> Recalled:
    return Recalled(
        memory=memory,
        score=ranked.score,
        confidence=_confidence(ranked),
        signals=ranked.signals,
        contributions=ranked.contributions,
        found_by=ranks,
        label=relative_time_label(memory.recorded_at, services.runtime.now()),
    )


def _ranks(found: _Found, ids: Sequence[str]) -> dict[str, dict[str, int]]:
    """Per memory: its place (1 = best) in each candidate list that holds it."""
    wanted: dict[str, dict[str, int]] = {memory_id: {} for memory_id in ids}
    for name, hits in (("vector", found.dense), ("lexical", found.sparse)):
        for place, hit in enumerate(hits, 1):
            if hit.id in wanted:
                wanted[hit.id][name] = place
    return wanted


def _confidence(ranked: Ranked) -> float:
    """A first estimate from the cosine alone; not yet calibrated."""
    cosine = ranked.signals.get("similarity", 0.0)
    return min(1.0, max(0.0, (cosine - _CONFIDENCE_FLOOR) / _CONFIDENCE_SPAN))


def _why_empty(reader: Reader, request: Request) -> str:
    if reader.count(request.namespace, Filter(states=("active",))) == 0:
        return "this namespace holds no active memories"
    return "no memory matches the given categories or tags" if request.restricted else "no memory matches the query"
