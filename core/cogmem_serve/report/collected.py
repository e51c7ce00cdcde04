"""What the page shows, read from a bank."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from cogmem_core.edge.strength import retention_of
from cogmem_core.engine import MemoryBank
from cogmem_core.maths.clusters import connected_groups
from cogmem_core.models import ConsolidationRun, JournalEntry, Memory, Relation

DAYS = (0, 7, 30, 90, 180, 365)
"""How far ahead the page looks."""
_MEMORIES = 500
"""The newest are shown."""
_FADING = 24
_CHANGES = 200
_REVISES = ("revises", "supersedes")


@dataclass(frozen=True, slots=True)
class Fading:
    """A memory and its retention after each of `DAYS`, 0..1, if nobody uses it."""

    memory: Memory
    retentions: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Collected:
    """What is known of a namespace at a moment.

    Attributes:
        health: as `MemoryBank.health` tells it.
        memories: the newest, in whatever state, oldest first.
        more: how many older ones there are.
        chains: memories that took each other's place, the newest first; the longest chain first.
        fading: the most important active memories, those first of which least is left in the end.
        relations: between two of the memories, without those of chains.
        run: the last dream cycle.
        changes: what it changed, with the memory as it is now; None where that is gone.
    """

    namespace: str
    at: datetime
    health: Mapping[str, Any]
    memories: tuple[Memory, ...]
    more: int
    chains: tuple[tuple[Memory, ...], ...]
    fading: tuple[Fading, ...]
    relations: tuple[Relation, ...]
    run: ConsolidationRun | None
    changes: tuple[tuple[JournalEntry, Memory | None], ...]


def collect(bank: MemoryBank) -> Collected:
    """Read it.

    Raises:
        StoreError: a row cannot be read.
    """
    services = bank.engine.open_services
    now = services.runtime.now()
    newest = [
        memory
        for memory in bank.list(state="any", limit=_MEMORIES, newest_first=True)
        if memory.category != "item"
    ]
    memories = sorted(newest, key=lambda memory: (memory.recorded_at, memory.id))
    runs = bank.consolidation_runs(limit=1)
    with services.ledger.reading(bank.namespace) as tables:
        related = tables.relations.of_memories([memory.id for memory in memories])
        entries = tables.journal.of_run(runs[0].id)[:_CHANGES] if runs else []
        changed = tables.memories.by_ids(sorted({entry.memory_id for entry in entries}))
    memories_by_id = {memory.id: memory for memory in memories}
    inside = [
        item
        for item in related
        if item.source_id in memories_by_id and item.target_id in memories_by_id
    ]
    return Collected(
        namespace=bank.namespace,
        at=now,
        health=bank.health(),
        memories=tuple(memories),
        more=bank.count(state="any") - len(newest),
        chains=_chains(memories_by_id, inside),
        fading=_fading(memories, now, services.config.strength),
        relations=tuple(item for item in inside if item.type not in _REVISES),
        run=runs[0] if runs else None,
        changes=tuple((entry, changed.get(entry.memory_id)) for entry in entries),
    )


def _chains(
    memories_by_id: Mapping[str, Memory], relations: Iterable[Relation]
) -> tuple[tuple[Memory, ...], ...]:
    """Groups of memories that are linked by taking each other's place."""
    links = [(item.source_id, item.target_id, 1.0) for item in relations if item.type in _REVISES]
    links += [
        (memory.id, memory.superseded_by, 1.0)
        for memory in memories_by_id.values()
        if memory.superseded_by is not None and memory.superseded_by in memories_by_id
    ]
    chains = []
    for group in connected_groups(links, min_size=2, max_size=len(memories_by_id)):
        members = sorted((memories_by_id[key] for key in group), key=lambda item: item.recorded_at)
        chains.append(tuple(reversed(members)))
    return tuple(chains)


def _fading(memories: Sequence[Memory], now: datetime, strength: Any) -> tuple[Fading, ...]:
    moments = [now + timedelta(days=days) for days in DAYS]
    active = [memory for memory in memories if memory.state == "active"]
    active.sort(key=lambda memory: (-memory.importance, -memory.utility, memory.id))
    rows = [
        Fading(memory, tuple(retention_of(memory, at, strength) for at in moments))
        for memory in active[:_FADING]
    ]
    return tuple(sorted(rows, key=lambda row: row.retentions[::-1]))
