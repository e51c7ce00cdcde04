"""What an answer made of the memories it was given: used or ignored, and what follows from it.

One transaction per answer; each memory of a recall is judged once, whoever asks how often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from numbers import Real

from cogmem_core import checks
from cogmem_core.changes import Actor, Applied, Change, Link, Touch, apply
from cogmem_core.config import Config
from cogmem_core.encoding.sanitize import redact
from cogmem_core.errors import InvalidInput
from cogmem_core.models import ALWAYS, Feedback, Memory, Relation
from cogmem_core.results import Recalled
from cogmem_core.retrieval.recall import Recall
from cogmem_core.services import Services
from cogmem_core.storage.ledger.transaction import Transaction
from cogmem_core.strength import (
    ASSOCIATION_DAYS,
    COACTIVATION,
    SPREADING,
    after_ignoring,
    after_use,
    coactivation_now,
)
from cogmem_core.text.thoughts import without_thoughts
from cogmem_core.text.usage import match_ratio, own_match_ratios, telling_words

__all__ = ["ASKED_WEIGHS", "EASY_FROM", "PAIRS", "USED_ABOVE", "Similarity", "apply_feedback"]

USED_ABOVE = 0.3
"""A memory is used if a larger share of its telling words stands in the answer."""
ASKED_WEIGHS = 2.0
"""A word of the question counts as if so many more memories held it."""
EASY_FROM = 0.6
"""From this share on the recall was easy (FSRS-6 grade 4), else good (3)."""
PAIRS = 28
"""At most so many pairs per answer, the best results first."""

Similarity = Callable[[str, str], float]
"""(memory's text, answer) → how far the answer made use of the memory, 0..1."""

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


@dataclass(frozen=True, slots=True)
class _Judgement:
    """A memory that was shown, how sure recall was of it, and how far the answer made use of it."""

    memory: Memory
    prior: float
    ratio: float
    used: bool


def apply_feedback(
    services: Services,
    namespace: str,
    recall: Recall,
    answer: str,
    *,
    query: str | None,
    similarity: Similarity | None,
) -> tuple[Feedback, ...]:
    """Judge the memories of a recall by the answer, and let them learn from it.

    A memory of the hot tier is only credited, never blamed: it is shown whatever the question.
    A memory that recall itself held for unlikely (`feedback.blame_from`) is not blamed either: that
    no answer used it says nothing about its worth. Its judgement is stored, because confidences are
    corrected by it, but the memory stays as it is.

    Returns:
        A judgement per memory that was not judged for this recall before and still exists.

    Raises:
        InvalidInput: an argument is unusable, or the similarity function returned something else
            than a number from 0 to 1; nothing was changed.
        StoreError: the disk failed; nothing was changed.
    """
    if not isinstance(recall, Recall):
        raise InvalidInput(f"recall is a {type(recall).__name__}; give what bank.recall() returned")
    limits = services.config.limits
    if recall.priors or recall.hot_ids:
        recall = _with_memories(services, namespace, recall)
    question = recall.query if query is None else checks.text("query", query, limits.query_bytes)
    question = redact(question, services.config.encoding)
    if not isinstance(answer, str) or answer.strip():
        answer = checks.text("answer", answer, limits.content_bytes)
    answer = without_thoughts(answer)  # what a model only thought of was not used
    judgements: list[_Judgement] = []
    if answer.strip():
        judgements = _judge(recall, answer, question, similarity, services.config)
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
    results = []
    for memory_id, prior in recall.priors.items():
        if memory_id in memories:
            item = Recalled(memories[memory_id], 0.0, prior, {}, {}, {}, "", prior=prior)
            results.append(item)
    hot = tuple(memories[memory_id] for memory_id in recall.hot_ids if memory_id in memories)
    return replace(recall, results=tuple(results), hot=hot, priors={}, hot_ids=())


def _store_judgements(
    services: Services, namespace: str, recall_id: str, query: str, judgements: Sequence[_Judgement]
) -> tuple[Feedback, ...]:
    config = services.config
    now = services.runtime.now()

    def learn(writer: Transaction) -> tuple[list[Feedback], Applied | None]:
        ids = [judgement.memory.id for judgement in judgements]
        judged_ids = writer.at(namespace).feedback.judged(recall_id, ids)
        memories = writer.at(namespace).memories.by_ids([i for i in ids if i not in judged_ids])
        new_judgements = [j for j in judgements if j.memory.id in memories]
        rows = [_feedback_row(judgement, recall_id, query, now) for judgement in new_judgements]
        used_ids = [judgement.memory.id for judgement in new_judgements if judgement.used]
        together = len(used_ids) > 1
        changes = []
        for judgement in new_judgements:
            if judgement.used or judgement.prior >= config.feedback.blame_from:
                memory = memories[judgement.memory.id]
                changes.append(_learning_change(memory, judgement, now, config, together=together))
        changes += _association_changes(writer, namespace, used_ids, now=now, config=config)
        applied = apply(writer, namespace, changes, now=now, actor=_ACTOR) if changes else None
        writer.at(namespace).feedback.add(rows)
        return rows, applied

    rows, applied = services.ledger.write(namespace, learn)
    if applied is not None:
        services.update_indexes(namespace, applied)
    return tuple(rows)


def _judge(
    recall: Recall, answer: str, question: str, similarity: Similarity | None, config: Config
) -> list[_Judgement]:
    ranked = {item.memory.id: (item.memory, item.prior) for item in recall.results}
    hot = {memory.id: (memory, ALWAYS) for memory in recall.hot if memory.id not in ranked}
    candidates = list({**ranked, **hot}.values())
    if similarity is not None:
        ratios = [_checked_similarity(similarity, memory, answer) for memory, _ in candidates]
    else:
        questions = {item.memory.id: item.asked for item in recall.results}
        texts = [_judged_text(m.content, questions.get(m.id, "")) for m, _ in candidates]
        ratios = _ratios(texts, answer, question, config)
    judgements = []
    for (memory, prior), ratio in zip(candidates, ratios, strict=True):
        used = ratio > USED_ABOVE
        if used or memory.id in ranked:
            judgements.append(_Judgement(memory, prior, ratio, used))
    return judgements


def _judged_text(content: str, question: str) -> str:
    """What of a memory an answer can make use of: where "Yes." has no word that tells anything, its question has."""
    return question if telling_words(question) and not telling_words(content) else content


def _ratios(texts: Sequence[str], answer: str, question: str, config: Config) -> list[float]:
    if config.feedback.own_words:
        return own_match_ratios(texts, answer, question=question, asked_weighs=ASKED_WEIGHS)
    return [match_ratio(text, answer) for text in texts]


def _checked_similarity(similarity: Similarity, memory: Memory, answer: str) -> float:
    value = similarity(memory.content, answer)
    if isinstance(value, bool) or not isinstance(value, Real) or not 0.0 <= float(value) <= 1.0:
        raise InvalidInput(f"similarity_fn returned {value!r}; it must return a number from 0 to 1")
    return float(value)


def _feedback_row(judgement: _Judgement, recall_id: str, query: str, now: datetime) -> Feedback:
    return Feedback(
        judgement.memory.id,
        recall_id,
        "used" if judgement.used else "ignored",
        judgement.ratio,
        judgement.prior,
        query,
        now,
    )


def _learning_change(
    memory: Memory, judgement: _Judgement, now: datetime, config: Config, *, together: bool
) -> Change:
    if judgement.used:
        easy = judgement.ratio >= EASY_FROM
        fields = after_use(memory, now, easy=easy, config=config, together=together)
        return Touch(memory.id, fields, "used in an answer")
    return Touch(memory.id, after_ignoring(memory, now, config=config), "ignored by an answer")


def _association_changes(
    writer: Transaction, namespace: str, used_ids: Sequence[str], *, now: datetime, config: Config
) -> list[Change]:
    """Hebbian learning: what was used together is linked, and what used memories are related to gains a little."""
    if not used_ids:
        return []
    relations = writer.at(namespace).relations.of_memories(used_ids)
    linked_pairs: dict[tuple[str, str], Relation] = {}
    for relation in relations:
        if relation.type == "co_activated":
            linked_pairs[_pair(relation.source_id, relation.target_id)] = relation
    pairs = _best_pairs(used_ids, PAIRS if config.feedback.bind_at_once else 0)
    links: list[Change] = [
        _coactivation(namespace, pair, linked_pairs.get(pair), now=now) for pair in pairs
    ]
    return [*links, *_neighbor_changes(writer, namespace, set(used_ids), relations, config)]


def _best_pairs(ids: Sequence[str], limit: int) -> Iterable[tuple[str, str]]:
    """Pairs of what stands first, before any with what stands further back."""
    pairs = (_pair(first, second) for rank, second in enumerate(ids) for first in ids[:rank])
    return islice(pairs, limit)


def _pair(first: str, second: str) -> tuple[str, str]:
    """A pair has no direction and one row."""
    return (first, second) if first < second else (second, first)


def _coactivation(
    namespace: str,
    pair: tuple[str, str],
    existing: Relation | None,
    *,
    now: datetime,
) -> Change:
    weight = 0.0
    created_at: datetime | None = now
    if existing is not None:
        weight = coactivation_now(existing, now, ASSOCIATION_DAYS)
        created_at = existing.created_at
        # A row that came by an import may have the ends the other way round.
        pair = (existing.source_id, existing.target_id)
    relation = Relation(
        namespace,
        *pair,
        "co_activated",
        weight=min(1.0, weight + COACTIVATION),
        created_at=created_at,
        last_activated_at=now,
    )
    return Link(relation, "used together in an answer")


def _neighbor_changes(
    writer: Transaction,
    namespace: str,
    used_ids: set[str],
    relations: Sequence[Relation],
    config: Config,
) -> list[Change]:
    """Spreading activation (A-MEM): neighbours of what was used last a little longer."""
    neighbor_ids: set[str] = set()
    for relation in relations:
        if relation.type in _RELATED:
            neighbor_ids |= {relation.source_id, relation.target_id}
    neighbors = writer.at(namespace).memories.by_ids(sorted(neighbor_ids - used_ids))
    longest = config.strength.maximum_days
    changes: list[Change] = []
    for memory in neighbors.values():
        if memory.state == "active" and memory.stability < longest:
            stability = min(longest, memory.stability * SPREADING)
            changes.append(Touch(memory.id, {"stability": stability}, "related to what was used"))
    return changes
