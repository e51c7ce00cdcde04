"""What "near" means to the embedder in use: cosines of different embedders have different scales.

The level is a quantile of the cosines between the namespace's own memories, so that it means the same
to each embedder. The numbers of the source documents hold where a document's rules hold, and where
there are too few memories to measure anything.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from cogmem_core.consolidation.context import StepContext
from cogmem_core.consolidation.snapshot import Snapshot
from cogmem_core.maths.calibration import pair_quantile

LEAST_MEASURED = 100
"""Memories from which on nearness is measured."""
_SAMPLE = 400
_LOWEST = 0.3
_HIGHEST = 0.999

_MEASURED: WeakKeyDictionary[Snapshot, dict[float, float]] = WeakKeyDictionary()


def nearness(
    snapshot: Snapshot, context: StepContext, quantile: float, *, otherwise: float
) -> float:
    """The cosine above which two memories are nearer than this share of all pairs.

    Args:
        quantile: of the pairs of the newest memories, 0..1.
        otherwise: where there is too little to measure it on.
    """
    known = _MEASURED.setdefault(snapshot, {})
    if quantile not in known:
        ids = [memory.id for memory in snapshot.memories.values() if not memory.support][-_SAMPLE:]
        vectors = context.vectors(snapshot, ids) if len(ids) >= LEAST_MEASURED else {}
        if len(vectors) < LEAST_MEASURED:
            return otherwise
        measured = pair_quantile(np.stack(list(vectors.values())), quantile)
        known[quantile] = min(_HIGHEST, max(_LOWEST, measured))
    return known[quantile]
