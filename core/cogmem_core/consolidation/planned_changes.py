"""What a cycle changed, or would change, in a form that people and programs read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from cogmem_core.changes import Applied, Change, Link, Unlink
from cogmem_core.changes.batch import link_key
from cogmem_core.consolidation.snapshot import Snapshot
from cogmem_core.storage.ledger.transaction import Namespace
from cogmem_core.values.results import PlannedChange


def describe_changes(
    step: str, changes: Sequence[Change], snapshot: Snapshot, applied: Applied
) -> Iterator[PlannedChange]:
    """The changes that were carried out; to be asked before the snapshot takes them over."""
    for change in applied.carried_out(changes):
        relation = None
        if isinstance(change, (Link, Unlink)):
            relation = snapshot.relations.get(link_key(change.relation))
        target = change.target
        before, after = change.difference(snapshot.memory(target), relation)
        memory = applied.memories.get(target) or snapshot.memory(target)
        text = memory.content if memory else ""
        yield PlannedChange(step, change.kind, target, text, before, after, change.reason)


def recorded_changes(ns: Namespace, run_id: str) -> list[PlannedChange]:
    """What a cycle on record changed, of what is still there, with the texts as they are now."""
    entries = ns.journal.of_run(run_id)
    rows = ns.memories.by_ids(sorted({entry.memory_id for entry in entries}))
    undone = {entry.memory_id for entry in entries if entry.actor == "undo"}
    changes = []
    for entry in entries:
        memory = rows.get(entry.memory_id)
        if memory is None or entry.actor != "dream":
            continue
        before = dict(entry.before)
        if entry.kind == "rewrite":
            for version in ns.history.versions(memory.id):
                if version.version == before.get("version"):
                    before["content"] = version.content
        after: dict[str, Any] = {}
        if entry.kind == "retire":
            after = {"state": memory.state, "superseded_by": memory.superseded_by}
        changes.append(
            PlannedChange(
                step="",
                kind=entry.kind,
                memory_id=memory.id,
                content=memory.content,
                before=before,
                after=after,
                reason=entry.reason,
                undone=memory.id in undone,
            )
        )
    return changes
