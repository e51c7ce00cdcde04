"""What is on the tip of the tongue: memories stored deeply but hard to recall.

Storage strength never decays, retrieval strength does (Bjork and Bjork 1992, the new theory
of disuse). Reads only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from itertools import islice

from cogmem_core.edge.strength import retention_of
from cogmem_core.maths.decay import CURVES
from cogmem_core.process.services import Services
from cogmem_core.retrieval.plan import Request, local_now, look_for
from cogmem_core.retrieval.search import RankedMemory, Ranking, search
from cogmem_core.storage.ledger.transaction import Transaction
from cogmem_core.text.time.relative import relative_time_label
from cogmem_core.values.models import Memory
from cogmem_core.values.results import Tip, TipOfTongue

DEEP_STORAGE = 2.0
"""At least so deeply stored, 1..10; every memory starts at 1, and each use adds to it."""
TIP_SIMILARITY = 0.2
"""Cosine from which on a memory matches that shares neither word nor entity with the query."""
TIP_POOL = 200
"""Candidates of the query that are looked at."""
_NOTHING = "nothing that is stored deeply and hard to recall matches the query"


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
    embedded = look_for(services, request, now)
    if isinstance(embedded, str):
        return TipOfTongue(query, empty_reason=embedded)
    local = local_now(services, now)
    with services.ledger.whole() as reader:
        ranking = search(services, reader, embedded)
        tips = [
            Tip(memory, retention, relative_time_label(memory.recorded_at, local))
            for memory, retention in islice(_deep_memories(services, reader, ranking, now), k)
        ]
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
