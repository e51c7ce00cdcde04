"""What an answer made of the memories it was given: used or ignored, and what follows from it (seeds 000, 001).

One transaction per answer; each memory of a recall is judged once, whoever asks how often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from numbers import Real

from cogmem_core import checks
from cogmem_core.changes import Actor, Applied, Change, Link, Touch, apply
from cogmem_core.config import Config
from cogmem_core.encoding.sanitize import scrub
from cogmem_core.errors import InvalidInput
from cogmem_core.models import ALWAYS, Feedback, Memory, Relation
from cogmem_core.retrieval.recall import Recall
from cogmem_core.services import Services
from cogmem_core.storage.ledger.writer import Writer
from cogmem_core.strength import after_ignoring, after_use, coactivation_now
from cogmem_core.text.usage import match_ratio, own_match_ratios, telling_words

__all__ = ["Similarity", "give"]

Similarity = Callable[[str, str], float]
"""(memory's text, answer) → how far the answer made use of the memory, 0..1."""

_ACTOR = Actor("feedback")
_RELATED = ("causes", "elaborates", "same_entity", "related_to", "co_activated", "schema_instance", "summarizes")


@dataclass(frozen=True, slots=True)
class _Judged:
    """A memory that was shown, how sure recall was of it, and how far the answer made use of it."""

    memory: Memory
    prior: float
    ratio: float
    used: bool


def give(
    services: Services,
    namespace: str,
    recall: Recall,
    answer: str,
    *,
    query: str | None,
    similarity: Similarity | None,
) -> tuple[Feedback, ...]:
    """Judge the memories of a recall by the answer, and let them learn from it.

    What stood in the hot tier is only credited, never blamed: it is shown whatever the question. What recall itself
    held for unlikely (`feedback.blame_from`) is not blamed either: that no answer used it says nothing about its worth.
    Its judgement is kept, because confidences are corrected by it, but the memory stays as it is.

    Returns:
        A judgement per memory that was not judged for this recall before and still exists.

    Raises:
        InvalidInput: an argument is unusable, or the similarity function returned something else than a number from
            0 to 1; nothing was changed. StoreError: the disk failed; nothing was changed.
    """
    if not isinstance(recall, Recall):
        raise InvalidInput(f"recall is a {type(recall).__name__}; give what bank.recall() returned")
    limits = services.config.limits
    asked = recall.query if query is None else checks.text("query", query, limits.query_bytes)
    asked = scrub(asked, services.config.encoding)
    if not isinstance(answer, str) or answer.strip():
        answer = checks.text("answer", answer, limits.content_bytes)
    judged = _judge(recall, answer, asked, similarity, services.config) if answer.strip() else []
    with services.log_operation("feedback", namespace=namespace, recall_id=recall.id) as note:
        rows = _learnt(services, namespace, recall.id, asked, judged) if judged else ()
        note |= Counter(row.signal for row in rows)
    return rows


def _learnt(
    services: Services, namespace: str, recall_id: str, query: str, judged: Sequence[_Judged]
) -> tuple[Feedback, ...]:
    config, now = services.config, services.runtime.now()

    def learn(writer: Writer) -> tuple[list[Feedback], Applied | None]:
        known = writer.judged(namespace, recall_id, [one.memory.id for one in judged])
        current = writer.memories(namespace, [one.memory.id for one in judged if one.memory.id not in known])
        fresh = [one for one in judged if one.memory.id in current]
        rows = [_row(one, recall_id, query, now) for one in fresh]
        used = [one.memory.id for one in fresh if one.used]
        taught = [one for one in fresh if one.used or one.prior >= config.feedback.blame_from]
        changes = [_learn(current[one.memory.id], one, now, config, together=len(used) > 1) for one in taught]
        changes += _bind(writer, namespace, used, now=now, config=config)
        applied = apply(writer, namespace, changes, now=now, actor=_ACTOR) if changes else None
        writer.judge(namespace, rows)
        return rows, applied

    rows, applied = services.ledger.write(namespace, learn)
    if applied is not None:
        services.update_indexes(namespace, applied)
    return tuple(rows)


def _judge(recall: Recall, answer: str, asked: str, similarity: Similarity | None, config: Config) -> list[_Judged]:
    shown = {item.memory.id: (item.memory, item.prior) for item in recall.results}
    always = {memory.id: (memory, ALWAYS) for memory in recall.hot if memory.id not in shown}
    everything = list({**shown, **always}.values())
    if similarity is not None:
        ratios = [_told(similarity, memory, answer) for memory, _ in everything]
    else:
        questions = {item.memory.id: item.asked for item in recall.results}
        texts = [_telling(memory.content, questions.get(memory.id, "")) for memory, _ in everything]
        ratios = _ratios(texts, answer, asked, config)
    found = []
    for (memory, prior), ratio in zip(everything, ratios, strict=True):
        used = ratio > config.feedback.used_above
        if used or memory.id in shown:
            found.append(_Judged(memory, prior, ratio, used))
    return found


def _telling(content: str, question: str) -> str:
    """What of a memory an answer can make use of: where "Yes." has no word that tells anything, its question has."""
    return question if telling_words(question) and not telling_words(content) else content


def _ratios(texts: Sequence[str], answer: str, asked: str, config: Config) -> list[float]:
    if config.feedback.own_words:
        return own_match_ratios(texts, answer, question=asked, asked_weighs=config.feedback.asked_weighs)
    return [match_ratio(text, answer) for text in texts]


def _told(similarity: Similarity, memory: Memory, answer: str) -> float:
    value = similarity(memory.content, answer)
    if isinstance(value, bool) or not isinstance(value, Real) or not 0.0 <= float(value) <= 1.0:
        raise InvalidInput(f"similarity_fn returned {value!r}; it must return a number from 0 to 1")
    return float(value)


def _row(one: _Judged, recall_id: str, query: str, now: datetime) -> Feedback:
    return Feedback(one.memory.id, recall_id, "used" if one.used else "ignored", one.ratio, one.prior, query, now)


def _learn(memory: Memory, one: _Judged, now: datetime, config: Config, *, together: bool) -> Change:
    if one.used:
        easy = one.ratio >= config.feedback.easy_from
        fields = after_use(memory, now, easy=easy, config=config, together=together)
        return Touch(memory.id, fields, "used in an answer")
    return Touch(memory.id, after_ignoring(memory, now, config=config), "ignored by an answer")


def _bind(writer: Writer, namespace: str, used: Sequence[str], *, now: datetime, config: Config) -> list[Change]:
    """Hebbian learning: what was used together is linked, and what used memories are related to gains a little."""
    if not used:
        return []
    relations = writer.relations_of(namespace, used)
    known = {_pair(x.source_id, x.target_id): x for x in relations if x.type == "co_activated"}
    pairs = _best_pairs(used, config.feedback.pairs if config.feedback.bind_at_once else 0)
    links: list[Change] = [_together(namespace, pair, known.get(pair), now=now, config=config) for pair in pairs]
    return [*links, *_spread(writer, namespace, set(used), relations, config)]


def _best_pairs(ids: Sequence[str], most: int) -> Iterable[tuple[str, str]]:
    """Pairs of what stands first, before any with what stands further back."""
    return islice((_pair(first, second) for place, second in enumerate(ids) for first in ids[:place]), most)


def _pair(one: str, other: str) -> tuple[str, str]:
    """A pair has no direction and one row."""
    return (one, other) if one < other else (other, one)


def _together(
    namespace: str, pair: tuple[str, str], known: Relation | None, *, now: datetime, config: Config
) -> Change:
    weight = 0.0 if known is None else coactivation_now(known, now, config.retrieval.association_days)
    # A row that came by an import may have the ends the other way round.
    ends = pair if known is None else (known.source_id, known.target_id)
    relation = Relation(
        namespace,
        *ends,
        "co_activated",
        weight=min(1.0, weight + config.feedback.coactivation),
        created_at=now if known is None else known.created_at,
        last_activated_at=now,
    )
    return Link(relation, "used together in an answer")


def _spread(
    writer: Writer, namespace: str, used: set[str], relations: Sequence[Relation], config: Config
) -> list[Change]:
    """Spreading activation (A-MEM): neighbours of what was used last a little longer."""
    ends = {end for x in relations if x.type in _RELATED for end in (x.source_id, x.target_id)} - used
    neighbours: Mapping[str, Memory] = writer.memories(namespace, sorted(ends)) if ends else {}
    longest, factor = config.strength.maximum_days, config.feedback.spreading
    return [
        Touch(memory.id, {"stability": min(longest, memory.stability * factor)}, "related to what was used")
        for memory in neighbours.values()
        if memory.state == "active" and memory.stability < longest
    ]
