"""A recall over several namespaces: each is asked by itself, and the answers are laid together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice

from cogmem_core.access import (
    OPERATOR,
    Policy,
    Witnessed,
    may,
    policy_of,
    read_policy,
    refused,
    standings,
)
from cogmem_core.caches.hot_tier import shown_first
from cogmem_core.config import HotTierConfig
from cogmem_core.process.services import Services
from cogmem_core.retrieval.plan import Request
from cogmem_core.retrieval.recall import Recall
from cogmem_core.storage.ledger.transaction import Transaction
from cogmem_core.text.query.aim import Aim, read_aim
from cogmem_core.text.time.find import find_times
from cogmem_core.values.models import Memory
from cogmem_core.values.results import Recalled

_GONE = ("forgotten", "quarantined")


def spread(
    services: Services, request: Request, home: Recall, ask: Callable[[Request], Recall]
) -> Recall:
    """The answer of the home with those of its compartments, and of the namespaces in `also`.

    The results of each namespace stay in their order; of two the surer one comes first, or, where
    the question asks for an order in time, the earlier or later one.

    Args:
        services: of the engine.
        request: as it was asked.
        home: the answer of the namespace itself.
        ask: answers a request about one namespace.
    """
    policy = policy_of(services)
    names: list[str] = []
    for name in (request.namespace, *request.also):
        names += [] if name == request.namespace else [name]
        for part in policy.compartments_of(name):
            if may(services, request.principal, part, "read"):
                names.append(part)
    if not names:
        return home
    answers = [home, *(ask(replace(request, namespace=name, also=())) for name in names)]
    now = home.origin.now if home.origin else services.runtime.now()
    aim = read_aim(request.query, find_times(request.query, now))
    if request.mode == "timeline":
        aim = Aim("newest")
    results = list(_merged([answer.results for answer in answers], aim))
    limit = max(request.k or 0, *(len(answer.results) for answer in answers))
    dropped = len(results) - limit if aim.lists else 0
    degraded = dict.fromkeys(chain.from_iterable(answer.degraded for answer in answers))
    return replace(
        home,
        results=tuple(results[:limit]),
        withheld=tuple(_merged([answer.withheld for answer in answers], Aim())),
        hot=_hot(answers, services.config.retrieval.hot),
        confidence=max(answer.confidence for answer in answers),
        degraded=tuple(degraded),
        more=sum(answer.more for answer in answers) + max(0, dropped),
        empty_reason="" if results else home.empty_reason,
    )


def _hot(answers: Sequence[Recall], rules: HotTierConfig) -> tuple[Memory, ...]:
    """What must always be shown of all of them; of the rest as much as of the one with the most."""
    always, others = shown_first([memory for answer in answers for memory in answer.hot], rules)
    ids = {memory.id for memory in others}
    useful = [[memory for memory in answer.hot if memory.id in ids] for answer in answers]
    return (*always, *islice(chain.from_iterable(useful), max(map(len, useful))))


def _merged(lists: Sequence[Sequence[Recalled]], aim: Aim) -> Iterator[Recalled]:
    """One list of several, each of which keeps its order."""
    remaining = [list(items) for items in lists if items]

    def rank(items: Sequence[Recalled]) -> tuple[float, float]:
        head = items[0]
        if not aim.by_time:
            return head.confidence, head.score
        moment = (
            head.memory.referenced_at or head.memory.valid_from or head.memory.recorded_at
        ).timestamp()
        return (moment if aim.order == "newest" else -moment), head.confidence

    while remaining:
        items = max(remaining, key=rank)
        yield items.pop(0)
        if not items:
            remaining.remove(items)


def checked_on_the_way_out(services: Services, request: Request, result: Recall) -> Recall:
    """A recall without what its principal may not read by now, or what has lost its sources.

    Also says of each result whether it is one agent's word.

    Raises:
        NotAllowed: the principal may not even read the namespace any more.
    """
    memories = [*result.hot, *(item.memory for item in (*result.results, *result.withheld))]
    with services.ledger.whole() as reader:
        policy = read_policy(services, reader)
        now = services.runtime.now()
        if request.principal != OPERATOR and not policy.may(
            request.principal, request.namespace, "read", now
        ):
            raise refused(request.principal, request.namespace, "read")
        lost = _lost(services, reader, policy, request, memories)
        standing_of: Mapping[str, Witnessed] = {}
        if request.principal != OPERATOR and memories:
            standing_of = standings(services, reader, [m for m in memories if m.id not in lost])

    def readable(items: Sequence[Recalled]) -> tuple[Recalled, ...]:
        return tuple(
            replace(item, standing=standing_of[item.memory.id].standing)
            if item.memory.id in standing_of
            else item
            for item in items
            if item.memory.id not in lost
        )

    results = readable(result.results)
    reason = result.empty_reason or ("" if results else "no memory matches the query")
    return replace(
        result,
        results=results,
        empty_reason=reason,
        withheld=readable(result.withheld),
        hot=tuple(memory for memory in result.hot if memory.id not in lost),
    )


def _lost(
    services: Services,
    reader: Transaction,
    policy: Policy,
    request: Request,
    memories: Sequence[Memory],
) -> set[str]:
    """The ids of memories that may not be read, or rest on what is gone."""
    now = services.runtime.now()
    lost: set[str] = set()
    for namespace in {memory.namespace for memory in memories}:
        ids = [memory.id for memory in memories if memory.namespace == namespace]
        readable = request.principal == OPERATOR or policy.may(
            request.principal, namespace, "read", now
        )
        if not readable:
            lost.update(ids)
        elif namespace in policy.compartments:
            lost |= without_sources(reader, namespace, ids)
    return lost


def without_sources(reader: Transaction, namespace: str, ids: Sequence[str]) -> set[str]:
    """Those of some memories of a compartment that rest on what was forgotten or erased."""
    resting = reader.at(namespace).derivations.of(ids)
    source_ids: dict[str, list[str]] = {}
    for name, source_id in chain.from_iterable(resting.values()):
        source_ids.setdefault(name, []).append(source_id)
    present: set[str] = set()
    for name, ids_there in source_ids.items():
        sources = reader.at(name).memories.by_ids(ids_there).values()
        present.update(memory.id for memory in sources if memory.state not in _GONE)
    return {
        memory_id
        for memory_id, sources in resting.items()
        if any(source_id not in present for _, source_id in sources)
    }
