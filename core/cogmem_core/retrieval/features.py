"""From hits to the candidates of each query: their rows, as they were at the moment in question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from cogmem_core.models import Memory
from cogmem_core.ports import FloatArray, Stored
from cogmem_core.retrieval.candidates import Link, QueryHits, SearchContext, follow_links
from cogmem_core.retrieval.signals import Pool
from cogmem_core.retrieval.visibility import PastState, past_states
from cogmem_core.storage.ledger.codec import decode_time
from cogmem_core.storage.ledger.memories import Candidate
from cogmem_core.storage.search.bm25 import Bm25Index
from cogmem_core.text.query.understand import Question
from cogmem_core.text.tokens import tokens

__all__ = ["Gathered", "gather"]


@dataclass(frozen=True, slots=True)
class Gathered:
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


def gather(context: SearchContext, hits_by_query: Sequence[QueryHits]) -> Gathered:
    """Rows, links and lexical scores of everything found.

    A hit whose row may not be seen does not count: fail closed.
    """
    namespace = context.request.namespace
    tables = context.reader.at(namespace)
    known_at = context.request.known_at
    links_by_query = [follow_links(context, hits) for hits in hits_by_query]
    linked_hits = []
    for hits, links in zip(hits_by_query, links_by_query, strict=True):
        linked_hits.append(_with_linked(context, hits, links))
    former: dict[str, Stored] = {}
    if known_at is not None:
        former = tables.history.former(known_at)
    ids = [memory_id for hits in linked_hits for memory_id in hits.ids]
    rows = list(tables.memories.candidates([*ids, *former]).values())
    states: dict[str, PastState] = {}
    if context.visibility.known_at is not None:
        states = past_states(context.reader, namespace, rows, context.visibility.known_at)
    views = {}
    visible = {}
    for row in rows:
        views[row.id] = ""
        if context.allowed is None or row.id in context.allowed:
            views[row.id] = context.visibility.view_of(row, states.get(row.id))
        if views[row.id]:
            visible[row.id] = row
            if row.id in former:
                stored = former[row.id]
                visible[row.id] = row._replace(
                    content=stored.memory.content,
                    vector=stored.vector,
                    fingerprint=stored.fingerprint,
                )
    pools = []
    for hits, links in zip(linked_hits, links_by_query, strict=True):
        pool_rows = {key: visible[key] for key in (*hits.ids, *former) if key in visible}
        pools.append(
            _pool(context, hits, links, list(pool_rows.values()), former=former, views=views)
        )
    return Gathered(tuple(pools), tuple(linked_hits), former, views, states)


def _with_linked(context: SearchContext, hits: QueryHits, links: Sequence[Link]) -> QueryHits:
    """The hits with what the best of them are linked to."""
    limit = context.services.config.retrieval.associates
    listed = set(hits.ids)
    ranks: dict[str, int] = {}
    for ranked_hits in (hits.sparse, hits.dense):
        for rank, hit in enumerate(ranked_hits, 1):
            ranks[hit.id] = rank
    places: dict[str, int] = {}
    for link in links:
        if _brings_in(context, link) and link.target not in listed and len(places) < limit:
            places.setdefault(link.target, ranks.get(link.source, len(ranks)))
    if not places:
        return hits
    return replace(hits, reached={**hits.reached, "linked": places})


def _brings_in(context: SearchContext, link: Link) -> bool:
    """Whether a link is strong enough to make its target a candidate."""
    return (
        link.type != "co_activated" or link.weight >= context.services.config.retrieval.associations
    )


def _pool(
    context: SearchContext,
    hits: QueryHits,
    links: Sequence[Link],
    rows: Sequence[Candidate],
    *,
    former: Mapping[str, Stored],
    views: Mapping[str, str],
) -> Pool:
    """The candidates of one query, with what is known about them."""
    plan = context.plan
    question = plan.question
    settings = context.services.config.retrieval
    places = {row.id: place for place, row in enumerate(rows)}
    link_places = []
    together: set[int] = set()
    for link in links:
        if link.source not in places or link.target not in places:
            continue
        source = places[link.source]
        target = places[link.target]
        if _brings_in(context, link):
            link_places.append((source, target, link.weight))
        if link.type == "co_activated" and link.weight >= settings.coactivated_from:
            together.update((source, target))
    previous = []
    for turn_id, _ in context.corpus.beside(row.id for row in rows):
        previous.append(-1 if turn_id is None else places.get(turn_id, -1))
    speakers = question.speakers
    return Pool(
        candidates=rows,
        vectors=_vectors(context, rows),
        query=hits.vector,
        lexical=_lexical_scores(context, hits.terms, rows, former),
        now=context.visibility.now,
        strength=context.services.config.strength,
        terms=hits.terms,
        hints=plan.hints,
        asks_when=question.asks_when,
        speaker=speakers[0] if len(speakers) == 1 else None,
        entities=_entities(question),
        previous=previous,
        links=tuple(link_places),
        together=frozenset(together),
        rankings=([hit.id for hit in hits.dense], [hit.id for hit in hits.sparse]),
        shares=(plan.route.vector, plan.route.lexical),
        session_id=context.request.session_id,
        favoured=frozenset(plan.route.favoured),
        mood=plan.mood,
        cold=[views[row.id] == "cold" for row in rows],
        away=[views[row.id] == "away" for row in rows],
        settings=settings,
    )


def _entities(question: Question) -> frozenset[str]:
    """What the question names besides speakers: whoever speaks is named in what others say."""
    speaker_tokens: set[str] = set()
    for speaker in question.speakers:
        speaker_tokens.update(tokens(speaker))
    names = question.names
    return frozenset(name.uri for name in names if speaker_tokens.isdisjoint(tokens(name.text)))


def _vectors(context: SearchContext, rows: Sequence[Candidate]) -> FloatArray:
    """One row per candidate; zeros for a vector of another embedder."""
    embedder = context.services.embedder
    fingerprint = embedder.fingerprint
    matrix = np.zeros((len(rows), embedder.dimension), dtype=np.float32)
    for place, row in enumerate(rows):
        if row.fingerprint == fingerprint and row.vector.size == matrix.shape[1]:
            matrix[place] = row.vector
    return matrix


def _lexical_scores(
    context: SearchContext,
    terms: Sequence[str],
    rows: Sequence[Candidate],
    former: Mapping[str, Stored],
) -> list[float]:
    """BM25 scores; former texts are weighed by the words of today's."""
    if context.lost("lexical"):
        return [0.0] * len(rows)
    ids = [row.id for row in rows]
    scores = list(context.corpus.scores(terms, ids))
    if not former:
        return scores
    index = Bm25Index(context.services.config.lexical)
    index.extend((memory_id, tokens(stored.key)) for memory_id, stored in former.items())
    view = context.corpus.views[0]
    with view.lock:
        values = index.scores(terms, list(former), beside=view.lexical)
    former_scores = dict(zip(former, values, strict=True))
    return [former_scores.get(key, value) for key, value in zip(ids, scores, strict=True)]
