"""A query, walked: understood, routed, embedded, searched, weighed, made diverse, presented. Changes no memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from cogmem_core.models import Memory
from cogmem_core.results import Recall, Recalled
from cogmem_core.retrieval.candidates import Desk
from cogmem_core.retrieval.context_block import presenter
from cogmem_core.retrieval.embed_query import Quest, quest_of
from cogmem_core.retrieval.explain import narrate
from cogmem_core.retrieval.explain_missing import why_missed
from cogmem_core.retrieval.plan import here, make_plan, nothing_to_look_up, question_of
from cogmem_core.retrieval.request import Request
from cogmem_core.retrieval.score import weights_for
from cogmem_core.retrieval.search import Choice, Walk, walk
from cogmem_core.services import Services
from cogmem_core.skills.intent import INTENT
from cogmem_core.storage.ledger.reader import Filter, Reader
from cogmem_core.text.keys import asked_in
from cogmem_core.text.query.understand import Question
from cogmem_core.text.time.relative import relative_time_label
from cogmem_core.timeouts import CallTimeout, Deadline, TimeLimitedCaller

__all__ = ["recall"]


def recall(services: Services, request: Request) -> Recall:
    """Rank the namespace's memories for a query.

    Vector or lexical search may fail alone: the other answers and `Recall.degraded` says so. With a deadline the walk
    leaves out what there is no time for, and is given up if even that is not enough.

    Raises:
        CogMemError: nothing was left to search with.
    """
    found = _in_time(services, request, services.runtime.now())
    # Not where it is found: what a recall that was given up finds later is shown to nobody.
    shown = [memory.content for memory in found.hot] + [item.content for item in found.results]
    services.recent.inject(request.namespace, shown)
    return found


def _in_time(services: Services, request: Request, now: datetime) -> Recall:
    deadline = Deadline(request.deadline)
    if request.deadline is None:
        return _recall(services, request, now, deadline)
    try:
        most = request.deadline + services.config.retrieval.deadline_grace
        return TimeLimitedCaller().call(lambda: _recall(services, request, now, deadline), most)
    except CallTimeout:
        late = f"deadline: nothing was found within {request.deadline:.3g} s"
        return replace(_nothing(services, request, now, late), degraded=(late,))


def _recall(services: Services, request: Request, now: datetime, deadline: Deadline) -> Recall:
    with services.ledger.reading() as reader:
        view = services.searcher.view(reader, request.namespace)
        hot = services.hot.of(reader, request.namespace, services.config.retrieval.hot, now)
    question = question_of(request, view)
    reason = nothing_to_look_up(question)
    if reason:
        return replace(_nothing(services, request, now, reason), hot=hot)
    plan = make_plan(request, question, _intent(services, question), services.config.retrieval, here(services, now))
    quest = quest_of(services, view, request, plan, now=now, deadline=deadline)
    with services.ledger.reading() as reader:
        return replace(_presented(services, reader, _looked_up(services, reader, quest), now), hot=hot)


def _looked_up(services: Services, reader: Reader, quest: Quest) -> Walk:
    """The walk, or a second one that also looks at what was put away."""
    walked = walk(services, reader, quest)
    return walk(services, reader, quest, again=True) if _worth_a_second_look(services, reader, walked) else walked


def _worth_a_second_look(services: Services, reader: Reader, walked: Walk) -> bool:
    """Nothing sure was found, something was put away, and there is time: as one who searches his memory again."""
    desk = walked.desk
    least = services.config.retrieval.second_look
    horizon = desk.horizon
    all_seen = horizon.looks_back or horizon.timeline or horizon.deep
    if all_seen or walked.answerable >= least or desk.late("a second look"):
        return False
    return reader.holds(desk.request.namespace, "dormant")


def _intent(services: Services, question: Question) -> str:
    if not services.config.retrieval.llm_intent:
        return question.intent
    return services.ask(INTENT, question.text).value


def _presented(services: Services, reader: Reader, walked: Walk, now: datetime) -> Recall:
    desk = walked.desk
    plan = walked.desk.plan
    request = walked.desk.request
    memories = reader.memories(request.namespace, [choice.ranked.id for choice in walked.choices])
    asked = _asked(reader, request.namespace, memories, services.config.encoding.answer_characters)
    reason = "" if walked.choices else _why_empty(reader, desk)
    shown = list[Recalled]()
    withheld = list[Recalled]()
    for choice in walked.choices:
        if choice.ranked.id in memories:
            item = _recalled(choice, walked.gathered.as_it_was(memories[choice.ranked.id]), here(services, now))
            tier = walked.tier(choice)
            item = replace(item, tier=tier, asked=asked.get(choice.ranked.id, ""))
            (withheld if tier == "withheld" else shown).append(item)
    if withheld and not shown:
        reason = (
            f"no relevant memory: of {len(withheld)} found none is likely to be ({walked.answerable:.2f} that any is)"
            if request.floor is None
            else f"of {len(withheld)} found none is as likely to be relevant as the given floor, {request.floor:g}"
        )
    return replace(
        _nothing(services, request, now, reason, plan.intent),
        results=tuple(shown),
        withheld=tuple(withheld),
        intent=plan.intent,
        degraded=tuple(desk.troubles),
        parts=plan.queries[1:] or plan.queries,
        confidence=walked.answerable,
        weights=weights_for(plan.route, services.config.retrieval.weights),
    )


def _asked(reader: Reader, namespace: str, memories: Mapping[str, Memory], longest: int) -> dict[str, str]:
    """The questions that short memories answer."""
    short = [memory.id for memory in memories.values() if len(memory.content) <= longest]
    keys = reader.keys(namespace, short) if short else {}
    return {memory_id: asked_in(key, memories[memory_id].content) for memory_id, key in keys.items()}


def _missed(services: Services, request: Request, now: datetime, intent: str | None, memory_id: str) -> str:
    """Why a memory is not among the results: the question is asked once more, looking out for it.

    `intent`: what the recall took the question for; None if it did not come so far.
    """
    with services.ledger.reading() as reader:
        view = services.searcher.view(reader, request.namespace)
    question = question_of(request, view)
    trivial = nothing_to_look_up(question)
    quest = None
    if not trivial:
        intent = intent or _intent(services, question)
        plan = make_plan(request, question, intent, services.config.retrieval, here(services, now))
        quest = quest_of(services, view, request, plan, now=now, deadline=Deadline())
    # Of the same moment as the walk, so that what changed since the recall is told as it is.
    with services.ledger.reading() as reader:
        walked = _looked_up(services, reader, quest) if quest is not None else None
        stored = reader.stored(request.namespace, [memory_id]).get(memory_id)
    if stored is None:
        return f"this namespace has no memory {memory_id!r}"
    if walked is None:
        return f"{stored.memory.content} [{memory_id}]\n   {trivial}"
    vector = walked.gathered.founds[0].vector
    ours = stored.fingerprint == services.embedder.fingerprint
    cosine = float(vector @ stored.vector) if vector is not None and ours else None
    return why_missed(walked, stored.memory, stored.key, cosine)


def _recalled(choice: Choice, memory: Memory, now: datetime) -> Recalled:
    ranked = choice.ranked
    return Recalled(
        memory=memory,
        score=ranked.score,
        confidence=choice.confidence,
        prior=choice.prior,
        signals=ranked.signals,
        contributions=ranked.contributions,
        found_by=choice.ranks,
        label=relative_time_label(memory.recorded_at, now),
    )


def _nothing(services: Services, request: Request, now: datetime, reason: str, intent: str | None = None) -> Recall:
    """A recall without results, and why."""
    retrieval = services.config.retrieval
    return Recall(
        id=services.runtime.new_id(),
        query=request.query,
        results=(),
        empty_reason=reason,
        render=presenter(here(services, now), request.max_tokens or retrieval.context_tokens, retrieval.injection),
        narrate=narrate,
        probe=lambda memory_id: _missed(services, request, now, intent, memory_id),
    )


def _why_empty(reader: Reader, desk: Desk) -> str:
    horizon = desk.horizon
    if horizon.looks_back:
        return "no memory of that time matches the query"
    if reader.count(desk.request.namespace, Filter(states=horizon.states)) == 0:
        return "this namespace holds no active memories"
    restricted = desk.plan.categories is not None or desk.request.tags is not None
    return "no memory matches the given categories or tags" if restricted else "no memory matches the query"
