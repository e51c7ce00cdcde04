"""What a cycle changed, or would change, in a form that people and programs read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from cogmem_core.changes import Applied, Change, Link, Mark, Put, Retire, Revive, Rewrite, Touch, Unlink, Unmark
from cogmem_core.consolidation.snapshot import Scene
from cogmem_core.models import Memory, Relation
from cogmem_core.results import PlannedChange

__all__ = ["told"]

_NEW = ("category", "tier", "importance", "stability", "support")


def told(step: str, changes: Sequence[Change], scene: Scene, applied: Applied) -> Iterator[PlannedChange]:
    """The changes that were carried out; to be asked before the scene takes them over."""
    refused = {id(refusal.change) for refusal in applied.refused}
    for change in changes:
        if id(change) not in refused:
            yield _one(step, change, scene, applied)


def _one(step: str, change: Change, scene: Scene, applied: Applied) -> PlannedChange:
    kind = type(change).__name__.lower()
    if isinstance(change, (Link, Unlink)):
        source = change.relation.source_id
        old = scene.relations.get((source, change.relation.target_id, change.relation.type))
        ends = (_link(old), _link(change.relation if isinstance(change, Link) else None))
        return PlannedChange(step, kind, source, _text(source, scene, applied), *ends, change.reason)
    if isinstance(change, (Mark, Unmark)):
        owner = change.mark.memory_id
        return PlannedChange(step, kind, owner, _text(owner, scene, applied), asdict(change.mark), {}, change.reason)
    if isinstance(change, (Put, Rewrite)):
        memory = change.stored.memory
        before = scene.known(memory.id)
        names = _NEW if before is None else ("content", "support")
        values = ({} if before is None else _values(before, names), _values(memory, names))
        return PlannedChange(step, kind, memory.id, memory.content, *values, change.reason)
    fields: dict[str, Any] = dict(change.fields) if isinstance(change, (Touch, Retire, Revive)) else {}
    if isinstance(change, (Retire, Revive)):
        fields["state"] = change.state if isinstance(change, Retire) else "active"
    known = scene.known(change.memory_id)
    was = {} if known is None else _values(known, tuple(fields))
    return PlannedChange(
        step, kind, change.memory_id, _text(change.memory_id, scene, applied), was, fields, change.reason
    )


def _values(memory: Memory, names: Sequence[str]) -> dict[str, Any]:
    return {name: getattr(memory, name) for name in names}


def _link(relation: Relation | None) -> Mapping[str, Any]:
    if relation is None:
        return {}
    return {"type": relation.type, "target_id": relation.target_id, "weight": relation.weight}


def _text(memory_id: str, scene: Scene, applied: Applied) -> str:
    memory = applied.memories.get(memory_id) or scene.known(memory_id)
    return "" if memory is None else memory.content
