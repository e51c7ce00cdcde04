"""Clusters that themes, insights and patterns are distilled from.

One that has grown renews what it had.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import numpy as np

from cogmem_core.consolidation.context import StepContext
from cogmem_core.consolidation.derived import (
    Derivation,
    cluster_of,
    compose_text,
    derive,
    kind_of,
    rederive,
)
from cogmem_core.consolidation.snapshot import Snapshot, StepResult
from cogmem_core.maths.clusters import (
    Alike,
    Mask,
    by_cosine,
    by_labels,
    connected_groups,
    greedy_groups,
)
from cogmem_core.models import Category, Memory
from cogmem_core.strength import coactivation_now

__all__ = ["NO_MODEL", "Cluster", "Distillation", "distil", "insight_clusters", "theme_clusters"]

Cluster = tuple[Memory, ...]
"""Memories, oldest first."""
NO_MODEL = "skipped: no language model"
_NO_ANSWER = "the language model did not answer"
_NO_TOPIC = ("entity://date/", "entity://number/")
_UNUSABLE = ("ValueError", "ValidationError", "LLMOutputError")
"""How the error of an outcome begins if the model did answer."""
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Distillation:
    """What to distil.

    Attributes:
        kind: of the memories, see `derived.KINDS`; named in the report's counts by `plural`.
        limit: requests to the language model.
        archives: the members leave recall.
    """

    kind: str
    plural: str
    limit: int
    importance: float
    category: Category = "summary"
    archives: bool = False


def theme_clusters(snapshot: Snapshot, context: StepContext) -> list[Cluster]:
    """Episodic memories about the same: greedy, over the newest ones (seed 001, clustering)."""
    rules = snapshot.config.consolidation.themes
    members = [memory for memory in snapshot.memories.values() if _may_theme(snapshot, memory)][
        -rules.candidates :
    ]
    vectors = (
        context.vectors(snapshot, [memory.id for memory in members])
        if rules.similarity > 0.0
        else {}
    )
    if rules.similarity > 0.0:
        members = [memory for memory in members if memory.id in vectors]
    if len(members) < rules.least:
        return []
    same = _about_the_same(members, shared=rules.shared_entities, gap=rules.importance_gap)
    near = (
        by_cosine(np.stack([vectors[m.id] for m in members]), rules.similarity) if vectors else None
    )

    def alike(index: int) -> Mask:
        return same(index) if near is None else same(index) & near(index)

    groups = greedy_groups(len(members), alike, min_size=rules.least, max_size=rules.most)
    return [tuple(members[index] for index in group) for group in groups]


def _may_theme(snapshot: Snapshot, memory: Memory) -> bool:
    rules = snapshot.config.consolidation.themes
    spared = (
        memory.pinned or memory.flashbulb or memory.category in snapshot.config.strength.permanent
    )
    usual = (
        memory.tier == "episodic" and not memory.support and memory.id not in snapshot.short_term
    )
    return usual and not memory.immutable and not (rules.supersede and spared)


def _about_the_same(members: Sequence[Memory], *, shared: int, gap: float) -> Alike:
    """Shared entities, or the same category and a similar importance."""
    named = by_labels(
        [[e for e in m.entities if not e.startswith(_NO_TOPIC)] for m in members], shared
    )
    categories = np.unique([memory.category for memory in members], return_inverse=True)[1]
    importance = np.array([memory.importance for memory in members])

    def alike(index: int) -> Mask:
        close: Mask = np.abs(importance - importance[index]) <= gap + _ROUNDING
        found: Mask = named(index) | ((categories == categories[index]) & close)
        return found

    return alike


def insight_clusters(snapshot: Snapshot) -> list[Cluster]:
    """Memories that are used together, as the weights of their relations are today (seed 000, derive)."""
    rules = snapshot.config.consolidation.insights
    days = snapshot.config.retrieval.association_days
    usable = {
        i for i, m in snapshot.memories.items() if not m.immutable and kind_of(m) in ("", "summary")
    }
    edges = (
        (relation.source_id, relation.target_id, coactivation_now(relation, snapshot.now, days))
        for relation in snapshot.relations.values()
        if relation.type == "co_activated"
        and relation.source_id in usable
        and relation.target_id in usable
    )
    strong = [edge for edge in edges if edge[2] >= rules.weight - _ROUNDING]
    groups = connected_groups(strong, min_size=rules.least, max_size=rules.most)
    return [tuple(snapshot.memories[memory_id] for memory_id in group) for group in groups]


def distil(
    snapshot: Snapshot, context: StepContext, clusters: Iterable[Cluster], wanted: Distillation
) -> StepResult:
    """Ask the language model about clusters that are new; one that has outgrown its memory renews it in place.

    A cluster about which the model said nothing usable is left alone for a while. When it does not
    answer at all, the rest is left to the next cycle.
    """
    if not context.model:
        return StepResult(note=NO_MODEL)
    work = _Distillery(snapshot, context, wanted)
    for cluster in clusters:
        if work.note or work.asked >= wanted.limit:
            break
        work.take(cluster)
    proposals = [*derive(snapshot, context, work.fresh), *rederive(snapshot, context, work.grown)]
    return StepResult(proposals, note=work.note, checkpoints=work.checkpoints())


@dataclass(slots=True)
class _Distillery:
    snapshot: Snapshot
    context: StepContext
    wanted: Distillation
    fresh: list[Derivation] = field(default_factory=list)
    grown: list[tuple[Memory, Derivation]] = field(default_factory=list)
    asked: int = 0
    note: str = ""
    known: list[Memory] = field(init=False)
    unusable: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        snapshot = self.snapshot
        hours = self.snapshot.config.consolidation.themes.retry_hours
        self.known = [
            memory for memory in snapshot.memories.values() if kind_of(memory) == self.wanted.kind
        ]
        told = json.loads(snapshot.checkpoints.get(self._checkpoint, "{}"))
        since = snapshot.now - timedelta(hours=hours)
        self.unusable = {
            name: at for name, at in told.items() if datetime.fromisoformat(at) > since
        }

    @property
    def _checkpoint(self) -> str:
        return f"{self.wanted.kind}:unusable"

    def checkpoints(self) -> dict[str, str]:
        """The clusters to leave alone for a while, if there are or were any."""
        kept = json.dumps(self.unusable, sort_keys=True)
        return (
            {self._checkpoint: kept}
            if kept != self.snapshot.checkpoints.get(self._checkpoint, "{}")
            else {}
        )

    def take(self, cluster: Cluster) -> None:
        """One cluster, unless it was seen before."""
        name = cluster_of(self.wanted.kind, cluster)
        if name in self.snapshot.clusters or name in self.unusable:
            return
        kin = self._kin({memory.id for memory in cluster})
        if kin is not None and (
            kin.immutable or {memory.id for memory in cluster} <= set(kin.support)
        ):
            return
        self.asked += 1
        outcome = compose_text(self.context, self.wanted.kind, cluster)
        if outcome.source == "llm":
            self._keep(cluster, outcome.value, kin)
        elif (outcome.error or "").startswith(_UNUSABLE):
            self.unusable[name] = self.snapshot.now.isoformat()
        else:
            self.note = _NO_ANSWER

    def _kin(self, ids: set[str]) -> Memory | None:
        """What was derived from most of the same members.

        One that is renewed already is no kin of another cluster.
        """
        taken = {old.id for old, _ in self.grown}
        return next(
            (
                m
                for m in self.known
                if m.id not in taken and 2 * len(ids & set(m.support)) > len(m.support)
            ),
            None,
        )

    def _keep(self, cluster: Cluster, text: str, kin: Memory | None) -> None:
        wanted = self.wanted
        new = Derivation(
            wanted.kind,
            text,
            cluster,
            {"derived": 1, wanted.plural: 1} if kin is None else {"updated": 1},
            category=wanted.category,
            importance=wanted.importance,
            archives=wanted.archives,
        )
        if kin is None:
            self.fresh.append(new)
        else:
            self.grown.append((kin, new))
