"""Step 18: the closing check: what is searched holds exactly what is active (seed 000, step 6: re-index)."""

from __future__ import annotations

from cogmem_core.consolidation.context import Tools
from cogmem_core.consolidation.snapshot import Scene, StepResult
from cogmem_core.storage.ledger.reader import Filter

__all__ = ["reindex"]

_ACTIVE = Filter(states=("active",))


def reindex(scene: Scene, tools: Tools) -> StepResult:
    """Indexes in memory that differ from the ledger are rebuilt.

    Says so if the vector index lags far behind.
    """
    searcher = tools.services.searcher
    with tools.services.ledger.reading() as reader:
        repaired = searcher.verify(reader, scene.namespace, reader.ids(scene.namespace, _ACTIVE))
    lag = searcher.lag()
    late = lag > scene.config.storage.index_above
    note = f"the vector index is {lag} changes behind the ledger" if late else ""
    return StepResult(counts={"repaired": repaired} if repaired else {}, note=note)
