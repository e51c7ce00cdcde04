"""From what was found to the candidates of each query: their rows, as they were at the moment in question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from cogmem_core.models import Memory
from cogmem_core.ports import FloatArray, Stored
from cogmem_core.retrieval.candidates import Desk, Found, Link, follow_links
from cogmem_core.retrieval.signals import Pool
from cogmem_core.retrieval.visibility import Past, pasts
from cogmem_core.storage.ledger.codec import decode_time
from cogmem_core.storage.ledger.memories import Candidate
from cogmem_core.storage.search.bm25 import Bm25Index
from cogmem_core.storage.search.corpus import Corpus
from cogmem_core.text.query.understand import Question
from cogmem_core.text.tokens import tokens

__all__ = ["Gathered", "gather"]


@dataclass(frozen=True, slots=True)
class Gathered:
    """The candidates of all queries of one recall.

    Attributes:
        pools: one per query, in order.
        founds: what each query found, with what is linked to it.
        former: texts that were in force at the moment in question, by id, where they differ from
            today's.
        seen: how each visible candidate is seen, see `Horizon.sight`.
        then: state and end of validity at the moment in question, by id, where they differ from
            today's.
    """

    pools: tuple[Pool, ...]
    founds: tuple[Found, ...]
    former: Mapping[str, Stored]
    seen: Mapping[str, str]
    then: Mapping[str, Past]

    def as_it_was(self, memory: Memory) -> Memory:
        """A memory with the text, the state and the end that it had at the moment in question."""
        known = self.former[memory.id].memory if memory.id in self.former else memory
        past = self.then.get(memory.id)
        if past is None:
            return known
        successor = known.superseded_by if past.state == "superseded" else None
        return replace(
            known,
            state=past.state,
            valid_until=decode_time(past.valid_until),
            superseded_by=successor,
        )


def gather(desk: Desk, founds: Sequence[Found]) -> Gathered:
    """Rows, links and scores of everything found.

    A hit whose row may not be seen does not count: fail closed.
    """
    links = [follow_links(desk, found) for found in founds]
    linked = [
        _linked(
            found, [x for x in more if _leads(x, desk)], desk.services.config.retrieval.associates
        )
        for found, more in zip(founds, links, strict=True)
    ]
    namespace = desk.request.namespace
    former = dict[str, Stored]()
    if desk.request.known_at is not None:
        former = desk.reader.at(namespace).history.former(desk.request.known_at)
    wanted = [*(memory_id for found in linked for memory_id in found.ids), *former]
    rows = list(desk.reader.at(namespace).memories.candidates(wanted).values())
    then = (
        {}
        if desk.horizon.known_at is None
        else pasts(desk.reader, namespace, rows, desk.horizon.known_at)
    )
    seen = _seen(desk, rows, then)
    visible = {row.id: _as_it_was(row, former.get(row.id)) for row in rows if seen[row.id]}
    pools = tuple(
        _pool(
            desk,
            found,
            more,
            {i: visible[i] for i in (*found.ids, *former) if i in visible},
            (former, seen),
        )
        for found, more in zip(linked, links, strict=True)
    )
    return Gathered(pools, tuple(linked), former, seen, then)


def _linked(found: Found, links: Sequence[Link], most: int) -> Found:
    """The find with what its best hits are linked to."""
    known = set(found.ids)
    places = dict[str, int]()
    order = {
        hit.id: rank for hits in (found.sparse, found.dense) for rank, hit in enumerate(hits, 1)
    }
    for link in links:
        if link.target not in known and len(places) < most:
            places.setdefault(link.target, order.get(link.source, len(order)))
    return replace(found, reached={**found.reached, "linked": places}) if places else found


def _leads(link: Link, desk: Desk) -> bool:
    return link.type != "co_activated" or link.weight >= desk.services.config.retrieval.associations


def _seen(desk: Desk, rows: Sequence[Candidate], then: Mapping[str, Past]) -> dict[str, str]:
    horizon = desk.horizon
    allowed = desk.allowed
    return {
        row.id: horizon.sight(row, then.get(row.id)) if allowed is None or row.id in allowed else ""
        for row in rows
    }


def _as_it_was(row: Candidate, former: Stored | None) -> Candidate:
    if former is None:
        return row
    return row._replace(
        content=former.memory.content, vector=former.vector, fingerprint=former.fingerprint
    )


def _pool(
    desk: Desk,
    found: Found,
    links: Sequence[Link],
    visible: Mapping[str, Candidate],
    past: tuple[Mapping[str, Stored], Mapping[str, str]],
) -> Pool:
    former, seen = past
    rows = list(visible.values())
    plan = desk.plan
    settings = desk.services.config.retrieval
    places = {row.id: place for place, row in enumerate(rows)}
    pairs = [
        (places[x.source], places[x.target], x)
        for x in links
        if x.source in places and x.target in places
    ]
    often = settings.coactivated_from
    together = {
        p for a, b, x in pairs if x.type == "co_activated" and x.weight >= often for p in (a, b)
    }
    named = plan.question.speakers
    return Pool(
        candidates=rows,
        vectors=_vectors(desk, rows),
        query=found.vector,
        lexical=_lexical(desk, found.terms, rows, former),
        now=desk.horizon.now,
        strength=desk.services.config.strength,
        terms=found.terms,
        hints=plan.hints,
        asks_when=plan.question.asks_when,
        speaker=named[0] if len(named) == 1 else None,
        entities=_entities(plan.question),
        previous=_previous(desk.corpus, rows, places),
        links=tuple((a, b, link.weight) for a, b, link in pairs if _leads(link, desk)),
        together=frozenset(together),
        rankings=tuple([hit.id for hit in hits] for hits in (found.dense, found.sparse)),
        shares=(plan.route.vector, plan.route.lexical),
        session_id=desk.request.session_id,
        favoured=frozenset(plan.route.favoured),
        mood=plan.mood,
        cold=[seen[row.id] == "cold" for row in rows],
        away=[seen[row.id] == "away" for row in rows],
        settings=settings,
    )


def _entities(question: Question) -> frozenset[str]:
    """What the question names besides those who speak: whoever speaks is named in what the others say."""
    spoken = {word for speaker in question.speakers for word in tokens(speaker)}
    return frozenset(name.uri for name in question.names if spoken.isdisjoint(tokens(name.text)))


def _vectors(desk: Desk, rows: Sequence[Candidate]) -> FloatArray:
    embedder = desk.services.embedder
    ours = embedder.fingerprint
    blank = np.zeros(embedder.dimension, dtype=np.float32)
    vectors = [
        row.vector if row.fingerprint == ours and row.vector.size == blank.size else blank
        for row in rows
    ]
    return np.stack(vectors) if vectors else blank.reshape(1, -1)[:0]


def _lexical(
    desk: Desk, terms: Sequence[str], rows: Sequence[Candidate], former: Mapping[str, Stored]
) -> list[float]:
    """BM25 scores; former texts are weighed by the words of today's."""
    if desk.lost("lexical"):
        return [0.0] * len(rows)
    ids = [row.id for row in rows]
    scores = desk.corpus.scores(terms, ids)
    if former:
        index = Bm25Index(desk.services.config.lexical)
        index.extend((memory_id, tokens(stored.key)) for memory_id, stored in former.items())
        with desk.view.lock:
            then = dict(
                zip(
                    former,
                    index.scores(terms, list(former), sibling=desk.view.lexical),
                    strict=True,
                )
            )
        scores = [then.get(memory_id, score) for memory_id, score in zip(ids, scores, strict=True)]
    return scores


def _previous(corpus: Corpus, rows: Sequence[Candidate], places: Mapping[str, int]) -> list[int]:
    """Per candidate: the place of the turn before it, -1 if that is no candidate."""
    before = (previous for previous, _ in corpus.beside(row.id for row in rows))
    return [places.get(memory_id, -1) if memory_id is not None else -1 for memory_id in before]
