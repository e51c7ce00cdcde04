"""What may answer a question: lists by meaning and by words, what stands beside them, and what is linked to them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cogmem_core.errors import CogMemError, StoreError
from cogmem_core.models import Relation
from cogmem_core.ports import FloatArray, Hit
from cogmem_core.reasons import reason
from cogmem_core.retrieval.plan import Plan
from cogmem_core.retrieval.request import Request
from cogmem_core.retrieval.visibility import Horizon
from cogmem_core.services import Services
from cogmem_core.storage.ledger.codec import decode_moment
from cogmem_core.storage.ledger.reader import Filter, Reader
from cogmem_core.storage.search.corpus import Corpus
from cogmem_core.storage.search.in_memory_index import NamespaceView
from cogmem_core.strength import coactivation_now
from cogmem_core.text.tokens import tokens
from cogmem_core.timeouts import Deadline

__all__ = ["Desk", "Found", "Link", "allowed_ids", "find", "follow_links"]

# What an index may fail with; anything else is a defect and is not hidden.
_FAULTS = (CogMemError, ArithmeticError, LookupError, MemoryError, RuntimeError, TypeError, ValueError)
_CAUSAL = ("causes", "elaborates")
_ABOUT_TRUTH = ("supersedes", "contradicts")


@dataclass(frozen=True, slots=True)
class Desk:
    """What one recall works with.

    Attributes:
        cold: the view of dormant and superseded memories, if they may be seen.
        allowed: ids that the given categories, tags and moments leave; None = all.
        troubles: what failed or was cut short so far.
    """

    services: Services
    reader: Reader
    view: NamespaceView
    cold: NamespaceView | None
    request: Request
    plan: Plan
    horizon: Horizon
    deadline: Deadline
    allowed: frozenset[str] | None = None
    troubles: list[str] = field(default_factory=list)

    @property
    def corpus(self) -> Corpus:
        """The views that are searched, as one."""
        return Corpus(self.view, self.cold)

    def trouble(self, sentence: str) -> None:
        """Note what failed, once."""
        if sentence not in self.troubles:
            self.troubles.append(sentence)

    def lost(self, kind: str) -> bool:
        """True if `vector` or `lexical` search failed, or a part of it."""
        return any(sentence.startswith(f"{kind}:") for sentence in self.troubles)

    def late(self, left_out: str) -> bool:
        """True, and noted, if no time is left for a step."""
        if self.deadline.passed:
            self.trouble(f"deadline: {left_out} left out")
            return True
        return False


@dataclass(frozen=True, slots=True)
class Found:
    """What one query found.

    Attributes:
        dense, sparse: by meaning and by words, best first.
        reached: memories that neither list holds, and from where: list name → id → rank of what it was reached from.
    """

    terms: Sequence[str]
    vector: FloatArray | None
    dense: Sequence[Hit]
    sparse: Sequence[Hit]
    reached: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    @property
    def ids(self) -> list[str]:
        """Every candidate once, those of the lists first."""
        reached = (memory_id for place in self.reached.values() for memory_id in place)
        return list(dict.fromkeys((*(hit.id for hit in (*self.dense, *self.sparse)), *reached)))

    def ranks(self, memory_id: str) -> dict[str, int]:
        """Its place (1 = best) in each list that holds it."""
        lists = {"vector": self.dense, "lexical": self.sparse}
        found = {
            name: next((place for place, hit in enumerate(hits, 1) if hit.id == memory_id), 0)
            for name, hits in lists.items()
        }
        found |= {name: places.get(memory_id, 0) for name, places in self.reached.items()}
        return {name: rank for name, rank in found.items() if rank}


@dataclass(frozen=True, slots=True)
class Link:
    """A relation seen from one memory: where it leads, how strong it is today (0..1), and what it is."""

    source: str
    target: str
    weight: float
    type: str


def allowed_ids(reader: Reader, request: Request, plan: Plan, horizon: Horizon) -> frozenset[str] | None:
    """The ids that may be found; None if nothing but the state decides."""
    if plan.categories is None and request.tags is None and not horizon.looks_back:
        return None
    # What ended by the moment in question is known from the row, unless one looks from an earlier moment.
    ends_after = horizon.as_of if horizon.known_at is None else None
    wanted = Filter(
        states=("active", "dormant", "superseded") if horizon.needs_cold else ("active",),
        categories=plan.categories,
        tags=request.tags,
        said_by=horizon.known_at,
        begun_by=horizon.as_of,
        ends_after=ends_after,
    )
    return frozenset(reader.ids(request.namespace, wanted))


def find(desk: Desk, text: str, vector: FloatArray | None) -> Found:
    """Both lists for one query, and what stands beside their best.

    Raises:
        StoreError: neither list could be had.
    """
    terms = tokens(text)
    sparse = _by_words(desk, terms)
    dense = None if vector is None else _by_meaning(desk, vector)
    if sparse is None and dense is None:
        raise StoreError(f"nothing is left to search with ({'; '.join(desk.troubles)})")
    found = Found(terms, vector, dense or (), sparse or ())
    if desk.allowed is not None or desk.late("what stands beside"):
        return found
    reached = {"beside": _beside(desk, found)}
    if desk.plan.route.hub and sparse is not None:
        reached["entity"] = _hub(desk)
    known = {hit.id for hit in (*found.dense, *found.sparse)}
    return Found(terms, vector, found.dense, found.sparse, {n: _without(p, known) for n, p in reached.items()})


def _without(places: Mapping[str, int], known: set[str]) -> dict[str, int]:
    return {memory_id: rank for memory_id, rank in places.items() if memory_id not in known}


def _by_words(desk: Desk, terms: Sequence[str]) -> list[Hit] | None:
    """None if words cannot be searched; the index is then built anew for the next question."""
    try:
        return desk.corpus.by_words(terms, desk.plan.size, desk.allowed)
    except _FAULTS as error:
        desk.trouble(f"lexical: {reason(error)}")
        desk.services.searcher.views.drop(desk.request.namespace)
        return None


def _by_meaning(desk: Desk, vector: FloatArray) -> list[Hit] | None:
    """None if vectors cannot be searched."""
    if desk.late("search by meaning"):
        return None
    searcher = desk.services.searcher
    hits = list[Hit]()
    try:
        for view in desk.corpus.views:
            if desk.allowed is None:
                near = searcher.nearest(desk.reader, view, vector, desk.plan.size, deadline=desk.deadline)
            else:
                near = searcher.among(desk.reader, view, desk.allowed, vector, desk.plan.size)
            hits += near.hits
            if near.trouble:
                desk.trouble(f"vector: {near.trouble}")
    except _FAULTS as error:
        desk.trouble(f"vector: {reason(error)}")
        return None
    best = {hit.id: hit for hit in sorted(hits, key=lambda hit: hit.score)}
    return sorted(best.values(), key=lambda hit: (-hit.score, hit.id))[: desk.plan.size]


def _beside(desk: Desk, found: Found) -> dict[str, int]:
    """The turns before and after the best hits: an answer seldom repeats the words of its question."""
    places: dict[str, int] = {}
    seeds = _seeds(desk, found)
    for (_, rank), turns in zip(seeds, desk.corpus.beside(memory_id for memory_id, _ in seeds), strict=True):
        for beside in turns:
            if beside is not None:
                places.setdefault(beside, rank)
    return places


def _seeds(desk: Desk, found: Found) -> Collection[tuple[str, int]]:
    """The best hits of both lists, in turn, with their ranks."""
    best = desk.services.config.retrieval.neighbours
    seeds: dict[str, int] = {}
    for rank in range(best):
        for hits in (found.dense, found.sparse):
            if rank < len(hits):
                seeds.setdefault(hits[rank].id, rank + 1)
    return seeds.items()


def _hub(desk: Desk) -> dict[str, int]:
    """What mentions a name of the question, by its words."""
    places: dict[str, int] = {}
    for named in desk.plan.question.names:
        for rank, hit in enumerate(desk.corpus.by_words(tokens(named.text), desk.plan.size), 1):
            places.setdefault(hit.id, rank)
    return places


def _linkable(relation: Relation, horizon: Horizon) -> bool:
    """Whether a relation leads to something worth reading; what was replaced is, only if one looks for it."""
    return horizon.needs_cold or relation.type not in _ABOUT_TRUTH


def follow_links(desk: Desk, found: Found) -> list[Link]:
    """Relations of the best hits, strongest first; along causes and elaborations for as many steps as the route says.

    Seed 001: graph traversal; seed 003: association links. The weight of co-activation fades while nobody uses it.
    """
    seeds = [memory_id for memory_id, _ in _seeds(desk, found)]
    if not seeds or desk.late("what is linked"):
        return []
    links = _links(desk, seeds)
    seen = set(seeds)
    strength = dict[str, float]()
    _strengthen(strength, links)
    edge = {link.target for link in links if link.type in _CAUSAL} - seen
    for _ in range(desk.plan.route.hops - 1):
        further = [link for link in _links(desk, sorted(edge)) if link.type in _CAUSAL]
        further = [replace(link, weight=link.weight * strength[link.source]) for link in further]
        links += further
        _strengthen(strength, further)
        seen |= edge
        edge = {link.target for link in further} - seen
    return sorted(links, key=lambda link: (-link.weight, link.source, link.target))


def _strengthen(strength: dict[str, float], links: Sequence[Link]) -> None:
    """How strongly each target is reached: the product of the weights on the best way there."""
    for link in links:
        strength[link.target] = max(strength.get(link.target, 0.0), link.weight)


def _links(desk: Desk, ids: Sequence[str]) -> list[Link]:
    """The relations of some memories from both their ends, with today's weight."""
    if not ids:
        return []
    settings = desk.services.config.retrieval
    wanted = set(ids)
    found = list[Link]()
    for relation in desk.reader.relations_of(desk.request.namespace, ids):
        weight = _weight(relation, desk)
        causal = desk.plan.route.hops > 0 and relation.type in _CAUSAL
        sure = causal or relation.confidence >= settings.association_confidence
        # A pair used together lifts each other before it is strong enough to bring the other in: see `pool`.
        least = min(settings.associations, settings.coactivated_from if relation.type == "co_activated" else 1.0)
        if weight < least or not sure or not _linkable(relation, desk.horizon):
            continue
        ends = ((relation.source_id, relation.target_id), (relation.target_id, relation.source_id))
        found += [Link(one, other, weight, relation.type) for one, other in ends if one in wanted]
    return found


def _weight(relation: Relation, desk: Desk) -> float:
    """Weight times confidence, 0..1; that of a `co_activated` relation fades."""
    if relation.type != "co_activated":
        return relation.weight * relation.confidence
    now = decode_moment(desk.horizon.now)
    return coactivation_now(relation, now, desk.services.config.retrieval.association_days)
