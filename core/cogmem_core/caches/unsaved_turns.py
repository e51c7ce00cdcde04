"""Turns that could not be written because the disk or the database failed; in RAM and bounded."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from cogmem_core.values.models import Turn

_MOST = 500
"""Turns of one process; of more the oldest are given up."""
_AT_ONCE = 32  # turns that are written together, so that one more failure costs little


@dataclass(frozen=True, slots=True)
class _Unsaved:
    namespace: str
    turn: Turn


class UnsavedTurns:
    """What waits to be written again, oldest first.

    Thread-safe; a forked child leaves it to its parent.

    Attributes:
        lost: how many turns were given up.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._process = os.getpid()
        self._waiting: deque[_Unsaved] = deque()
        self.lost = 0

    def hold(self, namespace: str, turns: Iterable[Turn]) -> None:
        """Keep turns until they can be written.

        Args:
            namespace: where.
            turns: checked and sanitized, each with the time at which it was said.
        """
        with self._lock:
            self._own()
            self._waiting += [_Unsaved(namespace, turn) for turn in turns]
            while len(self._waiting) > _MOST:
                self._waiting.popleft()
                self.lost += 1

    def waiting(self, namespace: str | None = None) -> int:
        """How many turns wait, of one namespace or of all."""
        return len(self._of(namespace))

    def namespaces(self) -> list[str]:
        """Where turns wait."""
        return list(dict.fromkeys(unsaved.namespace for unsaved in self._of(None)))

    @contextmanager
    def writing(self, namespace: str) -> Iterator[list[Turn]]:
        """Yields the oldest that wait, a few; whoever writes them does so alone.

        They wait no more if the block ends without an error.
        """
        with self._writing:
            batch = self._of(namespace)[:_AT_ONCE]
            yield [unsaved.turn for unsaved in batch]
            self._drop({id(unsaved) for unsaved in batch})

    def forget(self, namespace: str, session_id: str | None = None) -> None:
        """What waits is forgotten: of a namespace, or of one conversation in it."""
        self._drop(
            {
                id(unsaved)
                for unsaved in self._of(namespace)
                if session_id is None or unsaved.turn.session_id == session_id
            }
        )

    def _of(self, namespace: str | None) -> list[_Unsaved]:
        with self._lock:
            self._own()
            return [
                unsaved
                for unsaved in self._waiting
                if namespace is None or unsaved.namespace == namespace
            ]

    def _drop(self, ids: set[int]) -> None:
        with self._lock:
            self._waiting = deque(row for row in self._waiting if id(row) not in ids)

    def _own(self) -> None:
        if self._process != os.getpid():
            self._process = os.getpid()
            self._waiting.clear()
