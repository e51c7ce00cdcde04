"""A namespace as a dream cycle sees it: all active memories and their relations, kept up to date from step to step.

Steps look at the snapshot and at nothing else, so that a dry run sees what a real one would.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from itertools import chain

import numpy as np

from cogmem_core.changes import Applied, Change, Link, Put, Rewrite, Unlink, Unmark
from cogmem_core.changes.batch import LinkKey, link_key
from cogmem_core.config import Config
from cogmem_core.edge.clauses import exempt, holding
from cogmem_core.edge.strength import retention_of
from cogmem_core.maths.decay import CURVES
from cogmem_core.maths.products import normalised
from cogmem_core.ports import FloatArray, Stored
from cogmem_core.storage.ledger.memories import ACTIVE, pages_of
from cogmem_core.storage.ledger.transaction import Namespace
from cogmem_core.values.models import Feedback, Memory, Relation, ShortTerm, SynapticTag

REPLAYED = "synaptic_replay"
"""The mark up to which feedback was replayed."""
_PAGE = 100
_BEGINNING = datetime(1970, 1, 1, tzinfo=timezone.utc)


class Snapshot:
    """All of a namespace that steps look at.

    Attributes:
        settings: those of consolidation.
        now: the moment of the cycle.
        memories: active memories by id, oldest first.
        inactive: memories that are not active, as far as something derived rests on them or the
            cycle retired them.
        relations: all relations of the namespace, by (source, target, type).
        tags: what is tagged, by memory id.
        short_term: what is on probation, by memory id.
        feedback: judgements that no replay has seen, oldest first.
        checkpoints: what steps remember from earlier cycles.
        clusters: what was derived before, see `derived.cluster_of`.
        recently_restored: memories that a person brought back lately; they stay.
    """

    def __init__(self, namespace: str, config: Config, now: datetime) -> None:
        self.namespace = namespace
        self.config = config
        self.settings = config.consolidation
        self.now = now
        self.memories: dict[str, Memory] = {}
        self.inactive: dict[str, Memory] = {}
        self.relations: dict[LinkKey, Relation] = {}
        self.tags: dict[str, SynapticTag] = {}
        self.short_term: dict[str, ShortTerm] = {}
        self.feedback: list[Feedback] = []
        self.checkpoints: dict[str, str] = {}
        self.clusters: set[str] = set()
        self.recently_restored: set[str] = set()
        self._vectors: dict[str, FloatArray] = {}

    def load(self, ns: Namespace, yield_now: Callable[[], None]) -> None:
        """Read the namespace from one snapshot; `yield_now` is called between pages."""
        for page in pages_of(ns.memories, ACTIVE, limit=_PAGE):
            self.memories |= {memory.id: holding(memory) for memory in page}
            yield_now()
        derived = ns.overview.derived()
        self.clusters = {str(memory.metadata.get("cluster", "")) for memory in derived}
        active = (memory for memory in derived if memory.state == "active")
        support = set(chain.from_iterable(memory.support for memory in active))
        self.inactive = self._successors(ns, support - self.memories.keys())
        self.relations = {link_key(relation): relation for relation in ns.relations.all()}
        self.tags = {tag.memory_id: tag for tag in ns.synaptic_tags.all()}
        self.short_term = {fact.memory_id: fact for fact in ns.synaptic_tags.short_term()}
        days = min(self.settings.respect_days, (self.now - _BEGINNING) / timedelta(days=1))
        self.recently_restored = ns.journal.restored_since(self.now - timedelta(days=days))
        self.feedback = ns.feedback.all(since=self.since(REPLAYED))

    def _successors(self, ns: Namespace, memory_ids: Iterable[str]) -> dict[str, Memory]:
        """These memories and whatever superseded them, link by link."""
        memories: dict[str, Memory] = {}
        todo = sorted(memory_ids)
        while todo:
            rows = ns.memories.by_ids(todo)
            memories |= rows
            successor_ids = {row.superseded_by for row in rows.values() if row.superseded_by}
            todo = sorted(successor_ids - memories.keys() - self.memories.keys())
        return memories

    def memory(self, memory_id: str) -> Memory | None:
        """A memory of the snapshot, active or not."""
        return self.memories.get(memory_id) or self.inactive.get(memory_id)

    def free(self, memory: Memory) -> bool:
        """Whether a memory may be paired at all: not if it is immutable, still on probation, or derived from others."""
        return not (memory.immutable or memory.support) and memory.id not in self.short_term

    def lasts(self, memory: Memory) -> bool:
        """Whether a memory is exempt from what time does to others, a flashbulb, or permanent."""
        permanent = self.config.strength.permanent
        return exempt(memory) or memory.flashbulb or memory.category in permanent

    def contradict(self, first_id: str, second_id: str) -> bool:
        """Whether two memories are linked as a contradiction, whichever way."""
        ends = ((first_id, second_id), (second_id, first_id))
        return any((*pair, "contradicts") in self.relations for pair in ends)

    def retention(self, memory: Memory) -> float:
        """Retrievability now, 0..1."""
        return retention_of(memory, self.now, self.config.strength)

    def threshold(self, name: str, setting: float | None) -> float:
        """A setting, or what the forgetting curve says: `endangered`, `fading` or `prune`."""
        return (
            float(getattr(CURVES[self.config.strength.curve], name)) if setting is None else setting
        )

    def age_days(self, memory: Memory) -> float:
        """Days since it was stored."""
        return (self.now - memory.created_at) / timedelta(days=1)

    def idle_days(self, memory: Memory) -> float:
        """Days since it was last used or stored; being retrieved and ignored does not count."""
        return (self.now - (memory.last_reinforced_at or memory.created_at)) / timedelta(days=1)

    def due(self, mark: str, hours: float) -> bool:
        """Whether something that is done at most once in so many hours may be done again.

        Never twice at one moment.
        """
        since = self.since(mark)
        return since is None or (since != self.now and self.now - since >= timedelta(hours=hours))

    def since(self, mark: str) -> datetime | None:
        """When it was done last."""
        stamp = self.checkpoints.get(mark)
        return None if stamp is None else datetime.fromisoformat(stamp)

    def stamp(self, mark: str) -> dict[str, str]:
        """The mark that says it was done now."""
        return {mark: self.now.isoformat()}

    def fold(self, changes: Iterable[Change], applied: Applied) -> None:
        """Take over what was carried out."""
        for memory_id, memory in applied.memories.items():
            if memory.state == "active":
                self.inactive.pop(memory_id, None)
                self.memories[memory_id] = holding(memory)
            else:
                self.memories.pop(memory_id, None)
                self.inactive[memory_id] = memory
        for change in applied.carried_out(changes):
            self._fold(change)

    def _fold(self, change: Change) -> None:
        if isinstance(change, Link):
            self.relations[link_key(change.relation)] = change.relation
        elif isinstance(change, Unlink):
            self.relations.pop(link_key(change.relation), None)
        elif isinstance(change, Unmark):
            marks: dict[str, SynapticTag] | dict[str, ShortTerm]
            marks = self.tags if isinstance(change.mark, SynapticTag) else self.short_term
            marks.pop(change.target, None)
        elif isinstance(change, (Put, Rewrite)):
            # New texts are not in the ledger during a dry run.
            self.clusters.add(str(change.stored.memory.metadata.get("cluster", "")))
            if change.stored.vector.size:
                self._vectors[change.stored.memory.id] = normalised(
                    change.stored.vector.reshape(1, -1)
                )[0]

    def rows(self, ns: Namespace, ids: Sequence[str]) -> dict[str, Stored]:
        """Rows as they would be by now, in a dry run: what the cycle changed so far only the snapshot knows."""
        stored_rows = ns.memories.stored(ids)
        rows: dict[str, Stored] = {}
        for memory_id in ids:
            memory = self.memory(memory_id)
            stored = stored_rows.get(memory_id)
            if memory is not None and stored is None:
                vector = self._vectors.get(memory_id, np.empty(0, dtype=np.float32))
                stored = Stored(memory, memory.content, vector, "")
            if stored is not None:
                rows[memory_id] = stored if memory is None else replace(stored, memory=memory)
        return rows
