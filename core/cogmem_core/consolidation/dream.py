"""A dream cycle under way: what its steps see of the namespace, and what they may use besides. All of it bounded."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import TypeVar

import numpy as np

from cogmem_core.base.runtime import monotonic
from cogmem_core.changes import Change
from cogmem_core.consolidation.snapshot import Snapshot
from cogmem_core.edge.clauses import exempt
from cogmem_core.maths.calibration import pair_quantile
from cogmem_core.maths.products import normalised
from cogmem_core.ports import FloatArray, Hit, best_first
from cogmem_core.process.services import Services
from cogmem_core.retrieval.said_later import ASKED, said_later
from cogmem_core.skills.run import Answer, Input, Outcome, Skill, Value
from cogmem_core.storage.ledger.table import chunks
from cogmem_core.storage.ledger.transaction import Namespace
from cogmem_core.storage.vectors.exact import VectorMatrix
from cogmem_core.values.models import Memory

LEAST_MEASURED = 100
"""Memories from which on nearness is measured."""
_SAMPLE = 400
_LOWEST = 0.3
_HIGHEST = 0.999

Item = TypeVar("Item")
_LOOKUPS_AT_ONCE = 8
# A lookup in a large index takes as long as reading so many vectors.
_LOOKUPS_WORTH_A_PASS = 200
_COMPARED_AT_ONCE = 1_024
_LOOKUPS_PER_PRODUCT = 128
_WORKING_SECONDS = 0.004  # without a pause


class Stopped(Exception):
    """The engine is closing, or another process took over the namespace: the present step is given up."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Changes that belong together: all of them are made, or none.

    Attributes:
        counts: what the step's report counts if they are made.
        about: further memories that they rest on; if one of those changed meanwhile, nothing is
            done.
    """

    changes: tuple[Change, ...]
    counts: Mapping[str, int]
    about: tuple[str, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """The memories that it changes or rests on; new ones are not among them."""
        new = {change.target for change in self.changes if not change.touches}
        ids = dict.fromkeys(self.about)
        for change in self.changes:
            ids |= dict.fromkeys(change.touches)
        return tuple(memory_id for memory_id in ids if memory_id not in new)


@dataclass(frozen=True, slots=True)
class StepResult:
    """What a step proposes.

    Attributes:
        counts: what it did besides (indexes repaired, ...).
        note: why it proposes nothing, or less than it found.
        checkpoints: what it wants to remember for the next cycle; added to the namespace's marks if
            the step succeeds.
    """

    proposals: Sequence[Proposal] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    note: str = ""
    checkpoints: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CycleControl:
    """Who looks on while a cycle runs.

    Attributes:
        yield_to_foreground: waits for calls that somebody waits for.
        stopping: whether the cycle should end early.
        progress: called with the name of the step that begins, how many are done, and how many
            there are.
    """

    yield_to_foreground: Callable[[], None] = lambda: None
    stopping: Callable[[], bool] = lambda: False
    progress: Callable[[str, int, int], None] = lambda _step, _done, _total: None


class Dream(Snapshot):
    """A cycle as its steps see it.

    Args:
        services: the engine's parts.
        namespace: whose memories.
        yield_now: to be called now and then by whatever takes long.

    Attributes:
        services: the engine's parts, with a budget of this cycle's own.
        calls: requests to the language model so far.
        began: when the first step did, on a clock that never goes back; None if there is one step only.
        neighbours_of: what the index was asked for, by the id of a memory: two steps look at the same.
    """

    def __init__(
        self, services: Services, namespace: str, yield_now: Callable[[], None] = lambda: None
    ) -> None:
        super().__init__(namespace, services.config, services.runtime.now())
        budget = None if services.budget is None else services.budget.cycle()
        self.services = replace(services, budget=budget)
        self.yield_now = yield_now
        self.calls = 0
        self.began: float | None = None
        self.neighbours_of: dict[str, list[tuple[str, float]]] = {}
        self._levels: dict[float, float] = {}

    def each_memory(self) -> Iterator[Memory]:
        """The active memories, oldest first, with pauses."""
        return self.with_pauses(self.memories.values())

    def with_pauses(self, items: Iterable[Item]) -> Iterator[Item]:
        """The items, with a breath every few milliseconds: a recall that comes meanwhile waits no longer than that."""
        since = monotonic()
        for item in items:
            yield item
            if monotonic() - since >= _WORKING_SECONDS:
                self.yield_now()
                since = monotonic()

    @cached_property
    def kept(self) -> Collection[str]:
        """The ids of what is exempt, and of what was said later of guardian facts: neither is put away alone."""
        exempted = [memory for memory in self.each_memory() if exempt(memory)]
        services = self.services
        with services.ledger.whole() as reader:
            later = [
                said_later(services, reader, services.searcher.view(reader, self.namespace), part)
                for part in chunks(exempted, ASKED)
            ]
        return {memory.id for memory in chain(exempted, *later)}

    def reading(self) -> AbstractContextManager[Namespace]:
        """A snapshot of the namespace as it is in the ledger."""
        return self.services.ledger.reading(self.namespace)

    @property
    def model(self) -> bool:
        """Whether there is a language model."""
        return self.services.llm is not None

    def ask(self, skill: Skill[Input, Answer, Value], inputs: Input) -> Outcome[Value]:
        """One step with the language model, or with its heuristic twin."""
        self.yield_now()
        outcome = self.services.ask(skill, inputs)
        self.calls += outcome.usage.calls
        return outcome

    def vectors(self, ids: Sequence[str]) -> dict[str, FloatArray]:
        """Normalised vectors of memories, by id, in the order of `ids`.

        Those without a usable one are left out.
        """
        missing = [memory_id for memory_id in ids if memory_id not in self._vectors]
        with self.reading() as ns:
            stored = ns.memories.vectors(missing)
        by_size: dict[int, dict[str, FloatArray]] = defaultdict(dict)
        for memory_id, vector in stored.items():
            if vector.size and np.isfinite(vector).all():
                by_size[vector.size][memory_id] = vector
        vectors = dict(self._vectors)
        if by_size:
            usual = max(by_size.values(), key=len)
            rows = normalised(np.stack(list(usual.values())))
            vectors |= zip(usual, rows, strict=True)
        return {memory_id: vectors[memory_id] for memory_id in ids if memory_id in vectors}

    def nearness(self, quantile: float, *, otherwise: float) -> float:
        """The cosine above which two memories are nearer than this share of all pairs.

        Cosines of different embedders have different scales: measured on the namespace's own memories,
        a level means the same to each. The numbers of the source documents hold where a document's rules
        hold, and where there are too few memories to measure anything.

        Args:
            quantile: of the pairs of the newest memories, 0..1.
            otherwise: where there is too little to measure it on.
        """
        if quantile not in self._levels:
            ids = [memory.id for memory in self.memories.values() if not memory.support][-_SAMPLE:]
            vectors = self.vectors(ids) if len(ids) >= LEAST_MEASURED else {}
            if len(vectors) < LEAST_MEASURED:
                return otherwise
            measured = pair_quantile(np.stack(list(vectors.values())), quantile)
            self._levels[quantile] = min(_HIGHEST, max(_LOWEST, measured))
        return self._levels[quantile]

    def neighbours(
        self, ids: Sequence[str], k: int, *, minimum: float = -1.0
    ) -> Iterator[tuple[str, list[Hit]]]:
        """The k nearest active memories of each memory, best first, itself excepted.

        Few memories are looked up in the vector index; many are compared with all others in one
        pass over the ledger, which is exact and, from some hundred on, a tenth of the work.

        Args:
            ids: of the memories.
            k: so many of each at most.
            minimum: the smallest cosine that counts.
        """
        nearest = self._looked_up(ids, k + 1)
        if len(ids) * _LOOKUPS_WORTH_A_PASS > len(self.memories):
            nearest = self._compared(ids, k + 1, minimum)
        for memory_id, hits in nearest:
            neighbors = [
                hit
                for hit in hits
                if hit.score >= minimum and hit.id != memory_id and hit.id in self.memories
            ]
            yield memory_id, neighbors[:k]

    def _looked_up(self, ids: Sequence[str], k: int) -> Iterator[tuple[str, Sequence[Hit]]]:
        searcher = self.services.searcher
        for part in chunks(ids, _LOOKUPS_AT_ONCE):
            vectors = self.vectors(part)
            if not vectors:
                continue
            with self.services.ledger.whole() as reader:
                view = searcher.view(reader, self.namespace)
                stacked = np.stack(list(vectors.values()))
                hit_lists = searcher.nearest_many(reader, view, stacked, k, thorough=True)
            yield from zip(vectors, hit_lists, strict=True)
            self.yield_now()

    def _compared(
        self, ids: Sequence[str], k: int, minimum: float
    ) -> Iterator[tuple[str, Sequence[Hit]]]:
        query_vectors: dict[str, FloatArray] = {}
        for part in chunks(ids, _COMPARED_AT_ONCE):
            query_vectors |= self._present(part)
            self.yield_now()
        best_hits: dict[str, list[Hit]] = {memory_id: [] for memory_id in query_vectors}
        for page in chunks(list(self.memories), _COMPARED_AT_ONCE):
            matrix = VectorMatrix(self.services.embedder.dimension)
            if block := self._present(page):
                matrix.extend(list(block), np.stack(list(block.values())))
            for part in chunks(list(query_vectors), _LOOKUPS_PER_PRODUCT):
                hits = matrix.top_many(
                    np.stack([query_vectors[memory_id] for memory_id in part]), k, minimum=minimum
                )
                for memory_id, nearest in zip(part, hits, strict=True):
                    best_hits[memory_id] = best_first([*best_hits[memory_id], *nearest])[:k]
                self.yield_now()
        yield from best_hits.items()

    def _present(self, ids: Sequence[str]) -> dict[str, FloatArray]:
        """Vectors of the present embedder only."""
        dimension = self.services.embedder.dimension
        return {
            memory_id: vector
            for memory_id, vector in self.vectors(ids).items()
            if vector.size == dimension
        }
