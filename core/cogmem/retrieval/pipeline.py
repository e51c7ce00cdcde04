"""A query, walked: embed, find candidates by meaning and by words, score, diversify, present."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cogmem.errors import EmbedderUnavailable
from cogmem.maths.diversity import mmr
from cogmem.models import Memory
from cogmem.ports import FloatArray, Hit
from cogmem.results import Recall, Recalled
from cogmem.retrieval.narrate import narrate
from cogmem.retrieval.present import presenter
from cogmem.retrieval.signals import SIGNALS, Pool
from cogmem.services import Services
from cogmem.storage.codec import encode_time
from cogmem.storage.reader import Candidate, Filter, Reader
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


@dataclass(frozen=True, slots=True)
class _Scored:
    """A candidate with its values; `contributions` sum to `score`."""

    candidate: Candidate
    score: float
    signals: dict[str, float]
    contributions: dict[str, float]


def recall(services: Services, request: Request) -> Recall:
    """Rank the namespace's memories for a query.

    Vector or lexical search may fail alone: the other answers and `Recall.degraded` says so.

    Raises:
        CogMemError: nothing was left to search with.
    """
    terms = tokens(request.query)
    vector, trouble = _embed(services, request)
    with services.ledger.reading() as reader:
        found = _search(services, reader, request, (vector, terms), trouble)
        scored = _score(services, reader, request, found, terms)
        chosen = _select(services, scored, request.k)
        memories = reader.memories(request.namespace, [item.candidate.id for item in chosen])
        reason = "" if chosen else _why_empty(reader, request)
    live = [item for item in chosen if item.candidate.id in memories]
    results = tuple(_recalled(services, item, memories[item.candidate.id], found) for item in live)
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
    """The query's vector, without the words that stand in most memories: they carry no direction (FINDINGS A2)."""
    with services.ledger.reading() as reader:
        size = len(services.searcher.view(reader, request.namespace))
    text = request.query
    if size >= services.config.retrieval.frequent_minimum:
        text = strip_words(text, lambda word: _is_frequent(services, request.namespace, word))
    try:
        return services.embedder.embed_query(text), ()
    except EmbedderUnavailable as error:
        return None, (f"vector: {error}",)


def _is_frequent(services: Services, namespace: str, word: str) -> bool:
    limit = services.config.retrieval.frequent_share
    return any(services.searcher.share(namespace, term) > limit for term in tokens(word))


def _search(
    services: Services,
    reader: Reader,
    request: Request,
    query: tuple[FloatArray | None, Sequence[str]],
    trouble: tuple[str, ...],
) -> _Found:
    vector, terms = query
    if request.restricted:
        wanted = Filter(states=request.states, categories=request.categories, tags=request.tags)
        dense, sparse = services.searcher.among(
            reader, request.namespace, reader.ids(request.namespace, wanted), (vector, terms)
        )
        return _Found(dense, sparse, vector, trouble)
    size = max(services.config.retrieval.pool, 3 * request.k)
    sparse = services.searcher.lexical(reader, request.namespace, terms, size)
    if vector is None:
        return _Found((), sparse, None, trouble)
    near = services.searcher.nearest(reader, request.namespace, vector, size)
    degraded = (*trouble, f"vector: {near.trouble}") if near.trouble else trouble
    return _Found(near.hits, sparse, vector, degraded)


def _score(services: Services, reader: Reader, request: Request, found: _Found, terms: Sequence[str]) -> list[_Scored]:
    """Composite scores, best first; every hit is checked against its row before it counts: fail closed."""
    ids = list(dict.fromkeys(hit.id for hit in (*found.dense, *found.sparse)))
    rows = reader.candidates(request.namespace, ids)
    candidates = [rows[i] for i in ids if i in rows and rows[i].state in request.states]
    pool = Pool(
        candidates,
        _similarities(services, candidates, found.vector),
        services.searcher.scores(request.namespace, terms, [c.id for c in candidates]),
        encode_time(services.runtime.now()) or 0,
        services.config.strength,
    )
    weights = services.config.retrieval.weights
    active = [(name, getattr(weights, name), SIGNALS[name](pool)) for name in SIGNALS if getattr(weights, name) > 0.0]
    raw = pool.raw()
    scored = []
    for position, candidate in enumerate(candidates):
        factor = 1.0 if candidate.state == "active" else services.config.retrieval.deep_factor
        parts = {name: factor * weight * float(values[position]) for name, weight, values in active}
        signals = {name: float((raw.get(name) or values)[position]) for name, _, values in active}
        scored.append(_Scored(candidate, sum(parts.values()), signals, parts))
    return sorted(scored, key=lambda item: (-item.score, item.candidate.id))


def _similarities(services: Services, candidates: Sequence[Candidate], vector: FloatArray | None) -> list[float]:
    if vector is None or not candidates:
        return []
    ours = services.embedder.fingerprint
    blank = np.zeros(services.embedder.dimension, dtype=np.float32)
    matrix = np.stack([c.vector if c.fingerprint == ours else blank for c in candidates])
    return [float(value) for value in matrix @ vector]


def _select(services: Services, scored: Sequence[_Scored], k: int) -> list[_Scored]:
    lambda_ = services.config.retrieval.mmr_lambda
    if lambda_ >= 1.0 or len(scored) <= 1:
        return list(scored[:k])
    head = scored[: max(services.config.retrieval.pool, 3 * k)]
    ours = services.embedder.fingerprint
    blank = np.zeros(services.embedder.dimension, dtype=np.float32)
    vectors = np.stack([i.candidate.vector if i.candidate.fingerprint == ours else blank for i in head])
    order = mmr(np.array([item.score for item in head]), vectors, k, lambda_)
    return [head[position] for position in order]


def _recalled(services: Services, item: _Scored, memory: Memory, found: _Found) -> Recalled:
    ranks = {
        name: position + 1
        for name, hits in (("vector", found.dense), ("lexical", found.sparse))
        for position, hit in enumerate(hits)
        if hit.id == memory.id
    }
    return Recalled(
        memory=memory,
        score=item.score,
        confidence=_confidence(item),
        signals=item.signals,
        contributions=item.contributions,
        found_by=ranks,
        label=relative_time_label(memory.recorded_at, services.runtime.now()),
    )


def _confidence(item: _Scored) -> float:
    """A first estimate from the cosine alone; not yet calibrated."""
    cosine = item.signals.get("similarity", 0.0)
    return min(1.0, max(0.0, (cosine - _CONFIDENCE_FLOOR) / _CONFIDENCE_SPAN))


def _why_empty(reader: Reader, request: Request) -> str:
    if reader.count(request.namespace, Filter(states=("active",))) == 0:
        return "this namespace holds no active memories"
    return "no memory matches the given categories or tags" if request.restricted else "no memory matches the query"
