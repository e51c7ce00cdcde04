"""Answers that memories have not learnt from yet: given in passing, judged by the worker."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from cogmem_core.errors import StoreError
from cogmem_core.fail_open import LogAndContinue
from cogmem_core.feedback import Similarity, give
from cogmem_core.models import Feedback
from cogmem_core.retrieval.recall import Recall
from cogmem_core.services import Services

__all__ = ["Judgement", "Judgements"]

_MOST = 10_000


@dataclass(frozen=True, slots=True)
class Judgement:
    """The arguments of `give`, and who wants to hear what came of it."""

    namespace: str
    recall: Recall
    answer: str
    query: str | None = None
    similarity: Similarity | None = None
    heard: Callable[[tuple[Feedback, ...]], None] | None = None


class Judgements:
    """A queue in memory, oldest first; of more than 10,000 the oldest are given up. Thread-safe.

    A process that dies loses what waits here, and nothing else: feedback is a hint, not a record.

    Attributes:
        lost: how many were given up.
    """

    def __init__(self, *, most: int = _MOST) -> None:
        self._lock, self._harmless = threading.Lock(), LogAndContinue(raises=StoreError)
        self._waiting: deque[Judgement] = deque()
        self._most, self.lost = most, 0

    def put(self, judgement: Judgement) -> None:
        """Queue one."""
        with self._lock:
            self._waiting.append(judgement)
            if len(self._waiting) > self._most:
                self._waiting.popleft()
                self.lost += 1

    def settle(self, services: Services, *, late: Callable[[], bool] = lambda: False) -> bool:
        """Judge what waits, until there is nothing left or it is `late`; returns whether something is left.

        A judgement that cannot be made (a similarity function that raises) is logged and given up.

        Raises:
            StoreError: the disk failed; nothing is lost, the next call tries again.
        """
        while not late():
            with self._lock:
                if not self._waiting:
                    return False
                judgement = self._waiting[0]
            # It stays until it is made, whatever comes in between.
            with self._harmless("feedback"):
                _judge(services, judgement)
            with self._lock:
                if self._waiting and self._waiting[0] is judgement:
                    self._waiting.popleft()
        return True

    def __len__(self) -> int:
        with self._lock:
            return len(self._waiting)


def _judge(services: Services, one: Judgement) -> None:
    rows = give(services, one.namespace, one.recall, one.answer, query=one.query, similarity=one.similarity)
    if rows and one.heard is not None:
        one.heard(rows)
