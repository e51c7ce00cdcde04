"""From what is looked for to the chosen results: search, gather, weigh, choose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from cogmem_core.maths.fusion import reciprocal_rank_shares
from cogmem_core.results import InjectionTier
from cogmem_core.retrieval.candidates import Desk, allowed_ids, find
from cogmem_core.retrieval.confidence import ANY, DEPTH, Models, features, models_for, question_features, quiet_below
from cogmem_core.retrieval.embed_query import Quest
from cogmem_core.retrieval.features import Gathered, gather
from cogmem_core.retrieval.score import Ranked, Scored, one_per_turn, rank, score, share_of, weights_for
from cogmem_core.retrieval.visibility import horizon_of
from cogmem_core.services import Services
from cogmem_core.storage.ledger.reader import Reader

__all__ = ["Choice", "Walk", "walk"]


@dataclass(frozen=True, slots=True)
class Choice:
    """A result before it is presented: how it was ranked, how sure that is and by what, which lists found it.

    `prior`: the confidence before the namespace's own feedback corrected it.
    """

    ranked: Ranked
    confidence: float
    prior: float
    ranks: Mapping[str, int]
    features: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Walk:
    """Everything that a recall came to, before it is presented.

    Attributes:
        scored: the candidates of each query, weighed.
        choices: the chosen results in order, those below the floor included.
        answerable: the probability that any of them is relevant, 0..1; below `quiet` nothing is known.
    """

    desk: Desk
    gathered: Gathered
    scored: tuple[Scored, ...]
    choices: tuple[Choice, ...]
    answerable: float
    quiet: float

    @property
    def floor(self) -> float:
        """The confidence below which a result is withheld."""
        asked = self.desk.request.floor
        return self.desk.services.config.retrieval.injection.floor if asked is None else asked

    def tier(self, choice: Choice) -> InjectionTier:
        """How a result is shown; a floor that the caller gave is the only one."""
        quiet = self.desk.request.floor is None and self.answerable < self.quiet
        if quiet or choice.confidence < self.floor:
            return "withheld"
        return "full" if choice.confidence >= self.desk.services.config.retrieval.injection.full_from else "abbreviated"


def walk(services: Services, reader: Reader, quest: Quest, *, again: bool = False) -> Walk:
    """Search, weigh and choose; `again`: also among what was put away."""
    request = replace(quest.request, again=again)
    plan = quest.plan
    horizon = horizon_of(request, plan, services.config.retrieval, quest.now)
    name = request.namespace
    view = services.searcher.view(reader, name)
    cold = services.searcher.view(reader, name, cold=True) if horizon.needs_cold else None
    allowed = allowed_ids(reader, request, plan, horizon)
    desk = Desk(services, reader, view, cold, request, plan, horizon, quest.deadline, allowed)
    if quest.trouble:
        desk.trouble(quest.trouble)
    founds = [find(desk, text, vector) for text, vector in zip(plan.queries, quest.vectors, strict=True)]
    gathered = gather(desk, founds)
    weights = weights_for(plan.route, services.config.retrieval.weights)
    scored = tuple(score(pool, weights) for pool in gathered.pools)
    return Walk(desk, gathered, scored, *_choose(desk, gathered, scored))


def _choose(desk: Desk, gathered: Gathered, scored: Sequence[Scored]) -> tuple[tuple[Choice, ...], float, float]:
    """The k best of one query, or of several joined by reciprocal rank; how likely any is relevant, and must be."""
    plan = desk.plan
    settings = desk.services.config.retrieval
    lists = list[list[Choice]]()
    # The parts may each prefer another memory of a turn: those are told apart once the lists are joined.
    depth = max(DEPTH, 2 * plan.k if plan.compound else plan.k)
    least = None if plan.compound else plan.k
    models = models_for(ANY if desk.lost("vector") else desk.services.embedder.fingerprint)
    knows = [0.0]
    correct = desk.services.tuning.of(desk.reader, desk.request.namespace, desk.services.config.feedback)
    for one, found in zip(scored, gathered.founds, strict=True):
        places = rank(one, depth, settings, least=least, most=share_of(plan.k, settings))
        ranked = [one.ranked(place) for place in places]
        rows = features(desk, one, places)
        priors = [_sure(models, row, settings.injection.verbatim) for row in rows]
        told = zip(ranked, rows, priors, strict=True)
        lists.append([Choice(x, correct(prior), prior, found.ranks(x.id), row) for x, row, prior in told])
        if rows:
            known = models.answerable.probability(question_features(rows[:DEPTH], models.relevant))
            knows.append(max(known, *priors))
    best = _shared(_fused(lists, settings.rrf_k), gathered, desk) if plan.compound else lists[0]
    return tuple(_ordered(best[: plan.k], gathered, desk)), max(knows), quiet_below(desk, models)


def _sure(models: Models, row: Mapping[str, float], verbatim: float) -> float:
    """The probability of a result; one that says the query word for word is what was asked for."""
    return max(models.relevant.probability(row), verbatim if row["verbatim"] else 0.0)


def _fused(lists: Sequence[Sequence[Choice]], k: int) -> list[Choice]:
    """Seed 001, multi-query decomposition: reciprocal rank fusion over the parts, each memory once.

    What a memory was worth to each part is its contribution; signals and lists are those of the part it fits best.
    """
    best: dict[str, Choice] = {}
    for choice in (choice for part in lists for choice in part):
        known = best.get(choice.ranked.id)
        if known is None or choice.confidence > known.confidence:
            best[choice.ranked.id] = choice
    fused = list[Choice]()
    for i, shares in reciprocal_rank_shares([[choice.ranked.id for choice in part] for part in lists], k).items():
        told = {f"part {number}" if number else "question": share for number, share in shares.items()}
        signals = {**best[i].ranked.signals, **told}
        fused.append(replace(best[i], ranked=Ranked(i, sum(told.values()), signals, told)))
    return fused


def _shared(choices: list[Choice], gathered: Gathered, desk: Desk) -> list[Choice]:
    """Over all parts of the question: of one turn only the best, of one untrusted source at most its share."""
    settings = desk.services.config.retrieval
    counts = dict[tuple[str, str, str], int]()
    rows = {row.id: row for pool in gathered.pools for row in pool.candidates}
    most = share_of(desk.plan.k, settings)
    kept = list[Choice]()
    for choice in one_per_turn(choices, lambda choice: rows[choice.ranked.id].turn, desk.plan.k):
        row = rows[choice.ranked.id]
        if row.doubted and settings.source_share < 1.0:
            counts[row.source] = counts.get(row.source, 0) + 1
            if counts[row.source] > most:
                continue
        kept.append(choice)
    return kept


def _ordered(choices: Sequence[Choice], gathered: Gathered, desk: Desk) -> Sequence[Choice]:
    """The chosen ones in the order of the route; a timeline runs from the newest to the oldest."""
    order = "newest" if desk.horizon.timeline else desk.plan.route.order
    rows = {row.id: row for pool in gathered.pools for row in pool.candidates}
    if order == "newest":
        return sorted(
            choices, key=lambda x: (-(rows[x.ranked.id].valid_from or rows[x.ranked.id].recorded_at), x.ranked.id)
        )
    if order == "utility":
        return sorted(choices, key=lambda x: -rows[x.ranked.id].utility)
    return choices
