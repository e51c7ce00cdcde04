"""Doubts: two versions of one thing that both stand, and the one question about them that helps an answer.

A question is put once, and at most one on a day of the user's. What was put is on record as the moment at
which the relation between the two versions was activated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timezone
from typing import NamedTuple

from cogmem_core.edge.clauses import standing
from cogmem_core.languages.detect import language_written
from cogmem_core.languages.reading import DEFAULT
from cogmem_core.reading.doubts import Doubt, borne_slots, doubt
from cogmem_core.reading.question import answers
from cogmem_core.retrieval.search_context import SearchContext
from cogmem_core.retrieval.versions import age
from cogmem_core.storage.ledger.transaction import Namespace
from cogmem_core.text.time.days import in_zone
from cogmem_core.values.access_records import COMPARTMENT
from cogmem_core.values.models import UNMEANT, Memory, Relation
from cogmem_core.values.results import Ask, Recalled

DOUBTING = ("revises", "contradicts")
"""Types of relations that join two versions of which both stand."""
SURE_FROM = 0.5
"""From this confidence on a recalled memory is what a message is about."""
NEAR_FROM = 0.3
"""From this one on, where a message is about the user, or the memory about something else."""
NAMED_FROM = 0.2
"""From this one on, where the message also names what the memory is about."""
_PAIRS = 100  # memories with versions that are looked at


class Doubted(NamedTuple):
    """Two memories of which the newer one may have taken the place of the older one.

    Attributes:
        link: the relation between them.
        older: what was said first.
        newer: what was said later.
        doubt: which of their clauses are meant.
    """

    link: Relation
    older: Memory
    newer: Memory
    doubt: Doubt

    def ask(self, code: str = "") -> Ask | None:
        """The question about them in a language, or in that of the memories; None if there is none."""
        texts = f"{self.older.content}\n{self.newer.content}"
        own = language_written(texts) or self.doubt.new.language
        for language in dict.fromkeys((code or own, own)):
            asked = self.doubt.asked(language)
            if asked is not None:
                return Ask(
                    id=f"{self.older.id}:{self.newer.id}",
                    question=asked.question,
                    language=language,
                    older=asked.older,
                    newer=asked.newer,
                    older_id=self.older.id,
                    newer_id=self.newer.id,
                    older_at=self.older.last_said_at,
                    newer_at=self.newer.last_said_at,
                )
        return None


def doubted_pairs(tables: Namespace, links: Iterable[Relation], now: datetime) -> list[Doubted]:
    """The pairs of some relations of which a person can say which one holds, the newest first.

    Both are what one person said, and meant; nothing is doubted that is pinned or immutable, or by
    what holds only for a time, or later.

    Args:
        tables: of the namespace.
        links: relations; those of other types than `DOUBTING` do not count.
        now: the present.
    """
    revising = [link for link in links if link.type in DOUBTING]
    # A pair that was settled and brought back has two links: the one about which was asked counts.
    revising.sort(key=lambda link: link.last_activated_at is not None)
    revising = list({frozenset((x.source_id, x.target_id)): x for x in revising}.values())
    ids = {end for link in revising for end in (link.source_id, link.target_id)}
    memories = {key: one for key, one in tables.memories.by_ids(list(ids)).items() if _counts(one)}
    pairs = list(_pairs(revising, memories, now))
    return sorted(pairs, key=lambda pair: (age(pair.newer), age(pair.older)), reverse=True)


def _pairs(
    links: Iterable[Relation], memories: dict[str, Memory], now: datetime
) -> Iterator[Doubted]:
    for link in links:
        if link.source_id not in memories or link.target_id not in memories:
            continue
        ends = (memories[link.source_id], memories[link.target_id])
        older, newer = sorted(ends, key=age)
        passing = newer.valid_until is not None and older.valid_until is None
        later = newer.valid_from is not None and newer.valid_from > now
        known = all(state.by != newer.id for state in older.clause_states)
        found = doubt(standing(newer), standing(older), known=known)
        if found is not None and older.speaker == newer.speaker and not (passing or later):
            yield Doubted(link, older, newer, found)


def _counts(memory: Memory) -> bool:
    return (
        memory.state == "active"
        and memory.data_source == "user_message"
        and not memory.protected
        and UNMEANT not in memory.tags
    )


def ask_about(context: SearchContext, shown: Sequence[Recalled], local: datetime) -> Ask | None:
    """The question that bears on a message, if none was put today and it was not put before.

    Args:
        context: of the search.
        shown: what was found for the message.
        local: the present, in the user's zone.
    """
    request = context.request
    looks_back = request.mode != "current" or context.visibility.looks_back
    if looks_back or request.principal or COMPARTMENT in request.namespace:
        return None
    tables = context.tables
    language = language_written(request.query)
    found_ids = [item.memory.id for item in shown]
    wide = borne_slots(request.query, language or DEFAULT[0])
    ids = context.corpus.revising(tables, None if wide else found_ids)[:_PAIRS]
    if not ids:
        return None
    put = tables.relations.of_types(DOUBTING, activated=True)
    if put_today(put, local):
        return None
    confidences = {item.memory.id: item.confidence for item in shown}
    questions = set[str]()
    open_asks: list[Ask] = []
    for pair in doubted_pairs(tables, tables.relations.of_memories(ids), local):
        ask = pair.ask(language)
        if ask is not None and pair.link.last_activated_at is not None:
            questions.add(ask.question)
        elif ask is not None and _bears(pair, context, language, confidences):
            open_asks.append(ask)
    return next((ask for ask in open_asks if ask.question not in questions), None)


def _bears(
    pair: Doubted, context: SearchContext, language: str, confidences: Mapping[str, float]
) -> bool:
    """Whether a message has to do with a doubt: it asks for it, names it, or surely found one of both."""
    plan = context.plan
    if any(answers(standing(one), plan.wanted) for one in (pair.older, pair.newer)):
        return True
    code = language or pair.doubt.new.language
    bearing = pair.doubt.bears_on(context.request.query, code, plan.wanted.subject)
    sure = max(confidences.get(one.id, 0.0) for one in (pair.older, pair.newer))
    if bearing in ("slot", "version") or sure >= SURE_FROM:
        return bearing != "version"
    asks_of_another = bearing == "another" and plan.wanted.kind == "question"
    if asks_of_another or (pair.doubt.owned and not plan.question.about_self):
        return False
    return sure >= (NAMED_FROM if bearing == "subject" else NEAR_FROM)


def put_today(put: Sequence[Relation], local: datetime) -> bool:
    """Whether a question was put today.

    Args:
        put: the relations that were asked about, the last one first.
        local: the present, in the user's zone.
    """
    at = put[0].last_activated_at if put else None
    return at is not None and in_zone(at, local.tzinfo or timezone.utc).date() == local.date()
