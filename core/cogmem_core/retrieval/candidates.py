"""What may answer a question: lists by meaning and by words, turns beside them, linked memories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from cogmem_core.error_texts import reason
from cogmem_core.errors import CogMemError, StoreError
from cogmem_core.ports import FloatArray, Hit
from cogmem_core.retrieval.plan import Plan, Request
from cogmem_core.retrieval.visibility import Visibility
from cogmem_core.services import Services
from cogmem_core.storage.ledger.codec import decode_moment
from cogmem_core.storage.ledger.memories import Filter
from cogmem_core.storage.ledger.transaction import Transaction
from cogmem_core.storage.search.corpus import Corpus
from cogmem_core.strength import coactivation_now
from cogmem_core.text.tokens import tokens
from cogmem_core.timeouts import Deadline

__all__ = ["Link", "QueryHits", "SearchContext", "allowed_ids", "find", "follow_links"]

# What an index may fail with; anything else is a defect and is not hidden.
_FAULTS = (
    CogMemError,
    ArithmeticError,
    LookupError,
    MemoryError,
    RuntimeError,
    TypeError,
    ValueError,
)
_CAUSAL = ("causes", "elaborates")
_ABOUT_TRUTH = ("supersedes", "contradicts")


@dataclass(frozen=True, slots=True)
class SearchContext:
    """What one search works with.

    Attributes:
        services: of the engine.
        reader: a snapshot of the ledger.
        corpus: the views that are searched: that of active memories and, if they may be seen, that
            of dormant and superseded ones.
        request: what is asked.
        plan: how it is answered.
        visibility: which memories may be seen.
        deadline: when an answer is due.
        allowed: ids that the given categories, tags and moments leave; None = all.
        troubles: what failed or was cut short so far.
    """

    services: Services
    reader: Transaction
    corpus: Corpus
    request: Request
    plan: Plan
    visibility: Visibility
    deadline: Deadline
    allowed: frozenset[str] | None = None
    troubles: list[str] = field(default_factory=list)

    def note_trouble(self, sentence: str) -> None:
        """Note what failed, once."""
        if sentence not in self.troubles:
            self.troubles.append(sentence)

    def lost(self, kind: str) -> bool:
        """True if `vector` or `lexical` search failed, or a part of it."""
        return any(sentence.startswith(f"{kind}:") for sentence in self.troubles)

    def late(self, step: str) -> bool:
        """True, and noted, if no time is left for a step."""
        if self.deadline.passed:
            self.note_trouble(f"deadline: {step} left out")
            return True
        return False


@dataclass(frozen=True, slots=True)
class QueryHits:
    """What one query found.

    Attributes:
        terms: index tokens of the query.
        vector: of the query; None if it could not be had.
        dense: by meaning, best first.
        sparse: by words, best first.
        reached: memories that neither list holds: list name → id → rank of the memory it was
            reached from.
    """

    terms: Sequence[str]
    vector: FloatArray | None
    dense: Sequence[Hit]
    sparse: Sequence[Hit]
    reached: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    @property
    def ids(self) -> list[str]:
        """Every candidate once, those of the lists first."""
        ids = [hit.id for hit in (*self.dense, *self.sparse)]
        for places in self.reached.values():
            ids.extend(places)
        return list(dict.fromkeys(ids))

    def ranks(self, memory_id: str) -> dict[str, int]:
        """Its place (1 = best) in each list that holds it."""
        ranks = {}
        for name, hits in (("vector", self.dense), ("lexical", self.sparse)):
            for rank, hit in enumerate(hits, 1):
                if hit.id == memory_id:
                    ranks[name] = rank
                    break
        for name, places in self.reached.items():
            if places.get(memory_id):
                ranks[name] = places[memory_id]
        return ranks


@dataclass(frozen=True, slots=True)
class Link:
    """A relation from one memory: where it leads, its strength today (0..1), and its type."""

    source: str
    target: str
    weight: float
    type: str


def allowed_ids(
    reader: Transaction, request: Request, plan: Plan, visibility: Visibility
) -> frozenset[str] | None:
    """The ids that may be found; None if nothing but the state decides."""
    if plan.categories is None and request.tags is None and not visibility.looks_back:
        return None
    # The row says what ended by the moment in question, unless one looks from an earlier moment.
    ends_after = visibility.as_of if visibility.known_at is None else None
    states = ("active", "dormant", "superseded") if visibility.needs_cold else ("active",)
    where = Filter(
        states=states,
        categories=plan.categories,
        tags=request.tags,
        said_by=visibility.known_at,
        begun_by=visibility.as_of,
        ends_after=ends_after,
    )
    return frozenset(reader.at(request.namespace).memories.ids(where))


def find(context: SearchContext, text: str, vector: FloatArray | None) -> QueryHits:
    """Both lists for one query, and the turns beside their best hits.

    Raises:
        StoreError: neither list could be had.
    """
    terms = tokens(text)
    sparse = _by_words(context, terms)
    dense = None if vector is None else _by_meaning(context, vector)
    if sparse is None and dense is None:
        raise StoreError(f"nothing is left to search with ({'; '.join(context.troubles)})")
    hits = QueryHits(terms, vector, dense or (), sparse or ())
    if context.allowed is not None or context.late("what stands beside"):
        return hits
    # An answer seldom repeats its question's words: the turns before and after the best hits.
    beside: dict[str, int] = {}
    seeds = _seeds(context, hits)
    for rank, turn_ids in zip(seeds.values(), context.corpus.beside(seeds), strict=True):
        for memory_id in turn_ids:
            if memory_id is not None:
                beside.setdefault(memory_id, rank)
    lists = {"beside": beside}
    if context.plan.route.hub and sparse is not None:
        lists["entity"] = _by_names(context)
    listed = {hit.id for hit in (*hits.dense, *hits.sparse)}
    reached = {}
    for name, places in lists.items():
        reached[name] = {key: rank for key, rank in places.items() if key not in listed}
    return replace(hits, reached=reached)


def _by_words(context: SearchContext, terms: Sequence[str]) -> list[Hit] | None:
    """None if words cannot be searched; the index is then built anew for the next question."""
    try:
        return context.corpus.by_words(terms, context.plan.size, context.allowed)
    except _FAULTS as error:
        context.note_trouble(f"lexical: {reason(error)}")
        context.services.searcher.views.drop(context.request.namespace)
        return None


def _by_meaning(context: SearchContext, vector: FloatArray) -> list[Hit] | None:
    """None if vectors cannot be searched."""
    if context.late("search by meaning"):
        return None
    searcher = context.services.searcher
    reader = context.reader
    size = context.plan.size
    hits: list[Hit] = []
    try:
        for view in context.corpus.views:
            if context.allowed is None:
                near = searcher.nearest(reader, view, vector, size, deadline=context.deadline)
            else:
                near = searcher.among(reader, view, context.allowed, vector, size)
            hits += near.hits
            if near.trouble:
                context.note_trouble(f"vector: {near.trouble}")
    except _FAULTS as error:
        context.note_trouble(f"vector: {reason(error)}")
        return None
    best = {hit.id: hit for hit in sorted(hits, key=lambda hit: hit.score)}
    return sorted(best.values(), key=lambda hit: (-hit.score, hit.id))[:size]


def _seeds(context: SearchContext, hits: QueryHits) -> dict[str, int]:
    """The best hits of both lists, in turn, with their ranks."""
    seeds: dict[str, int] = {}
    for place in range(context.services.config.retrieval.neighbours):
        for ranked_hits in (hits.dense, hits.sparse):
            if place < len(ranked_hits):
                seeds.setdefault(ranked_hits[place].id, place + 1)
    return seeds


def _by_names(context: SearchContext) -> dict[str, int]:
    """What mentions a name of the question, by its words."""
    places: dict[str, int] = {}
    for name in context.plan.question.names:
        hits = context.corpus.by_words(tokens(name.text), context.plan.size)
        for rank, hit in enumerate(hits, 1):
            places.setdefault(hit.id, rank)
    return places


def follow_links(context: SearchContext, hits: QueryHits) -> list[Link]:
    """Relations of the best hits, strongest first.

    Causes and elaborations are followed for as many steps as the route says. The weight of
    co-activation fades while nobody uses it.
    """
    seeds = list(_seeds(context, hits))
    if not seeds or context.late("what is linked"):
        return []
    links = _links_of(context, seeds)
    # How strongly each target is reached: the product of the weights on the best way there.
    strength: dict[str, float] = {}
    for link in links:
        strength[link.target] = max(strength.get(link.target, 0.0), link.weight)
    visited = set(seeds)
    frontier = {link.target for link in links if link.type in _CAUSAL} - visited
    for _ in range(context.plan.route.hops - 1):
        further = _links_of(context, sorted(frontier))
        step = [
            replace(link, weight=link.weight * strength[link.source])
            for link in further
            if link.type in _CAUSAL
        ]
        links += step
        for link in step:
            strength[link.target] = max(strength.get(link.target, 0.0), link.weight)
        visited |= frontier
        frontier = {link.target for link in step} - visited
    return sorted(links, key=lambda link: (-link.weight, link.source, link.target))


def _links_of(context: SearchContext, ids: Sequence[str]) -> list[Link]:
    """The relations of some memories from both their ends, with today's weight.

    Only those that are strong and sure enough, and lead to something worth reading. The weight of a
    `co_activated` relation fades, that of another is its weight times its confidence.
    """
    if not ids:
        return []
    settings = context.services.config.retrieval
    now = decode_moment(context.visibility.now)
    sources = set(ids)
    links = []
    tables = context.reader.at(context.request.namespace)
    for relation in tables.relations.of_memories(ids):
        threshold = settings.associations
        if relation.type == "co_activated":
            # A pair used together lifts each other before it is strong enough to bring the other in.
            threshold = min(threshold, settings.coactivated_from)
            weight = coactivation_now(relation, now, settings.association_days)
        else:
            threshold = min(threshold, 1.0)
            weight = relation.weight * relation.confidence
        causal = context.plan.route.hops > 0 and relation.type in _CAUSAL
        sure = causal or relation.confidence >= settings.association_confidence
        # What was replaced is worth reading only if one looks for it.
        worth_reading = context.visibility.needs_cold or relation.type not in _ABOUT_TRUTH
        if weight < threshold or not sure or not worth_reading:
            continue
        pair = (relation.source_id, relation.target_id)
        for source, target in (pair, pair[::-1]):
            if source in sources:
                links.append(Link(source, target, weight, relation.type))
    return links
