"""Reinforcement by retrieval alone, for those who want it (seeds 001 and 002: "reinforce on recall").

By default only use reinforces (see `feedback`). What was retrieved is noted in memory and written by the worker, so
that a recall never waits for the disk; a process that dies loses the newest notes and nothing else.
"""

from __future__ import annotations

import threading
from collections import Counter, deque
from datetime import datetime

from cogmem_core.changes import Actor, Touch, apply
from cogmem_core.retrieval.recall import Recall
from cogmem_core.services import Services
from cogmem_core.strength import after_retrieval

__all__ = ["Retrieved"]

_ACTOR = Actor("recall")
_LONGEST = 1_000


class Retrieved:
    """What was retrieved and is not written down yet; of more than 1,000 recalls the newest."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[tuple[str, tuple[str, ...], datetime]] = deque(maxlen=_LONGEST)

    def note(self, namespace: str, recall: Recall, now: datetime) -> None:
        """Remember what a recall returned."""
        if recall.results:
            with self._lock:
                self._waiting.append((namespace, tuple(item.memory.id for item in recall.results), now))

    def settle(self, services: Services) -> bool:
        """Write all of it down, one transaction per namespace; False, because nothing is left to do.

        Raises:
            StoreError: the disk failed; what is not written down yet waits for the next call.
        """
        with self._lock:
            waiting = list(self._waiting)
        found: dict[str, tuple[Counter[str], datetime]] = {}
        for namespace, ids, now in waiting:
            counts, latest = found.get(namespace, (Counter[str](), now))
            counts.update(ids)
            found[namespace] = (counts, max(latest, now))
        for namespace, (counts, now) in found.items():
            _write(services, namespace, counts, now)
            written = {id(one) for one in waiting if one[0] == namespace}
            with self._lock:
                self._waiting = deque((one for one in self._waiting if id(one) not in written), maxlen=_LONGEST)
        return False


def _write(services: Services, namespace: str, counts: Counter[str], now: datetime) -> None:
    with services.ledger.writing(namespace) as writer:
        rows = writer.memories(namespace, list(counts))
        changes = [
            Touch(memory.id, after_retrieval(memory, now, times=counts[memory.id], config=services.config), "retrieved")
            for memory in rows.values()
            if memory.state == "active"
        ]
        applied = apply(writer, namespace, changes, now=now, actor=_ACTOR) if changes else None
    if applied is not None:
        services.searcher.absorb(namespace, (applied.previous_seq, applied.last_seq), (), ())
