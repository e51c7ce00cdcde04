"""Clusters that themes, insights and patterns are distilled from.

One that has grown renews what it had.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple

import numpy as np

from cogmem_core.consolidation.derived import (
    Derivation,
    cluster_of,
    compose_text,
    derive,
    kind_of,
    rederive,
)
from cogmem_core.consolidation.dream import Dream, StepResult
from cogmem_core.edge.strength import coactivation_now
from cogmem_core.maths.clusters import (
    Alike,
    Mask,
    by_cosine,
    by_labels,
    connected_groups,
    greedy_groups,
)
from cogmem_core.ports import FloatArray
from cogmem_core.values.models import Category, Memory

SHARED_ENTITIES = 1
"""Common entities that make a cluster; so does one category with importance within
`IMPORTANCE_GAP`."""
IMPORTANCE_GAP = 0.3
"""Difference of importance within which memories of one category make a cluster."""
LEAST_THEME = 3
"""Members of a cluster, at least."""
MOST_THEME = 12
"""Members of a cluster, at most."""
RETRY_HOURS = 24.0
"""A cluster about which the model said nothing usable is left alone for so long; that goes for
insights and patterns, too."""
COACTIVATION_WEIGHT = 0.2
"""Least weight of a co-activation that counts, as it is today: of three common uses within a month or
so. What was used together thrice never reaches 0.30, because the first use fades meanwhile."""
LEAST_INSIGHT = 5
"""Members of a cluster, at least."""
MOST_INSIGHT = 20
"""Members of a cluster, at most."""

Cluster = tuple[Memory, ...]
"""Memories, oldest first."""
NO_MODEL = "skipped: no language model"
_NO_ANSWER = "the language model did not answer"
_NO_TOPIC = ("entity://date/", "entity://number/")
_ROUNDING = 1e-9


class Distillation(NamedTuple):
    """What to distil.

    Attributes:
        kind: of the memories, see `derived.KINDS`.
        plural: the name of the kind in the report's counts.
        limit: requests to the language model.
        importance: of the memories, 0..1.
        category: of the memories.
        archives: the members leave recall.
    """

    kind: str
    plural: str
    limit: int
    importance: float
    category: Category = "summary"
    archives: bool = False


def theme_clusters(dream: Dream) -> list[Cluster]:
    """Groups of episodic memories about the same topic: greedy, over the newest memories."""
    rules = dream.settings.themes
    members = [memory for memory in dream.memories.values() if _may_theme(dream, memory)]
    members = members[-rules.candidates :]
    vectors: dict[str, FloatArray] = {}
    if rules.similarity > 0.0:
        vectors = dream.vectors([memory.id for memory in members])
        members = [memory for memory in members if memory.id in vectors]
    if len(members) < LEAST_THEME:
        return []
    alike = _about_the_same(members)
    if vectors:
        near = by_cosine(np.stack(list(vectors.values())), rules.similarity)
        alike = _both(alike, near)
    groups = greedy_groups(len(members), alike, min_size=LEAST_THEME, max_size=MOST_THEME)
    return [tuple(map(members.__getitem__, group)) for group in groups]


def _both(first: Alike, second: Alike) -> Alike:
    return lambda index: first(index) & second(index)


def _may_theme(dream: Dream, memory: Memory) -> bool:
    spared = dream.settings.themes.supersede and dream.lasts(memory)
    return memory.tier == "episodic" and dream.free(memory) and not spared


def _about_the_same(members: Sequence[Memory]) -> Alike:
    """Shared entities, or the same category and a similar importance."""
    shared_entities = by_labels(list(map(_topics, members)), SHARED_ENTITIES)
    categories = np.unique([memory.category for memory in members], return_inverse=True)[1]
    importance = np.array([memory.importance for memory in members])

    def alike(index: int) -> Mask:
        close: Mask = np.abs(importance - importance[index]) <= IMPORTANCE_GAP + _ROUNDING
        related: Mask = shared_entities(index) | ((categories == categories[index]) & close)
        return related

    return alike


def _topics(memory: Memory) -> list[str]:
    return [entity for entity in memory.entities if not entity.startswith(_NO_TOPIC)]


def insight_clusters(dream: Dream) -> list[Cluster]:
    """Groups of memories that are used together, by the present weights of their relations."""
    groups = connected_groups(_strong_edges(dream), min_size=LEAST_INSIGHT, max_size=MOST_INSIGHT)
    return [tuple(map(dream.memories.__getitem__, group)) for group in groups]


def _strong_edges(dream: Dream) -> Iterator[tuple[str, str, float]]:
    for relation in dream.relations.values():
        if relation.type == "co_activated":
            ends = (relation.source_id, relation.target_id)
            weight = coactivation_now(relation, dream.now)
            usable = all(_may_derive(dream.memories.get(memory_id)) for memory_id in ends)
            if usable and weight >= COACTIVATION_WEIGHT - _ROUNDING:
                yield (*ends, weight)


def _may_derive(memory: Memory | None) -> bool:
    """Whether an insight may rest on it: active, not immutable, no other derived memory than a summary."""
    return memory is not None and not memory.immutable and kind_of(memory) in ("", "summary")


def distil(
    dream: Dream,
    clusters_of: Callable[[Dream], Iterable[Cluster]],
    distillation: Distillation,
) -> StepResult:
    """Ask the language model about clusters that are new; one that has outgrown its memory renews it in place.

    A cluster about which the model said nothing usable is left alone for a while. When it does not
    answer at all, the rest is left to the next cycle.
    """
    if not dream.model:
        return StepResult(note=NO_MODEL)
    work = _Distillery(dream, distillation)
    for cluster in clusters_of(dream):
        if work.note or work.requests >= distillation.limit:
            break
        work.take(cluster)
    proposals = [*derive(dream, work.fresh), *rederive(dream, work.grown)]
    return StepResult(proposals, note=work.note, checkpoints=work.checkpoints())


@dataclass(slots=True)
class _Distillery:
    dream: Dream
    distillation: Distillation
    fresh: list[Derivation] = field(default_factory=list)
    grown: list[tuple[Memory, Derivation]] = field(default_factory=list)
    requests: int = 0
    note: str = ""
    derived_memories: list[Memory] = field(init=False)
    unusable: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        dream = self.dream
        self.derived_memories = [
            memory
            for memory in dream.memories.values()
            if kind_of(memory) == self.distillation.kind
        ]
        since = dream.now - timedelta(hours=RETRY_HOURS)
        self.unusable = {
            name: at
            for name, at in json.loads(dream.checkpoints.get(self._checkpoint, "{}")).items()
            if datetime.fromisoformat(at) > since
        }

    @property
    def _checkpoint(self) -> str:
        return f"{self.distillation.kind}:unusable"

    def checkpoints(self) -> dict[str, str]:
        """The clusters to leave alone for a while, if there are or were any."""
        unusable = json.dumps(self.unusable, sort_keys=True)
        if unusable == self.dream.checkpoints.get(self._checkpoint, "{}"):
            return {}
        return {self._checkpoint: unusable}

    def take(self, cluster: Cluster) -> None:
        """One cluster, unless it was seen before."""
        name = cluster_of(self.distillation.kind, cluster)
        if name in self.dream.clusters or name in self.unusable:
            return
        ids = {memory.id for memory in cluster}
        related = self._related(ids)
        if related is not None and (related.immutable or ids <= set(related.support)):
            return
        self.requests += 1
        outcome = compose_text(self.dream, self.distillation.kind, cluster)
        if outcome.source == "llm":
            self._add(cluster, outcome.value, related)
        elif outcome.unusable:
            self.unusable[name] = self.dream.now.isoformat()
        else:
            self.note = _NO_ANSWER

    def _related(self, ids: set[str]) -> Memory | None:
        """The memory that was derived from mostly the same members, unless another cluster renews it."""
        renewed = {old.id for old, _ in self.grown}
        for memory in self.derived_memories:
            shared = len(ids.intersection(memory.support))
            if memory.id not in renewed and 2 * shared > len(memory.support):
                return memory
        return None

    def _add(self, cluster: Cluster, text: str, related: Memory | None) -> None:
        distillation = self.distillation
        new = Derivation(
            distillation.kind,
            text,
            cluster,
            {"derived": 1, distillation.plural: 1} if related is None else {"updated": 1},
            category=distillation.category,
            importance=distillation.importance,
            archives=distillation.archives,
        )
        if related is None:
            self.fresh.append(new)
        else:
            self.grown.append((related, new))
