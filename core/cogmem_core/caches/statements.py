"""What memories say of whom, kept for the namespaces looked at last, and followed as they change."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Generic, TypeVar

from cogmem_core.base.lru import LRUCache
from cogmem_core.storage.ledger.memories import Filter, pages_of
from cogmem_core.storage.ledger.transaction import Namespace
from cogmem_core.values.models import Memory

_NAMESPACES = 16
_PAGE = 1_000
_FOLLOWED = 1_000
"""Changed rows that are followed; after more of them all is read anew."""
_READ = Filter(states=("active", "superseded"))
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Statements(Generic[Value]):
    """What the memories of a namespace say at one moment.

    Attributes:
        seq: its newest journal number.
        by_memory: by memory that is active or was replaced.
        speakers: who said those that somebody said in person; "" = without a name.
        results: what was made of all of them, by whatever name its maker gave it.
    """

    seq: int
    by_memory: Mapping[str, tuple[Value, ...]]
    speakers: Mapping[str, str]
    results: dict[Any, Any] = field(default_factory=dict)


class StatementCache(Generic[Value]):
    """The statements of the namespaces looked at last. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: LRUCache[str, Statements[Value]] = LRUCache(_NAMESPACES)

    def of(
        self, ns: Namespace, statements_of: Callable[[Memory], Iterable[Value]]
    ) -> Statements[Value]:
        """The statements as the snapshot has them; only those of changed memories are made anew."""
        seq = ns.journal.last_seq()
        with self._lock:
            kept = self._kept.get(ns.name)
        if kept is not None and kept.seq == seq:
            return kept
        changed = [] if kept is None else ns.journal.tail(kept.seq, _FOLLOWED)
        if kept is None or len(changed) == _FOLLOWED:
            read = chain.from_iterable(pages_of(ns.memories, _READ, limit=_PAGE))
            by_memory: dict[str, tuple[Value, ...]] = {}
            speakers: dict[str, str] = {}
        else:
            ids = {row.id for row in changed}
            by_memory = {name: said for name, said in kept.by_memory.items() if name not in ids}
            speakers = {name: who for name, who in kept.speakers.items() if name not in ids}
            read = chain(ns.memories.by_ids(list(ids)).values())
        for memory in read:
            if memory.state not in ("active", "superseded"):
                continue
            by_memory[memory.id] = tuple(statements_of(memory))
            if memory.data_source == "user_message":
                speakers[memory.id] = memory.speaker or ""
        kept = Statements(seq, by_memory, speakers)
        with self._lock:
            self._kept.put(ns.name, kept)
        return kept

    def forget(self, namespace: str) -> None:
        """Drop what is held of a namespace."""
        with self._lock:
            self._kept.pop(namespace)
