"""Step 8: memories that say the same become one. The newer text stays."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any

from cogmem_core.changes import Change, Retire, Touch
from cogmem_core.consolidation.dream import Dream, Proposal, StepResult
from cogmem_core.consolidation.near_duplicates import (
    SLACK,
    can_stand_for,
    changed,
    duplicate_level,
    near,
    newness,
    statement_key,
)
from cogmem_core.encoding.facts import SOURCES_KEPT
from cogmem_core.encoding.to_changes import linking
from cogmem_core.values.models import Memory

_ENTITIES = 8
_CHECKPOINT = "duplicates"
_LARGEST = (
    "stability",
    "storage_strength",
    "importance",
    "utility",
    "reinforcement_interval",
    "flashbulb",
)
_SUMMED = ("access_count", "used_count", "retrieval_count")
_LATEST = ("last_retrieved_at", "next_reinforcement_at")


def duplicates(dream: Dream) -> StepResult:
    """Equal texts, and with vectors nearly equal ones, of one category and one voice are merged into the newest.

    Memories that were derived from others are left alone: what they rest on differs.
    """
    merged = _same_words(dream)
    checkpoints = {}
    older: Mapping[str, set[str]] = {}
    todo = changed(dream, _CHECKPOINT)
    if todo:
        checkpoints[_CHECKPOINT] = str(todo[-1].seq)
        older = _same_meaning(dream, todo, merged)
    groups = _groups(dream, merged, older)
    proposals = [_proposal(dream, newest, copies) for newest, copies in groups]
    return StepResult(proposals, checkpoints=checkpoints)


def _same_words(dream: Dream) -> dict[str, list[Memory]]:
    """Memories with equal texts under the id of the newest of them, which stands for all."""
    often = Counter(memory.content_hash for memory in dream.memories.values())
    alike: dict[tuple[object, ...], list[Memory]] = defaultdict(list)
    for memory in dream.each_memory():
        if often[memory.content_hash] > 1 and dream.free(memory):
            alike[memory.content_hash, memory.category, statement_key(memory)].append(memory)
    merged = {}
    for group in alike.values():
        *copies, newest = sorted(group, key=newness)
        if absorbed := [memory for memory in copies if can_stand_for(dream, newest, memory)]:
            merged[newest.id] = absorbed
    return merged


def _same_meaning(
    dream: Dream,
    todo: Sequence[Memory],
    merged: Mapping[str, Sequence[Memory]],
) -> dict[str, set[str]]:
    """Per memory the older ones that it can stand for; equal texts are compared once."""
    minimum = duplicate_level(dream) - SLACK
    newest: dict[str, str] = {}
    for head, copies in merged.items():
        newest |= dict.fromkeys([memory.id for memory in copies], head)
    older: dict[str, set[str]] = defaultdict(set)
    compared: set[tuple[str, str]] = set()
    for memory, neighbors in near(dream, todo):
        for neighbor, score in neighbors:
            first = dream.memories[newest.get(memory.id, memory.id)]
            second = dream.memories[newest.get(neighbor.id, neighbor.id)]
            old, new = sorted((first, second), key=newness)
            if score < minimum or new.id == old.id or (new.id, old.id) in compared:
                continue
            compared.add((new.id, old.id))
            if new.category == old.category and can_stand_for(dream, new, old):
                older[new.id].add(old.id)
    return older


def _groups(
    dream: Dream, merged: Mapping[str, list[Memory]], older: Mapping[str, set[str]]
) -> list[tuple[Memory, list[Memory]]]:
    """Who stays, and whom it replaces, oldest first. No memory is in two groups.

    A memory is merged only into one that it was compared with: nearness is not handed on from one
    to the next.
    """
    heads = [dream.memories[memory_id] for memory_id in merged.keys() | older.keys()]
    groups: list[tuple[Memory, list[Memory]]] = []
    absorbed_ids: set[str] = set()
    for head in sorted(heads, key=newness, reverse=True):
        if head.id in absorbed_ids:
            continue
        own_ids = older.get(head.id, set()) - absorbed_ids
        absorbed_ids |= own_ids
        copies = list(map(dream.memories.__getitem__, own_ids))
        for memory_id in (head.id, *own_ids):
            copies += merged.get(memory_id, ())
        if copies:
            groups.append((head, sorted(copies, key=newness)))
    return groups


def _proposal(dream: Dream, survivor: Memory, copies: Sequence[Memory]) -> Proposal:
    fields = _united(survivor, copies)
    number = "a duplicate" if len(copies) == 1 else f"{len(copies)} duplicates"
    changes: list[Change] = [Touch(survivor.id, fields, f"took over {number}")] if fields else []
    pointer = {"superseded_by": survivor.id}
    for copy in copies:
        changes.append(Retire(copy.id, "superseded", "the same as a newer memory", pointer))
        changes.append(linking(survivor, "supersedes", copy.id, dream.now))
    return Proposal(tuple(changes), {"merged": len(copies)}, (survivor.id,))


def _united(survivor: Memory, copies: Sequence[Memory]) -> dict[str, Any]:
    """What the survivor takes over: whatever makes it stronger, and where the others came from."""
    group = (*copies, survivor)
    fields: dict[str, Any] = {name: max(_values(group, name)) for name in _LARGEST}
    fields |= {name: sum(_values(group, name)) for name in _SUMMED}
    fields |= {name: max(filter(None, _values(group, name)), default=None) for name in _LATEST}
    reinforced_at = max(memory.last_reinforced_at or memory.created_at for memory in group)
    if reinforced_at > (survivor.last_reinforced_at or survivor.created_at):
        fields["last_reinforced_at"] = reinforced_at
    starts = list(_values(group, "valid_from"))
    fields["valid_from"] = min(starts) if all(starts) else None
    fields["tags"] = _united_values((survivor, *copies), "tags")
    fields["entities"] = _united_values((survivor, *copies), "entities")[:_ENTITIES]
    sources = _united_values(group, "sources")
    surplus = len(sources) - SOURCES_KEPT
    fields["sources"] = (sources[0], *sources[surplus + 1 :]) if surplus > 0 else sources
    return {name: value for name, value in fields.items() if value != getattr(survivor, name)}


def _values(group: Iterable[Memory], name: str) -> Iterator[Any]:
    return map(attrgetter(name), group)


def _united_values(group: Iterable[Memory], name: str) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(_values(group, name))))
