"""What was recalled lately, so that an answer can be traced to it: in RAM, bounded, of this process only."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from cogmem_core.lru import LRUCache
from cogmem_core.results import Recall
from cogmem_core.text.context_frame import OPEN
from cogmem_core.text.quoted_in import flat, present

if TYPE_CHECKING:
    from cogmem_core.bank import MemoryBank

__all__ = ["Recollection", "Recollections"]

_MOST = 2_048
_SECONDS = 900.0


@dataclass
class Recollection:
    """A recall, and whose it is.

    Attributes:
        recall: without what was withheld: no model saw that.
        at: seconds, of the clock of `Recollections`.
        claimed: an answer was traced to it.
    """

    bank: MemoryBank
    recall: Recall
    at: float = 0.0
    claimed: bool = field(default=False, compare=False)

    def within(self, prompt: str) -> frozenset[str]:
        """The ids of its memories that stand in a prompt, word for word or as `Recall.context` words them.

        Args:
            prompt: as `flat` returns it.
        """
        found = {memory_id for memory_id, text in self._texts.items() if present(text, prompt)}
        if len(found) < len(self._texts) and OPEN in prompt:
            found |= {memory_id for memory_id, text in self._lines.items() if present(text, prompt)}
        return frozenset(found)

    def asked_in(self, prompt: str) -> bool:
        """Whether the question stands in a prompt, too."""
        return present(self._query, prompt)

    @property
    def ids(self) -> frozenset[str]:
        """Its memories."""
        return frozenset(self._texts)

    @cached_property
    def _texts(self) -> Mapping[str, str]:
        memories = [*self.recall.hot, *(item.memory for item in self.recall.results)]
        return {memory.id: flat(memory.content) for memory in memories}

    @cached_property
    def _lines(self) -> Mapping[str, str]:
        return {
            memory_id: flat(line) for memory_id, line in self.recall.block().shown.items() if memory_id in self._texts
        }

    @cached_property
    def _query(self) -> str:
        return flat(self.recall.query)


class Recollections:
    """The recalls of the last quarter of an hour, at most 2,048. Thread-safe.

    Args:
        clock: seconds; never goes back.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._kept: LRUCache[str, Recollection] = LRUCache(_MOST)

    def keep(self, bank: MemoryBank, recall: Recall) -> Recollection:
        """Remember a recall; one that found nothing cannot be the source of an answer."""
        kept = Recollection(bank, replace(recall, withheld=()), self._clock())
        if recall.results or recall.hot:
            with self._lock:
                self._kept.put(recall.id, kept)
                for old in self._old():
                    self._kept.pop(old)
        return kept

    def find(self, recall_id: str) -> Recollection | None:
        """The recall of that id; None if it is forgotten, or was made too long ago."""
        with self._lock:
            found = self._kept.get(recall_id)
            return found if found is not None and found.at >= self._since() else None

    def unclaimed(self, most: int) -> list[Recollection]:
        """The newest to which no answer was traced yet, newest first."""
        with self._lock:
            waiting = [one for one in self._fresh() if not one.claimed]
        return sorted(waiting, key=lambda one: -one.at)[:most]

    def clear(self) -> None:
        """Forget all of them."""
        with self._lock:
            self._kept.clear()

    def _since(self) -> float:
        return self._clock() - _SECONDS

    def _fresh(self) -> Iterator[Recollection]:
        since = self._since()
        return (one for one in self._kept.newest() if one.at >= since)

    def _old(self) -> list[str]:
        since = self._since()
        return [one.recall.id for one in islice(self._kept.oldest(), 2) if one.at < since]

    def __len__(self) -> int:
        with self._lock:
            return sum(1 for _ in self._fresh())
