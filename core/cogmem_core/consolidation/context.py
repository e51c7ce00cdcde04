"""What steps of a dream cycle may use besides the snapshot: model, embedder, neighbours.

All of it bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from pydantic import BaseModel

from cogmem_core.consolidation.snapshot import Snapshot
from cogmem_core.ports import FloatArray, Hit, Stored, best_first
from cogmem_core.process.services import Services
from cogmem_core.skills import Outcome, Skill
from cogmem_core.storage.ledger.table import chunks
from cogmem_core.storage.vectors.exact import VectorMatrix

Input = TypeVar("Input")
Answer = TypeVar("Answer", bound=BaseModel)
Value = TypeVar("Value")
_LOOKUPS_AT_ONCE = 8
# A lookup in a large index takes as long as reading so many vectors.
_LOOKUPS_WORTH_A_PASS = 200
_COMPARED_AT_ONCE = 1_024
_LOOKUPS_PER_PRODUCT = 128


class Stopped(Exception):
    """The engine is closing, or another process took over the namespace: the present step is given up."""


def _nothing() -> None:
    return None


def _never() -> bool:
    return False


def _ignore_progress(_step: str, _done: int, _total: int) -> None:
    return None


@dataclass(frozen=True, slots=True)
class CycleControl:
    """Who looks on while a cycle runs.

    Attributes:
        yield_to_foreground: waits for calls that somebody waits for.
        stopping: whether the cycle should end early.
        progress: called with the name of the step that begins, how many are done, and how many
            there are.
    """

    yield_to_foreground: Callable[[], None] = _nothing
    stopping: Callable[[], bool] = _never
    progress: Callable[[str, int, int], None] = _ignore_progress


@dataclass(slots=True)
class StepContext:
    """The engine's parts, as far as a step needs them.

    Attributes:
        services: with a budget of this cycle's own.
        yield_now: to be called now and then by whatever takes long.
        calls: requests to the language model so far.
        began: when the first step did, on a clock that never goes back; None if there is one step only.
    """

    services: Services
    yield_now: Callable[[], None] = _nothing
    calls: int = 0
    began: float | None = None

    @classmethod
    def of(cls, services: Services, yield_now: Callable[[], None]) -> StepContext:
        """StepContext for one cycle."""
        budget = None if services.budget is None else services.budget.cycle()
        return cls(replace(services, budget=budget), yield_now)

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

    def embed(self, texts: Sequence[str]) -> FloatArray:
        """Vectors of index keys, shape (len(texts), dimension).

        `EmbedderUnavailable` if there are none.
        """
        return self.services.embedder.embed_documents(list(texts))

    def new_id(self) -> str:
        """An id for a new memory."""
        return self.services.runtime.new_id()

    def vectors(self, snapshot: Snapshot, ids: Sequence[str]) -> dict[str, FloatArray]:
        """Normalised vectors of memories, by id, in the order of `ids`.

        Those without a usable one are left out.
        """
        with self.services.ledger.whole() as reader:
            return snapshot.vectors(reader, ids)

    def stored(self, snapshot: Snapshot, ids: Sequence[str]) -> dict[str, Stored]:
        """Memories with key and vector as the ledger has them."""
        with self.services.ledger.reading(snapshot.namespace) as ns:
            return ns.memories.stored(ids)

    def neighbours(
        self, snapshot: Snapshot, ids: Sequence[str], k: int, *, minimum: float = -1.0
    ) -> Iterator[tuple[str, list[Hit]]]:
        """The k nearest active memories of each memory, best first, itself excepted.

        Few memories are looked up in the vector index; many are compared with all others in one
        pass over the ledger, which is exact and, from some hundred on, a tenth of the work.

        Args:
            minimum: the smallest cosine that counts.
        """
        nearest = self._looked_up(snapshot, ids, k + 1)
        if len(ids) * _LOOKUPS_WORTH_A_PASS > len(snapshot.memories):
            nearest = self._compared(snapshot, ids, k + 1, minimum)
        for memory_id, hits in nearest:
            neighbors = [
                hit
                for hit in hits
                if hit.score >= minimum and hit.id != memory_id and hit.id in snapshot.memories
            ]
            yield memory_id, neighbors[:k]

    def _looked_up(
        self, snapshot: Snapshot, ids: Sequence[str], k: int
    ) -> Iterator[tuple[str, Sequence[Hit]]]:
        searcher = self.services.searcher
        for part in chunks(ids, _LOOKUPS_AT_ONCE):
            vectors = self.vectors(snapshot, part)
            if not vectors:
                continue
            with self.services.ledger.whole() as reader:
                view = searcher.view(reader, snapshot.namespace)
                stacked = np.stack(list(vectors.values()))
                hit_lists = searcher.nearest_many(reader, view, stacked, k, thorough=True)
            yield from zip(vectors, hit_lists, strict=True)
            self.yield_now()

    def _compared(
        self, snapshot: Snapshot, ids: Sequence[str], k: int, minimum: float
    ) -> Iterator[tuple[str, Sequence[Hit]]]:
        query_vectors: dict[str, FloatArray] = {}
        for part in chunks(ids, _COMPARED_AT_ONCE):
            query_vectors |= self._present(snapshot, part)
            self.yield_now()
        best_hits: dict[str, list[Hit]] = {memory_id: [] for memory_id in query_vectors}
        for page in chunks(list(snapshot.memories), _COMPARED_AT_ONCE):
            matrix = VectorMatrix(self.services.embedder.dimension)
            if block := self._present(snapshot, page):
                matrix.extend(list(block), np.stack(list(block.values())))
            for part in chunks(list(query_vectors), _LOOKUPS_PER_PRODUCT):
                hits = matrix.top_many(
                    np.stack([query_vectors[memory_id] for memory_id in part]), k, minimum=minimum
                )
                for memory_id, nearest in zip(part, hits, strict=True):
                    best_hits[memory_id] = best_first([*best_hits[memory_id], *nearest])[:k]
                self.yield_now()
        yield from best_hits.items()

    def _present(self, snapshot: Snapshot, ids: Sequence[str]) -> dict[str, FloatArray]:
        """Vectors of the present embedder only."""
        dimension = self.services.embedder.dimension
        return {
            memory_id: vector
            for memory_id, vector in self.vectors(snapshot, ids).items()
            if vector.size == dimension
        }
