"""What is on the tip of the tongue: memories stored deeply but hard to recall, with cues.

Storage strength never decays, retrieval strength does (Bjork and Bjork 1992, the new theory
of disuse). Reads only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timezone
from itertools import chain, islice, zip_longest

from cogmem_core.maths.decay import CURVES
from cogmem_core.models import Memory
from cogmem_core.results import Tip, TipOfTongue
from cogmem_core.retrieval.plan import (
    Request,
    embed_query,
    local_now,
    make_plan,
    nothing_to_look_up,
)
from cogmem_core.retrieval.search import RankedMemory, Ranking, search
from cogmem_core.services import Services
from cogmem_core.storage.ledger.memories import Filter
from cogmem_core.storage.ledger.transaction import Transaction
from cogmem_core.strength import retention_of
from cogmem_core.text.query.understand import understand
from cogmem_core.text.time.days import in_zone, seen_in
from cogmem_core.text.time.relative import relative_time_label
from cogmem_core.text.tokens import tokens, words
from cogmem_core.text.usage import telling_words
from cogmem_core.timeouts import Deadline

__all__ = [
    "CUES",
    "CUE_CHARACTERS",
    "DEEP_STORAGE",
    "TIP_POOL",
    "TIP_SIMILARITY",
    "tip_of_tongue",
]

DEEP_STORAGE = 2.0
"""At least so deeply stored, 1..10; every memory starts at 1, and each use adds to it."""
TIP_SIMILARITY = 0.2
"""Cosine from which on a memory matches that shares neither word nor entity with the query."""
TIP_POOL = 200
"""Candidates of the query that are looked at."""
CUES = 5
"""At most so many of each kind."""
CUE_CHARACTERS = 60
"""Of a related memory that a cue shows."""

_NOTHING = "nothing that is stored deeply and hard to recall matches the query"
_TELLABLE = ("active", "dormant", "superseded")
_SESSION = 1_000  # memories of a session that are looked at for neighbours


def tip_of_tongue(services: Services, namespace: str, query: str, k: int) -> TipOfTongue:
    """Memories of high storage and low retrieval strength that match a query, if only weakly.

    Dormant memories are among them.

    Raises:
        InvalidInput: the query is unusable.
        CogMemError: nothing was left to search with.
    """
    config = services.config
    now = services.runtime.now()
    size = min(config.retrieval.max_k, max(k, TIP_POOL))
    request = Request.checked(config, namespace, query, k=size, deep=True, floor=0.0)
    with services.ledger.whole() as reader:
        view = services.searcher.view(reader, namespace)
    question = understand(request.query, speakers=view.speakers)
    reason = nothing_to_look_up(question)
    if reason:
        return TipOfTongue(query, empty_reason=reason)
    local = local_now(services, now)
    plan = make_plan(request, question, question.intent, config.retrieval, local)
    embedded = embed_query(services, view, request, plan, now=now, deadline=Deadline())
    tips: list[Tip] = []
    with services.ledger.whole() as reader:
        ranking = search(services, reader, embedded)
        for memory, retention in islice(_deep_memories(services, reader, ranking, now), k):
            label = relative_time_label(memory.recorded_at, local)
            cues = _cues(reader, memory, local)
            tips.append(Tip(memory, retention, label, cues))
    empty_reason = "" if tips else _NOTHING
    return TipOfTongue(query, tuple(tips), empty_reason, tuple(ranking.context.troubles))


def _deep_memories(
    services: Services, reader: Transaction, ranking: Ranking, now: datetime
) -> Iterator[tuple[Memory, float]]:
    """Matching memories that are stored deeply and hard to recall, each with its retention.

    The most relevant memory comes first.
    """
    strength = services.config.strength
    below = CURVES[strength.curve].endangered
    matching_ids = [ranked.id for ranked in ranking.memories if _matches(ranked)]
    memories = reader.at(ranking.context.request.namespace).memories.by_ids(matching_ids)
    for memory_id in matching_ids:
        memory = memories.get(memory_id)
        if memory is None or memory.state not in ("active", "dormant"):
            continue
        # A dormant memory is frozen where it is recalled from; its age says how hard it is to
        # recall.
        retention = retention_of(replace(memory, state="active"), now, strength)
        if memory.storage_strength >= DEEP_STORAGE and retention < below:
            yield memory, retention


def _matches(ranked: RankedMemory) -> bool:
    """Whether memory and query share a word or an entity, or are similar enough in meaning."""
    if "lexical" in ranked.ranks or "entity" in ranked.ranks:
        return True
    return ranked.score.signals.get("similarity", 0.0) >= TIP_SIMILARITY


def _cues(reader: Transaction, memory: Memory, now: datetime) -> Mapping[str, tuple[str, ...]]:
    cues_by_kind = {
        "entities": _names(memory.entities),
        "when": _dates(memory, now),
        "nearby": _nearby_words(reader, memory),
        "related": _related_beginnings(reader, memory, CUE_CHARACTERS),
    }
    return {kind: tuple(dict.fromkeys(cues))[:CUES] for kind, cues in cues_by_kind.items() if cues}


def _names(uris: Iterable[str]) -> list[str]:
    """`entity://tech/visual-studio` → visual studio."""
    return [uri.rsplit("/", 1)[-1].replace("-", " ") for uri in uris]


def _dates(memory: Memory, now: datetime) -> list[str]:
    """When it was said and the time it speaks of, by the calendar of `now`."""
    zone = now.tzinfo or timezone.utc
    moments = [("said", in_zone(memory.recorded_at, zone))]
    if memory.referenced_at is not None:
        moments.append(("about", seen_in(memory.referenced_at, zone)))
    return [
        f"{verb} {relative_time_label(moment, now)} ({moment:%Y-%m-%d})" for verb, moment in moments
    ]


def _nearby_words(reader: Transaction, memory: Memory) -> list[str]:
    """Telling words of the memories before and after it in its session that it does not hold."""
    if memory.session_id is None:
        return []
    session = Filter(states=_TELLABLE, session_id=memory.session_id)
    page = reader.at(memory.namespace).memories.page(session, limit=_SESSION)
    ordered = sorted(page, key=lambda row: (row.recorded_at, row.id))
    ids = [row.id for row in ordered]
    if memory.id not in ids:
        return []
    position = ids.index(memory.id)
    own_tokens = set(tokens(memory.content))
    neighbors = [*ordered[max(0, position - 1) : position], *ordered[position + 1 : position + 2]]
    # Word by word in turn, so that both neighbors contribute.
    word_lists = [_telling(neighbor.content, own_tokens) for neighbor in neighbors]
    return [word for word in chain.from_iterable(zip_longest(*word_lists)) if word is not None]


def _telling(text: str, own_tokens: set[str]) -> Iterator[str]:
    telling = telling_words(text) - own_tokens
    for word in words(text):
        if not telling.isdisjoint(tokens(word.text)):
            yield word.text


def _related_beginnings(reader: Transaction, memory: Memory, characters: int) -> list[str]:
    """The beginnings of the memories linked to it, the strongest link first."""
    links = sorted(
        reader.at(memory.namespace).relations.of_memory(memory.id),
        key=lambda link: (-link.weight, link.type),
    )
    ids = [link.target_id if link.source_id == memory.id else link.source_id for link in links]
    memories = reader.at(memory.namespace).memories.by_ids(ids)
    beginnings: list[str] = []
    for other_id in ids:
        other = memories.get(other_id)
        if other is None or other.state not in _TELLABLE:
            continue
        if other.content_hash != memory.content_hash:
            beginnings.append(_beginning(other.content, characters))
    return beginnings


def _beginning(text: str, characters: int) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= characters else f"{plain[:characters].rstrip()}…"
