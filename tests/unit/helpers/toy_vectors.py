"""Vectors of two numbers for tests of the Chroma index, where to put them, and what an index keeps its state in."""

from pathlib import Path

import numpy as np

from cogmem_core.config import StorageConfig
from cogmem_core.ports import Hit, VectorWrite
from cogmem_core.storage.vectors.chroma.generations import GenerationState
from cogmem_core.storage.vectors.chroma.index import ChromaIndex, Prepared

CONFIG = StorageConfig(sync_threshold=100)


class MemoryStore:
    """A generation store that survives as long as the test; like the ledger's, it never goes back."""

    def __init__(self) -> None:
        self.state: GenerationState | None = None

    def load_generation(self) -> GenerationState | None:
        return self.state

    def save_generation(self, state: GenerationState) -> None:
        if self.state is None or self.state.number <= state.number:
            self.state = state


def vector(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float32)


def put(name: str, *values: float) -> VectorWrite:
    return VectorWrite(name, vector(*values))


def drop(name: str) -> VectorWrite:
    return VectorWrite(name, None)


def ids(hits: list[Hit]) -> list[str]:
    return [hit.id for hit in hits]


def reopen(
    root: Path, store: MemoryStore, fingerprint: str = "toy", dimension: int = 2
) -> tuple[ChromaIndex, Prepared]:
    index = ChromaIndex(root, store, fingerprint, dimension, CONFIG)
    prepared = index.prepare()
    assert prepared is not None
    return index, prepared
