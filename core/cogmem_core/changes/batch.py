"""The rows of one transaction while its changes are carried out, one after the other.

Nothing is written before `Batch.write`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from typing import Any

from cogmem_core.edge.clauses import keyed_text, read_anew
from cogmem_core.ports import Archived, Stored
from cogmem_core.storage.ledger.schema import OUTDATED
from cogmem_core.storage.ledger.transaction import Namespace
from cogmem_core.text.keys import restated
from cogmem_core.values.access_records import COMPARTMENT
from cogmem_core.values.models import (
    Intention,
    JournalEntry,
    Memory,
    Procedure,
    Relation,
    Review,
    ShortTerm,
    SynapticTag,
)

Record = Intention | Procedure | Review
"""What an agent is to do, or how, or what waits for a person."""

LinkKey = tuple[str, str, str]
"""Source, target and type of a relation: there is one of each."""
_CLAUSES = frozenset(("reading", "clause_states"))
_WEIGHTS = ("weight", "confidence", "created_at", "last_activated_at")


def link_key(relation: Relation) -> LinkKey:
    """The key of a relation."""
    return relation.source_id, relation.target_id, relation.type


@dataclass(frozen=True, slots=True)
class Actor:
    """Who proposes changes: a person may do to a pinned memory what the system may not.

    Attributes:
        name: `user`, `encoding`, `recall`, `feedback`, `dream`, `undo` or `import`.
        run_id: the dream cycle, whose changes can be undone as a whole.
        principal: who acts, or whose words these are; "" = the operator, or as the metadata tell.
    """

    name: str
    run_id: str | None = None
    principal: str = ""

    @property
    def is_person(self) -> bool:
        """True for the user's own acts, and for taking back what the system did."""
        return self.name in ("user", "undo")


class Batch:
    """Collects the rows of one `apply` while the changes see each other's effects.

    Args:
        rows: the memories that the changes name, as they are, by id.
        now: the moment of the changes.
        actor: who proposed them.
        relations: of a run, which can be undone: the relations as they are.
        records: the intentions, procedures and reviews that the changes name, as they are, by id.

    Attributes:
        states: how memories stand after a journal number, for the audit trail.
        moved: memories whose place in the indexes changes.
        dropped: memories that are deleted, with the journal number.
        marks: tags and places on probation, and whether they are given or taken away.
        first_versions: of memories the number of the first former text that is deleted.
    """

    def __init__(
        self,
        rows: Mapping[str, Stored],
        now: datetime,
        actor: Actor,
        relations: Iterable[Relation] = (),
        records: Mapping[str, Record] | None = None,
    ) -> None:
        self.rows = dict(rows)
        self.now = now
        self.actor = actor
        self.inserted: dict[str, Stored] = {}
        self.archived: list[Archived] = []
        self.entries: list[JournalEntry] = []
        self.states: dict[int, str] = {}
        self.moved: set[str] = set()
        self.touched: dict[str, None] = {}
        self.dropped: dict[str, int] = {}
        self.records = dict(records or {})
        self.kept: dict[str, Record] = {}
        self.derivations: dict[str, tuple[tuple[str, str], ...]] = {}
        self._updates: dict[str, dict[str, Any]] = {}
        self._relations = {link_key(relation): relation for relation in relations}
        self._links: dict[LinkKey, Relation | None] = {}
        self.marks: dict[tuple[type, str], tuple[SynapticTag | ShortTerm, bool]] = {}
        self.first_versions: dict[str, int] = {}

    def memory(self, memory_id: str) -> Memory | None:
        """A memory as it is by now; None if it is not there."""
        stored = self.rows.get(memory_id)
        return None if stored is None else stored.memory

    def insert(self, stored: Stored) -> None:
        """Add a memory, with the reading of its text."""
        stored = replace(stored, memory=read_anew(stored.memory))
        memory_id = stored.memory.id
        self.inserted[memory_id] = stored
        self.rows[memory_id] = stored
        self.touched[memory_id] = None
        self.moved.add(memory_id)

    def change_fields(self, memory_id: str, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Set fields of a memory; returns their former values."""
        stored = self.rows[memory_id]
        former_values = {name: getattr(stored.memory, name) for name in fields if name != "seq"}
        self.touched[memory_id] = None
        self._set(replace(stored, memory=replace(stored.memory, **fields)), fields)
        if "clause_states" in fields:
            self._find_by_what_holds(stored)
        return former_values

    def _find_by_what_holds(self, former: Stored) -> None:
        """A memory of which most holds no more gets a key of the rest; its vector is made by `upkeep.reindex`."""
        memory = self.rows[former.memory.id].memory
        was = keyed_text(former.memory)
        now = keyed_text(memory)
        if was != now:
            key = restated(former.key, was, now, speaker=memory.speaker, at=memory.recorded_at)
            self.rekey(replace(former, memory=memory, key=key, fingerprint=OUTDATED))

    def rekey(self, new: Stored) -> None:
        """Set what the indexes need of a memory: key, vector and fingerprint."""
        memory = self.rows[new.memory.id].memory
        index_fields = {"key": new.key, "vector": new.vector, "fingerprint": new.fingerprint}
        self._set(replace(new, memory=memory), index_fields)
        self.moved.add(memory.id)

    def _set(self, stored: Stored, fields: Mapping[str, Any]) -> None:
        memory_id = stored.memory.id
        self.rows[memory_id] = stored
        if memory_id in self.inserted:
            self.inserted[memory_id] = stored
        else:
            self._updates.setdefault(memory_id, {}).update(fields)

    def link(self, relation: Relation) -> dict[str, Any]:
        """Add or replace a relation; returns what undoing needs."""
        key = link_key(relation)
        self._links[key] = relation
        former = None
        if self.actor.run_id:
            former = self._relations.get(key)
            self._relations[key] = relation
        return _ends(relation, former)

    @property
    def linked_ids(self) -> tuple[str, ...]:
        """The ends of relations that were added or replaced."""
        ends = (key[:2] for key, relation in self._links.items() if relation is not None)
        return tuple(dict.fromkeys(chain.from_iterable(ends)))

    def unlink(self, relation: Relation) -> dict[str, Any]:
        """Remove a relation; returns what undoing needs."""
        key = link_key(relation)
        self._links[key] = None
        former: Relation | None = relation
        if self.actor.run_id:
            former = self._relations.pop(key, None)
        return _ends(relation, former)

    def keep(self, record: Record) -> None:
        """Add an intention, procedure or review, or set one that exists."""
        self.records[record.id] = record
        self.kept[record.id] = record

    def record(
        self,
        seq: int,
        memory_id: str,
        kind: str,
        reason: str,
        former_values: Mapping[str, Any],
    ) -> None:
        """Write an entry of the journal.

        Args:
            seq: its journal number.
            memory_id: the memory that it is about.
            kind: of the change.
            reason: why it was made.
            former_values: of the fields that changed.
        """
        values = dict(former_values)
        if not self.actor.run_id:
            values.pop("updated_at", None)
        self.entries.append(
            JournalEntry(
                seq, memory_id, kind, self.actor.name, reason, self.now, self.actor.run_id, values
            )
        )

    def write(self, ns: Namespace) -> None:
        """Carry out all that was collected."""
        ns.memories.insert(tuple(self.inserted.values()))
        ns.memories.update(self._updates)
        ns.clauses.put([stored.memory for stored in self.inserted.values()], new=True)
        reread = [name for name, fields in self._updates.items() if not _CLAUSES.isdisjoint(fields)]
        ns.clauses.put([self.rows[name].memory for name in reread])
        ns.history.archive(self.archived)
        added = [relation for relation in self._links.values() if relation is not None]
        removed = [
            Relation(ns.name, *key)  # type: ignore[arg-type]
            for key, relation in self._links.items()
            if relation is None
        ]
        ns.relations.change(added, removed)
        if self.marks or self.dropped or self.first_versions:
            self._write_rare(ns)
        ns.journal.record(self.entries, self.states)
        if self.kept:
            self._write_kept(ns)
        if self.derivations or COMPARTMENT in ns.name:
            self._write_derivations(ns)

    def _write_derivations(self, ns: Namespace) -> None:
        """What new memories rest on; what is made of others in a compartment rests on what these do."""
        source_ids = [name for name in self.rows if name not in self.inserted]
        inherited = set(chain.from_iterable(ns.derivations.of(source_ids).values()))
        ns.derivations.add({**dict.fromkeys(self.inserted, tuple(inherited)), **self.derivations})

    def _write_kept(self, ns: Namespace) -> None:
        records = list(self.kept.values())
        ns.intentions.put([record for record in records if isinstance(record, Intention)])
        ns.procedures.put([record for record in records if isinstance(record, Procedure)])
        ns.reviews.put([record for record in records if isinstance(record, Review)])
        seqs = [record.seq for record in records if not isinstance(record, Review)]
        if seqs:
            ns.journal.record_agent_seq(max(seqs))

    def _write_rare(self, ns: Namespace) -> None:
        for memory_id, version in self.first_versions.items():
            ns.history.drop_versions(memory_id, version)
        given = [mark for mark, present in self.marks.values() if present]
        ns.synaptic_tags.remove([mark for mark, _ in self.marks.values()])
        ns.synaptic_tags.add([mark for mark in given if isinstance(mark, SynapticTag)])
        ns.synaptic_tags.add_short_term([mark for mark in given if isinstance(mark, ShortTerm)])
        ns.memories.drop(list(self.dropped.items()))


def _ends(relation: Relation, former: Relation | None) -> dict[str, Any]:
    former_values: dict[str, Any] = {"target_id": relation.target_id, "type": relation.type}
    if former is not None:
        former_values |= {name: getattr(former, name) for name in _WEIGHTS}
    return former_values
