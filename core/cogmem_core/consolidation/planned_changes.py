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
    refused = {id(refusal.change) for refusal in applied.refused}
    for change in changes:
        if id(change) not in refused:
            yield _describe(step, change, snapshot, applied)


def _describe(step: str, change: Change, snapshot: Snapshot, applied: Applied) -> PlannedChange:
    relation = None
    if isinstance(change, (Link, Unlink)):
        relation = snapshot.relations.get(link_key(change.relation))
    before, after = change.difference(snapshot.memory(change.target), relation)
    text = _text(change.target, snapshot, applied)
    return PlannedChange(step, change.kind, change.target, text, before, after, change.reason)


def _text(memory_id: str, snapshot: Snapshot, applied: Applied) -> str:
    memory = applied.memories.get(memory_id) or snapshot.memory(memory_id)
    return "" if memory is None else memory.content


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
