"""Step 8: memories that say the same become one (seed 000, step 2: merge). The newer text stays."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from cogmem_core.changes import Change, Link, Retire, Touch
from cogmem_core.consolidation.context import StepContext
from cogmem_core.consolidation.cooperative import with_pauses
from cogmem_core.consolidation.near_duplicates import (
    SLACK,
    can_stand_for,
    changed,
    free,
    near,
    newness,
    said,
)
from cogmem_core.consolidation.snapshot import Proposal, Snapshot, StepResult
from cogmem_core.models import Memory, Relation

__all__ = ["duplicates"]

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


def duplicates(snapshot: Snapshot, context: StepContext) -> StepResult:
    """Equal texts, and with vectors nearly equal ones, of one category and one voice are merged into the newest.

    Memories that were derived from others are left alone: what they rest on differs.
    """
    merged = _same_words(snapshot, context)
    todo = (
        changed(snapshot, _CHECKPOINT) if snapshot.config.consolidation.duplicates.vectors else []
    )
    older = _same_meaning(snapshot, context, todo, merged)
    found = [_proposal(snapshot, newest, rest) for newest, rest in _groups(snapshot, merged, older)]
    return StepResult(found, checkpoints={_CHECKPOINT: str(todo[-1].seq)} if todo else {})


def _same_words(snapshot: Snapshot, context: StepContext) -> dict[str, list[Memory]]:
    """Memories with equal texts under the id of the newest of them, which stands for all."""
    often = Counter(memory.content_hash for memory in snapshot.memories.values())
    alike: dict[tuple[object, ...], list[Memory]] = defaultdict(list)
    for memory in with_pauses(context, snapshot.memories.values()):
        if often[memory.content_hash] > 1 and free(snapshot, memory):
            alike[memory.content_hash, memory.category, said(memory)].append(memory)
    found = {}
    for group in alike.values():
        *rest, newest = sorted(group, key=newness)
        if gone := [memory for memory in rest if can_stand_for(snapshot, newest, memory)]:
            found[newest.id] = gone
    return found


def _same_meaning(
    snapshot: Snapshot,
    context: StepContext,
    todo: Sequence[Memory],
    merged: Mapping[str, Sequence[Memory]],
) -> dict[str, set[str]]:
    """Per memory the older ones that it can stand for; equal texts are compared once."""
    least = snapshot.config.consolidation.duplicates.similarity - SLACK
    newest = {memory.id: head for head, rest in merged.items() for memory in rest}
    found: dict[str, set[str]] = defaultdict(set)
    seen: set[tuple[str, str]] = set()
    for memory, others in near(snapshot, context, todo):
        for other, score in others:
            pair = {newest.get(one.id, one.id) for one in (memory, other)}
            if score < least or len(pair) < 2:
                continue
            old, new = sorted((snapshot.memories[i] for i in pair), key=newness)
            if (new.id, old.id) not in seen and _merge(snapshot, new, old):
                found[new.id].add(old.id)
            seen.add((new.id, old.id))
    return found


def _merge(snapshot: Snapshot, new: Memory, old: Memory) -> bool:
    return new.category == old.category and can_stand_for(snapshot, new, old)


def _groups(
    snapshot: Snapshot, merged: Mapping[str, list[Memory]], older: Mapping[str, set[str]]
) -> list[tuple[Memory, list[Memory]]]:
    """Who stays, and whom it replaces, oldest first. No memory is in two groups.

    A memory is merged only into one that it was compared with: nearness is not handed on from one
        to the next.
    """
    heads = sorted(
        (snapshot.memories[i] for i in merged.keys() | older.keys()), key=newness, reverse=True
    )
    found: list[tuple[Memory, list[Memory]]] = []
    taken: set[str] = set()
    for head in heads:
        if head.id in taken:
            continue
        mine = older.get(head.id, set()) - taken
        taken |= mine
        rest = [snapshot.memories[i] for i in mine]
        rest += [memory for i in (head.id, *mine) for memory in merged.get(i, ())]
        if rest:
            found.append((head, sorted(rest, key=newness)))
    return found


def _proposal(snapshot: Snapshot, kept: Memory, gone: Sequence[Memory]) -> Proposal:
    fields = _united(snapshot, kept, gone)
    number = "a duplicate" if len(gone) == 1 else f"{len(gone)} duplicates"
    changes: list[Change] = [Touch(kept.id, fields, f"took over {number}")] if fields else []
    for memory in gone:
        changes.append(
            Retire(
                memory.id, "superseded", "the same as a newer memory", {"superseded_by": kept.id}
            )
        )
        relation = Relation(
            snapshot.namespace, kept.id, memory.id, "supersedes", created_at=snapshot.now
        )
        changes.append(Link(relation, "supersedes"))
    return Proposal(tuple(changes), {"merged": len(gone)}, (kept.id,))


def _united(snapshot: Snapshot, kept: Memory, gone: Sequence[Memory]) -> dict[str, Any]:
    """What the survivor takes over: whatever makes it stronger, and where the others came from."""
    every = (*gone, kept)
    fields: dict[str, Any] = {
        name: max(getattr(memory, name) for memory in every) for name in _LARGEST
    }
    fields |= {name: sum(getattr(memory, name) for memory in every) for name in _SUMMED}
    for name in _LATEST:
        fields[name] = max(
            (when for memory in every if (when := getattr(memory, name))), default=None
        )
    lately = max(memory.last_reinforced_at or memory.created_at for memory in every)
    if lately > (kept.last_reinforced_at or kept.created_at):
        fields["last_reinforced_at"] = lately
    if all(memory.valid_from for memory in every):
        fields["valid_from"] = min(memory.valid_from for memory in every if memory.valid_from)
    else:
        fields["valid_from"] = None
    fields["tags"] = tuple(dict.fromkeys(tag for memory in (kept, *gone) for tag in memory.tags))
    fields["entities"] = tuple(
        dict.fromkeys(one for memory in (kept, *gone) for one in memory.entities)
    )[:_ENTITIES]
    sources = tuple(dict.fromkeys(source for memory in every for source in memory.sources))
    limit = snapshot.config.encoding.sources_kept
    fields["sources"] = (
        sources if len(sources) <= limit else (sources[0], *sources[len(sources) - limit + 1 :])
    )
    return {name: value for name, value in fields.items() if value != getattr(kept, name)}
