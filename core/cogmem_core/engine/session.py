"""A conversation in progress: its working memory, a small buffer in RAM that is gone when the session ends."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import chain
from typing import TYPE_CHECKING, Any

from cogmem_core.base.async_twin import async_twin
from cogmem_core.base.runtime import Runtime
from cogmem_core.config import WorkingMemoryConfig
from cogmem_core.edge.trust import origin_of
from cogmem_core.maths.working import eviction_score
from cogmem_core.retrieval.recall import Recall
from cogmem_core.upkeep.lifecycle import still_active
from cogmem_core.values.messages import Said
from cogmem_core.values.models import Memory, Message, Turn, WorkingItem
from cogmem_core.values.results import Learnt, WriteReport

if TYPE_CHECKING:
    from cogmem_core.engine.bank import MemoryBank


RECENCY_MINUTES = 30.0
"""Time after which an item that was not accessed counts 1/e."""

_MINUTE = timedelta(minutes=1)


class WorkingMemory:
    """At most nine items (Miller 1956); the one with the lowest eviction score makes room.

    Thread-safe.
    """

    def __init__(self, config: WorkingMemoryConfig, runtime: Runtime) -> None:
        self._config = config
        self._runtime = runtime
        self._items: dict[str, WorkingItem] = {}
        self._lock = threading.Lock()

    def add(self, memories: Iterable[Memory]) -> None:
        """Take memories in; one that is here already is updated in place and counts as accessed."""
        now = self._runtime.now()
        with self._lock:
            for memory in memories:
                existing = self._items.get(memory.id)
                self._items[memory.id] = WorkingItem(
                    memory.id,
                    memory.content,
                    memory.importance,
                    existing.access_count + 1 if existing else 0,
                    existing.added_at if existing else now,
                    now,
                    origin_of(memory),
                )
                while len(self._items) > self._config.capacity:
                    del self._items[min(self._items, key=lambda key: (self._score(key, now), key))]

    def drop(self, ids: Iterable[str]) -> None:
        """Forget items that no longer hold."""
        with self._lock:
            for memory_id in ids:
                self._items.pop(memory_id, None)

    def touch(self, ids: Iterable[str]) -> None:
        """Count an access of the items that are here."""
        now = self._runtime.now()
        with self._lock:
            for memory_id in ids:
                existing = self._items.get(memory_id)
                if existing is not None:
                    accesses = existing.access_count + 1
                    self._items[memory_id] = replace(
                        existing, access_count=accesses, last_accessed_at=now
                    )

    def items(self) -> tuple[WorkingItem, ...]:
        """What is held, most present first."""
        now = self._runtime.now()
        with self._lock:
            order = sorted(self._items, key=lambda item: (-self._score(item, now), item))
            return tuple(self._items[item] for item in order)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._items.clear()

    def __len__(self) -> int:
        return len(self._items)

    def _score(self, memory_id: str, now: datetime) -> float:
        item = self._items[memory_id]
        return eviction_score(
            importance=item.importance,
            minutes_since_access=(now - item.last_accessed_at) / _MINUTE,
            access_count=item.access_count,
            recency_minutes=RECENCY_MINUTES,
        )


class Session:
    """One conversation with a bank: what is remembered in it carries its id and enters its working memory.

    A context manager; the working memory is cleared when the block ends, also when it ends with an
    error.

    Example:
        >>> import cogmem_core
        >>> with cogmem_core.open(embedder="hashing") as engine:
        ...     with engine.bank("alice").session("monday") as session:
        ...         _ = session.remember("I moved to Lisbon")
        ...         print([item.text for item in session.working.items()])
        ['I moved to Lisbon']
    """

    bank: MemoryBank
    id: str
    working: WorkingMemory

    def __init__(self, bank: MemoryBank, session_id: str, working: WorkingMemory) -> None:
        self.bank = bank
        self.id = session_id
        self.working = working

    def remember(
        self, /, content: str | Turn | Message | Sequence[str | Turn | Message], **arguments: Any
    ) -> WriteReport:
        """As `MemoryBank.remember`, in this session.

        A `Turn` without a session id gets this one.
        """
        report = self.bank.remember(_in_session(content, self.id), session_id=self.id, **arguments)
        memory_ids = set(chain.from_iterable(receipt.memory_ids for receipt in report.receipts))
        self.working.drop(memory.id for memory in report.memories if memory.state != "active")
        self.working.add(
            memory
            for memory in report.memories
            if memory.id in memory_ids and memory.state == "active"
        )
        return report

    def recall(self, /, query: str, **arguments: Any) -> Recall:
        """As `MemoryBank.recall`, in this session, with its working memory as it was when the question came.

        Items of the working memory that come back count as accessed.
        """
        result = self.bank.recall(query, session_id=self.id, **arguments)
        working = self._on_mind()
        self.working.touch(item.memory.id for item in result.results)
        return replace(result, working=working)

    def learnt(self, /, *, limit: int = 7) -> Learnt:
        """As `MemoryBank.learnt`, of what was said in this session; at its end, say."""
        return self.bank.learnt(limit=limit, session_id=self.id)

    aremember = async_twin(remember)
    arecall = async_twin(recall)
    alearnt = async_twin(learnt)

    def _on_mind(self) -> tuple[WorkingItem, ...]:
        """The working memory without what was forgotten, superseded or reworded meanwhile.

        It goes into a prompt.
        """
        services = self.bank._services()
        items = self.working.items()
        current = still_active(services, self.bank.namespace, [item.id for item in items])
        held = tuple(
            item for item in items if item.id in current and current[item.id].content == item.text
        )
        self.working.drop({item.id for item in items} - {item.id for item in held})
        services.recent.inject(self.bank.namespace, [item.text for item in held])
        return held

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.working.clear()

    async def __aenter__(self) -> Session:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.working.clear()

    def __repr__(self) -> str:
        return f"<cogmem_core.Session {self.id!r} of {self.bank!r}>"


def _in_session(content: Said | Sequence[Said], session_id: str) -> Said | Sequence[Said]:
    if isinstance(content, Turn) and content.session_id is None:
        return replace(content, session_id=session_id)
    if isinstance(content, Sequence) and not isinstance(content, (str, bytes)):
        return [_in_session(entry, session_id) for entry in content]  # type: ignore[misc]
    return content  # what cannot be remembered is refused by the bank
