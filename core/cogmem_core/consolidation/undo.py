"""Taking back one dream cycle: every memory, relation and mark is as it was, unless it was changed again since."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from cogmem_core.changes import Actor, Change, Drop, Link, Mark, Reset, Retire, Unlink, apply
from cogmem_core.errors import InvalidInput, NotFound
from cogmem_core.models import (
    ConsolidationRun,
    JournalEntry,
    Memory,
    Relation,
    ShortTerm,
    SynapticTag,
)
from cogmem_core.ports import Stored
from cogmem_core.results import UndoReport
from cogmem_core.services import Services
from cogmem_core.storage.ledger.transaction import Transaction
from cogmem_core.text.keys import content_hash

__all__ = ["undo"]

_REASON = "a dream cycle was undone"
_TEXT = ("content", "content_hash", "version")


def undo(services: Services, namespace: str, run_id: str) -> UndoReport:
    """Revert a cycle.

    What somebody changed since stays as it is now, field by field; a memory that the cycle made and
    that was used or edited since is not deleted but forgotten (it can be restored).

    Raises:
        NotFound: there is no such run.
        InvalidInput: it was undone before, or is still running.
    """
    with services.log_operation("undo", namespace=namespace, run_id=run_id) as note:
        with services.ledger.writing(namespace) as writer:
            now = services.runtime.now()
            run = _undoable(writer, namespace, run_id, now)
            plan = _Plan(namespace, writer)
            plan.take(writer.at(namespace).journal.of_run(run_id))
            changes = plan.changes()
            applied = (
                apply(writer, namespace, changes, now=now, actor=Actor("undo", run_id))
                if changes
                else None
            )
            writer.at(namespace).runs.put(replace(run, state="undone"))
            newest = next(iter(writer.at(namespace).runs.newest(1)), None)
            if newest is not None and newest.id == run_id:
                writer.at(namespace).runs.set_marks(run.marks)
        if applied is not None:
            services.update_indexes(namespace, applied)
        services.hot.forget(namespace)
        note |= {
            "restored": len(plan.restored),
            "removed": len(plan.removed),
            "kept": len(plan.kept),
        }
    return UndoReport(run_id, tuple(plan.restored), tuple(plan.removed), plan.kept)


def _undoable(writer: Transaction, namespace: str, run_id: str, now: datetime) -> ConsolidationRun:
    run = writer.at(namespace).runs.by_id(run_id)
    if run is None:
        raise NotFound(
            f"there is no dream cycle {run_id!r} in namespace {namespace!r}; bank.consolidation_runs() lists them"
        )
    lease = writer.at(namespace).runs.state()
    running = lease.owner == run_id and lease.expires_at is not None and lease.expires_at > now
    if run.state == "undone" or running:
        raise InvalidInput(
            f"run_id is {run_id!r}: this cycle is {run.state}; give one that is done"
        )
    return run


@dataclass
class _Plan:
    namespace: str
    writer: Transaction
    restored: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    kept: dict[str, str] = field(default_factory=dict)

    def take(self, entries: Sequence[JournalEntry]) -> None:
        """What the run did, and what happened to the same memories afterwards."""
        ids = {entry.memory_id for entry in entries} | {
            str(entry.before["target_id"]) for entry in entries if "target_id" in entry.before
        }
        self.entries = entries
        first = entries[0].seq if entries else 0
        own = {entry.seq for entry in entries}
        later = [
            e for e in self.writer.at(self.namespace).journal.after(first, ids) if e.seq not in own
        ]
        self.rows = self.writer.at(self.namespace).memories.stored(sorted(ids))
        self.later: dict[str, list[JournalEntry]] = {}
        for entry in later:
            self.later.setdefault(entry.memory_id, []).append(entry)

    def changes(self) -> list[Change]:
        """What takes the run back."""
        made = {entry.memory_id for entry in self.entries if entry.kind == "put"}
        found: list[Change] = []
        touched: dict[str, list[JournalEntry]] = {}
        for entry in self.entries:
            if (
                entry.kind in ("touch", "retire", "revive", "rewrite")
                and entry.memory_id not in made
            ):
                touched.setdefault(entry.memory_id, []).append(entry)
        for memory_id, entries in touched.items():
            if memory_id in self.rows:
                found += self._reset(memory_id, entries)
        for entry in reversed(self.entries):
            found += self._beside(entry)
        for memory_id in sorted(made & self.rows.keys()):
            found.append(self._removed(memory_id))
        return found

    def _removed(self, memory_id: str) -> Change:
        if any(entry.kind != "link" for entry in self.later.get(memory_id, ())):
            self.kept[memory_id] = "made by the cycle and changed since: forgotten, not deleted"
            return Retire(memory_id, "forgotten", _REASON)
        self.removed.append(memory_id)
        return Drop(memory_id, _REASON)

    def _reset(self, memory_id: str, entries: Sequence[JournalEntry]) -> list[Change]:
        before: dict[str, Any] = {}
        for entry in entries:
            before = {**entry.before, **before}
        since = {name for entry in self.later.get(memory_id, ()) for name in entry.before}
        rewritten = any(entry.kind == "rewrite" for entry in entries)
        edited = any(entry.kind == "rewrite" for entry in self.later.get(memory_id, ()))
        left = sorted((since & before.keys()) - {"updated_at", "version"})
        left += ["content"] if rewritten and edited else []
        if left:
            self.kept[memory_id] = f"changed since: {', '.join(left)}"
        fields = {
            name: value for name, value in before.items() if name not in since and name not in _TEXT
        }
        former = self._former(memory_id, before) if rewritten and not edited else None
        if not fields and former is None:
            return []
        self.restored.append(memory_id)
        return [Reset(memory_id, fields, _REASON, former)]

    def _former(self, memory_id: str, before: Mapping[str, Any]) -> Stored | None:
        archived = self.writer.at(self.namespace).history.archived(self.rows[memory_id])
        stored = next(
            (a.stored for a in archived if a.stored.memory.version == before.get("version")), None
        )
        if stored is None:
            return None
        memory: Memory = stored.memory
        return replace(stored, memory=replace(memory, content_hash=content_hash(memory.content)))

    def _beside(self, entry: JournalEntry) -> list[Change]:
        """Relations and marks; of erased memories nothing is known any more."""
        before = dict(entry.before)
        if entry.kind in ("link", "unlink") and "target_id" in before:
            return self._relation(entry, before)
        # One that was erased and imported again is there, but not what was known of it.
        if entry.kind == "unmark" and before and entry.memory_id in self.rows:
            kind = SynapticTag if "tagged_at" in before else ShortTerm
            return [Mark(kind(entry.memory_id, **before), _REASON)]
        return []

    def _relation(self, entry: JournalEntry, before: dict[str, Any]) -> list[Change]:
        ends = (entry.memory_id, str(before["target_id"]))
        same = (before["target_id"], before["type"])
        again = [
            e
            for e in self.later.get(entry.memory_id, ())
            if e.kind in ("link", "unlink")
            and (e.before.get("target_id"), e.before.get("type")) == same
        ]
        if again or not self.rows.keys() >= set(ends):
            return []
        relation = Relation(self.namespace, *ends, before["type"])
        if "weight" not in before:
            return [Unlink(relation, _REASON)]
        known = {name: value for name, value in before.items() if name not in ("target_id", "type")}
        return [Link(replace(relation, **known), _REASON)]
