"""A recall, step by step: understand, plan, embed, search, present. Changes no memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from itertools import chain

from cogmem_core.base.timeouts import CallTimeout, Deadline, TimeLimitedCaller
from cogmem_core.caches.agents import AgentRecords
from cogmem_core.edge.clauses import as_it_was
from cogmem_core.errors import CogMemError
from cogmem_core.intentions import Occasion, called_off_among, due_now
from cogmem_core.procedures import fitting
from cogmem_core.process.services import Services
from cogmem_core.retrieval.doubts import ask_about
from cogmem_core.retrieval.plan import (
    EmbeddedQuery,
    Request,
    embed_at_once,
    embed_query,
    local_now,
    make_plan,
    nothing_to_look_up,
)
from cogmem_core.retrieval.recall import Recall, RecallOrigin
from cogmem_core.retrieval.said_later import said_later
from cogmem_core.retrieval.search import Ranking, intent_of, search_twice
from cogmem_core.retrieval.search_context import SearchContext
from cogmem_core.retrieval.spread import checked_on_the_way_out, spread
from cogmem_core.retrieval.understand import understand
from cogmem_core.retrieval.versions import newest_first
from cogmem_core.storage.ledger.codec import decode_memory
from cogmem_core.storage.ledger.memories import Filter
from cogmem_core.storage.ledger.transaction import Transaction
from cogmem_core.text.plural import counted
from cogmem_core.text.query.questions import ANSWER_CHARACTERS
from cogmem_core.text.time.relative import relative_time_label
from cogmem_core.values.models import Intention, Memory, Procedure
from cogmem_core.values.results import Recalled

PENDING = "pending: "
"""Begins what `Recall.degraded` says of turns that are no memories yet: it lacks nothing else."""

_SAME_SUBJECT = 0.4
"""From this cosine on a later memory is about what the best result tells."""


def recall(services: Services, request: Request) -> Recall:
    """Rank the namespace's memories for a query.

    Vector or lexical search may fail alone: the other answers and `Recall.degraded` says so. With a
    deadline the search leaves out what there is no time for, and is given up if even that is not
    enough.

    Raises:
        CogMemError: nothing was left to search with.
    """
    now = services.runtime.now()
    deadline = Deadline(request.deadline)
    if request.deadline is None:
        result = _recall(services, request, now, deadline)
    else:
        limit = request.deadline + services.config.retrieval.deadline_grace
        caller = TimeLimitedCaller()
        try:
            result = caller.call(lambda: _recall(services, request, now, deadline), limit)
        except CallTimeout:
            reason = f"deadline: nothing was found within {request.deadline:.3g} s"
            result = replace(_nothing(services, request, now, reason), degraded=(reason,))
    # Here and not in the search: what a search that was given up finds later is visible to nobody.
    texts = [memory.content for memory in result.hot]
    texts += [item.memory.content for item in result.results]
    services.recent.inject(request.namespace, texts)
    if request.session_id is not None:
        shown_ids = [item.memory.id for item in result.results]
        services.recent.show(request.namespace, request.session_id, shown_ids)
    if not result.procedures:
        return result
    first = services.agents.first_for_task(request.namespace, request.session_id, result.procedures)
    return replace(result, procedures=first)


def recall_unnoticed(services: Services, request: Request) -> Recall:
    """As `recall`, for a question that nobody asked: what it finds counts as shown to nobody."""
    return _recall(services, request, services.runtime.now(), Deadline())


def _recall(services: Services, request: Request, now: datetime, deadline: Deadline) -> Recall:
    result, records = _searched(services, request, now, deadline)
    if request.mode == "current" and not (request.as_of or request.known_at):
        if records.intentions:
            result = _with_due(services, request, records.intentions, now, result)
        if records.procedures:
            result = _with_procedures(services, request, records.procedures, result)
    if request.also or records.compartments:
        result = spread(
            services, request, result, lambda part: _searched(services, part, now, deadline)[0]
        )
    if request.principal or request.also or records.compartments:
        result = checked_on_the_way_out(services, request, result)
    return result


def _with_procedures(
    services: Services, request: Request, live: Sequence[Procedure], result: Recall
) -> Recall:
    """With the procedures that fit the task, if it is one; that they cannot be compared costs no answer."""
    try:
        fits = fitting(services, live, request.query, request.session_id)
    except CogMemError as error:
        return replace(result, degraded=(*result.degraded, f"procedures: {error}"))
    return replace(result, procedures=fits.shown)


def _with_due(
    services: Services,
    request: Request,
    live: Sequence[Intention],
    now: datetime,
    result: Recall,
) -> Recall:
    """With the intentions that are due; that their meaning cannot be compared costs no answer."""
    occasion = Occasion(request.query, request.session_id)
    try:
        due = due_now(services, live, occasion, now)
        called_off = called_off_among(services, request.namespace, due)
        return replace(result, due=tuple(i for i in due if i.id not in called_off))
    except CogMemError as error:
        by_time = tuple(due_now(services, live, Occasion("", request.session_id), now))
        return replace(result, due=by_time, degraded=(*result.degraded, f"due: {error}"))


def _searched(
    services: Services, request: Request, now: datetime, deadline: Deadline
) -> tuple[Recall, AgentRecords]:
    """What is found, and what there is of intentions and procedures, in one snapshot if that can be."""
    settings = services.config.retrieval
    with services.ledger.whole() as reader:
        view = services.searcher.view(reader, request.namespace)
        tables = reader.at(request.namespace)
        records = services.agents.of(tables)
        hot = services.hot.of(
            reader,
            request.namespace,
            settings.hot,
            now,
            request.session_id,
            said_later=partial(said_later, services, reader, view),
        )
        ended = tables.documents.ended_texts(now)
        hot = tuple(memory for memory in hot if memory.id not in ended or memory.sources)
        within = replace(request.within, categories=request.categories, tags=request.tags)
        if hot and within.narrows:  # what is always worth knowing, of what the filters leave
            hot = tuple(tables.tellings.admitted(within, hot))
        question = understand(request.query, speakers=view.speakers)
        reason = nothing_to_look_up(question)
        if reason:
            return _nothing(services, request, now, reason, hot), records
        if not settings.llm_intent:
            plan = make_plan(request, question, question.intent, settings, local_now(services, now))
            query = embed_at_once(services, view, request, plan, now=now, deadline=deadline)
            if query is not None:
                return _found(services, reader, query, hot), records
    # What may take its time is asked while no snapshot of the ledger is held.
    failed: tuple[str, ...] = ()
    if settings.llm_intent:
        intent, failed = intent_of(services, question)
        plan = make_plan(request, question, intent, settings, local_now(services, now))
    query = embed_query(services, view, request, plan, now=now, deadline=deadline)
    with services.ledger.whole() as reader:
        found = _found(services, reader, query, hot)
    return replace(found, degraded=(*failed, *found.degraded)), records


def _found(
    services: Services, reader: Transaction, query: EmbeddedQuery, hot: tuple[Memory, ...]
) -> Recall:
    ranking = search_twice(services, reader, query)
    context = ranking.context
    request = context.request
    ids = [ranked.id for ranked in ranking.memories]
    keyed_rows = context.keyed_rows(ids)
    found = {name: decode_memory(keyed_rows[name]) for name in ids if name in keyed_rows}
    chosen, memories, earlier_ids = newest_first(ranking, found)
    short_ids = [one.id for one in memories.values() if len(one.content) <= ANSWER_CHARACTERS]
    questions = dict(zip(short_ids, context.answered(short_ids), strict=True))
    local = local_now(services, query.now)
    lately = services.recent.shown_lately(request.namespace, request.session_id or "")
    looks_back = context.visibility.looks_back
    visible: list[Recalled] = []
    withheld: list[Recalled] = []
    for ranked in chosen:
        memory = memories[ranked.id]
        if looks_back:
            memory = ranking.gathered.as_it_was(memory)
            memory = as_it_was(memory, as_of=request.as_of, known_at=request.known_at)
        item = Recalled(
            memory=memory,
            score=ranked.score.score,
            confidence=ranked.confidence,
            signals=ranked.score.signals,
            contributions=ranked.score.contributions,
            found_by=ranked.ranks,
            label=relative_time_label(memory.recorded_at, local),
            tier=ranking.tier(ranked, lately),
            prior=ranked.prior,
            asked=questions.get(ranked.id, ""),
            earlier=ranked.id in earlier_ids,
        )
        (withheld if item.tier == "withheld" else visible).append(item)
    visible += _said_since(ranking, visible, withheld)
    degraded = list(context.troubles)
    empty_reason = "" if visible else _why_empty(ranking, withheld)
    waiting = context.tables.turns.waiting()
    if waiting:  # turns were stored which are not among the memories yet
        turns = counted(waiting, "turn is stored that has", "turns are stored that have")
        note = f"{PENDING}{turns} not become a memory yet; bank.finish_pending() sees to it"
        degraded.append(note)
        if empty_reason:
            empty_reason = f"{empty_reason}; {note}"
    return Recall(
        id=services.runtime.new_id(),
        query=request.query,
        results=tuple(visible),
        intent=context.plan.intent,
        empty_reason=empty_reason,
        degraded=tuple(degraded),
        withheld=tuple(withheld),
        hot=hot,
        parts=context.plan.queries[1:] or context.plan.queries,
        weights=ranking.weights,
        confidence=ranking.answerable,
        more=ranking.more,
        origin=_origin(services, request, local, context.plan.intent),
        ask=ask_about(context, visible, local),
    )


def _said_since(
    ranking: Ranking, visible: Sequence[Recalled], withheld: list[Recalled]
) -> list[Recalled]:
    """Take from what is withheld what the speaker of the best result said later of the same.

    A question's words need not show it: "Tom's got covid, they can't make it" for "what is on
    Saturday?". Of 140 plans that were called off or moved 21 were shown alone, with this 9 (two
    authors).
    """
    context = ranking.context
    visibility = context.visibility
    if not visible or context.request.floor is not None:
        return []
    if visibility.looks_back or visibility.timeline or visibility.about_past:
        return []
    best = visible[0].memory
    pools = (scored.pool for scored in ranking.pools)
    vectors = dict(chain.from_iterable(zip(pool.ids, pool.vectors, strict=True) for pool in pools))

    def nearness(item: Recalled) -> float:
        return float(vectors[best.id] @ vectors[item.memory.id])

    later = (
        item
        for item in withheld
        if item.memory.last_said_at > best.last_said_at
        and item.memory.speaker == best.speaker
        and {best.id, item.memory.id} <= vectors.keys()
    )
    nearest = max(later, key=nearness, default=None)
    if nearest is None or nearness(nearest) < _SAME_SUBJECT:
        return []
    withheld.remove(nearest)
    return [replace(nearest, tier="abbreviated")]


def _origin(
    services: Services, request: Request, local: datetime, intent: str | None = None
) -> RecallOrigin:
    settings = services.config.retrieval
    return RecallOrigin(
        ledger=services.ledger.name(),
        request=replace(request, again=False) if request.again else request,
        now=local,
        intent=intent,
        max_tokens=request.max_tokens or settings.context_tokens,
        private=settings.private_topics,
        hot=settings.hot,
        services=services,
    )


def _nothing(
    services: Services,
    request: Request,
    now: datetime,
    reason: str,
    hot: tuple[Memory, ...] = (),
) -> Recall:
    """A recall without results, and why."""
    return Recall(
        id=services.runtime.new_id(),
        query=request.query,
        results=(),
        empty_reason=reason,
        hot=hot,
        origin=_origin(services, request, local_now(services, now)),
    )


def _why_empty(ranking: Ranking, withheld: Sequence[Recalled]) -> str:
    """Why there is no result."""
    context = ranking.context
    if withheld:
        floor = context.request.floor
        matches = f"of {len(withheld)} found none is"
        if floor is not None:
            return f"{matches} as likely to be relevant as the given floor, {floor:g}"
        answerable = f"{ranking.topical:.2f}"
        return f"no relevant memory: {matches} likely to be ({answerable} that any is)"
    return "" if ranking.memories else _why_nothing_matches(context)


def _why_nothing_matches(context: SearchContext) -> str:
    if context.visibility.looks_back:
        return "no memory of that time matches the query"
    states = Filter(states=context.visibility.states)
    if context.tables.memories.count(states) == 0:
        return "this namespace holds no active memories"
    if context.request.within.narrows:
        return "no memory matches the given filters"
    if context.plan.categories is not None or context.request.tags is not None:
        return "no memory matches the given categories or tags"
    return "no memory matches the query"
