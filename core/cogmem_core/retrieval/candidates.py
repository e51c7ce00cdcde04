"""What may answer a question: lists by meaning and by words, turns beside them, linked memories, and their rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import NamedTuple

from cogmem_core.base.error_texts import reason
from cogmem_core.edge.strength import coactivation_now
from cogmem_core.embedders.scale import AS_THEY_ARE
from cogmem_core.errors import CogMemError, StoreError
from cogmem_core.ports import FloatArray, Hit, Stored, best_first
from cogmem_core.retrieval.plan import Plan, Request
from cogmem_core.retrieval.search_context import SearchContext
from cogmem_core.retrieval.signals import ALONE, Pool
from cogmem_core.retrieval.visibility import PastState, Visibility, past_states
from cogmem_core.storage.ledger.codec import decode_moment, decode_time, encode_time
from cogmem_core.storage.ledger.transaction import Transaction
from cogmem_core.storage.search.bm25 import Bm25Index
from cogmem_core.storage.search.candidate_rows import CandidateColumns
from cogmem_core.storage.search.corpus import Corpus
from cogmem_core.text.query.aim import with_verb_forms
from cogmem_core.text.time.days import utc
from cogmem_core.text.time.periods import later
from cogmem_core.text.tokens import tokens
from cogmem_core.values.models import Memory

COLD_AMONG = 3
"""A second look follows if something cold is among so many of the best, by words or by meaning."""
NEIGHBOURS = 10
"""So many of each ranker's best hits bring the turns before and after them into the pool."""
ASSOCIATION_WEIGHT = 0.3
"""Relations of at least this weight bring the memories at their other end into the pool."""
ASSOCIATION_CONFIDENCE = 0.6
"""Relations less sure than this bring no memories in: what rules guessed from common words is found
by its words as well."""
ASSOCIATES = 32
"""Memories that relations bring into the pool, at most."""
COACTIVATED_FROM = 0.25
"""Weight from which a pair counts as used together often."""

TOLD_WITHIN_DAYS = 2.0
"""What happened in a period is looked for among what was said in it, or so many days later."""

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
_ABOUT_TRUTH = ("supersedes", "contradicts", "revises")


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

    def ranks(self, ids: Sequence[str]) -> list[dict[str, int]]:
        """Of each memory its place (1 = best) in each list that holds it."""
        lists: dict[str, Mapping[str, int]] = {}
        for name, hits in (("vector", self.dense), ("lexical", self.sparse)):
            lists[name] = {hit.id: rank for rank, hit in enumerate(hits, 1)}
        lists |= self.reached
        return [
            {name: places[key] for name, places in lists.items() if key in places} for key in ids
        ]


@dataclass(frozen=True, slots=True)
class Link:
    """A relation from one memory: where it leads, its strength today (0..1), and its type."""

    source: str
    target: str
    weight: float
    type: str


class Gathered(NamedTuple):
    """The candidates of all queries of one search.

    Attributes:
        pools: one per query, in order.
        hits: what each query found, with what is linked to it.
        former: texts in force at the moment in question, by id, where they differ from today's.
        views: how each candidate is seen, see `Visibility.view_of`.
        past_states: states at the moment in question, by id, where they differ from today's.
    """

    pools: tuple[Pool, ...]
    hits: tuple[QueryHits, ...]
    former: Mapping[str, Stored]
    views: Mapping[str, str]
    past_states: Mapping[str, PastState]

    def as_it_was(self, memory: Memory) -> Memory:
        """A memory with the text, the state and the end that it had at the moment in question."""
        if memory.id in self.former:
            memory = self.former[memory.id].memory
        past = self.past_states.get(memory.id)
        if past is None:
            return memory
        successor = memory.superseded_by if past.state == "superseded" else None
        end = decode_time(past.valid_until)
        return replace(memory, state=past.state, valid_until=end, superseded_by=successor)


def allowed_ids(
    reader: Transaction, request: Request, plan: Plan, visibility: Visibility
) -> frozenset[str] | None:
    """The ids that may be found; None if nothing but the state decides."""
    within = replace(request.within, categories=plan.categories, tags=request.tags)
    if not (within.narrows or visibility.looks_back):
        return None
    # The row says what ended by the moment in question, unless one looks from an earlier moment.
    ends_after = visibility.as_of if visibility.known_at is None else None
    states = ("active", "dormant", "superseded") if visibility.needs_cold else ("active",)
    said_by = [moment for moment in (visibility.known_at, within.said_by) if moment is not None]
    where = replace(
        within,
        states=states,
        said_by=min(said_by, default=None),
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
    if context.plan.aim.by_time:
        terms = with_verb_forms(terms)
    sparse = _by_words(context, terms)
    dense = None if vector is None else _by_meaning(context, vector)
    if sparse is None and dense is None:
        raise StoreError(f"nothing is left to search with ({'; '.join(context.troubles)})")
    hits = QueryHits(terms, vector, dense or (), sparse or ())
    dated = {} if context.late("what was said then") else _by_time(context, vector)
    lists = {"time": dated}
    if context.allowed is None and not context.late("what stands beside"):
        # An answer seldom repeats its question's words: the turns before and after the best hits.
        adjacent: dict[str, int] = {}
        seeds = _seeds(hits)
        for rank, turn_ids in zip(seeds.values(), context.corpus.beside(seeds), strict=True):
            for memory_id in turn_ids:
                if memory_id is not None:
                    adjacent.setdefault(memory_id, rank)
        lists = {"beside": adjacent, "time": dated}
        if context.plan.route.hub and sparse is not None:
            lists["entity"] = _by_names(context)
    listed = {hit.id for hit in (*hits.dense, *hits.sparse)}
    reached = {}
    for name, places in lists.items():
        reached[name] = {key: rank for key, rank in places.items() if key not in listed}
    return replace(hits, reached=reached)


def cold_is_near(context: SearchContext, hits_by_query: Sequence[QueryHits]) -> bool:
    """Whether what was put away or replaced is among the first few by words or by meaning.

    Its own small index tells. What filters leave, and what was said when, it does not: then it may be.
    """
    hints = context.plan.hints
    if context.allowed is not None or hints.periods or hints.dates:
        return True
    searcher = context.services.searcher
    cold = searcher.view(context.reader, context.request.namespace, cold=True)
    both = replace(context, corpus=Corpus(context.corpus.views[0], cold))
    for hits in hits_by_query:
        best_ids = [hit.id for hit in (_by_words(both, hits.terms) or ())[:COLD_AMONG]]
        with cold.lock:
            if cold.holding(best_ids):
                return True
        if hits.vector is not None:
            nearest = _by_meaning(replace(context, corpus=Corpus(cold)), hits.vector) or ()
            best = hits.dense[:COLD_AMONG]
            least = best[-1].score if len(best) == COLD_AMONG else -1.0
            if nearest and nearest[0].score >= least:
                return True
    return False


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
    if len(context.corpus.views) == 1:
        return hits
    best = {hit.id: hit for hit in sorted(hits, key=lambda hit: hit.score)}
    return best_first(best.values())[:size]


def _seeds(hits: QueryHits) -> dict[str, int]:
    """The best hits of both lists, in turn, with their ranks."""
    seeds: dict[str, int] = {}
    for place in range(NEIGHBOURS):
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


def _by_time(context: SearchContext, vector: FloatArray | None) -> dict[str, int]:
    """What was said in the periods and on the days that the question names, or soon after them.

    What happened yesterday is told today. Of very much the nearest in meaning.
    """
    ids: dict[str, None] = {}
    for first, last in (*context.plan.hints.periods, *context.plan.hints.dates):
        end = later(last, TOLD_WITHIN_DAYS)
        bounds = (encode_time(utc(first)) or 0, encode_time(utc(end)) or 0)
        ids.update(dict.fromkeys(context.corpus.said_between(*bounds)))
    found = list(filter(context.allows, ids))
    size = context.plan.size
    if len(found) > size and vector is not None:
        hits: list[Hit] = []
        searcher = context.services.searcher
        try:
            for view in context.corpus.views:
                hits += searcher.among(context.reader, view, found, vector, size).hits
        except _FAULTS as error:
            context.note_trouble(f"vector: {reason(error)}")
        found = [hit.id for hit in hits]
    return dict.fromkeys(found[:size], 1)


def _follow_links(context: SearchContext, hits: QueryHits) -> list[Link]:
    """Relations of the best hits, strongest first.

    Causes and elaborations are followed for as many steps as the route says. The weight of
    co-activation fades while nobody uses it.
    """
    seeds = list(_seeds(hits))
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
        visited |= frontier
        reached: dict[str, float] = {}
        for link in further:
            if link.type not in _CAUSAL:
                continue
            weight = link.weight * strength[link.source]
            links.append(replace(link, weight=weight))
            reached[link.target] = max(reached.get(link.target, 0.0), weight)
        for target, weight in reached.items():
            strength[target] = max(strength.get(target, 0.0), weight)
        frontier = reached.keys() - visited
    return sorted(links, key=lambda link: (-link.weight, link.source, link.target))


def _links_of(context: SearchContext, ids: Sequence[str]) -> list[Link]:
    """The relations of some memories from both their ends, with today's weight.

    Only those that are strong and sure enough, and lead to something worth reading. The weight of a
    `co_activated` relation fades, that of another is its weight times its confidence.
    """
    now = decode_moment(context.visibility.now)
    links: list[Link] = []
    linked_ids = context.corpus.linked(context.tables, ids)
    sources = set(linked_ids)
    for relation in context.tables.relations.of_memories(linked_ids):
        threshold = ASSOCIATION_WEIGHT
        weight = relation.weight * relation.confidence
        if relation.type == "co_activated":
            # A pair used together lifts each other before it is strong enough to bring the other in.
            threshold = COACTIVATED_FROM
            weight = coactivation_now(relation, now)
        causal = context.plan.route.hops > 0 and relation.type in _CAUSAL
        sure = causal or relation.confidence >= ASSOCIATION_CONFIDENCE
        # What was replaced is worth reading only if one looks for it.
        worth_reading = context.visibility.needs_cold or relation.type not in _ABOUT_TRUTH
        if weight < threshold or not sure or not worth_reading:
            continue
        pair = (relation.source_id, relation.target_id)
        for source, target in (pair, pair[::-1]):
            if source in sources:
                links.append(Link(source, target, weight, relation.type))
    return links


def gather(context: SearchContext, hits_by_query: Sequence[QueryHits]) -> Gathered:
    """Rows, links and lexical scores of everything found.

    A hit whose row may not be seen does not count: fail closed.
    """
    namespace = context.request.namespace
    tables = context.tables
    known_at = context.request.known_at
    links_by_query = [_follow_links(context, hits) for hits in hits_by_query]
    linked_hits = list(map(_with_linked, hits_by_query, links_by_query))
    former: dict[str, Stored] = {}
    if known_at is not None:
        former = tables.history.former(known_at)
    ids = chain.from_iterable(hits.ids for hits in linked_hits)
    rows = context.corpus.rows(tables, list(dict.fromkeys([*ids, *former])))
    states: dict[str, PastState] = {}
    if context.visibility.known_at is not None:
        each_row = [rows.at(place) for place in range(len(rows))]
        states = past_states(context.reader, namespace, each_row, context.visibility.known_at)
    if former:
        rows = _as_they_were(rows, former)
    seen = context.visibility.views_of(rows, states)
    views = dict(zip(rows.ids, seen, strict=True))
    if context.allowed is not None:
        views |= dict.fromkeys(views.keys() - context.allowed, "")
    context.former.update((name, stored.memory.content) for name, stored in former.items())
    pools = [
        _pool(context, hits, links, rows, views=views, former=former)
        for hits, links in zip(linked_hits, links_by_query, strict=True)
    ]
    return Gathered(tuple(pools), tuple(linked_hits), former, views, states)


def _as_they_were(rows: CandidateColumns, former: Mapping[str, Stored]) -> CandidateColumns:
    """The rows with the texts of the moment in question."""
    each = list(map(rows.at, range(len(rows))))
    return CandidateColumns.of(
        [row.saying(former[row.id].memory.content) if row.id in former else row for row in each]
    )


def _with_linked(hits: QueryHits, links: Sequence[Link]) -> QueryHits:
    """The hits with what the best of them are linked to."""
    listed = set(hits.ids)
    ranks: dict[str, int] = {}
    for ranked_hits in (hits.sparse, hits.dense):
        for rank, hit in enumerate(ranked_hits, 1):
            ranks[hit.id] = rank
    places: dict[str, int] = {}
    for link in links:
        if _brings_in(link) and link.target not in listed and len(places) < ASSOCIATES:
            places.setdefault(link.target, ranks.get(link.source, len(ranks)))
    if not places:
        return hits
    return replace(hits, reached={**hits.reached, "linked": places})


def _brings_in(link: Link) -> bool:
    """Whether a link is strong enough to make its target a candidate."""
    return link.type != "co_activated" or link.weight >= ASSOCIATION_WEIGHT


def _pool(
    context: SearchContext,
    hits: QueryHits,
    links: Sequence[Link],
    rows: CandidateColumns,
    *,
    views: Mapping[str, str],
    former: Mapping[str, Stored],
) -> Pool:
    """The candidates of one query, with what is known about them.

    Args:
        context: of the search.
        hits: what the query found.
        links: of these.
        rows: of all that was found.
        views: how each memory is seen.
        former: texts in force at the moment in question.
    """
    plan = context.plan
    question = plan.question
    speakers = question.speakers
    spoken = {token for speaker in speakers for token in tokens(speaker)}
    ids = [name for name in dict.fromkeys((*hits.ids, *former)) if views.get(name)]
    if ids != rows.ids:
        row_of = {name: place for place, name in enumerate(rows.ids)}
        rows = rows.take([row_of[name] for name in ids])
    places = {name: place for place, name in enumerate(ids)}
    link_places = []
    together: set[int] = set()
    for link in links:
        if link.source not in places or link.target not in places:
            continue
        source = places[link.source]
        target = places[link.target]
        if _brings_in(link):
            link_places.append((source, target, link.weight))
        if link.type == "co_activated" and link.weight >= COACTIVATED_FROM:
            together.update((source, target))
    beside = context.corpus.beside(ids)
    place_of: dict[str | None, int] = {None: ALONE}
    place_of.update(places)
    coverage, covered = _coverage(context, hits.terms, ids)
    figures = [term for term in hits.terms if any(map(str.isdigit, term))]
    return Pool(
        candidates=rows,
        vectors=_vectors(context, ids, former),
        query=hits.vector,
        lexical=_lexical_scores(context, hits.terms, ids, former),
        now=context.visibility.now,
        strength=context.services.config.strength,
        terms=hits.terms,
        coverage=coverage,
        covered=covered,
        figures=_coverage(context, figures, ids)[0],
        hints=plan.hints,
        asks_when=question.asks_when,
        speaker=speakers[0] if len(speakers) == 1 else None,
        # Whoever speaks is named in what others say.
        entities=frozenset(
            name.uri for name in question.names if spoken.isdisjoint(tokens(name.text))
        ),
        previous=[place_of.get(before, -1) for before, _ in beside],
        following=[place_of.get(after, -1) for _, after in beside],
        links=tuple(link_places),
        together=frozenset(together),
        rankings=([hit.id for hit in hits.dense], [hit.id for hit in hits.sparse]),
        shares=(plan.route.vector, plan.route.lexical),
        session_id=context.request.session_id,
        favoured=frozenset(plan.route.favoured),
        mood=plan.mood,
        cold=[views[name] == "cold" for name in ids],
        away=[views[name] == "away" for name in ids],
        over=context.visibility.are_over(rows),
        scale=context.services.embedder.scale or AS_THEY_ARE,
        settings=context.services.config.retrieval,
    )


def _vectors(
    context: SearchContext, ids: Sequence[str], former: Mapping[str, Stored]
) -> FloatArray:
    """One row per candidate; zeros for a vector of another embedder."""
    embedder = context.services.embedder
    fingerprint = embedder.fingerprint
    dimension = embedder.dimension
    matrix = context.corpus.vectors(
        context.tables, ids, fingerprint=fingerprint, dimension=dimension
    )
    for place, name in enumerate(ids if former else ()):
        if name in former:
            stored = former[name]
            usable = stored.fingerprint == fingerprint and stored.vector.size == dimension
            matrix[place] = stored.vector if usable else 0.0
    return matrix


def _coverage(
    context: SearchContext, terms: Sequence[str], ids: Sequence[str]
) -> tuple[Sequence[float], float]:
    """How much of some words each candidate holds, and any memory; nothing where words cannot be searched."""
    if not terms or context.lost("lexical"):
        return (), 0.0
    return context.corpus.coverage(terms, ids)


def _lexical_scores(
    context: SearchContext,
    terms: Sequence[str],
    ids: Sequence[str],
    former: Mapping[str, Stored],
) -> list[float]:
    """BM25 scores; former texts are weighed by the words of today's."""
    if context.lost("lexical"):
        return [0.0] * len(ids)
    scores = context.corpus.scores(terms, ids)
    if not former:
        return scores
    index = Bm25Index()
    index.extend((memory_id, tokens(stored.key)) for memory_id, stored in former.items())
    view = context.corpus.views[0]
    with view.lock:
        values = index.scores(terms, list(former), sibling=view.lexical)
    former_scores = dict(zip(former, values, strict=True))
    for place, memory_id in enumerate(ids):
        scores[place] = former_scores.get(memory_id, scores[place])
    return scores
