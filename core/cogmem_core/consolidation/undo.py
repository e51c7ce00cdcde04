"""Taking back a dream cycle, or one thing of it.

Every memory, relation and mark is as it was, unless it was changed again since.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain
from typing import Any

from cogmem_core.base.grouping import grouped
from cogmem_core.changes import Actor, Change, Drop, Link, Mark, Reset, Retire, Unlink, apply
from cogmem_core.edge import checks
from cogmem_core.errors import InvalidInput, NotFound
from cogmem_core.ports import Stored
from cogmem_core.process.services import Services
from cogmem_core.storage.ledger.transaction import Namespace
from cogmem_core.text.keys import content_hash
from cogmem_core.values.models import (
    ConsolidationRun,
    JournalEntry,
    Relation,
    ShortTerm,
    SynapticTag,
)
from cogmem_core.values.results import UndoReport

_REASON = "a dream cycle was undone"
_TEXT = {"content", "content_hash", "version"}
_TOUCHES = ("touch", "retire", "revive", "rewrite", "withdraw")


def undo(
    services: Services, namespace: str, run_id: str, memory_id: str | None = None
) -> UndoReport:
    """Revert a cycle, or what it did to one memory and to those that it joined with this one.

    What somebody changed since stays as it is now, field by field; a memory that the cycle made and
    that was used or edited since is not deleted but forgotten (it can be restored).

    Raises:
        NotFound: there is no such run, or it did nothing to that memory.
        InvalidInput: it was undone before, or is still running.
    """
    with services.log_operation("undo", namespace=namespace, run_id=run_id) as note:
        with services.ledger.writing(namespace) as writer:
            now = services.runtime.now()
            ns = writer.at(namespace)
            run = _undoable(ns, run_id, now)
            plan = _Plan(ns)
            plan.take(ns.journal.of_run(run_id))
            if memory_id is not None:
                plan.narrow(memory_id)
            changes = plan.changes()
            applied = None
            if changes:
                actor = Actor("undo", run_id)
                applied = apply(writer, namespace, changes, now=now, actor=actor)
            if memory_id is None:
                ns.runs.put(replace(run, state="undone"))
                if [newest.id for newest in ns.runs.newest(1)] == [run_id]:
                    ns.runs.set_marks(run.marks)
        services.update_indexes(namespace, applied)
        services.hot.forget(namespace)
        note |= {
            "restored": len(plan.restored),
            "removed": len(plan.removed),
            "kept": len(plan.unchanged),
        }
    return UndoReport(run_id, tuple(plan.restored), tuple(plan.removed), plan.unchanged)


def no_such_cycle(namespace: str, run_id: str) -> NotFound:
    """What is said to whoever names a cycle that is not on record."""
    return NotFound(
        f"there is no dream cycle {checks.display(run_id)} in namespace {namespace!r}; "
        "bank.consolidation_runs() lists them"
    )


def _undoable(ns: Namespace, run_id: str, now: datetime) -> ConsolidationRun:
    run = ns.runs.by_id(run_id)
    if run is None:
        raise no_such_cycle(ns.name, run_id)
    lease = ns.runs.state()
    running = lease.owner == run_id and lease.expires_at is not None and lease.expires_at > now
    if run.state == "undone" or running:
        raise InvalidInput(
            f"run_id is {run_id!r}: this cycle is {run.state}; give one that is done"
        )
    return run


@dataclass
class _Plan:
    ns: Namespace
    restored: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    unchanged: dict[str, str] = field(default_factory=dict)

    def take(self, entries: Sequence[JournalEntry]) -> None:
        """What the run did, and what happened to the same memories afterwards."""
        ids = {entry.memory_id for entry in entries}
        for entry in entries:
            if "target_id" in entry.before:
                ids.add(str(entry.before["target_id"]))
        self.entries = [entry for entry in entries if entry.actor == "dream"]
        first_seq = entries[0].seq if entries else 0
        own_seqs = {entry.seq for entry in entries}  # what was taken back of it is none of others
        self.rows = self.ns.memories.stored(sorted(ids))
        self.later: dict[str, list[JournalEntry]] = defaultdict(list)
        for entry in self.ns.journal.after(first_seq, ids):
            if entry.seq not in own_seqs:
                self.later[entry.memory_id].append(entry)

    def narrow(self, memory_id: str) -> None:
        """Only what the run did to a memory, and to those that it joined with this one."""
        joined = {memory_id}
        retired = {entry.memory_id for entry in self.entries if entry.kind == "retire"}
        into = {name: self.rows[name].memory.superseded_by for name in retired & self.rows.keys()}
        found = {memory_id}
        while found:
            joined |= found
            found = {new for old, new in into.items() if new and old in joined}
            found |= {old for old, new in into.items() if new in joined}
            found -= joined
        self.entries = [
            entry
            for entry in self.entries
            if not joined.isdisjoint((entry.memory_id, str(entry.before.get("target_id"))))
        ]
        if not self.entries:
            raise NotFound(f"this dream cycle did nothing to memory {checks.display(memory_id)}")

    def changes(self) -> list[Change]:
        """What takes the run back."""
        made_ids = {entry.memory_id for entry in self.entries if entry.kind == "put"}
        changes: list[Change] = []
        touched = grouped(
            (entry.memory_id, entry)
            for entry in self.entries
            if entry.kind in _TOUCHES and entry.memory_id in self.rows.keys() - made_ids
        )
        for memory_id, entries in touched.items():
            changes += self._reset(memory_id, entries)
        for entry in reversed(self.entries):
            changes += self._restore_link_or_tag(entry)
        changes += map(self._removed, sorted(made_ids & self.rows.keys()))
        return changes

    def _removed(self, memory_id: str) -> Change:
        if any(entry.kind != "link" for entry in self.later[memory_id]):
            self.unchanged[memory_id] = (
                "made by the cycle and changed since: forgotten, not deleted"
            )
            return Retire(memory_id, "forgotten", _REASON)
        self.removed.append(memory_id)
        return Drop(memory_id, _REASON)

    def _reset(self, memory_id: str, entries: Sequence[JournalEntry]) -> list[Change]:
        former_fields: dict[str, Any] = {}
        for entry in entries:
            former_fields = {**entry.before, **former_fields}
        later = self.later[memory_id]
        since = set(chain.from_iterable(entry.before for entry in later))
        rewritten = any(entry.kind == "rewrite" for entry in entries)
        edited = any(entry.kind == "rewrite" for entry in later)
        changed_names = sorted((since & former_fields.keys()) - {"updated_at", "version"})
        if rewritten and edited:
            changed_names.append("content")
        if changed_names:
            self.unchanged[memory_id] = f"changed since: {', '.join(changed_names)}"
        former = self._former(memory_id, former_fields) if rewritten and not edited else None
        since |= _TEXT
        fields = {name: value for name, value in former_fields.items() if name not in since}
        if not fields and former is None:
            return []
        self.restored.append(memory_id)
        return [Reset(memory_id, fields, _REASON, former)]

    def _former(self, memory_id: str, former_fields: Mapping[str, Any]) -> Stored | None:
        for version in self.ns.history.archived([self.rows[memory_id]]):
            memory = version.stored.memory
            if memory.version == former_fields.get("version"):
                memory = replace(memory, content_hash=content_hash(memory.content))
                return replace(version.stored, memory=memory)
        return None

    def _restore_link_or_tag(self, entry: JournalEntry) -> list[Change]:
        """Relations and marks; of erased memories nothing is known any more."""
        former_fields = dict(entry.before)
        if entry.kind in ("link", "unlink") and "target_id" in former_fields:
            return self._relation(entry, former_fields)
        # One that was erased and imported again is there, but not what was known of it.
        if entry.kind == "unmark" and former_fields and entry.memory_id in self.rows:
            kind = SynapticTag if "tagged_at" in former_fields else ShortTerm
            return [Mark(kind(entry.memory_id, **former_fields), _REASON)]
        return []

    def _relation(self, entry: JournalEntry, former_fields: dict[str, Any]) -> list[Change]:
        ends = (entry.memory_id, str(former_fields["target_id"]))
        same = (former_fields["target_id"], former_fields["type"])
        for later in self.later[entry.memory_id]:
            target = (later.before.get("target_id"), later.before.get("type"))
            if later.kind in ("link", "unlink") and target == same:
                return []
        if not self.rows.keys() >= set(ends):
            return []
        relation = Relation(self.ns.name, *ends, former_fields["type"])
        if "weight" not in former_fields:
            return [Unlink(relation, _REASON)]
        del former_fields["target_id"], former_fields["type"]
        return [Link(replace(relation, **former_fields), _REASON)]
