"""The values of a batch of turns: what was read and worked out for it, and what it causes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from cogmem_core.changes import Change
from cogmem_core.encoding.facts import (
    Decision,
    Fact,
    Identity,
    Neighbor,
    ObservedTurn,
    identity_of,
    on_different_days,
)
from cogmem_core.ports import FloatArray, Usage
from cogmem_core.skills.decide import Decision as ModelDecision
from cogmem_core.skills.form import DroppedFact
from cogmem_core.text.time.expressions import tells_habit
from cogmem_core.values.models import Episode, Memory, ShortTerm
from cogmem_core.values.results import FactReceipt


class BatchState:
    """What is known while the facts of a batch are worked off: each sees what earlier ones did.

    Attributes:
        rows: memories as this batch left them, by id.
        created_ids: ids of the memories that this batch creates, by their text.
        quarantined: quarantined memories by identity.
        changed_ids: memories that somebody else changed since they were compared with the facts.
    """

    def __init__(
        self,
        rows: Mapping[str, Memory],
        quarantined: Mapping[Identity, Memory],
        changed_ids: Collection[str] = (),
    ) -> None:
        self.rows = dict(rows)
        self.changed_ids = changed_ids
        self.quarantined = dict(quarantined)
        self.created_ids: dict[str, list[str]] = {}
        self._ids_by_identity: dict[Identity, list[str]] = {}
        for memory in rows.values():
            self._ids_by_identity.setdefault(identity_of(memory), []).append(memory.id)

    def repeated(self, fact: Fact) -> Memory | None:
        """The active memory that holds the words of a fact, unless both speak of different days."""
        for memory_id in self._ids_by_identity.get(fact.identity, ()):
            memory = self.rows[memory_id]
            other_day = on_different_days(fact.referenced_at, memory.referenced_at)
            if not other_day or tells_habit(fact.content):
                return memory
        return None

    def store(self, memory: Memory) -> None:
        """A memory is like this now: new, changed or retired."""
        old = self.rows.get(memory.id)
        if old is not None and old.state == "active":
            self._ids_by_identity[identity_of(old)].remove(memory.id)
        self.rows[memory.id] = memory
        if memory.state == "active":
            self._ids_by_identity.setdefault(identity_of(memory), []).insert(0, memory.id)

    def create(self, memory: Memory) -> None:
        """A memory is new."""
        self.store(memory)
        self.created_ids.setdefault(memory.content, []).append(memory.id)


@dataclass(slots=True)
class WritePlan:
    """What the facts of a batch cause.

    Attributes:
        decisions: what becomes of the facts, in order.
        changes: to apply, in order.
        receipts: of the facts, by the id of their turn.
        stored: new memories.
        short_term: new memories on probation.
        unmerged: decisions to update a memory whose new text is not there yet.
        missing_keys: index keys that need a vector.
    """

    decisions: list[Decision] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    receipts: dict[str, list[FactReceipt]] = field(default_factory=dict)
    stored: list[Memory] = field(default_factory=list)
    short_term: list[ShortTerm] = field(default_factory=list)
    unmerged: list[Decision] = field(default_factory=list)
    missing_keys: list[str] = field(default_factory=list)


@dataclass(slots=True)
class WriteBatch:
    """Turns of one namespace on their way to changes; each step fills in its part.

    Attributes:
        namespace: whose turns these are.
        episodes: the turns as they were said.
        turns: the same turns after the observer, in order.
        facts: what may become memories, in the order in which it was said.
        seq: the namespace's journal number when reading began.
        rows: the active memories that were looked at, by id, as they were then.
        quarantined: quarantined memories with the words of quarantined facts, by identity.
        units: normalised vectors of the facts' keys, by `new_id`; none for mere repetitions.
        vectors: what is stored with a memory, by index key.
        fingerprint: the embedder of the vectors.
        compared: the facts that are compared with memories.
        neighbors: per fact (by `new_id`) the stored memories that resemble it.
        similarity: per text, and per text that it was compared with: the cosine of the two.
        model_decisions: the language model's decisions, by `new_id`.
        attention: how near a fact is to what its session spoke of before, by `new_id`.
        merged: new texts of memories, by the fact's `new_id` and the memory's former text.
        plan: what the turns cause, as far as could be told before the transaction.
        usage: what the language model cost.
        degraded: why answers of the language model were not used.
        dropped: facts that the model formed and nobody said, by the id of their turn.
    """

    namespace: str
    episodes: Sequence[Episode]
    turns: list[ObservedTurn] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    seq: int = -1
    rows: dict[str, Memory] = field(default_factory=dict)
    quarantined: dict[Identity, Memory] = field(default_factory=dict)
    units: dict[str, FloatArray] = field(default_factory=dict)
    vectors: dict[str, FloatArray] = field(default_factory=dict)
    fingerprint: str = ""
    compared: list[Fact] = field(default_factory=list)
    neighbors: dict[str, list[Neighbor]] = field(default_factory=dict)
    similarity: dict[str, dict[str, float]] = field(default_factory=dict)
    model_decisions: dict[str, ModelDecision] = field(default_factory=dict)
    attention: dict[str, float] = field(default_factory=dict)
    merged: dict[tuple[str, str], str] = field(default_factory=dict)
    plan: WritePlan = field(default_factory=WritePlan)
    usage: Usage = field(default_factory=Usage)
    degraded: list[str] = field(default_factory=list)
    dropped: dict[str, list[DroppedFact]] = field(default_factory=dict)
