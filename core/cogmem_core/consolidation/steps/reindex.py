"""Step 18: the closing check: what is searched holds exactly what is active."""

from __future__ import annotations

from cogmem_core.consolidation.dream import Dream, StepResult
from cogmem_core.storage.ledger.memories import ACTIVE


def reindex(dream: Dream) -> StepResult:
    """Indexes in memory that differ from the ledger are rebuilt.

    Says so if the vector index lags far behind.
    """
    searcher = dream.services.searcher
    with dream.services.ledger.whole() as reader:
        repaired = searcher.verify(
            reader, dream.namespace, reader.at(dream.namespace).memories.ids(ACTIVE)
        )
    lag = searcher.lag()
    late = lag > dream.config.storage.index_above
    note = f"the vector index is {lag} changes behind the ledger" if late else ""
    return StepResult(counts={"repaired": repaired} if repaired else {}, note=note)
