"""Reinforcement by retrieval alone, for those who want it.

By default only use reinforces (see `feedback`). What was retrieved is noted in memory and written
by the worker, so that a recall never waits for the disk; a process that dies loses the newest notes
and nothing else.
"""

from __future__ import annotations

import threading
from collections import Counter, deque
from datetime import datetime

from cogmem_core.changes import Actor, Touch, apply
from cogmem_core.edge.strength import after_retrieval
from cogmem_core.process.services import Services
from cogmem_core.retrieval.recall import Recall

_ACTOR = Actor("recall")
_LONGEST = 1_000


class RetrievalQueue:
    """What was retrieved and is not written down yet; of more than 1,000 recalls the newest."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[tuple[str, tuple[str, ...], datetime]] = deque(maxlen=_LONGEST)

    def note(self, namespace: str, recall: Recall, now: datetime) -> None:
        """Remember what a recall returned."""
        if recall.results:
            with self._lock:
                self._waiting.append(
                    (namespace, tuple(item.memory.id for item in recall.results), now)
                )

    def settle(self, services: Services) -> bool:
        """Write all of it down, one transaction per namespace; False, because nothing is left to do.

        Raises:
            StoreError: the disk failed; what is not written down yet waits for the next call.
        """
        with self._lock:
            waiting = list(self._waiting)
        by_namespace: dict[str, tuple[Counter[str], datetime]] = {}
        for namespace, ids, now in waiting:
            counts, latest = by_namespace.get(namespace, (Counter[str](), now))
            counts.update(ids)
            by_namespace[namespace] = (counts, max(latest, now))
        for namespace, (counts, now) in by_namespace.items():
            _write(services, namespace, counts, now)
            written = {id(entry) for entry in waiting if entry[0] == namespace}
            with self._lock:
                self._waiting = deque(
                    (entry for entry in self._waiting if id(entry) not in written), maxlen=_LONGEST
                )
        return False


def _write(services: Services, namespace: str, counts: Counter[str], now: datetime) -> None:
    with services.ledger.writing(namespace) as writer:
        rows = writer.at(namespace).memories.by_ids(list(counts))
        changes = [
            Touch(
                memory.id,
                after_retrieval(memory, now, times=counts[memory.id], config=services.config),
                "retrieved",
            )
            for memory in rows.values()
            if memory.state == "active"
        ]
        applied = apply(writer, namespace, changes, now=now, actor=_ACTOR) if changes else None
    services.update_indexes(namespace, applied)
