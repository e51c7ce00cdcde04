"""What may change in a namespace, as values: the dream cycle, feedback, encoding and people only ever propose these.

`apply` carries them out. A new kind of change is one class.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, ClassVar

from cogmem_core.changes.batch import Batch
from cogmem_core.edge.clauses import guards_of, is_over, read_anew, reading_of, with_states
from cogmem_core.ports import Archived, Stored
from cogmem_core.values.models import (
    ClauseState,
    JournalEntry,
    Memory,
    Relation,
    ShortTerm,
    State,
    SynapticTag,
)

_NOT_FOUND = "not found"
_TEXT = ("content", "content_hash", "reading")
Values = Mapping[str, Any]


def _values(memory: Memory | None, names: Iterable[str]) -> dict[str, Any]:
    return {} if memory is None else {name: getattr(memory, name) for name in names}


class Change(ABC):
    """A change of one memory, of a relation or of a mark.

    Attributes:
        kind: its name in the journal.
        changes_row: it changes the memory's row, so that the audit trail records how the memory
            stands afterwards.
        embeds: it brings a text that was embedded.
        reason: why it is proposed.
    """

    __slots__ = ()
    kind: ClassVar[str]
    changes_row: ClassVar[bool] = True
    embeds: ClassVar[bool] = False
    reason: str

    @property
    @abstractmethod
    def target(self) -> str:
        """The memory that the journal names."""

    @property
    def touches(self) -> tuple[str, ...]:
        """The memories that have to be there already."""
        return (self.target,)

    @property
    def numbers(self) -> int:
        """How many journal numbers it takes."""
        return 1

    @property
    def gives_way_to(self) -> str:
        """The new memory that a known one, or a part of it, gives way to; empty if to none."""
        return ""

    def refusal(self, batch: Batch) -> str:
        """Why it may not be carried out; empty if it may."""
        missing = any(memory_id not in batch.rows for memory_id in self.touches)
        return _NOT_FOUND if missing else ""

    def carry_out(self, batch: Batch, seq: int) -> None:
        """Do it to the batch, and record it under the journal number."""
        former_values = self.do(batch, seq)
        target = self.target
        if self.changes_row:
            batch.states[seq] = batch.rows[target].memory.audit_state
        batch.record(seq, target, self.kind, self.reason, former_values)

    @abstractmethod
    def do(self, batch: Batch, seq: int) -> Values:
        """Do it to the batch; returns the former values."""

    @property
    def new_values(self) -> Values:
        """What a person should see of the memory as it shall be."""
        return {}

    def difference(self, memory: Memory | None, relation: Relation | None) -> tuple[Values, Values]:  # noqa: ARG002
        """What a person should see of it: former and new values.

        Args:
            memory: the target as it is before the change.
            relation: of a change of a relation, the relation as it is before the change.
        """
        new = self.new_values
        return _values(memory, new), new


@dataclass(frozen=True, slots=True)
class _OfText(Change):
    """A change of a text."""

    embeds = True
    shown: ClassVar[tuple[str, ...]] = ()
    stored: Stored
    reason: str

    @property
    def target(self) -> str:
        """The memory with this text."""
        return self.stored.memory.id

    @property
    def new_values(self) -> Values:
        """The text and what it rests on; of a new memory what it is like."""
        return _values(self.stored.memory, self.shown)


@dataclass(frozen=True, slots=True)
class Put(_OfText):
    """A new memory.

    Attributes:
        stored: the memory with what the indexes need.
        past: its journal so far, if it comes from another bank.
        former: its former texts, if it comes from another bank.
        rests_on: (namespace, id) of the memories, of whatever namespace, that a person or an agent
            derived it from.
    """

    kind = "put"
    shown = ("category", "tier", "importance", "stability", "support")

    past: tuple[JournalEntry, ...] = ()
    former: tuple[Archived, ...] = ()
    rests_on: tuple[tuple[str, str], ...] = ()

    @property
    def touches(self) -> tuple[str, ...]:
        """Nothing has to be there."""
        return ()

    @property
    def numbers(self) -> int:
        """One, or one for each entry of its past."""
        return max(1, len(self.past))

    def carry_out(self, batch: Batch, seq: int) -> None:
        """Add the memory; its past takes the place of an entry of its own."""
        if not self.past:
            Change.carry_out(self, batch, seq)
            return
        last = seq + self.numbers - 1
        self.do(batch, last)
        batch.entries += [replace(entry, seq=seq + i) for i, entry in enumerate(self.past)]
        batch.states[last] = batch.rows[self.target].memory.audit_state

    def do(self, batch: Batch, seq: int) -> Values:
        """Add it."""
        batch.insert(replace(self.stored, memory=replace(self.stored.memory, seq=seq)))
        batch.archived += self.former
        if self.rests_on:
            batch.derivations[self.target] = self.rests_on
        return {}


class _OfMemory(Change):
    """A change of a memory that is named by its id."""

    __slots__ = ()
    memory_id: str

    @property
    def target(self) -> str:
        """The memory."""
        return self.memory_id


@dataclass(frozen=True, slots=True)
class Touch(_OfMemory):
    """New values for fields that carry no text: counters, strength, tags, flags, sources."""

    kind = "touch"

    memory_id: str
    fields: Values
    reason: str

    def do(self, batch: Batch, seq: int) -> Values:  # noqa: ARG002
        """Set the fields."""
        return batch.change_fields(self.memory_id, self.fields)

    @property
    def new_values(self) -> Values:
        """The fields."""
        return dict(self.fields)


@dataclass(frozen=True, slots=True)
class Rewrite(_OfText):
    """A new text; the former one is kept as a version.

    `stored.memory` holds the memory as it shall be; `rejects`: what only the former text claimed is
    not to come back (see `changes.rejected`).
    """

    kind = "rewrite"
    shown = ("content", "support")

    rejects: bool = False

    def refusal(self, batch: Batch) -> str:
        """Immutable texts and the texts of documents stay."""
        memory = batch.memory(self.target)
        if memory is None:
            return _NOT_FOUND
        if memory.immutable:
            return "immutable"
        return "the text of a document" if memory.category == "item" else ""

    def do(self, batch: Batch, seq: int) -> Values:
        """Keep the former text as a version; it does not stand in the journal as well."""
        former = batch.rows[self.target]
        new = read_anew(self.stored.memory, former.memory)
        batch.archived.append(Archived(former, batch.now, batch.actor.name, self.reason))
        names = [x for x in Memory.__slots__ if getattr(new, x) != getattr(former.memory, x)]
        fields = _values(new, names)
        fields |= {"version": former.memory.version + 1, "updated_at": batch.now, "seq": seq}
        former_values = batch.change_fields(new.id, fields)
        batch.rekey(self.stored)
        return _without_text(former_values)


class Reindex(_OfText):
    """Key and vector of a memory made anew, because what is searched of it is broken; the text stays."""

    __slots__ = ()
    kind = "reindex"

    def do(self, batch: Batch, seq: int) -> Values:
        """Set what the indexes need."""
        batch.change_fields(self.target, {"seq": seq})
        batch.rekey(self.stored)
        return {}


class _OfState(_OfMemory):
    """A change of a memory's state, with fields that go with it."""

    __slots__ = ()
    fields: Values
    state: State

    @property
    def new_values(self) -> Values:
        """The fields and the state."""
        return {**self.fields, "state": self.state}

    def do(self, batch: Batch, seq: int) -> Values:
        """Set the state."""
        batch.moved.add(self.memory_id)
        fields = {**self.new_values, "updated_at": batch.now, "seq": seq}
        return batch.change_fields(self.memory_id, fields)


@dataclass(frozen=True, slots=True)
class Retire(_OfState):
    """Take a memory out of normal recall; `fields` may set `superseded_by` and `valid_until`.

    `rejects`: what it claims is not to come back (see `changes.rejected`).
    """

    kind = "retire"

    memory_id: str
    state: State
    reason: str
    fields: Values = field(default_factory=dict)
    rejects: bool = False

    @property
    def gives_way_to(self) -> str:
        """Its successor."""
        return str(self.fields.get("superseded_by") or "")

    def refusal(self, batch: Batch) -> str:
        """Only a person puts away what is pinned, immutable or a guardian fact."""
        return _protection(batch, self)


@dataclass(frozen=True, slots=True)
class Withdraw(_OfMemory):
    """Clauses of a memory that hold no more, or are doubted: text and reading stay as they are.

    The memory leaves recall with the last of its clauses that tells something.

    Attributes:
        memory_id: the memory.
        clauses: how they stand now; at least one.
        reason: what stands before a colon is kept with the clauses; the rest may quote the memory that
            says so.
        rejects: what they claim is not to come back (see `changes.rejected`).
    """

    kind = "withdraw"

    memory_id: str
    clauses: tuple[ClauseState, ...]
    reason: str
    rejects: bool = False

    @property
    def gives_way_to(self) -> str:
        """The new memory that says so."""
        return self.clauses[0].by

    def refusal(self, batch: Batch) -> str:
        """As of a memory that is put away; of a document's text no clause goes by itself."""
        reason = _protection(batch, self)
        memory = batch.memory(self.memory_id)
        if memory is None or reason:
            return reason
        if memory.category == "item":
            return "the text of a document"
        count = len(reading_of(memory).clauses)
        return "" if all(state.number < count for state in self.clauses) else "no such clause"

    def do(self, batch: Batch, seq: int) -> Values:
        """Set how the clauses stand."""
        memory = read_anew(batch.rows[self.memory_id].memory)
        short = self.reason.partition(":")[0]
        states = [
            replace(state, since=state.since or batch.now, reason=short) for state in self.clauses
        ]
        new = with_states(memory, states)
        fields: dict[str, Any] = {"reading": new.reading, "clause_states": new.clause_states}
        fields |= {"updated_at": batch.now, "seq": seq}
        last = self.clauses[-1]
        if is_over(new) and last.state == "forgotten":
            fields["state"] = "forgotten"
        elif is_over(new):
            end = last.until or memory.valid_from or memory.recorded_at  # it never was true
            fields |= {"state": "superseded", "superseded_by": last.by or None, "valid_until": end}
        batch.moved.add(self.memory_id)
        return _without_text(batch.change_fields(self.memory_id, fields))


def _protection(batch: Batch, change: Retire | Withdraw) -> str:
    """Why a memory may not be put away: what is pinned, immutable or a guardian fact, only by a person."""
    memory = batch.memory(change.memory_id)
    if memory is None:
        return _NOT_FOUND
    if batch.actor.is_person:
        return ""
    if memory.pinned:
        return "pinned"
    if memory.immutable:
        return "immutable"
    return "a guardian fact" if guards_of(memory) and not _says_so(batch, change, memory) else ""


def _says_so(batch: Batch, change: Retire | Withdraw, memory: Memory) -> bool:
    """Whether a guardian fact gives way to what the same person says later, or only another clause does."""
    if isinstance(change, Withdraw):
        guarding = {n for n, clause in enumerate(reading_of(memory).clauses) if clause.guards}
        if guarding.isdisjoint(state.number for state in change.clauses):
            return True
    new = batch.memory(change.gives_way_to)
    own = new is not None and new.data_source == "user_message" and new.speaker == memory.speaker
    return own and batch.actor.name == "encoding"


@dataclass(frozen=True, slots=True)
class Revive(_OfState):
    """Make a memory active again; `fields` are the values that its retirement had changed."""

    kind = "revive"
    state = "active"

    memory_id: str
    reason: str
    fields: Values = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _OfRelation(Change):
    """A change of a relation."""

    changes_row = False
    relation: Relation
    reason: str

    @property
    def target(self) -> str:
        """The memory that the relation comes from."""
        return self.relation.source_id

    @property
    def touches(self) -> tuple[str, ...]:
        """Both ends."""
        return self.relation.source_id, self.relation.target_id

    def difference(self, memory: Memory | None, relation: Relation | None) -> tuple[Values, Values]:  # noqa: ARG002
        """The relation."""
        return _shown_relation(relation), self.new_values


class Link(_OfRelation):
    """A relation to add (or to replace: it is unique per pair and type)."""

    __slots__ = ()
    kind = "link"

    def do(self, batch: Batch, seq: int) -> Values:  # noqa: ARG002
        """Add it."""
        return batch.link(self.relation)

    @property
    def new_values(self) -> Values:
        """The relation."""
        return _shown_relation(self.relation)


class Unlink(_OfRelation):
    """A relation to remove."""

    __slots__ = ()
    kind = "unlink"

    def refusal(self, batch: Batch) -> str:
        """The target may be gone."""
        return "" if self.target in batch.rows else _NOT_FOUND

    def do(self, batch: Batch, seq: int) -> Values:  # noqa: ARG002
        """Remove it."""
        return batch.unlink(self.relation)


@dataclass(frozen=True, slots=True)
class _OfMark(Change):
    """A change of a synaptic tag, or of a place on probation; the memory stays as it is."""

    changes_row = False
    present: ClassVar[bool]
    mark: SynapticTag | ShortTerm
    reason: str

    @property
    def target(self) -> str:
        """The memory that is marked."""
        return self.mark.memory_id

    def do(self, batch: Batch, seq: int) -> Values:  # noqa: ARG002
        """Give it, or take it away."""
        batch.marks[type(self.mark), self.target] = (self.mark, self.present)
        former_values = asdict(self.mark)
        del former_values["memory_id"]
        return former_values

    def difference(self, memory: Memory | None, relation: Relation | None) -> tuple[Values, Values]:  # noqa: ARG002
        """The mark."""
        return asdict(self.mark), {}


class Mark(_OfMark):
    """A synaptic tag, or a place on probation, to give back."""

    __slots__ = ()
    kind = "mark"
    present = True


class Unmark(_OfMark):
    """A synaptic tag, or a place on probation, to take away."""

    __slots__ = ()
    kind = "unmark"
    present = False


@dataclass(frozen=True, slots=True)
class Reset(_OfMemory):
    """A memory as it was before a run that is undone.

    Attributes:
        memory_id: the memory.
        fields: the former values of all fields that the run changed, the text excepted.
        former: with its former text, key and vector, if the run changed the text; later versions
            are dropped.
    """

    kind = "reset"

    memory_id: str
    fields: Values
    reason: str
    former: Stored | None = None

    def do(self, batch: Batch, seq: int) -> Values:
        """Set what the run had changed."""
        fields = dict(self.fields)
        if self.former is not None:
            memory = self.former.memory
            current = replace(batch.rows[self.memory_id].memory, **self.fields)
            again = read_anew(memory, current)
            fields = {"clause_states": again.clause_states, **fields}
            fields |= _values(again, (*_TEXT, "version"))
            batch.first_versions[self.memory_id] = memory.version
        former_values = batch.change_fields(self.memory_id, {**fields, "seq": seq})
        if self.former is not None:
            batch.rekey(self.former)
        batch.moved.add(self.memory_id)
        return _without_text(former_values)


@dataclass(frozen=True, slots=True)
class Drop(_OfMemory):
    """A derived memory that only a run which is undone has known; its originals are all there."""

    kind = "drop"
    changes_row = False

    memory_id: str
    reason: str

    def do(self, batch: Batch, seq: int) -> Values:
        """Delete it."""
        batch.dropped[self.memory_id] = seq
        return {}


def _without_text(former_values: Values) -> dict[str, Any]:
    """The former text is kept by the version, not twice."""
    return {name: value for name, value in former_values.items() if name not in _TEXT}


def _shown_relation(relation: Relation | None) -> Values:
    if relation is None:
        return {}
    return {"type": relation.type, "target_id": relation.target_id, "weight": relation.weight}
