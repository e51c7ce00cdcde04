"""Carrying out what was proposed.

`apply` honours pinned and immutable, bumps versions, keeps former texts, and writes the journal, all in the caller's
transaction. Encoding, feedback, the dream cycle and a person's edits differ only in the changes that they propose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import fields as fields_of
from datetime import datetime
from typing import Any

from cogmem_core.changes.proposed import (
    Change,
    Drop,
    Link,
    Mark,
    Put,
    Reset,
    Retire,
    Revive,
    Rewrite,
    Touch,
    Unlink,
    Unmark,
)
from cogmem_core.models import JournalEntry, Memory, Relation, ShortTerm, State, SynapticTag
from cogmem_core.ports import Archived, RunWriter, Stored

__all__ = ["Actor", "Applied", "Refusal", "apply"]


@dataclass(frozen=True, slots=True)
class Actor:
    """Who proposes changes: `name` is `user`, `encoding`, `recall`, `feedback`, `dream`, `undo` or `import`.

    A person may do to a pinned memory what the system may not.
    """

    name: str
    run_id: str | None = None

    @property
    def is_person(self) -> bool:
        """True for the user's own acts, and for taking back what the system did."""
        return self.name in ("user", "undo")


@dataclass(frozen=True, slots=True)
class Refusal:
    """A change that a protection forbids, and which one."""

    change: Change
    reason: str


@dataclass(frozen=True, slots=True)
class Applied:
    """What was carried out.

    Attributes:
        memories: each touched memory as it is now, by id, in order.
        indexed: new rows for the indexes: active memories that are new, rewritten or revived.
        dropped: ids that left the indexes.
        previous_seq, last_seq: the namespace's journal numbers before and after.
    """

    memories: Mapping[str, Memory]
    refused: tuple[Refusal, ...]
    indexed: tuple[Stored, ...]
    dropped: tuple[str, ...]
    previous_seq: int
    last_seq: int


_Key = tuple[str, str, str]
_WEIGHED = ("weight", "confidence", "created_at", "last_activated_at")
_BESIDE = ("link", "unlink", "mark", "unmark", "drop")


class _Batch:
    """Collects the rows of one `apply` while the changes see each other's effects.

    Attributes:
        related: for a run, which can be undone: the relations as they were.
        links: relations to upsert, or to delete (None), by key.
    """

    def __init__(self, known: Mapping[str, Stored], now: datetime, actor: Actor) -> None:
        self.known = dict(known)
        self.now = now
        self.actor = actor
        self.inserted: dict[str, Stored] = {}
        self.updates: dict[str, dict[str, Any]] = {}
        self.archived: list[Archived] = []
        self.related: dict[_Key, Relation] = {}
        self.links: dict[_Key, Relation | None] = {}
        self.marks: dict[tuple[type, str], tuple[SynapticTag | ShortTerm, bool]] = {}
        self.reborn: dict[str, int] = {}
        self.dropped: dict[str, int] = {}
        self.entries: list[JournalEntry] = []
        self.states: dict[int, str] = {}
        self.refused: list[Refusal] = []

    def note(self, seq: int, memory_id: str, change: Change, before: Mapping[str, Any]) -> None:
        kind = type(change).__name__.lower()
        if kind not in _BESIDE:
            self.states[seq] = self.known[memory_id].memory.audit_state
        told = before if self.actor.run_id else {name: value for name, value in before.items() if name != "updated_at"}
        self.entries.append(
            JournalEntry(seq, memory_id, kind, self.actor.name, change.reason, self.now, self.actor.run_id, told)
        )

    def change_fields(self, memory_id: str, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Set fields and return their former values."""
        old = self.known[memory_id].memory
        before = {name: getattr(old, name) for name in fields if name != "seq"}
        self.known[memory_id] = replace(self.known[memory_id], memory=replace(old, **fields))
        if memory_id in self.inserted:
            self.inserted[memory_id] = self.known[memory_id]
        else:
            self.updates.setdefault(memory_id, {}).update(fields)
        return before

    def rekey(self, new: Stored) -> None:
        """Set what the indexes need of a memory."""
        memory = self.known[new.memory.id].memory
        self.known[memory.id] = Stored(memory, new.key, new.vector, new.fingerprint)
        if memory.id in self.inserted:
            self.inserted[memory.id] = self.known[memory.id]
        else:
            self.updates[memory.id] |= {"key": new.key, "vector": new.vector, "fingerprint": new.fingerprint}

    def relate(self, relation: Relation, *, wanted: bool) -> dict[str, Any]:
        """Add, replace or remove a relation; returns what undoing needs."""
        key = (relation.source_id, relation.target_id, relation.type)
        self.links[key] = relation if wanted else None
        named = {"target_id": relation.target_id, "type": relation.type}
        old = self.related.get(key) if self.actor.run_id else None if wanted else relation
        if self.actor.run_id and wanted:
            self.related[key] = relation
        elif self.actor.run_id:
            self.related.pop(key, None)
        return named if old is None else named | {name: getattr(old, name) for name in _WEIGHED}

    def write(self, writer: RunWriter, namespace: str) -> None:
        """Carry out all that was collected."""
        writer.insert(tuple(self.inserted.values()))
        writer.update(namespace, self.updates)
        writer.archive(self.archived)
        added = [relation for relation in self.links.values() if relation is not None]
        removed = [Relation(namespace, *key) for key, relation in self.links.items() if relation is None]  # type: ignore[arg-type]
        writer.relate(added, removed)
        if self.marks or self.dropped or self.reborn:
            self._write_rare(writer, namespace)
        writer.record(namespace, self.entries, self.states)

    def _write_rare(self, writer: RunWriter, namespace: str) -> None:
        for memory_id, version in self.reborn.items():
            writer.drop_versions(namespace, memory_id, version)
        given = [mark for mark, wanted in self.marks.values() if wanted]
        writer.unmark(namespace, [mark for mark, _ in self.marks.values()])
        writer.tag(namespace, [mark for mark in given if isinstance(mark, SynapticTag)])
        writer.keep_short(namespace, [mark for mark in given if isinstance(mark, ShortTerm)])
        writer.drop_memories(namespace, list(self.dropped.items()))


def apply(writer: RunWriter, namespace: str, changes: Sequence[Change], *, now: datetime, actor: Actor) -> Applied:
    """Carry out changes of one namespace inside the caller's transaction.

    A change that pinned or immutable forbids is left out and listed in `Applied.refused`; so is a new text for what is
    a document's, and a change whose memory does not exist in this namespace. The other changes go through.
    """
    needed = sum(_numbers(change) for change in changes)
    first, previous = writer.allocate(namespace, needed)
    batch, seq = _Batch(writer.stored(namespace, _targets(changes)), now, actor), first
    if actor.run_id and (linked := [c.relation.source_id for c in changes if isinstance(c, (Link, Unlink))]):
        batch.related = {(x.source_id, x.target_id, x.type): x for x in writer.relations_of(namespace, linked)}
    for change in changes:
        refusal = _refusal(batch, change)
        if refusal:
            batch.refused.append(Refusal(change, refusal))
        else:
            _carry_out(batch, change, seq)
        seq += _numbers(change)
    batch.write(writer, namespace)
    return _applied(batch, previous, seq - 1)


def _numbers(change: Change) -> int:
    return max(1, len(change.past)) if isinstance(change, Put) else 1


def _targets(changes: Sequence[Change]) -> list[str]:
    ids = [c.memory_id for c in changes if isinstance(c, (Touch, Retire, Revive, Reset, Drop))]
    ids += [c.mark.memory_id for c in changes if isinstance(c, (Mark, Unmark))]
    ids += [c.stored.memory.id for c in changes if isinstance(c, Rewrite)]
    for change in changes:
        if isinstance(change, (Link, Unlink)):
            ids += [change.relation.source_id, change.relation.target_id]
    return list(dict.fromkeys(ids))


def _target(change: Change) -> str:
    if isinstance(change, (Put, Rewrite)):
        return change.stored.memory.id
    if isinstance(change, (Mark, Unmark)):
        return change.mark.memory_id
    return change.relation.source_id if isinstance(change, (Link, Unlink)) else change.memory_id


def _refusal(batch: _Batch, change: Change) -> str:
    if isinstance(change, Put):
        return ""
    known = batch.known.get(_target(change))
    if known is None or (isinstance(change, Link) and change.relation.target_id not in batch.known):
        return "not found"
    memory = known.memory
    if isinstance(change, Rewrite) and (memory.immutable or memory.category == "item"):
        return "immutable" if memory.immutable else "the text of a document"
    if isinstance(change, Retire) and not batch.actor.is_person and (memory.pinned or memory.immutable):
        return "pinned" if memory.pinned else "immutable"
    return ""


def _carry_out(batch: _Batch, change: Change, seq: int) -> None:
    target, before = _target(change), {}
    if isinstance(change, Put):
        stored = replace(change.stored, memory=replace(change.stored.memory, seq=seq + _numbers(change) - 1))
        batch.inserted[target] = batch.known[target] = stored
        batch.archived += change.former
        batch.entries += [replace(entry, seq=seq + offset) for offset, entry in enumerate(change.past)]
        if change.past:
            batch.states[stored.memory.seq] = stored.memory.audit_state
            return
    elif isinstance(change, (Link, Unlink)):
        before = batch.relate(change.relation, wanted=isinstance(change, Link))
    elif isinstance(change, (Mark, Unmark)):
        before = _mark(batch, change)
    elif isinstance(change, Reset):
        before = _reset(batch, change, seq)
    elif isinstance(change, Drop):
        batch.dropped[target] = seq
    elif isinstance(change, Rewrite):
        before = _rewrite(batch, change, seq)
    elif isinstance(change, Touch):
        before = batch.change_fields(target, change.fields)
    else:
        state: State = change.state if isinstance(change, Retire) else "active"
        fields = {**change.fields, "state": state, "updated_at": batch.now, "seq": seq}
        before = batch.change_fields(target, fields)
    batch.note(seq, target, change, before)


def _rewrite(batch: _Batch, change: Rewrite, seq: int) -> dict[str, Any]:
    old, new = batch.known[change.stored.memory.id], change.stored
    batch.archived.append(Archived(old, batch.now, batch.actor.name, change.reason))
    fields = {
        name: getattr(new.memory, name)
        for name in Memory.__slots__
        if name not in ("id", "namespace", "version", "seq") and getattr(new.memory, name) != getattr(old.memory, name)
    }
    fields |= {"version": old.memory.version + 1, "updated_at": batch.now, "seq": seq}
    before = batch.change_fields(new.memory.id, fields)
    batch.rekey(new)
    # The former text is kept by the version, not twice.
    return {name: value for name, value in before.items() if name not in ("content", "content_hash")}


def _mark(batch: _Batch, change: Mark | Unmark) -> dict[str, Any]:
    mark = change.mark
    batch.marks[type(mark), mark.memory_id] = (mark, isinstance(change, Mark))
    return {item.name: getattr(mark, item.name) for item in fields_of(mark) if item.name != "memory_id"}


def _reset(batch: _Batch, change: Reset, seq: int) -> dict[str, Any]:
    fields = dict(change.fields)
    if change.former is not None:
        memory = change.former.memory
        fields |= {"content": memory.content, "content_hash": memory.content_hash, "version": memory.version}
        batch.reborn[change.memory_id] = memory.version
    before = batch.change_fields(change.memory_id, {**fields, "seq": seq})
    if change.former is not None:
        batch.rekey(change.former)
    return {name: value for name, value in before.items() if name not in ("content", "content_hash")}


def _applied(batch: _Batch, previous: int, last: int) -> Applied:
    touched = list(dict.fromkeys([*batch.inserted, *(e.memory_id for e in batch.entries if e.kind not in _BESIDE)]))
    moving = ("put", "rewrite", "retire", "revive", "reset")
    moved = {e.memory_id for e in batch.entries if e.kind in moving} | {*batch.inserted}
    now = {memory_id: batch.known[memory_id] for memory_id in touched}
    return Applied(
        memories={memory_id: stored.memory for memory_id, stored in now.items()},
        refused=tuple(batch.refused),
        indexed=tuple(s for i, s in now.items() if i in moved and s.memory.state == "active"),
        dropped=(*(i for i, s in now.items() if i in moved and s.memory.state != "active"), *batch.dropped),
        previous_seq=previous,
        last_seq=last,
    )
