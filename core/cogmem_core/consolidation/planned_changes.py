"""What a cycle changed, or would change, in a form that people and programs read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cogmem_core.changes import Applied, Change, Link, Unlink
from cogmem_core.changes.batch import link_key
from cogmem_core.consolidation.snapshot import Scene
from cogmem_core.results import PlannedChange

__all__ = ["told"]


def told(
    step: str, changes: Sequence[Change], scene: Scene, applied: Applied
) -> Iterator[PlannedChange]:
    """The changes that were carried out; to be asked before the scene takes them over."""
    refused = {id(refusal.change) for refusal in applied.refused}
    for change in changes:
        if id(change) not in refused:
            yield _one(step, change, scene, applied)


def _one(step: str, change: Change, scene: Scene, applied: Applied) -> PlannedChange:
    relation = None
    if isinstance(change, (Link, Unlink)):
        relation = scene.relations.get(link_key(change.relation))
    before, after = change.difference(scene.known(change.target), relation)
    text = _text(change.target, scene, applied)
    return PlannedChange(step, change.kind, change.target, text, before, after, change.reason)


def _text(memory_id: str, scene: Scene, applied: Applied) -> str:
    memory = applied.memories.get(memory_id) or scene.known(memory_id)
    return "" if memory is None else memory.content
