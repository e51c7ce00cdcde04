"""From an embedded query to ranked memories: search, gather candidates, score, choose."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from cogmem_core.maths.fusion import reciprocal_rank_shares
from cogmem_core.process.services import Services
from cogmem_core.retrieval.alike import alike, in_time
from cogmem_core.retrieval.candidates import (
    Gathered,
    QueryHits,
    allowed_ids,
    cold_is_near,
    find,
    gather,
)
from cogmem_core.retrieval.confidence import (
    ANY,
    DEPTH,
    Models,
    features,
    is_talk,
    models_for,
    of_whom_it_asks,
)
from cogmem_core.retrieval.plan import EmbeddedQuery
from cogmem_core.retrieval.present import in_present_order
from cogmem_core.retrieval.ranker import forms_of
from cogmem_core.retrieval.score import (
    ASKED,
    CandidateScore,
    ScoredPool,
    one_per_turn,
    rank,
    score,
    share_of,
    weights_for,
    with_asked,
)
from cogmem_core.retrieval.search_context import SearchContext
from cogmem_core.retrieval.signals import Pool
from cogmem_core.retrieval.understand import Question
from cogmem_core.retrieval.visibility import visibility_of
from cogmem_core.skills.intent import INTENT
from cogmem_core.storage.ledger.candidates import Candidate
from cogmem_core.storage.ledger.transaction import Namespace, Transaction
from cogmem_core.storage.search.corpus import Corpus
from cogmem_core.text.query.asked import holds_answer
from cogmem_core.text.tokens import tokens
from cogmem_core.values.results import InjectionTier

PARTS_K = 5
"""k of the reciprocal rank fusion of a compound question with its parts: small, so that what one part
finds first is not lost behind what all of them find somewhere."""
NEAR_GATE = 0.5
"""What was shown lately is withheld below this share of what is withheld else."""
HALF = 0.5
"""What the time that is asked for, or merely asking for it, counts beside a number or a name that is
asked for: what names a time counts by itself, too. So little counts a name in what has no word of the question."""
LIKELY = 0.5
"""From this confidence on one result answers a message, whatever the message is like."""
IN_PASSING = 0.5
"""The least confidence of what says in other words where the speaker lives, works and the like, if he asks."""
LONGEST_CHAIN = 20
"""Versions that are followed; who changes a value more often sees the newest ones."""
FEW = 8
"""With fewer memories the threshold falls in proportion: they tell little about what is unknown to them. Of banks
of up to seven 1.6 % of what is asked and known gets no result (6.2 % without it, 1.2 % from 10 on), and 38 % of
what is unknown (60 %, 30 %)."""
BESIDE_BEST = 0.017
"""What is less likely than this share of the best is not worth its place in a prompt (of registers, it costs
one point of recall@8; where the best is sure, half of the results are spared)."""
VERBATIM = 0.99
"""The least confidence of a memory that says the query word for word."""


@dataclass(frozen=True, slots=True)
class RankedMemory:
    """A chosen memory before it is presented.

    Attributes:
        id: the memory's id.
        score: what each signal added.
        confidence: 0..1, how likely it is relevant.
        prior: the confidence before the namespace's own feedback corrected it.
        relevance: what the model of results says of it by itself.
        ranks: its rank in each list that found it.
        features: what the confidence was computed from.
    """

    id: str
    score: CandidateScore
    confidence: float
    prior: float
    relevance: float
    ranks: Mapping[str, int]
    features: Mapping[str, float]


@dataclass(frozen=True)
class Ranking:
    """Everything that a search came to, before it is presented.

    Attributes:
        context: what it was made with.
        gathered: the candidates of all queries.
        pools: the candidates of each query, scored.
        weights: of the signals.
        memories: the chosen memories in order, with those below the floor.
        answerable: the probability that any of them is relevant, 0..1.
        topical: the probability that anything of the topic is known, 0..1; `answerable` is less where
            others said it than the person who is asked about.
        quiet: where it is less likely that anything of the topic is known, nothing is shown.
        more: of a list, how many more there are.
    """

    context: SearchContext
    gathered: Gathered
    pools: tuple[ScoredPool, ...]
    weights: Mapping[str, float]
    memories: tuple[RankedMemory, ...]
    answerable: float
    topical: float
    quiet: float
    more: int = 0

    @cached_property
    def floor(self) -> float:
        """The confidence below which a result is withheld; by default it rises with that of the best."""
        if self.context.request.floor is not None:
            return self.context.request.floor
        best = max((memory.confidence for memory in self.memories), default=0.0)
        return max(self.context.services.config.retrieval.injection.floor, BESIDE_BEST * best)

    def tier(
        self, memory: RankedMemory, shown_lately: Collection[str] = frozenset()
    ) -> InjectionTier:
        """How a result is shown; a floor that the caller gave is the only one.

        What the session was shown lately stays until it is far below what would bring it in: it does
        not come and go with each turn.
        """
        given = self.context.request.floor is not None
        share = NEAR_GATE if memory.id in shown_lately and not given else 1.0
        quiet = not given and self.topical < share * self.quiet
        if quiet or memory.confidence < share * self.floor:
            return "withheld"
        if memory.confidence >= self.context.services.config.retrieval.injection.full_from:
            return "full"
        return "abbreviated"


def intent_of(services: Services, question: Question) -> tuple[str, tuple[str, ...]]:
    """What kind of question it is, by the rules or by the language model, and why that one failed."""
    if not services.config.retrieval.llm_intent:
        return question.intent, ()
    outcome = services.ask(INTENT, question.text)
    return outcome.value, (f"intent: {outcome.error}",) if outcome.error else ()


def search_twice(services: Services, reader: Transaction, query: EmbeddedQuery) -> Ranking:
    """A search, and a second one that also looks at what was put away if the first is unsure.

    As a person who searches his memory again: nothing sure came up, and there is time. Dormant
    memories were put away, and what is over, for a question about the past. What was replaced is
    looked through, too; what took its place is shown for it.
    """
    ranking = search(services, reader, query)
    context = ranking.context
    visibility = context.visibility
    if visibility.looks_back or visibility.timeline or visibility.deep:
        return ranking
    sure = ranking.topical >= services.config.retrieval.second_look
    if sure or context.late("a second look"):
        return ranking
    overview = context.tables.overview
    if not (overview.holds("dormant") or overview.holds("superseded")):
        return ranking
    if not cold_is_near(context, ranking.gathered.hits):
        return ranking
    found = search(services, reader, query, again=True)
    return found if visibility.formerly or visibility.history else _told_by_successors(found)


def _told_by_successors(ranking: Ranking) -> Ranking:
    """With what took the place of a memory instead of it: "we have a Zoe now" for "I drive an Octavia"."""
    context = ranking.context
    successors = _successors(context.tables, [item.id for item in ranking.memories])
    if not successors:
        return ranking
    by_id: dict[str, RankedMemory] = {}
    for item in ranking.memories:
        name = successors.get(item.id, item.id)
        if name is None or not context.allows(name):
            continue
        if name in by_id:
            best = max(by_id[name].confidence, item.confidence)
            by_id[name] = replace(by_id[name], confidence=best)
        elif name == item.id:
            by_id[name] = item
        else:
            ranks = {"linked": min(item.ranks.values(), default=1)}
            by_id[name] = replace(item, id=name, score=replace(item.score, id=name), ranks=ranks)
    return replace(ranking, memories=tuple(by_id.values()))


def _successors(tables: Namespace, ids: Sequence[str]) -> dict[str, str | None]:
    """Of those that were replaced the active memory in their place; None if there is none."""
    rows = tables.memories.candidates(ids)
    successors: dict[str, str | None] = {}
    next_ids = {
        name: row.superseded_by
        for name, row in rows.items()
        if row.state == "superseded" and row.superseded_by
    }
    for _ in range(LONGEST_CHAIN):
        if not next_ids:
            break
        rows = tables.memories.candidates(sorted(set(next_ids.values())))
        later_ids: dict[str, str] = {}
        for name, successor in next_ids.items():
            row = rows.get(successor)
            is_active = row is not None and row.state == "active"
            successors[name] = successor if is_active else None
            if row is not None and not is_active and row.superseded_by:
                later_ids[name] = row.superseded_by
        next_ids = later_ids
    return successors


def search(
    services: Services, reader: Transaction, query: EmbeddedQuery, *, again: bool = False
) -> Ranking:
    """Search, score and choose.

    Args:
        services: of the engine.
        reader: a snapshot of the ledger.
        query: what is looked for.
        again: also among dormant memories.
    """
    request = query.request if query.request.again == again else query.request.but(again=again)
    plan = query.plan
    settings = services.config.retrieval
    ended = reader.at(request.namespace).documents.ended_texts(query.now)
    visibility = replace(visibility_of(request, plan, query.now), ended=ended)
    searcher = services.searcher
    view = searcher.view(reader, request.namespace)
    cold = None
    if visibility.needs_cold:
        cold = searcher.view(reader, request.namespace, cold=True)
    context = SearchContext(
        services=services,
        reader=reader,
        corpus=Corpus(view, cold),
        request=request,
        plan=plan,
        visibility=visibility,
        deadline=query.deadline,
        allowed=allowed_ids(reader, request, plan, visibility),
    )
    if query.trouble:
        context.note_trouble(query.trouble)
    queries = zip(plan.texts, query.vectors, strict=True)
    gathered = gather(context, [find(context, text, vector) for text, vector in queries])
    weights = weights_for(
        plan.route,
        settings.weights,
        forms=forms_of(gathered.pools[0], request.query, services.embedder.fingerprint),
        hints=plan.hints,
        overview=plan.aim.overview,
    )
    pools = tuple(
        _with_asked(context, score(pool, weights), weights[ASKED]) for pool in gathered.pools
    )
    return _chosen(context, gathered, pools, weights)


def _with_asked(context: SearchContext, scored: ScoredPool, weight: float) -> ScoredPool:
    """The best of a pool count more if they hold what is asked for, and less if they only ask for it."""
    pool = scored.pool
    if weight <= 0.0 or not (context.plan.asked or any(pool.candidates.labels("inquires"))):
        return scored
    return with_asked(scored, weight, lambda places: asked_values(context, pool, places))


def asked_values(context: SearchContext, pool: Pool, places: Sequence[int]) -> list[float]:
    """How far candidates hold the kind of answer that is asked for, below 0 if they only ask for it.

    Whoever speaks there is called by name in what the others say: that answers nothing.
    """
    kind = context.plan.asked
    inquires = pool.candidates.labels("inquires")
    speakers = pool.candidates.labels("speaker")
    ids = [pool.ids[place] for place in places]
    texts = context.texts(ids)
    names = {word for name in {speakers[place] or "" for place in places} for word in tokens(name)}
    terms = set(pool.terms)
    held = [words & terms for words in context.corpus.words(ids, texts)]
    values = []
    for place, text, words in zip(places, texts, held, strict=True):
        worth = HALF if kind == "time" or not words else 1.0
        value = worth * (kind is not None and holds_answer(kind, terms | names, text))
        shared = words - names
        if inquires[place] and shared:
            told = tokens(context.reading(pool.ids[place]).statements)
            value -= HALF * shared.isdisjoint(told)
        values.append(value)
    return values


def _chosen(
    context: SearchContext,
    gathered: Gathered,
    pools: tuple[ScoredPool, ...],
    weights: Mapping[str, float],
) -> Ranking:
    """The k best of one query, or of several joined by reciprocal rank."""
    plan = context.plan
    settings = context.services.config.retrieval
    embedder = context.services.embedder
    name = ANY if context.lost("vector") else embedder.fingerprint
    models = models_for(name, scaled=embedder.scale is not None)
    lists = []
    topical = 0.0
    for pool, hits in zip(pools, gathered.hits, strict=True):
        memories = _ranked_memories(context, pool, hits, models)
        lists.append(memories)
        if memories:
            best_few = memories[:DEPTH]
            rows = [memory.features for memory in best_few]
            relevances = [memory.relevance for memory in best_few]
            answers = models.answers(rows, relevances, pool.pool.query)
            likely = [memory.prior for memory in memories if memory.prior >= LIKELY]
            topical = max(topical, answers, *likely)
    best = lists[0]
    if plan.compound:
        best = _limited(_fused(lists), gathered, context)
    more = 0
    if plan.aim.by_time and len(pools[0].scores):
        best, more = _in_time(context, pools[0], gathered.hits[0], models, best)
        topical = max([topical, *(memory.prior for memory in best)])
    else:
        best = best[: plan.k]
    order = "newest" if context.visibility.timeline else plan.route.order
    if order != "relevance" and not plan.aim.by_time:
        best = _ordered(best, gathered, order)
    rows = [memory.features for memory in lists[0]]
    quiet = settings.injection.answerable
    if quiet is None:
        quiet = models.quiet * min(1.0, len(context.corpus) / FEW)
    return Ranking(
        context=context,
        gathered=gathered,
        pools=pools,
        weights=weights,
        memories=tuple(best),
        answerable=of_whom_it_asks(topical, rows[0]) if is_talk(rows) else topical,
        topical=topical,
        quiet=quiet,
        more=more,
    )


def _in_time(
    context: SearchContext,
    pool: ScoredPool,
    hits: QueryHits,
    models: Models,
    others: Sequence[RankedMemory],
) -> tuple[list[RankedMemory], int]:
    """What is of the kind that is asked for, in the order of time; then others, up to k.

    "How many" and "which" ask for a list only where it is plain what is of the kind, and no class of
    things is asked for by name ("which pets do I have?"): what tells of that is known by its words.

    Returns:
        The memories, and how many more of that kind there are.
    """
    plan = context.plan
    if plan.aim.lists and plan.wanted.topic:
        return list(others[: plan.k]), 0
    settings = replace(context.services.config.retrieval, mmr_lambda=1.0)
    limit = share_of(plan.most, settings)
    places = rank(pool, len(pool.scores), settings, minimum=0, source_limit=limit)
    kind, plain = alike(pool, places)
    if plan.aim.lists and not (plan.aim.ordered or plain):
        return list(others[: plan.k]), 0
    rows = [pool.pool.candidates.at(place) for place in kind]
    texts = context.texts([row.id for row in rows]) if plan.aim.order == "oldest" else []
    ordered = [kind[number] for number in in_time(rows, texts, plan, context.visibility.now)]
    chosen = ordered[: plan.most]
    memories = _with_confidence(context, pool, hits, models, chosen, kind=kind)
    best = max(memory.confidence for memory in memories)
    prior = max(memory.prior for memory in memories)
    # What is of one kind is as likely to be meant as the best of it.
    memories = [replace(memory, confidence=best, prior=prior) for memory in memories]
    listed = {memory.id for memory in memories}
    memories += [memory for memory in others if memory.id not in listed]
    return memories[: max(plan.k, len(chosen))], len(ordered) - len(chosen) if plan.aim.lists else 0


def _ranked_memories(
    context: SearchContext, pool: ScoredPool, hits: QueryHits, models: Models
) -> list[RankedMemory]:
    """The best candidates of one query, with their confidence."""
    plan = context.plan
    settings = context.services.config.retrieval
    # The parts of a compound query may each prefer another memory of a turn: those are told apart
    # once the lists are joined.
    # Equally deep for every k up to half of the pool: what few results show, more results show too.
    depth = max(DEPTH, plan.k)
    if plan.compound:
        depth = max(settings.pool, 2 * plan.k)
    elif plan.wanted.named or plan.wanted.topic:
        depth = max(settings.pool, plan.k)  # who tells of his work in passing uses other words
    minimum = None if plan.compound else plan.k
    limit = share_of(plan.k, settings)
    places = rank(pool, depth, settings, minimum=minimum, source_limit=limit)
    memories = _with_confidence(context, pool, hits, models, places)
    if plan.compound:
        return memories
    by_place = dict(zip(places, memories, strict=True))
    talk = bool(plan.question.speakers) and is_talk([memory.features for memory in memories])
    order = in_present_order(context, pool, places, talk=talk)
    for newer, older in order.instead_of.items():
        # It answers the question as the older one does.
        likelier = max(by_place[newer], by_place[older], key=lambda memory: memory.confidence)
        by_place[newer] = replace(
            by_place[newer], confidence=likelier.confidence, prior=likelier.prior
        )
    for place in places if plan.aim.overview else order.answering:
        answer = by_place[place]
        confidence = max(answer.confidence, IN_PASSING)
        by_place[place] = replace(
            answer, confidence=confidence, prior=max(answer.prior, IN_PASSING)
        )
    return [by_place[place] for place in order.places]


def _with_confidence(
    context: SearchContext,
    pool: ScoredPool,
    hits: QueryHits,
    models: Models,
    places: Sequence[int],
    *,
    kind: Sequence[int] = (),
) -> list[RankedMemory]:
    """The candidates at these places, with their confidence; see `features` for `kind`."""
    services = context.services
    correct = services.tuning.of(
        context.reader, context.request.namespace, services.config.feedback
    )
    memories = []
    rows = features(context, pool, places, kind=kind)
    each_score = pool.candidate_scores(places)
    each_rank = hits.ranks([candidate.id for candidate in each_score])
    for candidate, ranks, row in zip(each_score, each_rank, rows, strict=True):
        relevance = models.relevant.probability(row)
        # What says the query word for word is what was asked for.
        prior = max(relevance, VERBATIM) if row["verbatim"] else relevance
        confidence = correct(prior)
        memories.append(
            RankedMemory(candidate.id, candidate, confidence, prior, relevance, ranks, row)
        )
    return memories


def _fused(lists: Sequence[Sequence[RankedMemory]]) -> list[RankedMemory]:
    """Reciprocal rank fusion over the parts of a query, each memory once.

    What a memory was worth to each part is its contribution; signals and lists are those of the
    part it fits best.
    """
    best: dict[str, RankedMemory] = {}
    for part in lists:
        for memory in part:
            if memory.id not in best or memory.confidence > best[memory.id].confidence:
                best[memory.id] = memory
    ids = [[memory.id for memory in part] for part in lists]
    fused = []
    for memory_id, shares in reciprocal_rank_shares(ids, PARTS_K).items():
        contributions = {
            f"part {number}" if number else "question": share for number, share in shares.items()
        }
        signals = {**best[memory_id].score.signals, **contributions}
        total = sum(contributions.values())
        joined = CandidateScore(memory_id, total, signals, contributions)
        fused.append(replace(best[memory_id], score=joined))
    return fused


def _rows_of(memories: Sequence[RankedMemory], gathered: Gathered) -> dict[str, Candidate]:
    """The rows of chosen memories, by id."""
    lacking = {memory.id for memory in memories}
    rows: dict[str, Candidate] = {}
    for pool in gathered.pools:
        for place, name in enumerate(pool.ids):
            if name in lacking and name not in rows:
                rows[name] = pool.candidates.at(place)
    return rows


def _limited(
    memories: list[RankedMemory], gathered: Gathered, context: SearchContext
) -> list[RankedMemory]:
    """Over all parts: of one turn only the best, of one untrusted source at most its share."""
    settings = context.services.config.retrieval
    limit = share_of(context.plan.k, settings)
    rows_by_id = _rows_of(memories, gathered)
    counts: dict[tuple[str, str, str], int] = {}
    chosen = []
    unique = one_per_turn(memories, lambda memory: rows_by_id[memory.id].turn, context.plan.k)
    for memory in unique:
        row = rows_by_id[memory.id]
        if row.doubted and settings.source_share < 1.0:
            counts[row.source] = counts.get(row.source, 0) + 1
            if counts[row.source] > limit:
                continue
        chosen.append(memory)
    return chosen


def _ordered(
    memories: Sequence[RankedMemory], gathered: Gathered, order: str
) -> list[RankedMemory]:
    """The chosen memories, the newest or the most useful first."""
    rows_by_id = _rows_of(memories, gathered)

    def age(memory: RankedMemory) -> tuple[int, str]:
        row = rows_by_id[memory.id]
        return -(row.valid_from or row.recorded_at), memory.id

    if order == "newest":
        return sorted(memories, key=age)
    return sorted(memories, key=lambda memory: -rows_by_id[memory.id].utility)
