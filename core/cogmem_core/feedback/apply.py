"""What follows from what an answer made of the memories it was given.

One transaction per answer; each memory of a recall is judged once, whoever asks how often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice

from cogmem_core.changes import Actor, Applied, Change, Link, Touch, apply
from cogmem_core.config import Config
from cogmem_core.edge import checks
from cogmem_core.edge.strength import (
    SPREADING,
    after_ignoring,
    after_use,
    used_together,
)
from cogmem_core.encoding.sanitize import redact
from cogmem_core.feedback.judging import Answer, Judgement, Similarity, judge
from cogmem_core.maths.utility import expected_use
from cogmem_core.process.services import Services
from cogmem_core.retrieval.recall import Recall
from cogmem_core.storage.ledger.transaction import Namespace, Transaction
from cogmem_core.text.thoughts import without_thoughts
from cogmem_core.values.models import Feedback, Memory, Relation
from cogmem_core.values.results import Recalled

EASY_FROM = 0.6
"""From this share on the recall was easy (FSRS-6 grade 4), else good (3)."""
PAIRS = 28
"""At most so many pairs per answer, the best results first."""

_ACTOR = Actor("feedback")
_RELATED = (
    "causes",
    "elaborates",
    "same_entity",
    "related_to",
    "co_activated",
    "schema_instance",
    "summarizes",
)


def apply_feedback(
    services: Services,
    namespace: str,
    recall: Recall,
    answer: str,
    *,
    query: str | None,
    similarity: Similarity | None,
    arguments: str,
) -> tuple[Feedback, ...]:
    """Judge the memories of a recall by the answer, and let them learn from it.

    What is `unjudged` stays as it is; that it was shown is stored, because confidences are corrected
    by it. So does what recall itself held for unlikely (`feedback.blame_from`), where everything
    unused counts as ignored.

    Returns:
        A judgement per memory that was not judged for this recall before and still exists.

    Raises:
        InvalidInput: an argument is unusable, or the similarity function returned something else
            than a number from 0 to 1; nothing was changed.
        StoreError: the disk failed; nothing was changed.
    """
    limits = services.config.limits
    if recall.priors or recall.hot_ids:
        recall = _with_memories(services, namespace, recall)
    question = recall.query if query is None else checks.text("query", query, limits.query_bytes)
    question = redact(question, services.sealed(namespace).config.encoding)
    if not isinstance(answer, str) or answer.strip():
        answer = checks.text("answer", answer, limits.content_bytes)
    answer = without_thoughts(answer)  # what a model only thought of was not used
    if not isinstance(arguments, str) or arguments.strip():
        arguments = checks.text("arguments", arguments, limits.content_bytes)
    judgements: list[Judgement] = []
    if answer.strip() or (arguments.strip() and services.config.feedback.own_words):
        judgements = judge(
            recall,
            Answer(answer, question, arguments),
            similarity=similarity,
            config=services.config,
            embedder=services.embedder,
        )
    with services.log_operation("feedback", namespace=namespace, recall_id=recall.id) as note:
        stored_rows: tuple[Feedback, ...] = ()
        if judgements:
            stored_rows = _store_judgements(services, namespace, recall.id, question, judgements)
        note |= Counter(row.signal for row in stored_rows)
    return stored_rows


def _with_memories(services: Services, namespace: str, recall: Recall) -> Recall:
    """A recall that was read from JSON, with those of its memories that still exist."""
    with services.ledger.reading(namespace) as tables:
        memories = tables.memories.by_ids([*recall.priors, *recall.hot_ids])
    results = tuple(
        Recalled(memories[memory_id], 0.0, prior, {}, {}, {}, "", prior=prior)
        for memory_id, prior in recall.priors.items()
        if memory_id in memories
    )
    hot = tuple(memories[memory_id] for memory_id in recall.hot_ids if memory_id in memories)
    return replace(recall, results=results, hot=hot, priors={}, hot_ids=())


def _store_judgements(
    services: Services, namespace: str, recall_id: str, query: str, judgements: Sequence[Judgement]
) -> tuple[Feedback, ...]:
    config = services.config
    now = services.runtime.now()

    def learn(writer: Transaction) -> tuple[list[Feedback], Applied | None]:
        ids = [judgement.memory.id for judgement in judgements]
        tables = writer.at(namespace)
        judged_ids = tables.feedback.judged(recall_id, ids)
        memories = tables.memories.by_ids([i for i in ids if i not in judged_ids])
        new_judgements = [j for j in judgements if j.memory.id in memories]
        # Where a memory was erased meanwhile, the question may hold its words.
        own_ids = {j.memory.id for j in judgements if j.memory.namespace == namespace}
        is_whole = own_ids <= memories.keys() | judged_ids
        question = query if is_whole else ""
        rows = [
            Feedback(
                judgement.memory.id,
                recall_id,
                judgement.signal,
                judgement.ratio,
                judgement.prior,
                question,
                now,
                judgement.evidence,
            )
            for judgement in new_judgements
        ]
        used_ids = [j.memory.id for j in new_judgements if j.signal == "used"]
        together = len(used_ids) > 1
        changes = []
        for rank, judgement in enumerate(new_judgements):
            if _teaches(judgement, config):
                memory = memories[judgement.memory.id]
                expected = expected_use(judgement.prior, rank)
                changes.append(
                    _learning_change(
                        memory, judgement, now, config, together=together, expected=expected
                    )
                )
        changes += _association_changes(tables, used_ids, now=now, config=config)
        applied = apply(writer, namespace, changes, now=now, actor=_ACTOR) if changes else None
        tables.feedback.add(rows)
        return rows, applied

    rows, applied = services.ledger.write(namespace, learn)
    services.update_indexes(namespace, applied)
    return tuple(rows)


def _teaches(judgement: Judgement, config: Config) -> bool:
    if judgement.signal == "ignored":
        return judgement.prior >= config.feedback.blame_from
    return judgement.signal == "used"


def _learning_change(
    memory: Memory,
    judgement: Judgement,
    now: datetime,
    config: Config,
    *,
    together: bool,
    expected: float,
) -> Change:
    because = f" ({judgement.evidence})" if judgement.evidence else ""
    if judgement.signal == "used":
        easy = judgement.ratio >= EASY_FROM
        fields = after_use(memory, now, easy=easy, config=config, together=together)
        return Touch(memory.id, fields, f"used in an answer{because}")
    fields = after_ignoring(memory, now, config=config, expected=expected)
    return Touch(memory.id, fields, f"ignored by an answer{because}")


def _association_changes(
    tables: Namespace, used_ids: Sequence[str], *, now: datetime, config: Config
) -> list[Change]:
    """Hebbian learning: what was used together is linked, and what used memories are related to gains a little."""
    relations = tables.relations.of_memories(used_ids)
    linked_pairs = {
        _pair(relation.source_id, relation.target_id): relation
        for relation in relations
        if relation.type == "co_activated"
    }
    pairs = _best_pairs(used_ids, PAIRS if config.feedback.bind_at_once else 0)
    bound = (used_together(tables.name, pair, linked_pairs.get(pair), now) for pair in pairs)
    links: list[Change] = [Link(relation, "used together in an answer") for relation in bound]
    return [*links, *_neighbor_changes(tables, set(used_ids), relations, config)]


def _best_pairs(ids: Sequence[str], limit: int) -> Iterable[tuple[str, str]]:
    """Pairs of what stands first, before any with what stands further back."""
    pairs = (_pair(first, second) for rank, second in enumerate(ids) for first in ids[:rank])
    return islice(pairs, limit)


def _pair(first: str, second: str) -> tuple[str, str]:
    """A pair has no direction and one row."""
    return (first, second) if first < second else (second, first)


def _neighbor_changes(
    tables: Namespace, used_ids: set[str], relations: Sequence[Relation], config: Config
) -> list[Change]:
    """Spreading activation (A-MEM): neighbours of what was used last a little longer."""
    neighbor_ids: set[str] = set()
    for relation in relations:
        if relation.type in _RELATED:
            neighbor_ids |= {relation.source_id, relation.target_id}
    neighbors = tables.memories.by_ids(sorted(neighbor_ids - used_ids))
    longest = config.strength.maximum_days
    return [
        Touch(
            memory.id,
            {"stability": min(longest, memory.stability * SPREADING)},
            "related to what was used",
        )
        for memory in neighbors.values()
        if memory.state == "active" and memory.stability < longest
    ]
