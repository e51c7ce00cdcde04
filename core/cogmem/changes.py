"""The one writer path: every change of a memory is a value, and `apply` is the only code that carries it out.

`apply` honours pinned and immutable, bumps versions, keeps former texts, and writes the journal, all in the caller's
transaction. Encoding, feedback, the dream cycle and a person's edits differ only in the changes that they propose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from cogmem.models import JournalEntry, Memory, Relation, State
from cogmem.ports import Archived, LedgerWriter, Stored

__all__ = [
    "Actor",
    "Applied",
    "Change",
    "Link",
    "Put",
    "Refusal",
    "Retire",
    "Revive",
    "Rewrite",
    "Touch",
    "Unlink",
    "apply",
]


@dataclass(frozen=True, slots=True)
class Put:
    """A new memory. `past` and `former` are its life so far, if it comes from another bank."""

    stored: Stored
    reason: str
    past: tuple[JournalEntry, ...] = ()
    former: tuple[Archived, ...] = ()


@dataclass(frozen=True, slots=True)
class Touch:
    """New values for fields that carry no text: counters, strength, tags, flags, sources."""

    memory_id: str
    fields: Mapping[str, Any]
    reason: str


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A new text; the former one is kept as a version. `stored.memory` holds the memory as it shall be."""

    stored: Stored
    reason: str


@dataclass(frozen=True, slots=True)
class Retire:
    """Take a memory out of normal recall; `fields` may set `superseded_by` and `valid_until`."""

    memory_id: str
    state: State
    reason: str
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Revive:
    """Make a memory active again; `fields` are the values that its retirement had changed."""

    memory_id: str
    reason: str
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Link:
    """A relation to add (or to replace: it is unique per pair and type)."""

    relation: Relation
    reason: str


@dataclass(frozen=True, slots=True)
class Unlink:
    """A relation to remove."""

    relation: Relation
    reason: str


Change = Put | Touch | Rewrite | Retire | Revive | Link | Unlink


@dataclass(frozen=True, slots=True)
class Actor:
    """Who proposes changes: `name` is `user`, `encoding`, `feedback`, `dream` or `import`.

    A person may do to a pinned memory what the system may not.
    """

    name: str
    run_id: str | None = None

    @property
    def is_person(self) -> bool:
        """True for the user's own acts."""
        return self.name == "user"


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


class _Batch:
    """Collects the rows of one `apply` while the changes see each other's effects."""

    def __init__(self, known: Mapping[str, Stored], now: datetime, actor: Actor) -> None:
        self.known = dict(known)
        self.now = now
        self.actor = actor
        self.inserted: dict[str, Stored] = {}
        self.updates: dict[str, dict[str, Any]] = {}
        self.archived: list[Archived] = []
        self.links: list[Relation] = []
        self.unlinked: list[Relation] = []
        self.entries: list[JournalEntry] = []
        self.refused: list[Refusal] = []

    def note(self, seq: int, memory_id: str, change: Change, before: Mapping[str, Any]) -> None:
        kind = type(change).__name__.lower()
        self.entries.append(
            JournalEntry(
                seq, memory_id, kind, self.actor.name, change.reason, self.now, self.actor.run_id, _plain(before)
            )
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


def apply(writer: LedgerWriter, namespace: str, changes: Sequence[Change], *, now: datetime, actor: Actor) -> Applied:
    """Carry out changes of one namespace inside the caller's transaction.

    A change that pinned or immutable forbids is left out and listed in `Applied.refused`; so is one whose memory does
    not exist in this namespace. The other changes go through.
    """
    needed = sum(_numbers(change) for change in changes)
    first, previous = writer.allocate(namespace, needed)
    batch, seq = _Batch(writer.stored(namespace, _targets(changes)), now, actor), first
    for change in changes:
        refusal = _refusal(batch, change)
        if refusal:
            batch.refused.append(Refusal(change, refusal))
        else:
            _carry_out(batch, change, seq)
        seq += _numbers(change)
    writer.insert(tuple(batch.inserted.values()))
    writer.update(namespace, batch.updates)
    writer.archive(batch.archived)
    writer.relate(batch.links, batch.unlinked)
    writer.record(namespace, batch.entries)
    return _applied(batch, previous, seq - 1)


def _numbers(change: Change) -> int:
    return max(1, len(change.past)) if isinstance(change, Put) else 1


def _targets(changes: Sequence[Change]) -> list[str]:
    ids = [c.memory_id for c in changes if isinstance(c, (Touch, Retire, Revive))]
    ids += [c.stored.memory.id for c in changes if isinstance(c, Rewrite)]
    for change in changes:
        if isinstance(change, (Link, Unlink)):
            ids += [change.relation.source_id, change.relation.target_id]
    return list(dict.fromkeys(ids))


def _target(change: Change) -> str:
    if isinstance(change, (Put, Rewrite)):
        return change.stored.memory.id
    return change.relation.source_id if isinstance(change, (Link, Unlink)) else change.memory_id


def _refusal(batch: _Batch, change: Change) -> str:
    if isinstance(change, Put):
        return ""
    known = batch.known.get(_target(change))
    if known is None or (isinstance(change, Link) and change.relation.target_id not in batch.known):
        return "not found"
    memory = known.memory
    if isinstance(change, Rewrite) and memory.immutable:
        return "immutable"
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
            return
    elif isinstance(change, Link):
        batch.links.append(change.relation)
    elif isinstance(change, Unlink):
        batch.unlinked.append(change.relation)
        before = _plain_relation(change.relation)
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
    memory = batch.known[new.memory.id].memory
    batch.known[memory.id] = Stored(memory, new.key, new.vector, new.fingerprint)
    if memory.id in batch.inserted:
        batch.inserted[memory.id] = batch.known[memory.id]
    else:
        batch.updates[memory.id] |= {"key": new.key, "vector": new.vector, "fingerprint": new.fingerprint}
    # The former text is kept by the version, not twice.
    return {name: value for name, value in before.items() if name not in ("content", "content_hash")}


def _plain_relation(relation: Relation) -> dict[str, Any]:
    """What undoing needs, as JSON values."""
    told = ("target_id", "type", "weight", "confidence")
    return {name: getattr(relation, name) for name in told}


def _plain(before: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in before.items() if name != "updated_at"}


def _applied(batch: _Batch, previous: int, last: int) -> Applied:
    touched = list(
        dict.fromkeys([*batch.inserted, *(e.memory_id for e in batch.entries if e.kind not in ("link", "unlink"))])
    )
    moved = {e.memory_id for e in batch.entries if e.kind in ("put", "rewrite", "retire", "revive")} | {*batch.inserted}
    now = {memory_id: batch.known[memory_id] for memory_id in touched}
    return Applied(
        memories={memory_id: stored.memory for memory_id, stored in now.items()},
        refused=tuple(batch.refused),
        indexed=tuple(s for i, s in now.items() if i in moved and s.memory.state == "active"),
        dropped=tuple(i for i, s in now.items() if i in moved and s.memory.state != "active"),
        previous_seq=previous,
        last_seq=last,
    )
