"""Answers that memories have not learnt from yet: given in passing, judged by the worker."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from cogmem_core.base.fail_open import LogAndContinue
from cogmem_core.errors import StoreError
from cogmem_core.feedback import Similarity, apply_feedback
from cogmem_core.process.services import Services
from cogmem_core.retrieval.recall import Recall
from cogmem_core.values.models import Feedback

FeedbackListener = Callable[[tuple[Feedback, ...]], None]
"""Called with the judgements of an answer once they are stored."""
_LIMIT = 10_000


@dataclass(frozen=True, slots=True)
class QueuedAnswer:
    """The arguments of `apply_feedback`, and a function that receives the stored judgements."""

    namespace: str
    recall: Recall
    answer: str
    query: str | None = None
    similarity: Similarity | None = None
    on_done: FeedbackListener | None = None
    arguments: str = ""

    def carry_out(self, services: Services) -> None:
        """Judge the memories that it was made of."""
        rows = apply_feedback(
            services,
            self.namespace,
            self.recall,
            self.answer,
            query=self.query,
            similarity=self.similarity,
            arguments=self.arguments,
        )
        if rows and self.on_done is not None:
            self.on_done(rows)


class Queued(Protocol):
    """Something that is learnt from in passing, in a namespace."""

    @property
    def namespace(self) -> str:
        """Whose memories learn from it."""

    def carry_out(self, services: Services) -> None:
        """Learn from it."""


class FeedbackQueue:
    """A queue in memory, oldest first; of more than 10,000 the oldest are given up. Thread-safe.

    A process that dies loses what waits here, and nothing else: feedback is a hint, not a record.

    Attributes:
        lost: how many were given up.
    """

    def __init__(self, *, limit: int = _LIMIT) -> None:
        self._lock = threading.Lock()
        self._harmless = LogAndContinue(raises=StoreError)
        self._waiting: deque[Queued] = deque()
        self._limit = limit
        self.lost = 0

    def put(self, judgement: Queued) -> None:
        """Queue one."""
        with self._lock:
            self._waiting.append(judgement)
            if len(self._waiting) > self._limit:
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
                judgement.carry_out(services)
            with self._lock:
                if self._waiting and self._waiting[0] is judgement:
                    self._waiting.popleft()
        return True

    def drop(self, namespace: str) -> None:
        """Give up what waits of a namespace: it may hold words that are erased."""
        with self._lock:
            self._waiting = deque(
                judgement for judgement in self._waiting if judgement.namespace != namespace
            )

    def __len__(self) -> int:
        with self._lock:
            return len(self._waiting)
