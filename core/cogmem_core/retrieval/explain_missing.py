"""Why a memory is not among the results: the question is asked once more, looking out for it."""

from __future__ import annotations

from datetime import datetime

from cogmem_core.process.services import Services
from cogmem_core.retrieval.candidates import QueryHits
from cogmem_core.retrieval.explain import signal_lines
from cogmem_core.retrieval.plan import Request, look_for
from cogmem_core.retrieval.score import ScoredPool
from cogmem_core.retrieval.search import RankedMemory, Ranking, search_twice
from cogmem_core.storage.ledger.codec import encode_time
from cogmem_core.text.time.days import seen_in
from cogmem_core.text.time.zones import zone_or_utc
from cogmem_core.text.tokens import tokens
from cogmem_core.values.models import Memory


def explain_missing(
    services: Services, request: Request, now: datetime, intent: str | None, memory_id: str
) -> str:
    """One paragraph about one memory of the namespace.

    Args:
        services: of the engine.
        request: the question.
        now: when it was asked.
        intent: what the recall took the question for; None if it did not come so far.
        memory_id: the memory.
    """
    query = look_for(services, request, now, intent)
    # Row and search from one snapshot, so that what changed since the recall is told as it is.
    with services.ledger.whole() as reader:
        ranking = query if isinstance(query, str) else search_twice(services, reader, query)
        stored = reader.at(request.namespace).memories.stored([memory_id]).get(memory_id)
    if stored is None:
        return f"this namespace has no memory {memory_id!r}"
    memory = stored.memory
    if isinstance(ranking, str):
        return f"{memory.content} [{memory_id}]\n   {ranking}"
    vector = ranking.gathered.hits[0].vector
    cosine = None
    if vector is not None and stored.fingerprint == services.embedder.fingerprint:
        cosine = float(vector @ stored.vector)
    return explain_place(ranking, memory, stored.key, cosine)


def explain_place(ranking: Ranking, memory: Memory, key: str, cosine: float | None) -> str:
    """What became of one memory in a ranking.

    Args:
        ranking: what the search came to.
        memory: as it is now.
        key: the text it is found by.
        cosine: of the query and the memory; None if one of them has no vector.
    """
    lines = [f"{memory.content} [{memory.id}]", f"   {_fate(ranking, memory)}"]
    plan = ranking.context.plan
    if plan.texts[0] != plan.queries[0]:
        lines.append(f"   searched as: {plan.texts[0]}")
    standing = []
    for pool in ranking.pools:
        standing += _standing(ranking, pool, memory.id)
    return "\n".join([*lines, *(standing or _absence(ranking.gathered.hits[0], key, cosine))])


def _fate(ranking: Ranking, memory: Memory) -> str:
    context = ranking.context
    for rank, ranked in enumerate(ranking.memories, 1):
        if ranked.id == memory.id:
            return _result(ranking, ranked, rank)
    filtered = _filtered(ranking, memory)
    if filtered:
        return filtered
    in_cold_view = memory.state in ("dormant", "superseded") and len(context.corpus.views) > 1
    searched = memory.state == "active" or in_cold_view
    view = ranking.gathered.views.get(memory.id)
    told_by_another = view == "away" and memory.superseded_by is not None
    if not (context.allows(memory.id) and searched) or view == "" or told_by_another:
        return _hidden(ranking, memory)
    if any(pool.place_of(memory.id) is not None for pool in ranking.pools):
        return "it was a candidate, but others were better"
    return "no list brought it in"


def _filtered(ranking: Ranking, memory: Memory) -> str:
    """Which filter leaves a memory out; empty if none does."""
    request = ranking.context.request
    categories = ranking.context.plan.categories
    if categories is not None and memory.category not in categories:
        return f"its category is {memory.category}; only {', '.join(categories)} were searched"
    if request.tags is not None and set(request.tags).isdisjoint(memory.tags):
        return f"it has none of the tags {', '.join(request.tags)}"
    admitted = ranking.context.tables.tellings.admitted(request.within, [memory])
    return "" if admitted else "the given filters leave it out"


def _result(ranking: Ranking, ranked: RankedMemory, rank: int) -> str:
    if ranking.tier(ranked) != "withheld":
        return f"it is result {rank}, with confidence {ranked.confidence:.3f}"
    lead = f"it was found, rank {rank}, but withheld:"
    if ranked.confidence < ranking.floor:
        return f"{lead} its confidence {ranked.confidence:.3f} is below the floor"
    return f"{lead} nothing here seems to answer the question"


def _hidden(ranking: Ranking, memory: Memory) -> str:
    visibility = ranking.context.visibility
    if visibility.looks_back:
        return "it was not true, or not known, at the moment that was asked about"
    if memory.state == "superseded":
        successor = f" by {memory.superseded_by}" if memory.superseded_by else ""
        return f"it was superseded{successor}; deep recall or mode='timeline' shows it"
    if memory.state == "dormant":
        return "it is dormant; deep recall shows it"
    if memory.state == "active" and visibility.holds(encode_time(memory.valid_until)):
        return "it was out of recall a moment ago, and is back by now, or the time of its document is over"
    if memory.state == "active" and memory.valid_until is not None:
        zone = zone_or_utc(ranking.context.services.config.encoding.timezone)
        until = seen_in(memory.valid_until, zone)
        return (
            f"it holds no longer (until {until:%Y-%m-%d}); deep recall or mode='timeline' shows it"
        )
    return f"it is {memory.state}"


def _standing(ranking: Ranking, pool: ScoredPool, memory_id: str) -> list[str]:
    """Where it stands in a pool, and what the last result has that it lacks.

    Nothing if it is not in the pool.
    """
    place = pool.place_of(memory_id)
    if place is None:
        return []
    (candidate,) = pool.candidate_scores([place])
    scores = sorted(pool.scores.tolist(), reverse=True)
    rank = scores.index(float(pool.scores[place])) + 1
    line = f"   score {candidate.score:.4f}, rank {rank} of {len(scores)} candidates"
    chosen_ids = {ranked.id for ranked in ranking.memories}
    if rank <= len(ranking.memories) and memory_id not in chosen_ids:
        line += "; left out because another result of the same turn, "
        line += "or almost the same text, stands for it, or others tell more of what is asked"
    if ranking.memories:
        line += f"; the last result has {ranking.memories[-1].score.score:.4f}"
    return [line, *signal_lines(candidate.signals, candidate.contributions, ranking.weights)]


def _absence(hits: QueryHits, key: str, cosine: float | None) -> list[str]:
    """How far it is from the lists."""
    lines = []
    if cosine is not None:
        line = f"   its cosine with the query is {cosine:.3f}"
        if hits.dense:
            last = f"{hits.dense[-1].score:.3f}"
            line += f", the last of the {len(hits.dense)} by meaning has {last}"
        lines.append(line)
    shared = sorted(set(hits.terms) & set(tokens(key)))
    if shared:
        words = ", ".join(shared)
        lines.append(f"   it shares the words {words}; those found by words: {len(hits.sparse)}")
    else:
        lines.append("   it shares no word with the query")
    return lines
