"""What memories learn from answers, now or in the background; turns that wait to be encoded."""

from __future__ import annotations

from collections.abc import Container, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from cogmem_core.access import home_of, may
from cogmem_core.edge import checks
from cogmem_core.encoding.commit import finish_queued, write_unsaved
from cogmem_core.errors import InvalidInput, StoreError
from cogmem_core.feedback import Similarity, apply_feedback
from cogmem_core.feedback.queue import FeedbackListener, QueuedAnswer
from cogmem_core.retrieval.recall import Recall
from cogmem_core.values.models import Feedback, Memory

if TYPE_CHECKING:
    from cogmem_core.engine.bank import MemoryBank
    from cogmem_core.engine.engine import Engine


_TURN_LIMIT = 256


def feedback(
    bank: MemoryBank,
    recall: Recall,
    answer: str,
    *,
    query: str | None,
    alongside: Sequence[Recall],
    similarity: Similarity | None,
    arguments: str,
    wait: bool,
    heard: FeedbackListener | None,
) -> tuple[Feedback, ...]:
    """Judge the memories of a recall by an answer; arguments as those of `MemoryBank.feedback`."""
    engine = bank.engine
    services = engine.open_services
    if not isinstance(recall, Recall):
        raise InvalidInput(f"recall is a {type(recall).__name__}; give what bank.recall() returned")
    for item in checks.listed("alongside", alongside, "recalls"):
        if not isinstance(item, Recall):
            kind = type(item).__name__
            raise InvalidInput(f"alongside holds a {kind}; give what bank.recall() returned")
    if recall.incognito or not bank.keeps:
        return ()
    memory_ids = recall.memory_ids
    own_ids = _own_memory_ids(engine, recall, alongside)
    if memory_ids and not own_ids:
        return ()
    rows: list[Feedback] = []
    for namespace, part in _by_namespace(bank, recall.only(own_ids)):
        if not may(services, bank.principal, namespace, "write"):
            continue
        if not wait:
            engine.judge(QueuedAnswer(namespace, part, answer, query, similarity, heard, arguments))
            continue
        with engine.worker.foreground:
            rows += apply_feedback(
                services,
                namespace,
                part,
                answer,
                query=query,
                similarity=similarity,
                arguments=arguments,
            )
    if rows and heard is not None:
        heard(tuple(rows))
    return tuple(rows)


def _by_namespace(bank: MemoryBank, recall: Recall) -> list[tuple[str, Recall]]:
    """A recall by the namespaces that its memories are kept in, as far as this bank searched them."""
    home = bank.namespace
    origin = recall.origin
    memories = [*recall.hot, *(item.memory for item in recall.results)]
    other_namespaces = {memory.namespace for memory in memories} - {home}
    if not other_namespaces or origin is None or origin.request.namespace != home:
        return [(home, recall)]
    searched = (home, *origin.request.also)
    names = [home, *sorted(name for name in other_namespaces if home_of(name) in searched)]
    foreign_ids = _ids_in(memories, other_namespaces)
    own_ids = [name for name in recall.memory_ids if name not in foreign_ids]
    ids = {name: _ids_in(memories, {name}) for name in names} | {home: own_ids}
    return [(name, recall.only(ids[name])) for name in names]


def _ids_in(memories: Sequence[Memory], namespaces: Container[str]) -> list[str]:
    return [memory.id for memory in memories if memory.namespace in namespaces]


def _own_memory_ids(engine: Engine, recall: Recall, alongside: Sequence[Recall]) -> set[str]:
    """The memories that this recall judges: an answer judges each under one recall only."""
    recalls = list(alongside)
    if all(other.id != recall.id for other in recalls):
        recalls.insert(0, recall)
    recall_ids_by_memory: dict[str, list[str]] = {key: [] for key in recall.memory_ids}
    for other in recalls:
        memory_ids = recall.memory_ids if other.id == recall.id else other.memory_ids
        for memory_id in recall_ids_by_memory.keys() & set(memory_ids):
            recall_ids_by_memory[memory_id].append(other.id)
    return {
        memory_id
        for memory_id, recall_ids in recall_ids_by_memory.items()
        if engine.recall_registry.judged_as(memory_id, recall_ids) == recall.id
    }


def finish_pending(engine: Engine, namespace: str, *, seconds: float) -> int:
    """Finish the queued turns of a namespace; returns how many were finished."""
    services = engine.open_services
    limit = checks.seconds("seconds", seconds)
    with suppress(StoreError):  # what cannot be written yet waits on, and health() tells it
        write_unsaved(services, namespace)
    pending = services.claims.left.copy()
    if namespace not in pending:
        return 0
    with engine.worker.foreground:
        finished, _ = finish_queued(services, namespace=namespace, limit=_TURN_LIMIT)
        with services.ledger.reading(namespace) as tables:
            waiting = [episode.id for episode in tables.turns.queued(_TURN_LIMIT)]
        services.claims.wait(waiting, limit)
    if not waiting:
        services.claims.done({namespace: pending[namespace]})
    if finished:
        engine.changed()
    return finished
